//! The words of tests as features of the vocabulary rival: their columns and TF-IDF weights.

use std::collections::BTreeMap;

use peeler_features::{TestFeatures, TextList};
use peeler_learning::predictor::Training;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// The minimum number of training tests in which a word must occur to be a feature.
const LEAST_TESTS: usize = 2;

/// The part of a test that words are taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Source {
    /// Words are taken from the test method.
    Method,
    /// Words are taken from the class, imports, fields and setup of the test.
    Context,
}

impl Source {
    fn words<'t>(self, test: &TestFeatures<'t>) -> TextList<'t> {
        match self {
            Self::Method => test.words,
            Self::Context => test.context_words,
        }
    }
}

/// The words of test methods, or of their contexts, that are features of a model.
#[derive(Debug)]
pub(super) struct Lexicon {
    pub(super) source: Source,
    pub(super) words: FxHashMap<String, Word>,
}

/// A word that is a feature of a model, with its column in the feature matrix.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word {
    pub(super) column: u32,
    /// The inverse document frequency: ln((1 + tests) / (1 + tests with the word)) + 1.
    pub(super) inverse_document_frequency: f64,
}

impl Lexicon {
    /// The words that occur in at least [`LEAST_TESTS`] training tests. In alphabetical order they get the columns from
    /// `first_column` on.
    pub(super) fn of(source: Source, training: &Training<'_>, first_column: usize) -> Self {
        let mut last_seen = FxHashMap::<&str, usize>::default();
        let mut frequencies = FxHashMap::<&str, usize>::default();
        for (index, test) in training.tests.iter().enumerate() {
            for text in source.words(&test.features).iter() {
                if last_seen.insert(text, index) != Some(index) {
                    *frequencies.entry(text).or_default() += 1;
                }
            }
        }
        let tests_with: BTreeMap<&str, usize> = frequencies.into_iter().collect();

        let kept = tests_with.into_iter().filter(|&(_, tests)| tests >= LEAST_TESTS);
        let words = kept.zip(first_column..).map(|((text, tests), column)| {
            let word = Word {
                column: u32::try_from(column).expect("a corpus has fewer than 2^32 words"),
                inverse_document_frequency: ((1.0 + count(training.tests.len())) / (1.0 + count(tests))).ln() + 1.0,
            };
            (text.to_owned(), word)
        });
        Self {
            source,
            words: words.collect(),
        }
    }

    /// Appends the TF-IDF features of a test, scaled to length one. A test without known words has no features.
    fn append_features(&self, test: &TestFeatures<'_>, row: &mut Vec<(u32, f64)>) {
        let start = row.len();
        let mut known: Vec<Word> = self
            .source
            .words(test)
            .iter()
            .filter_map(|text| self.words.get(text).copied())
            .collect();
        known.sort_unstable_by_key(|word| word.column);
        for same in known.chunk_by(|a, b| a.column == b.column) {
            let frequency = 1.0 + count(same.len()).ln();
            row.push((same[0].column, frequency * same[0].inverse_document_frequency));
        }
        let length = row[start..].iter().map(|(_, value)| value * value).sum::<f64>().sqrt();
        for (_, value) in &mut row[start..] {
            *value /= length;
        }
    }
}

/// The non-zero TF-IDF features of a test, as pairs of column and value, sorted by column.
pub(super) fn features(lexicons: &[Lexicon], test: &TestFeatures<'_>) -> Vec<(u32, f64)> {
    let mut row = Vec::new();
    for lexicon in lexicons {
        lexicon.append_features(test, &mut row);
    }
    row
}

#[expect(clippy::cast_precision_loss, reason = "counts of tests and words are far below 2^53")]
fn count(items: usize) -> f64 {
    items as f64
}
