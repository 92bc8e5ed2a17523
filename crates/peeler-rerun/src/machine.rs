//! The trait of everything that can run a test.
//!
//! [`crate::jvm::pool::Pool`] implements it with JVMs. Unit tests use an implementation with scripted outcomes.

use std::collections::BTreeSet;

use peeler_features::TestName;

use crate::jvm::JvmError;
use crate::jvm::session::RunResult;
use crate::perturbation::Perturbation;

/// One run of a test by a [`Machine`]: the JVM that ran it and the result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineRun {
    /// The number of the JVM that ran the test.
    pub jvm: u32,
    /// The result of the run: outcome, time and failure.
    pub result: RunResult,
}

/// Something that runs one test at a time, such as a pool of JVMs.
pub trait Machine {
    /// Requests a new JVM for the next test, with this perturbation: a change of its environment or of the order of
    /// tests.
    fn renew(&mut self, perturbation: &Perturbation);

    /// Requests a new JVM for the next test. The JVM logs the classes that it loads.
    ///
    /// # Errors
    ///
    /// When the version of Java cannot be found out. The option that logs classes depends on it.
    fn renew_with_class_log(&mut self) -> Result<(), JvmError>;

    /// Runs a test once, in the JVM of earlier tests of its module if that JVM is still running.
    ///
    /// # Errors
    ///
    /// When no JVM can be started, or the user interrupts. A failure or crash of the test is an outcome, not an error.
    fn run(&mut self, test: &TestName) -> Result<MachineRun, JvmError>;

    /// The classes that the JVM of this test has loaded; `None` if they were not logged.
    fn loaded_classes(&mut self, test: &TestName) -> Option<BTreeSet<String>>;

    /// The stack of the single shuffle that NonDex made in the JVM of this test; `None` if it was not asked for one.
    fn shuffled_call(&mut self, test: &TestName) -> Option<Vec<String>>;
}
