//! How well scores tell flaky tests from steady ones.
//!
//! Every function takes scores beside labels: `labels[i]` says whether the test that scored `scores[i]` is
//! flaky. Where the order of the scores matters, tests of equal score are one step of the ranking, so no
//! figure depends on the order in which tests of equal score happen to stand.
//!
//! Invariant: no figure is ever NaN. What is undefined, such as the precision of a predictor that found
//! nothing, is 0, the worst a predictor can do; [`roc_auc`], where 0 would mean something else, is `None`.
//! In return, the functions panic if scores and labels differ in number or if a score is NaN: a figure over
//! such scores would be wrong in silence.
//!
//! Nothing here knows projects or splits. [`bootstrap_interval`] resamples indices of whatever the caller
//! counts as a unit.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// How predictions and labels met, counted in tests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confusion {
    /// Flaky tests that were found.
    pub true_positives: u64,
    /// Steady tests that were called flaky.
    pub false_positives: u64,
    /// Flaky tests that were missed.
    pub false_negatives: u64,
    /// Steady tests that were left alone.
    pub true_negatives: u64,
}

impl Confusion {
    /// The share of flaky tests among those called flaky.
    #[must_use]
    pub fn precision(&self) -> f64 {
        ratio(self.true_positives, self.true_positives + self.false_positives)
    }

    /// The share of flaky tests that were found.
    #[must_use]
    pub fn recall(&self) -> f64 {
        ratio(self.true_positives, self.true_positives + self.false_negatives)
    }

    /// The harmonic mean of precision and recall.
    #[must_use]
    pub fn f1(&self) -> f64 {
        // Over counts rather than over the two means: equal F1 then compares equal, bit for bit.
        let found = 2 * self.true_positives;
        ratio(found, found + self.false_positives + self.false_negatives)
    }

    /// Matthews' correlation coefficient, from -1 to 1.
    #[must_use]
    pub fn mcc(&self) -> f64 {
        let [true_positives, false_positives, false_negatives, true_negatives] = [
            self.true_positives,
            self.false_positives,
            self.false_negatives,
            self.true_negatives,
        ]
        .map(real);
        let margins = (true_positives + false_positives)
            * (true_positives + false_negatives)
            * (true_negatives + false_positives)
            * (true_negatives + false_negatives);
        if margins > 0.0 {
            (true_positives * true_negatives - false_positives * false_negatives) / margins.sqrt()
        } else {
            0.0
        }
    }
}

/// An interval of confidence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Counts predictions against labels; a test is called flaky if its score is `threshold` or more.
#[must_use]
pub fn confusion(scores: &[f32], labels: &[bool], threshold: f32) -> Confusion {
    check(scores, labels);
    let mut counts = Confusion::default();
    for (&score, &flaky) in scores.iter().zip(labels) {
        let count = match (score >= threshold, flaky) {
            (true, true) => &mut counts.true_positives,
            (true, false) => &mut counts.false_positives,
            (false, true) => &mut counts.false_negatives,
            (false, false) => &mut counts.true_negatives,
        };
        *count += 1;
    }
    counts
}

/// Average precision: precision at each distinct score, weighted by the recall gained there.
///
/// The same as scikit-learn's `average_precision_score`; 0 if no test is flaky.
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

/// The probability that a flaky test outscores a steady one, where equal scores count half.
///
/// The same as scikit-learn's `roc_auc_score`; `None` unless there are both flaky and steady tests.
#[must_use]
pub fn roc_auc(scores: &[f32], labels: &[bool]) -> Option<f64> {
    let mut flaky = 0;
    let mut steady = 0;
    // Twice the number of pairs won, so that half a pair is still a whole number.
    let mut won_twice = 0;
    for step in ranking(scores, labels) {
        won_twice += step.steady * (2 * flaky + step.flaky);
        flaky += step.flaky;
        steady += step.steady;
    }
    (flaky > 0 && steady > 0).then(|| ratio(won_twice, 2 * flaky * steady))
}

/// Precision among the `k` highest scores, or among all tests if there are fewer.
///
/// Where the last of the `k` is one of several tests of equal score, this is the expected precision over
/// all orders of those.
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

/// How far scores are from being probabilities: the mean distance, over tests, between the mean score of a
/// test's bin and the share of flaky tests in it.
///
/// `bins` of equal width divide the range from 0 to 1; scores outside count to the outermost.
///
/// # Panics
///
/// If there are no `bins`.
#[must_use]
pub fn expected_calibration_error(scores: &[f32], labels: &[bool], bins: usize) -> f64 {
    let distances: f64 = calibration(scores, labels, bins)
        .iter()
        .map(|bin| real(bin.tests) * (bin.flaky_share - bin.mean_score).abs())
        .sum();
    if scores.is_empty() {
        0.0
    } else {
        distances / real(scores.len() as u64)
    }
}

