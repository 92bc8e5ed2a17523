//! Matrix products on row-major slices, on one thread: the callers already run in parallel.
//!
//! The right matrix is copied in panels of a few columns, as wide as two vectors of the machine. A block of rows of the
//! left matrix is multiplied with a panel while all sums stay in registers.
//!
//! Invariant: every element of a product is summed in the order of the left matrix's columns. So a row of the product
//! depends, bit for bit, on one row of the left matrix alone.
#![expect(
    clippy::inline_always,
    reason = "code that is not inlined is compiled for the oldest machine"
)]

use pulp::{Arch, Simd, WithSimd};

/// The number of rows that are multiplied together. With two vectors for each they fill the registers of AVX2.
const ROWS: usize = 6;
/// The number of rows of the right matrix in a panel. The panel then stays in the first cache.
const DEPTH: usize = 128;

/// A matrix as a row-major slice.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Matrix<'v> {
    values: &'v [f32],
    columns: usize,
}

impl<'v> Matrix<'v> {
    /// A row-major slice as a matrix with this number of columns.
    pub(crate) fn new(values: &'v [f32], columns: usize) -> Self {
        Self { values, columns }
    }

    fn rows(self) -> usize {
        self.values.len() / self.columns
    }

    /// The transpose of the matrix, row-major.
    pub(crate) fn transposed(self) -> Vec<f32> {
        let mut transposed = Vec::with_capacity(self.values.len());
        for column in 0..self.columns {
            transposed.extend(self.values[column..].iter().step_by(self.columns));
        }
        transposed
    }
}

/// The matrix product `rows * weights`, row-major. `rows` has `width` columns, `weights` has `columns`.
pub(crate) fn product(rows: &[f32], width: usize, weights: &[f32], columns: usize) -> Vec<f32> {
    let mut target = Vec::new();
    product_into(&mut target, rows, width, weights, columns);
    target
}

/// Computes the matrix product `rows * weights` into `target`, whose former content is overwritten.
pub(crate) fn product_into(target: &mut Vec<f32>, rows: &[f32], width: usize, weights: &[f32], columns: usize) {
    target.clear();
    target.resize(rows.len() / width * columns, 0.0);
    add_product(target, Matrix::new(rows, width), Matrix::new(weights, columns));
}

/// Adds the matrix product `left * right` to the row-major `target`.
///
/// # Panics
///
/// If the sizes of the matrices disagree.
pub(crate) fn add_product(target: &mut [f32], left: Matrix<'_>, right: Matrix<'_>) {
    assert_eq!(left.columns, right.rows(), "the inner sizes of a product");
    assert_eq!(target.len(), left.rows() * right.columns, "the size of a product");
    Arch::new().dispatch(AddProduct { target, left, right });
}

struct AddProduct<'a> {
    target: &'a mut [f32],
    left: Matrix<'a>,
    right: Matrix<'a>,
}

impl WithSimd for AddProduct<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { target, left, right } = self;
        let width = 2 * S::F32_LANES;
        let mut panel = Vec::with_capacity(DEPTH.min(left.columns) * width);
        for depth in (0..left.columns).step_by(DEPTH) {
            let inner = depth..left.columns.min(depth + DEPTH);
            for column in (0..right.columns).step_by(width) {
                let used = width.min(right.columns - column);
                panel.clear();
                for row in inner.clone() {
                    panel.extend_from_slice(&right.values[row * right.columns + column..][..used]);
                    panel.resize(panel.len() + width - used, 0.0);
                }
                let (panel, _) = S::as_simd_f32s(&panel);
                let rows = left.values.chunks(ROWS * left.columns);
                for (rows, sums) in rows.zip(target.chunks_mut(ROWS * right.columns)) {
                    let block = Block {
                        rows,
                        width: left.columns,
                        inner: inner.start,
                        columns: right.columns,
                        column,
                        used,
                    };
                    match rows.len() / left.columns {
                        6 => block.add::<6, S>(simd, panel, sums),
                        5 => block.add::<5, S>(simd, panel, sums),
                        4 => block.add::<4, S>(simd, panel, sums),
                        3 => block.add::<3, S>(simd, panel, sums),
                        2 => block.add::<2, S>(simd, panel, sums),
                        _ => block.add::<1, S>(simd, panel, sums),
                    }
                }
            }
        }
    }
}

