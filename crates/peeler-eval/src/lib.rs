//! Labelled corpora, splits, metrics and rivals: an evaluation that can be believed.
//!
//! ```text
//! labels + sources -> Corpus -> folds -> Predictor -> Model -> Prediction -> figures
//! ```
//!
//! [`labels`] reads label files, [`build`] finds the tests in sources and makes a [`corpus`], [`splits`]
//! divides it, [`rivals`] are predictors, [`evaluation`] compares them, [`plots`] draws the comparison.

pub mod build;
pub mod corpus;
pub mod evaluation;
pub mod labels;
pub mod plots;
mod records;
pub mod rivals;
pub mod splits;
