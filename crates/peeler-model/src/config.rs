//! What a network looks like and how it is trained. Two configurations are built in: `paper`, which follows
//! the paper, and `default`, which our experiments chose. Others are TOML files that name what differs.

use peeler_features::MAX_DEPTH;
use serde::{Deserialize, Serialize};

/// A part of a test that a network reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Input {
    /// The contextual paths.
    Paths,
    /// Sub-tokens of the method.
    Words,
    /// Sub-tokens of what stands around it.
    Context,
    /// Library calls that it may make.
    Reach,
    /// How long it is and how much it reaches.
    Measures,
    /// What the catalogue of nondeterminism finds in it.
    Causes,
}

/// What an edge through the code under test says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CutEdges {
    /// The tokens of the call, as any other edge.
    Tokens,
    /// The body of the method in place of the tokens.
    Body,
    /// Both.
    Both,
}

/// How the body of a method becomes a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BodyReading {
    /// Attention over the path contexts of its syntax tree, as code2vec does.
    Contexts,
    /// The mean of its sub-tokens.
    Words,
}

/// How the learning rate changes over training.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Schedule {
    /// Three quarters of it every third epoch, as the authors' code does.
    Steps,
    /// Up for a twentieth of training, then down along a cosine.
    Cosine,
}

/// What epochs are compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Validation {
    /// Average precision over all validation tests.
    Pooled,
    /// Its mean over the validation projects.
    Projects,
}

/// What the ablations of the paper take away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ablation {
    /// Keep only the steps of paths whose edge is code under test.
    Inner,
    /// Code under test is read as tokens only.
    Cut,
    /// Nothing around the method is read.
    Context,
    /// Nothing is known of what the test reaches.
    Reach,
    /// No contextual paths.
    Paths,
    /// The catalogue of nondeterminism is not asked.
    Causes,
    /// No regression beside the networks.
    Regression,
}

/// A configuration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Its name.
    pub name: String,
    /// What is read.
    pub inputs: Vec<Input>,
    /// Width of sub-token vectors and of every bag.
    pub embedding: usize,
    /// Width of edge vectors.
    pub edge: usize,
    /// Width of a projected tuple.
    pub tuple: usize,
    /// Width of the recurrent state.
    pub hidden: usize,
    /// Recurrent layers.
    pub layers: usize,
    /// Width of the layer before the last.
    pub head: usize,
    /// What edges through the code under test say.
    pub cut: CutEdges,
    /// How the bodies of its methods are read.
    pub body: BodyReading,
    /// How many calls into the repository's code is read what a test reaches and what of the catalogue lies there, at most 3.
    pub depth: usize,
    /// Leave out the steps of paths that are not code under test.
    pub only_cut_steps: bool,
    /// Rows for sub-tokens and calls that training did not see often enough, by hash.
    pub buckets: usize,
    /// Sub-tokens and calls need this many tests of the training data for a row of their own,
    pub min_tests: usize,
    /// and this many projects.
    pub min_projects: usize,
    /// Paths of a test that a training step reads, chosen anew each time.
    pub training_paths: usize,
    /// Share of features dropped in training.
    pub dropout: f32,
    /// Share of sub-tokens and calls dropped in training.
    pub token_dropout: f32,
    /// Share of tests whose paths training leaves unread, so that the network does not lean on their names alone.
    pub path_dropout: f32,
    /// Paths are read of tests that have at least this probability without them, before calibration; 0 for all. Below it
    /// the judgement without them stands, for which `path_dropout` trains.
    pub paths_from: f32,
    /// Tests in a batch.
    pub batch: usize,
    /// Stable tests in a batch for each flaky one.
    pub stable_per_flaky: usize,
    /// How far projects are evened out, among flaky tests and among stable ones: 0 by their tests, 1 all alike.
    pub project_balance: f32,
    /// Share of stable tests in a batch that are drawn from the projects of its flaky tests.
    pub same_project: f32,
    /// Epochs; in one, each flaky test is seen about once.
    pub epochs: usize,
    /// Epochs without a better validation score after which training stops.
    pub patience: usize,
    /// What epochs are compared by.
    pub validation: Validation,
    /// The highest learning rate.
    pub learning_rate: f64,
    /// How it changes.
    pub schedule: Schedule,
    /// Decoupled weight decay.
    pub weight_decay: f32,
    /// Share of certainty taken from labels.
    pub label_smoothing: f32,
    /// What an error costs the regression that is averaged with each network, relative to its penalty; 0 for none.
    pub regression: f32,
    /// Networks that learn from validation data too, from different seeds, and are averaged. With none, the
    /// network that validation stopped is the model.
    pub members: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            name: "default".to_owned(),
            inputs: vec![
                Input::Paths,
                Input::Words,
                Input::Context,
                Input::Reach,
                Input::Measures,
                Input::Causes,
            ],
            embedding: 64,
            edge: 64,
            tuple: 64,
            hidden: 64,
            layers: 2,
            head: 64,
            cut: CutEdges::Both,
            body: BodyReading::Words,
            depth: MAX_DEPTH,
            only_cut_steps: false,
            buckets: 256,
            min_tests: 3,
            min_projects: 1,
            training_paths: 24,
            dropout: 0.3,
            token_dropout: 0.2,
            path_dropout: 0.0,
            paths_from: 0.0,
            batch: 128,
            stable_per_flaky: 3,
            project_balance: 0.0,
            same_project: 0.0,
            epochs: 10,
            patience: 4,
            validation: Validation::Pooled,
            learning_rate: 2e-3,
            schedule: Schedule::Cosine,
            weight_decay: 1e-2,
            label_smoothing: 0.0,
            regression: 1.0,
            members: 1,
        }
    }
}

