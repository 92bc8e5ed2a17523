//! The inputs of a training run: configuration, tests with labels, backend and seed.

use std::sync::Arc;

use crate::backend::Backend;
use crate::config::Config;
use crate::pretrained::Pretrained;
use peeler_features::Dataset;

/// The tests of a dataset that a network learns from, and those that its epochs are validated on.
#[derive(Debug, Clone)]
pub struct Parts {
    /// The label of each test of the dataset. Labels of tests in neither part are ignored.
    pub flaky: Arc<[bool]>,
    /// Indices of the tests to learn from.
    pub training: Vec<usize>,
    /// Indices of the tests that epochs are validated on. The network never learns from them.
    pub validation: Vec<usize>,
}

impl Parts {
    /// All tests to learn from and to validate on, as tests to learn from. No validation tests are left.
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

/// The inputs of a training run: configuration, data, backend and seed.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'d> {
    /// The configuration of the network and of its training.
    pub config: &'d Config,
    /// The encoded tests of the training run.
    pub dataset: &'d Dataset,
    /// Initial vectors of sub-tokens; their width is the configuration's `embedding`.
    pub pretrained: Option<&'d Pretrained>,
    /// The backend that trains.
    pub backend: Backend,
    /// The random seed of the training.
    pub seed: u64,
}
