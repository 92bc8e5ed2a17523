//! Matrix products on row-major slices, on one thread: the callers already run in parallel.
//!
//! The right matrix is copied in panels of a few columns, as wide as two vectors of the machine. A block of rows of the
//! left matrix is multiplied with a panel while all sums stay in registers.
//!
//! Loops over constant ranges are unrolled. With iterators in their place the sums would go through memory.
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

/// A matrix as a row-major slice, or the transpose of one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Matrix<'v> {
    values: &'v [f32],
    /// The number of columns that the slice has. These are the rows of a transpose.
    width: usize,
    is_transposed: bool,
}

impl<'v> Matrix<'v> {
    /// A row-major slice as a matrix with this number of columns.
    pub(crate) fn new(values: &'v [f32], columns: usize) -> Self {
        Self {
            values,
            width: columns,
            is_transposed: false,
        }
    }

    /// The transpose of the matrix, which reads the same slice in another order.
    pub(crate) fn transposed(self) -> Self {
        Self {
            is_transposed: !self.is_transposed,
            ..self
        }
    }

    fn rows(self) -> usize {
        if self.is_transposed {
            self.width
        } else {
            self.values.len() / self.width
        }
    }

    fn columns(self) -> usize {
        if self.is_transposed {
            self.values.len() / self.width
        } else {
            self.width
        }
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
    assert_eq!(left.columns(), right.rows(), "the inner sizes of a product");
    assert_eq!(target.len(), left.rows() * right.columns(), "the size of a product");
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
        let (rows, columns) = (left.rows(), right.columns());
        let width = 2 * S::F32_LANES;
        let mut panels = Vec::new();
        for start in (0..left.columns()).step_by(DEPTH) {
            let inner = start..left.columns().min(start + DEPTH);
            pack_panels(right, inner.clone(), width, &mut panels);
            for first in (0..rows).step_by(ROWS) {
                for (place, panel) in panels.chunks_exact(inner.len() * width).enumerate() {
                    let (panel, _) = S::as_simd_f32s(panel);
                    let block = Block {
                        left,
                        first,
                        inner: inner.clone(),
                        width: columns,
                        columns: place * width..columns.min((place + 1) * width),
                    };
                    match ROWS.min(rows - first) {
                        6 => block.add::<6, S>(simd, panel, target),
                        5 => block.add::<5, S>(simd, panel, target),
                        4 => block.add::<4, S>(simd, panel, target),
                        3 => block.add::<3, S>(simd, panel, target),
                        2 => block.add::<2, S>(simd, panel, target),
                        _ => block.add::<1, S>(simd, panel, target),
                    }
                }
            }
        }
    }
}

/// Copies some rows of a matrix as panels, each with `width` columns of all these rows. Columns of the last panel that
/// the matrix does not have keep any values.
fn pack_panels(matrix: Matrix<'_>, rows: Range<usize>, width: usize, panels: &mut Vec<f32>) {
    let columns = matrix.columns();
    let size = rows.len() * width;
    panels.resize(columns.div_ceil(width) * size, 0.0);
    for (panel, column) in panels.chunks_exact_mut(size).zip((0..columns).step_by(width)) {
        let used = width.min(columns - column);
        if matrix.is_transposed {
            for place in 0..used {
                let values = &matrix.values[(column + place) * matrix.width..][rows.clone()];
                for (at, value) in values.iter().enumerate() {
                    panel[at * width + place] = *value;
                }
            }
        } else {
            for (at, row) in rows.clone().enumerate() {
                let values = &matrix.values[row * matrix.width + column..][..used];
                panel[at * width..][..used].copy_from_slice(values);
            }
        }
    }
}

/// A block of rows of the left matrix, and the place of its sums in the product.
struct Block<'a> {
    left: Matrix<'a>,
    /// The first row of the block.
    first: usize,
    /// The columns of the left matrix that are multiplied with the panel.
    inner: Range<usize>,
    /// The number of columns of the product.
    width: usize,
    /// The columns of the product that the panel has.
    columns: Range<usize>,
}

impl Block<'_> {
    /// Adds the product of the block, which has `R` rows, with a panel to `target`, the whole product.
    #[inline(always)]
    fn add<const R: usize, S: Simd>(&self, simd: S, panel: &[S::f32s], target: &mut [f32]) {
        let sums = if self.left.is_transposed {
            self.sums_of_columns::<R, S>(simd, panel)
        } else {
            self.sums_of_rows::<R, S>(simd, panel)
        };
        for row in 0..R {
            // A copy: sums that something else points to would not stay in registers.
            let sum = sums[row];
            let target = &mut target[(self.first + row) * self.width..][self.columns.clone()];
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

    /// The products of `R` rows of the slice with the columns of a panel.
    #[inline(always)]
    fn sums_of_rows<const R: usize, S: Simd>(&self, simd: S, panel: &[S::f32s]) -> [[S::f32s; 2]; R] {
        let (panel, _) = panel.as_chunks::<2>();
        let mut rows: [&[f32]; R] = [&[]; R];
        for (row, values) in rows.iter_mut().enumerate() {
            *values = &self.left.values[(self.first + row) * self.left.width..][self.inner.clone()];
        }
        let mut sums = [[simd.splat_f32s(0.0); 2]; R];
        for at in 0..panel.len() {
            let [one, other] = panel[at];
            for row in 0..R {
                let value = simd.splat_f32s(rows[row][at]);
                sums[row][0] = simd.mul_add_f32s(value, one, sums[row][0]);
                sums[row][1] = simd.mul_add_f32s(value, other, sums[row][1]);
            }
        }
        sums
    }

    /// The products of `R` columns of the slice, which are rows of its transpose, with the columns of a panel.
    #[inline(always)]
    fn sums_of_columns<const R: usize, S: Simd>(&self, simd: S, panel: &[S::f32s]) -> [[S::f32s; 2]; R] {
        let (panel, _) = panel.as_chunks::<2>();
        let values = &self.left.values[self.inner.start * self.left.width..];
        let mut sums = [[simd.splat_f32s(0.0); 2]; R];
        for at in 0..panel.len() {
            let [one, other] = panel[at];
            let values = &values[at * self.left.width + self.first..][..R];
            for row in 0..R {
                let value = simd.splat_f32s(values[row]);
                sums[row][0] = simd.mul_add_f32s(value, one, sums[row][0]);
                sums[row][1] = simd.mul_add_f32s(value, other, sums[row][1]);
            }
        }
        sums
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
    fn a_transpose_is_multiplied_like_a_matrix_in_its_order() {
        let ordered = |values: &[f32], columns: usize| -> Vec<f32> {
            let column = |at: usize| values[at..].iter().step_by(columns).copied();
            (0..columns).flat_map(column).collect()
        };
        for (width, columns) in SIZES {
            let (rows, weights) = (numbers(13 * width), numbers(width * columns));
            let expected = product(&rows, width, &weights, columns);
            let (turned_rows, turned_weights) = (ordered(&rows, width), ordered(&weights, columns));
            let mut found = vec![0.0; 13 * columns];
            let left = Matrix::new(&turned_rows, 13).transposed();
            add_product(&mut found, left, Matrix::new(&turned_weights, width).transposed());
            assert!(found == expected, "{width} times {columns}");
        }
    }
}
