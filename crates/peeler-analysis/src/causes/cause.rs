//! The causes of flakiness of a test, in the forms that reports and models read.

use std::collections::BTreeMap;

use super::rule::CauseDescription;
use super::search::FoundSite;
use crate::extraction::folded;
use crate::symbols::index::Index;
use peeler_features::CauseKind;

/// The maximum number of characters of a cause's source text; longer texts are shortened.
const MAX_TEXT: usize = 120;

/// A source of nondeterminism in the code that a test runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// What the test does at the cause, in words such as `reads the clock`.
    pub description: CauseDescription,
    /// The file that contains the cause, relative to the root of the repository.
    pub file: String,
    /// The line in `file` that contains the cause.
    pub line: u32,
    /// The source text of the cause, on one line.
    pub text: String,
    /// The matched code: `Type#method`, `Type#<init>`, `Type#field` for static state, `@Name` for an annotation.
    pub call: String,
    /// The number of calls between the test and the cause; zero in the test, its helpers and its setup.
    pub depth: usize,
    /// The chain of called methods that leads from the test to the cause, helpers included, each as `Type#method`. The
    /// body of the last one contains the cause.
    pub via: Vec<String>,
}

/// All causes of flakiness found for a test, in the order in which a report lists them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Causes {
    /// The causes of flakiness of the test. A report names the first one.
    pub list: Vec<Cause>,
    /// The number of method bodies that were not searched for causes because the test reaches too many.
    pub dropped_bodies: usize,
}

/// The kinds of causes of a test, with the nearest cause of each kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CauseKinds {
    /// The number of calls between the test and its nearest cause, by kind of cause.
    pub nearest: BTreeMap<CauseKind, usize>,
    /// A description of the cause that a report names first; `None` if the test has no cause.
    pub first: Option<CauseDescription>,
    /// The number of method bodies that were not searched for causes because the test reaches too many.
    pub dropped_bodies: usize,
}

impl Cause {
    /// The kind of nondeterminism of this cause, such as the clock or an unordered collection.
    #[must_use]
    pub fn kind(&self) -> CauseKind {
        self.description.kind()
    }

    pub(super) fn new(index: &Index<'_>, line: u32, found: FoundSite) -> Self {
        let FoundSite { site, depth, via, .. } = found;
        let source = index.source(site.file);
        Self {
            description: site.description.clone(),
            file: source.path().to_owned(),
            line,
            text: shortened(&folded(&source.text()[site.start as usize..site.end as usize])),
            call: site.call.clone(),
            depth,
            via: via.into_iter().map(|it| it.name(index)).collect(),
        }
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