/// `(recall, precision)` at each distinct score, from the highest to the lowest; empty if no test is flaky.
///
/// It has no point at recall 0: no threshold has a precision there.
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

/// The threshold with the best F1; of several, the highest. 0.5 if no test is flaky.
///
/// It lies midway between the lowest score it calls flaky and the next one below, where the scores of
/// unseen tests have most room on either side, or on the lowest score if there is none below.
#[must_use]
pub fn best_threshold(scores: &[f32], labels: &[bool]) -> f32 {
    let all_flaky = flaky_tests(labels);
    let steps = ranking(scores, labels);
    let mut flaky = 0;
    let mut tests = 0;
    let mut best_f1 = 0.0;
    let mut best = 0.5;
    for (index, step) in steps.iter().enumerate() {
        flaky += step.flaky;
        tests += step.tests();
        let f1 = ratio(2 * flaky, tests + all_flaky);
        if f1 > best_f1 {
            best_f1 = f1;
            best = match steps.get(index + 1) {
                Some(below) => midway(step.score, below.score),
                None => step.score,
            };
        }
    }
    best
}

/// The percentile bootstrap's 95 % interval of a statistic over `units`.
///
/// Each of `resamples` draws as many indices as there are units, with replacement, and hands them to
/// `statistic`, which must not return NaN. The same seed gives the same interval, whatever the number of
/// threads. Without units or resamples the interval is the statistic of all units, which has no width.
#[must_use]
pub fn bootstrap_interval(
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
            // A stream of its own makes a resample independent of which thread draws it, and when.
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            random.set_stream(resample as u64);
            let drawn: Vec<usize> = (0..units).map(|_| random.random_range(0..units)).collect();
            statistic(&drawn)
        })
        .collect();
    values.sort_by(f64::total_cmp);
    Interval {
        low: quantile(&values, 25),
        high: quantile(&values, 975),
    }
}

/// The tests whose scores fall into one bin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CalibrationBin {
    /// How many they are.
    pub tests: u64,
    /// The mean of their scores.
    pub mean_score: f64,
    /// The share of flaky tests among them.
    pub flaky_share: f64,
}

/// The bins that hold any tests, from low to high scores.
///
/// # Panics
///
/// Without bins, or when scores and labels differ in number.
#[must_use]
pub fn calibration(scores: &[f32], labels: &[bool], bins: usize) -> Vec<CalibrationBin> {
    assert!(bins > 0, "calibration needs at least one bin");
    check(scores, labels);
    // Tests, sum of scores and flaky tests of each bin.
    let mut sums = vec![(0_u64, 0.0_f64, 0_u64); bins];
    for (&score, &flaky) in scores.iter().zip(labels) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clamped to the bins"
        )]
        let bin = (f64::from(score) * real(bins as u64)).clamp(0.0, real(bins as u64 - 1)) as usize;
        let (tests, sum, found) = &mut sums[bin];
        *tests += 1;
        *sum += f64::from(score);
        *found += u64::from(flaky);
    }
    sums.into_iter()
        .filter(|&(tests, _, _)| tests > 0)
        .map(|(tests, sum, flaky)| CalibrationBin {
            tests,
            mean_score: sum / real(tests),
            flaky_share: ratio(flaky, tests),
        })
        .collect()
}

/// The tests that share one score.
struct Step {
    score: f32,
    flaky: u64,
    steady: u64,
}

impl Step {
    fn tests(&self) -> u64 {
        self.flaky + self.steady
    }
}

/// The distinct scores from the highest to the lowest.
fn ranking(scores: &[f32], labels: &[bool]) -> Vec<Step> {
    check(scores, labels);
    let mut ranked: Vec<(f32, bool)> = scores.iter().copied().zip(labels.iter().copied()).collect();
    ranked.sort_by(|left, right| right.0.total_cmp(&left.0));
    ranked
        // In descending order, not to be above the next is to equal it; 0.0 and -0.0 are one score.
        .chunk_by(|left, right| left.0 <= right.0)
        .map(|tied| {
            let flaky = tied.iter().filter(|(_, flaky)| *flaky).count() as u64;
            Step {
                score: tied[0].0,
                flaky,
                steady: tied.len() as u64 - flaky,
            }
        })
        .collect()
}

fn check(scores: &[f32], labels: &[bool]) {
    assert_eq!(scores.len(), labels.len(), "every score has one label");
    assert!(scores.iter().all(|score| !score.is_nan()), "a score is a number");
}

