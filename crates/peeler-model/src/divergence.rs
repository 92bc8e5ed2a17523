//! The error of a training run whose numbers became infinite or NaN.

use std::fmt;

/// A number that must be finite, and is not if training diverges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// The number is the mean loss of an epoch.
    Loss,
    /// The number is a parameter of the network.
    Parameter,
    /// The number is the score of a validation test.
    Score,
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loss => "the loss",
            Self::Parameter => "a parameter",
            Self::Score => "the score of a held-out test",
        })
    }
}

/// The error of a training run whose numbers became infinite or NaN.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(
    "training diverged in epoch {epoch}: {quantity} is not a finite number; \
     use a `learning_rate` below {learning_rate} in the configuration"
)]
pub struct Diverged {
    /// The number of the epoch, from one on.
    pub epoch: usize,
    /// The quantity that is not finite.
    pub quantity: Quantity,
    /// The highest learning rate of the configuration.
    pub learning_rate: f64,
}
