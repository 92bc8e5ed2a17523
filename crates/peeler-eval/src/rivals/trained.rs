//! A rival that can score repositories: its model with a calibration and a threshold.
//!
//! Calibration and threshold are chosen like those of the network. One copy learns without the validation part and
//! predicts that part. Then the final model learns from everything.

use super::condensed::CondensedTests;
use super::neighbours::NEIGHBOURS;
use super::vocabulary::{Vocabulary, WordWeights};
use peeler_features::TestFeatures;
use peeler_learning::calibration::{Calibration, logit};
use peeler_learning::metrics::{average_precision, best_threshold};
use peeler_learning::predictor::{Model, Training, TrainingSide};

/// A rival: a method of the literature that Peeler's network is compared with. Those here can also score repositories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rival {
    /// FLAST, which compares a test with known tests.
    Flast,
    /// The vocabulary: a logistic regression over the words of a test.
    Vocabulary,
}

impl Rival {
    /// All rival methods that can score repositories.
    pub const ALL: [Self; 2] = [Self::Flast, Self::Vocabulary];

    /// The name of the rival method on the command line and in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Flast => "flast",
            Self::Vocabulary => "vocabulary",
        }
    }

    /// The rival method with this name, if it can score repositories.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }

    fn learn(self, training: &Training<'_>, seed: u64) -> RivalModel {
        match self {
            Self::Flast => RivalModel::Flast(CondensedTests::learn(training, seed)),
            Self::Vocabulary => RivalModel::Vocabulary(Vocabulary::of_method().learn(training)),
        }
    }
}

/// The trained model of a rival, without its calibration.
#[derive(Debug)]
pub enum RivalModel {
    /// FLAST with the tests that it knows.
    Flast(CondensedTests),
    /// The vocabulary with the weights of its words.
    Vocabulary(WordWeights),
}

impl RivalModel {
    /// The rival method that the model belongs to.
    #[must_use]
    pub fn rival(&self) -> Rival {
        match self {
            Self::Flast(_) => Rival::Flast,
            Self::Vocabulary(_) => Rival::Vocabulary,
        }
    }

    /// The log-odds that each test is flaky, before calibration.
    fn logits(&self, tests: &[&TestFeatures<'_>]) -> Vec<f32> {
        let (model, likely): (&dyn Model, fn(f32) -> f32) = match self {
            Self::Flast(tests) => (tests, after_votes),
            Self::Vocabulary(words) => (words, |score| score),
        };
        let predictions = model.predict_all(tests);
        predictions.iter().map(|it| logit(likely(it.score))).collect()
    }

    /// The share of flaky tests in the training data of the model. It is 0.5 for the vocabulary, whose training gives
    /// flaky and stable tests the same total weight.
    fn flaky_share(&self) -> f64 {
        match self {
            Self::Flast(tests) => {
                let (all, flaky) = tests.tests();
                share(flaky, all)
            }
            // Both classes have the same weight in the regression.
            Self::Vocabulary(_) => 0.5,
        }
    }
}

/// A rival method with its trained model, calibration and threshold.
#[derive(Debug)]
pub struct TrainedRival {
    /// The trained model of the rival.
    pub learned: RivalModel,
    /// The conversion from log-odds of the model to probabilities.
    pub calibration: Calibration,
    /// The probability from which on tests are classified as flaky.
    pub threshold: f32,
}

impl TrainedRival {
    /// Trains a rival.
    ///
    /// Also returns the average precision on the validation part, of a model that was trained without that part.
    #[must_use]
    pub fn train(rival: Rival, side: &TrainingSide<'_>, seed: u64) -> (Self, f64) {
        let scout = rival.learn(&side.training, seed);
        let validation = &side.validation.tests;
        let features: Vec<&TestFeatures<'_>> = validation.iter().map(|it| &it.features).collect();
        let labels: Vec<bool> = validation.iter().map(|it| it.label.flaky).collect();
        let logits = scout.logits(&features);
        let flaky = side.both.tests.iter().filter(|it| it.label.flaky).count();
        let real_share = share(flaky, side.both.tests.len());
        let calibration = Calibration::fit(&logits, &labels, scout.flaky_share(), real_share);
        let probabilities: Vec<f32> = logits.iter().map(|it| calibration.probability(*it)).collect();
        let trained = Self {
            learned: rival.learn(&side.both, seed),
            calibration,
            threshold: best_threshold(&probabilities, &labels),
        };
        (trained, average_precision(&probabilities, &labels))
    }

