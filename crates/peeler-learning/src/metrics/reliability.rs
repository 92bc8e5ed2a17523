//! Metrics of calibration: the deviation of scores from true probabilities.

use super::ratio::{ratio, real};

/// The mean distance, over tests, between the mean score of a test's bin and the share of flaky tests in it.
///
/// Scores that are true probabilities have an error near 0. See [`calibration`] for the bins.
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

/// A bin of tests with similar scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CalibrationBin {
    /// The number of tests in the bin.
    pub tests: u64,
    /// The mean score of the tests in the bin.
    pub mean_score: f64,
    /// The share of flaky tests in the bin.
    pub flaky_share: f64,
}

/// The bins that hold at least one test, from low to high scores.
///
/// `bins` of equal width divide the range from 0 to 1. Scores outside count to the outermost bin, NaN counts as 0.
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
