//! The vocabulary of flaky tests (Pinto et al., 2020): some words, such as `sleep` or `latch`, are typical of them.
//!
//! A test is the bag of its sub-tokens, weighted by TF-IDF like in scikit-learn (1 + ln tf, smoothed idf, rows of
//! length one). A logistic regression with L2 penalty weighs the words. Both labels have the same total weight. The
//! original uses a random forest; a linear model is deterministic, has one setting, and its weights explain a
//! prediction.
//!
//! `vocabulary-context` also reads the context of a test: class, imports, fields and setup. Words of the context are
//! separate features with their own normalisation. So `sleep` in a setup method is not `sleep` in the test, and many
//! imports do not outweigh a few words of the method.
//!
//! Invariant: nothing is random and features are identified by their text. The seed is ignored, and a model works on
//! any corpus.
//!
//! Left out: words of a single training test, n-grams, a special treatment of Java keywords, and any choice of the
//! penalty by the data.

use peeler_features::TestFeatures;
use peeler_learning::predictor::{Model, Prediction, Predictor, Training};
use peeler_learning::regression::{Example, ExampleOf, regression, sigmoid};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::invalid_model::InvalidModel;
use super::lexicon::{Lexicon, Source, Word, features};

/// The cost of an error relative to the penalty on weights, C in scikit-learn.
///
/// The default of 1 is meant for features of unit variance. In a row of length one with about forty words, a word has
/// a value of about 0.15. To change the log-odds by one, its weight must be six or seven, which the penalty prevents
/// if few tests support it. The cost is therefore ten times the default. It was fixed before any corpus was scored.
const ERROR_COST: f64 = 10.0;

/// The rival that judges a test by the words in it, with a weight for each word.
#[derive(Debug, Clone, Copy)]
pub struct Vocabulary {
    name: &'static str,
    sources: &'static [Source],
}

impl Vocabulary {
    /// The rival `vocabulary`, which reads the words of the test method.
    #[must_use]
    pub fn of_method() -> Self {
        Self {
            name: "vocabulary",
            sources: &[Source::Method],
        }
    }

    /// The rival `vocabulary-context`, which also reads the words of the class, imports, fields and setup.
    #[must_use]
    pub fn with_context() -> Self {
        Self {
            name: "vocabulary-context",
            sources: &[Source::Method, Source::Context],
        }
    }

    /// Learns from labelled tests, like [`Predictor::fit`], but returns the model as its own type, not as a trait
    /// object.
    #[must_use]
    pub fn learn(&self, training: &Training<'_>) -> WordWeights {
        let mut lexicons = Vec::new();
        let mut columns = 0;
        for &source in self.sources {
            let lexicon = Lexicon::of(source, training, columns);
            columns += lexicon.words.len();
            lexicons.push(lexicon);
        }

        let flaky = training.tests.iter().filter(|it| it.label.flaky).count();
        let stable = training.tests.len() - flaky;
        if flaky == 0 || stable == 0 {
            // With training tests of one class only, the regression converges to this limit.
            return WordWeights {
                lexicons,
                weights: vec![0.0; columns],
                intercept: if flaky == 0 { f64::NEG_INFINITY } else { f64::INFINITY },
            };
        }

        let balanced = |class: usize| ERROR_COST * count(training.tests.len()) / (2.0 * count(class));
        let examples: Vec<Example> = training
            .tests
            .iter()
            .map(|it| Example {
                features: features(&lexicons, &it.features),
                flaky: it.label.flaky,
                cost: balanced(if it.label.flaky { flaky } else { stable }),
                of: ExampleOf::Test,
            })
            .collect();
        let mut weights = regression(&examples, columns);
        let intercept = weights[columns];
        weights.truncate(columns);
        WordWeights {
            lexicons,
            weights,
            intercept,
        }
    }
}

