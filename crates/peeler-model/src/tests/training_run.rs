//! Tests of training runs that are stopped, stored, continued, or refused.

use super::bench::{Bench, small};
use crate::backend::Backend;
use crate::config::Config;
use crate::setting::Parts;
use crate::training_run::TrainingRun;

/// A small dataset and configuration with which a training run takes seconds.
fn bench() -> Bench {
    Bench::new(Config {
        epochs: 2,
        members: 2,
        ..small(Config::default())
    })
}

/// A division of the tests of the bench's dataset for one scout, which learns without a quarter of them.
///
/// The quarter has the tests whose index modulo 4 is `held_out`.
fn round(bench: &Bench, held_out: usize) -> Parts {
    let tests = 0..bench.dataset.len();
    let (training, validation): (Vec<usize>, Vec<usize>) = tests.partition(|it| it % 4 != held_out);
    bench.parts(&training, &validation)
}

fn rounds(bench: &Bench) -> Vec<Parts> {
    vec![round(bench, 0), round(bench, 1)]
}

#[test]
fn a_run_that_was_stopped_anywhere_ends_with_the_same_model() {
    let bench = bench();
    let mut whole = TrainingRun::new(bench.setting(5), rounds(&bench)).unwrap();
    let mut written = vec![whole.checkpoint()];
    while whole.epoch().unwrap().is_some() {
        written.push(whole.checkpoint());
    }
    let model = whole.into_model();
    assert_eq!(model.members.len(), 2);
    assert_ne!(model.members[0], model.members[1]);
    let held_out: Vec<usize> = (0..bench.dataset.len()).filter(|it| it % 4 < 2).collect();
    let flaky = held_out.iter().filter(|it| bench.flaky[**it]).count();
    let recorded = model.track_record.tests();
    assert_eq!((recorded.0 as usize, recorded.1 as usize), (held_out.len(), flaky));
    for bytes in &written {
        let mut run = TrainingRun::resume(bench.setting(5), rounds(&bench), bytes).expect("the same run");
        while run.epoch().unwrap().is_some() {}
        assert_eq!(model, run.into_model());
    }
    for prediction in model.predict_dataset(&bench.dataset, Backend::Cpu).unwrap() {
        let attention = prediction.attention.expect("paths were read");
        let sum: f32 = attention.iter().map(|it| it.1).sum();
        assert!((sum - 1.0).abs() < 1e-4);
        assert!(attention.is_sorted_by(|a, b| a.1 >= b.1));
    }
}

#[test]
fn a_checkpoint_of_another_run_is_refused_with_the_difference() {
    let mut bench = bench();
    let bytes = TrainingRun::new(bench.setting(5), rounds(&bench)).unwrap().checkpoint();
    let refused = |bench: &Bench, seed: u64, rounds: Vec<Parts>| {
        let error = TrainingRun::resume(bench.setting(seed), rounds, &bytes)
            .err()
            .expect("another run");
        error.to_string()
    };
    let said = refused(&bench, 6, rounds(&bench));
    assert!(
        said.contains("belongs to another run") && said.contains("seed"),
        "{said}"
    );
    let said = refused(&bench, 5, vec![round(&bench, 1), round(&bench, 0)]);
    assert!(said.contains("held-out parts"), "{said}");
    // The number of flaky tests is the same, but the tests are not.
    let other = bench
        .flaky
        .iter()
        .position(|it| *it != bench.flaky[0])
        .expect("both classes");
    bench.flaky.swap(0, other);
    let said = refused(&bench, 5, rounds(&bench));
    assert!(said.contains("labels of the corpus"), "{said}");
    bench.flaky.swap(0, other);
    bench.dataset.tests[3].words.pop();
    let said = refused(&bench, 5, rounds(&bench));
    assert!(said.contains("tests of the corpus"), "{said}");
    bench.config.dropout = 0.5;
    let said = refused(&bench, 5, rounds(&bench));
    assert!(said.contains("configuration"), "{said}");
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let bench = bench();
    let bytes = TrainingRun::new(bench.setting(1), rounds(&bench)).unwrap().checkpoint();
    let refused = |bytes: &[u8]| {
        let error = TrainingRun::resume(bench.setting(1), rounds(&bench), bytes)
            .err()
            .expect("damaged");
        error.to_string()
    };
    for length in [0, 5, 7] {
        assert!(refused(&bytes[..length]).contains("not a checkpoint"), "{length} bytes");
    }
    for length in [8, 15, 20, bytes.len() / 2, bytes.len() - 1] {
        assert!(
            refused(&bytes[..length]).contains("incomplete or was changed"),
            "{length} bytes"
        );
    }
    let mut changed = bytes.clone();
    changed[bytes.len() / 2] ^= 1;
    assert!(refused(&changed).contains("incomplete or was changed"));
}

#[test]
fn a_checkpoint_holds_the_regression_once() {
    let bench = bench();
    let mut run = TrainingRun::new(bench.setting(1), rounds(&bench)).unwrap();
    run.epoch().unwrap();
    let bytes = run.checkpoint();
    let name = b"linear.weight";
    let count = bytes.windows(name.len()).filter(|it| it == name).count();
    assert_eq!(count, 1);
}

#[test]
fn a_run_that_diverges_names_the_network() {
    let mut bench = bench();
    bench.config.learning_rate = 1e30;
    let mut run = TrainingRun::new(bench.setting(1), rounds(&bench)).unwrap();
    let error = run.epoch().expect_err("training diverges").to_string();
    assert!(error.starts_with("scout 1: training diverged in epoch 1"), "{error}");
}
