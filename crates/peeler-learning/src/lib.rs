//! What every learner needs, whatever it learns with.
//!
//! [`predictor`] says what a learner is given and gives back, [`regression`] is a linear one, [`calibration`] turns
//! scores into probabilities, [`metrics`] compares scores with labels, [`track_record`] keeps what a model said of
//! held-out tests, [`cannier`] computes what rerunning the uncertain tests costs.

pub mod calibration;
pub mod cannier;
pub mod metrics;
pub mod predictor;
pub mod regression;
pub mod track_record;
