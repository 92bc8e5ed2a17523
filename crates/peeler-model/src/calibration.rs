//! Probabilities that mean what they say: one temperature and one shift, chosen on validation data.
//!
//! Batches are balanced and the world is not, so raw outputs are far too high. Platt's two numbers bring
//! them back: `sigmoid(logit / temperature + shift)` with the least cross-entropy on validation data.

/// How logits become probabilities.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Calibration {
    /// Logits are divided by this,
    pub temperature: f32,
    /// and this is added.
    pub shift: f32,
}

impl Default for Calibration {
    fn default() -> Self {
        Self {
            temperature: 1.0,
            shift: 0.0,
        }
    }
}

/// Newton steps that are enough for two numbers.
const STEPS: usize = 50;
/// Keeps the slope away from certainty where a few tests are told apart without fault.
const RIDGE: f64 = 1e-2;
const LEAST_SLOPE: f64 = 0.05;

impl Calibration {
    /// The calibration with the least cross-entropy.
    #[must_use]
    pub fn fit(logits: &[f32], labels: &[bool]) -> Self {
        if !labels.contains(&true) || !labels.contains(&false) {
            return Self::default();
        }
        let (mut slope, mut shift) = (1.0_f64, 0.0_f64);
        for _ in 0..STEPS {
            let (mut by_slope, mut by_shift) = (RIDGE * (slope - 1.0), 0.0);
            let (mut slope_slope, mut slope_shift, mut shift_shift) = (RIDGE, 0.0, 1e-9);
            for (logit, label) in logits.iter().zip(labels) {
                let x = f64::from(*logit);
                let p = 1.0 / (1.0 + (-(slope * x + shift)).exp());
                let error = p - f64::from(u8::from(*label));
                by_slope += error * x;
                by_shift += error;
                let weight = p * (1.0 - p);
                slope_slope += weight * x * x;
                slope_shift += weight * x;
                shift_shift += weight;
            }
            let determinant = slope_slope * shift_shift - slope_shift * slope_shift;
            if determinant.abs() < 1e-12 {
                break;
            }
            let slope_step = (shift_shift * by_slope - slope_shift * by_shift) / determinant;
            let shift_step = (slope_slope * by_shift - slope_shift * by_slope) / determinant;
            slope = (slope - slope_step.clamp(-0.5, 0.5)).max(LEAST_SLOPE);
            shift -= shift_step.clamp(-1.0, 1.0);
        }
        #[allow(clippy::cast_possible_truncation)]
        let calibration = Self {
            temperature: (1.0 / slope) as f32,
            shift: shift as f32,
        };
        calibration
    }

    /// The probability of a logit.
    #[must_use]
    pub fn probability(self, logit: f32) -> f32 {
        1.0 / (1.0 + (-(logit / self.temperature + self.shift)).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::Calibration;

    #[test]
    fn overconfident_logits_are_brought_back_to_the_rate_of_flaky_tests() {
        // Of tests with logit 4 half are flaky, of those with -4 none.
        let logits: Vec<f32> = (0..200).map(|at| if at < 40 { 4.0 } else { -4.0 }).collect();
        let labels: Vec<bool> = (0..200).map(|at| at < 20).collect();
        let calibration = Calibration::fit(&logits, &labels);
        assert!((calibration.probability(4.0) - 0.5).abs() < 0.05, "{calibration:?}");
        assert!(calibration.probability(-4.0) < 0.05, "{calibration:?}");
    }

    #[test]
    fn without_both_kinds_nothing_is_changed() {
        assert_eq!(Calibration::fit(&[1.0, 2.0], &[true, true]), Calibration::default());
    }
}
