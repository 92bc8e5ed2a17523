//! The catalogue of the practice rules: `catalogue/practice.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

/// The whole catalogue of the practice rules.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Catalogue {
    pub(super) retry: Retry,
    pub(super) dirtied: Dirtied,
    pub(super) cleaning: Cleaning,
    pub(super) mocks: Mocks,
    pub(super) sequences: Sequences,
    pub(super) float: Float,
}

/// Part of the catalogue: annotations and rules that run a failed test again.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Retry {
    pub(super) annotations: Vec<String>,
    pub(super) attributes: Vec<String>,
    pub(super) extensions: Vec<String>,
    pub(super) wrappers: Vec<String>,
}

/// Part of the catalogue: annotations after which an application context is thrown away.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Dirtied {
    pub(super) annotations: Vec<String>,
}

/// Part of the catalogue: beginnings of method names that put shared state back or release something.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cleaning {
    pub(super) methods: Vec<String>,
}

/// Part of the catalogue: calls that fill annotated fields with mocks.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Mocks {
    pub(super) calls: Vec<String>,
    pub(super) annotations: Vec<String>,
}

/// Types whose values keep what is added to them in order.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sequences {
    pub(super) types: Vec<String>,
    pub(super) calls: Vec<String>,
}

/// Floating-point arithmetic, and comparisons with a tolerance.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Float {
    pub(super) inexact: Vec<String>,
    pub(super) sums: Vec<String>,
    pub(super) tolerant: Vec<String>,
}

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    toml::from_str(include_str!("../../catalogue/practice.toml")).expect("the catalogue is well-formed")
});

impl Catalogue {
    /// The catalogue of the practice rules that is built into the program.
    pub(super) fn shipped() -> &'static Self {
        &CATALOGUE
    }
}

/// Whether a list contains a name. A `*` at the begin or end of an entry stands for any characters.
pub(super) fn lists(entries: &[String], name: &str) -> bool {
    entries.iter().any(|entry| {
        let is_open_before = entry.starts_with('*');
        let is_open_after = entry.ends_with('*');
        let word = entry.trim_matches('*');
        match (is_open_before, is_open_after) {
            (false, false) => word == name,
            (true, false) => name.ends_with(word),
            (false, true) => name.starts_with(word),
            (true, true) => name.contains(word),
        }
    })
}
