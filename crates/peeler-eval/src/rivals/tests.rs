//! Tests of all rivals, and the small corpora that tests of single rivals use.

use super::{all, named};
use peeler_features::{GraphRecord, ReachRecord, Sample, Tables};
use peeler_learning::predictor::{Label, Training};

/// Tests written as text, with the string table that real corpora share.
pub(super) struct Corpus {
    pub(super) strings: Vec<String>,
    pub(super) samples: Vec<Sample>,
    labels: Vec<(bool, Option<&'static str>)>,
}

impl Corpus {
    pub(super) fn new() -> Self {
        Self {
            strings: Vec::new(),
            samples: Vec::new(),
            labels: Vec::new(),
        }
    }

    /// Adds a test whose tokens and words are the words of `text`.
    pub(super) fn with(mut self, name: &str, text: &str, flaky: bool) -> Self {
        let sample = self.sample(name, text, "");
        self.samples.push(sample);
        self.labels.push((flaky, None));
        self
    }

    /// Names the root cause of the test added last.
    pub(super) fn caused_by(mut self, category: &'static str) -> Self {
        self.labels.last_mut().expect("a test was added").1 = Some(category);
        self
    }

    /// Gives the test added last a context.
    pub(super) fn within(mut self, context: &str) -> Self {
        let words = self.texts(context);
        self.samples.last_mut().expect("a test was added").context_words = words;
        self
    }

    /// A sample that is not part of the training data.
    pub(super) fn sample(&mut self, name: &str, text: &str, context: &str) -> Sample {
        let tokens = self.texts(text);
        Sample {
            project: 0,
            name: name.to_owned(),
            group: 0,
            family: 0,
            lines: u32::try_from(tokens.len()).expect("a short text"),
            words: tokens.clone(),
            tokens,
            context_words: self.texts(context),
            graph: GraphRecord::default(),
            reach: ReachRecord::default(),
            causes: Vec::new(),
        }
    }

    pub(super) fn training(&self) -> Training<'_> {
        let labels = self.labels.iter().map(|&(flaky, category)| Label { flaky, category });
        Training {
            tables: self.tables(),
            samples: self.samples.iter().zip(labels).collect(),
        }
    }

    pub(super) fn tables(&self) -> Tables<'_> {
        Tables {
            strings: &self.strings,
            methods: &[],
        }
    }

    pub(super) fn reversed(&self) -> Training<'_> {
        let mut training = self.training();
        training.samples.reverse();
        training
    }

    fn texts(&mut self, text: &str) -> Vec<u32> {
        let mut texts = Vec::new();
        for word in text.split_whitespace() {
            let known = self.strings.iter().position(|string| string == word);
            let index = known.unwrap_or_else(|| {
                self.strings.push(word.to_owned());
                self.strings.len() - 1
            });
            texts.push(u32::try_from(index).expect("a small table"));
        }
        texts
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
    let mut corpus = Corpus::new();
    let sample = corpus.sample("a.A#a", "sleep wait", "thread");
    for rival in all().iter().filter(|rival| rival.name() != "always") {
        let prediction = rival.fit(&corpus.training(), 1).predict(&sample, corpus.tables());
        assert_eq!(prediction.score.to_bits(), 0, "{}", rival.name());
        assert!(prediction.neighbours.is_empty());
    }
}

#[test]
fn training_without_a_flaky_test_suspects_nothing() {
    let mut corpus = Corpus::new()
        .with("a.A#a", "sleep wait", false)
        .with("a.A#b", "sleep wait join", false)
        .with("b.B#c", "assert", false);
    let sample = corpus.sample("a.A#d", "sleep wait start join", "thread");
    for rival in all().iter().filter(|rival| rival.name() != "always") {
        let prediction = rival.fit(&corpus.training(), 1).predict(&sample, corpus.tables());
        assert_eq!(prediction.score.to_bits(), 0, "{}", rival.name());
        assert_eq!(prediction.category, None);
    }
}

#[test]
fn training_without_a_stable_test_stays_within_bounds() {
    let mut corpus = Corpus::new()
        .with("a.A#a", "sleep wait", true)
        .with("a.A#b", "sleep wait join", true);
    let sample = corpus.sample("a.A#d", "sleep start", "");
    for rival in all() {
        let score = rival.fit(&corpus.training(), 1).predict(&sample, corpus.tables()).score;
        assert!((0.0..=1.0).contains(&score), "{} gives {score}", rival.name());
    }
}

#[test]
fn the_order_of_the_training_data_does_not_matter() {
    let mut corpus = Corpus::new()
        .with("a.A#a", "sleep wait join", true)
        .with("a.A#b", "sleep thread start", true)
        .with("b.B#c", "assert equals list size", false)
        .with("b.B#d", "assert equals map size", false)
        .with("b.B#e", "assert thread list", false);
    let sample = corpus.sample("c.C#f", "sleep list size", "");
    for rival in all() {
        let forward = rival.fit(&corpus.training(), 1).predict(&sample, corpus.tables());
        let backward = rival.fit(&corpus.reversed(), 1).predict(&sample, corpus.tables());
        assert!((forward.score - backward.score).abs() < 1e-6, "{}", rival.name());
        assert_eq!(forward.neighbours, backward.neighbours);
    }
}