impl Config {
    /// The network as the paper describes it and the authors' code trains it.
    #[must_use]
    pub fn paper() -> Self {
        Self {
            name: "paper".to_owned(),
            inputs: vec![Input::Paths],
            embedding: 128,
            edge: 384,
            tuple: 384,
            hidden: 128,
            head: 256,
            cut: CutEdges::Body,
            body: BodyReading::Contexts,
            training_paths: 100,
            dropout: 0.0,
            token_dropout: 0.0,
            path_dropout: 0.0,
            batch: 64,
            stable_per_flaky: 1,
            epochs: 15,
            patience: 5,
            members: 0,
            learning_rate: 1e-3,
            schedule: Schedule::Steps,
            weight_decay: 0.0,
            regression: 0.0,
            ..Self::default()
        }
    }

    /// A built-in configuration by name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "default" => Some(Self::default()),
            "paper" => Some(Self::paper()),
            _ => None,
        }
    }

    /// The configuration without something.
    #[must_use]
    pub fn without(mut self, ablation: Ablation) -> Self {
        match ablation {
            Ablation::Inner => self.only_cut_steps = true,
            Ablation::Cut => self.cut = CutEdges::Tokens,
            Ablation::Context => self.inputs.retain(|it| *it != Input::Context),
            Ablation::Reach => self.inputs.retain(|it| !matches!(it, Input::Reach | Input::Measures)),
            Ablation::Paths => self.inputs.retain(|it| *it != Input::Paths),
            Ablation::Causes => self.inputs.retain(|it| *it != Input::Causes),
            Ablation::Regression => self.regression = 0.0,
        }
        self
    }

    /// The share of flaky tests in a batch.
    pub(crate) fn flaky_share(&self) -> f64 {
        #[allow(clippy::cast_precision_loss)]
        let stable = self.stable_per_flaky as f64;
        1.0 / (1.0 + stable)
    }

    /// Whether a network of this configuration reads an input.
    #[must_use]
    pub fn reads(&self, input: Input) -> bool {
        self.inputs.contains(&input)
    }

    /// Whether the paths of some tests are left unread.
    pub(crate) fn glances(&self) -> bool {
        self.paths_from > 0.0 && self.reads(Input::Paths)
    }

    /// What makes a configuration impossible, in words.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), String> {
        let widths = [
            ("embedding", self.embedding),
            ("edge", self.edge),
            ("tuple", self.tuple),
            ("hidden", self.hidden),
            ("layers", self.layers),
            ("head", self.head),
            ("batch", self.batch),
            ("training_paths", self.training_paths),
            ("epochs", self.epochs),
        ];
        if self.inputs.is_empty() {
            return Err(
                "`inputs` is empty; name at least one of paths, words, context, reach, measures, causes".to_owned(),
            );
        }
        if let Some((name, _)) = widths.iter().find(|(_, width)| *width == 0) {
            return Err(format!("`{name}` is 0; it must be at least 1"));
        }
        if !(0.0..=1.0).contains(&self.same_project) {
            return Err(format!(
                "`same_project` is {}; it is a share between 0 and 1",
                self.same_project
            ));
        }
        for (name, share) in [
            ("dropout", self.dropout),
            ("token_dropout", self.token_dropout),
            ("path_dropout", self.path_dropout),
            ("paths_from", self.paths_from),
            ("label_smoothing", self.label_smoothing),
        ] {
            if !(0.0..1.0).contains(&share) {
                return Err(format!("`{name}` is {share}; it must be at least 0 and less than 1"));
            }
        }
        if self.depth > MAX_DEPTH {
            return Err(format!(
                "`depth` is {}; calls are followed {MAX_DEPTH} deep at most",
                self.depth
            ));
        }
        if self.paths_from > 0.0 && self.path_dropout == 0.0 {
            return Err(
                "`paths_from` needs a `path_dropout`, which teaches the network to judge without paths".to_owned(),
            );
        }
        if !self.regression.is_finite() || self.regression < 0.0 {
            return Err(format!(
                "`regression` is {}; it is a cost, or 0 for none",
                self.regression
            ));
        }
        if self.batch < 2 * (1 + self.stable_per_flaky) {
            return Err("`batch` is too small for `stable_per_flaky`".to_owned());
        }
        Ok(())
    }
}
