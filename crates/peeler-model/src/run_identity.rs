//! The identity of a training run: configuration, backend, seed and data. A run can continue only from a checkpoint of
//! equal identity.

use peeler_features::content_hash;
use serde::{Deserialize, Serialize};

use crate::pretrained::Pretrained;
use crate::setting::{Parts, Setting};
use peeler_features::Dataset;

/// Everything that the result of a training run depends on: configuration, backend, seed and data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunIdentity {
    /// The configuration of the network as JSON text, because parsed numbers might differ in the last digit.
    config: String,
    backend: String,
    seed: u64,
    /// The hash of the pretrained vectors of sub-tokens; `None` if there are none.
    pretrained: Option<u64>,
    /// The hash of all encoded tests of the training run.
    tests: u64,
    /// The hash of the training and validation tests of every scout (network trained without a part of the tests), with
    /// their labels.
    labels: u64,
}

/// The first thing in which two training runs differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RunDifference {
    /// The configurations of the two training runs differ.
    #[error("the configuration differs; use the --config and --epochs of that run")]
    Config,
    /// The backends of the two training runs differ.
    #[error("the backend differs; use the --backend of that run")]
    Backend,
    /// The seeds of the two training runs differ.
    #[error("the seed differs; use the --seed of that run")]
    Seed,
    /// The pretrained vectors of the two training runs differ.
    #[error("the pretrained vectors differ; use the --embeddings of that run")]
    Pretrained,
    /// The tests of the corpora of the two training runs differ.
    #[error("the tests of the corpus differ; use the --corpus of that run")]
    Tests,
    /// The labels of the tests differ between the two training runs, or other tests are held out for validation.
    #[error("the labels of the corpus or the held-out parts differ; use the --corpus and --scouts of that run")]
    Labels,
}

impl RunIdentity {
    /// The identity of a training run. Each of `rounds` divides its tests into those to learn from and those to
    /// validate on.
    pub(crate) fn new(setting: &Setting<'_>, rounds: &[Parts]) -> Self {
        Self {
            config: serde_json::to_string(setting.config).expect("a configuration is plain data"),
            backend: setting.backend.to_string(),
            seed: setting.seed,
            pretrained: setting.pretrained.map(Pretrained::fingerprint),
            tests: hash_of_tests(setting.dataset),
            labels: hash_of_labels(rounds),
        }
    }

    /// The first difference to another training run, if there is one.
    pub(crate) fn difference(&self, other: &Self) -> Option<RunDifference> {
        let differences = [
            (self.config != other.config, RunDifference::Config),
            (self.backend != other.backend, RunDifference::Backend),
            (self.seed != other.seed, RunDifference::Seed),
            (self.pretrained != other.pretrained, RunDifference::Pretrained),
            (self.tests != other.tests, RunDifference::Tests),
            (self.labels != other.labels, RunDifference::Labels),
        ];
        let found = differences.into_iter().find(|(differs, _)| *differs);
        found.map(|(_, difference)| difference)
    }
}

/// A hash of all names in a dataset (sub-tokens, calls, causes, flows, oracles), and of the numbers that describe each test.
fn hash_of_tests(dataset: &Dataset) -> u64 {
    let mut hashes = Vec::new();
    for names in [
        &dataset.tokens,
        &dataset.calls,
        &dataset.causes,
        &dataset.flows,
        &dataset.oracles,
    ] {
        for name in names.iter() {
            push(&mut hashes, content_hash(name.as_bytes()));
        }
    }
    let mut bytes = Vec::new();
    for test in &dataset.tests {
        bytes.clear();
        let lists = [
            &test.words,
            &test.context,
            &test.calls,
            &test.causes,
            &test.flows,
            &test.oracles,
        ];
        for list in lists.into_iter().chain(&test.paths) {
            push(&mut bytes, list.len() as u64);
            bytes.extend(list.iter().flat_map(|it| it.to_le_bytes()));
        }
        bytes.extend(test.measures.iter().flat_map(|it| it.to_le_bytes()));
        bytes.extend(test.project.to_le_bytes());
        push(&mut hashes, content_hash(&bytes));
    }
    content_hash(&hashes)
}

/// A hash of the training and validation tests of each scout (network for validation), with their labels and fixes.
fn hash_of_labels(rounds: &[Parts]) -> u64 {
    let mut bytes = Vec::new();
    for round in rounds {
        for part in [&round.training, &round.validation] {
            push(&mut bytes, part.len() as u64);
            for at in part {
                push(&mut bytes, *at as u64);
                bytes.push(u8::from(round.flaky[*at]));
            }
        }
        for (before, after) in &*round.fixes {
            push(&mut bytes, *before as u64);
            push(&mut bytes, *after as u64);
        }
    }
    content_hash(&bytes)
}

fn push(bytes: &mut Vec<u8>, number: u64) {
    bytes.extend(number.to_le_bytes());
}
