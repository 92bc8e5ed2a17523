//! Tests of the gradients of all network parameters, computed by the Burn library and by hand.

use burn::tensor::Device;

use super::bench::{Bench, configurations};
use crate::backend::RecurrenceMethod;
use crate::batch::Batch;
use crate::gradients::{LabelledBatch, gradients};
use crate::network::{Dropout, parameter_names};
use crate::random::random_stream;

/// The loss of a batch of all tests, and the gradient of every network parameter, by name.
fn gradients_by_name(bench: &Bench, device: &Device, recurrence: RecurrenceMethod) -> (f64, Vec<(String, Vec<f32>)>) {
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
    let names = parameter_names(&bench.config, &bench.vocabulary);
    let by_name = network.parameter_ids().into_iter().map(|(id, rank)| {
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
        gradients_agree(&of(RecurrenceMethod::Burn), &of(RecurrenceMethod::ByHand));
    }
}

/// Tests that need a Vulkan adapter; `crates/peeler-model/gpu-tests` runs them.
#[cfg(feature = "wgpu")]
mod on_a_gpu {
    use super::*;
    use crate::backend::Backend;

    #[test]
    fn gradients_are_those_of_the_cpu() {
        let device = Backend::Wgpu.device().expect("a Vulkan adapter");
        for config in configurations() {
            let bench = Bench::new(config);
            let by_hand = gradients_by_name(&bench, &Device::flex(), RecurrenceMethod::ByHand);
            gradients_agree(&gradients_by_name(&bench, &device, RecurrenceMethod::Burn), &by_hand);
        }
    }
}
