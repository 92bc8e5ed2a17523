//! The loss of a batch and the gradients of all parameters of the network.
//!
//! On the CPU, [`crate::recurrence`] computes the LSTM over contextual paths instead of the Burn library. Burn
//! differentiates what precedes the LSTM (vectors of path steps) and what follows it (the states after the last steps).
//!
//! The gradient of the LSTM itself is computed by hand. Burn gets it as the gradient of a sum of products, each
//! `input * gradient`.

use burn::module::ParamId;
use burn::tensor::{Device, Tensor, TensorData};
use burn_optim::GradientsParams;

use crate::backend::GradientMethod;
use crate::batch::Batch;
use crate::cuts::{Cuts, add_gradients};
use crate::network::{Dropout, Network, PathEncoder};
use crate::normalisation;
use crate::recurrence::{LayerWeights, backward, forward};

/// A batch of training tests with their labels and the amount of label smoothing.
pub(crate) struct LabelledBatch<'b> {
    /// The input of the network for the tests of the batch.
    pub(crate) batch: &'b Batch,
    /// For each test of the batch, whether it is flaky, in the order of the tests in the batch.
    pub(crate) labels: &'b [bool],
    /// The amount of label smoothing: with 0.1, labels count as probabilities of 0.05 and 0.95 instead of 0 and 1.
    pub(crate) smoothing: f32,
}

/// The mean cross-entropy of a batch, and its gradients with respect to all parameters of the network.
///
/// The cross-entropy is still on the device: reading it would wait for the whole step.
pub(crate) fn gradients(
    network: &Network,
    labelled: &LabelledBatch<'_>,
    dropout: Dropout<'_>,
    device: &Device,
    method: GradientMethod,
) -> (Tensor<1>, GradientsParams) {
    if let (Some(paths), GradientMethod::ByHand) = (&network.paths, method) {
        by_hand(network, paths, labelled, dropout, device)
    } else {
        let mut cuts = Cuts::in_training(method);
        let output = network.forward(labelled.batch, Some(dropout), &mut cuts, device);
        let loss = labelled.cross_entropy(output.log_probabilities, device);
        let gradients = cuts.gradients(&loss, network);
        (loss.inner(), gradients)
    }
}

fn by_hand(
    network: &Network,
    paths: &PathEncoder,
    labelled: &LabelledBatch<'_>,
    dropout: Dropout<'_>,
    device: &Device,
) -> (Tensor<1>, GradientsParams) {
    let batch = labelled.batch;
    let mut cuts = Cuts::in_training(GradientMethod::ByHand);
    let sums = paths.sums(batch, &mut cuts, device); // [tuples, width]
    let [count, width] = sums.dims();
    let (scale, shift) = (values(paths.scale.val()), values(paths.shift.val()));
    let normalised = normalisation::forward(&values(sums.clone()), &scale, &shift);
    let rows = &normalised.tuples;
    let mut steps = Vec::with_capacity(batch.steps.len() * width);
    for at in &batch.steps {
        steps.extend_from_slice(&rows[*at as usize * width..][..width]);
    }
    let weights: Vec<[Vec<f32>; 3]> = paths
        .layers
        .iter()
        .map(|it| {
            [
                values(it.input.val()),
                values(it.recurrent.val()),
                values(it.bias.val()),
            ]
        })
        .collect();
    let layers: Vec<LayerWeights<'_>> = weights
        .iter()
        .map(|[input, recurrent, bias]| LayerWeights { input, recurrent, bias })
        .collect();
    let hidden = weights[0][2].len() / 4;
    let (last, tape) = forward(&layers, &steps, width, hidden, &batch.active);

    let states = TensorData::new(last, [batch.active[0], hidden]);
    let states = Tensor::<2>::from_data(states, device).require_grad();
    let output = network.output_of_states(batch, Some(states.clone()), &mut Some(dropout), &mut cuts, device);
    let loss = labelled.cross_entropy(output.log_probabilities, device);
    let mut behind = loss.backward();
    let d_last = values(
        states
            .grad_remove(&mut behind)
            .expect("the loss follows from the states"),
    );
    let mut all = GradientsParams::from_grads(behind, network);

    let (d_steps, d_layers) = backward(&layers, &tape, &steps, &d_last);
    for (layer, gradient) in paths.layers.iter().zip(d_layers) {
        let inner = device.clone().inner();
        register(&mut all, layer.input.id, gradient.input, layer.input.dims(), &inner);
        register(
            &mut all,
            layer.recurrent.id,
            gradient.recurrent,
            layer.recurrent.dims(),
            &inner,
        );
        register(&mut all, layer.bias.id, gradient.bias, layer.bias.dims(), &inner);
    }
    let mut d_tuples = vec![0.0; count * width];
    for (at, row) in batch.steps.iter().zip(d_steps.chunks(width)) {
        let sum = &mut d_tuples[*at as usize * width..][..width];
        sum.iter_mut().zip(row).for_each(|(sum, part)| *sum += part);
    }
    let d_normalised = normalisation::backward(&normalised, &d_tuples, &scale);
    let inner = device.clone().inner();
    register(&mut all, paths.scale.id, d_normalised.scale, [width], &inner);
    register(&mut all, paths.shift.id, d_normalised.shift, [width], &inner);
    let d_sums = Tensor::<2>::from_data(TensorData::new(d_normalised.sums, [count, width]), device);
    let before = (sums * d_sums).sum().backward();
    add_gradients(&mut all, GradientsParams::from_grads(before, network), network);
    (loss.inner(), all)
}

fn values<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    tensor.into_data().try_to_vec().expect("elements of 32 bits")
}

fn register<const D: usize>(
    all: &mut GradientsParams,
    id: ParamId,
    gradient: Vec<f32>,
    shape: [usize; D],
    device: &Device,
) {
    all.register(id, Tensor::<D>::from_data(TensorData::new(gradient, shape), device));
}

impl LabelledBatch<'_> {
    fn cross_entropy(&self, log_probabilities: Tensor<2>, device: &Device) -> Tensor<1> {
        let targets: Vec<f32> = self
            .labels
            .iter()
            .flat_map(|flaky| {
                let certain = f32::from(u8::from(*flaky)) * (1.0 - self.smoothing) + self.smoothing / 2.0;
                [1.0 - certain, certain]
            })
            .collect();
        #[allow(clippy::cast_precision_loss)]
        let count = self.labels.len() as f32;
        let targets = Tensor::from_data(TensorData::new(targets, [self.labels.len(), 2]), device);
        (log_probabilities * targets).sum().neg() / count
    }
}
