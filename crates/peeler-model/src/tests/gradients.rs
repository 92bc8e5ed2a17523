//! Tests of the gradients of all network parameters, computed by the Burn library and by hand.

use burn::module::{Module, ModuleVisitor, Param, ParamId};
use burn::tensor::{Device, Tensor};

use super::bench::{Bench, configurations};
use crate::backend::GradientMethod;
use crate::batch::Batch;
use crate::gradients::{LabelledBatch, gradients};
use crate::network::{Dropout, Network, parameter_names};
use crate::random::random_stream;

/// The identifier of every parameter of a network, with its number of dimensions.
fn parameter_ids(network: &Network) -> Vec<(ParamId, usize)> {
    struct Ids(Vec<(ParamId, usize)>);
    impl ModuleVisitor for Ids {
        fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
            self.0.push((param.id, D));
        }
    }
    let mut ids = Ids(Vec::new());
    network.visit(&mut ids);
    ids.0
}

/// The loss of a batch of all tests, and the gradient of every network parameter, by name.
fn gradients_by_name(bench: &Bench, device: &Device, recurrence: GradientMethod) -> (f64, Vec<(String, Vec<f32>)>) {
    let device = device.clone().autodiff();
    let network = bench.network(&device);
    let tests = bench.all();
    let batch = Batch::new(bench.view(), &tests, None);
    let labelled = LabelledBatch {
        batch: &batch,
        labels: &bench.flaky,
        smoothing: 0.0,
    };
    let mut random = random_stream(1, 1);
    let dropout = Dropout {
        share: 0.0,
        paths: 0.0,
        random: &mut random,
    };
    let (loss, mut gradients) = gradients(&network, &labelled, dropout, &device, recurrence);
    let loss = f64::from(loss.into_scalar::<f32>());
    let names = parameter_names(&bench.config, &bench.vocabulary);
    let by_name = parameter_ids(&network).into_iter().map(|(id, rank)| {
        let name = &names[usize::try_from(id.val()).unwrap() - 1];
        let data = match rank {
            1 => gradients.remove::<1>(id).map(|it| it.into_data()),
            _ => gradients.remove::<2>(id).map(|it| it.into_data()),
        };
        let data = data.unwrap_or_else(|| panic!("no gradient for {name}"));
        (name.clone(), data.try_to_vec().unwrap())
    });
    (loss, by_name.collect())
}

fn gradients_agree(left: &(f64, Vec<(String, Vec<f32>)>), right: &(f64, Vec<(String, Vec<f32>)>)) {
    assert!((left.0 - right.0).abs() < 1e-5, "losses {} and {}", left.0, right.0);
    for ((name, left), (same, right)) in left.1.iter().zip(&right.1) {
        assert_eq!(name, same);
        assert!(left.iter().any(|it| *it != 0.0), "the gradient of {name} is zero");
        let largest = left.iter().fold(0.0_f32, |most, it| most.max(it.abs()));
        for (left, right) in left.iter().zip(right) {
            let apart = (left - right).abs();
            assert!(apart <= 1e-3 * largest + 1e-7, "{name}: {left} and {right}");
        }
    }
}

#[test]
fn a_gradient_reaches_every_parameter_and_is_the_same_by_hand() {
    for config in configurations() {
        let bench = Bench::new(config);
        let of = |recurrence| gradients_by_name(&bench, &Device::flex(), recurrence);
        let by_burn = of(GradientMethod::Burn);
        gradients_agree(&by_burn, &of(GradientMethod::ByHand));
        gradients_agree(&by_burn, &of(GradientMethod::Grouped));
    }
}

/// Tests that need a Vulkan adapter; `crates/peeler-model/gpu-tests wgpu` runs them.
#[cfg(feature = "wgpu")]
mod on_a_gpu_by_wgpu {
    use super::*;
    use crate::backend::Backend;

    #[test]
    fn gradients_are_those_of_the_cpu() {
        let device = Backend::Wgpu.device().expect("a Vulkan adapter");
        for config in configurations() {
            let bench = Bench::new(config);
            let by_hand = gradients_by_name(&bench, &Device::flex(), GradientMethod::ByHand);
            gradients_agree(&gradients_by_name(&bench, &device, GradientMethod::Grouped), &by_hand);
        }
    }
}

/// Tests that need an NVIDIA card; `crates/peeler-model/gpu-tests cuda` runs them.
#[cfg(feature = "cuda")]
mod on_a_gpu_by_cuda {
    use super::*;
    use crate::cuda::{CudaLearner, Plan, PreparedBatch};

    #[test]
    fn gradients_are_those_of_the_cpu() {
        for config in configurations() {
            let bench = Bench::new(config);
            let mut by_hand = gradients_by_name(&bench, &Device::flex(), GradientMethod::ByHand);
            by_hand.1.sort_by(|left, right| left.0.cmp(&right.0));
            let learner = CudaLearner::new(&bench.config, &bench.weights(), |_| false, 1.0);
            let batch = Batch::new(bench.view(), &bench.all(), None);
            let mut random = random_stream(1, 1);
            let dropout = Dropout {
                share: 0.0,
                paths: 0.0,
                random: &mut random,
            };
            let prepared =
                PreparedBatch::new(|package| Plan::of_training(bench.view(), &batch, &bench.flaky, dropout, package));
            let found = learner.expect("an NVIDIA card").gradients_by_name(&prepared);
            gradients_agree(&by_hand, &found);
        }
    }
}
