//! Attention over groups of rows.

use std::sync::Arc;

use crate::matrix::Matrix;
use crate::package::{Groups, narrow};
use crate::queue::Argument::Small;
use crate::queue::Write;
use crate::tape::{Tape, Term};

impl Tape<'_> {
    /// The sum of the rows of each group, weighted by the softmax of their products with `query`: `[groups, width]`.
    ///
    /// # Panics
    ///
    /// If the groups are not of these rows.
    #[must_use]
    pub fn attended(&self, values: &Term, query: &Term, groups: &Arc<Groups>) -> Term {
        let width = values.columns();
        assert_eq!(groups.sources, values.rows(), "groups are of these rows");
        assert_eq!(query.value.elements(), width, "a row is as wide as the query");
        let out = self.queue.unset(groups.count(), width);
        let weights = self.queue.unset(groups.members.len(), 1);
        let grid = (groups.count(), 1);
        let inputs = [&out, &weights, &values.value, &query.value].map(|it| self.whole(it));
        let arguments = [&inputs[..], &self.members(groups, width)].concat();
        self.queue.launch("attend_forward", grid, (128, 1), &arguments);
        let (values, query, groups) = (values.clone(), query.clone(), groups.clone());
        self.result(out, move |tape, gradient| {
            let d_scores = tape.queue.zeros(values.rows(), 1);
            let products = tape.queue.unset(groups.members.len(), 1);
            tape.add_gradient(&values, |out, write| {
                if write == Write::Over {
                    tape.queue.clear(out);
                }
                let inputs = [
                    out,
                    &d_scores,
                    &products,
                    &gradient,
                    &weights,
                    &values.value,
                    &query.value,
                ];
                let inputs = inputs.map(|it: &Matrix| tape.whole(it));
                let arguments = [&inputs[..], &tape.members(&groups, width)].concat();
                tape.queue.launch("attend_backward", grid, (128, 1), &arguments);
            });
            tape.add_gradient(&query, |out, write| {
                tape.queue
                    .product(d_scores.all().transposed(), values.value.all(), out, 0, write);
            });
        })
    }

    fn members(&self, groups: &Groups, width: usize) -> [crate::queue::Argument; 3] {
        let words = |range| self.queue.words(self.delivery, groups.package, range);
        [words(&groups.starts), words(&groups.members), Small(narrow(width))]
    }
}
