//! The inputs of a training run: configuration, tests with labels, backend and seed.

use std::sync::Arc;

use crate::backend::Backend;
use crate::config::Config;
use crate::pretrained::Pretrained;
use peeler_features::Dataset;

/// A division of the tests of a dataset: those that a network learns from, and those that its epochs are validated on.
#[derive(Debug, Clone)]
pub struct Parts {
    /// Whether each test of the dataset is flaky. Only the tests in `training` and `validation` matter.
    pub flaky: Arc<[bool]>,
    /// Whether each test of the dataset is of a sample with fewer stable tests than its project has. Such tests say
    /// nothing about the share of flaky tests in projects.
    pub sampled: Arc<[bool]>,
    /// The indices of flaky tests, each with the index of the same test after its fix.
    pub fixes: Arc<[(usize, usize)]>,
    /// The indices of the tests that the network learns from.
    pub training: Vec<usize>,
    /// The indices of the tests that epochs are validated on. The network never learns from them.
    pub validation: Vec<usize>,
    /// The indices of tests that are neither learned from nor validated on, because they are of held-out projects.
    pub withheld: Vec<usize>,
}

impl Parts {
    /// A division of the same tests without validation: the network learns from all of them.
    pub(crate) fn joined(&self) -> Self {
        let parts = [&self.training, &self.validation, &self.withheld];
        let mut training: Vec<usize> = parts.into_iter().flatten().copied().collect();
        training.sort_unstable();
        Self {
            flaky: self.flaky.clone(),
            sampled: self.sampled.clone(),
            fixes: self.fixes.clone(),
            training,
            validation: Vec::new(),
            withheld: Vec::new(),
        }
    }
}

/// The inputs of a training run: configuration, tests, pretrained vectors, backend and seed.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'d> {
    /// The configuration of the network and of its training.
    pub config: &'d Config,
    /// The tests of the training run, encoded as numbers.
    pub dataset: &'d Dataset,
    /// Initial vectors of sub-tokens, as wide as the configuration's `embedding`; `None` for random ones.
    pub pretrained: Option<&'d Pretrained>,
    /// The backend (library and device) that computes the training.
    pub backend: Backend,
    /// The random seed of the training run.
    pub seed: u64,
}
