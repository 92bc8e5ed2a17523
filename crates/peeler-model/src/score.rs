//! The result of scoring a test, before calibration.

/// The combined result of the networks of a model for one test, before calibration.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Score {
    /// The probability that the test is flaky, before calibration.
    pub(crate) probability: f32,
    /// The number of each path of the test with its attention; `None` if the paths were not read.
    pub(crate) attention: Option<Vec<(u32, f32)>>,
}

/// The probability that belongs to log-odds: `1 / (1 + exp(-x))`.
pub(crate) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}
