//! Tests that are run again until they pass, and tests that pass although some of their runs fail.

use peeler_features::Rule;

use super::catalogue::{Catalogue, lists};
use crate::discovery::DiscoveredTest;
use crate::flows::flow::{FlowOrigin, FoundFlow, Site};
use crate::lifecycle::setup_types;
use crate::outside::annotations::annotation_site;
use crate::symbols::ids::{FileId, TypeId};
use crate::symbols::index::Index;
use crate::syntax::declarations::{Annotation, FieldDeclaration};
use crate::syntax::outline::simple_name;

/// Annotations of fields whose object JUnit runs around tests: rules and extensions.
const RULES: [&str; 3] = ["Rule", "ClassRule", "RegisterExtension"];

/// The flow of a test that is run again after a failure; `None` if nothing runs it again. An annotation of the test
/// takes precedence over one of its class.
pub(super) fn retry(index: &Index<'_>, test: DiscoveredTest) -> Option<FoundFlow> {
    let file = index.file_of(test.method.owner);
    let of_method = index.method(test.method).annotations.iter();
    let on_method = of_method.filter_map(|it| Some((annotation_site(index, file, it), retried_by(it)?)));
    if let Some((site, what)) = on_method.into_iter().next() {
        return Some(flow(what, site, FlowOrigin::Body));
    }
    setup_types(index, test.class)
        .into_iter()
        .find_map(|id| of_class(index, id))
}

fn of_class(index: &Index<'_>, id: TypeId) -> Option<FoundFlow> {
    let file = index.file_of(id);
    let declared = index.declaration(id);
    let annotated = declared
        .annotations
        .iter()
        .find_map(|it| Some((annotation_site(index, file, it), retried_by(it)?)));
    let written = &index.file_outline(file).annotations;
    let has_rules = || RULES.iter().any(|it| written.contains(it));
    let ruled = || {
        let rules = declared.fields.iter().filter_map(|it| rule_field(file, it));
        has_rules().then(|| rules.into_iter().next()).flatten()
    };
    annotated
        .or_else(ruled)
        .map(|(site, what)| flow(what, site, FlowOrigin::Setup))
}

/// What an annotation does to a failed test, in words: "is run again when it fails". `None` if it does not tolerate
/// failures.
fn retried_by(annotation: &Annotation<'_>) -> Option<String> {
    let retry = &Catalogue::shipped().retry;
    if lists(&retry.annotations, annotation.name) {
        return Some("is run again when it fails".to_owned());
    }
    if annotation.name == "Test" {
        return retry
            .attributes
            .iter()
            .find_map(|it| tolerated(it, annotation.arguments));
    }
    let named = annotation
        .arguments
        .split(['{', '}', ',', '=', ' '])
        .filter_map(|it| it.trim().strip_suffix(".class"));
    let is_retry = lists(&retry.wrappers, annotation.name)
        && named.into_iter().any(|it| lists(&retry.extensions, simple_name(it)));
    is_retry.then(|| "is run again when it fails".to_owned())
}

/// What an attribute of `@Test` makes of failures, in words: "passes when 80% of its runs pass" for `successPercentage
/// = 80`. `None` if `arguments` do not set the attribute, or if all runs must pass.
fn tolerated(attribute: &str, arguments: &str) -> Option<String> {
    let (_, value) = arguments.split_once(attribute)?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    if attribute != "successPercentage" {
        return Some("is run again when it fails".to_owned());
    }
    let digits = value.find(|it: char| !it.is_ascii_digit()).unwrap_or(value.len());
    let percentage: u32 = value[..digits].parse().ok()?;
    (percentage < 100).then(|| format!("passes when {percentage}% of its runs pass"))
}

/// The place of a field that is a JUnit rule which runs a failed test again, with words for the report. `None` for
/// other fields.
fn rule_field(file: FileId, field: &FieldDeclaration<'_>) -> Option<(Site, String)> {
    let source = field.code.source();
    let is_rule = RULES
        .iter()
        .any(|it| source.split('@').skip(1).any(|after| after.starts_with(it)));
    let type_name = field.type_text.split('<').next().unwrap_or_default();
    let extensions = &Catalogue::shipped().retry.extensions;
    if !is_rule || !lists(extensions, simple_name(type_name)) {
        return None;
    }
    let site = Site {
        file,
        start: field.code.start,
        end: field.code.end,
    };
    Some((site, "is run again by a rule when it fails".to_owned()))
}

fn flow(what: String, source: Site, origin: FlowOrigin) -> FoundFlow {
    FoundFlow {
        rule: Rule::RetriedTest,
        what,
        source,
        steps: Vec::new(),
        oracle: None,
        origin,
        settled_by: None,
        is_sure: true,
    }
}
