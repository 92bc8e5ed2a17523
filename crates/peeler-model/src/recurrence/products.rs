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

use std::ops::Range;

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
        let mut panels = Vec::new();
        let mut block = Vec::new();
        for start in (0..left.columns).step_by(DEPTH) {
            let inner = start..left.columns.min(start + DEPTH);
            pack_panels(right, inner.clone(), width, &mut panels);
            let rows = left.values.chunks(ROWS * left.columns);
            for (rows, sums) in rows.zip(target.chunks_mut(ROWS * right.columns)) {
                let rows = Matrix::new(rows, left.columns);
                pack_block(rows, inner.clone(), &mut block);
                for (place, panel) in panels.chunks_exact(inner.len() * width).enumerate() {
                    let columns = place * width..right.columns.min((place + 1) * width);
                    let (panel, _) = S::as_simd_f32s(panel);
                    let sums = Sums {
                        target: sums,
                        width: right.columns,
                        columns,
                    };
                    match rows.rows() {
                        6 => sums.add::<6, S>(simd, &block, panel),
                        5 => sums.add::<5, S>(simd, &block, panel),
                        4 => sums.add::<4, S>(simd, &block, panel),
                        3 => sums.add::<3, S>(simd, &block, panel),
                        2 => sums.add::<2, S>(simd, &block, panel),
                        _ => sums.add::<1, S>(simd, &block, panel),
                    }
                }
            }
        }
    }
}

/// Copies some rows of a matrix as panels, each with `width` columns of all these rows. The last one is filled up with
/// zeros.
fn pack_panels(matrix: Matrix<'_>, rows: Range<usize>, width: usize, panels: &mut Vec<f32>) {
    panels.clear();
    panels.resize(matrix.columns.div_ceil(width) * rows.len() * width, 0.0);
    let mut packed = panels.chunks_exact_mut(width);
    for column in (0..matrix.columns).step_by(width) {
        let used = width.min(matrix.columns - column);
        for (row, packed) in rows.clone().zip(&mut packed) {
            packed[..used].copy_from_slice(&matrix.values[row * matrix.columns + column..][..used]);
        }
    }
}

/// Copies some columns of a matrix, column by column.
fn pack_block(matrix: Matrix<'_>, columns: Range<usize>, block: &mut Vec<f32>) {
    let rows = matrix.rows();
    block.resize(rows * columns.len(), 0.0);
    for row in 0..rows {
        let values = &matrix.values[row * matrix.columns..][columns.clone()];
        for (at, value) in values.iter().enumerate() {
            block[at * rows + row] = *value;
        }
    }
}

/// A block of rows of the product, to some columns of which sums are added.
struct Sums<'a> {
    /// The rows of the product, each with `width` values.
    target: &'a mut [f32],
    width: usize,
    columns: Range<usize>,
}

impl Sums<'_> {
    /// Adds the product of a packed block of `R` rows with a packed panel.
    #[inline(always)]
    fn add<const R: usize, S: Simd>(self, simd: S, block: &[f32], panel: &[S::f32s]) {
        let (block, _) = block.as_chunks::<R>();
        let (panel, _) = panel.as_chunks::<2>();
        let mut sums = [[simd.splat_f32s(0.0); 2]; R];
        for at in 0..block.len().min(panel.len()) {
            let [first, second] = panel[at];
            let values = &block[at];
            for row in 0..R {
                let value = simd.splat_f32s(values[row]);
                sums[row][0] = simd.mul_add_f32s(value, first, sums[row][0]);
                sums[row][1] = simd.mul_add_f32s(value, second, sums[row][1]);
            }
        }
        for row in 0..R {
            // A copy: sums that something else points to would not stay in registers.
            let sum = sums[row];
            let target = &mut self.target[row * self.width..][self.columns.clone()];
            if target.len() == 2 * S::F32_LANES {
                let (target, _) = S::as_mut_simd_f32s(target);
                target[0] = simd.add_f32s(target[0], sum[0]);
                target[1] = simd.add_f32s(target[1], sum[1]);
            } else {
                let sums: &[f32] = pulp::bytemuck::cast_slice(&sum);
                for (target, sum) in target.iter_mut().zip(sums) {
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
                let terms =
                    (0..width).map(|it| f64::from(rows[row * width + it]) * f64::from(weights[it * columns + column]));
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
