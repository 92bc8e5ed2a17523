//! Metrics of calibration: how far predicted probabilities are from the observed shares of flaky tests.

use super::ratio::{ratio, real};

/// The expected calibration error: how far mean scores are from the observed shares of flaky tests.
///
/// Tests are grouped by score as in [`calibration`]. The error is the mean over all tests of the distance between mean
/// score and share of flaky tests in the group. Scores that are true probabilities have an error near 0.
///
/// # Panics
///
/// If `bins` is 0, or scores and labels differ in number.
#[must_use]
pub fn expected_calibration_error(scores: &[f32], labels: &[bool], bins: usize) -> f64 {
    let distances: f64 = calibration(scores, labels, bins)
        .iter()
        .map(|bin| real(bin.tests) * (bin.flaky_share - bin.mean_score).abs())
        .sum();
    if scores.is_empty() {
        0.0
    } else {
        distances / real(scores.len() as u64)
    }
}

/// Statistics of the tests whose scores lie in one interval, such as from 0.1 to 0.2.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CalibrationBin {
    /// The number of tests whose score lies in the interval of this bin.
    pub tests: u64,
    /// The mean score of the tests whose score lies in the interval of this bin.
    pub mean_score: f64,
    /// The share of flaky tests among those whose score lies in the interval of this bin.
    pub flaky_share: f64,
}

/// Statistics of tests grouped into intervals of scores, from low to high; intervals without a test are left out.
///
/// `bins` intervals of equal width divide the range from 0 to 1. Scores outside count to the outermost interval, NaN
/// counts as 0.
///
/// # Panics
///
/// If `bins` is 0, or scores and labels differ in number.
#[must_use]
pub fn calibration(scores: &[f32], labels: &[bool], bins: usize) -> Vec<CalibrationBin> {
    assert!(bins > 0, "calibration needs at least one bin");
    assert_eq!(scores.len(), labels.len(), "every score has one label");
    // Each bin has the number of tests, the sum of scores and the number of flaky tests.
    let mut sums = vec![(0_u64, 0.0_f64, 0_u64); bins];
    for (&score, &flaky) in scores.iter().zip(labels) {
        let score = if score.is_nan() { 0.0 } else { score };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clamped to the bins"
        )]
        let bin = (f64::from(score) * real(bins as u64)).clamp(0.0, real(bins as u64 - 1)) as usize;
        let (tests, sum, found) = &mut sums[bin];
        *tests += 1;
        *sum += f64::from(score);
        *found += u64::from(flaky);
    }
    sums.into_iter()
        .filter(|&(tests, _, _)| tests > 0)
        .map(|(tests, sum, flaky)| CalibrationBin {
            tests,
            mean_score: sum / real(tests),
            flaky_share: ratio(flaky, tests),
        })
        .collect()
}
