//! Settings of pretraining.

use serde::{Deserialize, Serialize};

use crate::backend::Backend;

/// The shape of the pretrained network and how it is trained.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PretrainingSettings {
    /// The width of the vectors of sub-tokens and paths. Code vectors are three times as wide.
    pub width: usize,
    /// The number of passes over the training methods.
    pub epochs: usize,
    /// The number of methods of a training step.
    pub batch: usize,
    /// The learning rate of the first step. It falls to a tenth until the last one.
    pub learning_rate: f64,
    /// The share of path contexts that a training step leaves out at random.
    pub context_dropout: f32,
    /// The seed of everything random.
    pub seed: u64,
    /// What computes the network.
    pub backend: Backend,
    /// The number of training methods that must use a sub-token or path, so that it gets a vector of its own.
    pub least_methods: usize,
    /// The maximum number of sub-tokens with vectors.
    pub most_words: usize,
    /// The maximum number of sub-tokens that names are predicted from.
    pub most_targets: usize,
    /// The maximum number of paths with vectors.
    pub most_paths: usize,
}

impl Default for PretrainingSettings {
    fn default() -> Self {
        Self {
            width: 128,
            epochs: 10,
            batch: 512,
            learning_rate: 0.002,
            context_dropout: 0.2,
            seed: 1,
            backend: Backend::Auto,
            least_methods: 5,
            most_words: 40_000,
            most_targets: 10_000,
            most_paths: 40_000,
        }
    }
}

impl PretrainingSettings {
    /// The width of code vectors: of the vectors of contexts and bodies.
    #[must_use]
    pub fn code_width(&self) -> usize {
        3 * self.width
    }
}
