//! Probabilities of tests, without training.

use burn::tensor::Device;

use crate::backend::Backend;
use crate::batch::{Batch, View};
use crate::network::Network;
use crate::training::JUDGED_AT_ONCE;
use crate::weights::Weights;

/// The probability of being flaky of some tests of a dataset.
pub(crate) fn probabilities(view: View<'_>, weights: &Weights, tests: &[usize], _backend: Backend, device: &Device) -> Vec<f32> {
    let mut source = weights;
    let network = Network::new(view.config, view.vocabulary, &mut source, device).expect("weights of this network");
    let mut probabilities = Vec::with_capacity(tests.len());
    for chunk in tests.chunks(JUDGED_AT_ONCE) {
        let batch = Batch::new(view, chunk, None);
        let judgement = network.forward(&batch, None, device);
        let values: Vec<f32> = judgement.log_probabilities.exp().into_data().try_to_vec().expect("numbers of 32 bits");
        probabilities.extend(values.chunks(2).map(|it| it[1]));
    }
    probabilities
}
