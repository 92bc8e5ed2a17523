//! The learning rate of a training step, by the schedule of the configuration.

use crate::config::{Config, Schedule};

/// The share of all training steps, at the start of training, in which the cosine schedule raises the learning rate.
const WARMUP: f64 = 0.05;

/// The learning rate of training step `step`, counted from the start of training. An epoch has `steps` steps.
pub(crate) fn learning_rate(config: &Config, step: usize, steps: usize) -> f64 {
    let highest = config.learning_rate;
    match config.schedule {
        Schedule::Steps => highest * 0.75_f64.powi(i32::try_from(step / steps / 3).unwrap_or(i32::MAX)),
        Schedule::Cosine => {
            #[allow(clippy::cast_precision_loss)]
            let progress = step as f64 / (steps * config.epochs) as f64;
            let rising = (progress / WARMUP).clamp(0.1, 1.0);
            highest * rising * (0.5 + 0.5 * (std::f64::consts::PI * progress).cos())
        }
    }
}
