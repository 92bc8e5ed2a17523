//! Tests that throw away a Spring application context which they share with others.
//!
//! ```java
//! @Test @DirtiesContext void changesABean() { .. }    // PLR604: the next test of the class waits for a new context
//! ```
//!
//! Left out: `@DirtiesContext` at a class, after which nothing else uses the context. An attribute without effect is
//! reported too, such as `classMode` at a method, because the context then stays as it is.

use peeler_features::Rule;

use super::catalogue::{Catalogue, lists};
use crate::discovery::DiscoveredTest;
use crate::flows::flow::{FlowOrigin, FoundFlow};
use crate::lifecycle::setup_types;
use crate::outside::annotations::annotation_site;
use crate::symbols::ids::TypeId;
use crate::symbols::index::Index;
use crate::syntax::declarations::Annotation;

/// The flow of a `@DirtiesContext` that throws away a context which other tests share, or that has no effect where it
/// stands. `None` if the test has no such annotation.
pub(super) fn dirtied_context(index: &Index<'_>, test: DiscoveredTest) -> Option<FoundFlow> {
    let of_method = index.method(test.method).annotations.iter();
    let on_method = of_method.filter(|it| dirties(it)).map(|it| {
        let what = if it.arguments.contains("classMode") {
            "keeps a dirtied context: classMode has no effect on a method"
        } else {
            "throws away an application context that other tests share"
        };
        (test.method.owner, it, FlowOrigin::Body, what)
    });
    let on_method = on_method.into_iter().find(|_| has_other_tests(index, test));
    let on_class = || {
        setup_types(index, test.class).into_iter().find_map(|id| {
            let mut annotations = index.declaration(id).annotations.iter();
            let found = annotations.find(|it| dirties(it) && it.arguments.contains("methodMode"))?;
            let what = "keeps a dirtied context: methodMode has no effect on a class";
            Some((id, found, FlowOrigin::Setup, what))
        })
    };
    let (owner, annotation, origin, what) = on_method.or_else(on_class)?;
    Some(FoundFlow {
        rule: Rule::DirtiedContext,
        what: what.to_owned(),
        source: annotation_site(index, index.file_of(owner), annotation),
        steps: Vec::new(),
        oracle: None,
        origin,
        settled_by: None,
        is_sure: true,
    })
}

fn dirties(annotation: &Annotation<'_>) -> bool {
    lists(&Catalogue::shipped().dirtied.annotations, annotation.name)
}

/// Whether the class of a test and its ancestors have two or more methods with an annotation such as `@Test`.
fn has_other_tests(index: &Index<'_>, test: DiscoveredTest) -> bool {
    let is_test = |it: &Annotation<'_>| it.name.ends_with("Test");
    let count = |id: TypeId| {
        let methods = index.declaration(id).methods.iter();
        methods.filter(|it| it.annotations.iter().any(is_test)).count()
    };
    let ancestors = index.ancestors(test.class).iter();
    ancestors.map(|it| count(it.id)).sum::<usize>() > 1
}
