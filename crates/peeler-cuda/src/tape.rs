//! Computations with matrices, and their gradients.

use std::cell::RefCell;
use std::sync::Arc;

use crate::matrix::Matrix;
use crate::package::Delivery;
use crate::queue::{Queue, Write};

/// A matrix in a computation. Clones are the same matrix.
#[derive(Debug, Clone)]
pub struct Term {
    pub(crate) value: Arc<Matrix>,
    /// Where its gradient is.
    pub(crate) place: usize,
}

impl Term {
    /// The number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.value.rows()
    }

    /// The number of columns.
    pub(crate) fn columns(&self) -> usize {
        self.value.columns()
    }

    /// The matrix itself.
    #[must_use]
    pub fn into_value(self) -> Arc<Matrix> {
        self.value
    }
}

/// The gradients of the inputs of an operation, given that of its result.
type Backward<'q> = Box<dyn FnOnce(&Tape<'q>, Matrix) + 'q>;

/// A computation on a card. It remembers its operations, so that gradients can flow back through them.
pub struct Tape<'q> {
    pub(crate) queue: &'q Queue,
    pub(crate) delivery: &'q Delivery,
    is_training: bool,
    operations: RefCell<Vec<(usize, Backward<'q>)>>,
    gradients: RefCell<Vec<Option<Matrix>>>,
}

impl<'q> Tape<'q> {
    /// A computation that uses the numbers of one delivery and remembers its operations.
    #[must_use]
    pub fn of_training(queue: &'q Queue, delivery: &'q Delivery) -> Self {
        Self {
            is_training: true,
            ..Self::of_prediction(queue, delivery)
        }
    }

    /// A computation that uses the numbers of one delivery and remembers nothing.
    #[must_use]
    pub fn of_prediction(queue: &'q Queue, delivery: &'q Delivery) -> Self {
        Self {
            queue,
            delivery,
            is_training: false,
            operations: RefCell::default(),
            gradients: RefCell::default(),
        }
    }

    /// A matrix that the computation starts from, such as a parameter.
    #[must_use]
    pub fn input(&self, value: &Arc<Matrix>) -> Term {
        self.term(value.clone())
    }

    /// Computes the gradients of everything that `loss` follows from.
    pub fn backward(&self, loss: &Term) {
        let all = loss.value.elements();
        self.set(
            loss.place,
            self.queue.upload(&vec![1.0; all], loss.rows(), loss.columns()),
        );
        loop {
            // Operations are taken one by one: they are not borrowed while one of them adds gradients.
            let Some((place, backward)) = self.operations.borrow_mut().pop() else {
                return;
            };
            if let Some(gradient) = self.take_gradient(place) {
                backward(self, gradient);
            }
        }
    }

    /// Takes the gradient of an input after [`Tape::backward`]; `None` if the loss does not follow from it.
    #[must_use]
    pub fn gradient(&self, input: &Term) -> Option<Matrix> {
        self.take_gradient(input.place)
    }

    /// The result of an operation.
    pub(crate) fn result(&self, value: Matrix, backward: impl FnOnce(&Tape<'q>, Matrix) + 'q) -> Term {
        let result = self.term(Arc::new(value));
        if self.is_training {
            let operation: (usize, Backward<'q>) = (result.place, Box::new(backward));
            self.operations.borrow_mut().push(operation);
        }
        result
    }

    /// The result of an operation whose gradients follow from the result itself.
    pub(crate) fn result_with_itself(
        &self,
        value: Matrix,
        backward: impl FnOnce(&Tape<'q>, Matrix, &Matrix) + 'q,
    ) -> Term {
        let value = Arc::new(value);
        let result = self.term(value.clone());
        if self.is_training {
            let backward: Backward<'q> = Box::new(move |tape, gradient| backward(tape, gradient, &value));
            self.operations.borrow_mut().push((result.place, backward));
        }
        result
    }

    /// Adds to the gradient of `of`. `add` gets the matrix, and whether there is something in it.
    pub(crate) fn add_gradient(&self, of: &Term, add: impl FnOnce(&Matrix, Write)) {
        let known = self.take_gradient(of.place);
        let write = if known.is_some() { Write::Onto } else { Write::Over };
        let gradient = known.unwrap_or_else(|| self.queue.unset(of.rows(), of.columns()));
        add(&gradient, write);
        self.set(of.place, gradient);
    }

    /// Adds a gradient that was computed already.
    pub(crate) fn give_gradient(&self, of: &Term, gradient: Matrix) {
        if let Some(known) = self.take_gradient(of.place) {
            self.add_into(&known, &gradient, 1.0, Write::Onto);
            self.set(of.place, known);
        } else {
            self.set(of.place, gradient);
        }
    }

    fn term(&self, value: Arc<Matrix>) -> Term {
        let mut gradients = self.gradients.borrow_mut();
        gradients.push(None);
        Term {
            value,
            place: gradients.len() - 1,
        }
    }

    fn take_gradient(&self, place: usize) -> Option<Matrix> {
        self.gradients.borrow_mut()[place].take()
    }

    fn set(&self, place: usize, gradient: Matrix) {
        self.gradients.borrow_mut()[place] = Some(gradient);
    }
}
