//! The causes of a test, as a report and as a model see them.

use std::collections::BTreeMap;

use super::rule::CauseDescription;
use super::search::FoundSite;
use crate::extraction::folded;
use crate::symbols::index::Index;
use peeler_features::CauseKind;

/// Longer source texts of causes are shortened.
const MAX_TEXT: usize = 120;

/// A source of nondeterminism that a test touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// What happens, by the rule that found it.
    pub description: CauseDescription,
    /// The file, relative to the root.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The source that matched, on one line.
    pub text: String,
    /// `Type#method`, `Type#<init>`, `Type#field` for static state, `@Name` for an annotation.
    pub call: String,
    /// Zero in the test, its helpers or its setup; else how many calls away from them.
    pub depth: usize,
    /// The methods called on the way, helpers included, each as `Type#method`; the last one holds the line.
    pub via: Vec<String>,
}

/// All causes of a test, in the order of a report.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Causes {
    /// The causes, the one that a report names first.
    pub list: Vec<Cause>,
    /// How many bodies were not searched because there are too many.
    pub dropped_bodies: usize,
}

/// The kinds of causes of a test, with the nearest of each kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CauseKinds {
    /// The depth of the nearest cause, by kind.
    pub nearest: BTreeMap<CauseKind, usize>,
    /// The cause that a report names first.
    pub first: Option<CauseDescription>,
    /// How many bodies were not searched because there are too many.
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
