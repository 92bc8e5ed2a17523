//! The causes of a test, in the forms that reports and models read.

use std::collections::BTreeMap;

use super::rule::CauseDescription;
use super::search::FoundSite;
use crate::extraction::folded;
use crate::symbols::index::Index;
use peeler_features::CauseKind;

/// The maximum length of the source text of a cause; longer texts are shortened.
const MAX_TEXT: usize = 120;

/// A source of nondeterminism in the code that a test runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// A description of what happens, from the rule that found the cause.
    pub description: CauseDescription,
    /// The file that contains the cause, relative to the root of the repository.
    pub file: String,
    /// The line of the cause.
    pub line: u32,
    /// The source text of the cause, on one line.
    pub text: String,
    /// The matched code: `Type#method`, `Type#<init>`, `Type#field` for static state, `@Name` for an annotation.
    pub call: String,
    /// The number of calls between the test and the cause; zero in the test, its helpers and its setup.
    pub depth: usize,
    /// The chain of called methods that leads to the cause, helpers included, each as `Type#method`. The last one
    /// contains the line.
    pub via: Vec<String>,
}

/// All causes of a test, in the order of a report.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Causes {
    /// The causes; the first one is the one that a report names.
    pub list: Vec<Cause>,
    /// The number of bodies that the search for causes left out because of its limit.
    pub dropped_bodies: usize,
}

/// The kinds of causes of a test, with the nearest cause of each kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CauseKinds {
    /// The number of calls between the test and its nearest cause, by kind of cause.
    pub nearest: BTreeMap<CauseKind, usize>,
    /// The cause that a report names first.
    pub first: Option<CauseDescription>,
    /// The number of bodies that the search for causes left out because of its limit.
    pub dropped_bodies: usize,
}

impl Cause {
    /// The kind of nondeterminism.
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