    /// The probabilities that tests are flaky, in the order of the tests.
    #[must_use]
    pub fn probabilities(&self, tests: &[&TestFeatures<'_>]) -> Vec<f32> {
        let logits = self.learned.logits(tests);
        logits.into_iter().map(|it| self.calibration.probability(it)).collect()
    }
}

/// The share of flaky votes by Laplace's rule of succession, so that seven of seven votes do not give a probability of
/// 1.
#[expect(clippy::cast_precision_loss, reason = "a handful of votes")]
fn after_votes(share: f32) -> f32 {
    let votes = NEIGHBOURS as f32;
    (share * votes + 1.0) / (votes + 2.0)
}

#[expect(clippy::cast_precision_loss, reason = "counts of tests are far below 2^53")]
fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Corpus, MadeTest};
    use super::{Rival, TrainedRival};
    use peeler_learning::predictor::{Training, TrainingSide};

    /// A corpus of ninety stable tests and ten flaky ones that sleep.
    fn crowd() -> Corpus {
        let mut corpus = Corpus::new();
        for index in 0..100 {
            let flaky = index % 10 == 0;
            let text = if flaky {
                format!("Thread . sleep ( w{} ) latch", index % 7)
            } else {
                format!("assert equals w{} list{} size", index % 7, index % 11)
            };
            corpus = corpus.with(&format!("a.A#t{index:03}"), &text, flaky);
        }
        corpus
    }

    /// A training side that uses a quarter of the tests for validation.
    fn side(corpus: &Corpus) -> TrainingSide<'_> {
        let both = corpus.training();
        let numbered = || both.tests.iter().cloned().enumerate();
        let part = |tests: Vec<_>| Training { tests };
        let validates = |at: usize| at % 20 < 5;
        TrainingSide {
            training: part(numbered().filter(|it| !validates(it.0)).map(|it| it.1).collect()),
            validation: part(numbered().filter(|it| validates(it.0)).map(|it| it.1).collect()),
            both: corpus.training(),
        }
    }

    #[test]
    fn both_rivals_tell_sleepers_apart_at_the_threshold_that_validation_chose() {
        let corpus = crowd();
        let sleeper = MadeTest::new("q.Q#a", "Thread . sleep ( w3 ) latch");
        let lister = MadeTest::new("q.Q#b", "assert equals w3 list2 size");
        for rival in Rival::ALL {
            let (trained, validation) = TrainedRival::train(rival, &side(&corpus), 1);
            assert_eq!(trained.learned.rival(), rival);
            assert!(validation > 0.99, "{rival:?} ranks with {validation}");
            let judged = trained.probabilities(&[&sleeper.features(), &lister.features()]);
            assert!(judged[0] >= trained.threshold, "{rival:?} {judged:?}");
            assert!(judged[1] < trained.threshold, "{rival:?} {judged:?}");
        }
    }

    #[test]
    fn a_test_of_which_nothing_is_known_is_as_rarely_flaky_as_tests_are() {
        let mut corpus = Corpus::new();
        for index in 0..100 {
            corpus = corpus.with(&format!("a.A#t{index:03}"), "value", index % 10 == 0);
        }
        let sample = MadeTest::new("q.Q#a", "value");
        let (trained, _) = TrainedRival::train(Rival::Vocabulary, &side(&corpus), 1);
        let probability = trained.probabilities(&[&sample.features()])[0];
        // The raw score is one half, because both classes have the same weight.
        assert!((0.02..0.25).contains(&probability), "{probability}");
    }

    #[test]
    fn no_test_is_certainly_flaky_or_certainly_stable_by_its_neighbours() {
        let corpus = crowd();
        let twin = MadeTest::new("q.Q#a", "Thread . sleep ( w0 ) latch");
        let lister = MadeTest::new("q.Q#b", "assert equals w3 list2 size");
        let (trained, _) = TrainedRival::train(Rival::Flast, &side(&corpus), 1);
        let judged = trained.probabilities(&[&twin.features(), &lister.features()]);
        assert!(judged[0] < 0.999 && judged[1] > 0.0001, "{judged:?}");
    }

    #[test]
    fn rivals_answer_to_their_names() {
        for rival in Rival::ALL {
            assert_eq!(Rival::named(rival.name()), Some(rival));
            assert!(super::super::named(rival.name()).is_some());
        }
        assert_eq!(Rival::named("vocabulary-context"), None);
    }
}
