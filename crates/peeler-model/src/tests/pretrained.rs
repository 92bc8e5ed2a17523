//! Tests of pretrained vectors as initial parameters of a network.

use super::bench::{Bench, small};
use crate::backend::Backend;
use crate::config::Config;
use crate::parameters::{Initialisation, ParameterSource, PretrainedSource, RandomSource};
use crate::pretrained::Pretrained;
use crate::random::random_stream;
use crate::setting::{Parts, Setting};
use crate::training::Trainer;
use crate::weights::{Array, Values, Weights};

#[test]
fn known_vectors_are_where_training_begins() {
    let bench = Bench::new(small(Config::default()));
    let second = bench.vocabulary.tokens.names().nth(1).expect("several names");
    let numbers = |value: f32| format!(" {value}").repeat(bench.config.embedding);
    let text = format!("{second}{}\nnobodysaysthis{}\n", numbers(0.25), numbers(9.0));
    let pretrained = Pretrained::parse(&text).expect("vectors");
    let mut random = random_stream(1, 0);
    let mut source = PretrainedSource {
        random: RandomSource(&mut random),
        pretrained: &pretrained,
        vocabulary: &bench.vocabulary,
    };
    let width = bench.config.embedding;
    for table in ["words", "context", "paths.tokens"] {
        let shape = [bench.vocabulary.tokens.rows(), width];
        let values = source
            .values(table, &shape, Initialisation::Within(0.1))
            .expect("fresh");
        assert!(
            values[width..2 * width]
                .iter()
                .all(|it| it.to_bits() == 0.25_f32.to_bits()),
            "{table}"
        );
        let others = values[..width].iter().chain(&values[2 * width..]);
        assert!(others.into_iter().all(|it| it.abs() <= 0.1), "{table}");
    }
    // Distances of calls are not sub-tokens.
    let calls = source.values(
        "calls",
        &[bench.vocabulary.calls.rows(), width],
        Initialisation::Within(0.1),
    );
    assert!(calls.expect("fresh").iter().all(|it| it.abs() <= 0.1));
}

/// A training on the tests of a bench for one epoch, from these vectors. Returns the network's parameters.
fn trained(bench: &Bench, pretrained: &Pretrained) -> Weights {
    let setting = Setting {
        config: &bench.config,
        dataset: &bench.dataset,
        pretrained: Some(pretrained),
        backend: Backend::Cpu,
        seed: 1,
    };
    let parts = Parts {
        fixes: [].into(),
        withheld: Vec::new(),
        flaky: bench.flaky.clone().into(),
        sampled: vec![false; bench.flaky.len()].into(),
        training: bench.all(),
        validation: Vec::new(),
    };
    let mut trainer = Trainer::new(setting, parts).expect("a CPU");
    trainer.epoch().expect("finite numbers");
    trainer.state().network
}

#[test]
fn frozen_vectors_stay_and_others_are_trained_further() {
    let bench = Bench::new(small(Config::paper()));
    let width = bench.config.embedding;
    let tokens = bench.vocabulary.tokens.names();
    let vectors = tokens.map(|it| (it.to_owned(), vec![0.25; width])).collect();
    let edge = bench.config.edge;
    let attention = Array {
        shape: vec![edge, 1],
        values: Values::Single(vec![0.5; edge].into()),
    };
    let encoder = Weights {
        arrays: [("paths.code.attention".to_owned(), attention)].into(),
    };
    let pretrained = Pretrained::new(width, vectors, encoder, 7);
    let unchanged = |weights: &Weights, name: &str, value: f32, count: usize| {
        let values = weights.arrays[name].values.widened();
        values[..count].iter().all(|it| it.to_bits() == value.to_bits())
    };
    let known = bench.vocabulary.tokens.known() * width;
    let further = trained(&bench, &pretrained);
    assert!(!unchanged(&further, "paths.tokens", 0.25, known));
    assert!(!unchanged(&further, "paths.code.attention", 0.5, edge));
    let frozen = trained(&bench, &pretrained.clone().frozen());
    assert!(unchanged(&frozen, "paths.tokens", 0.25, known));
    assert!(unchanged(&frozen, "paths.code.attention", 0.5, edge));
    assert_ne!(frozen.arrays["paths.node"], further.arrays["paths.node"]);
    assert_ne!(pretrained.fingerprint(), pretrained.frozen().fingerprint());
}
