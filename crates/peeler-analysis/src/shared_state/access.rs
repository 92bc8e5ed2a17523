//! What one test does with shared states: fields, properties, files and the like that outlive the test.

use serde::{Deserialize, Serialize};

use crate::flows::flow::FlowStep;

/// The shared states, such as static fields, that a test reads without setting them, and those that it leaves changed.
///
/// Everything is text, so that tests of several scans can be compared. States are sorted by their ids.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateAccess {
    /// The folder of the module that the test belongs to. Tests of one module run in one JVM.
    pub module: String,
    /// The shared states that the test reads before the test or its setup sets them.
    pub reads: Vec<StateUse>,
    /// The shared states that the test leaves changed.
    pub left: Vec<StateUse>,
    /// Whether the class of the test fixes the order of its tests.
    pub is_ordered: bool,
    /// The number of shared states that are not listed because the test uses too many.
    pub dropped: u32,
}

/// One read or write of a shared state by a test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateUse {
    /// The id of the shared state: `shop.Registry#entries`, `property:user.home`, `store:Order`.
    pub state: String,
    /// The place where the test reads or writes the shared state.
    pub site: FlowStep,
    /// The number of calls between the test and the code that reads or writes the shared state.
    pub depth: u8,
    /// The other tests with which this use shares the state: all of the module, of the class, or of other classes.
    pub reach: StateReach,
    /// Whether the shared state is a field that is declared without an initial value or with `null`.
    pub starts_unset: bool,
    /// The assertion in the test itself that contains the read or write of the shared state; `None` if no assertion
    /// does.
    pub assertion: Option<FlowStep>,
}

/// The tests that share a state, such as a static field, with a given test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StateReach {
    /// The state is shared with all tests of the module, which run in one JVM.
    Module,
    /// The state is shared with the tests of the same class only. Setup or teardown of the class resets it, or it is a
    /// field of the test object.
    Class,
    /// The state is shared with tests of other classes only. The setup of the test's class writes it, and all tests of
    /// that class have the same setup.
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
    /// The kind of the shared state with this id: `property:user.home` is a property.
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

/// The name of a shared state for messages: its id without the kind, or for a field without the package.
/// `property:user.home` has the name `user.home`.
pub(crate) fn state_name(state: &str) -> &str {
    match StateKind::of(state) {
        StateKind::Field => {
            let whole = state.split('[').next().unwrap_or(state);
            &state[whole.rfind('.').map_or(0, |it| it + 1)..]
        }
        _ => state.split_once(':').map_or(state, |it| it.1),
    }
}
