//! Finds the flows of tests.

use crate::analysis::Analysis;
use crate::interpreter::Interpreter;
use crate::shared_state::{SharedState, StateAccess};
use crate::symbols::ids::FileId;
use crate::symbols::index::Index;
use crate::traced::TracedTest;

use super::flow::{Flow, FoundFlow};

/// Finds the flows of the tests of one analysis. Results about code that tests share are computed once.
pub struct FlowFinder<'a, 'r> {
    index: &'a Index<'r>,
    interpreter: Interpreter<'a, 'r>,
    shared_state: SharedState<'a, 'r>,
}

/// The flows of one test.
#[derive(Debug, Default)]
pub struct TestFlows {
    /// The flows, nearest and surest first. Settled flows come after all others.
    pub flows: Vec<Flow>,
    /// What the test does with state that outlives it. `pair_states` compares it with that of other tests.
    pub state: StateAccess,
    /// The files that the flows, or their absence, depend on.
    pub files: Vec<FileId>,
    /// Whether a limit cut off a part of the code that the test runs.
    pub is_incomplete: bool,
}

impl<'a, 'r> FlowFinder<'a, 'r> {
    /// A finder for the tests of an analysis.
    #[must_use]
    pub fn new(analysis: &'a Analysis<'r>) -> Self {
        let index = analysis.index();
        Self {
            index,
            interpreter: Interpreter::new(index, analysis.extra_assertions()),
            shared_state: SharedState::new(index),
        }
    }

    /// The flows of a test.
    #[must_use]
    pub fn flows(&self, traced: &TracedTest<'_>) -> TestFlows {
        let test = traced.test;
        let interpretation = self.interpreter.interpret(test);
        let mut found = interpretation.flows;
        sort(&mut found);
        TestFlows {
            flows: found.into_iter().map(|it| it.resolved(self.index)).collect(),
            state: self.shared_state.access(test),
            files: interpretation.files,
            is_incomplete: interpretation.is_cut,
        }
    }
}

/// Sorts flows: unsettled before settled, then the nearest origin, then rule and position. Each flow stays once.
fn sort(flows: &mut Vec<FoundFlow>) {
    flows.sort_by_key(|it| (it.settled_by.is_some(), it.origin, it.rule, it.source, it.oracle));
    flows.dedup_by_key(|it| (it.rule, it.source, it.settled_by.is_some()));
}
