//! Products of matrices.

use crate::queue::Write;
use crate::tape::{Tape, Term};

impl Tape<'_> {
    /// The product of two matrices.
    ///
    /// # Panics
    ///
    /// If they do not fit each other.
    #[must_use]
    pub fn product(&self, left: &Term, right: &Term) -> Term {
        let out = self.queue.unset(left.rows(), right.columns());
        self.queue
            .product(left.value.all(), right.value.all(), &out, 0, Write::Over);
        let (left, right) = (left.clone(), right.clone());
        self.result(out, move |tape, gradient| {
            let product = |left, right, out: &_, write| tape.queue.product(left, right, out, 0, write);
            tape.add_gradient(&left, |out, write| {
                product(gradient.all(), right.value.all().transposed(), out, write);
            });
            tape.add_gradient(&right, |out, write| {
                product(left.value.all().transposed(), gradient.all(), out, write);
            });
        })
    }
}
