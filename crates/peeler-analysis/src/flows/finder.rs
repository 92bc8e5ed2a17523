//! Finds the flows of nondeterminism in tests, from a source such as a clock to an assertion.

use crate::analysis::Analysis;
use crate::disabled::is_disabled;
use crate::grounds::Grounds;
use crate::interpreter::Interpreter;
use crate::outside::Outside;
use crate::practice::Practice;
use crate::shared_state::{SharedState, StateAccess, left_flows};
use crate::symbols::ids::FileId;
use crate::symbols::index::Index;
use crate::timing::Timing;
use crate::traced::TracedTest;

use super::flow::{Flow, FoundFlow};

/// Finds the flows of nondeterminism in the tests of one analysis. Results about code that tests share are computed
/// once.
pub struct FlowFinder<'a, 'r> {
    index: &'a Index<'r>,
    interpreter: Interpreter<'a, 'r>,
    timing: Timing<'a, 'r>,
    outside: Outside<'a, 'r>,
    practice: Practice<'a, 'r>,
    shared_state: SharedState<'a, 'r>,
    grounds: Grounds<'a, 'r>,
}

/// The flows of nondeterminism in one test.
#[derive(Debug, Default)]
pub struct TestFlows {
    /// The flows of the test, those whose source is nearest to the test first. Flows that an operation such as a sort
    /// makes harmless come last.
    pub flows: Vec<Flow>,
    /// The state that outlives the test, such as static fields, as far as the test reads or changes it. `pair_states`
    /// compares it with that of other tests.
    pub state: StateAccess,
    /// The files that the abstract interpreter read in search of the test's flows.
    pub files: Vec<FileId>,
    /// Whether a limit of the abstract interpreter cut off a part of the code that the test runs.
    pub is_incomplete: bool,
}

impl<'a, 'r> FlowFinder<'a, 'r> {
    /// A finder of flows of nondeterminism in the tests of an analysis.
    #[must_use]
    pub fn new(analysis: &'a Analysis<'r>) -> Self {
        let index = analysis.index();
        Self {
            index,
            interpreter: Interpreter::new(index, analysis.extra_assertions()),
            timing: Timing::new(index, analysis.extra_assertions()),
            outside: Outside::new(index),
            practice: Practice::new(index, analysis.extra_assertions()),
            shared_state: SharedState::new(index),
            grounds: Grounds::new(index),
        }
    }

    /// The files that the flows of a test depend on, in addition to [`TestFlows::files`]. A change of one of them can
    /// add or remove flows.
    #[must_use]
    pub fn grounds(&self, traced: &TracedTest<'_>) -> Vec<FileId> {
        self.grounds.files(traced.test)
    }

    /// Finds the flows of nondeterminism in a test. A disabled test has none.
    #[must_use]
    pub fn flows(&self, traced: &TracedTest<'_>) -> TestFlows {
        let test = traced.test;
        if is_disabled(self.index, test) {
            return TestFlows::default();
        }
        let interpretation = self.interpreter.interpret(test);
        let mut found = interpretation.flows;
        found.extend(self.timing.flows(test));
        found.extend(self.outside.flows(test));
        found.extend(self.practice.flows(test));
        sort(&mut found);
        let state = self.shared_state.access(test);
        let mut flows: Vec<Flow> = found.into_iter().map(|it| it.resolved(self.index)).collect();
        flows.extend(left_flows(&state));
        flows.sort_by_key(|it| (it.settled_by.is_some(), it.origin));
        TestFlows {
            flows,
            state,
            files: interpretation.files,
            is_incomplete: interpretation.is_cut,
        }
    }
}

/// Sorts flows by the distance of their source from the test, then by rule and position. Flows that an operation makes
/// harmless come last. Of flows with the same rule and source, only the first reported and the first harmless one stay.
fn sort(flows: &mut Vec<FoundFlow>) {
    flows.sort_by_key(|it| (it.settled_by.is_some(), it.origin, it.rule, it.source, it.oracle));
    flows.dedup_by_key(|it| (it.rule, it.source, it.settled_by.is_some()));
}
