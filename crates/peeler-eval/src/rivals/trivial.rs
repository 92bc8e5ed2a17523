//! Rivals that read almost nothing of a test, to show which part of a score means something.
//!
//! - [`Always`] calls every test flaky. Its precision is the share of flaky tests. A predictor with a lower F1 is worse
//!   than none.
//! - [`ClassRate`] remembers the share of flaky tests of each class. Flaky tests come in clusters, because a problem
//!   often affects several tests of a class. A random split puts tests of one class on both sides, so a good score of
//!   this rival is leakage. With a split that keeps classes together it gives every test the same score.
//! - [`Length`] says that longer tests are flakier. Many features depend on length.
//!
//! None of them reads a token of the source. They give no root causes and no neighbours.

use rustc_hash::FxHashMap;

use peeler_features::TestFeatures;
use peeler_learning::predictor::{Model, Prediction, Predictor, Training};

/// The rival that classifies every test as flaky.
#[derive(Debug, Clone, Copy)]
pub struct Always;

impl Predictor for Always {
    fn name(&self) -> &'static str {
        "always"
    }

    fn fit(&self, _: &Training<'_>, _: u64) -> Box<dyn Model> {
        Box::new(Self)
    }
}

impl Model for Always {
    fn predict(&self, _: &TestFeatures<'_>) -> Prediction {
        Prediction::of(1.0)
    }
}

/// The rival that gives a test the share of flaky tests of its class; for a new class the overall share.
#[derive(Debug, Clone, Copy)]
pub struct ClassRate;

impl Predictor for ClassRate {
    fn name(&self) -> &'static str {
        "class-rate"
    }

    fn fit(&self, training: &Training<'_>, _: u64) -> Box<dyn Model> {
        let mut classes = FxHashMap::<&str, Tally>::default();
        let mut overall = Tally::default();
        for test in &training.tests {
            classes
                .entry(test.features.name.class())
                .or_default()
                .count(test.label.flaky);
            overall.count(test.label.flaky);
        }
        let rates = classes
            .into_iter()
            .map(|(class, tally)| (class.to_owned(), tally.rate()));
        Box::new(ClassRates {
            rates: rates.collect(),
            overall: overall.rate(),
        })
    }
}

#[derive(Debug, Default)]
struct Tally {
    flaky: usize,
    tests: usize,
}

impl Tally {
    fn count(&mut self, flaky: bool) {
        self.flaky += usize::from(flaky);
        self.tests += 1;
    }

    fn rate(&self) -> f32 {
        share(self.flaky, self.tests)
    }
}

/// The model of the rival [`ClassRate`]: the share of flaky tests by class.
#[derive(Debug)]
struct ClassRates {
    rates: FxHashMap<String, f32>,
    overall: f32,
}

impl Model for ClassRates {
    fn predict(&self, test: &TestFeatures<'_>) -> Prediction {
        Prediction::of(self.rates.get(test.name.class()).copied().unwrap_or(self.overall))
    }
}

/// The rival that gives longer tests higher scores, by their rank in lines among the training tests. The median length
/// scores 0.5.
#[derive(Debug, Clone, Copy)]
pub struct Length;

impl Predictor for Length {
    fn name(&self) -> &'static str {
        "length"
    }

    fn fit(&self, training: &Training<'_>, _: u64) -> Box<dyn Model> {
        // Without a flaky training test, length has no relation to flakiness.
        if !training.tests.iter().any(|test| test.label.flaky) {
            return Box::new(Lengths { sorted: Vec::new() });
        }
        let mut sorted: Vec<u32> = training.tests.iter().map(|test| test.features.lines).collect();
        sorted.sort_unstable();
        Box::new(Lengths { sorted })
    }
}

/// The model of the rival [`Length`]: the numbers of lines of the training tests, ascending.
#[derive(Debug)]
struct Lengths {
    sorted: Vec<u32>,
}

impl Model for Lengths {
    fn predict(&self, test: &TestFeatures<'_>) -> Prediction {
        let shorter = self.sorted.partition_point(|&lines| lines < test.lines);
        let not_longer = self.sorted.partition_point(|&lines| lines <= test.lines);
        // The score is the mean rank of all tests of this length.
        Prediction::of(share(shorter + not_longer, 2 * self.sorted.len()))
    }
}

/// A part as a share of the whole: their quotient, or 0 if the whole is 0.
#[expect(clippy::cast_precision_loss, reason = "corpora have fewer than 2^24 tests")]
fn share(part: usize, whole: usize) -> f32 {
    if whole == 0 { 0.0 } else { part as f32 / whole as f32 }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Corpus, MadeTest};
    use super::{Always, ClassRate, Length};
    use peeler_learning::predictor::Predictor;

    fn scores(rival: &dyn Predictor, corpus: &Corpus, tests: &[(&str, &str)]) -> Vec<f32> {
        let tests: Vec<_> = tests.iter().map(|(name, text)| MadeTest::new(name, text)).collect();
        let model = rival.fit(&corpus.training(), 1);
        tests.iter().map(|it| model.predict(&it.features()).score).collect()
    }

    fn clustered() -> Corpus {
        Corpus::new()
            .with("a.Net#one", "a", true)
            .with("a.Net#two", "a b c", true)
            .with("a.Net#three", "a b c d e", false)
            .with("a.Maths#one", "a b c d e f g", false)
            .with("a.Maths#two", "a b c d e f g h i", false)
    }

    #[test]
    fn always_is_always_sure() {
        assert_eq!(scores(&Always, &Corpus::new(), &[("a.A#a", "")]), [1.0]);
    }

    #[test]
    fn class_rate_memorises_classes() {
        let seen = [("a.Net#four", ""), ("a.Maths#three", "")];
        assert_eq!(scores(&ClassRate, &clustered(), &seen), [2.0 / 3.0, 0.0]);
    }

    #[test]
    fn a_new_class_gets_the_overall_rate_even_if_its_name_starts_alike() {
        let unseen = [("a.NetTest#one", ""), ("b.Net#one", ""), ("Net#one", "")];
        assert_eq!(scores(&ClassRate, &clustered(), &unseen), [0.4, 0.4, 0.4]);
    }

    #[test]
    fn longer_tests_rank_higher_and_the_median_is_one_half() {
        let lengths = [
            ("x#0", ""),
            ("x#2", "a b"),
            ("x#5", "a b c d e"),
            ("x#10", "a b c d e f g h i j"),
        ];
        assert_eq!(scores(&Length, &clustered(), &lengths), [0.0, 0.2, 0.5, 1.0]);
    }
}
