//! What predictors see: samples without labels, and labelled training data.
//!
//! A [`Sample`] has no label and no way to one. Labels reach a predictor only through [`Training`], which
//! the evaluation fills from the training side of a split, so that no predictor can look at the test
//! side, however hard it tries.

use serde::{Deserialize, Serialize};

/// Index of a text in the string table of a corpus.
pub type TextId = u32;

/// One test as a predictor may see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// Index of the project in its corpus.
    pub project: u32,
    /// `package.Class#method`.
    pub name: String,
    /// Tests of one class, its superclasses and subclasses share a group.
    pub group: u32,
    /// Lines of the method.
    pub lines: u32,
    /// White-space separated tokens of the method, in order, as FLAST reads it.
    pub tokens: Vec<TextId>,
    /// Lower-case sub-tokens of the identifiers in the method, in order.
    pub words: Vec<TextId>,
    /// Lower-case sub-tokens of what stands around it: class, imports, fields, setup.
    pub context_words: Vec<TextId>,
}

/// The label of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label<'c> {
    /// Whether it is flaky.
    pub flaky: bool,
    /// The root cause, where the labels say.
    pub category: Option<&'c str>,
}

/// The training side of a split.
#[derive(Debug, Clone)]
pub struct Training<'c> {
    /// The string table that the samples' texts index.
    pub strings: &'c [String],
    /// Samples with their labels, in the order of the corpus.
    pub samples: Vec<(&'c Sample, Label<'c>)>,
}

/// A way to learn to predict flakiness.
pub trait Predictor: Sync {
    /// The name in tables and on the command line.
    fn name(&self) -> &'static str;

    /// Learns from labelled tests. The same training data and seed give the same model.
    fn fit(&self, training: &Training<'_>, seed: u64) -> Box<dyn Model>;
}

/// What a predictor has learned.
pub trait Model: Send + Sync {
    /// Predicts one test. `strings` is the string table of the sample's corpus.
    fn predict(&self, sample: &Sample, strings: &[String]) -> Prediction;
}

/// The prediction for one test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// Between 0 and 1; flaky from 0.5 on.
    pub score: f32,
    /// The root cause, for predictors that name one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub category: Option<String>,
    /// Known tests that it resembles, nearest first, for predictors that compare.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub neighbours: Vec<String>,
}

impl Prediction {
    /// A bare score.
    #[must_use]
    pub fn of(score: f32) -> Self {
        Self {
            score,
            category: None,
            neighbours: Vec::new(),
        }
    }
}
