//! A predictor cannot see the labels of the tests it is judged by.

mod made;

use std::collections::BTreeMap;

use peeler_eval::evaluation::{Settings, evaluate};
use peeler_eval::splits::Split;
use peeler_features::{Sample, Tables};
use peeler_learning::predictor::{Model, Prediction, Predictor, Training};

/// Remembers everything it was ever told about a test: by name, by place, by address, by content, and
/// answers with it.
struct Cheat;

struct Memory {
    names: BTreeMap<String, bool>,
    contents: BTreeMap<Vec<u32>, bool>,
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
        for (sample, label) in &training.samples {
            memory.names.insert(sample.name.clone(), label.flaky);
            memory.contents.insert(content(sample), label.flaky);
            memory
                .addresses
                .insert(std::ptr::from_ref(*sample) as usize, label.flaky);
        }
        Box::new(memory)
    }
}

fn content(sample: &Sample) -> Vec<u32> {
    let mut content = vec![sample.project, sample.group, sample.family, sample.lines];
    content.extend(&sample.tokens);
    content.extend(&sample.words);
    content
}

impl Model for Memory {
    fn predict(&self, sample: &Sample, _: Tables<'_>) -> Prediction {
        let remembered = self
            .names
            .get(&sample.name)
            .or_else(|| self.addresses.get(&(std::ptr::from_ref(sample) as usize)))
            .or_else(|| self.contents.get(&content(sample)));
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
        };
        let predictors: Vec<Box<dyn Predictor>> = vec![Box::new(Cheat)];
        let evaluation = evaluate(&corpus, &predictors, settings, |_, _| ());
        let model = &evaluation.models[0];
        // Nothing it was told is ever asked: every answer is the one for the unknown.
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
        };
        evaluate(&corpus, &peeler_eval::rivals::all(), settings, |_, _| ())
    };
    assert_eq!(run(), run());
}
