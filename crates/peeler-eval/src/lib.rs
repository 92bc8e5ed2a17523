//! Labelled corpora, splits, metrics and rivals: an evaluation that can be believed.
//!
//! ```text
//! labels + sources -> Corpus -> folds -> Predictor -> Model -> Prediction -> figures
//! ```
//!
//! [`labels`] reads label files, [`build`] finds the tests in sources and makes a [`corpus`], [`splits`]
//! divides it, [`rivals`] are predictors, [`evaluation`] judges them with [`metrics`]. What a predictor may
//! see is in [`sample`]: never a label of the test side. [`regression`] is a linear learner,
//! [`calibration`] makes probabilities of scores. [`cannier`] is the arithmetic of rerunning what a predictor is not sure of, [`track_record`] what it said of held-out tests. [`texts`] holds many
//! short texts and numbers them.

pub mod build;
pub mod calibration;
pub mod cannier;
pub mod corpus;
pub mod evaluation;
pub mod labels;
pub mod metrics;
pub mod plots;
pub mod regression;
pub mod rivals;
pub mod sample;
pub mod splits;
pub mod texts;
pub mod track_record;
pub mod words;
