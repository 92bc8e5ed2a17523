//! What predictors see: samples without labels, and labelled training data.
//!
//! A [`Sample`] has no label and no way to one. Labels reach a predictor only through [`Training`], which
//! the evaluation fills from the training side of a split, so that no predictor can look at the test
//! side, however hard it tries.

pub use peeler_analysis::MAX_DEPTH;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::metrics::{average_precision, best_threshold};

/// Index of a text in the string table of a corpus.
pub type TextId = u32;

/// One test as a predictor may see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// Index of the project in its corpus.
    pub project: u32,
    /// `package.Class#method`.
    pub name: String,
    /// Tests of one outermost class share a group, and so do classes that inherit a test from the same class.
    pub group: u32,
    /// Groups whose classes have a superclass of the repository in common share a family.
    pub family: u32,
    /// Lines of the method.
    pub lines: u32,
    /// White-space separated tokens of the method, in order, as FLAST reads it.
    pub tokens: Vec<TextId>,
    /// Lower-case sub-tokens of the identifiers in the method, in order.
    pub words: Vec<TextId>,
    /// Lower-case sub-tokens of what stands around it: class, imports, fields, setup.
    pub context_words: Vec<TextId>,
    /// Its dependency graph and contextual paths.
    pub graph: GraphRecord,
    /// The library calls that it may make.
    pub reach: ReachRecord,
    /// What the catalogue of nondeterminism finds in it: every kind with its distance (`network 1`), and kind and words of
    /// the likeliest cause (`first network`, `first opens a port`). Sorted, each once.
    pub causes: Vec<TextId>,
}

/// A dependency graph with its paths, texts as indices.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphRecord {
    /// The nodes.
    pub nodes: Vec<NodeRecord>,
    /// The edges.
    pub edges: Vec<EdgeRecord>,
    /// Indices of node, edge, node, ...
    pub paths: Vec<Vec<u32>>,
}

impl GraphRecord {
    /// A graph of that size with nothing in it.
    pub(crate) fn hollow(nodes: usize, paths: usize) -> Self {
        let nothing = NodeRecord {
            text: 0,
            kind: 0,
            marks: 0,
            line: 0,
        };
        Self {
            nodes: vec![nothing; nodes],
            edges: Vec::new(),
            paths: vec![Vec::new(); paths],
        }
    }
}

/// A node of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeRecord {
    /// Its text.
    pub text: TextId,
    /// 0 variable, 1 literal, 2 call.
    pub kind: u8,
    /// Bit 0: START, bit 1: ASSERT.
    pub marks: u8,
    /// Its line.
    pub line: u32,
}

/// An edge of a graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdgeRecord {
    /// Index of the node it comes from.
    pub from: u32,
    /// Index of the node it goes to.
    pub to: u32,
    /// The operation's text.
    pub operation: TextId,
    /// The kind of operation, in the order of `peeler_analysis::OperationKind`.
    pub kind: u8,
    /// Indices of methods: the declaration, then its implementations; empty for other operations.
    pub methods: Vec<u32>,
}

/// The library calls that a test may make, and how much code of the repository it may run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReachRecord {
    /// The calls, nearest first.
    pub calls: Vec<ReachedCallRecord>,
    /// By origin (body, setup) and depth, how many bodies of the repository are reached.
    pub bodies: [[u32; MAX_DEPTH + 1]; 2],
}

/// A library call that a test may make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReachedCallRecord {
    /// 0 from the body, 1 from the setup.
    pub origin: u8,
    /// How many calls of the repository's own methods lie between.
    pub depth: u8,
    /// `Type#method`, `Type#<init>` or `#method`.
    pub call: TextId,
}

/// A method of a repository that tests refer to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodRecord {
    /// Index of its project.
    pub project: u32,
    /// `package.Class#method(Type)`.
    pub signature: String,
    /// Lower-case sub-tokens of its body, in order.
    pub words: Vec<TextId>,
    /// AST path contexts of its body: where the way begins, the way, where it ends.
    pub contexts: Vec<[TextId; 3]>,
}

/// What the indices in samples refer to.
#[derive(Debug, Clone, Copy)]
pub struct Tables<'c> {
    /// Texts.
    pub strings: &'c [String],
    /// The repositories' own methods.
    pub methods: &'c [MethodRecord],
}

/// The label of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label<'c> {
    /// Whether it is flaky.
    pub flaky: bool,
    /// The root cause, where the labels say.
    pub category: Option<&'c str>,
}

/// The training side of a fold.
#[derive(Debug, Clone)]
pub struct TrainingSide<'c> {
    /// What to learn from while something is still to be chosen.
    pub training: Training<'c>,
    /// What choices are judged on.
    pub validation: Training<'c>,
    /// Both, in the order of the corpus.
    pub both: Training<'c>,
}

/// Labelled tests to learn from.
#[derive(Debug, Clone)]
pub struct Training<'c> {
    /// What the samples' indices refer to.
    pub tables: Tables<'c>,
    /// Samples with their labels, in the order of the corpus.
    pub samples: Vec<(&'c Sample, Label<'c>)>,
}

impl Training<'_> {
    /// The same without an eighth of the families, and that eighth.
    #[must_use]
    pub fn held_out(&self, seed: u64) -> (Self, Self) {
        let is_held =
            |family: u32| (u64::from(family).wrapping_add(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 61) == 0;
        let (held, learned) = self.samples.iter().partition(|(sample, _)| is_held(sample.family));
        let part = |samples| Self {
            tables: self.tables,
            samples,
        };
        (part(learned), part(held))
    }
}

/// A way to learn to predict flakiness.
pub trait Predictor: Sync {
    /// The name in tables and on the command line.
    fn name(&self) -> &str;

    /// Learns from labelled tests. The same training data and seed give the same model.
    fn fit(&self, training: &Training<'_>, seed: u64) -> Box<dyn Model>;

    /// Learns from both parts of the training side of a fold, and says from which score on a test is to be
    /// called flaky. The threshold is chosen on the validation part by a model that has not seen it.
    fn fit_validated(&self, side: &TrainingSide<'_>, seed: u64) -> Fit {
        let without = self.fit(&side.training, seed);
        let validation = &side.validation;
        let samples: Vec<&Sample> = validation.samples.iter().map(|it| it.0).collect();
        let predictions = without.predict_all(&samples, validation.tables);
        let scores: Vec<f32> = predictions.iter().map(|it| it.score).collect();
        let labels: Vec<bool> = validation.samples.iter().map(|it| it.1.flaky).collect();
        Fit {
            model: self.fit(&side.both, seed),
            threshold: best_threshold(&scores, &labels),
            validation: average_precision(&scores, &labels),
        }
    }

    /// Whether several folds may be fitted at the same time; not where a device would be fought over.
    fn shares_the_machine(&self) -> bool {
        true
    }
}

/// A model with what the validation part of its training side said.
pub struct Fit {
    /// The model.
    pub model: Box<dyn Model>,
    /// Tests from this score on are to be called flaky.
    pub threshold: f32,
    /// Average precision on the validation part, before it was learned from.
    pub validation: f64,
}

/// What a predictor has learned.
pub trait Model: Send + Sync {
    /// Predicts one test. `tables` are those of the sample's corpus.
    fn predict(&self, sample: &Sample, tables: Tables<'_>) -> Prediction;

    /// Predicts several tests, in their order. No prediction depends on the other tests.
    fn predict_all(&self, samples: &[&Sample], tables: Tables<'_>) -> Vec<Prediction> {
        samples.par_iter().map(|sample| self.predict(sample, tables)).collect()
    }
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