/// A block of rows of the left matrix, and the place of its sums in the rows of the product.
struct Block<'a> {
    /// The rows of the left matrix, each with `width` values.
    rows: &'a [f32],
    width: usize,
    /// The index of the first value in each row that is multiplied with the panel.
    inner: usize,
    /// The number of columns of the product.
    columns: usize,
    /// The first column of the product that the panel has.
    column: usize,
    /// The number of columns of the product that the panel has.
    used: usize,
}

impl Block<'_> {
    /// Adds the product of `R` rows with a panel to `target`, the rows of the whole product.
    #[inline(always)]
    fn add<const R: usize, S: Simd>(&self, simd: S, panel: &[S::f32s], target: &mut [f32]) {
        let count = panel.len() / 2;
        let rows: [&[f32]; R] = std::array::from_fn(|row| &self.rows[row * self.width + self.inner..][..count]);
        let mut sums = [[simd.splat_f32s(0.0); 2]; R];
        for (at, vectors) in panel.chunks_exact(2).enumerate() {
            for (sum, row) in sums.iter_mut().zip(&rows) {
                let value = simd.splat_f32s(row[at]);
                *sum = [
                    simd.mul_add_f32s(value, vectors[0], sum[0]),
                    simd.mul_add_f32s(value, vectors[1], sum[1]),
                ];
            }
        }
        for (sum, row) in sums.iter().zip(target.chunks_exact_mut(self.columns)) {
            let row = &mut row[self.column..][..self.used];
            if self.used == 2 * S::F32_LANES {
                let (row, _) = S::as_mut_simd_f32s(row);
                for (target, sum) in row.iter_mut().zip(sum) {
                    *target = simd.add_f32s(*target, *sum);
                }
            } else {
                let sums: &[f32] = pulp::bytemuck::cast_slice(sum);
                for (target, sum) in row.iter_mut().zip(sums) {
                    *target += sum;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Matrix, add_product, product};

    /// Numbers that are not exact in binary, some of them negative.
    fn numbers(count: usize) -> Vec<f32> {
        let mut last = 1_u32;
        let next = |_| {
            last = last.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f32::from(u16::try_from(last >> 16).expect("16 bits")) / 7e4 - 0.5
        };
        (0..count).map(next).collect()
    }

    const SIZES: [(usize, usize); 7] = [(3, 2), (1, 1), (64, 2), (48, 64), (100, 33), (700, 64), (64, 256)];

    #[test]
    fn a_row_does_not_depend_on_the_rows_beside_it() {
        for (width, columns) in SIZES {
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

    #[test]
    fn products_are_those_of_the_definition() {
        for (width, columns) in SIZES {
            let (rows, weights) = (numbers(13 * width), numbers(width * columns));
            let mut found = vec![1.0; 13 * columns];
            add_product(&mut found, Matrix::new(&rows, width), Matrix::new(&weights, columns));
            for (place, found) in found.iter().enumerate() {
                let (row, column) = (place / columns, place % columns);
                let terms = (0..width).map(|it| {
                    f64::from(rows[row * width + it]) * f64::from(weights[it * columns + column])
                });
                let expected: f64 = 1.0 + terms.sum::<f64>();
                assert!(
                    (f64::from(*found) - expected).abs() < 1e-4,
                    "{width} times {columns}: {found} for {expected}"
                );
            }
        }
    }

    #[test]
    fn a_transpose_swaps_rows_and_columns() {
        let transposed = Matrix::new(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 3).transposed();
        assert_eq!(transposed, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    }
}
