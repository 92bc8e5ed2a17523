//! The state of a training between two epochs, from which it can continue.

use std::time::Duration;

use serde::Serialize;

use crate::backend::BackendError;
use crate::weights::{Weights, WeightsError};

/// The results of an epoch.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EpochReport {
    /// The number of the epoch, from one on.
    pub epoch: usize,
    /// The mean loss over the steps.
    pub loss: f64,
    /// Average precision on validation data; `None` without validation data.
    pub validation: Option<f64>,
    /// The time that training and validation took.
    #[serde(skip)]
    pub took: Duration,
}

/// The state of a training between two epochs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TrainerState {
    /// The results of all epochs so far.
    pub(crate) history: Vec<EpochReport>,
    /// The network after the last epoch.
    pub(crate) network: Weights,
    /// The network after the best epoch; `None` before the first epoch.
    pub(crate) best: Option<Weights>,
    /// The arrays of the regression, if the configuration asks for one.
    pub(crate) regression: Option<Weights>,
    /// The state of the optimiser, as Burn writes it.
    pub(crate) optimiser: Vec<u8>,
}

/// The reason why a training cannot continue from a state.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The backend is not available.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The arrays do not fit the configuration and the tests.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// Burn cannot read the state of the optimiser.
    #[error("the state of the optimiser cannot be read: {0}")]
    Optimiser(String),
}
