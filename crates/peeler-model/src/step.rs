//! One step of training: the loss of a batch and its gradients.

use burn::optim::GradientsParams;
use burn::tensor::{Device, Tensor};

use crate::batch::Batch;
use crate::network::{Dropout, Network};
use crate::training::targets;

/// The mean cross-entropy of a batch and the gradients of all parameters.
pub(crate) fn gradients(
    network: &Network,
    batch: &Batch,
    labels: &[bool],
    smoothing: f32,
    dropout: Dropout<'_>,
    device: &Device,
    _by_hand: bool,
) -> (f64, GradientsParams) {
    let judgement = network.forward(batch, Some(dropout), device);
    let loss = cross_entropy(judgement.log_probabilities, labels, smoothing, device);
    let value = f64::from(loss.clone().into_scalar::<f32>());
    (value, GradientsParams::from_grads(loss.backward(), network))
}

fn cross_entropy(log_probabilities: Tensor<2>, labels: &[bool], smoothing: f32, device: &Device) -> Tensor<1> {
    #[allow(clippy::cast_precision_loss)]
    let count = labels.len() as f32;
    (log_probabilities * targets(labels, smoothing, device)).sum().neg() / count
}
