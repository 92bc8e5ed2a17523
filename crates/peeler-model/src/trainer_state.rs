//! The state of a training between two epochs, from which it can continue.

use std::time::Duration;

use serde::Serialize;

use crate::backend::BackendError;
use crate::weights::{Weights, WeightsError};

/// The results of a training epoch.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EpochReport {
    /// The number of the epoch, from one on.
    pub epoch: usize,
    /// The mean loss over the training steps of the epoch.
    pub loss: f64,
    /// Average precision on validation data after the epoch; `None` without validation data.
    pub validation: Option<f64>,
    /// The time that training and validation of the epoch took.
    #[serde(skip)]
    pub took: Duration,
}

/// The state of a training between two epochs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TrainerState {
    /// The results of all epochs that the training has finished.
    pub(crate) history: Vec<EpochReport>,
    /// The arrays of the network after the last epoch.
    pub(crate) network: Weights,
    /// The arrays of the network after the best epoch; `None` before the first epoch.
    pub(crate) best: Option<Weights>,
    /// The arrays of the regression, if the configuration asks for one.
    pub(crate) regression: Option<Weights>,
    /// The state of the optimiser, as Burn writes it.
    pub(crate) optimiser: Vec<u8>,
}

/// The reason why a training cannot continue from a state.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The backend that training needs is not available.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The stored arrays do not fit the configuration and the tests.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// Burn cannot read the state of the optimiser.
    #[error("the state of the optimiser cannot be read: {0}")]
    Optimiser(String),
}
