//! The vocabulary of flaky tests (Pinto et al., 2020): some words, `sleep` or `latch`, give a test away.
//!
//! A test is the bag of its sub-tokens, weighted by TF-IDF as scikit-learn does it (1 + ln tf, smoothed idf,
//! rows of length one), and a logistic regression with L2 penalty weighs the words. Both classes count the
//! same in total, however rare flaky tests are. The original feeds a random forest; a linear model is
//! deterministic, has one setting instead of many, and its weights say which words it goes by.
//!
//! `vocabulary-context` reads what stands around a test as well. The words of the context are features of
//! their own, normalised by themselves: `sleep` in a setup method is not `sleep` in the test, and a hundred
//! imports must not drown ten words of a method.
//!
//! The invariant: nothing is random and features are known by their text, so the seed is ignored and a model
//! works on any corpus. Left out: words of a single training test, n-grams, Java keywords as such, and any
//! choice of the penalty by the data.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use peeler_features::{TestFeatures, TextList};
use peeler_learning::predictor::{Model, Prediction, Predictor, Training};
use peeler_learning::regression::{Example, regression, sigmoid};

/// C of scikit-learn: what an error costs, relative to the penalty on weights.
///
/// The default of 1 is meant for features of unit variance. In a row of length one with some forty words, a
/// word has a value of about 0.15. To move the log-odds by one, its weight must be six or seven, which the
/// penalty holds against a handful of tests unless their errors cost more. Hence ten times the default, fixed
/// before any corpus was scored.
const ERROR_COST: f64 = 10.0;

/// Words in fewer training tests can only memorise.
const LEAST_TESTS: usize = 2;

/// The vocabulary rival.
#[derive(Debug, Clone, Copy)]
pub struct Vocabulary {
    name: &'static str,
    sources: &'static [Source],
}

/// Where words are taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Source {
    Method,
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

impl Vocabulary {
    /// Reads the words of the test method.
    #[must_use]
    pub fn of_method() -> Self {
        Self {
            name: "vocabulary",
            sources: &[Source::Method],
        }
    }

    /// Reads the words of the test method, and those of its class, imports, fields and setup.
    #[must_use]
    pub fn with_context() -> Self {
        Self {
            name: "vocabulary-context",
            sources: &[Source::Method, Source::Context],
        }
    }

