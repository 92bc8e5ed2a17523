//! Pareto fronts of rerun thresholds, from labelled predictions and from predictions without labels.

use super::front::{Case, Point, front, knee, plain_rerun_cost};
use super::thresholds::Thresholds;

/// A test without a label is counted as this many copies, of which some are flaky: 20 of 100 for a probability of 0.2.
const COPIES: u32 = 100;

/// The Pareto front of rerun thresholds from labelled predictions, with the cost of rerunning every test.
#[derive(Debug, Clone, PartialEq)]
pub struct ValidationFront {
    points: Vec<Point>,
    full_cost: f64,
}

impl ValidationFront {
    /// The Pareto front of rerun thresholds for predictions, each given as a probability and whether the test is flaky.
    ///
    /// All tests count as having the same run time. The failure rates of flaky tests are spread evenly from 0 to 1.
    #[must_use]
    pub fn new(predictions: &[(f64, bool)], max_reruns: u32) -> Self {
        let mut rates = evenly_spread();
        let cases: Vec<Case> = predictions
            .iter()
            .map(|&(probability, flaky)| Case {
                probability,
                flaky,
                failure_rate: if flaky { rates.next().unwrap_or(0.5) } else { 0.0 },
                run_time: 1.0,
            })
            .collect();
        Self {
            points: front(&cases, max_reruns),
            full_cost: plain_rerun_cost(&cases, max_reruns),
        }
    }

    /// The pairs of rerun thresholds on the front, the cheapest first.
    #[must_use = "iterators are lazy"]
    pub fn thresholds(&self) -> impl DoubleEndedIterator<Item = Thresholds> {
        self.points.iter().map(|it| it.thresholds)
    }

    /// The rerun thresholds of the front's balanced point: the one nearest to a Matthews correlation of 1 at no cost,
    /// as [`knee`] finds it. [`Thresholds::default`] if the front is empty.
    #[must_use]
    pub fn balanced(&self) -> Thresholds {
        knee(&self.points, self.full_cost).map_or_else(Thresholds::default, |it| it.thresholds)
    }
}

/// A low-discrepancy sequence between 0 and 1: multiples of the golden ratio, so that neighbours are far apart.
fn evenly_spread() -> impl Iterator<Item = f64> {
    let mut value = 0.5_f64;
    std::iter::repeat_with(move || {
        value = (value + 0.618_033_988_749_894_9).fract();
        value
    })
}

/// A test without a label, with its probability, failure rate and run time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnlabelledCase {
    /// The model's probability that the test is flaky.
    pub probability: f64,
    /// The share of the test's runs that fail, if earlier runs showed it.
    pub failure_rate: Option<f64>,
    /// Seconds that one run of the test takes.
    pub run_time: f64,
}

/// The Pareto front of rerun thresholds for tests without labels. Probabilities are taken as exact: of 100 tests with
/// 0.2, 20 are flaky.
#[must_use]
pub fn unlabelled_front(tests: &[UnlabelledCase], max_reruns: u32) -> Vec<Point> {
    let mut cases = Vec::with_capacity(tests.len() * COPIES as usize);
    for test in tests {
        let flaky = flaky_copies(test.probability);
        let evenly = |copy: u32| (f64::from(copy) + 0.5) / f64::from(flaky.max(1));
        cases.extend((0..COPIES).map(|copy| Case {
            probability: test.probability,
            flaky: copy < flaky,
            failure_rate: test.failure_rate.unwrap_or_else(|| evenly(copy)),
            run_time: test.run_time / f64::from(COPIES),
        }));
    }
    front(&cases, max_reruns)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a probability lies between 0 and 1"
)]
fn flaky_copies(probability: f64) -> u32 {
    (probability.clamp(0.0, 1.0) * f64::from(COPIES)).round() as u32
}
