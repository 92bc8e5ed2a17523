//! The cost and quality of pairs of thresholds between which tests are rerun, and the Pareto front of these pairs.

use serde::Serialize;

use super::reruns::expected_reruns;
use super::thresholds::{Decision, Thresholds, steps, threshold};
use crate::metrics::Confusion;

/// A validation test with a known label, from which the cost and quality of rerun thresholds are computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Case {
    /// The model's probability that the test is flaky. NaN lies below every threshold.
    pub probability: f64,
    /// Whether the test is flaky.
    pub flaky: bool,
    /// The share of the test's runs that fail, between 0 and 1; read for flaky tests only.
    pub failure_rate: f64,
    /// Seconds that one run of the test takes, finite and not negative.
    pub run_time: f64,
}

/// A pair of rerun thresholds, with the cost of its reruns and the numbers of tests that it labels rightly and wrongly.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Point {
    /// The pair of thresholds between which tests are rerun.
    #[serde(flatten)]
    pub thresholds: Thresholds,
    /// The expected time in seconds of rerunning all tests whose probability lies between the two thresholds.
    pub cost: f64,
    /// The expected number of reruns of all tests whose probability lies between the two thresholds.
    pub reruns: f64,
    /// Matthews correlation of the true labels and those that the thresholds and reruns assign; 0 if it is undefined.
    pub mcc: f64,
    /// The number of flaky tests that the thresholds or the reruns label flaky.
    pub true_positives: u32,
    /// The number of stable tests that the thresholds or the reruns label flaky.
    pub false_positives: u32,
    /// The number of flaky tests that the thresholds or the reruns label stable.
    pub false_negatives: u32,
    /// The number of stable tests that the thresholds or the reruns label stable.
    pub true_negatives: u32,
}

/// The expected seconds of rerunning every test at most `max_reruns` times, without a model.
#[must_use]
pub fn plain_rerun_cost(cases: &[Case], max_reruns: u32) -> f64 {
    // A fold from 0, because the sum of no floats is -0.
    cases
        .iter()
        .fold(0.0, |cost, case| cost + Tally::of(case, max_reruns).cost)
}

/// The cost of the reruns for one pair of rerun thresholds, and the numbers of tests that it labels rightly and
/// wrongly.
#[must_use]
pub fn evaluate(cases: &[Case], thresholds: Thresholds, max_reruns: u32) -> Point {
    let mut regions = Regions::default();
    for case in cases {
        let region = match thresholds.decision(case.probability) {
            Decision::Stable => &mut regions.below,
            Decision::Unsure => &mut regions.between,
            Decision::Flaky => &mut regions.above,
        };
        *region = region.and(Tally::of(case, max_reruns));
    }
    Point::new(thresholds, regions)
}

/// The Pareto front of rerun thresholds: no other pair has a higher Matthews correlation at the same or a lower cost.
///
/// The cheapest pair comes first, and each point has a higher Matthews correlation than all before it. Thresholds are
/// hundredths, and thousandths below 0.1. Of pairs with equal cost and correlation, the one with the narrowest region
/// between its thresholds is chosen, then the one with the lowest thresholds. Without cases the front is empty.
#[must_use]
pub fn front(cases: &[Case], max_reruns: u32) -> Vec<Point> {
    if cases.is_empty() {
        return Vec::new();
    }
    let mut candidates = grid(cases, max_reruns);
    // The sort is stable and the grid is in the order of its lower thresholds.
    candidates.sort_by(|(width, point), (other_width, other)| {
        point
            .cost
            .total_cmp(&other.cost)
            .then(other.mcc.total_cmp(&point.mcc))
            .then(width.cmp(other_width))
    });
    let mut front: Vec<Point> = Vec::new();
    for (_, point) in candidates {
        if front.last().is_none_or(|best| point.mcc > best.mcc) {
            front.push(point);
        }
    }
    front
}

/// The balanced point of a front of rerun thresholds: the one nearest to a Matthews correlation of 1 at no cost.
///
/// `full_cost` is the [`plain_rerun_cost`] and counts as a cost of 1. Of two equally near points the cheaper one wins.
/// `None` if the front is empty.
#[must_use]
pub fn knee(front: &[Point], full_cost: f64) -> Option<&Point> {
    let distance = |point: &Point| {
        let relative_cost = if full_cost > 0.0 { point.cost / full_cost } else { 0.0 };
        (1.0 - point.mcc).hypot(relative_cost)
    };
    front.iter().min_by(|point, other| {
        distance(point)
            .total_cmp(&distance(other))
            .then(point.cost.total_cmp(&other.cost))
    })
}

