//! The configuration of a network and of its training.
//!
//! Two configurations are built in. `paper` follows the PEELER paper (Qin et al., 2022). `default` is used if the user
//! names none; its values were chosen in our experiments. Others are TOML files; values missing in a file are taken
//! from `default`.

use peeler_features::{Depth, MAX_DEPTH};
use serde::{Deserialize, Serialize};

pub use crate::config_error::ConfigError;
use crate::config_error::MOST_UNITS;

/// A part of a test that a network reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Input {
    /// The network reads the contextual paths of a test.
    Paths,
    /// The network reads the sub-tokens of the test method: `getUserName` has `get`, `user` and `name`.
    Words,
    /// The network reads the sub-tokens of the class of the test: `getUserName` has `get`, `user` and `name`.
    Context,
    /// The network reads the library calls that the test can reach, each with its distance from the test.
    Reach,
    /// The network reads counts that describe the test as a whole, such as its lines and reachable calls.
    Measures,
    /// The network reads the causes of the test: calls such as `Thread.sleep` that the catalogue of nondeterminism
    /// lists.
    Causes,
    /// The network reads the flows of nondeterminism that rules find in the test. Flows that a sort or a wait makes
    /// harmless are read too.
    Flows,
    /// The network reads what the assertions of the test compare: counts of literals, and the operations whose results
    /// are checked.
    Oracles,
}

impl Input {
    /// The inputs that are bags of names, in the order of the parameters of models.
    pub(crate) const BAGS: [Self; 6] = [
        Self::Words,
        Self::Context,
        Self::Reach,
        Self::Causes,
        Self::Flows,
        Self::Oracles,
    ];
}

/// How the network reads a graph edge that calls a method of the code under test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CutEdges {
    /// The network reads the tokens of the call, as for any other edge.
    Tokens,
    /// The network reads the body of the called method instead of the tokens of the call.
    Body,
    /// The network reads both the tokens of the call and the body of the called method.
    Both,
}

/// How the body of a method of the code under test becomes a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BodyReading {
    /// The body becomes a vector by attention over paths between tokens in its syntax tree, as in code2vec.
    Contexts,
    /// The body becomes a vector by the mean of the vectors of its sub-tokens, such as `get` and `name` of `getName`.
    Words,
}

/// How the learning rate changes in the course of training.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Schedule {
    /// The learning rate is multiplied by 0.75 every third epoch, as in the code of the PEELER paper's authors.
    Steps,
    /// The learning rate rises for a twentieth of training, and falls along a cosine.
    Cosine,
}

/// The metric on validation tests that decides which epoch of training is the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Validation {
    /// The metric is the average precision over all validation tests.
    Pooled,
    /// The metric is the mean of the average precisions of the single projects with validation tests.
    Projects,
}

/// A part of the network or of its input that an ablation removes.
///
/// An ablation is an experiment that shows what the part is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ablation {
    /// The ablation keeps only those steps of contextual paths whose edge calls code under test.
    Inner,
    /// The ablation removes the bodies of called methods under test: edges are read as tokens of the call only.
    Cut,
    /// The ablation removes the sub-tokens of the test's class, around the test method.
    Context,
    /// The ablation removes the library calls that the test can reach, and the measures (counts such as lines and
    /// calls).
    Reach,
    /// The ablation removes the contextual paths of the test.
    Paths,
    /// The ablation removes the causes: calls such as `Thread.sleep` that the catalogue of nondeterminism lists.
    Causes,
    /// The ablation removes the flows of nondeterminism that rules find.
    Flows,
    /// The ablation removes what assertions compare.
    Oracles,
    /// The ablation removes the logistic regression that is otherwise averaged with each network.
    Regression,
}

