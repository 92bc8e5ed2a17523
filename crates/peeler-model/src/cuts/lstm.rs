//! One LSTM layer over packed paths, in tensors, with its gradients by hand.
//!
//! The rows are packed by time step, as [`crate::recurrence`] explains: the first steps of all paths, then the second
//! steps of those that have one, and so on. What does not depend on the next time step is computed for all rows at
//! once, so that a time step is few operations.

use burn::tensor::Tensor;
use burn::tensor::activation::sigmoid;

use super::products::transposed_product;

/// One pass of an LSTM layer over all time steps: its states, and what the gradients need. All are lists of time steps.
pub(super) struct LayerPass {
    /// The activated gates of each time step, in the order input, forget, cell, output: `[paths, hidden]` each.
    gates: [Vec<Tensor<2>>; 4],
    /// The cells before each time step but the first.
    before: Vec<Tensor<2>>,
    /// The hyperbolic tangents of the cells.
    cells: Vec<Tensor<2>>,
    states: Vec<Tensor<2>>,
}

impl LayerPass {
    /// Runs the layer. `projected` is the part of the gates that comes from the inputs, `[steps, 4 * hidden]`.
    /// `recurrent` are the weights of the previous state, `[hidden, 4 * hidden]`. `active` is the number of paths in
    /// each time step.
    pub(super) fn new(projected: &Tensor<2>, recurrent: &Tensor<2>, active: &[usize]) -> Self {
        let hidden = recurrent.dims()[0];
        let mut pass = Self {
            gates: [(); 4].map(|()| Vec::with_capacity(active.len())),
            before: Vec::new(),
            cells: Vec::new(),
            states: Vec::new(),
        };
        let mut cell: Option<Tensor<2>> = None;
        let mut start = 0;
        for &now in active {
            let mut sums = rows(projected, start, now);
            if let (Some(state), Some(before)) = (pass.states.last(), cell.take()) {
                sums = sums + rows(state, 0, now).matmul(recurrent.clone());
                pass.before.push(rows(&before, 0, now));
            }
            let sums_of = |gate: usize| sums.clone().slice([0..now, gate * hidden..(gate + 1) * hidden]);
            let gates = [
                sigmoid(sums_of(0)),
                sigmoid(sums_of(1)),
                sums_of(2).tanh(),
                sigmoid(sums_of(3)),
            ];
            let added = gates[0].clone() * gates[2].clone();
            let new = match pass.before.last() {
                Some(before) => gates[1].clone() * before.clone() + added,
                None => added,
            };
            let bounded = new.clone().tanh();
            pass.states.push(gates[3].clone() * bounded.clone());
            pass.cells.push(bounded);
            cell = Some(new);
            for (all, gate) in pass.gates.iter_mut().zip(gates) {
                all.push(gate);
            }
            start += now;
        }
        pass
    }

    /// The states after all steps, `[steps, hidden]`.
    pub(super) fn states(&self) -> Tensor<2> {
        Tensor::cat(self.states.clone(), 0)
    }

    /// The gradients of `projected` and `recurrent`, given that of the states, `[steps, hidden]`.
    pub(super) fn backward(self, d_states: &Tensor<2>, recurrent: &Tensor<2>, active: &[usize]) -> [Tensor<2>; 2] {
        let [paths, hidden] = self.states[0].dims();
        let device = d_states.device();
        let zeros = |count: usize| Tensor::<2>::zeros([count, hidden], &device);
        let [input, forget, cell, output] = self.gates.map(|it| Tensor::cat(it, 0));
        let bounded = Tensor::cat(self.cells, 0);
        let before = Tensor::cat([vec![zeros(paths)], self.before].concat(), 0);
        // The gradients of the sums before activation are these factors times the gradients of cells and states.
        let slope = |it: &Tensor<2>| it.clone() * (it.clone().neg() + 1.0);
        let steep = |it: &Tensor<2>| it.clone().powi_scalar(2).neg() + 1.0;
        let factors = Tensor::cat(
            vec![
                slope(&input) * cell.clone(),
                slope(&forget) * before,
                steep(&cell) * input,
                slope(&output) * bounded.clone(),
            ],
            1,
        ); // [steps, 4 hidden]
        let of_cell = steep(&bounded) * output;
        // A reshaped tensor is one without gaps, which is faster to read.
        let back: Tensor<1> = recurrent.clone().transpose().reshape([4 * hidden * hidden]);
        let back: Tensor<2> = back.reshape([4 * hidden, hidden]);

        let mut d_sums: Vec<Tensor<2>> = Vec::with_capacity(active.len());
        let mut later: Option<[Tensor<2>; 2]> = None;
        let mut start: usize = active.iter().sum();
        for (step, &now) in active.iter().enumerate().rev() {
            start -= now;
            let mut d_state = rows(d_states, start, now);
            let mut d_cell = None;
            if let Some([state, cell]) = later.take() {
                let fewer = state.dims()[0];
                let filled = |it: Tensor<2>| match now - fewer {
                    0 => it,
                    missing => Tensor::cat(vec![it, zeros(missing)], 0),
                };
                d_state = d_state + filled(state);
                d_cell = Some(filled(cell));
            }
            let own = d_state.clone() * rows(&of_cell, start, now);
            let d_cell = match d_cell {
                Some(later) => own + later,
                None => own,
            };
            let each = Tensor::cat(vec![d_cell.clone(), d_cell.clone(), d_cell.clone(), d_state], 1);
            let d_gates = each * rows(&factors, start, now);
            if step > 0 {
                later = Some([d_gates.clone().matmul(back.clone()), d_cell * rows(&forget, start, now)]);
            }
            d_sums.push(d_gates);
        }
        d_sums.reverse();
        let d_projected = Tensor::cat(d_sums, 0); // [steps, 4 hidden]
        let [steps, _] = d_projected.dims();
        let d_recurrent = if steps > paths {
            let states = self.states.iter().zip(&active[1..]);
            let states = Tensor::cat(states.map(|(state, now)| rows(state, 0, *now)).collect(), 0);
            transposed_product(states, rows(&d_projected, paths, steps - paths))
        } else {
            recurrent.zeros_like()
        };
        [d_projected, d_recurrent]
    }
}

/// `count` rows of a tensor from `first` on.
fn rows(tensor: &Tensor<2>, first: usize, count: usize) -> Tensor<2> {
    let [all, width] = tensor.dims();
    if first == 0 && count == all {
        return tensor.clone();
    }
    tensor.clone().slice([first..first + count, 0..width])
}
