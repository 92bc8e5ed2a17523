//! The network: from the contextual paths of a test to the probability that it is flaky.
//!
//! Without the feature `training` there is only prediction on the CPU, which needs nothing of the Burn library.
#![cfg_attr(
    not(feature = "training"),
    allow(dead_code, reason = "training has parts that do not need the Burn library")
)]

mod backend;
mod batch;
mod checkpoint;
pub mod code2vec;
pub mod config;
mod config_error;
#[cfg(feature = "cuda")]
mod cuda;
#[cfg(feature = "training")]
mod cuts;
mod device;
mod divergence;
#[cfg(feature = "training")]
mod gradients;
mod inference;
mod kind_models;
mod learning_rate;
mod lexicon;
mod member;
mod model;
mod model_card;
#[cfg(feature = "training")]
mod network;
mod network_parameters;
mod normalisation;
mod origin;
mod pace;
#[cfg(feature = "training")]
mod parameters;
mod pause;
mod plain;
#[cfg(feature = "training")]
pub mod predictor;
mod prefix_tree;
mod pretrained;
mod random;
mod recurrence;
mod regression;
mod run_identity;
mod sampler;
mod score;
mod setting;
mod stage;
pub mod store;
#[cfg(all(test, feature = "training"))]
mod tests;
mod trainer_state;
#[cfg(feature = "training")]
mod training;
#[cfg(feature = "training")]
mod training_run;
mod vocabulary;
mod weights;

pub use backend::{Backend, BackendError};
pub use checkpoint::CheckpointError;
pub use config::{BodyReading, Config, ConfigError, Input};
pub use divergence::{Diverged, Quantity};
pub use kind_models::{Head, KindModels, KindPrediction, KindProbability};
pub use lexicon::Lexicon;
pub use member::Member;
pub use model::{Prediction, TrainedModel};
pub use pace::Pace;
pub use pause::Pause;
pub use peeler_learning::calibration::Calibration;
pub use pretrained::{Pretrained, PretrainedError};
pub use run_identity::RunDifference;
pub use setting::{Parts, Setting};
pub use stage::Stage;
pub use trainer_state::{EpochReport, StateError};
#[cfg(feature = "training")]
pub use training::Trainer;
#[cfg(feature = "training")]
pub use training_run::{TrainingError, TrainingRun};
pub use vocabulary::Vocabulary;
pub use weights::{Precision, WeightsError};
