//! The evaluation: every predictor on the same folds, compared by the same metrics.
//!
//! A predictor is fitted on the training side of a fold and predicts the test side. Its threshold is chosen on the
//! validation part, with a model that has not seen that part. The figures at the threshold 0.5 are given beside the
//! tuned ones.
//!
//! Invariant: nothing is chosen on the test side.

mod scoring;

use std::collections::BTreeSet;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use self::scoring::{ModelScore, ProjectMeans, ProjectScore, ScoredTest, Scores};
use self::scoring::{RESAMPLES, mean, score};
use crate::corpus::{Corpus, TestRecord};
use crate::fix_pairs::{FixPairs, FixScore, ScoredPair};
use crate::splits::{Fold, Leakage, Split, folds, leakage};
use peeler_features::TestFeatures;
use peeler_learning::metrics::{Interval, bootstrap_interval};
use peeler_learning::predictor::{KindLabels, Model, Prediction, Predictor, Training, TrainingSide};

/// The results of an evaluation of predictors on a corpus.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// The hash of the corpus that was evaluated on, as [`Corpus::fingerprint`] computes it.
    pub corpus: String,
    /// The rule by which tests were divided into folds.
    pub split: Split,
    /// The seed of the random numbers for folds, predictors and resamples.
    pub seed: u64,
    /// The number of folds of the evaluation.
    pub folds: usize,
    /// The only category of flakiness that was evaluated, such as `OD` for order-dependent; `None` if the user chose
    /// none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub category: Option<String>,
    /// The number of tests in the evaluation.
    pub tests: usize,
    /// The number of flaky tests in the evaluation.
    pub flaky: usize,
    /// Counts of the evaluated tests that have a copy on the training side of their fold.
    pub leakage: Leakage,
    /// The metrics of the evaluated predictors, in the order in which the predictors were given.
    pub models: Vec<ModelScore>,
    /// The lead of the first predictor over each of the others, in average precision averaged over projects.
    pub differences: Vec<Difference>,
}

/// The lead of one predictor over another in average precision, averaged over the same projects.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The name of the other predictor, with which the first evaluated predictor is compared.
    pub than: String,
    /// The mean, over projects, of the first predictor's average precision minus that of the other predictor.
    pub average_precision: f64,
    /// The 95% bootstrap interval of the difference between two predictors; projects are resampled.
    pub interval: Interval,
}

/// The settings of an evaluation of predictors.
#[derive(Debug, Clone, Copy)]
pub struct Settings<'s> {
    /// The rule by which tests are divided into folds.
    pub split: Split,
    /// The number of folds of the evaluation.
    pub folds: usize,
    /// The seed of the random numbers for folds, predictors and resamples.
    pub seed: u64,
    /// The only category of flakiness to evaluate, such as `OD` for order-dependent. Flaky tests of other categories
    /// are left out. With `None` all flaky tests are evaluated.
    pub category: Option<&'s str>,
    /// Tests before and after the fix of their flakiness. With [`Split::Project`] each is scored by a model that has
    /// not learned from its project.
    pub fixes: Option<&'s Corpus>,
    /// Whether predictors also learn from the tests of `fixes`, of the projects that they learn from.
    pub learns_fixes: bool,
}

/// Evaluates predictors on a corpus. `progress` is called with the name of a predictor and the number of a fold, when
/// the predictor starts on it.
pub fn evaluate(
    corpus: &Corpus,
    predictors: &[Box<dyn Predictor>],
    settings: Settings<'_>,
    progress: impl Fn(&str, usize) + Sync,
) -> Evaluation {
    let is_evaluated = |it: &&TestRecord| !it.flaky || settings.category.is_none_or(|wanted| has_category(it, wanted));
    let labelled = corpus.tests.iter().zip(corpus.kind_labels());
    let (tests, kinds): (Vec<&TestRecord>, Vec<KindLabels>) = labelled.filter(|(test, _)| is_evaluated(test)).unzip();
    let pairs = settings.fixes.map(|it| FixPairs::new(it, corpus));
    let evaluated = EvaluatedTests {
        corpus,
        pairs: pairs.as_ref(),
        learns_fixes: settings.learns_fixes,
        tests: &tests,
        kinds: &kinds,
    };
    let folds = folds(&tests, settings.split, settings.folds, settings.seed);
    let models = predictors
        .iter()
        .map(|predictor| {
            let predicted = |(at, fold): (usize, &Fold)| {
                progress(predictor.name(), at);
                evaluated.predict_fold(&**predictor, fold, at, settings.seed)
            };
            let fold_predictions: Vec<FoldPredictions> = folds.par_iter().enumerate().map(predicted).collect();
            let validation = mean(fold_predictions.iter().map(|it| it.validation));
            let scored: Vec<ScoredPair> = fold_predictions.iter().flat_map(|it| it.pairs.clone()).collect();
            let fixes = settings.fixes.map(|_| FixScore::new(&scored, settings.seed));
            let mut predictions: Vec<_> = fold_predictions.into_iter().flat_map(|it| it.predictions).collect();
            predictions.sort_by_key(|(place, _)| *place);
            let predictions = predictions.into_iter().map(|(_, it)| it).collect();
            ModelScore {
                fixes,
                ..score(corpus, predictor.name(), validation, predictions, settings.seed)
            }
        })
        .collect::<Vec<_>>();
    let differences = differences(&models, settings.seed);
    Evaluation {
        corpus: corpus.fingerprint(),
        split: settings.split,
        seed: settings.seed,
        folds: folds.len(),
        category: settings.category.map(str::to_owned),
        tests: tests.len(),
        flaky: tests.iter().filter(|it| it.flaky).count(),
        leakage: leakage(&tests, &folds),
        models,
        differences,
    }
}

