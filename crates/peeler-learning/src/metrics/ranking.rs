//! Metrics of the ranking of tests by score.

use super::ratio::{ratio, real};

/// Average precision: the precision at each distinct score, weighted by the recall gained there.
///
/// Equal to `average_precision_score` of scikit-learn; 0 if no test is flaky.
#[must_use]
pub fn average_precision(scores: &[f32], labels: &[bool]) -> f64 {
    let mut reached = 0.0;
    let mut sum = 0.0;
    for (recall, precision) in precision_recall_curve(scores, labels) {
        sum += (recall - reached) * precision;
        reached = recall;
    }
    sum
}

/// The probability that a flaky test has a higher score than a stable one; equal scores count half.
///
/// Equal to `roc_auc_score` of scikit-learn; `None` unless there are both flaky and stable tests.
#[must_use]
pub fn roc_auc(scores: &[f32], labels: &[bool]) -> Option<f64> {
    let mut flaky = 0;
    let mut stable = 0;
    // The number of won pairs is doubled, so that half a pair is an integer.
    let mut won_twice = 0;
    for step in ranking(scores, labels) {
        won_twice += step.stable * (2 * flaky + step.flaky);
        flaky += step.flaky;
        stable += step.stable;
    }
    (flaky > 0 && stable > 0).then(|| ratio(won_twice, 2 * flaky * stable))
}

/// Precision among the `k` highest scores, or among all tests if there are fewer.
///
/// If the last of the `k` shares its score with other tests, this is the expected precision over all their orders.
#[must_use]
pub fn precision_at(scores: &[f32], labels: &[bool], k: usize) -> f64 {
    let places = k.min(scores.len()) as u64;
    let mut left = places;
    let mut found = 0.0;
    for step in ranking(scores, labels) {
        let taken = left.min(step.tests());
        found += real(taken) * ratio(step.flaky, step.tests());
        left -= taken;
    }
    if places == 0 { 0.0 } else { found / real(places) }
}

/// The points `(recall, precision)` at each distinct score, from the highest to the lowest; empty if no test is flaky.
///
/// There is no point at recall 0, where precision is undefined.
#[must_use]
pub fn precision_recall_curve(scores: &[f32], labels: &[bool]) -> Vec<(f64, f64)> {
    let all_flaky = flaky_tests(labels);
    let mut flaky = 0;
    let mut tests = 0;
    let mut curve = Vec::new();
    for step in ranking(scores, labels) {
        flaky += step.flaky;
        tests += step.tests();
        if all_flaky > 0 {
            curve.push((ratio(flaky, all_flaky), ratio(flaky, tests)));
        }
    }
    curve
}

/// The threshold with the best F1; the highest one if there are several. 0.5 if no test is flaky.
///
/// The threshold lies midway between the lowest score that it classifies as flaky and the next lower score. If there is
/// no lower score, it is that lowest score.
#[must_use]
pub fn best_threshold(scores: &[f32], labels: &[bool]) -> f32 {
    let all_flaky = flaky_tests(labels);
    let steps = ranking(scores, labels);
    let mut flaky = 0;
    let mut tests = 0;
    let mut best_f1 = 0.0;
    let mut best = 0.5;
    for (index, step) in steps.iter().enumerate() {
        // No threshold classifies a test with score NaN as flaky.
        let Some(score) = step.score else { break };
        flaky += step.flaky;
        tests += step.tests();
        let f1 = ratio(2 * flaky, tests + all_flaky);
        if f1 > best_f1 {
            best_f1 = f1;
            best = match steps.get(index + 1).and_then(|it| it.score) {
                Some(below) => midway(score, below),
                None => score,
            };
        }
    }
    best
}

/// The numbers of flaky and stable tests that share one score.
struct Step {
    /// The score that the counted tests share; `None` for tests whose score is NaN.
    score: Option<f32>,
    flaky: u64,
    stable: u64,
}

impl Step {
    fn tests(&self) -> u64 {
        self.flaky + self.stable
    }
}

/// The numbers of flaky and stable tests by distinct score, from the highest score to the lowest; NaN comes last.
fn ranking(scores: &[f32], labels: &[bool]) -> Vec<Step> {
    assert_eq!(scores.len(), labels.len(), "every score has one label");
    let number = |score: f32| (!score.is_nan()).then_some(score);
    let mut ranked: Vec<(Option<f32>, bool)> = scores
        .iter()
        .map(|it| number(*it))
        .zip(labels.iter().copied())
        .collect();
    ranked.sort_by(|(left, _), (right, _)| match (left, right) {
        (Some(left), Some(right)) => right.total_cmp(left),
        (left, right) => right.is_some().cmp(&left.is_some()),
    });
    ranked
        // The order is descending, so a score that is not above the next one equals it; 0.0 and -0.0 are one score.
        .chunk_by(|(left, _), (right, _)| match (left, right) {
            (Some(left), Some(right)) => left <= right,
            (left, right) => left == right,
        })
        .map(|tied| {
            let flaky = tied.iter().filter(|(_, flaky)| *flaky).count() as u64;
            Step {
                score: tied[0].0,
                flaky,
                stable: tied.len() as u64 - flaky,
            }
        })
        .collect()
}

fn flaky_tests(labels: &[bool]) -> u64 {
    labels.iter().filter(|flaky| **flaky).count() as u64
}

/// The mean of two scores; `above` if the two are so close that their mean is not above `below`.
fn midway(above: f32, below: f32) -> f32 {
    let middle = f32::midpoint(above, below);
    if middle > below { middle } else { above }
}
