//! Products of matrices.

use crate::tape::{Tape, Var};

impl Tape<'_> {
    /// The product of two matrices.
    ///
    /// # Panics
    ///
    /// If they do not fit each other.
    #[must_use]
    pub fn product(&self, left: &Var, right: &Var) -> Var {
        let out = self.queue.unset(left.rows(), right.columns());
        self.queue.product(left.value.all(), right.value.all(), &out, 0, false);
        let (left, right) = (left.clone(), right.clone());
        self.result(out, move |tape, gradient| {
            let product = |left, right, out: &_, keep| tape.queue.product(left, right, out, 0, keep);
            tape.add_gradient(&left, |out, keep| {
                product(gradient.all(), right.value.all().transposed(), out, keep);
            });
            tape.add_gradient(&right, |out, keep| {
                product(left.value.all().transposed(), gradient.all(), out, keep);
            });
        })
    }
}