/// Whether a test has the category `wanted`. A test with `ID;NOD` has the categories `ID` and `NOD`. A category
/// includes its subcategories: `OD` (order-dependent) includes `OD-Vic` (victims of other tests).
fn has_category(test: &TestRecord, wanted: &str) -> bool {
    let categories = test.category.as_deref().unwrap_or_default();
    categories
        .split(';')
        .any(|it| it == wanted || it.strip_prefix(wanted).is_some_and(|rest| rest.starts_with('-')))
}

/// The predictions for the tests of a fold that were held out from training.
struct FoldPredictions {
    validation: f64,
    /// The prediction for each test, with the index of the test among all evaluated tests.
    predictions: Vec<(usize, ScoredTest)>,
    /// The scores of tests before and after their fix, of projects that the fold's model has not seen.
    pairs: Vec<ScoredPair>,
}

/// The evaluated tests of a corpus, with what is known about each for each kind of flakiness.
#[derive(Clone, Copy)]
struct EvaluatedTests<'c> {
    corpus: &'c Corpus,
    /// Tests before and after their fix, if there are any to score.
    pairs: Option<&'c FixPairs<'c>>,
    /// Whether predictors learn from the pairs of the projects that they learn from.
    learns_fixes: bool,
    tests: &'c [&'c TestRecord],
    kinds: &'c [KindLabels],
}

impl<'c> EvaluatedTests<'c> {
    fn training(&self, places: &[usize]) -> Training<'c> {
        let test = |at: &usize| {
            let mut test = self.corpus.training_test(self.tests[*at]);
            test.label.kinds = self.kinds[*at];
            test
        };
        Training {
            tests: places.iter().map(test).collect(),
        }
    }

    fn predict(&self, model: &dyn Model, places: &[usize]) -> Vec<Prediction> {
        let features: Vec<TestFeatures<'_>> = places.iter().map(|at| self.corpus.features(self.tests[*at])).collect();
        model.predict_all(&features.iter().collect::<Vec<_>>())
    }

    /// Fits a predictor on the training side of a fold and predicts the test side.
    fn predict_fold(&self, predictor: &dyn Predictor, fold: &Fold, at: usize, seed: u64) -> FoldPredictions {
        let mut both: Vec<usize> = fold.training.iter().chain(&fold.validation).copied().collect();
        both.sort_unstable();
        let part = |places: &[usize]| {
            let mut part = self.training(places);
            let seen: BTreeSet<u32> = places.iter().map(|at| self.tests[*at].project).collect();
            // Projects outside of the corpus are scored in the first fold, so the other folds may learn from them.
            let is_seen = |project: Option<u32>| project.map_or(at != 0, |it| seen.contains(&it));
            if let Some(pairs) = self.pairs.filter(|_| self.learns_fixes) {
                part.tests.extend(pairs.to_learn(is_seen));
            }
            part
        };
        let side = TrainingSide {
            training: part(&fold.training),
            validation: self.training(&fold.validation),
            both: part(&both),
        };
        let fit = predictor.fit_validated(&side, seed);
        let unseen: BTreeSet<u32> = fold.test.iter().map(|at| self.tests[*at].project).collect();
        // Projects outside of the corpus are unseen in every fold, and are scored in the first.
        let is_unseen = |project: Option<u32>| project.map_or(at == 0, |it| unseen.contains(&it));
        let pairs = self.pairs.map(|it| it.scored(&*fit.model, is_unseen));
        let predictions = self.predict(&*fit.model, &fold.test);
        let predictions = fold
            .test
            .iter()
            .zip(predictions)
            .map(|(&place, prediction)| {
                let test = self.tests[place];
                let scored = ScoredTest {
                    project: test.project,
                    test: test.features.name.to_string(),
                    flaky: test.flaky,
                    fold: at,
                    prediction,
                    threshold: fit.threshold,
                };
                (place, scored)
            })
            .collect();
        FoldPredictions {
            validation: fit.validation,
            predictions,
            pairs: pairs.unwrap_or_default(),
        }
    }
}

/// For each predictor but the first, the lead of the first over it in average precision, over projects with a flaky
/// test.
fn differences(models: &[ModelScore], seed: u64) -> Vec<Difference> {
    let by_project = |model: &ModelScore| -> Vec<f64> {
        let flaky = model.by_project.iter().filter(|it| it.flaky > 0);
        flaky.map(|it| it.scores.average_precision).collect()
    };
    let Some((first, others)) = models.split_first() else {
        return Vec::new();
    };
    let own = by_project(first);
    let to = |other: &ModelScore| {
        let apart: Vec<f64> = own
            .iter()
            .zip(by_project(other))
            .map(|(own, other)| own - other)
            .collect();
        Difference {
            than: other.model.clone(),
            average_precision: mean(apart.iter().copied()),
            interval: bootstrap_interval(apart.len(), RESAMPLES, seed, |chosen| {
                mean(chosen.iter().map(|at| apart[*at]))
            }),
        }
    };
    others.iter().map(to).collect()
}
