//! Dropout: features of the network that a training step sets to zero at random.
//!
//! Random masks are drawn on the CPU, so that a seed gives the same masks on every backend.

use burn::tensor::{Device, Tensor, TensorData};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// The dropout of a training step: which shares of features and paths are set to zero at random.
pub(crate) struct Dropout<'r> {
    /// The share of features that are set to zero.
    pub(crate) share: f32,
    /// The share of tests whose path vectors are set to zero.
    pub(crate) paths: f32,
    /// The random number generator that chooses what is set to zero.
    pub(crate) random: &'r mut ChaCha8Rng,
}

/// Sets random elements of `values` to zero. The remaining ones are scaled up, so that their expected sum is unchanged.
pub(super) fn drop_features(values: Tensor<2>, dropout: &mut Option<Dropout<'_>>, device: &Device) -> Tensor<2> {
    let Some(dropout) = dropout.as_mut().filter(|it| it.share > 0.0) else {
        return values;
    };
    let shape = values.dims();
    let kept = 1.0 / (1.0 - dropout.share);
    let mask: Vec<f32> = (0..shape[0] * shape[1])
        .map(|_| {
            if dropout.random.random::<f32>() < dropout.share {
                0.0
            } else {
                kept
            }
        })
        .collect();
    values * Tensor::from_data(TensorData::new(mask, shape), device)
}

/// Sets the path vectors of random tests to zero. The others are not scaled up: prediction reads all paths of a test or
/// none.
pub(super) fn drop_paths(vectors: Tensor<2>, dropout: &mut Option<Dropout<'_>>, device: &Device) -> Tensor<2> {
    let Some(dropout) = dropout.as_mut().filter(|it| it.paths > 0.0) else {
        return vectors;
    };
    let tests = vectors.dims()[0];
    let mask = (0..tests).map(|_| f32::from(dropout.random.random::<f32>() >= dropout.paths));
    let mask = TensorData::new(mask.collect::<Vec<f32>>(), [tests, 1]);
    vectors * Tensor::from_data(mask, device)
}