    /// Learns as [`Predictor::fit`] does, and returns a model that can be asked for its words.
    #[must_use]
    pub fn learn(&self, training: &Training<'_>) -> WeighedWords {
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
            // The limit of a regression that has seen one class only.
            return WeighedWords {
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
            })
            .collect();
        let mut weights = regression(&examples, columns);
        let intercept = weights[columns];
        weights.truncate(columns);
        WeighedWords {
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

/// The words of one source that are features.
#[derive(Debug)]
struct Lexicon {
    source: Source,
    words: FxHashMap<String, Word>,
}

#[derive(Debug, Clone, Copy)]
struct Word {
    column: u32,
    /// ln((1 + tests) / (1 + tests with the word)) + 1.
    inverse_document_frequency: f64,
}

impl Lexicon {
    /// The words of the training data, with columns from `first_column` on in alphabetical order.
    fn of(source: Source, training: &Training<'_>, first_column: usize) -> Self {
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

    /// Appends the TF-IDF row of a test, of length one unless no word of the test is known.
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

/// The features of a test that are not zero, by column.
fn features(lexicons: &[Lexicon], test: &TestFeatures<'_>) -> Vec<(u32, f64)> {
    let mut row = Vec::new();
    for lexicon in lexicons {
        lexicon.append_features(test, &mut row);
    }
    row
}

/// What the vocabulary rival has learned.
#[derive(Debug)]
pub struct WeighedWords {
    lexicons: Vec<Lexicon>,
    /// By column.
    weights: Vec<f64>,
    intercept: f64,
}

/// The form in a file: by source its words in alphabetical order.
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

impl WeighedWords {
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

    /// What is wrong with the stored form, in words, where something is.
    pub(super) fn from_stored(stored: StoredWords) -> Result<Self, String> {
        if !stored.intercept.is_finite() {
            return Err(format!("an intercept of {}", stored.intercept));
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
                    return Err(format!("a word of weight {weight} and inverse frequency {rarity}"));
                }
                let word = Word {
                    column: u32::try_from(weights.len()).map_err(|error| error.to_string())?,
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

    /// How many words are weighed.
    #[must_use]
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Whether no word is weighed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// The words that speak most for flakiness with their weights, heaviest first. Words of the context read
    /// `context:word`.
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

impl Model for WeighedWords {
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
mod tests {
    use super::super::tests::{Corpus, MadeTest};
    use super::{StoredWords, Vocabulary, WeighedWords};
    use peeler_learning::predictor::{Model, Predictor, TrainingTest};
    use peeler_learning::regression::sigmoid;

    fn toy() -> Corpus {
        Corpus::new()
            .with("a.A#a", "thread sleep wait value", true)
            .with("a.A#b", "sleep start value", true)
            .with("a.A#c", "assert value size", false)
            .with("a.A#d", "assert value equals size", false)
            .with("a.A#e", "thread value equals", false)
            .with("a.A#f", "start list size value", false)
    }

    #[test]
    fn a_toy_set_is_separated() {
        let corpus = toy();
        let model = Vocabulary::of_method().fit(&corpus.training(), 1);
        for TrainingTest { features, label, .. } in &corpus.training().tests {
            let score = model.predict(features).score;
            assert_eq!(score >= 0.5, label.flaky, "{} scores {score}", features.name);
        }
    }

    #[test]
    fn the_discriminating_word_weighs_most() {
        let heaviest = Vocabulary::of_method().learn(&toy().training()).heaviest(2);
        assert_eq!(heaviest[0].0, "sleep");
        assert!(heaviest[0].1 > 2.0 * heaviest[1].1);
    }

    #[test]
    fn words_of_a_single_test_are_no_features() {
        let words = Vocabulary::of_method().learn(&toy().training()).heaviest(100);
        assert!(words.iter().all(|(word, _)| word != "wait" && word != "list"));
        assert_eq!(words.len(), 7);
    }

    #[test]
    fn a_word_of_the_context_is_not_the_same_word_of_the_method() {
        let corpus = Corpus::new()
            .with("a.A#a", "get value", true)
            .within("socket test")
            .with("a.A#b", "get size", true)
            .within("socket test")
            .with("a.A#c", "socket value", false)
            .within("list test")
            .with("a.A#d", "socket size", false)
            .within("list test");
        let model = Vocabulary::with_context().learn(&corpus.training());
        let weights: std::collections::BTreeMap<_, _> = model.heaviest(100).into_iter().collect();
        assert!(weights["context:socket"] > 0.1 && weights["socket"] < -0.1);

        let sample = MadeTest::new("q.Q#q", "value").within("socket test");
        assert!(model.predict(&sample.features()).score > 0.5);
        let blind = Vocabulary::of_method().learn(&corpus.training());
        assert!((blind.predict(&sample.features()).score - 0.5).abs() < 1e-4);
    }

    #[test]
    fn unseen_words_leave_the_intercept() {
        let corpus = toy();
        let model = Vocabulary::of_method().learn(&corpus.training());
        let unseen = MadeTest::new("q.Q#q", "nobody wrote this");
        let sleeper = MadeTest::new("q.Q#q", "sleep");
        let baseline = model.predict(&unseen.features()).score;
        assert!((f64::from(baseline) - sigmoid(model.intercept)).abs() < 1e-6);
        assert!(model.predict(&sleeper.features()).score > baseline);
    }

    #[test]
    fn rows_have_length_one_in_each_source() {
        let corpus = toy();
        let model = Vocabulary::of_method().learn(&corpus.training());
        for test in &corpus.training().tests {
            let row = super::features(&model.lexicons, &test.features);
            assert!((row.iter().map(|(_, value)| value * value).sum::<f64>() - 1.0).abs() < 1e-12);
            assert!(row.is_sorted_by(|a, b| a.0 < b.0));
        }
    }

    #[test]
    fn a_stored_form_judges_the_same_to_single_precision_and_is_stored_the_same() {
        let corpus = toy().with("a.A#g", "value", false).within("socket test");
        let samples = [
            MadeTest::new("q.Q#a", "sleep sleep value").within("socket"),
            MadeTest::new("q.Q#b", "nobody wrote this"),
        ];
        let model = Vocabulary::with_context().learn(&corpus.training());
        let bytes = postcard::to_stdvec(&model.stored()).expect("plain data");
        let stored = postcard::from_bytes(&bytes).expect("what was written");
        let read = WeighedWords::from_stored(stored).expect("a whole form");
        for sample in &samples {
            let score = |it: &WeighedWords| it.predict(&sample.features()).score;
            assert!((score(&model) - score(&read)).abs() < 1e-6);
        }
        assert_eq!(read.stored(), model.stored());
        assert_eq!(read.len(), model.len());
    }

    #[test]
    fn a_stored_form_with_impossible_numbers_is_refused() {
        let refused = |spoil: &dyn Fn(&mut StoredWords), words: &str| {
            let mut stored = Vocabulary::of_method().learn(&toy().training()).stored();
            spoil(&mut stored);
            let said = WeighedWords::from_stored(stored).expect_err(words);
            assert!(said.contains(words), "{said}");
        };
        refused(&|it| it.intercept = f64::INFINITY, "intercept of inf");
        refused(
            &|it| it.sources[0].1[0].inverse_document_frequency = 0.0,
            "inverse frequency 0",
        );
        refused(&|it| it.sources[0].1[0].weight = f32::NAN, "weight NaN");
    }

    #[test]
    fn classes_weigh_the_same_however_rare_one_is() {
        let mut corpus = Corpus::new();
        for index in 0..50 {
            corpus = corpus.with(&format!("a.A#s{index}"), "value", false);
        }
        for index in 0..2 {
            corpus = corpus.with(&format!("a.A#f{index}"), "value", true);
        }
        let sample = MadeTest::new("q.Q#q", "value");
        let score = Vocabulary::of_method()
            .learn(&corpus.training())
            .predict(&sample.features())
            .score;
        assert!((score - 0.5).abs() < 1e-3, "{score}");
    }
}
