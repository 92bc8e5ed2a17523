//! Confidence intervals by resampling.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::ratio::ratio;

/// A confidence interval of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The lower end of the confidence interval.
    pub low: f64,
    /// The upper end of the confidence interval.
    pub high: f64,
}

/// The 95% confidence interval of a statistic over `units`, such as projects, by the percentile bootstrap.
///
/// Each resample draws as many indices as there are units, with replacement, and passes them to `statistic`.
/// The statistic must not return NaN. The same seed gives the same interval on any number of threads.
/// Without units or resamples both ends are the statistic of all units.
#[must_use]
pub fn bootstrap_interval(
    units: usize,
    resamples: usize,
    seed: u64,
    statistic: impl Fn(&[usize]) -> f64 + Sync,
) -> Interval {
    bootstrap_interval_of(950, units, resamples, seed, statistic)
}

/// A confidence interval as [`bootstrap_interval`] computes it, with a confidence in thousandths: 900 for 90%.
#[must_use]
pub fn bootstrap_interval_of(
    confidence: usize,
    units: usize,
    resamples: usize,
    seed: u64,
    statistic: impl Fn(&[usize]) -> f64 + Sync,
) -> Interval {
    if units == 0 || resamples == 0 {
        let value = statistic(&(0..units).collect::<Vec<_>>());
        return Interval {
            low: value,
            high: value,
        };
    }
    let mut values: Vec<f64> = (0..resamples)
        .into_par_iter()
        .map(|resample| {
            // Each resample has its own random stream, so it does not depend on the thread that draws it.
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            random.set_stream(resample as u64);
            let drawn: Vec<usize> = (0..units).map(|_| random.random_range(0..units)).collect();
            statistic(&drawn)
        })
        .collect();
    values.sort_by(f64::total_cmp);
    let outside = (1000 - confidence) / 2;
    Interval {
        low: quantile(&values, outside),
        high: quantile(&values, 1000 - outside),
    }
}

/// The quantile of ascending values at a number of thousandths, interpolated between neighbours like the default of
/// numpy.
pub(super) fn quantile(values: &[f64], thousandths: usize) -> f64 {
    let position = (values.len() - 1) * thousandths;
    let index = position / 1000;
    let above = values[(index + 1).min(values.len() - 1)];
    values[index] + (above - values[index]) * ratio((position % 1000) as u64, 1000)
}
