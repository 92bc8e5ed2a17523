//! Calibration: the conversion of raw scores to probabilities.
//!
//! A predictor is trained with a much larger share of flaky tests than real projects have, so its raw scores are too
//! high. A shift of the logits corrects this; it follows from the two shares alone. A temperature, chosen for the least
//! cross-entropy on validation data, then corrects scores that are too certain. The shift is not fitted, because the
//! share of flaky tests in a few held-out projects does not predict that of other projects.

/// A conversion of logits to probabilities: `sigmoid((logit + shift) / temperature)`.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Calibration {
    /// The number that is added to logits, because training data have another share of flaky tests than real projects.
    pub shift: f32,
    /// The number by which logits are divided after `shift` was added, to correct scores that are too certain.
    pub temperature: f32,
}

impl Default for Calibration {
    fn default() -> Self {
        Self {
            shift: 0.0,
            temperature: 1.0,
        }
    }
}

/// The lowest temperature that a fit of the calibration tries. Temperatures are evenly spaced in their logarithm.
const LOWEST: f64 = 0.5;
/// The highest temperature that a fit of the calibration tries.
const HIGHEST: f64 = 8.0;
/// The number of steps between the lowest and the highest temperature that a fit of the calibration tries.
const TRIED: u32 = 60;

impl Calibration {
    /// Fits a calibration for a predictor that was trained with the share `trained_share` of flaky tests, for data with
    /// the share `real_share`.
    #[must_use]
    pub fn fit(logits: &[f32], labels: &[bool], trained_share: f64, real_share: f64) -> Self {
        let odds = |share: f64| {
            let bounded = share.clamp(1e-6, 1.0 - 1e-6);
            (bounded / (1.0 - bounded)).ln()
        };
        let shift = odds(real_share) - odds(trained_share);
        let entropy = |temperature: f64| -> f64 {
            let tests = logits.iter().zip(labels);
            tests
                .map(|(logit, flaky)| {
                    let x = (f64::from(*logit) + shift) / temperature;
                    // ln(1 + e^x) without overflow.
                    let certain = x.max(0.0) + (-x.abs()).exp().ln_1p();
                    certain - if *flaky { x } else { 0.0 }
                })
                .sum()
        };
        let tried = (0..=TRIED).map(|at| LOWEST * (HIGHEST / LOWEST).powf(f64::from(at) / f64::from(TRIED)));
        let has_both = labels.contains(&true) && labels.contains(&false);
        let best = tried.min_by(|a, b| entropy(*a).total_cmp(&entropy(*b)));
        #[allow(clippy::cast_possible_truncation)]
        let calibration = Self {
            shift: shift as f32,
            temperature: best.filter(|_| has_both).unwrap_or(1.0) as f32,
        };
        calibration
    }

    /// The calibrated probability that a test is flaky, for the logit of a predictor.
    #[must_use]
    pub fn probability(self, logit: f32) -> f32 {
        1.0 / (1.0 + (-(logit + self.shift) / self.temperature).exp())
    }
}

/// A rising curve from a probability to the share of flaky tests among held-out tests of about that probability.
///
/// Between its points the curve is linear. With too few held-out tests it is empty and changes no probability.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Curve {
    /// Points of the curve: pairs of a mean probability and a share of flaky tests; both rise strictly.
    points: Vec<(f32, f32)>,
}

/// The minimum number of held-out tests for a point of a calibration curve.
const LEAST_TESTS: usize = 30;
/// The minimum number of flaky held-out tests for a point of a calibration curve.
const LEAST_FLAKY: usize = 5;
/// The minimum total number of flaky held-out tests for a calibration curve.
const LEAST_FLAKY_IN_ALL: usize = 100;

/// Counts of held-out tests with neighbouring probabilities, and the sum of these probabilities. A calibration curve
/// gets one point from each block.
#[derive(Debug, Clone, Copy)]
struct Block {
    tests: usize,
    flaky: usize,
    sum: f64,
}

impl Block {
    fn with(self, other: Self) -> Self {
        Self {
            tests: self.tests + other.tests,
            flaky: self.flaky + other.flaky,
            sum: self.sum + other.sum,
        }
    }

    fn is_large(self) -> bool {
        self.tests >= LEAST_TESTS && self.flaky >= LEAST_FLAKY
    }

    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)]
    fn point(self) -> (f32, f32) {
        let tests = self.tests as f64;
        ((self.sum / tests) as f32, (self.flaky as f64 / tests) as f32)
    }
}

impl Curve {
    /// Fits a calibration curve to held-out tests by isotonic regression: neighbours are pooled until shares of flaky
    /// tests rise. With few flaky tests it is the identity.
    #[must_use]
    pub fn fit(probabilities: &[f32], labels: &[bool]) -> Self {
        let flaky = labels.iter().filter(|it| **it).count();
        if flaky < LEAST_FLAKY_IN_ALL {
            return Self::default();
        }
        let mut tests: Vec<(f32, bool)> = probabilities.iter().copied().zip(labels.iter().copied()).collect();
        tests.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut blocks: Vec<Block> = Vec::new();
        for (probability, is_flaky) in tests {
            let mut block = Block {
                tests: 1,
                flaky: usize::from(is_flaky),
                sum: f64::from(probability),
            };
            while let Some(last) = blocks.last()
                && (!last.is_large() || block.point().1 <= last.point().1)
            {
                block = block.with(*last);
                blocks.pop();
            }
            blocks.push(block);
        }
        // The last block may be too small.
        while let [.., before, last] = blocks[..]
            && (!last.is_large() || last.point().1 <= before.point().1)
        {
            blocks.truncate(blocks.len() - 2);
            blocks.push(before.with(last));
        }
        Self {
            points: blocks.into_iter().map(Block::point).collect(),
        }
    }

