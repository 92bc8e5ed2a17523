//! The origin of a model: its training data and backend.

use serde::{Deserialize, Serialize};

/// The data that a model was trained on, and the backend that trained it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// The fingerprint of the corpus that the model was trained on.
    pub corpus: String,
    /// The names of the projects in the corpus that the model was trained on.
    pub projects: Vec<String>,
    /// The number of tests in the corpus that the model was trained on.
    pub tests: usize,
    /// The number of flaky tests in the corpus that the model was trained on.
    pub flaky: usize,
    /// The number of tests that were learned from and never held out, because their stable tests are a sample.
    #[serde(default)]
    pub learned_only: usize,
    /// The random seed of the training.
    pub seed: u64,
    /// The name of the backend that trained the model, such as `cpu` or `wgpu`.
    pub backend: String,
    /// The mean validation score (average precision) of the scouts; `None` if no tests were held out.
    ///
    /// A scout is a network that was trained without a part of the tests and scored on that part.
    pub validation: Option<f64>,
    /// The unit of data that was held out for validation: projects or classes.
    pub held_out: String,
}
