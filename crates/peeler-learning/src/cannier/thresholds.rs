//! The two probabilities between which tests are rerun, as in the CANNIER paper, and the decision about one test.

use serde::Serialize;

/// The rerun threshold, in thousandths, up to which thresholds are tried in steps of 0.001. Above it the steps are
/// 0.01.
///
/// The CANNIER paper uses hundredths everywhere. If few tests are flaky, most calibrated probabilities are below 0.1,
/// so finer steps are needed there.
const FINE: u32 = 100;

/// The probability 1, in thousandths.
const CERTAIN: u32 = 1000;

/// The rerun thresholds that may be chosen, in thousandths: 0, 1, ... 100, 110, ... 1000.
pub(crate) fn steps() -> impl Iterator<Item = u32> {
    (0..FINE).chain((FINE..=CERTAIN).step_by(10))
}

/// The rerun threshold for a number of thousandths: 0.07 for 70.
pub(crate) fn threshold(thousandths: u32) -> f64 {
    f64::from(thousandths) / f64::from(CERTAIN)
}

/// The two probabilities between which tests are rerun to find out whether they are flaky.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Thresholds {
    /// The probability below which tests count as stable without a rerun.
    pub lower: f64,
    /// The probability from which on tests count as flaky without a rerun. With `None` no test does.
    ///
    /// A value below `lower` has the same effect as `lower`.
    pub upper: Option<f64>,
}

impl Default for Thresholds {
    /// The rerun thresholds of the balanced point of the CANNIER paper: no test counts as flaky without a rerun.
    fn default() -> Self {
        Self {
            lower: 0.07,
            upper: None,
        }
    }
}

/// What happens to a test by its probability: it counts as stable or flaky, or reruns decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// The probability is below the lower threshold: the test counts as stable.
    Stable,
    /// The probability is between the lower and the upper threshold: reruns decide.
    Unsure,
    /// The probability is at or above the upper threshold: the test counts as flaky.
    Flaky,
}

impl Thresholds {
    /// What happens to a test with this probability: it counts as stable or flaky, or is rerun. NaN counts as stable.
    #[must_use]
    pub fn decision(&self, probability: f64) -> Decision {
        if self.upper.is_some_and(|upper| probability >= upper.max(self.lower)) {
            Decision::Flaky
        } else if probability >= self.lower {
            Decision::Unsure
        } else {
            Decision::Stable
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probability_at_the_upper_threshold_is_flaky_and_at_the_lower_one_unsure() {
        let thresholds = Thresholds {
            lower: 0.2,
            upper: Some(0.8),
        };
        let decisions = [0.19, 0.2, 0.79, 0.8].map(|it| thresholds.decision(it));
        let expected = [Decision::Stable, Decision::Unsure, Decision::Unsure, Decision::Flaky];
        assert_eq!(decisions, expected);
    }

    #[test]
    fn without_an_upper_threshold_no_test_is_flaky() {
        assert_eq!(Thresholds::default().decision(1.0), Decision::Unsure);
        assert_eq!(Thresholds::default().decision(f64::NAN), Decision::Stable);
    }
}
