//! CANNIER+RERUN: the model decides the clear cases, reruns decide the rest.
//!
//! Two thresholds cut the predicted probability into three regions (equation 4 of the paper):
//!
//! ```text
//!   0 ........ lower ............ upper ........ 1
//!     stable    |   rerun: truth   |    flaky
//! ```
//!
//! A test in the middle runs until its outcome changes, at most `max_reruns` times, and costs its run time
//! for each of these runs (equation 6). A wider middle finds more and costs more: [`front`] holds the choices
//! worth having, [`knee`] the balanced one, [`within_budget`] the best that a user can pay for.
//!
//! Invariant: along a front both cost and Matthews correlation grow strictly, and it starts at cost 0, where
//! the model decides alone (but for tests whose run time is 0: to rerun them is free).
//!
//! Left out: the paper adds the cost of collecting features by running the suite; ours are static and free.
//! As in the paper, reruns are taken to find the truth: a flaky test that would not have changed within
//! `max_reruns` counts as found, at the full price. Fewer than two runs show no change at all, so points for
//! a `max_reruns` below 2 mean nothing.

use serde::Serialize;

use crate::metrics::Confusion;

/// Below so many thousandths thresholds are a thousandth apart, from there on ten. The paper has hundredths everywhere; but
/// where few tests are flaky, most calibrated probabilities are so low that the choice is made below the first of them.
const FINE: u32 = 100;

/// The highest probability, in thousandths.
pub(crate) const CERTAIN: u32 = 1000;

/// A threshold beyond every probability: as an upper one it lets no test pass as flaky without reruns.
const BEYOND: u32 = 1010;

/// The thresholds that may be chosen, in thousandths: 0, 0.001, ... 0.1, 0.11, ... 1.
pub(crate) fn steps() -> impl Iterator<Item = u32> {
    (0..FINE).chain((FINE..=CERTAIN).step_by(10))
}

/// Thousandths as a number.
pub(crate) fn threshold(thousandths: u32) -> f64 {
    f64::from(thousandths) / f64::from(CERTAIN)
}

/// A test with what is known about it from validation data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Case {
    /// The model's probability that the test is flaky. What is no number lies below every threshold.
    pub probability: f64,
    /// Whether it is flaky in truth.
    pub flaky: bool,
    /// The share of its runs that fail, between 0 and 1; read for flaky tests only.
    pub failure_rate: f64,
    /// Seconds that one run takes, finite and not negative.
    pub run_time: f64,
}

/// A pair of thresholds and what it costs and finds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Point {
    /// Tests with a probability below it are stable without reruns.
    pub lower: f64,
    /// Tests with a probability from it on are flaky without reruns.
    pub upper: f64,
    /// Expected seconds of all reruns.
    pub cost: f64,
    /// Expected number of reruns, over all tests between the thresholds.
    pub reruns: f64,
    /// Matthews correlation of labels and truth; 0 where it is undefined.
    pub mcc: f64,
    /// Flaky tests labelled flaky.
    pub true_positives: u32,
    /// Stable tests labelled flaky.
    pub false_positives: u32,
    /// Flaky tests labelled stable.
    pub false_negatives: u32,
    /// Stable tests labelled stable.
    pub true_negatives: u32,
}