impl Predictor for Vocabulary {
    fn name(&self) -> &'static str {
        self.name
    }

    fn fit(&self, training: &Training<'_>, _: u64) -> Box<dyn Model> {
        Box::new(self.learn(training))
    }
}

/// The model of the vocabulary rival: words with weights.
#[derive(Debug)]
pub struct WordWeights {
    lexicons: Vec<Lexicon>,
    /// The weight of each word, by the column of the word.
    weights: Vec<f64>,
    intercept: f64,
}

/// The stored form of a vocabulary model: its words by the part of a test that they come from, sorted.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredWords {
    sources: Vec<(Source, Vec<StoredWord>)>,
    intercept: f64,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct StoredWord {
    text: String,
    inverse_document_frequency: f32,
    weight: f32,
}

impl WordWeights {
    #[expect(clippy::cast_possible_truncation, reason = "single precision is ample for a weight")]
    pub(super) fn stored(&self) -> StoredWords {
        let words = |lexicon: &Lexicon| {
            let mut words: Vec<_> = lexicon.words.iter().collect();
            words.sort_unstable_by_key(|(_, word)| word.column);
            let values = |(text, word): (&String, &Word)| StoredWord {
                text: text.clone(),
                inverse_document_frequency: word.inverse_document_frequency as f32,
                weight: self.weights[word.column as usize] as f32,
            };
            words.into_iter().map(values).collect()
        };
        StoredWords {
            sources: self.lexicons.iter().map(|it| (it.source, words(it))).collect(),
            intercept: self.intercept,
        }
    }

    /// The vocabulary model of a stored form, or the reason why the form is invalid.
    pub(super) fn from_stored(stored: StoredWords) -> Result<Self, InvalidModel> {
        if !stored.intercept.is_finite() {
            return Err(InvalidModel::Intercept(stored.intercept));
        }
        let (mut lexicons, mut weights) = (Vec::new(), Vec::new());
        for (source, words) in stored.sources {
            let mut known = FxHashMap::default();
            for word in words {
                let StoredWord {
                    text,
                    inverse_document_frequency: rarity,
                    weight,
                } = word;
                if !weight.is_finite() || !rarity.is_finite() || rarity <= 0.0 {
                    return Err(InvalidModel::Word {
                        weight,
                        inverse_frequency: rarity,
                    });
                }
                let word = Word {
                    column: u32::try_from(weights.len()).map_err(|_| InvalidModel::TooManyWords)?,
                    inverse_document_frequency: f64::from(rarity),
                };
                weights.push(f64::from(weight));
                known.insert(text, word);
            }
            lexicons.push(Lexicon { source, words: known });
        }
        Ok(Self {
            lexicons,
            weights,
            intercept: stored.intercept,
        })
    }

    /// The number of words of the vocabulary model.
    #[must_use]
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Whether the vocabulary model has no words.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// The `most` words with the highest weights, heaviest first. Words of the context have the prefix `context:`.
    #[must_use]
    pub fn heaviest(&self, most: usize) -> Vec<(String, f64)> {
        let mut words: Vec<(String, f64)> = Vec::new();
        for lexicon in &self.lexicons {
            let prefix = if lexicon.source == Source::Context {
                "context:"
            } else {
                ""
            };
            for (text, word) in &lexicon.words {
                words.push((format!("{prefix}{text}"), self.weights[word.column as usize]));
            }
        }
        words.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        words.truncate(most);
        words
    }
}

impl Model for WordWeights {
    fn predict(&self, test: &TestFeatures<'_>) -> Prediction {
        let row = features(&self.lexicons, test);
        let log_odds = self.intercept
            + row
                .iter()
                .map(|&(column, value)| self.weights[column as usize] * value)
                .sum::<f64>();
        #[expect(clippy::cast_possible_truncation, reason = "scores are single precision")]
        Prediction::of(sigmoid(log_odds) as f32)
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of tests and words are far below 2^53")]
fn count(items: usize) -> f64 {
    items as f64
}

#[cfg(test)]
mod tests;
