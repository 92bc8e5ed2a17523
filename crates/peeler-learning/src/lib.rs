//! Parts of machine learning that the network and its rivals (methods of the literature) share.
//!
//! | module | content |
//! |---|---|
//! | [`predictor`] | the interface of predictors: training data in, model out |
//! | [`regression`] | logistic regression on sparse features |
//! | [`calibration`] | the conversion of scores to probabilities |
//! | [`metrics`] | figures that compare scores with labels |
//! | [`project_record`] | what a model's ranking was worth on held-out projects |
//! | [`track_record`] | predictions of a model for held-out tests, counted by probability |
//! | [`cannier`] | thresholds between which tests are rerun, and their expected cost |

pub mod atomic_file;
pub mod calibration;
pub mod cannier;
pub mod metrics;
pub mod predictor;
pub mod project_record;
pub mod regression;
pub mod track_record;
