//! Layer normalisation.

use super::rows::{BLOCK, WARPS};
use crate::package::narrow;
use crate::queue::Argument::{Float, Small};
use crate::tape::{Tape, Term};

impl Tape<'_> {
    /// `tanh(scale * normal + shift)` of each row, where `normal` has mean 0 and variance 1.
    ///
    /// `epsilon` is added to the variance.
    ///
    /// # Panics
    ///
    /// If scale or shift have another width.
    #[must_use]
    pub fn normalised_tanh(&self, value: &Term, scale: &Term, shift: &Term, epsilon: f32) -> Term {
        let (rows, width) = (value.rows(), value.columns());
        assert_eq!(
            (scale.value.elements(), shift.value.elements()),
            (width, width),
            "one number a column"
        );
        let queue = self.queue;
        let [out, normal] = [(); 2].map(|()| queue.unset(rows, width));
        let inverse = queue.unset(rows, 1);
        let results = [&out, &normal, &inverse, &value.value, &scale.value, &shift.value].map(|it| self.whole(it));
        let shape = [Float(epsilon), Small(narrow(rows)), Small(narrow(width))];
        let grid = (rows.div_ceil(WARPS), 1);
        queue.launch("normalise_forward", grid, BLOCK, &[&results[..], &shape].concat());
        let (value, scale, shift) = (value.clone(), scale.clone(), shift.clone());
        self.result_with_itself(out, move |tape, gradient, result| {
            tape.add_gradient(&value, |out, write| {
                let inputs = [out, &gradient, result, &normal, &inverse, &scale.value].map(|it| tape.whole(it));
                let shape = [Small(narrow(rows)), Small(narrow(width)), Small(write.into())];
                let arguments = [&inputs[..], &shape].concat();
                tape.queue.launch("normalise_backward", grid, BLOCK, &arguments);
            });
            // The kernel left the gradient before `tanh` in `gradient`.
            tape.add_gradient(&scale, |out, write| tape.add_rows(out, &gradient, Some(&normal), write));
            tape.add_gradient(&shift, |out, write| tape.add_rows(out, &gradient, None, write));
        })
    }
}
