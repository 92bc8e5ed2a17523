//! Matrix products on row-major slices.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

/// A row-major slice as a matrix.
pub(super) fn matrix(values: &[f32], columns: usize) -> MatRef<'_, f32> {
    MatRef::from_row_major_slice(values, values.len() / columns, columns)
}

/// The product `rows * weights`, row by row. `rows` has `width` columns, `weights` has `columns`.
pub(crate) fn product(rows: &[f32], width: usize, weights: &[f32], columns: usize) -> Vec<f32> {
    let mut target = Vec::new();
    product_into(&mut target, rows, width, weights, columns);
    target
}

/// Computes `rows * weights` into a buffer, whose former content is overwritten.
pub(crate) fn product_into(target: &mut Vec<f32>, rows: &[f32], width: usize, weights: &[f32], columns: usize) {
    target.resize(rows.len() / width * columns, 0.0);
    multiply(target, Accum::Replace, matrix(rows, width), matrix(weights, columns));
}

/// Writes `left * right` into the row-major `target`, or adds it, on one thread: the callers already run in parallel.
pub(super) fn multiply(target: &mut [f32], accumulate: Accum, left: MatRef<'_, f32>, right: MatRef<'_, f32>) {
    let target = MatMut::from_row_major_slice_mut(target, left.nrows(), right.ncols());
    matmul(target, accumulate, left, right, 1.0, Par::Seq);
}
