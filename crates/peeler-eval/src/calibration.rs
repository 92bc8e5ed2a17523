//! Probabilities that mean what they say.
//!
//! A predictor learns from far more flaky tests than the world has, so its raw outputs are far too high. The shift that
//! puts this right follows from the two shares alone; one temperature, with the least cross-entropy on
//! validation data, then takes back what is too certain. The shift is not fitted: the share of flaky tests in a
//! few held-out projects says little about the next project.

/// How logits become probabilities: `sigmoid((logit + shift) / temperature)`.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Calibration {
    /// This is added to logits,
    pub shift: f32,
    /// and they are divided by this.
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

/// Temperatures that are tried, evenly spaced in their logarithm.
const LOWEST: f64 = 0.5;
const HIGHEST: f64 = 8.0;
const TRIED: u32 = 60;

impl Calibration {
    /// The calibration of a predictor that was trained with a share of flaky tests, for data with another.
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

    /// The probability of a logit.
    #[must_use]
    pub fn probability(self, logit: f32) -> f32 {
        1.0 / (1.0 + (-(logit + self.shift) / self.temperature).exp())
    }
}

/// The logarithm of the odds of a probability, within bounds.
#[must_use]
pub fn logit(probability: f32) -> f32 {
    let bounded = probability.clamp(1e-6, 1.0 - 1e-6);
    (bounded / (1.0 - bounded)).ln()
}

#[cfg(test)]
mod tests {
    use super::Calibration;

    #[test]
    fn the_shares_of_flaky_tests_shift_and_the_rest_is_temperature() {
        // An outcome that is even in balanced data is as rare as flaky tests are.
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
}