/// The expected number of runs until the outcome of a flaky test changes, at most `max_reruns`.
///
/// The first change comes with run `x` with probability `q^(x-1) (1-q) + (1-q)^(x-1) q`; all that is left
/// falls on `max_reruns`. A rate that is 0, 1 or no rate at all never changes and takes every run.
#[must_use]
pub fn expected_reruns(failure_rate: f64, max_reruns: u32) -> f64 {
    // The formula is the same for q and 1-q; the rarer outcome keeps its digits where 1 - q would lose them.
    let rare = failure_rate.min(1.0 - failure_rate).max(0.0);
    if rare == 0.0 || max_reruns < 2 {
        return f64::from(max_reruns);
    }
    // An expectation is the sum over x of the probability to reach run x. The first run is certain; a later
    // one is reached if all x-1 before it agree, which has probability q^(x-1) + (1-q)^(x-1).
    let frequent = 1.0 - rare;
    let later_runs = f64::from(max_reruns - 1);
    let rare_agree = rare * (1.0 - rare.powf(later_runs)) / frequent;
    // 1 - frequent^later_runs, over rare: both vanish together, and only this way does their ratio survive.
    let frequent_agree = frequent * -(later_runs * (-rare).ln_1p()).exp_m1() / rare;
    1.0 + rare_agree + frequent_agree
}

/// What rerunning every test costs, without a model.
#[must_use]
pub fn plain_rerun_cost(cases: &[Case], max_reruns: u32) -> f64 {
    // A sum of no floats would be -0.
    cases
        .iter()
        .fold(0.0, |cost, case| cost + Tally::of(case, max_reruns).cost)
}

/// Cost and confusion of one pair of thresholds. An upper threshold below the lower one counts as equal to it.
#[must_use]
pub fn evaluate(cases: &[Case], lower: f64, upper: f64, max_reruns: u32) -> Point {
    let upper = upper.max(lower);
    let mut below = Tally::default();
    let mut between = Tally::default();
    let mut above = Tally::default();
    for case in cases {
        let region = if case.probability >= upper {
            &mut above
        } else if case.probability >= lower {
            &mut between
        } else {
            &mut below
        };
        *region = region.and(Tally::of(case, max_reruns));
    }
    Point::new(lower, upper, [below, between, above])
}

/// The pairs of thresholds that no other pair beats: cheapest first, each with a higher Matthews correlation
/// than all before it. The thresholds are hundredths, and thousandths below 0.1. Of pairs that are equally cheap and good,
/// the one with the narrowest middle stays, then the one with the lowest thresholds. No cases, no front.
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

/// The balanced point: the nearest to a Matthews correlation of 1 at no cost, where `full_cost`, the
/// [`plain_rerun_cost`], is a cost of 1. The cheaper of two equally near ones.
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

/// The point with the highest Matthews correlation that costs at most `budget` seconds.
#[must_use]
pub fn within_budget(front: &[Point], budget: f64) -> Option<&Point> {
    front
        .iter()
        .filter(|point| point.cost <= budget)
        .max_by(|point, other| point.mcc.total_cmp(&other.mcc).then(other.cost.total_cmp(&point.cost)))
}

/// Every pair of thresholds, with the number of thousandths between the two.
///
/// The cases are read once, into the gaps between neighbouring thresholds; the pairs then add up gaps.
fn grid(cases: &[Case], max_reruns: u32) -> Vec<(u32, Point)> {
    let steps: Vec<u32> = steps().chain([BEYOND]).collect();
    let thresholds: Vec<f64> = steps.iter().map(|it| threshold(*it)).collect();
    // gaps[i] holds the cases from thresholds[i - 1] on that lie below thresholds[i].
    let mut gaps = vec![Tally::default(); thresholds.len() + 1];
    for case in cases {
        let gap = thresholds.partition_point(|&threshold| case.probability >= threshold);
        gaps[gap] = gaps[gap].and(Tally::of(case, max_reruns));
    }
    // after[i] holds the cases from thresholds[i] on.
    let mut after = vec![Tally::default(); thresholds.len()];
    let mut above = Tally::default();
    for (threshold, &gap) in gaps[1..].iter().enumerate().rev() {
        above = above.and(gap);
        after[threshold] = above;
    }

    let mut points = Vec::new();
    let mut below = Tally::default();
    // Beyond every probability is no place for a lower threshold.
    for (low, &lower) in thresholds[..thresholds.len() - 1].iter().enumerate() {
        below = below.and(gaps[low]);
        let mut between = Tally::default();
        for (high, &upper) in thresholds.iter().enumerate().skip(low) {
            if high > low {
                between = between.and(gaps[high]);
            }
            points.push((
                steps[high] - steps[low],
                Point::new(lower, upper, [below, between, after[high]]),
            ));
        }
    }
    points
}

