//! The configuration of a network and of its training.
//!
//! Two configurations are built in: `paper`, which follows the paper, and `default`, which our experiments chose.
//! Others are TOML files; values missing in a file are taken from `default`.

use peeler_features::MAX_DEPTH;
use serde::{Deserialize, Serialize};

pub use crate::config_error::ConfigError;
use crate::config_error::MOST_UNITS;

/// A part of a test that a network reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Input {
    /// The network reads the contextual paths of a test.
    Paths,
    /// The network reads the sub-tokens of the test method.
    Words,
    /// The network reads the sub-tokens of the code around the test method.
    Context,
    /// The network reads the library calls that the test can reach.
    Reach,
    /// The network reads counts that describe the test as a whole, such as its lines and reachable calls.
    Measures,
    /// The network reads the causes that the catalogue of nondeterminism matches.
    Causes,
}

/// The representation of an edge that calls code under test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CutEdges {
    /// The edge is represented by the tokens of the call, as any other edge.
    Tokens,
    /// The edge is represented by the body of the called method instead of its tokens.
    Body,
    /// The edge is represented by the tokens of the call and the body of the called method.
    Both,
}

/// The way in which the body of a method becomes a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BodyReading {
    /// The body becomes a vector by attention over the path contexts of its syntax tree, as in code2vec.
    Contexts,
    /// The body becomes a vector by the mean of its sub-tokens.
    Words,
}

/// The change of the learning rate over training.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Schedule {
    /// The learning rate is multiplied by three quarters every third epoch, as in the authors' code.
    Steps,
    /// The learning rate rises for a twentieth of training, then falls along a cosine.
    Cosine,
}

/// The score by which epochs are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Validation {
    /// Epochs are compared by the average precision over all validation tests.
    Pooled,
    /// Epochs are compared by the mean of the average precisions of the validation projects.
    Projects,
}

/// A part of the network or of its input that an ablation removes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ablation {
    /// The ablation removes all steps of paths except those whose edge is code under test.
    Inner,
    /// The ablation removes the bodies of the code under test: edges are read as tokens only.
    Cut,
    /// The ablation removes the code around the test method.
    Context,
    /// The ablation removes reachable calls and measures.
    Reach,
    /// The ablation removes the contextual paths.
    Paths,
    /// The ablation removes the causes of the catalogue of nondeterminism.
    Causes,
    /// The ablation removes the regression beside the networks.
    Regression,
}

