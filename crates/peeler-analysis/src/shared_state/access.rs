//! What one test does with states that outlive it.

use serde::{Deserialize, Serialize};

use crate::flows::flow::FlowStep;

/// The states that a test reads without setting them, and those that it leaves changed.
///
/// Everything is text, so that tests of several scans can be compared. States are sorted by their ids.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateAccess {
    /// The folder of the module that the test belongs to. Tests of one module run in one JVM.
    pub module: String,
    /// The shared states that the test reads before anything in the test or its setup determines them.
    pub reads: Vec<StateUse>,
    /// The shared states that the test leaves changed.
    pub left: Vec<StateUse>,
    /// Whether the class of the test fixes the order of its tests.
    pub is_ordered: bool,
    /// The number of states that were left out because the test uses too many.
    pub dropped: u32,
}

/// One use of a shared state by a test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateUse {
    /// The id of the state: `shop.Registry#entries`, `property:user.home`, `store:Order`.
    pub state: String,
    /// The place where the test reads or writes the shared state.
    pub site: FlowStep,
    /// The number of calls between the test and the place where the state is read or written.
    pub depth: u8,
    /// The other tests that this use of a state can affect.
    pub reach: StateReach,
    /// Whether the state has no usable value until something sets it.
    pub starts_unset: bool,
    /// The assertion of the test itself that contains the read or write; `None` if no assertion does.
    pub assertion: Option<FlowStep>,
}

/// The tests that share a state with a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StateReach {
    /// The state is shared with all tests of the JVM.
    Module,
    /// The state is shared with the tests of the class. Setup or teardown resets it for other classes, or it is a field
    /// of the test object.
    Class,
    /// The state is shared with tests of other classes only: the setup of the class writes it, for all tests of the
    /// class.
    OtherClasses,
}

/// The kind of a shared state, such as a field, a system property or a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum StateKind {
    Field,
    Property,
    Default,
    Context,
    File,
    Mock,
    Store,
}

impl StateKind {
    /// The kind of the shared state with this id.
    pub(crate) fn of(state: &str) -> Self {
        match state.split_once(':').map(|it| it.0) {
            Some("property") => Self::Property,
            Some("default") => Self::Default,
            Some("context") => Self::Context,
            Some("file") => Self::File,
            Some("mock") => Self::Mock,
            Some("store") => Self::Store,
            _ => Self::Field,
        }
    }
}

/// The name of a shared state: its id without the kind, or for a field without the package.
pub(crate) fn state_name(state: &str) -> &str {
    match StateKind::of(state) {
        StateKind::Field => {
            let whole = state.split('[').next().unwrap_or(state);
            &state[whole.rfind('.').map_or(0, |it| it + 1)..]
        }
        _ => state.split_once(':').map_or(state, |it| it.1),
    }
}
