//! The vocabulary of a model: embedding rows of names, and the scale of measures, learned from training tests.
//!
//! Names are sub-tokens, library calls, causes, flows and syntax tree paths. Measures are logarithms of sizes such as the
//! number of lines.

use peeler_features::texts::TextSet;
use peeler_features::{Dataset, MEASURES};
use serde::{Deserialize, Serialize};

use crate::config::Config;
use crate::lexicon::{Lexicon, Usage};

/// The number of embedding rows that all paths between two tokens of a syntax tree share by hash.
const WAY_ROWS: usize = 2_048;

/// The maps from names (such as sub-tokens and library calls) to embedding rows, learned from training tests only.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Vocabulary {
    /// The embedding rows of sub-tokens, such as `get` and `name` of `getName`.
    pub tokens: Lexicon,
    /// The embedding rows of library calls that tests can reach, each with its origin and its distance from the test.
    ///
    /// The name `01 Thread#sleep` means: reached from the test body (0; from the setup 1), one call away (1).
    pub calls: Lexicon,
    /// The embedding rows of features about the causes of flakiness in a test.
    ///
    /// The name `network 1` means that the nearest use of the network is one call away from the test.
    #[serde(default)]
    pub causes: Lexicon,
    /// The embedding rows of the flows of nondeterminism that rules find in tests.
    ///
    /// The name `PLR101 body` means that the rule finds a flow whose source is in the test body.
    #[serde(default)]
    pub flows: Lexicon,
    /// The embedding rows of what assertions compare.
    ///
    /// The name `expected keys 2` means that a text that an assertion expects has two or three keys.
    #[serde(default)]
    pub oracles: Lexicon,
    /// The embedding rows of paths between two tokens in the syntax tree of a method's body.
    pub ways: Lexicon,
    /// The mean and standard deviation of every measure over the training tests. A measure is the logarithm of a size.
    pub measures: Vec<(f32, f32)>,
}

/// The embedding rows of all names of a dataset, looked up in a vocabulary.
#[derive(Debug)]
pub(crate) struct Rows {
    pub(crate) tokens: Vec<u32>,
    pub(crate) calls: Vec<u32>,
    pub(crate) causes: Vec<u32>,
    pub(crate) flows: Vec<u32>,
    pub(crate) oracles: Vec<u32>,
    pub(crate) ways: Vec<u32>,
}

impl Vocabulary {
    /// Learns a vocabulary from the tests of a dataset with these indices.
    #[must_use]
    pub fn learn(dataset: &Dataset, training: &[usize], config: &Config) -> Self {
        let mut tokens = vec![Usage::default(); dataset.tokens.len()];
        let mut calls = vec![Usage::default(); dataset.calls.len()];
        let mut causes = vec![Usage::default(); dataset.causes.len()];
        let mut flows = vec![Usage::default(); dataset.flows.len()];
        let mut oracles = vec![Usage::default(); dataset.oracles.len()];
        let mut seen = vec![usize::MAX; tokens.len()];
        for &at in training {
            let test = &dataset.tests[at];
            let mut mark = |token: u32| {
                if seen[token as usize] != at {
                    seen[token as usize] = at;
                    tokens[token as usize].add(test.project);
                }
            };
            test.words.iter().chain(&test.context).for_each(|it| mark(*it));
            for &tuple in test.paths.iter().flatten() {
                let tuple = dataset.tuples[tuple as usize];
                let edge = dataset.edges[tuple.edge as usize];
                for text in [tuple.node, edge.text] {
                    dataset.texts[text as usize].iter().for_each(|it| mark(*it));
                }
            }
            test.calls.iter().for_each(|it| calls[*it as usize].add(test.project));
            test.causes.iter().for_each(|it| causes[*it as usize].add(test.project));
            test.flows.iter().for_each(|it| flows[*it as usize].add(test.project));
            test.oracles
                .iter()
                .for_each(|it| oracles[*it as usize].add(test.project));
        }
        let kept = |names: &TextSet, usage: &[Usage]| {
            let enough = |it: &Usage| it.tests >= config.min_tests && it.projects >= config.min_projects;
            let kept = names.iter().zip(usage).filter(|(_, usage)| enough(usage));
            Lexicon::new(kept.map(|(name, _)| name.to_owned()).collect(), config.buckets)
        };
        Self {
            tokens: kept(&dataset.tokens, &tokens),
            calls: kept(&dataset.calls, &calls),
            causes: kept(&dataset.causes, &causes),
            flows: kept(&dataset.flows, &flows),
            oracles: kept(&dataset.oracles, &oracles),
            ways: Lexicon::new(Vec::new(), WAY_ROWS),
            measures: (0..MEASURES).map(|at| scale(dataset, training, at)).collect(),
        }
    }

    pub(crate) fn rows(&self, dataset: &Dataset) -> Rows {
        Rows {
            tokens: self.tokens.rows_of(&dataset.tokens),
            calls: self.calls.rows_of(&dataset.calls),
            causes: self.causes.rows_of(&dataset.causes),
            flows: self.flows.rows_of(&dataset.flows),
            oracles: self.oracles.rows_of(&dataset.oracles),
            ways: self.ways.rows_of(&dataset.ways),
        }
    }
}

fn scale(dataset: &Dataset, training: &[usize], at: usize) -> (f32, f32) {
    let values = || training.iter().map(|it| f64::from(dataset.tests[*it].measures[at]));
    #[allow(clippy::cast_precision_loss)]
    let count = training.len().max(1) as f64;
    let mean = values().sum::<f64>() / count;
    let variance = values().map(|it| (it - mean).powi(2)).sum::<f64>() / count;
    #[allow(clippy::cast_possible_truncation)]
    let scale = (mean as f32, variance.sqrt().max(1e-3) as f32);
    scale
}
