//! Reports of the interpreter: what an assertion noticed, before it becomes a flow of a test.

use super::trace::{Exposure, Trace};
use crate::flows::flow::Site;

/// The maximum number of calls between a test and the place where an element is picked, for a report.
const MAX_PICK_CALLS: u8 = 6;

/// A nondeterministic value that reached an assertion.
#[derive(Debug, Clone)]
pub(super) struct Report {
    pub(super) trace: Trace,
    pub(super) exposure: Exposure,
    pub(super) oracle: Site,
    /// The operation that made the value harmless before the assertion; `None` if nothing did.
    pub(super) settled_by: Option<Site>,
}

impl Report {
    /// Whether an element was picked so many calls away that the test hardly depends on which one.
    pub(super) fn is_far_fetched(&self) -> bool {
        self.exposure == Exposure::Element && self.trace.calls() > MAX_PICK_CALLS
    }

    /// Whether two reports are about the same source and the same assertion.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.oracle == other.oracle
            && self.settled_by.is_some() == other.settled_by.is_some()
            && self.trace.has_origin_of(&other.trace)
    }
}
