//! Tests of precision, recall, calibration error and other metrics of predictions.

use super::bootstrap::quantile;
use super::ratio::real;
use super::*;

const SCORES: [f32; 20] = [
    0.4, 0.9, 0.75, 0.1, 0.5, 0.85, 0.3, 0.95, 0.75, 0.55, 0.25, 0.9, 0.05, 0.5, 0.8, 0.6, 0.75, 0.1, 0.45, 0.3,
];
const LABELS: [bool; 20] = [
    false, true, true, true, true, true, true, true, true, true, false, false, false, false, false, false, false,
    false, false, false,
];

// These values come from scikit-learn 1.9.1 for the scores and labels above, at the threshold 0.5.
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
    // F1 is 2/3 both for one of two found at once and for both found among four.
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
    // The standard error of this mean is 1.58. The 95 % interval extends 1.96 standard errors to either side.
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

#[test]
fn a_score_that_is_no_number_ranks_last_and_stops_nothing() {
    let (scores, labels) = ([0.9, f32::NAN, 0.5, f32::NAN], [true, true, false, false]);
    let lowest = [0.9, 0.0, 0.5, 0.0];
    assert_close(average_precision(&scores, &labels), average_precision(&lowest, &labels));
    assert_eq!(roc_auc(&scores, &labels), roc_auc(&lowest, &labels));
    assert_eq!(confusion(&scores, &labels, 0.0).true_positives, 1);
    assert_close(precision_at(&scores, &labels, 2), 0.5);
    assert!(expected_calibration_error(&scores, &labels, 10).is_finite());
    assert_close(
        best_threshold(&scores, &labels).into(),
        f64::from(f32::midpoint(0.9, 0.5)),
    );
    assert_close(best_threshold(&[f32::NAN; 4], &labels).into(), 0.5);
    assert_close(best_threshold(&[0.5, f32::NAN], &[true, false]).into(), 0.5);
}
