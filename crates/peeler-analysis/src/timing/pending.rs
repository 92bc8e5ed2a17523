//! Timing events that a later assertion may depend on, and the flows that they then make.

use peeler_features::Rule;

use crate::flows::flow::{FlowOrigin, FoundFlow, Site};

use super::annotations::words;
use super::event::{Certainty, Event, EventKind, Oracle};

/// A timing event, such as a start of work, that no wait has made harmless so far.
#[derive(Clone)]
pub(super) struct Pending<'r> {
    pub(super) event: Event<'r>,
    pub(super) origin: FlowOrigin,
}

/// A sleep, and what may go on beside it.
#[derive(Clone)]
pub(super) struct Sleep<'r> {
    pub(super) pending: Pending<'r>,
    /// Where code was started that runs in another thread during the sleep; `None` if there is no such code.
    pub(super) beside: Option<Site>,
    /// Whether that start is in test code, so that it is the test's own work that goes on.
    pub(super) is_own_work: bool,
    /// Where a server, broker or client of a library was used before the sleep; `None` if there was none.
    pub(super) library: Option<Site>,
}

impl Sleep<'_> {
    /// The flow from the sleep to the first assertion after it.
    ///
    /// Without anything that goes on beside the sleep, no assertion is known to depend on it. It is sure only if test code
    /// starts a thread, task, timer or server, and if the assertion says enough.
    pub(super) fn flow(&self, oracle: &Event<'_>) -> FoundFlow {
        let what = match self.pending.event.kind {
            EventKind::Sleep(Some(millis)) => format!("sleeps for {} before it asserts", words(millis)),
            _ => "sleeps for a fixed time before it asserts".to_owned(),
        };
        let mut flow = self.pending.noticed(Rule::SleepBeforeAssertion, &what, oracle);
        flow.is_sure = self.is_own_work && oracle.kind != EventKind::Assertion(Oracle::Vague);
        match self.beside.or(self.library) {
            Some(concurrent) => flow.steps.insert(0, concurrent),
            None => flow.oracle = None,
        }
        flow
    }
}

impl Pending<'_> {
    /// Whether an assertion that mentions a variable of started work probably checks what that work did. Work that the
    /// test or its helpers start always counts, and so does work that code under test starts in every run. Other work
    /// counts only if the assertion mentions a variable that the work changes.
    pub(super) fn is_plausible(&self, oracle: &Event<'_>) -> bool {
        let changes = || self.event.effects.iter().any(|it| oracle.names.contains(it));
        match self.origin {
            FlowOrigin::Body | FlowOrigin::Helper => true,
            FlowOrigin::Setup => self.event.steps.is_empty() && changes(),
            FlowOrigin::CodeUnderTest(_) => self.event.certainty == Certainty::Always || changes(),
        }
    }

    pub(super) fn flow(&self, rule: Rule, what: &str) -> FoundFlow {
        FoundFlow {
            rule,
            what: what.to_owned(),
            source: self.event.site,
            steps: self.event.steps.clone(),
            oracle: None,
            origin: self.origin,
            settled_by: None,
            is_sure: true,
        }
    }

    pub(super) fn noticed(&self, rule: Rule, what: &str, oracle: &Event<'_>) -> FoundFlow {
        let mut steps: Vec<Site> = self.event.steps.clone();
        steps.extend(&oracle.steps);
        FoundFlow {
            oracle: Some(oracle.site),
            steps,
            ..self.flow(rule, what)
        }
    }
}
