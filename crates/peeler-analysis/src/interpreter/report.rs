//! Nondeterministic values that reach assertions in an abstract run, before they become flows of a test.

use super::trace::{Exposure, Trace};
use crate::flows::flow::Site;

/// The maximum number of calls through which an element of an unordered container, picked by position, is returned to
/// the test. If there are more calls, the flow is not reported.
const MAX_PICK_CALLS: u8 = 6;

/// A nondeterministic value that reached an assertion.
#[derive(Debug, Clone)]
pub(super) struct Report {
    pub(super) trace: Trace,
    pub(super) exposure: Exposure,
    pub(super) oracle: Site,
    /// The operation that made the value harmless before the assertion, such as a sort; `None` if nothing did.
    pub(super) settled_by: Option<Site>,
}

impl Report {
    /// Whether the value was picked from an unordered container and then returned through more than [`MAX_PICK_CALLS`]
    /// calls. The test hardly depends on which element was picked so far away.
    pub(super) fn is_far_fetched(&self) -> bool {
        self.exposure == Exposure::Element && self.trace.calls() > MAX_PICK_CALLS
    }

    /// Whether two reports are about values from the same source that reached the same assertion.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.oracle == other.oracle
            && self.settled_by.is_some() == other.settled_by.is_some()
            && self.trace.has_origin_of(&other.trace)
    }
}
