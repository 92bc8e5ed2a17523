//! Operations element by element.

use crate::matrix::Matrix;
use crate::package::{Bits, Floats, narrow};
use crate::queue::Argument::{Float, Large, Small};
use crate::queue::Write;
use crate::tape::{Tape, Term};

impl<'q> Tape<'q> {
    /// A matrix of packed numbers.
    ///
    /// # Panics
    ///
    /// If there are not as many numbers.
    #[must_use]
    pub fn constant(&self, floats: &Floats, rows: usize, columns: usize) -> Term {
        assert_eq!(
            floats.words.len(),
            rows * columns,
            "a matrix has a value for each element"
        );
        let out = self.queue.unset(rows, columns);
        let values = self.queue.words(self.delivery, floats.package, &floats.words);
        let arguments = [
            self.whole(&out),
            values,
            Float(1.0),
            count(&out),
            Small(Write::Over.into()),
        ];
        self.queue.launch_each("add_scaled", out.elements(), &arguments);
        self.result(out, |_, _| ())
    }

    /// A matrix of zeros.
    #[must_use]
    pub fn zeros(&self, rows: usize, columns: usize) -> Term {
        self.result(self.queue.zeros(rows, columns), |_, _| ())
    }

    /// The sum of two matrices.
    ///
    /// # Panics
    ///
    /// If they differ in shape.
    #[must_use]
    pub fn sum(&self, left: &Term, right: &Term) -> Term {
        assert_eq!(
            (left.rows(), left.columns()),
            (right.rows(), right.columns()),
            "terms have one shape"
        );
        let out = self.queue.unset(left.rows(), left.columns());
        let arguments = [
            self.whole(&out),
            self.whole(&left.value),
            self.whole(&right.value),
            count(&out),
        ];
        self.queue.launch_each("add", out.elements(), &arguments);
        let (left, right) = (left.clone(), right.clone());
        self.result(out, move |tape, gradient| {
            tape.add_gradient(&left, |out, write| tape.add_into(out, &gradient, 1.0, write));
            tape.give_gradient(&right, gradient);
        })
    }

    /// The matrix times a number.
    #[must_use]
    pub fn scaled(&self, value: &Term, factor: f32) -> Term {
        let out = self.queue.unset(value.rows(), value.columns());
        self.add_into(&out, &value.value, factor, Write::Over);
        let value = value.clone();
        self.result(out, move |tape, gradient| {
            tape.add_gradient(&value, |out, write| tape.add_into(out, &gradient, factor, write));
        })
    }

    /// The hyperbolic tangent of each element.
    #[must_use]
    pub fn tanh(&self, value: &Term) -> Term {
        self.activated(value, "tanh_forward", "tanh_backward")
    }

    /// Each element, or zero if it is negative.
    #[must_use]
    pub fn relu(&self, value: &Term) -> Term {
        self.activated(value, "relu_forward", "relu_backward")
    }

    /// Keeps the elements whose bit is set, times `factor`; the others become zero.
    ///
    /// # Panics
    ///
    /// If there is not a bit for each element.
    #[must_use]
    pub fn kept(&self, value: &Term, bits: &Bits, factor: f32) -> Term {
        self.kept_parts(value, bits, factor, 1)
    }

    /// Keeps the rows whose bit is set; the others become zero.
    ///
    /// # Panics
    ///
    /// If there is not a bit for each row.
    #[must_use]
    pub fn kept_rows(&self, value: &Term, bits: &Bits) -> Term {
        self.kept_parts(value, bits, 1.0, value.columns())
    }

    /// A bit decides over `shared` elements that follow each other.
    fn kept_parts(&self, value: &Term, bits: &Bits, factor: f32, shared: usize) -> Term {
        assert_eq!(bits.count * shared, value.value.elements(), "a bit for each part");
        let words = self.queue.words(self.delivery, bits.package, &bits.words);
        let keep_bits = move |tape: &Tape<'q>, out: &Matrix, value: &Matrix, write: Write| {
            let shape = [Float(factor), count(out), Small(narrow(shared)), Small(write.into())];
            let arguments = [&[tape.whole(out), tape.whole(value), words][..], &shape].concat();
            tape.queue.launch_each("keep_bits", out.elements(), &arguments);
        };
        let out = self.queue.unset(value.rows(), value.columns());
        keep_bits(self, &out, &value.value, Write::Over);
        let value = value.clone();
        self.result(out, move |tape, gradient| {
            tape.add_gradient(&value, |out, write| keep_bits(tape, out, &gradient, write));
        })
    }

    /// Matrices of as many rows side by side.
    ///
    /// # Panics
    ///
    /// If they differ in their numbers of rows.
    #[must_use]
    pub fn beside(&self, parts: &[Term]) -> Term {
        let total = parts.iter().map(Term::columns).sum();
        let rows = parts.first().map_or(0, Term::rows);
        assert!(parts.iter().all(|it| it.rows() == rows), "parts have one height");
        let out = self.queue.unset(rows, total);
        let mut first = 0;
        let mut placed = Vec::with_capacity(parts.len());
        for part in parts {
            let shape = [
                count(&part.value),
                Small(narrow(part.columns())),
                Small(narrow(total)),
                Small(narrow(first)),
            ];
            let arguments = [&[self.whole(&out), self.whole(&part.value)][..], &shape].concat();
            self.queue.launch_each("put_columns", part.value.elements(), &arguments);
            placed.push((part.clone(), shape));
            first += part.columns();
        }
        self.result(out, move |tape, gradient| {
            for (part, shape) in placed {
                tape.add_gradient(&part, |out, write| {
                    let ends = [tape.whole(out), tape.whole(&gradient)];
                    let arguments = [&ends[..], &shape, &[Small(write.into())]].concat();
                    tape.queue.launch_each("take_columns", out.elements(), &arguments);
                });
            }
        })
    }

    /// Writes or adds `factor * value` to `out`.
    pub(crate) fn add_into(&self, out: &Matrix, value: &Matrix, factor: f32, write: Write) {
        let arguments = [
            self.whole(out),
            self.whole(value),
            Float(factor),
            count(out),
            Small(write.into()),
        ];
        assert_eq!(out.elements(), value.elements(), "terms have one shape");
        self.queue.launch_each("add_scaled", out.elements(), &arguments);
    }

    /// The address of all elements of a matrix.
    pub(crate) fn whole(&self, matrix: &Matrix) -> crate::queue::Argument {
        self.queue.pointer(matrix, 0, matrix.elements())
    }

    fn activated(&self, value: &Term, forward: &'static str, backward: &'static str) -> Term {
        let out = self.queue.unset(value.rows(), value.columns());
        let arguments = [self.whole(&out), self.whole(&value.value), count(&out)];
        self.queue.launch_each(forward, out.elements(), &arguments);
        let value = value.clone();
        self.result_with_itself(out, move |tape, gradient, result| {
            tape.add_gradient(&value, |out, write| {
                let inputs = [tape.whole(&gradient), tape.whole(result)];
                let arguments = [tape.whole(out), inputs[0], inputs[1], count(out), Small(write.into())];
                tape.queue.launch_each(backward, out.elements(), &arguments);
            });
        })
    }
}

/// The number of elements of a matrix, as an argument.
pub(super) fn count(matrix: &Matrix) -> crate::queue::Argument {
    Large(matrix.elements() as u64)
}