/// The configuration of a network and of its training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// The name of the configuration in reports.
    pub name: String,
    /// The parts of a test that the network reads, such as its contextual paths.
    pub inputs: Vec<Input>,
    /// The width of the vector of a sub-token, and of the vector of all words, calls or causes of a test.
    pub embedding: usize,
    /// The width of the vector of a graph edge.
    pub edge: usize,
    /// The width of the vector of one step of a path, which combines a graph node and the edge that leaves it.
    pub tuple: usize,
    /// The width of the state of the LSTM that reads contextual paths.
    pub hidden: usize,
    /// The number of layers of the LSTM that reads contextual paths.
    pub layers: usize,
    /// The width of the network's last hidden layer, before the output layer.
    pub head: usize,
    /// How the network reads graph edges that call code under test: as tokens, as the called body, or both.
    pub cut: CutEdges,
    /// How the body of a called method under test becomes a vector.
    pub body: BodyReading,
    /// The network reads library calls and causes that are up to this number of calls away from the test; at most 3.
    pub depth: usize,
    /// Whether contextual paths are reduced to the steps whose edge calls code under test.
    pub only_cut_steps: bool,
    /// The number of embedding rows that rare sub-tokens share; rare library calls and rare causes have as many. The
    /// hash of a name selects its row.
    pub buckets: usize,
    /// The number of training tests in which a name (sub-token, library call or cause) must occur to get an embedding
    /// row of its own.
    pub min_tests: usize,
    /// The number of training projects in which a name (sub-token, library call or cause) must occur to get an
    /// embedding row of its own.
    pub min_projects: usize,
    /// The maximum number of paths of a test that a training step reads, drawn anew in each step.
    pub training_paths: usize,
    /// The share of features (elements of vectors inside the network) that training sets to zero at random.
    pub dropout: f32,
    /// The share of sub-tokens, calls and causes of a test that training leaves out at random.
    pub token_dropout: f32,
    /// The share of tests whose paths training leaves out, so that the network learns to score tests without paths.
    pub path_dropout: f32,
    /// The probability from which on a test is scored a second time, with its contextual paths.
    ///
    /// It is compared with the first score, which is computed without paths and not calibrated. Tests below it keep
    /// their first score. `None`, written as 0, means that all tests are scored once, with their paths.
    #[serde(with = "zero_is_none")]
    pub paths_from: Option<f32>,
    /// The number of tests in a training batch.
    pub batch: usize,
    /// The number of stable tests in a training batch for each flaky test in it.
    pub stable_per_flaky: usize,
    /// The degree to which batches balance projects, among flaky tests and among stable tests.
    ///
    /// With 0, every test is drawn equally often; with 1, every project.
    pub project_balance: f32,
    /// The share of stable tests in a batch that are drawn from the projects of the batch's flaky tests.
    pub same_project: f32,
    /// The largest number of epochs of training. An epoch sees each flaky test about once.
    pub epochs: usize,
    /// The number of epochs without a higher validation score after which training stops.
    ///
    /// It is ignored if several networks are trained for validation, each without another part of the tests. They run
    /// all epochs.
    pub patience: usize,
    /// The metric on validation tests that decides which epoch of training is the best.
    pub validation: Validation,
    /// The highest learning rate of training; `schedule` says how the rate changes.
    pub learning_rate: f64,
    /// How the learning rate changes in the course of training.
    pub schedule: Schedule,
    /// The factor of the decoupled weight decay of the optimiser `AdamW`.
    pub weight_decay: f32,
    /// The amount of label smoothing: with 0.1, training aims at probabilities of 0.05 and 0.95 instead of 0 and 1.
    pub label_smoothing: f32,
    /// How much errors count, compared with large weights, in fitting the logistic regression beside each network.
    ///
    /// It is the mean factor of a training test's loss, as C in scikit-learn; the penalty on weights has the factor 1.
    /// The regression is averaged with the network. `None`, written as 0, means that there is no regression.
    #[serde(with = "zero_is_none")]
    pub regression: Option<f32>,
    /// The share of the logistic regression in the mean log-odds of network and regression: 1 leaves out the network.
    pub regression_share: f32,
    /// How much pairs of a test before and after its fix count in fitting the logistic regression, compared with all
    /// flaky tests. The regression learns to score the first of each pair higher.
    pub contrast: f32,
    /// How much pairs of a flaky and a stable test of the same project count in fitting the logistic regression,
    /// compared with all flaky tests. The regression learns to score the flaky one higher.
    pub ranking: f32,
    /// The number of networks of the final model, trained on all tests from different seeds.
    ///
    /// With 0, the model is the last network that was trained for validation, after its epoch with the highest score.
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
            paths_from: None,
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
            regression: Some(1.0),
            regression_share: 0.5,
            contrast: 0.0,
            ranking: 0.0,
            members: 1,
        }
    }
}

