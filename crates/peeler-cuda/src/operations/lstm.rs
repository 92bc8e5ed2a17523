//! One LSTM layer over packed sequences.
//!
//! The rows are packed by time step: the first steps of all sequences, then the second steps of those that have one,
//! and so on. Sequences are sorted by length, longest first.

use crate::matrix::Matrix;
use crate::package::narrow;
use crate::queue::Argument::{Large, Small};
use crate::queue::{NULL, Write};
use crate::tape::{Tape, Term};

/// Where the rows of a time step are.
#[derive(Debug, Clone, Copy)]
struct Step {
    first: usize,
    /// The number of sequences that have this step.
    count: usize,
    /// The first row of the time step before; `None` in the first one.
    before: Option<usize>,
}

fn steps(active: &[usize]) -> Vec<Step> {
    assert!(
        active.is_sorted_by(|long, short| long >= short),
        "longest sequences come first"
    );
    let mut first = 0;
    let mut before = None;
    active
        .iter()
        .map(|&count| {
            let step = Step { first, count, before };
            before = Some(first);
            first += count;
            step
        })
        .collect()
}

impl Tape<'_> {
    /// The states of an LSTM layer after all steps, `[steps, hidden]`.
    ///
    /// `projected` is the part of the gates that comes from the inputs, `[steps, 4 * hidden]`, in the order input,
    /// forget, cell, output. `recurrent` are the weights of the previous state, `[hidden, 4 * hidden]`. `active` is the
    /// number of sequences in each time step.
    ///
    /// # Panics
    ///
    /// If the shapes do not fit.
    #[must_use]
    pub fn lstm(&self, projected: &Term, recurrent: &Term, active: &[usize]) -> Term {
        let (rows, hidden) = (projected.rows(), recurrent.rows());
        assert_eq!(active.iter().sum::<usize>(), rows, "a row for each step");
        assert_eq!(
            (projected.columns(), recurrent.columns()),
            (4 * hidden, 4 * hidden),
            "four gates"
        );
        let queue = self.queue;
        let gates = queue.unset(rows, 4 * hidden);
        self.add_into(&gates, &projected.value, 1.0, Write::Over);
        let [cells, states] = [(); 2].map(|()| queue.unset(rows, hidden));
        let steps = steps(active);
        for step in &steps {
            if let Some(before) = step.before {
                let states = states.part(before, step.count);
                queue.product(states, recurrent.value.all(), &gates, step.first, Write::Onto);
            }
            let arguments = [
                self.rows_of(&gates, step),
                self.rows_of(&cells, step),
                self.rows_of(&states, step),
                self.rows_before(&cells, step),
                Large((step.count * hidden) as u64),
                Small(narrow(hidden)),
            ];
            queue.launch_each("lstm_forward", step.count * hidden, &arguments);
        }
        let (projected, recurrent) = (projected.clone(), recurrent.clone());
        self.result_with_itself(states, move |tape, d_states, states| {
            let d_gates = tape.lstm_gates_backward(&d_states, &recurrent.value, &gates, &cells, &steps);
            tape.add_gradient(&recurrent, |out, write| {
                if write == Write::Over {
                    tape.queue.clear(out);
                }
                for step in steps.iter().filter(|it| it.before.is_some()) {
                    let before = states.part(step.before.unwrap_or(0), step.count).transposed();
                    tape.queue
                        .product(before, d_gates.part(step.first, step.count), out, 0, Write::Onto);
                }
            });
            tape.give_gradient(&projected, d_gates);
        })
    }

    fn lstm_gates_backward(
        &self,
        d_states: &Matrix,
        recurrent: &Matrix,
        gates: &Matrix,
        cells: &Matrix,
        steps: &[Step],
    ) -> Matrix {
        let (rows, hidden) = (d_states.rows(), d_states.columns());
        let d_gates = self.queue.unset(rows, 4 * hidden);
        // Sequences that end before the last step have no gradient from later ones.
        let d_cells = self.queue.zeros(steps[0].count, hidden);
        for step in steps.iter().rev() {
            let elements = step.count * hidden;
            let arguments = [
                self.rows_of(&d_gates, step),
                self.queue.pointer(&d_cells, 0, elements),
                self.rows_of(d_states, step),
                self.rows_of(gates, step),
                self.rows_of(cells, step),
                self.rows_before(cells, step),
                Large(elements as u64),
                Small(narrow(hidden)),
            ];
            self.queue.launch_each("lstm_backward", elements, &arguments);
            if let Some(before) = step.before {
                let own = d_gates.part(step.first, step.count);
                self.queue
                    .product(own, recurrent.all().transposed(), d_states, before, Write::Onto);
            }
        }
        d_gates
    }

    fn rows_of(&self, matrix: &Matrix, step: &Step) -> crate::queue::Argument {
        let width = matrix.columns();
        self.queue.pointer(matrix, step.first * width, step.count * width)
    }

    fn rows_before(&self, matrix: &Matrix, step: &Step) -> crate::queue::Argument {
        let width = matrix.columns();
        let pointer = |first: usize| self.queue.pointer(matrix, first * width, step.count * width);
        step.before.map_or(NULL, pointer)
    }
}

#[cfg(test)]
mod tests {
    use super::steps;

    #[test]
    fn steps_follow_each_other() {
        let found: Vec<_> = steps(&[3, 2, 2])
            .into_iter()
            .map(|it| (it.first, it.count, it.before))
            .collect();
        assert_eq!(found, [(0, 3, None), (3, 2, Some(0)), (5, 2, Some(3))]);
    }
}