    /// The share of flaky tests that the curve gives for a probability. The curve rises strictly, also beyond its last
    /// point.
    #[must_use]
    pub fn at(&self, probability: f32) -> f32 {
        let Some(&(last, highest)) = self.points.last() else {
            return probability;
        };
        // Nothing is known beyond the last point, so the share rises by a tenth at most.
        let end = (1.0_f32.max(last), f32::midpoint(highest, 1.0).min(1.1 * highest));
        let place = self.points.partition_point(|(at, _)| *at <= probability);
        let from = place.checked_sub(1).map_or((0.0, 0.0), |at| self.points[at]);
        let to = self.points.get(place).copied().unwrap_or(end);
        let way = (probability - from.0) / (to.0 - from.0).max(f32::EPSILON);
        from.1 + way * (to.1 - from.1)
    }
}

/// The log-odds of a probability, which is first limited to the range from 1e-6 to 1 - 1e-6.
#[must_use]
pub fn logit(probability: f32) -> f32 {
    let bounded = probability.clamp(1e-6, 1.0 - 1e-6);
    (bounded / (1.0 - bounded)).ln()
}

#[cfg(test)]
mod tests {
    use super::{Calibration, Curve};

    #[test]
    fn beyond_its_last_point_a_curve_promises_no_more_than_its_data() {
        // Of the tests around 0.28 one in ten is flaky.
        let disappointing = Curve {
            points: vec![(0.05, 0.08), (0.28, 0.10)],
        };
        assert!(disappointing.at(1.0) > disappointing.at(0.5) && disappointing.at(0.5) > 0.10);
        assert!(disappointing.at(1.0) < 0.12);
        let good = Curve {
            points: vec![(0.4, 0.9)],
        };
        assert!((good.at(1.0) - 0.95).abs() < 1e-6);
    }

    #[test]
    fn the_shares_of_flaky_tests_shift_and_the_rest_is_temperature() {
        // A score that is even in balanced training data becomes the real share of flaky tests.
        let calibration = Calibration::fit(&[0.0, 0.0], &[false, false], 0.5, 0.1);
        assert!((calibration.probability(0.0) - 0.1).abs() < 1e-4, "{calibration:?}");
        assert!((calibration.temperature - 1.0).abs() < f32::EPSILON);
    }

    #[test]
    fn certainty_that_is_often_wrong_is_taken_back() {
        // Of tests with logit 6 only two in three are flaky, of those with -6 one in three.
        let logits: Vec<f32> = (0..300).map(|at| if at < 150 { 6.0 } else { -6.0 }).collect();
        let labels: Vec<bool> = (0..300)
            .map(|at| if at < 150 { at % 3 > 0 } else { at % 3 == 0 })
            .collect();
        let calibration = Calibration::fit(&logits, &labels, 0.5, 0.5);
        assert!((calibration.probability(6.0) - 0.667).abs() < 0.05, "{calibration:?}");
    }

    #[test]
    fn a_curve_says_what_probabilities_were_worth_and_keeps_their_order() {
        // Of tests with probability 0.1 one in twenty is flaky, with 0.2 one in two, with 0.3 four in five.
        let said = |at: usize| [0.1, 0.2, 0.3][at % 3];
        let is_flaky = |at: usize| {
            let number = at / 3;
            [
                number.is_multiple_of(20),
                number.is_multiple_of(2),
                !number.is_multiple_of(5),
            ][at % 3]
        };
        let (probabilities, labels): (Vec<f32>, Vec<bool>) = (0..3_000).map(|at| (said(at), is_flaky(at))).unzip();
        let curve = Curve::fit(&probabilities, &labels);
        for (probability, worth) in [(0.1, 0.05), (0.2, 0.5), (0.3, 0.8)] {
            let found = curve.at(probability);
            assert!((found - worth).abs() < 0.03, "{probability}: {found}, {curve:?}");
        }
        let along: Vec<f32> = (0_u16..=1_000).map(|at| curve.at(f32::from(at) / 1_000.0)).collect();
        assert!(along.is_sorted_by(|a, b| a < b), "{curve:?}");
        assert!(along[0].abs() < f32::EPSILON && along[1_000] < 1.0);
        assert!(serde_json::to_string(&curve).is_ok_and(|it| it.starts_with("[[")));
    }

    #[test]
    fn too_few_flaky_tests_make_no_curve() {
        let labels: Vec<bool> = (0..2_000).map(|at| at % 40 == 0).collect();
        let curve = Curve::fit(&vec![0.3; labels.len()], &labels);
        assert_eq!(curve, Curve::default());
        assert!((curve.at(0.3) - 0.3).abs() < f32::EPSILON);
    }
}
