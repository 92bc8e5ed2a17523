//! Layer normalisation of path steps: `tanh(scale * normal(x) + shift)`, row by row, forward and backward on slices.
//!
//! Each row is the vector of a step of a contextual path: a tuple of graph node and edge. The arithmetic is that of
//! [`crate::network`], in one pass over memory instead of twenty.

use crate::recurrence::tanh;

/// The constant added to a variance before one divides by its root, so that a row of equal numbers causes no division
/// by 0.
pub(crate) const EPSILON: f64 = 1e-5;

/// The normalised vectors of path steps that [`forward`] computes, with the intermediate values that [`backward`]
/// needs.
pub(crate) struct NormalisedTuples {
    /// The normalised and activated vectors of path steps (tuples of graph node and edge), row by row.
    pub(crate) tuples: Vec<f32>,
    /// The vectors of path steps with mean 0 and variance 1, before scale and shift.
    normal: Vec<f32>,
    /// One over the standard deviation of each row before it was normalised.
    inverse: Vec<f32>,
}

/// The gradients that [`backward`] computes: of the vectors before layer normalisation, and of its scale and shift.
pub(crate) struct NormalisationGradients {
    pub(crate) sums: Vec<f32>,
    pub(crate) scale: Vec<f32>,
    pub(crate) shift: Vec<f32>,
}

/// Applies layer normalisation and `tanh` to each row of `sums`; rows are as wide as `scale`.
pub(crate) fn forward(sums: &[f32], scale: &[f32], shift: &[f32]) -> NormalisedTuples {
    let width = scale.len();
    let mut normal = sums.to_vec();
    let mut inverse = Vec::with_capacity(sums.len() / width.max(1));
    let mut tuples = vec![0.0; sums.len()];
    for (row, out) in normal.chunks_mut(width).zip(tuples.chunks_mut(width)) {
        inverse.push(normalise(row));
        activate(row, scale, shift, out);
    }
    NormalisedTuples {
        tuples,
        normal,
        inverse,
    }
}

/// The gradients of the inputs of [`forward`], given the gradients `d_tuples` of its results.
pub(crate) fn backward(normalised: &NormalisedTuples, d_tuples: &[f32], scale: &[f32]) -> NormalisationGradients {
    let width = scale.len();
    let mut gradients = NormalisationGradients {
        sums: vec![0.0; d_tuples.len()],
        scale: vec![0.0; width],
        shift: vec![0.0; width],
    };
    let rows = gradients.sums.chunks_mut(width).zip(d_tuples.chunks(width));
    for (at, (d_row, d_tuple)) in rows.enumerate() {
        let own = at * width..(at + 1) * width;
        let (normal, tuple, inverse) = (
            &normalised.normal[own.clone()],
            &normalised.tuples[own],
            normalised.inverse[at],
        );
        // The row first receives the gradient before the activation.
        for ((d, d_tuple), tuple) in d_row.iter_mut().zip(d_tuple).zip(tuple) {
            *d = d_tuple * (1.0 - tuple * tuple);
        }
        for ((sum, d), normal) in gradients.scale.iter_mut().zip(&*d_row).zip(normal) {
            *sum += d * normal;
        }
        for (sum, d) in gradients.shift.iter_mut().zip(&*d_row) {
            *sum += d;
        }
        for (d, scale) in d_row.iter_mut().zip(scale) {
            *d *= scale;
        }
        #[allow(clippy::cast_precision_loss)]
        let count = width as f32;
        let mean = d_row.iter().sum::<f32>() / count;
        let along = d_row.iter().zip(normal).map(|(d, normal)| d * normal).sum::<f32>() / count;
        for (d, normal) in d_row.iter_mut().zip(normal) {
            *d = inverse * (*d - mean - normal * along);
        }
    }
    gradients
}

/// Normalises a row to mean 0 and variance 1. Returns one over the standard deviation that it had.
pub(crate) fn normalise(row: &mut [f32]) -> f32 {
    #[allow(clippy::cast_precision_loss)]
    let count = row.len() as f32;
    let mean = row.iter().sum::<f32>() / count;
    for it in &mut *row {
        *it -= mean;
    }
    let variance = row.iter().map(|it| it * it).sum::<f32>() / count;
    #[allow(clippy::cast_possible_truncation)]
    let inverse = 1.0 / (variance + EPSILON as f32).sqrt();
    for it in &mut *row {
        *it *= inverse;
    }
    inverse
}

fn activate(normal: &[f32], scale: &[f32], shift: &[f32], out: &mut [f32]) {
    for (((out, normal), scale), shift) in out.iter_mut().zip(normal).zip(scale).zip(shift) {
        *out = tanh(normal * scale + shift);
    }
}
