//! Time limits that annotations set for a test, and annotations that disable a test.

use peeler_features::Rule;

use crate::discovery::DiscoveredTest;
use crate::flows::flow::{FlowOrigin, FoundFlow, Site};
use crate::repository::narrow;
use crate::symbols::ids::TypeId;
use crate::symbols::index::Index;
use crate::symbols::names::{Scope, TypeReference};
use crate::syntax::declarations::Annotation;

use super::catalogue::TimingCatalogue;
use super::duration::unit_millis;

/// Whether an annotation such as `@Disabled` disables a test or its class.
pub(super) fn is_disabled(index: &Index<'_>, test: DiscoveredTest) -> bool {
    let method = &index.method(test.method).annotations;
    let class = &index.declaration(test.class).annotations;
    method.iter().chain(class).any(|it| {
        matches!(it.name, "Disabled" | "Ignore" | "AwaitsFix")
            || (it.name == "Test" && squeezed(it.arguments).contains("enabled=false"))
    })
}

/// Whether a test passes if a time limit is reached: `@Test(expected = TimeoutException.class)`.
pub(super) fn expects_timeout(index: &Index<'_>, test: DiscoveredTest) -> bool {
    let mut annotations = index.method(test.method).annotations.iter();
    annotations.any(|it| {
        let expected = it.arguments.split_once("expected");
        it.name == "Test" && expected.is_some_and(|(_, after)| after.contains("Timeout"))
    })
}

/// Whether the time that a test takes depends on more than the processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Load {
    /// The test sleeps, waits, or starts a thread, server or other work that runs beside it.
    Waiting,
    /// The test is not known to do anything but compute in its own thread.
    Computing,
}

/// The flows of short time limits that annotations of the test method set, such as `@Test(timeout = 500)`. A test that
/// only computes needs a much shorter limit than one that waits for others. A test that sleeps for longer than the limit,
/// for `slept` milliseconds, is meant to exceed it. A test class that other tests run on their own may be meant to, too.
pub(super) fn annotated_limits(index: &Index<'_>, test: DiscoveredTest, load: Load, slept: u64) -> Vec<FoundFlow> {
    let file = index.file_of(test.method.owner);
    let limits = &TimingCatalogue::shipped().limits;
    let threshold = match load {
        Load::Waiting => limits.test,
        Load::Computing => limits.computing,
    };
    if is_fixture(index, test.class) {
        return Vec::new();
    }
    let annotations = index.method(test.method).annotations.iter();
    annotations
        .filter(|it| !is_namesake(index, test.method.owner, it.name))
        .filter_map(|it| {
            let millis = limit_of(it)?;
            (slept < millis && millis <= threshold).then(|| FoundFlow {
                rule: Rule::ShortTimeLimit,
                what: format!("fails after {}", words(millis)),
                source: Site {
                    file,
                    start: it.at,
                    end: it.at + 1 + narrow(it.name.len()),
                },
                steps: Vec::new(),
                oracle: None,
                origin: FlowOrigin::Body,
                settled_by: None,
                is_sure: true,
            })
        })
        .collect()
}

/// Whether a nested test class is there for other tests to run: its file has a class literal of it in code, as in
/// `JUnitCore.runClasses(Endless.class)`.
fn is_fixture(index: &Index<'_>, class: TypeId) -> bool {
    let literal = format!("{}.class", index.outline(class).name);
    let text = index.source(index.file_of(class)).text();
    let is_code = |line: &str| !line.trim_start().starts_with(['@', '*']);
    index.enclosing(class).is_some() && text.lines().any(|it| is_code(it) && has_literal(it, &literal))
}

/// Whether a text has a class literal that is not the end of a longer one, as `Endless.class` is of `NotEndless.class`.
fn has_literal(text: &str, literal: &str) -> bool {
    let mut places = text.match_indices(literal);
    places.any(|(at, _)| !text[..at].ends_with(|it: char| it.is_alphanumeric() || matches!(it, '_' | '.')))
}

/// Whether an annotation is one of the repository's own that has the name of a test framework's.
fn is_namesake<'r>(index: &Index<'r>, owner: TypeId, name: &'r str) -> bool {
    let scope = Scope {
        file: index.file_of(owner),
        owner: Some(owner),
    };
    match index.resolve_name(name, scope) {
        Some(TypeReference::Type(id)) if !index.is_library(id) => {
            let class = index.binary_name(id);
            !class.starts_with("org.junit") && !class.starts_with("org.testng")
        }
        _ => false,
    }
}

/// The time limit that a `@Test` or `@Timeout` annotation sets, in milliseconds; `None` if it sets none.
fn limit_of(annotation: &Annotation<'_>) -> Option<u64> {
    let arguments = squeezed(annotation.arguments);
    let number = |name: &str| {
        let value = arguments
            .split(',')
            .find_map(|it| it.strip_prefix(name)?.strip_prefix('='))?;
        product(value)
    };
    match annotation.name {
        "Test" => number("timeout").or_else(|| number("timeOut")).filter(|it| *it > 0),
        "Timeout" => {
            let value = number("value").or_else(|| product(arguments.split(',').next()?))?;
            let unit = arguments.split(',').find_map(|it| it.strip_prefix("unit="));
            let unit = unit.and_then(|it| unit_millis(it.rsplit('.').next()?));
            let (times, by) = unit.unwrap_or((1000, 1));
            Some(value.saturating_mul(times) / by)
        }
        _ => None,
    }
}

/// The value of a product of integer literals: 60000 for `60*1000`. `None` for other texts.
fn product(text: &str) -> Option<u64> {
    let factors = text
        .split('*')
        .map(|it| it.trim_end_matches(['l', 'L']).replace('_', "").parse::<u64>().ok());
    factors.reduce(|a, b| a?.checked_mul(b?))?
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// A length of time for messages: `2 s` or `500 ms`.
pub(super) fn words(millis: u64) -> String {
    if millis >= 1000 && millis.is_multiple_of(1000) {
        format!("{} s", millis / 1000)
    } else {
        format!("{millis} ms")
    }
}
