//! Tests of the thresholds between which tests are rerun, and of the expected numbers of reruns.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::front::{Case, Point, evaluate, front, knee, plain_rerun_cost, within_budget};
use super::reruns::expected_reruns;
use super::thresholds::{Thresholds, steps, threshold};

fn between(lower: f64, upper: impl Into<Option<f64>>) -> Thresholds {
    Thresholds {
        lower,
        upper: upper.into(),
    }
}

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
            // Half of the probabilities are exactly equal to a threshold.
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
        let uppers = steps().filter(|it| *it >= low).map(|it| Some(threshold(it)));
        for upper in uppers.chain([None]) {
            points.push(evaluate(cases, between(threshold(low), upper), max_reruns));
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
    let point = evaluate(&cases, between(0.3, 0.7), 3);
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
    let point = evaluate(&cases, between(0.0, None), 100);
    assert!(close(point.mcc, 1.0));
    assert!(close(point.cost, plain_rerun_cost(&cases, 100)));
}

#[test]
fn an_upper_threshold_below_the_lower_one_counts_as_equal_to_it() {
    let cases = random_cases(2, 50);
    let (crossed, equal) = (between(0.6, 0.2), between(0.6, 0.6));
    let (point, expected) = (evaluate(&cases, crossed, 100), evaluate(&cases, equal, 100));
    let with_equal_thresholds = Point {
        thresholds: equal,
        ..point
    };
    assert_eq!(with_equal_thresholds, expected);
}

#[test]
fn a_probability_that_is_no_number_is_stable_everywhere() {
    let cases = [stable(f64::NAN, 1.0), flaky(0.9, 0.5, 1.0)];
    assert_eq!(evaluate(&cases, between(0.0, None), 10).true_negatives, 1);
    let front = front(&cases, 10);
    assert_eq!(front.len(), 1);
    assert_eq!(front[0], evaluate(&cases, front[0].thresholds, 10));
}

#[test]
fn one_class_alone_has_no_correlation() {
    let point = evaluate(&[stable(0.2, 1.0), stable(0.4, 1.0)], between(0.5, 0.5), 10);
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
                other.cost <= point.cost && other.mcc >= point.mcc && (other.cost < point.cost || other.mcc > point.mcc)
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
            let evaluated = evaluate(&cases, point.thresholds, 50);
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
    assert_eq!(front(&cases, 10), [evaluate(&cases, between(0.21, 0.21), 10)]);
}

#[test]
fn a_budget_of_nothing_leaves_the_model_alone() {
    let cases = random_cases(6, 200);
    let front = front(&cases, 100);
    let model_alone = within_budget(&front, 0.0).expect("cost 0 is always on the front");
    assert_eq!(model_alone.thresholds.upper, Some(model_alone.thresholds.lower));
    assert!(close(model_alone.reruns, 0.0));
    let best = steps()
        .map(threshold)
        .map(|threshold| evaluate(&cases, between(threshold, threshold), 100).mcc)
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
    let anywhere = evaluate(&[], between(0.0, 0.0), 0);
    let points =
        [(0.0, 0.4), (20.0, 0.7), (30.0, 0.9), (100.0, 1.0)].map(|(cost, mcc)| Point { cost, mcc, ..anywhere });
    // Distances at a full cost of 100: 0.6, 0.36, 0.32, 1.
    assert_eq!(knee(&points, 100.0), Some(&points[2]));
    // At a full cost of 1000 the correlation dominates: 0.6, 0.30, 0.10, 0.1.
    assert_eq!(knee(&points, 1000.0), Some(&points[3]));
    // If the full cost is zero, the point with the best correlation is the nearest.
    assert_eq!(knee(&points, 0.0), Some(&points[3]));
}

#[test]
fn no_cases_have_no_front() {
    assert_eq!(front(&[], 2_500), []);
    assert_eq!(knee(&[], 1.0), None);
    assert_eq!(within_budget(&[], 1.0), None);
    assert!(close(plain_rerun_cost(&[], 2_500), 0.0));
    assert!(close(evaluate(&[], between(0.2, 0.8), 2_500).mcc, 0.0));
}
