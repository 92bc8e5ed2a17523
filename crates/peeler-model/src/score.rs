//! The score of a test by the networks of a model, before calibration.

/// The score of one test by the networks of a model, before calibration.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Score {
    /// The probability that the test is flaky, before calibration.
    pub(crate) probability: f32,
    /// The index of each contextual path of the test with its share of attention; `None` if the paths were not read.
    pub(crate) attention: Option<Vec<(u32, f32)>>,
}

/// The probability for log-odds: `1 / (1 + exp(-logit))`.
pub(crate) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}