/// The configuration of a network and of its training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// The name of the configuration in reports.
    pub name: String,
    /// The inputs that the network reads.
    pub inputs: Vec<Input>,
    /// The width of sub-token vectors and of every bag of names.
    pub embedding: usize,
    /// Width of edge vectors.
    pub edge: usize,
    /// The width of a projected tuple of node and edge in the network.
    pub tuple: usize,
    /// Width of the recurrent state.
    pub hidden: usize,
    /// The number of recurrent layers.
    pub layers: usize,
    /// The width of the network's layer before the last.
    pub head: usize,
    /// The representation of edges that call code under test.
    pub cut: CutEdges,
    /// The way in which the bodies of methods under test are read.
    pub body: BodyReading,
    /// The depth of calls up to which reachable calls and causes are read, at most 3.
    pub depth: usize,
    /// Whether paths are reduced to the steps whose edge is code under test.
    pub only_cut_steps: bool,
    /// The number of rows of an embedding table that names without a row of their own share by hash.
    pub buckets: usize,
    /// The number of training tests that must use a name for it to get a row of its own.
    pub min_tests: usize,
    /// The number of training projects that must use a name for it to get a row of its own.
    pub min_projects: usize,
    /// The number of paths of a test that a training step reads, drawn anew in each step.
    pub training_paths: usize,
    /// The share of features that training drops.
    pub dropout: f32,
    /// The share of names in bags and texts that training drops.
    pub token_dropout: f32,
    /// The share of tests whose paths training drops, so that the network learns to score tests without paths.
    pub path_dropout: f32,
    /// The uncalibrated probability without paths from which on the paths of a test are read.
    ///
    /// `None`, written as 0, reads the paths of all tests. Tests below it keep the score without paths, for which
    /// `path_dropout` trains.
    #[serde(with = "zero_is_none")]
    pub paths_from: Option<f32>,
    /// The number of tests in a batch.
    pub batch: usize,
    /// The number of stable tests in a batch for each flaky one.
    pub stable_per_flaky: usize,
    /// The degree to which projects are balanced, among flaky tests and among stable tests. With 0, tests are drawn
    /// uniformly; with 1, projects.
    pub project_balance: f32,
    /// The share of stable tests in a batch that are drawn from the projects of its flaky tests.
    pub same_project: f32,
    /// The highest number of epochs. An epoch sees each flaky test about once.
    pub epochs: usize,
    /// The number of epochs without a better validation score after which training stops.
    pub patience: usize,
    /// The score by which epochs are compared.
    pub validation: Validation,
    /// The highest learning rate.
    pub learning_rate: f64,
    /// The change of the learning rate over training.
    pub schedule: Schedule,
    /// Decoupled weight decay.
    pub weight_decay: f32,
    /// The amount of label smoothing: the share of certainty that is taken from labels.
    pub label_smoothing: f32,
    /// The cost of an error relative to the penalty, for the regression that is averaged with each network. `None`,
    /// written as 0, means no regression.
    #[serde(with = "zero_is_none")]
    pub regression: Option<f32>,
    /// The number of networks of the model, trained on all tests from different seeds. With 0 the network that was
    /// stopped by its validation score is the model.
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
            regression: None,
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

    /// The configuration without the part that an ablation removes.
    #[must_use]
    pub fn without(mut self, ablation: Ablation) -> Self {
        match ablation {
            Ablation::Inner => self.only_cut_steps = true,
            Ablation::Cut => self.cut = CutEdges::Tokens,
            Ablation::Context => self.inputs.retain(|it| *it != Input::Context),
            Ablation::Reach => self.inputs.retain(|it| !matches!(it, Input::Reach | Input::Measures)),
            Ablation::Paths => self.inputs.retain(|it| *it != Input::Paths),
            Ablation::Causes => self.inputs.retain(|it| *it != Input::Causes),
            Ablation::Regression => self.regression = None,
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

    /// The uncalibrated probability from which on tests are scored again with their paths; `None` if all tests are
    /// scored once.
    pub(crate) fn second_pass_from(&self) -> Option<f32> {
        self.paths_from.filter(|_| self.reads(Input::Paths))
    }

    /// Checks that values are in range and fit each other.
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
        if !(0.0..=1.0).contains(&self.same_project) {
            return Err(ConfigError::NoShare {
                name: "same_project",
                value: self.same_project,
            });
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

/// Writes `None` as 0 and reads 0 as `None`: TOML has no null, and a missing value means the default.
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
mod tests {
    use super::*;

    #[test]
    fn a_configuration_that_cannot_be_used_says_why() {
        let wrong = |config: Config| config.check().unwrap_err().to_string();
        let unprepared = Config {
            paths_from: Some(0.1),
            ..Config::default()
        };
        assert!(wrong(unprepared).contains("`path_dropout`"));
        let deep = Config {
            depth: 4,
            ..Config::default()
        };
        assert_eq!(wrong(deep), "`depth` is 4; calls are followed 3 deep at most");
        let free = Config {
            regression: Some(-1.0),
            ..Config::default()
        };
        assert!(wrong(free).contains("`regression` is -1"));
        let wide = Config {
            hidden: usize::MAX,
            ..Config::default()
        };
        assert!(wrong(wide).ends_with("it must be at most 1048576"));
        let rare = Config {
            stable_per_flaky: usize::MAX,
            ..Config::default()
        };
        assert!(wrong(rare).starts_with("`batch` is 128, too small"));
        Config::default().check().expect("the default can be used");
        Config::paper().check().expect("the paper's can be used");
    }

    #[test]
    fn values_that_are_switched_off_are_zero_in_a_file() {
        let written = toml::to_string(&Config::paper()).expect("plain data");
        assert!(written.contains("regression = 0.0") && written.contains("paths_from = 0.0"));
        let read: Config = toml::from_str(&written).expect("just written");
        assert_eq!(read, Config::paper());
        let read: Config = toml::from_str("regression = 0\npaths_from = 0.25").expect("a file by hand");
        assert_eq!((read.regression, read.paths_from), (None, Some(0.25)));
        let silent: Config = toml::from_str("").expect("an empty file");
        assert_eq!(silent, Config::default());
    }
}
