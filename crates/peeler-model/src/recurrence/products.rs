//! Matrix products on row-major slices.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

/// A row-major slice as a matrix with this number of columns.
pub(super) fn matrix(values: &[f32], columns: usize) -> MatRef<'_, f32> {
    MatRef::from_row_major_slice(values, values.len() / columns, columns)
}

/// The matrix product `rows * weights`, row-major. `rows` has `width` columns, `weights` has `columns`.
pub(crate) fn product(rows: &[f32], width: usize, weights: &[f32], columns: usize) -> Vec<f32> {
    let mut target = Vec::new();
    product_into(&mut target, rows, width, weights, columns);
    target
}

/// Computes the matrix product `rows * weights` into `target`, whose former content is overwritten.
///
/// Each row of the result depends, bit for bit, only on one row of `rows`. For this reason a single row is computed
/// twice, as a matrix of two rows. As a matrix of one row, it would be summed in another order.
pub(crate) fn product_into(target: &mut Vec<f32>, rows: &[f32], width: usize, weights: &[f32], columns: usize) {
    if rows.len() == width {
        product_into(target, &[rows, rows].concat(), width, weights, columns);
        target.truncate(columns);
        return;
    }
    target.resize(rows.len() / width * columns, 0.0);
    multiply(target, Accum::Replace, matrix(rows, width), matrix(weights, columns));
}

/// Writes the matrix product `left * right` into the row-major `target`, or adds it to `target`, as `accumulate` says.
///
/// It uses one thread, because its callers already run in parallel.
pub(super) fn multiply(target: &mut [f32], accumulate: Accum, left: MatRef<'_, f32>, right: MatRef<'_, f32>) {
    let target = MatMut::from_row_major_slice_mut(target, left.nrows(), right.ncols());
    matmul(target, accumulate, left, right, 1.0, Par::Seq);
}

#[cfg(test)]
mod tests {
    use super::product;

    /// Numbers that are not exact in binary, some of them negative.
    fn numbers(count: usize) -> Vec<f32> {
        let mut last = 1_u32;
        let next = |_| {
            last = last.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f32::from(u16::try_from(last >> 16).expect("16 bits")) / 7e4 - 0.5
        };
        (0..count).map(next).collect()
    }

    #[test]
    fn a_row_does_not_depend_on_the_rows_beside_it() {
        for (width, columns) in [(3, 2), (64, 2), (48, 64), (100, 33), (700, 64), (64, 256)] {
            let (rows, weights) = (numbers(60 * width), numbers(width * columns));
            let whole = product(&rows, width, &weights, columns);
            for count in [1, 2, 3, 5, 8, 13, 31, 59] {
                let part = product(&rows[..count * width], width, &weights, columns);
                assert!(
                    part == whole[..count * columns],
                    "{count} rows of {width} times {columns}"
                );
            }
        }
    }
}
