//! Tests of pretrained vectors as initial parameters of a network.

use super::bench::{Bench, small};
use crate::config::Config;
use crate::parameters::{Initialisation, ParameterSource, PretrainedSource, RandomSource};
use crate::pretrained::Pretrained;
use crate::random::random_stream;

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
