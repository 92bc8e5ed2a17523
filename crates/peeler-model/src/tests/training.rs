//! Tests of the training of one network.

use super::bench::{Bench, small};
use crate::backend::Backend;
use crate::config::{Config, Schedule};
use crate::divergence::Quantity;
use crate::setting::Setting;
use crate::training::Trainer;

/// The lowest loss that training reaches on sixteen tests with alternating labels.
fn least_loss(config: Config, backend: Backend) -> f64 {
    let config = Config {
        learning_rate: 0.02,
        schedule: Schedule::Cosine,
        epochs: 300,
        hidden: 16,
        training_paths: 100,
        ..small(config)
    };
    let mut bench = Bench::new(config);
    let training: Vec<usize> = (0..16).collect();
    bench.flaky = (0..bench.dataset.len()).map(|at| at % 2 == 0).collect();
    bench.config.stable_per_flaky = 1;
    let setting = Setting {
        backend,
        ..bench.setting(1)
    };
    let mut trainer = Trainer::new(setting, bench.parts(&training, &[])).unwrap();
    let mut least = f64::MAX;
    while !trainer.is_finished() && least >= 0.01 {
        least = least.min(trainer.epoch().expect("training converges").loss);
    }
    least
}

#[test]
fn one_batch_can_be_learned_by_heart() {
    for config in [Config::default(), Config::paper()] {
        let name = config.name.clone();
        let least = least_loss(config, Backend::Cpu);
        assert!(least < 0.01, "{name}: the loss is still {least}");
    }
}

/// Tests that need a Vulkan adapter; `crates/peeler-model/gpu-tests wgpu` runs them.
#[cfg(feature = "wgpu")]
mod on_a_gpu_by_wgpu {
    use super::*;

    #[test]
    fn one_batch_can_be_learned_by_heart() {
        let least = least_loss(Config::default(), Backend::Wgpu);
        assert!(least < 0.01, "the loss is still {least}");
    }
}

/// Tests that need an NVIDIA card; `crates/peeler-model/gpu-tests cuda` runs them.
#[cfg(feature = "cuda")]
mod on_a_gpu_by_cuda {
    use super::*;

    #[test]
    fn one_batch_can_be_learned_by_heart() {
        for config in [Config::default(), Config::paper()] {
            let least = least_loss(config, Backend::Cuda);
            assert!(least < 0.01, "the loss is still {least}");
        }
    }

    #[test]
    fn training_that_was_stopped_continues_as_if_it_had_not_been() {
        continues(Backend::Cuda);
    }

    #[test]
    fn training_that_diverges_ends_with_the_epoch_and_a_remedy() {
        diverges(Backend::Cuda);
    }

    #[test]
    fn two_epochs_are_those_of_the_cpu() {
        let config = Config {
            dropout: 0.2,
            token_dropout: 0.2,
            path_dropout: 0.1,
            paths_from: Some(0.4),
            label_smoothing: 0.1,
            ..small(Config::default())
        };
        for config in [config, small(Config::paper())] {
            let bench = Bench::new(config);
            let (training, validation): (Vec<usize>, Vec<usize>) = (0..bench.dataset.len()).partition(|it| it % 4 != 0);
            let parts = bench.parts(&training, &validation);
            let [mut card, mut cpu] = [Backend::Cuda, Backend::Cpu].map(|backend| {
                let setting = Setting {
                    backend,
                    ..bench.setting(5)
                };
                Trainer::new(setting, parts.clone()).unwrap()
            });
            for _ in 0..2 {
                let (card, cpu) = (card.epoch().unwrap(), cpu.epoch().unwrap());
                assert!((card.loss - cpu.loss).abs() < 2e-3, "{} and {}", card.loss, cpu.loss);
            }
            for (card, cpu) in card.held_out_scores().iter().zip(cpu.held_out_scores()) {
                assert!((card - cpu).abs() < 5e-3, "{card} and {cpu}");
            }
        }
    }
}

#[test]
fn training_that_was_stopped_continues_as_if_it_had_not_been() {
    continues(Backend::Cpu);
}

fn continues(backend: Backend) {
    let config = Config {
        dropout: 0.2,
        token_dropout: 0.2,
        epochs: 4,
        ..small(Config::default())
    };
    let bench = Bench::new(config);
    let setting = Setting {
        backend,
        ..bench.setting(9)
    };
    let (training, validation): (Vec<usize>, Vec<usize>) = (0..bench.dataset.len()).partition(|it| it % 4 != 0);
    let parts = bench.parts(&training, &validation);
    let mut whole = Trainer::new(setting, parts.clone()).unwrap();
    let mut first = Trainer::new(setting, parts.clone()).unwrap();
    for _ in 0..2 {
        whole.epoch().unwrap();
        first.epoch().unwrap();
    }
    let mut second = Trainer::resume(setting, parts, first.state()).expect("the same training");
    for _ in 0..2 {
        assert_eq!(
            whole.epoch().unwrap().loss.to_bits(),
            second.epoch().unwrap().loss.to_bits()
        );
    }
    let (whole, second) = (whole.state(), second.state());
    assert_eq!(whole.network, second.network);
    assert_eq!(whole.best, second.best);
}

#[test]
fn a_continued_training_keeps_its_regression_instead_of_fitting_it_again() {
    let bench = Bench::new(small(Config::default()));
    let parts = bench.parts(&bench.all(), &[]);
    let mut state = Trainer::new(bench.setting(1), parts.clone()).unwrap().state();
    let regression = state.regression.as_mut().expect("the configuration asks for one");
    for array in regression.arrays.values_mut() {
        let doubled: Vec<f32> = array.values.widened().iter().map(|it| 2.0 * it).collect();
        array.values = crate::weights::Values::Single(doubled.into());
    }
    let resumed = Trainer::resume(bench.setting(1), parts, state.clone()).expect("the same training");
    assert_eq!(resumed.state().regression, state.regression);
}

#[test]
fn training_that_diverges_ends_with_the_epoch_and_a_remedy() {
    diverges(Backend::Cpu);
}

fn diverges(backend: Backend) {
    let config = Config {
        learning_rate: 1e30,
        ..small(Config::default())
    };
    let bench = Bench::new(config);
    let (training, validation): (Vec<usize>, Vec<usize>) = (0..bench.dataset.len()).partition(|it| it % 4 != 0);
    let setting = Setting {
        backend,
        ..bench.setting(1)
    };
    for validation in [&validation[..], &[]] {
        let mut trainer = Trainer::new(setting, bench.parts(&training, validation)).unwrap();
        let diverged = loop {
            assert!(!trainer.is_finished(), "training ended as if nothing had happened");
            if let Err(diverged) = trainer.epoch() {
                break diverged;
            }
        };
        assert_eq!(diverged.epoch, 1);
        assert!(matches!(
            diverged.quantity,
            Quantity::Loss | Quantity::Parameter | Quantity::Score
        ));
        let said = diverged.to_string();
        assert!(said.starts_with("training diverged in epoch 1: "), "{said}");
        assert!(said.contains("`learning_rate`"), "{said}");
    }
}
