//! The network: contextual paths to the probability of being flaky.

mod backend;
mod batch;
mod beginnings;
pub mod config;
pub mod course;
mod dataset;
mod drawing;
mod inference;
mod lexicon;
mod linear;
mod model;
mod network;
mod normalisation;
mod parameters;
mod plain;
pub mod predictor;
mod pretrained;
mod recurrence;
mod step;
pub mod store;
#[cfg(test)]
mod tests;
pub mod training;
mod vocabulary;
mod weights;

pub use backend::{Backend, BackendError};
pub use config::{BodyReading, Config, Input};
pub use lexicon::Lexicon;
pub use model::{Prediction, TrainedModel};
pub use peeler_learning::calibration::Calibration;
pub use pretrained::Pretrained;
pub use vocabulary::Vocabulary;
pub use weights::{Array, Numbers, Precision, Weights};
