//! Tests of the vocabulary rival.

use super::super::tests::{Corpus, MadeTest};
use super::{StoredWords, Vocabulary, WordWeights};
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
    let read = WordWeights::from_stored(stored).expect("a whole form");
    for sample in &samples {
        let score = |it: &WordWeights| it.predict(&sample.features()).score;
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
        let error = WordWeights::from_stored(stored).expect_err(words).to_string();
        assert!(error.contains(words), "{error}");
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
