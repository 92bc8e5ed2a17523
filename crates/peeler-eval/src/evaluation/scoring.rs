//! The metrics of one predictor from its predictions: over all tests, over projects, and for each project.

use peeler_learning::metrics::{
    Confusion, Interval, average_precision, bootstrap_interval, confusion, expected_calibration_error, precision_at,
    roc_auc,
};

use peeler_learning::predictor::Prediction;
use serde::{Deserialize, Serialize};

use crate::corpus::Corpus;
use crate::fix_pairs::FixScore;

/// The number of resamples for bootstrap intervals. The interval of the average precision over all tests together uses
/// a fifth of it.
pub(super) const RESAMPLES: usize = 1_000;
/// The number of intervals of scores, called bins, over which the calibration error is computed.
const CALIBRATION_BINS: usize = 10;

/// The metrics of one evaluated predictor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelScore {
    /// The name of the evaluated predictor.
    pub model: String,
    /// The average precision on validation data, averaged over folds. Configurations of a predictor are chosen by it.
    pub validation: f64,
    /// The metrics of the predictor over the tests of all projects together.
    pub pooled: Scores,
    /// Means of the predictor's metrics over the projects that have a flaky test.
    pub projects: ProjectMeans,
    /// How often the predictor scores a flaky test higher than the same test after its fix; `None` without a corpus of
    /// fixes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fixes: Option<FixScore>,
    /// The metrics of the predictor for each project, in the order of the corpus.
    pub by_project: Vec<ProjectScore>,
    /// The predictions of the predictor for all evaluated tests.
    pub predictions: Vec<ScoredTest>,
}

/// Metrics of a set of predictions, such as precision and recall.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// The confusion matrix at the threshold 0.5.
    pub confusion: Confusion,
    /// Precision at the threshold 0.5.
    pub precision: f64,
    /// Recall at the threshold 0.5.
    pub recall: f64,
    /// F1 at the threshold 0.5.
    pub f1: f64,
    /// Matthews correlation coefficient of predictions and labels, at the threshold 0.5.
    pub mcc: f64,
    /// The confusion matrix at thresholds that were chosen on the validation data of each fold.
    pub tuned_confusion: Confusion,
    /// F1 at thresholds that were chosen on the validation data of each fold.
    pub tuned_f1: f64,
    /// Average precision: the precision at each distinct score, weighted by the recall gained there.
    pub average_precision: f64,
    /// Area under the ROC curve; `None` unless there are both flaky and stable tests.
    pub roc_auc: Option<f64>,
    /// Expected calibration error: the mean distance between scores and the share of flaky tests with similar scores.
    pub calibration_error: f64,
}

/// Means of a predictor's metrics over projects, and 95% bootstrap intervals that resample projects.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProjectMeans {
    /// The number of projects with a flaky test.
    pub projects: usize,
    /// Mean of the average precision over projects with a flaky test.
    pub average_precision: f64,
    /// The 95% bootstrap interval of `average_precision`; projects are resampled.
    pub average_precision_interval: Interval,
    /// The share of flaky tests among the 10 tests with the highest scores of a project, averaged over projects.
    pub precision_at_10: f64,
    /// The share of flaky tests among the 20 tests with the highest scores of a project, averaged over projects.
    pub precision_at_20: f64,
    /// The 95% bootstrap interval of F1 over all tests together, at the threshold 0.5; projects are resampled.
    pub f1_interval: Interval,
    /// The 95% bootstrap interval of the average precision over all tests together; projects are resampled.
    pub pooled_average_precision_interval: Interval,
}

/// The metrics of one predictor on the tests of one project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProjectScore {
    /// The name of the project whose tests were evaluated.
    pub project: String,
    /// The number of evaluated tests of the project.
    pub tests: usize,
    /// The number of flaky tests among the evaluated tests of the project.
    pub flaky: usize,
    /// The metrics of the predictor on the tests of the project.
    pub scores: Scores,
}

/// The prediction for one test, with the true label of the test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScoredTest {
    /// The index of the test's project in the corpus.
    pub project: u32,
    /// The name of the predicted test.
    pub test: String,
    /// Whether the test is flaky.
    pub flaky: bool,
    /// The number of the fold in which the test was predicted and not learned from.
    pub fold: usize,
    /// What the predictor says about the test: a score, perhaps with a root cause and similar tests.
    #[serde(flatten)]
    pub prediction: Prediction,
    /// The score from which on tests of the fold count as flaky. It was chosen on validation data of the fold.
    pub threshold: f32,
}

