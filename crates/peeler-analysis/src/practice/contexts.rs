//! Tests that throw away an application context which they share with others.

use peeler_features::Rule;

use super::catalogue::{Catalogue, lists};
use crate::discovery::DiscoveredTest;
use crate::flows::flow::{FlowOrigin, FoundFlow};
use crate::lifecycle::setup_types;
use crate::outside::annotations::annotation_site;
use crate::symbols::index::Index;
use crate::syntax::declarations::Annotation;

/// The annotation that throws the context of a test away; `None` if there is none.
pub(super) fn dirtied_context(index: &Index<'_>, test: DiscoveredTest) -> Option<FoundFlow> {
    let on_method = index.method(test.method).annotations.iter().find(|it| dirties(it));
    let on_method = on_method.map(|it| (test.method.owner, it, FlowOrigin::Body));
    let on_class = || {
        setup_types(index, test.class).into_iter().find_map(|id| {
            let found = index.declaration(id).annotations.iter().find(|it| dirties(it))?;
            Some((id, found, FlowOrigin::Setup))
        })
    };
    let (owner, annotation, origin) = on_method.or_else(on_class)?;
    Some(FoundFlow {
        rule: Rule::DirtiedContext,
        what: "throws away an application context that other tests share".to_owned(),
        source: annotation_site(index, index.file_of(owner), annotation),
        steps: Vec::new(),
        oracle: None,
        origin,
        settled_by: None,
    })
}

fn dirties(annotation: &Annotation<'_>) -> bool {
    lists(&Catalogue::shipped().dirtied.annotations, annotation.name)
}
