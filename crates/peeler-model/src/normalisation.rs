//! Layer normalisation of tuples: `tanh(scale * normal(x) + shift)`, row by row, forward and backward on slices.
//!
//! The arithmetic is that of [`crate::network`], in one pass over memory instead of twenty.

use crate::recurrence::tanh;

/// The constant added to a variance, so that a row of equal numbers has a finite inverse deviation.
pub(crate) const EPSILON: f64 = 1e-5;

/// The result of [`forward`], with the intermediate values that [`backward`] needs.
pub(crate) struct NormalisedTuples {
    /// The normalised and activated vectors of tuples, row by row. A tuple is a node of a contextual path with an edge.
    pub(crate) tuples: Vec<f32>,
    /// The tuple rows with mean 0 and variance 1, before scale and shift.
    normal: Vec<f32>,
    /// One over the standard deviation of each row.
    inverse: Vec<f32>,
}

/// The gradients of the inputs of the layer normalisation [`forward`].
pub(crate) struct NormalisationGradients {
    pub(crate) sums: Vec<f32>,
    pub(crate) scale: Vec<f32>,
    pub(crate) shift: Vec<f32>,
}

/// Normalises and activates rows that are as wide as `scale`.
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

/// The gradients of the inputs of the layer normalisation, given the gradients of the tuples.
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

/// Normalises a row to mean 0 and variance 1. Returns one over its former standard deviation.
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