/// The mean of some values; 0 without any.
pub(super) fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0_u32);
    for value in values {
        sum += value;
        count += 1;
    }
    sum / f64::from(count.max(1))
}

fn scores_of(predictions: &[&ScoredTest]) -> Scores {
    let scores: Vec<f32> = predictions.iter().map(|it| it.prediction.score).collect();
    let labels: Vec<bool> = predictions.iter().map(|it| it.flaky).collect();
    let plain = confusion(&scores, &labels, 0.5);
    let mut tuned = Confusion::default();
    for it in predictions {
        let one = confusion(&[it.prediction.score], &[it.flaky], it.threshold);
        tuned.true_positives += one.true_positives;
        tuned.false_positives += one.false_positives;
        tuned.false_negatives += one.false_negatives;
        tuned.true_negatives += one.true_negatives;
    }
    Scores {
        confusion: plain,
        precision: plain.precision(),
        recall: plain.recall(),
        f1: plain.f1(),
        mcc: plain.mcc(),
        tuned_confusion: tuned,
        tuned_f1: tuned.f1(),
        average_precision: average_precision(&scores, &labels),
        roc_auc: roc_auc(&scores, &labels),
        calibration_error: expected_calibration_error(&scores, &labels, CALIBRATION_BINS),
    }
}

/// The metrics of one predictor: over all tests together, as means over projects, and for each project.
pub(super) fn score(
    corpus: &Corpus,
    model: &str,
    validation: f64,
    predictions: Vec<ScoredTest>,
    seed: u64,
) -> ModelScore {
    let mut by_project: Vec<Vec<&ScoredTest>> = vec![Vec::new(); corpus.projects.len()];
    for prediction in &predictions {
        by_project[prediction.project as usize].push(prediction);
    }
    by_project.retain(|it| !it.is_empty());
    let project_scores: Vec<ProjectScore> = by_project
        .iter()
        .map(|own| ProjectScore {
            project: corpus.projects[own[0].project as usize].clone(),
            tests: own.len(),
            flaky: own.iter().filter(|it| it.flaky).count(),
            scores: scores_of(own),
        })
        .collect();
    let pooled = scores_of(&predictions.iter().collect::<Vec<_>>());
    let projects = project_means(&by_project, &project_scores, seed);
    ModelScore {
        model: model.to_owned(),
        validation,
        pooled,
        projects,
        fixes: None,
        by_project: project_scores,
        predictions,
    }
}

fn project_means(by_project: &[Vec<&ScoredTest>], scores: &[ProjectScore], seed: u64) -> ProjectMeans {
    let flaky: Vec<usize> = (0..scores.len()).filter(|at| scores[*at].flaky > 0).collect();
    let top = |at: usize, count: usize| {
        let own = &by_project[at];
        let scores: Vec<f32> = own.iter().map(|it| it.prediction.score).collect();
        let labels: Vec<bool> = own.iter().map(|it| it.flaky).collect();
        precision_at(&scores, &labels, count)
    };
    let precision = |at: usize| scores[at].scores.average_precision;
    let pool = |chosen: &[usize]| {
        let pooled: Vec<&ScoredTest> = chosen.iter().flat_map(|at| by_project[*at].iter().copied()).collect();
        let scores: Vec<f32> = pooled.iter().map(|it| it.prediction.score).collect();
        let labels: Vec<bool> = pooled.iter().map(|it| it.flaky).collect();
        (scores, labels)
    };
    // Confusion counts are additive, so resampling them is cheap. Average precision has to be recomputed.
    let f1_of = |chosen: &[usize]| {
        let mut sum = Confusion::default();
        for at in chosen {
            let own = scores[*at].scores.confusion;
            sum.true_positives += own.true_positives;
            sum.false_positives += own.false_positives;
            sum.false_negatives += own.false_negatives;
            sum.true_negatives += own.true_negatives;
        }
        sum.f1()
    };
    ProjectMeans {
        projects: flaky.len(),
        average_precision: mean(flaky.iter().map(|at| precision(*at))),
        average_precision_interval: bootstrap_interval(flaky.len(), RESAMPLES, seed, |chosen| {
            mean(chosen.iter().map(|at| precision(flaky[*at])))
        }),
        precision_at_10: mean(flaky.iter().map(|at| top(*at, 10))),
        precision_at_20: mean(flaky.iter().map(|at| top(*at, 20))),
        f1_interval: bootstrap_interval(scores.len(), RESAMPLES, seed, f1_of),
        pooled_average_precision_interval: bootstrap_interval(scores.len(), RESAMPLES / 5, seed, |chosen| {
            let (scores, labels) = pool(chosen);
            average_precision(&scores, &labels)
        }),
    }
}