/// How many tests of each kind there are, and what it takes to rerun them all.
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
    fn new(lower: f64, upper: f64, [below, between, above]: [Tally; 3]) -> Self {
        let true_positives = between.flaky + above.flaky;
        let false_positives = above.stable;
        let false_negatives = below.flaky;
        let true_negatives = below.stable + between.stable;
        Self {
            lower,
            upper,
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

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn close(left: f64, right: f64) -> bool {
        (left - right).abs() <= 1e-9 * left.abs().max(right.abs()).max(1.0)
    }

    fn stable(probability: f64, run_time: f64) -> Case {
        Case {
            probability,
            flaky: false,
            failure_rate: 0.0,
            run_time,
        }
    }

    fn flaky(probability: f64, failure_rate: f64, run_time: f64) -> Case {
        Case {
            probability,
            flaky: true,
            failure_rate,
            run_time,
        }
    }

    fn random_cases(seed: u64, count: usize) -> Vec<Case> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        (0..count)
            .map(|_| {
                let is_flaky = random.random_bool(0.3);
                let noise: f64 = random.random();
                let probability = if is_flaky { noise.sqrt() } else { noise * noise };
                // Half of them lie exactly on a threshold.
                let probability = if random.random_bool(0.5) {
                    (probability * 100.0).round() / 100.0
                } else {
                    probability
                };
                let run_time = 0.01 + random.random::<f64>();
                if is_flaky {
                    flaky(probability, random.random(), run_time)
                } else {
                    stable(probability, run_time)
                }
            })
            .collect()
    }

    fn expected_reruns_by_summing(failure_rate: f64, max_reruns: u32) -> f64 {
        let mut expectation = 0.0;
        let mut left = 1.0;
        let (mut failing_so_far, mut passing_so_far) = (failure_rate, 1.0 - failure_rate);
        for run in 2..max_reruns {
            let exact = failing_so_far * (1.0 - failure_rate) + passing_so_far * failure_rate;
            expectation += f64::from(run) * exact;
            left -= exact;
            failing_so_far *= failure_rate;
            passing_so_far *= 1.0 - failure_rate;
        }
        expectation + f64::from(max_reruns) * left
    }

    fn every_pair_of_thresholds(cases: &[Case], max_reruns: u32) -> Vec<Point> {
        let mut points = Vec::new();
        for low in steps() {
            for high in steps().chain([BEYOND]).filter(|it| *it >= low) {
                points.push(evaluate(cases, threshold(low), threshold(high), max_reruns));
            }
        }
        points
    }

    #[test]
    fn expected_reruns_are_those_computed_by_hand() {
        // Run 2 differs from run 1 half the time.
        assert!(close(expected_reruns(0.5, 2), 2.0));
        assert!(close(expected_reruns(0.5, 3), 0.5 * 2.0 + 0.5 * 3.0));
        assert!(close(expected_reruns(0.5, 4), 0.5 * 2.0 + 0.25 * 3.0 + 0.25 * 4.0));
        // With a rate of 0.1: 0.18 at run 2, the other 0.82 at run 3.
        assert!(close(expected_reruns(0.1, 3), 0.18 * 2.0 + 0.82 * 3.0));
        // Without a limit: 1/q + q/(1-q) = 1/0.2 + 0.2/0.8.
        assert!(close(expected_reruns(0.2, 10_000), 5.25));
    }

    #[test]
    fn expected_reruns_agree_with_the_sum_of_equation_six() {
        for failure_rate in [1e-12, 1e-6, 0.0004, 0.01, 0.3, 0.5, 0.77, 0.999, 0.9996] {
            for max_reruns in [2, 3, 10, 2_500, 10_000] {
                let expected = expected_reruns_by_summing(failure_rate, max_reruns);
                let actual = expected_reruns(failure_rate, max_reruns);
                assert!(
                    close(actual, expected),
                    "{failure_rate} {max_reruns}: {actual} {expected}"
                );
            }
        }
    }

    #[test]
    fn an_outcome_that_never_changes_takes_every_run() {
        for failure_rate in [0.0, 1.0, -0.5, 1.5, f64::NAN] {
            assert!(close(expected_reruns(failure_rate, 2_500), 2_500.0));
        }
        assert!(close(expected_reruns(f64::MIN_POSITIVE, 2_500), 2_500.0));
        assert!(close(expected_reruns(0.5, 1), 1.0));
        assert!(close(expected_reruns(0.5, 0), 0.0));
    }

    #[test]
    fn the_model_decides_outside_the_thresholds_and_reruns_between_them() {
        let cases = [
            flaky(0.1, 0.5, 100.0),
            stable(0.29, 100.0),
            flaky(0.3, 0.5, 2.0),
            stable(0.5, 1.0),
            stable(0.7, 100.0),
            flaky(0.9, 0.5, 100.0),
        ];
        let point = evaluate(&cases, 0.3, 0.7, 3);
        let Point {
            true_positives,
            false_positives,
            false_negatives,
            true_negatives,
            ..
        } = point;
        assert_eq!(
            [true_positives, false_positives, false_negatives, true_negatives],
            [2, 1, 1, 2]
        );
        assert!(close(point.reruns, 2.5 + 3.0));
        assert!(close(point.cost, 2.5 * 2.0 + 3.0 * 1.0));
        assert!(close(point.mcc, 1.0 / 3.0));
    }

    #[test]
    fn rerunning_everything_finds_the_truth_at_the_plain_cost() {
        let cases = random_cases(1, 50);
        let point = evaluate(&cases, 0.0, 1.01, 100);
        assert!(close(point.mcc, 1.0));
        assert!(close(point.cost, plain_rerun_cost(&cases, 100)));
    }

    #[test]
    fn an_upper_threshold_below_the_lower_one_counts_as_equal_to_it() {
        let cases = random_cases(2, 50);
        assert_eq!(evaluate(&cases, 0.6, 0.2, 100), evaluate(&cases, 0.6, 0.6, 100));
    }

    #[test]
    fn a_probability_that_is_no_number_is_stable_everywhere() {
        let cases = [stable(f64::NAN, 1.0), flaky(0.9, 0.5, 1.0)];
        assert_eq!(evaluate(&cases, 0.0, 1.01, 10).true_negatives, 1);
        let front = front(&cases, 10);
        assert_eq!(front.len(), 1);
        assert_eq!(front[0], evaluate(&cases, front[0].lower, front[0].upper, 10));
    }

    #[test]
    fn one_class_alone_has_no_correlation() {
        let point = evaluate(&[stable(0.2, 1.0), stable(0.4, 1.0)], 0.5, 0.5, 10);
        assert!(close(point.mcc, 0.0));
        assert_eq!(point.true_negatives, 2);
    }

    #[test]
    fn the_front_is_what_nothing_on_the_whole_grid_beats() {
        for seed in 0..3 {
            let cases = random_cases(seed, 40);
            let points = every_pair_of_thresholds(&cases, 50);
            assert_eq!(points.len(), 191 * 192 / 2 + 191);
            let beaten = |point: &Point| {
                points.iter().any(|other| {
                    other.cost <= point.cost
                        && other.mcc >= point.mcc
                        && (other.cost < point.cost || other.mcc > point.mcc)
                })
            };
            let mut expected: Vec<(f64, f64)> = points
                .iter()
                .filter(|point| !beaten(point))
                .map(|point| (point.cost, point.mcc))
                .collect();
            expected.sort_by(|left, right| left.0.total_cmp(&right.0));
            expected.dedup();

            let front = front(&cases, 50);
            assert_eq!(front.len(), expected.len());
            for (point, (cost, mcc)) in front.iter().zip(expected) {
                assert!(close(point.cost, cost) && close(point.mcc, mcc));
                let evaluated = evaluate(&cases, point.lower, point.upper, 50);
                assert!(close(point.cost, evaluated.cost) && close(point.reruns, evaluated.reruns));
                let sums_aside = Point {
                    cost: point.cost,
                    reruns: point.reruns,
                    ..evaluated
                };
                assert_eq!(*point, sums_aside);
            }
        }
    }

    #[test]
    fn cost_and_correlation_grow_strictly_along_the_front_up_to_the_truth() {
        let cases = random_cases(4, 500);
        let front = front(&cases, 2_500);
        assert!(front.len() > 10);
        for pair in front.windows(2) {
            assert!(pair[0].cost < pair[1].cost && pair[0].mcc < pair[1].mcc);
        }
        assert!(front.last().is_some_and(|best| close(best.mcc, 1.0)));
    }

    #[test]
    fn of_equal_points_the_narrowest_and_then_the_lowest_is_on_the_front() {
        let cases = [stable(0.2, 1.0), flaky(0.8, 0.5, 1.0)];
        assert_eq!(front(&cases, 10), [evaluate(&cases, 0.21, 0.21, 10)]);
    }

    #[test]
    fn a_budget_of_nothing_leaves_the_model_alone() {
        let cases = random_cases(6, 200);
        let front = front(&cases, 100);
        let model_alone = within_budget(&front, 0.0).expect("cost 0 is always on the front");
        assert_eq!(model_alone.lower.to_bits(), model_alone.upper.to_bits());
        assert!(close(model_alone.reruns, 0.0));
        let best = steps()
            .map(threshold)
            .map(|threshold| evaluate(&cases, threshold, threshold, 100).mcc)
            .fold(f64::NEG_INFINITY, f64::max);
        assert!(close(model_alone.mcc, best));
    }

    #[test]
    fn a_budget_buys_the_best_point_it_can_pay_for() {
        let cases = random_cases(7, 200);
        let front = front(&cases, 100);
        let third = &front[2];
        assert_eq!(within_budget(&front, third.cost), Some(third));
        assert_eq!(
            within_budget(&front, f64::midpoint(third.cost, front[3].cost)),
            Some(third)
        );
        assert_eq!(within_budget(&front, f64::INFINITY), front.last());
        assert_eq!(within_budget(&front, -1.0), None);
    }

    #[test]
    fn the_knee_is_nearest_to_a_perfect_answer_for_nothing() {
        let anywhere = evaluate(&[], 0.0, 0.0, 0);
        let points =
            [(0.0, 0.4), (20.0, 0.7), (30.0, 0.9), (100.0, 1.0)].map(|(cost, mcc)| Point { cost, mcc, ..anywhere });
        // Distances at a full cost of 100: 0.6, 0.36, 0.32, 1.
        assert_eq!(knee(&points, 100.0), Some(&points[2]));
        // At a full cost of 1000 only the correlation counts for much: 0.6, 0.30, 0.10, 0.1.
        assert_eq!(knee(&points, 1000.0), Some(&points[3]));
        // Where nothing costs anything, the best is nearest.
        assert_eq!(knee(&points, 0.0), Some(&points[3]));
    }

    #[test]
    fn no_cases_have_no_front() {
        assert_eq!(front(&[], 2_500), []);
        assert_eq!(knee(&[], 1.0), None);
        assert_eq!(within_budget(&[], 1.0), None);
        assert!(close(plain_rerun_cost(&[], 2_500), 0.0));
        assert!(close(evaluate(&[], 0.2, 0.8, 2_500).mcc, 0.0));
    }
}
