//! Tests that a predictor cannot see the labels of the tests it is evaluated on.

mod made;

use std::collections::BTreeMap;

use peeler_eval::evaluation::{Settings, evaluate};
use peeler_eval::splits::Split;
use peeler_features::{TestFeatures, TextList};
use peeler_learning::predictor::{Model, Prediction, Predictor, Training};

/// A predictor that stores the labels of its training tests by name, index, address and content, and returns them for
/// matching tests.
struct Cheat;

struct Memory {
    names: BTreeMap<String, bool>,
    contents: BTreeMap<Vec<String>, bool>,
    addresses: BTreeMap<usize, bool>,
}

impl Predictor for Cheat {
    fn name(&self) -> &'static str {
        "cheat"
    }

    fn fit(&self, training: &Training<'_>, _: u64) -> Box<dyn Model> {
        let mut memory = Memory {
            names: BTreeMap::new(),
            contents: BTreeMap::new(),
            addresses: BTreeMap::new(),
        };
        for test in &training.tests {
            let (features, flaky) = (&test.features, test.label.flaky);
            memory.names.insert(features.name.to_string(), flaky);
            memory.contents.insert(content(features), flaky);
            memory.addresses.insert(address(features), flaky);
        }
        Box::new(memory)
    }
}

/// All features that distinguish the tests of the sample corpus.
fn content(test: &TestFeatures<'_>) -> Vec<String> {
    let mut content = vec![test.name.class().to_owned(), test.lines.to_string()];
    content.extend(test.tokens.iter().chain(test.words.iter()).map(str::to_owned));
    content
}

/// The address of a test's words in memory, which is the same for every view of the test.
fn address(test: &TestFeatures<'_>) -> usize {
    match test.words {
        TextList::Numbered { numbers, .. } => numbers.as_ptr() as usize,
        TextList::Slice(texts) => texts.as_ptr() as usize,
        TextList::Parts(text) => text.as_ptr() as usize,
    }
}

impl Model for Memory {
    fn predict(&self, test: &TestFeatures<'_>) -> Prediction {
        let remembered = self
            .names
            .get(test.name.as_str())
            .or_else(|| self.addresses.get(&address(test)))
            .or_else(|| self.contents.get(&content(test)));
        Prediction::of(match remembered {
            Some(true) => 1.0,
            Some(false) => 0.0,
            None => 0.5,
        })
    }
}

#[test]
fn whatever_it_remembers_a_predictor_is_asked_about_other_tests() {
    let corpus = made::corpus(4, 10, 10);
    for split in [Split::Random, Split::Class, Split::Family, Split::Project] {
        let settings = Settings {
            split,
            folds: 10,
            seed: 3,
            category: None,
            fixes: None,
            learns_fixes: false,
        };
        let predictors: Vec<Box<dyn Predictor>> = vec![Box::new(Cheat)];
        let evaluation = evaluate(&corpus, &predictors, settings, |_, _| ());
        let model = &evaluation.models[0];
        // No stored label matches a test of the test side, so every prediction is the one for unknown tests.
        assert!(
            model
                .predictions
                .iter()
                .all(|it| (it.prediction.score - 0.5).abs() < 1e-6),
            "{split:?}"
        );
        assert!(
            (model.pooled.average_precision - 0.2).abs() < 1e-9,
            "{split:?}: no better than the base rate"
        );
    }
}

#[test]
fn the_same_evaluation_twice_is_the_same() {
    let corpus = made::corpus(4, 10, 10);
    let run = || {
        let settings = Settings {
            split: Split::Class,
            folds: 5,
            seed: 3,
            category: None,
            fixes: None,
            learns_fixes: false,
        };
        evaluate(&corpus, &peeler_eval::rivals::all(), settings, |_, _| ())
    };
    assert_eq!(run(), run());
}