impl Config {
    /// The configuration of the PEELER paper (Qin et al., 2022), trained as its authors' code trains it.
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
            regression: None,
            ..Self::default()
        }
    }

    /// The built-in configuration `default` or `paper`; `None` for other names.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "default" => Some(Self::default()),
            "paper" => Some(Self::paper()),
            _ => None,
        }
    }

    /// The configuration without the part of the network or input that `ablation` removes.
    #[must_use]
    pub fn without(mut self, ablation: Ablation) -> Self {
        match ablation {
            Ablation::Inner => self.only_cut_steps = true,
            Ablation::Cut => self.cut = CutEdges::Tokens,
            Ablation::Context => self.inputs.retain(|it| *it != Input::Context),
            Ablation::Reach => self.inputs.retain(|it| !matches!(it, Input::Reach | Input::Measures)),
            Ablation::Paths => self.inputs.retain(|it| *it != Input::Paths),
            Ablation::Causes => self.inputs.retain(|it| *it != Input::Causes),
            Ablation::Flows => self.inputs.retain(|it| *it != Input::Flows),
            Ablation::Oracles => self.inputs.retain(|it| *it != Input::Oracles),
            Ablation::Regression => self.regression = None,
        }
        self
    }

    /// The share of flaky tests in a training batch.
    pub(crate) fn flaky_share(&self) -> f64 {
        #[allow(clippy::cast_precision_loss)]
        let stable = self.stable_per_flaky as f64;
        1.0 / (1.0 + stable)
    }

    /// Whether a network of this configuration reads this part of a test.
    #[must_use]
    pub fn reads(&self, input: Input) -> bool {
        self.inputs.contains(&input)
    }

    /// How much of a test has to be encoded for this configuration: with its contextual paths, or without them.
    #[must_use]
    pub fn encoding(&self) -> Depth {
        if self.reads(Input::Paths) {
            Depth::WithPaths
        } else {
            Depth::WithoutPaths
        }
    }

    /// The probability from which on tests are scored a second time, with their contextual paths.
    ///
    /// It is compared with their first score, before calibration. `None` if all tests are scored once.
    pub(crate) fn second_pass_from(&self) -> Option<f32> {
        self.paths_from.filter(|_| self.reads(Input::Paths))
    }

    /// Checks that the values of the configuration are in range and fit each other.
    ///
    /// # Errors
    ///
    /// The first value that is wrong.
    pub fn check(&self) -> Result<(), ConfigError> {
        if self.inputs.is_empty() {
            return Err(ConfigError::NoInputs);
        }
        for (name, width) in [
            ("embedding", self.embedding),
            ("edge", self.edge),
            ("tuple", self.tuple),
            ("hidden", self.hidden),
            ("layers", self.layers),
            ("head", self.head),
            ("batch", self.batch),
            ("training_paths", self.training_paths),
            ("epochs", self.epochs),
        ] {
            if width == 0 {
                return Err(ConfigError::Zero(name));
            }
            if width > MOST_UNITS {
                return Err(ConfigError::TooLarge { name, value: width });
            }
        }
        for (name, value) in [
            ("same_project", self.same_project),
            ("regression_share", self.regression_share),
        ] {
            if !(0.0..=1.0).contains(&value) {
                return Err(ConfigError::NoShare { name, value });
            }
        }
        for (name, value) in [
            ("dropout", self.dropout),
            ("token_dropout", self.token_dropout),
            ("path_dropout", self.path_dropout),
            ("paths_from", self.paths_from.unwrap_or(0.0)),
            ("label_smoothing", self.label_smoothing),
        ] {
            if !(0.0..1.0).contains(&value) {
                return Err(ConfigError::NotBelowOne { name, value });
            }
        }
        if self.depth > MAX_DEPTH {
            return Err(ConfigError::TooDeep(self.depth));
        }
        if self.paths_from.is_some() && self.path_dropout == 0.0 {
            return Err(ConfigError::NoPathDropout);
        }
        for (name, weight) in [("contrast", self.contrast), ("ranking", self.ranking)] {
            if !(weight.is_finite() && weight >= 0.0) {
                return Err(ConfigError::PairWeight { name, weight });
            }
        }
        if let Some(cost) = self.regression
            && !(cost.is_finite() && cost > 0.0)
        {
            return Err(ConfigError::RegressionCost(cost));
        }
        if self.stable_per_flaky >= self.batch || self.batch < 2 * (1 + self.stable_per_flaky) {
            return Err(ConfigError::BatchTooSmall {
                batch: self.batch,
                stable_per_flaky: self.stable_per_flaky,
            });
        }
        Ok(())
    }
}

/// Writes `None` as 0 and reads 0 as `None`. TOML has no null, and a value that is missing in the file means the
/// default.
mod zero_is_none {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(
        clippy::ref_option,
        clippy::trivially_copy_pass_by_ref,
        reason = "the signature that serde asks for"
    )]
    pub(super) fn serialize<S: Serializer>(value: &Option<f32>, serializer: S) -> Result<S::Ok, S::Error> {
        value.unwrap_or(0.0).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f32>, D::Error> {
        let value = f32::deserialize(deserializer)?;
        Ok((value != 0.0).then_some(value))
    }
}

#[cfg(test)]
mod tests;
