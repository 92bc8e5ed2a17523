//! Scores of tests by tensors of the Burn library, mostly on a GPU.

use burn::tensor::{Device, Tensor};
use peeler_features::Depth;

use crate::backend::GradientMethod;
use crate::batch::{Batch, View};
use crate::cuts::Cuts;
use crate::member::Member;
use crate::network::Network;
use crate::score::Score;

/// The number of tests that are scored together on a GPU, where every operation has a fixed cost.
const DEVICE_GROUP: usize = 512;

/// The uncalibrated scores of tests by the network of one member of a model, on `device`.
pub(super) fn scores(view: View<'_>, member: &Member, tests: &[usize], device: &Device, depth: Depth) -> Vec<Score> {
    let mut source = member.network_weights();
    let network = Network::new(view.config, view.vocabulary, &mut source, device).expect("a member was checked");
    let mut scores = Vec::with_capacity(tests.len());
    for group in tests.chunks(DEVICE_GROUP) {
        let batch = Batch::with_depth(view, group, depth);
        let output = network.forward(&batch, None, &mut Cuts::in_prediction(GradientMethod::Grouped), device);
        let values = |tensor: Tensor<2>| -> Vec<f32> { tensor.into_data().try_to_vec().expect("elements of 32 bits") };
        let probabilities = values(output.log_probabilities.exp());
        let attention = output.attention.map(values);
        scores.extend((0..batch.tests).map(|test| Score {
            probability: probabilities[2 * test + 1],
            attention: attention.as_ref().map(|weights| {
                let most = weights.len() / batch.tests;
                let own = batch.path_numbers[test].iter().copied();
                own.zip(weights[test * most..].iter().copied()).collect()
            }),
        }));
    }
    scores
}
