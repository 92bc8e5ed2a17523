//! What a training starts from: configuration, tests with labels, backend and seed.

use std::sync::Arc;

use crate::backend::Backend;
use crate::config::Config;
use crate::pretrained::Pretrained;
use peeler_features::Dataset;

/// The tests of a dataset that a network learns from, and those that its epochs are validated on.
#[derive(Debug, Clone)]
pub struct Parts {
    /// The label of each test of the dataset; those outside the two parts are ignored.
    pub flaky: Arc<[bool]>,
    /// Tests to learn from.
    pub training: Vec<usize>,
    /// Tests that epochs are validated on; they are never learned from.
    pub validation: Vec<usize>,
}

impl Parts {
    /// All tests to learn from, and none to validate on.
    pub(crate) fn joined(&self) -> Self {
        let mut training: Vec<usize> = self.training.iter().chain(&self.validation).copied().collect();
        training.sort_unstable();
        Self {
            flaky: self.flaky.clone(),
            training,
            validation: Vec::new(),
        }
    }
}

/// What is trained, on what data, and by which backend.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'d> {
    /// The configuration of the network and of its training.
    pub config: &'d Config,
    /// The encoded tests.
    pub dataset: &'d Dataset,
    /// Initial vectors of sub-tokens; their width is the configuration's `embedding`.
    pub pretrained: Option<&'d Pretrained>,
    /// The backend that trains.
    pub backend: Backend,
    /// The seed of everything random.
    pub seed: u64,
}
