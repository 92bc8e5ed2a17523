//! The state of one network's training between two epochs, from which it can continue.

use serde::Serialize;

use crate::backend::BackendError;
use crate::pace::Pace;
use crate::weights::{Weights, WeightsError};

/// The results of one epoch of training a network.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EpochReport {
    /// The number of the epoch, from one on.
    pub epoch: usize,
    /// The mean loss over the training steps of the epoch.
    pub loss: f64,
    /// The validation score after the epoch: average precision, over all validation tests or as a mean over projects.
    ///
    /// `None` without validation tests.
    pub validation: Option<f64>,
    /// How fast the epoch was trained. All zero for an epoch of a stored training.
    #[serde(skip)]
    pub pace: Pace,
}

/// The state of one network's training between two epochs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TrainerState {
    /// The results of all epochs that the training has finished.
    pub(crate) history: Vec<EpochReport>,
    /// The parameter arrays of the network after the last finished epoch.
    pub(crate) network: Weights,
    /// The parameter arrays of the network after the epoch with the highest validation score.
    ///
    /// Without validation tests they are those after the last epoch. `None` before the first epoch.
    pub(crate) best: Option<Weights>,
    /// The arrays of the logistic regression that is averaged with the network, if the configuration asks for one.
    pub(crate) regression: Option<Weights>,
    /// The state of the optimiser, as the learner of the backend writes it.
    pub(crate) optimiser: Vec<u8>,
}

/// The reason why the training of a network cannot continue from a stored state.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The backend that training needs is not available.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The stored arrays of the network do not fit the configuration and the tests.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// The stored state of the optimiser cannot be read; the text is the error.
    #[error("the state of the optimiser cannot be read: {0}")]
    Optimiser(String),
}
