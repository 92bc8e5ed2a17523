//! Causes of flakiness that come from annotations of a test or of its classes, such as `@Test(timeout = 100)`.

use std::sync::Arc;

use super::catalogue::CauseCatalogue;
use super::search::FoundSite;
use super::site::{NoticedBy, Site, Weight};
use crate::discovery::DiscoveredTest;
use crate::lifecycle::setup_types;
use crate::repository::narrow;
use crate::symbols::index::{Index, TypeId};
use crate::syntax::declarations::Annotation;

/// The annotations of a test and of its classes that the catalogue of causes lists, such as `@Test(timeout = 100)`.
pub(super) fn annotation_sites(catalogue: &CauseCatalogue, index: &Index<'_>, test: DiscoveredTest) -> Vec<FoundSite> {
    let of_method = index.method(test.method).annotations.iter();
    let mut found: Vec<FoundSite> = of_method
        .filter_map(|it| annotated(catalogue, index, test.method.owner, it))
        .collect();
    for id in setup_types(index, test.class) {
        let of_class = index.declaration(id).annotations.iter();
        found.extend(of_class.filter_map(|it| annotated(catalogue, index, id, it)));
    }
    found
}

/// The place of an annotation that the catalogue of causes lists; `None` if it lists no such annotation.
fn annotated(
    catalogue: &CauseCatalogue,
    index: &Index<'_>,
    owner: TypeId,
    annotation: &Annotation<'_>,
) -> Option<FoundSite> {
    let entry = catalogue.annotation(annotation.name, annotation.arguments)?;
    let file = index.file_of(owner);
    let text = &index.source(file).text()[annotation.at as usize..];
    let length = match annotation.arguments {
        "" => annotation.name.len() + 1,
        arguments => text.find(arguments).map_or(0, |at| at + arguments.len() + 1),
    };
    let site = Site {
        description: entry.rule.clone().into(),
        weight: Weight::Full,
        noticed_by: NoticedBy::AnyAssertion,
        call: format!("@{}", annotation.name),
        file,
        at: annotation.at,
        start: annotation.at,
        end: annotation.at + narrow(length.min(text.len())),
    };
    Some(FoundSite {
        site: Arc::new(site),
        depth: 0,
        via: Vec::new(),
        root: 0,
    })
}