/// Of the points on a front of rerun thresholds that cost at most `budget` seconds, the one with the highest Matthews
/// correlation. `None` if every point costs more.
#[must_use]
pub fn within_budget(front: &[Point], budget: f64) -> Option<&Point> {
    front
        .iter()
        .filter(|point| point.cost <= budget)
        .max_by(|point, other| point.mcc.total_cmp(&other.mcc).then(other.cost.total_cmp(&point.cost)))
}

/// The width of the region between two rerun thresholds, in thousandths. A missing upper threshold counts as 1010.
fn width(lower: u32, upper: Option<u32>) -> u32 {
    const BEYOND_EVERY_PROBABILITY: u32 = 1010;
    upper.unwrap_or(BEYOND_EVERY_PROBABILITY) - lower
}

/// Every pair of rerun thresholds as a [`Point`], with the width of the region between the two thresholds.
///
/// The tests between each two neighbouring thresholds are counted once. The counts of a pair are sums of these counts.
fn grid(cases: &[Case], max_reruns: u32) -> Vec<(u32, Point)> {
    let steps: Vec<u32> = steps().collect();
    let thresholds: Vec<f64> = steps.iter().map(|it| threshold(*it)).collect();
    // gaps[i] holds the cases from thresholds[i - 1] on that lie below thresholds[i].
    let mut gaps = vec![Tally::default(); thresholds.len() + 1];
    for case in cases {
        let gap = thresholds.partition_point(|&threshold| case.probability >= threshold);
        gaps[gap] = gaps[gap].and(Tally::of(case, max_reruns));
    }
    // from[i] holds the cases from thresholds[i] on.
    let mut from = vec![Tally::default(); thresholds.len()];
    let mut above = Tally::default();
    for (threshold, &gap) in gaps[1..].iter().enumerate().rev() {
        above = above.and(gap);
        from[threshold] = above;
    }

    let mut points = Vec::new();
    let mut below = Tally::default();
    for (low, &lower) in thresholds.iter().enumerate() {
        below = below.and(gaps[low]);
        let mut between = Tally::default();
        for (high, &upper) in thresholds.iter().enumerate().skip(low) {
            if high > low {
                between = between.and(gaps[high]);
            }
            let regions = Regions {
                below,
                between,
                above: from[high],
            };
            let thresholds = Thresholds {
                lower,
                upper: Some(upper),
            };
            let width = width(steps[low], Some(steps[high]));
            points.push((width, Point::new(thresholds, regions)));
        }
        let regions = Regions {
            below,
            between: between.and(gaps[thresholds.len()]),
            above: Tally::default(),
        };
        let width = width(steps[low], None);
        points.push((width, Point::new(Thresholds { lower, upper: None }, regions)));
    }
    points
}

/// Summaries of the tests in the three regions that two rerun thresholds separate: stable, rerun and flaky.
#[derive(Debug, Clone, Copy, Default)]
struct Regions {
    below: Tally,
    between: Tally,
    above: Tally,
}

/// The numbers of flaky and stable tests whose probabilities lie in one interval, and the cost of rerunning them.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    flaky: u32,
    stable: u32,
    reruns: f64,
    cost: f64,
}

impl Tally {
    fn of(case: &Case, max_reruns: u32) -> Self {
        let reruns = if case.flaky {
            expected_reruns(case.failure_rate, max_reruns)
        } else {
            f64::from(max_reruns)
        };
        Self {
            flaky: u32::from(case.flaky),
            stable: u32::from(!case.flaky),
            reruns,
            cost: reruns * case.run_time,
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            flaky: self.flaky + other.flaky,
            stable: self.stable + other.stable,
            reruns: self.reruns + other.reruns,
            cost: self.cost + other.cost,
        }
    }
}

impl Point {
    fn new(thresholds: Thresholds, Regions { below, between, above }: Regions) -> Self {
        let true_positives = between.flaky + above.flaky;
        let false_positives = above.stable;
        let false_negatives = below.flaky;
        let true_negatives = below.stable + between.stable;
        Self {
            thresholds,
            cost: between.cost,
            reruns: between.reruns,
            mcc: Confusion {
                true_positives: u64::from(true_positives),
                false_positives: u64::from(false_positives),
                false_negatives: u64::from(false_negatives),
                true_negatives: u64::from(true_negatives),
            }
            .mcc(),
            true_positives,
            false_positives,
            false_negatives,
            true_negatives,
        }
    }
}
