//! Counts of predictions at a threshold, by label.

use serde::{Deserialize, Serialize};

use super::ratio::{ratio, real};

/// The numbers of flaky and stable tests that were classified as flaky and as stable.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confusion {
    /// The number of flaky tests classified as flaky.
    pub true_positives: u64,
    /// The number of stable tests classified as flaky.
    pub false_positives: u64,
    /// The number of flaky tests classified as stable.
    pub false_negatives: u64,
    /// The number of stable tests classified as stable.
    pub true_negatives: u64,
}

impl Confusion {
    /// The share of flaky tests among those classified as flaky.
    #[must_use]
    pub fn precision(&self) -> f64 {
        ratio(self.true_positives, self.true_positives + self.false_positives)
    }

    /// The share of flaky tests that were classified as flaky.
    #[must_use]
    pub fn recall(&self) -> f64 {
        ratio(self.true_positives, self.true_positives + self.false_negatives)
    }

    /// The harmonic mean of precision and recall.
    #[must_use]
    pub fn f1(&self) -> f64 {
        // F1 is computed from counts and not from precision and recall, so that equal values are equal bit for bit.
        let found = 2 * self.true_positives;
        ratio(found, found + self.false_positives + self.false_negatives)
    }

    /// Matthews' correlation coefficient, from -1 to 1; 0 if it is undefined.
    #[must_use]
    pub fn mcc(&self) -> f64 {
        let [true_positives, false_positives, false_negatives, true_negatives] = [
            self.true_positives,
            self.false_positives,
            self.false_negatives,
            self.true_negatives,
        ]
        .map(real);
        let margins = (true_positives + false_positives)
            * (true_positives + false_negatives)
            * (true_negatives + false_positives)
            * (true_negatives + false_negatives);
        if margins > 0.0 {
            (true_positives * true_negatives - false_positives * false_negatives) / margins.sqrt()
        } else {
            0.0
        }
    }
}

/// Counts predictions by label. A test is classified as flaky if its score is `threshold` or more.
///
/// # Panics
///
/// If scores and labels differ in number.
#[must_use]
pub fn confusion(scores: &[f32], labels: &[bool], threshold: f32) -> Confusion {
    assert_eq!(scores.len(), labels.len(), "every score has one label");
    let mut counts = Confusion::default();
    for (&score, &flaky) in scores.iter().zip(labels) {
        let count = match (score >= threshold, flaky) {
            (true, true) => &mut counts.true_positives,
            (true, false) => &mut counts.false_positives,
            (false, true) => &mut counts.false_negatives,
            (false, false) => &mut counts.true_negatives,
        };
        *count += 1;
    }
    counts
}
