//! Matrices in the memory of a card.

use cudarc::driver::CudaSlice;

/// A matrix of floats in the memory of a card, row-major.
#[derive(Debug)]
pub struct Matrix {
    pub(crate) values: CudaSlice<f32>,
    rows: usize,
    columns: usize,
}

impl Matrix {
    /// A matrix of these values. There are as many as the matrix has elements, or room for more.
    pub(crate) fn new(values: CudaSlice<f32>, rows: usize, columns: usize) -> Self {
        assert!(values.len() >= rows * columns, "a matrix has a value for each element");
        Self { values, rows, columns }
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The number of elements.
    #[must_use]
    pub fn elements(&self) -> usize {
        self.rows * self.columns
    }

    /// A part of the rows, as an operand of a product.
    pub(crate) fn part(&self, first: usize, rows: usize) -> Part<'_> {
        assert!(first + rows <= self.rows, "a part lies within its matrix");
        Part {
            matrix: self,
            first,
            rows,
            is_transposed: false,
        }
    }

    /// All rows, as an operand of a product.
    pub(crate) fn all(&self) -> Part<'_> {
        self.part(0, self.rows)
    }
}

/// Rows of a matrix that follow each other, as an operand of a product.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part<'m> {
    pub(crate) matrix: &'m Matrix,
    pub(crate) first: usize,
    pub(crate) rows: usize,
    /// Whether the operand is the transposed part.
    pub(crate) is_transposed: bool,
}

impl Part<'_> {
    pub(crate) fn transposed(self) -> Self {
        Self {
            is_transposed: !self.is_transposed,
            ..self
        }
    }

    /// The rows and columns of the operand.
    pub(crate) fn shape(&self) -> (usize, usize) {
        let shape = (self.rows, self.matrix.columns);
        if self.is_transposed { (shape.1, shape.0) } else { shape }
    }
}
