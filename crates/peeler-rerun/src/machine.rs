//! What the stages ask of the world: to run a test in the JVM at hand, or in a new one.
//!
//! [`crate::jvm::pool::Pool`] does it with JVMs; tests of the stages have a machine whose outcomes are written down
//! beforehand.

use std::collections::BTreeSet;

use peeler_features::TestName;

use crate::jvm::JvmError;
use crate::jvm::session::Ended;
use crate::perturbation::Perturbation;

/// A run and where it ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// The number of the JVM.
    pub jvm: u32,
    /// How it ended.
    pub ended: Ended,
}

/// Something that runs tests.
pub trait Machine {
    /// The next test runs in a new JVM under these conditions.
    fn renew(&mut self, perturbation: &Perturbation);

    /// The next test runs in a new JVM that writes down which classes it loads.
    ///
    /// # Errors
    ///
    /// When it cannot be found out how.
    fn renew_with_class_log(&mut self) -> Result<(), JvmError>;

    /// Runs a test once, in the same JVM as the one before if that still lives.
    ///
    /// # Errors
    ///
    /// When no JVM can be started, or somebody wants us to stop. Whatever the test does is an outcome.
    fn run(&mut self, test: &TestName) -> Result<Ran, JvmError>;

    /// The classes that the JVM of a test has loaded, where they were written down.
    fn loaded_classes(&mut self, test: &TestName) -> Option<BTreeSet<String>>;
}