fn flaky_tests(labels: &[bool]) -> u64 {
    labels.iter().filter(|flaky| **flaky).count() as u64
}

/// The middle of two scores, or `above` where the two are too close to have one that is above `below`.
fn midway(above: f32, below: f32) -> f32 {
    let middle = f32::midpoint(above, below);
    if middle > below { middle } else { above }
}

/// The quantile of ascending values, interpolated between neighbours as numpy does by default.
fn quantile(values: &[f64], thousandths: usize) -> f64 {
    let position = (values.len() - 1) * thousandths;
    let index = position / 1000;
    let above = values[(index + 1).min(values.len() - 1)];
    values[index] + (above - values[index]) * ratio((position % 1000) as u64, 1000)
}

/// A share of counts, 0 where there is nothing to share.
fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { real(part) / real(whole) }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of tests and of pairs of tests stay far below 2^53"
)]
fn real(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCORES: [f32; 20] = [
        0.4, 0.9, 0.75, 0.1, 0.5, 0.85, 0.3, 0.95, 0.75, 0.55, 0.25, 0.9, 0.05, 0.5, 0.8, 0.6, 0.75, 0.1, 0.45, 0.3,
    ];
    const LABELS: [bool; 20] = [
        false, true, true, true, true, true, true, true, true, true, false, false, false, false, false, false, false,
        false, false, false,
    ];

    // scikit-learn 1.9.1 on the scores and labels above, called flaky from 0.5 on.
    const PRECISION: f64 = 0.583_333_333_333_333_4;
    const RECALL: f64 = 0.777_777_777_777_777_8;
    const F1: f64 = 0.666_666_666_666_666_6;
    const MCC: f64 = 0.328_243_975_944_887_25;
    const AVERAGE_PRECISION: f64 = 0.647_076_023_391_812_9;
    const ROC_AUC: f64 = 0.676_767_676_767_676_7;

    #[track_caller]
    fn assert_close(actual: f64, expected: f64) {
        assert!((actual - expected).abs() < 1e-12, "{actual} is not {expected}");
    }

    #[test]
    fn figures_at_a_threshold_agree_with_scikit_learn() {
        let counts = confusion(&SCORES, &LABELS, 0.5);
        assert_close(counts.precision(), PRECISION);
        assert_close(counts.recall(), RECALL);
        assert_close(counts.f1(), F1);
        assert_close(counts.mcc(), MCC);
    }

    #[test]
    fn figures_of_a_ranking_with_ties_agree_with_scikit_learn() {
        assert_close(average_precision(&SCORES, &LABELS), AVERAGE_PRECISION);
        assert_close(roc_auc(&SCORES, &LABELS).unwrap(), ROC_AUC);
    }

    #[test]
    fn no_figure_depends_on_the_order_of_the_tests() {
        let (mut scores, mut labels) = (SCORES, LABELS);
        scores.reverse();
        labels.reverse();
        assert_eq!(
            precision_recall_curve(&scores, &labels),
            precision_recall_curve(&SCORES, &LABELS)
        );
        assert_eq!(roc_auc(&scores, &labels), roc_auc(&SCORES, &LABELS));
        assert_close(precision_at(&scores, &labels, 7), precision_at(&SCORES, &LABELS, 7));
    }

    #[test]
    fn the_curve_falls_from_the_highest_score_to_full_recall() {
        let curve = precision_recall_curve(&[0.9, 0.5, 0.5, 0.1], &[true, false, true, false]);
        assert_eq!(curve, [(0.5, 1.0), (1.0, 2.0 / 3.0), (1.0, 0.5)]);
    }

    #[test]
    fn zero_and_negative_zero_are_one_score() {
        assert_eq!(precision_recall_curve(&[0.0, -0.0], &[false, true]), [(1.0, 0.5)]);
    }

    #[test]
    fn without_tests_every_figure_is_defined() {
        assert_eq!(confusion(&[], &[], 0.5), Confusion::default());
        assert_close(average_precision(&[], &[]), 0.0);
        assert_eq!(roc_auc(&[], &[]), None);
        assert_close(precision_at(&[], &[], 10), 0.0);
        assert_close(expected_calibration_error(&[], &[], 10), 0.0);
        assert_eq!(precision_recall_curve(&[], &[]), []);
        assert_close(best_threshold(&[], &[]).into(), 0.5);
    }

    #[test]
    fn without_flaky_tests_there_is_nothing_to_find() {
        let labels = [false; 20];
        let counts = confusion(&SCORES, &labels, 0.5);
        for figure in [counts.precision(), counts.recall(), counts.f1(), counts.mcc()] {
            assert_close(figure, 0.0);
        }
        assert_close(average_precision(&SCORES, &labels), 0.0);
        assert_eq!(roc_auc(&SCORES, &labels), None);
        assert_eq!(precision_recall_curve(&SCORES, &labels), []);
        assert_close(best_threshold(&SCORES, &labels).into(), 0.5);
    }

    #[test]
    fn where_all_tests_are_flaky_every_ranking_is_right() {
        let labels = [true; 20];
        assert_close(average_precision(&SCORES, &labels), 1.0);
        assert_eq!(roc_auc(&SCORES, &labels), None);
        assert_close(precision_at(&SCORES, &labels, 7), 1.0);
        assert_close(confusion(&SCORES, &labels, 0.5).mcc(), 0.0);
        assert_close(best_threshold(&SCORES, &labels).into(), f64::from(0.05_f32));
    }

    #[test]
    #[should_panic(expected = "a score is a number")]
    fn a_score_that_is_not_a_number_is_refused() {
        let _ = average_precision(&[f32::NAN], &[true]);
    }

    #[test]
    fn ties_at_the_last_place_count_by_their_share() {
        let scores = [0.9, 0.5, 0.5, 0.5, 0.1];
        let labels = [true, true, false, false, true];
        assert_close(precision_at(&scores, &labels, 1), 1.0);
        assert_close(precision_at(&scores, &labels, 3), (1.0 + 2.0 / 3.0) / 3.0);
        assert_close(precision_at(&scores, &labels, 100), 0.6);
        assert_close(precision_at(&scores, &labels, 0), 0.0);
    }

    #[test]
    fn calibration_weighs_bins_by_their_tests() {
        // 0.25 and 0.0 share the lower bin, 1.0 belongs to the upper one.
        let error = expected_calibration_error(&[0.0, 0.25, 1.0, 0.5], &[false, true, true, true], 2);
        assert_close(error, (2.0 * (0.5 - 0.125) + 2.0 * (1.0 - 0.75)) / 4.0);
    }

    #[test]
    fn scores_outside_of_zero_to_one_count_to_the_outermost_bins() {
        let bins = calibration(&[-1.0, 0.1, 2.0], &[false, false, true], 10);
        assert_eq!(bins.iter().map(|bin| bin.tests).collect::<Vec<_>>(), [1, 1, 1]);
    }

    #[test]
    fn the_best_threshold_lies_between_the_scores_it_separates() {
        let threshold = best_threshold(&[0.75, 0.5, 0.25, 0.125], &[true, true, false, false]);
        assert_close(threshold.into(), 0.375);
    }

    #[test]
    fn of_two_best_thresholds_the_higher_is_taken() {
        // Finding one of two at once or both among four: F1 is 2/3 either way.
        let threshold = best_threshold(&[0.75, 0.5, 0.375, 0.25], &[true, false, false, true]);
        assert_close(threshold.into(), 0.625);
    }

    #[test]
    fn the_best_threshold_separates_neighbouring_floats() {
        let above = f32::from_bits(0.5_f32.to_bits() + 1);
        let threshold = best_threshold(&[above, 0.5], &[true, false]);
        assert_close(confusion(&[above, 0.5], &[true, false], threshold).f1(), 1.0);
    }

    #[test]
    fn the_bootstrap_is_a_function_of_its_seed() {
        let values: Vec<f64> = (0..30).map(f64::from).collect();
        let mean = |drawn: &[usize]| drawn.iter().map(|&unit| values[unit]).sum::<f64>() / 30.0;
        let interval = bootstrap_interval(30, 500, 7, mean);
        assert_eq!(interval, bootstrap_interval(30, 500, 7, mean));
        assert_ne!(interval, bootstrap_interval(30, 500, 8, mean));
        assert!(interval.low < 14.5 && 14.5 < interval.high);
        // The standard error of this mean is 1.58, and 95 % reach 1.96 of them to either side.
        assert!((interval.high - interval.low - 6.2).abs() < 0.8, "{interval:?}");
    }

    #[test]
    fn the_bootstrap_of_no_units_has_no_width() {
        let interval = bootstrap_interval(0, 100, 7, |drawn| real(drawn.len() as u64));
        assert_eq!(interval, Interval { low: 0.0, high: 0.0 });
    }

    #[test]
    fn quantiles_fall_between_values() {
        assert_close(quantile(&[0.0, 1.0, 2.0], 975), 1.95);
        assert_close(quantile(&[5.0], 25), 5.0);
    }
}
