//! A place in the code where a rule of the catalogue of causes matches.

use super::rule::CauseDescription;
use crate::symbols::index::FileId;

/// A place in the code where a rule of the catalogue of causes matches, such as a call of `System.nanoTime()`.
#[derive(Debug, Clone)]
pub(super) struct Site {
    pub(super) description: CauseDescription,
    pub(super) weight: Weight,
    pub(super) noticed_by: NoticedBy,
    /// The matched code: `Type#method`, `Type#field` or `@Annotation`.
    pub(super) call: String,
    pub(super) file: FileId,
    /// The byte offset in `file` that identifies the matched code: for a call, the offset of the method's name. The
    /// dependency graph uses the same offset for this code.
    pub(super) at: u32,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// How much a place that matches the catalogue of causes counts outside the test: fully, or as incidental.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    Full,
    /// A match that counts less outside the test, where it is more often bookkeeping than a cause of flakiness.
    Incidental,
}

/// The assertions that can notice a source of nondeterminism.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoticedBy {
    AnyAssertion,
    /// Only assertions that depend on the order of elements notice the nondeterminism.
    OrderAssertion,
}

impl Site {
    /// Whether only assertions that depend on the order of elements can notice the nondeterminism of this place.
    pub(super) fn is_order(&self) -> bool {
        self.noticed_by == NoticedBy::OrderAssertion
    }
}
