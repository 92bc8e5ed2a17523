//! Tests of all rivals, and the small corpora that tests of single rivals use.

use super::{all, named};
use peeler_features::{TestFeatures, TestName, TextList};
use peeler_learning::predictor::{KindLabels, Label, Training, TrainingTest};

/// A sample test whose tokens and words are the words of a text.
pub(super) struct MadeTest {
    name: TestName,
    text: String,
    context: String,
}

impl MadeTest {
    pub(super) fn new(name: &str, text: &str) -> Self {
        Self {
            name: name.parse().expect("the name of a test"),
            text: text.to_owned(),
            context: String::new(),
        }
    }

    /// Sets the words of the sample test's context: its class, imports, fields and setup.
    pub(super) fn within(mut self, context: &str) -> Self {
        context.clone_into(&mut self.context);
        self
    }

    pub(super) fn features(&self) -> TestFeatures<'_> {
        let tokens = TextList::Parts(&self.text);
        TestFeatures {
            lines: u32::try_from(tokens.len()).expect("a short text"),
            words: tokens,
            tokens,
            context_words: TextList::Parts(&self.context),
            ..TestFeatures::empty(&self.name)
        }
    }
}

/// A set of labelled sample tests.
#[derive(Default)]
pub(super) struct Corpus {
    tests: Vec<MadeTest>,
    labels: Vec<(bool, Option<&'static str>)>,
}

impl Corpus {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Adds a test whose tokens and words are the words of `text`.
    pub(super) fn with(mut self, name: &str, text: &str, flaky: bool) -> Self {
        self.tests.push(MadeTest::new(name, text));
        self.labels.push((flaky, None));
        self
    }

    /// Sets the root cause of the test that was added last.
    pub(super) fn caused_by(mut self, category: &'static str) -> Self {
        self.labels.last_mut().expect("a test was added").1 = Some(category);
        self
    }

    /// Sets the words of the context (class, imports, fields and setup) of the test that was added last.
    pub(super) fn within(mut self, context: &str) -> Self {
        let last = self.tests.pop().expect("a test was added");
        self.tests.push(last.within(context));
        self
    }

    pub(super) fn training(&self) -> Training<'_> {
        let tests = self.tests.iter().zip(&self.labels);
        let tests = tests.map(|(test, &(flaky, category))| TrainingTest {
            features: test.features(),
            label: Label {
                flaky,
                category,
                kinds: KindLabels::default(),
            },
            project: 0,
            family: 0,
            fix: None,
        });
        Training { tests: tests.collect() }
    }

    pub(super) fn reversed(&self) -> Training<'_> {
        let mut training = self.training();
        training.tests.reverse();
        training
    }
}

#[test]
fn every_rival_answers_to_its_name() {
    let rivals = all();
    let names: Vec<&str> = rivals.iter().map(|rival| rival.name()).collect();
    assert_eq!(
        names,
        [
            "flast",
            "vocabulary",
            "vocabulary-context",
            "class-rate",
            "length",
            "always"
        ]
    );
    for name in names {
        assert_eq!(named(name).map(|rival| rival.name().to_owned()).as_deref(), Some(name));
    }
    assert!(named("oracle").is_none());
}

#[test]
fn nothing_learned_means_nothing_suspected() {
    let corpus = Corpus::new();
    let sample = MadeTest::new("a.A#a", "sleep wait").within("thread");
    for rival in all().iter().filter(|rival| rival.name() != "always") {
        let prediction = rival.fit(&corpus.training(), 1).predict(&sample.features());
        assert_eq!(prediction.score.to_bits(), 0, "{}", rival.name());
        assert!(prediction.neighbours.is_empty());
    }
}

#[test]
fn training_without_a_flaky_test_suspects_nothing() {
    let corpus = Corpus::new()
        .with("a.A#a", "sleep wait", false)
        .with("a.A#b", "sleep wait join", false)
        .with("b.B#c", "assert", false);
    let sample = MadeTest::new("a.A#d", "sleep wait start join").within("thread");
    for rival in all().iter().filter(|rival| rival.name() != "always") {
        let prediction = rival.fit(&corpus.training(), 1).predict(&sample.features());
        assert_eq!(prediction.score.to_bits(), 0, "{}", rival.name());
        assert_eq!(prediction.category, None);
    }
}

#[test]
fn training_without_a_stable_test_stays_within_bounds() {
    let corpus = Corpus::new()
        .with("a.A#a", "sleep wait", true)
        .with("a.A#b", "sleep wait join", true);
    let sample = MadeTest::new("a.A#d", "sleep start");
    for rival in all() {
        let score = rival.fit(&corpus.training(), 1).predict(&sample.features()).score;
        assert!((0.0..=1.0).contains(&score), "{} gives {score}", rival.name());
    }
}

#[test]
fn the_order_of_the_training_data_does_not_matter() {
    let corpus = Corpus::new()
        .with("a.A#a", "sleep wait join", true)
        .with("a.A#b", "sleep thread start", true)
        .with("b.B#c", "assert equals list size", false)
        .with("b.B#d", "assert equals map size", false)
        .with("b.B#e", "assert thread list", false);
    let sample = MadeTest::new("c.C#f", "sleep list size");
    for rival in all() {
        let forward = rival.fit(&corpus.training(), 1).predict(&sample.features());
        let backward = rival.fit(&corpus.reversed(), 1).predict(&sample.features());
        assert!((forward.score - backward.score).abs() < 1e-6, "{}", rival.name());
        assert_eq!(forward.neighbours, backward.neighbours);
    }
}
