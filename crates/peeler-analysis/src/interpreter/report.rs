//! Nondeterministic values that reach assertions in an abstract run, before they become flows of a test.

use super::trace::{Exposure, Trace};
use super::value::Disorder;
use crate::flows::flow::Site;

/// The maximum number of calls through which something in no defined order is returned to the test. If there are more
/// calls, the flow is not reported: of 76 such flows in labelled projects, none was in a test that is known to be
/// flaky.
const MAX_CALLS: u8 = 6;

/// A nondeterministic value that reached an assertion.
#[derive(Debug, Clone)]
pub(super) struct Report {
    pub(super) trace: Trace,
    pub(super) exposure: Exposure,
    pub(super) oracle: Site,
    /// The operation that made the value harmless before the assertion, such as a sort; `None` if nothing did.
    pub(super) settled_by: Option<Site>,
    /// Whether at least two elements are known to be in the undefined order; true for a value without one.
    pub(super) is_sure: bool,
}

impl Report {
    /// A value in an undefined order that reached an assertion.
    pub(super) fn of_order(disorder: &Disorder, oracle: Site) -> Self {
        Self {
            trace: disorder.trace.clone(),
            exposure: disorder.exposure,
            oracle,
            settled_by: None,
            is_sure: disorder.is_sure,
        }
    }

    /// A single nondeterministic value, with the source and the places of `trace`, that reached an assertion.
    pub(super) fn of_one(trace: Trace, oracle: Site) -> Self {
        Self {
            is_sure: !trace.origin().kind.is_order(),
            trace,
            exposure: Exposure::Element,
            oracle,
            settled_by: None,
        }
    }

    /// Whether the value has an undefined order and was returned through more than six calls of methods of the
    /// repository. Such a value hardly ever makes a test flaky, so no flow is made of it.
    pub(super) fn is_far_fetched(&self) -> bool {
        self.trace.origin().kind.is_order() && self.trace.calls() > MAX_CALLS
    }

    /// Whether two reports are about values from the same source that reached the same assertion.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.oracle == other.oracle
            && self.settled_by.is_some() == other.settled_by.is_some()
            && self.trace.has_origin_of(&other.trace)
    }
}
