//! The error of a training run whose numbers became infinite or NaN.

use std::fmt;

/// The kind of number that became infinite or NaN in training.
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
    /// The number of the epoch that diverged, from one on.
    pub epoch: usize,
    /// The kind of number that is infinite or NaN.
    pub quantity: Quantity,
    /// The highest learning rate of the configuration. The message asks the user for a lower one.
    pub learning_rate: f64,
}
