//! The interface of predictors: they learn from labelled tests and predict whether other tests are flaky.
//!
//! Labels reach a [`Predictor`] only through [`Training`], which an evaluation fills with tests to learn from. The
//! tests to be predicted arrive without labels.

use peeler_features::{FlakinessKind, TestFeatures};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::metrics::{average_precision, best_threshold};

/// The known truth about a test: whether it is flaky, and perhaps why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label<'c> {
    /// Whether the test is flaky.
    pub flaky: bool,
    /// The root cause of the test's flakiness, if the label names one.
    pub category: Option<&'c str>,
    /// What is known about the test for each kind of flakiness.
    pub kinds: KindLabels,
}

/// What is known about a test for each kind of flakiness: flaky, stable, or nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KindLabels([Option<bool>; FlakinessKind::ALL.len()]);

impl KindLabels {
    /// The labels that `known` gives each kind: `true` for flaky, `false` for stable, `None` if nothing is known.
    pub fn new(known: impl FnMut(FlakinessKind) -> Option<bool>) -> Self {
        Self(FlakinessKind::ALL.map(known))
    }

    /// Whether the test is flaky in this way; `None` if nobody looked.
    #[must_use]
    pub fn of(self, kind: FlakinessKind) -> Option<bool> {
        let place = FlakinessKind::ALL.iter().position(|it| *it == kind);
        place.and_then(|at| self.0[at])
    }
}

/// The labelled tests of one fold of a cross-validation: tests to learn from and tests to validate on.
///
/// The tests that the fold predicts are not among them.
#[derive(Debug, Clone)]
pub struct TrainingSide<'c> {
    /// The tests that a model learns from before it is validated on other tests.
    pub training: Training<'c>,
    /// The tests on which a model is validated, to choose the score from which on tests are classified as flaky.
    ///
    /// Some predictors choose other settings on them too, such as the number of training epochs.
    pub validation: Training<'c>,
    /// The tests of `training` and `validation` together, in the order of the corpus. The final model learns from them.
    pub both: Training<'c>,
}

/// Labelled tests from which a predictor learns.
#[derive(Debug, Clone, Default)]
pub struct Training<'c> {
    /// The tests, each with its features and its label.
    pub tests: Vec<TrainingTest<'c>>,
}

/// A labelled test to learn from.
#[derive(Debug, Clone)]
pub struct TrainingTest<'c> {
    /// Everything that a model may see of the test.
    pub features: TestFeatures<'c>,
    /// Whether the test is flaky, and why.
    pub label: Label<'c>,
    /// The number that identifies the test's project in the corpus.
    pub project: u32,
    /// The number of the test's family: all test classes with a common superclass in the repository.
    pub family: u32,
    /// The number of the fix before or after which this is the test. A flaky test and the same test after its fix have
    /// the same number; `None` for tests that are no such pair.
    pub fix: Option<u32>,
}

impl Training<'_> {
    /// The tests about which one kind of flakiness is known, with labels for that kind.
    #[must_use]
    pub fn of_kind(&self, kind: FlakinessKind) -> Self {
        let known = self.tests.iter().filter_map(|test| {
            let flaky = test.label.kinds.of(kind)?;
            let mut test = test.clone();
            test.label.flaky = flaky;
            Some(test)
        });
        Self { tests: known.collect() }
    }

    /// Splits the tests by families (test classes with a common superclass) into two parts: to learn from, and held
    /// out.
    ///
    /// About seven eighths of the families are for learning, and `seed` decides which.
    #[must_use]
    pub fn held_out(&self, seed: u64) -> (Self, Self) {
        let is_held =
            |family: u32| (u64::from(family).wrapping_add(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 61) == 0;
        let (held, learned) = self.tests.iter().cloned().partition(|test| is_held(test.family));
        (Self { tests: learned }, Self { tests: held })
    }
}

/// A method of learning to predict flakiness.
pub trait Predictor: Sync {
    /// The name of the predictor in tables and on the command line.
    fn name(&self) -> &str;

    /// Learns from labelled tests. The same training data and seed give the same model.
    fn fit(&self, training: &Training<'_>, seed: u64) -> Box<dyn Model>;

    /// Learns from the training and validation tests of a fold, and chooses the score from which on tests count as
    /// flaky.
    ///
    /// The score is chosen on the validation tests, with a model that was trained without them.
    fn fit_validated(&self, side: &TrainingSide<'_>, seed: u64) -> Fit {
        let without = self.fit(&side.training, seed);
        let validation = &side.validation.tests;
        let features: Vec<&TestFeatures<'_>> = validation.iter().map(|it| &it.features).collect();
        let predictions = without.predict_all(&features);
        let scores: Vec<f32> = predictions.iter().map(|it| it.score).collect();
        let labels: Vec<bool> = validation.iter().map(|it| it.label.flaky).collect();
        Fit {
            model: self.fit(&side.both, seed),
            threshold: best_threshold(&scores, &labels),
            validation: average_precision(&scores, &labels),
        }
    }
}

/// A trained model, the score from which on it classifies a test as flaky, and an average precision from validation.
pub struct Fit {
    /// The trained model.
    pub model: Box<dyn Model>,
    /// The score from which on a test is classified as flaky.
    pub threshold: f32,
    /// Average precision on the validation tests, of a model that was trained without them.
    pub validation: f64,
}

/// A trained model that predicts whether tests are flaky.
pub trait Model: Send + Sync {
    /// The prediction for one test: a score, perhaps a root cause and similar tests.
    fn predict(&self, test: &TestFeatures<'_>) -> Prediction;

    /// The predictions for several tests, in their order. No prediction depends on the other tests.
    fn predict_all(&self, tests: &[&TestFeatures<'_>]) -> Vec<Prediction> {
        tests.par_iter().map(|test| self.predict(test)).collect()
    }
}

/// The prediction of a model for one test: a score, perhaps a root cause and similar tests.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// The score of the test between 0 and 1: a higher score means that the test is more probably flaky.
    ///
    /// The threshold for flaky is 0.5, or one that was chosen on validation tests.
    pub score: f32,
    /// The root cause of the test's flakiness, if the predictor names one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub category: Option<String>,
    /// The names of the most similar training tests, nearest first; empty for predictors that do not compare tests.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub neighbours: Vec<String>,
}

impl Prediction {
    /// A prediction that consists of a score only.
    #[must_use]
    pub fn of(score: f32) -> Self {
        Self {
            score,
            category: None,
            neighbours: Vec::new(),
        }
    }
}
