//! The catalogue of the rules about test practices, such as retries and floating-point equality:
//! `catalogue/practice.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::catalogue_text;

/// The whole catalogue of the rules about test practices, such as retries.
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

/// Part of the catalogue of practice rules: annotations, JUnit rules and extensions that run a failed test again.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Retry {
    pub(super) annotations: Vec<String>,
    pub(super) attributes: Vec<String>,
    pub(super) extensions: Vec<String>,
    pub(super) wrappers: Vec<String>,
}

/// Part of the catalogue of practice rules: annotations such as `@DirtiesContext`, after which Spring throws an
/// application context away.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Dirtied {
    pub(super) annotations: Vec<String>,
}

/// Part of the catalogue of practice rules: beginnings of names of methods that restore shared state or release
/// something.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cleaning {
    pub(super) methods: Vec<String>,
}

/// Part of the catalogue of practice rules: calls such as `initMocks` that fill annotated fields with mocks.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Mocks {
    pub(super) calls: Vec<String>,
    pub(super) annotations: Vec<String>,
}

/// Part of the catalogue of practice rules: types that keep added elements in order, such as `List`, and methods that
/// add.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sequences {
    pub(super) types: Vec<String>,
    pub(super) calls: Vec<String>,
}

/// Part of the catalogue of practice rules, about floating-point numbers. It lists methods with inexact results, such
/// as `sin` or `average`, and assertions that compare with a tolerance, such as `isCloseTo`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Float {
    pub(super) inexact: Vec<String>,
    pub(super) sums: Vec<String>,
    pub(super) tolerant: Vec<String>,
}

static CATALOGUE: LazyLock<Catalogue> =
    LazyLock::new(|| catalogue_text::read(include_str!("../../catalogue/practice.toml")));

impl Catalogue {
    /// The catalogue of the rules about test practices that is built into Peeler.
    pub(super) fn shipped() -> &'static Self {
        &CATALOGUE
    }
}

/// Whether a list of the catalogue contains a name. A `*` at the beginning or end of an entry stands for any
/// characters.
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
