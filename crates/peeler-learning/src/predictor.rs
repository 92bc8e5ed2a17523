//! The interface of predictors: labelled tests in, a model out.
//!
//! Labels reach a [`Predictor`] only through [`Training`], which an evaluation fills from the training side of a split.
//! Tests of the other side arrive without labels.

use peeler_features::TestFeatures;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::metrics::{average_precision, best_threshold};

/// The label of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label<'c> {
    /// Whether the test is flaky.
    pub flaky: bool,
    /// The root cause, if the label names one.
    pub category: Option<&'c str>,
}

/// The training side of a fold: tests to learn from and tests to validate on.
#[derive(Debug, Clone)]
pub struct TrainingSide<'c> {
    /// The tests to learn from while thresholds and other settings are chosen.
    pub training: Training<'c>,
    /// The tests on which settings are chosen.
    pub validation: Training<'c>,
    /// All tests of the training side, learned from and validated on, in the order of the corpus.
    pub both: Training<'c>,
}

/// Labelled tests to learn from.
#[derive(Debug, Clone, Default)]
pub struct Training<'c> {
    /// The tests with their features and labels.
    pub tests: Vec<TrainingTest<'c>>,
}

/// A labelled test to learn from.
#[derive(Debug, Clone)]
pub struct TrainingTest<'c> {
    /// Everything that a model may see of the test.
    pub features: TestFeatures<'c>,
    /// Whether the test is flaky, and why.
    pub label: Label<'c>,
    /// The number of the test's project in the corpus.
    pub project: u32,
    /// The number of the test's family: the classes with a common superclass.
    pub family: u32,
}

impl Training<'_> {
    /// Splits the training data by families: about seven eighths to learn from, and the held-out eighth.
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

    /// Learns from both parts of the training side of a fold, and chooses a threshold.
    ///
    /// The threshold is chosen on the validation part with a model that was trained without that part.
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

    /// Whether several folds may be fitted at the same time. `false` for predictors that use a whole device.
    fn shares_the_machine(&self) -> bool {
        true
    }
}

/// A model with the results on the validation part of its training side.
pub struct Fit {
    /// The trained model.
    pub model: Box<dyn Model>,
    /// The score from which on tests are classified as flaky.
    pub threshold: f32,
    /// Average precision on the validation part, of a model that was trained without it.
    pub validation: f64,
}

/// A trained model that predicts whether tests are flaky.
pub trait Model: Send + Sync {
    /// The prediction for one test.
    fn predict(&self, test: &TestFeatures<'_>) -> Prediction;

    /// The predictions for several tests, in their order. No prediction depends on the other tests.
    fn predict_all(&self, tests: &[&TestFeatures<'_>]) -> Vec<Prediction> {
        tests.par_iter().map(|test| self.predict(test)).collect()
    }
}

/// The prediction for one test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// The score between 0 and 1; 0.5 and above means flaky.
    pub score: f32,
    /// The root cause, if the predictor names one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub category: Option<String>,
    /// The most similar known tests, nearest first; empty for predictors that do not compare tests.
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
