//! The network: contextual paths to the probability of being flaky.

mod backend;
mod batch;
pub mod config;
mod dataset;
mod glances;
mod gradients;
mod inference;
mod lexicon;
mod model;
mod network;
mod normalisation;
mod parameters;
mod plain;
pub mod predictor;
mod prefix_tree;
mod pretrained;
mod recurrence;
mod regression;
mod sampler;
pub mod store;
#[cfg(test)]
mod tests;
pub mod training;
pub mod training_run;
mod vocabulary;
mod weights;

pub use backend::{Backend, BackendError};
pub use config::{BodyReading, Config, Input};
pub use dataset::{Dataset, Reading, Sharing};
pub use lexicon::Lexicon;
pub use model::{TrainedModel, Verdict};
pub use peeler_learning::calibration::Calibration;
pub use pretrained::Pretrained;
pub use vocabulary::Vocabulary;
pub use weights::{Array, Numbers, Precision, Weights};
