//! The recurrence over contextual paths: a stack of LSTM layers on the CPU, forward and backward by hand.
//!
//! A path is a sequence of steps, and only the hidden state after its last step is of interest. Tensors would pay
//! for padding, for a graph of small operations and for their copies; here the arithmetic is a few large products
//! on plain slices and one fused loop over the gates.
//!
//! Paths come sorted by length, longest first, and their steps packed by time. Three paths of 3, 2 and 1 steps
//! have `active == [3, 2, 1]` and these rows:
//!
//! ```text
//! row    0    1    2    3    4    5
//! path   a    b    c    a    b    a
//! step   0    0    0    1    1    2
//! ```
//!
//! Invariant: a result depends on the arguments alone, bit for bit, never on the number of threads. Paths are cut
//! into chunks by their number, and gradients of the chunks are summed in the order of the chunks.
//!
//! Left out: initial states other than zero, states of inner steps as results, dropout, two directions.

mod gates;
mod packing;

use self::gates::GateGradients;
pub(crate) use self::gates::{OpenGates, tanh};
use self::packing::{Chunk, Packing};
use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;

/// Weights of one layer, row-major. Gates stand in the order input, forget, cell, output.
#[derive(Clone, Copy)]
pub(crate) struct LayerWeights<'w> {
    /// `[inputs, 4 * hidden]`
    pub input: &'w [f32],
    /// `[hidden, 4 * hidden]`
    pub recurrent: &'w [f32],
    /// `[4 * hidden]`
    pub bias: &'w [f32],
}

/// Gradients of one layer, laid out as its weights.
pub(crate) struct LayerGradients {
    pub input: Vec<f32>,
    pub recurrent: Vec<f32>,
    pub bias: Vec<f32>,
}

/// What [`forward`] keeps for [`backward`].
pub(crate) struct Tape {
    input_size: usize,
    hidden: usize,
    packing: Packing,
    chunks: Vec<Chunk>,
    /// For every chunk its layers.
    states: Vec<Vec<LayerStates>>,
}

/// States of one layer at every step of the paths of one chunk, packed by time.
struct LayerStates {
    /// Gates after their activations, `[rows, 4 * hidden]`.
    gates: Vec<f32>,
    /// `[rows, hidden]`
    cells: Vec<f32>,
    /// `[rows, hidden]`
    outputs: Vec<f32>,
}

/// Runs all layers over paths sorted by length, longest first.
///
/// `inputs` is packed by time; `active[t]` is the number of paths that have a step `t`. Returns the hidden state of
/// the last layer after the last step of every path, `[paths, hidden]`, and the tape.
///
/// # Panics
/// If `active` increases, or a length disagrees with the sizes.
pub(crate) fn forward(
    layers: &[LayerWeights<'_>],
    inputs: &[f32],
    input_size: usize,
    hidden: usize,
    active: &[usize],
) -> (Vec<f32>, Tape) {
    let packing = Packing::new(active.to_vec());
    assert!(!layers.is_empty(), "a recurrence has at least one layer");
    assert_eq!(
        inputs.len(),
        packing.rows() * input_size,
        "inputs are [rows, input_size]"
    );
    for (layer, size) in layers
        .iter()
        .zip(std::iter::once(input_size).chain(std::iter::repeat(hidden)))
    {
        assert_eq!(
            layer.input.len(),
            size * 4 * hidden,
            "input weights are [inputs, 4 * hidden]"
        );
        assert_eq!(
            layer.recurrent.len(),
            hidden * 4 * hidden,
            "recurrent weights are [hidden, 4 * hidden]"
        );
        assert_eq!(layer.bias.len(), 4 * hidden, "a bias is [4 * hidden]");
    }
    let chunks = packing.chunks();
    let mut last = vec![0.0; packing.paths() * hidden];
    let mut last_of_chunks = Vec::with_capacity(chunks.len());
    let mut rest = last.as_mut_slice();
    for chunk in &chunks {
        last_of_chunks.push(
            rest.split_off_mut(..chunk.packing.paths() * hidden)
                .expect("one row for each path"),
        );
    }
    let states = (&chunks, last_of_chunks)
        .into_par_iter()
        .with_max_len(1)
        .map(|(chunk, last)| {
            let inputs = chunk.gather(inputs, input_size, &packing);
            let mut states: Vec<LayerStates> = Vec::with_capacity(layers.len());
            for layer in layers {
                let below = states.last().map_or(&inputs, |below| &below.outputs);
                states.push(layer_forward(layer, below, hidden, &chunk.packing));
            }
            let outputs = &states.last().expect("at least one layer").outputs;
            for (last, row) in last.chunks_exact_mut(hidden).zip(chunk.packing.last_rows()) {
                last.copy_from_slice(&outputs[row * hidden..][..hidden]);
            }
            states
        })
        .collect();
    (
        last,
        Tape {
            input_size,
            hidden,
            packing,
            chunks,
            states,
        },
    )
}

/// Gradients of the inputs, packed as they are, and of every layer, given those of the last states.
///
/// # Panics
/// If a length disagrees with the tape.
pub(crate) fn backward(
    layers: &[LayerWeights<'_>],
    tape: &Tape,
    inputs: &[f32],
    d_last: &[f32],
) -> (Vec<f32>, Vec<LayerGradients>) {
    let Tape {
        input_size,
        hidden,
        packing,
        chunks,
        states,
    } = tape;
    let (input_size, hidden) = (*input_size, *hidden);
    assert_eq!(
        inputs.len(),
        packing.rows() * input_size,
        "inputs are those of the forward pass"
    );
    assert_eq!(
        d_last.len(),
        packing.paths() * hidden,
        "gradients of the last states are [paths, hidden]"
    );

    let mut d_inputs = vec![0.0; inputs.len()];
    let d_inputs_of_chunks = packing.scatter_targets(&mut d_inputs, input_size, chunks);
    let gradients_of_chunks: Vec<Vec<LayerGradients>> = (chunks, states, d_inputs_of_chunks)
        .into_par_iter()
        .with_max_len(1)
        .map(|(chunk, states, d_inputs)| {
            let inputs = chunk.gather(inputs, input_size, packing);
            let mut d_outputs = vec![0.0; chunk.packing.rows() * hidden];
            let d_last = d_last[chunk.first_path * hidden..].chunks_exact(hidden);
            for (d_last, row) in d_last.zip(chunk.packing.last_rows()) {
                d_outputs[row * hidden..][..hidden].copy_from_slice(d_last);
            }
            let mut gradients = Vec::with_capacity(layers.len());
            for (index, layer) in layers.iter().enumerate().rev() {
                let below = if index == 0 {
                    &inputs
                } else {
                    &states[index - 1].outputs
                };
                let (d_below, gradient) =
                    layer_backward(layer, &states[index], below, d_outputs, hidden, &chunk.packing);
                gradients.push(gradient);
                d_outputs = d_below;
            }
            let mut rows = d_outputs.as_slice();
            for target in d_inputs {
                let (step, later) = rows.split_at(target.len());
                target.copy_from_slice(step);
                rows = later;
            }
            gradients.reverse();
            gradients
        })
        .collect();
    (d_inputs, sum_in_order(layers, gradients_of_chunks))
}

/// Runs one layer over the paths of one chunk.
fn layer_forward(layer: &LayerWeights<'_>, inputs: &[f32], hidden: usize, packing: &Packing) -> LayerStates {
    let rows = packing.rows();
    let mut gates = vec![0.0; rows * 4 * hidden];
    let mut cells = vec![0.0; rows * hidden];
    let mut outputs = vec![0.0; rows * hidden];
    let input_size = layer.input.len() / (4 * hidden);
    multiply(
        &mut gates,
        Accum::Replace,
        matrix(inputs, input_size),
        matrix(layer.input, 4 * hidden),
    );

    let no_cells = vec![0.0; packing.paths() * hidden];
    for step in 0..packing.steps() {
        let now = packing.rows_of(step);
        let length = now.len() * hidden;
        let gates = &mut gates[now.start * 4 * hidden..][..4 * length];
        let (cells_before, cells) = cells.split_at_mut(now.start * hidden);
        let (outputs_before, outputs) = outputs.split_at_mut(now.start * hidden);
        let cells_before = if step == 0 {
            &no_cells[..length]
        } else {
            let before = packing.rows_of(step - 1).start * hidden;
            let states = matrix(&outputs_before[before..][..length], hidden);
            multiply(gates, Accum::Add, states, matrix(layer.recurrent, 4 * hidden));
            &cells_before[before..][..length]
        };
        let cells = &mut cells[..length];
        let outputs = &mut outputs[..length];
        OpenGates {
            hidden,
            bias: layer.bias,
            gates,
            before: cells_before,
            cells,
            outputs,
        }
        .run();
    }
    LayerStates { gates, cells, outputs }
}

/// Gradients of the inputs and of the weights of one layer over the paths of one chunk.
///
/// `d_outputs` are the gradients of the outputs from above; those through time are added to them.
fn layer_backward(
    layer: &LayerWeights<'_>,
    states: &LayerStates,
    inputs: &[f32],
    mut d_outputs: Vec<f32>,
    hidden: usize,
    packing: &Packing,
) -> (Vec<f32>, LayerGradients) {
    let rows = packing.rows();
    let input_size = layer.input.len() / (4 * hidden);
    let mut d_gates = vec![0.0; rows * 4 * hidden];
    let mut d_cells = vec![0.0; packing.paths() * hidden];
    let mut d_bias = vec![0.0; 4 * hidden];
    // The state before each row. Rows of the first step have none, so this starts with the second step.
    let mut outputs_before = vec![0.0; (rows - packing.paths()) * hidden];

    let no_cells = vec![0.0; packing.paths() * hidden];
    for step in (0..packing.steps()).rev() {
        let now = packing.rows_of(step);
        let length = now.len() * hidden;
        let before = if step == 0 {
            0
        } else {
            packing.rows_of(step - 1).start * hidden
        };
        let cells_before = if step == 0 {
            &no_cells[..length]
        } else {
            &states.cells[before..][..length]
        };
        let gates = &states.gates[now.start * 4 * hidden..][..4 * length];
        let cells = &states.cells[now.start * hidden..][..length];
        let d_outputs_now = &d_outputs[now.start * hidden..][..length];
        let d_gates = &mut d_gates[now.start * 4 * hidden..][..4 * length];
        let d_cells = &mut d_cells[..length];
        GateGradients {
            hidden,
            gates,
            before: cells_before,
            cells,
            d_outputs: d_outputs_now,
            d_gates,
            d_cells,
            d_bias: &mut d_bias,
        }
        .run();
        if step > 0 {
            let through_time = &mut d_outputs[before..][..length];
            let recurrent = matrix(layer.recurrent, 4 * hidden).transpose();
            multiply(through_time, Accum::Add, matrix(d_gates, 4 * hidden), recurrent);
            outputs_before[(now.start - packing.paths()) * hidden..][..length]
                .copy_from_slice(&states.outputs[before..][..length]);
        }
    }

    let mut d_inputs = vec![0.0; rows * input_size];
    let mut d_input = vec![0.0; layer.input.len()];
    let mut d_recurrent = vec![0.0; layer.recurrent.len()];
    let all = matrix(&d_gates, 4 * hidden);
    let after_first = matrix(&d_gates[packing.paths() * 4 * hidden..], 4 * hidden);
    multiply(
        &mut d_inputs,
        Accum::Replace,
        all,
        matrix(layer.input, 4 * hidden).transpose(),
    );
    multiply(
        &mut d_input,
        Accum::Replace,
        matrix(inputs, input_size).transpose(),
        all,
    );
    multiply(
        &mut d_recurrent,
        Accum::Replace,
        matrix(&outputs_before, hidden).transpose(),
        after_first,
    );
    (
        d_inputs,
        LayerGradients {
            input: d_input,
            recurrent: d_recurrent,
            bias: d_bias,
        },
    )
}

fn matrix(values: &[f32], columns: usize) -> MatRef<'_, f32> {
    MatRef::from_row_major_slice(values, values.len() / columns, columns)
}

/// `rows * weights`, row by row; `width` columns on the left, `columns` on the right.
pub(crate) fn product(rows: &[f32], width: usize, weights: &[f32], columns: usize) -> Vec<f32> {
    let mut target = Vec::new();
    product_into(&mut target, rows, width, weights, columns);
    target
}

/// The same into a buffer that may hold anything before.
pub(crate) fn product_into(target: &mut Vec<f32>, rows: &[f32], width: usize, weights: &[f32], columns: usize) {
    target.resize(rows.len() / width * columns, 0.0);
    multiply(target, Accum::Replace, matrix(rows, width), matrix(weights, columns));
}

/// Writes or adds `left * right` to the row-major `target`. Chunks are what runs in parallel, so this does not.
fn multiply(target: &mut [f32], accumulate: Accum, left: MatRef<'_, f32>, right: MatRef<'_, f32>) {
    let target = MatMut::from_row_major_slice_mut(target, left.nrows(), right.ncols());
    matmul(target, accumulate, left, right, 1.0, Par::Seq);
}

fn sum_in_order(layers: &[LayerWeights<'_>], chunks: Vec<Vec<LayerGradients>>) -> Vec<LayerGradients> {
    let zeros = |layer: &LayerWeights<'_>| LayerGradients {
        input: vec![0.0; layer.input.len()],
        recurrent: vec![0.0; layer.recurrent.len()],
        bias: vec![0.0; layer.bias.len()],
    };
    let add = |sum: &mut [f32], part: &[f32]| sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
    let mut chunks = chunks.into_iter();
    let first = chunks.next().unwrap_or_else(|| layers.iter().map(zeros).collect());
    chunks.fold(first, |mut sums, gradients| {
        for (sum, part) in sums.iter_mut().zip(&gradients) {
            add(&mut sum.input, &part.input);
            add(&mut sum.recurrent, &part.recurrent);
            add(&mut sum.bias, &part.bias);
        }
        sums
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes of a recurrence and its random weights, inputs and gradients.
    struct Case {
        input_size: usize,
        hidden: usize,
        lengths: Vec<usize>,
        layers: Vec<[Vec<f32>; 3]>,
        inputs: Vec<f32>,
        d_last: Vec<f32>,
    }

    impl Case {
        fn new(input_size: usize, hidden: usize, layers: usize, lengths: &[usize]) -> Self {
            let mut seed = 7_u32;
            let mut random = |length: usize| -> Vec<f32> {
                let mut next = || {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    f32::from(u16::try_from(seed >> 16).unwrap()) / 32768.0 - 1.0
                };
                (0..length).map(|_| next()).collect()
            };
            let layers = (0..layers)
                .map(|layer| if layer == 0 { input_size } else { hidden })
                .map(|size| {
                    [
                        random(size * 4 * hidden),
                        random(hidden * 4 * hidden),
                        random(4 * hidden),
                    ]
                })
                .collect();
            let inputs = random(lengths.iter().sum::<usize>() * input_size);
            let d_last = random(lengths.len() * hidden);
            Self {
                input_size,
                hidden,
                lengths: lengths.to_vec(),
                layers,
                inputs,
                d_last,
            }
        }

        fn active(&self) -> Vec<usize> {
            let steps = self.lengths.first().copied().unwrap_or(0);
            (0..steps)
                .map(|step| self.lengths.iter().filter(|length| **length > step).count())
                .collect()
        }

        fn weights(&self) -> Vec<LayerWeights<'_>> {
            self.layers
                .iter()
                .map(|[input, recurrent, bias]| LayerWeights { input, recurrent, bias })
                .collect()
        }

        fn forward(&self) -> (Vec<f32>, Tape) {
            forward(
                &self.weights(),
                &self.inputs,
                self.input_size,
                self.hidden,
                &self.active(),
            )
        }

        fn backward(&self) -> (Vec<f32>, Vec<LayerGradients>) {
            backward(&self.weights(), &self.forward().1, &self.inputs, &self.d_last)
        }

        /// The last states as the textbook has them, path by path and number by number.
        fn reference(&self) -> Vec<f64> {
            let starts = Packing::new(self.active()).starts;
            let mut last = Vec::new();
            for (path, length) in self.lengths.iter().enumerate() {
                let mut sequence: Vec<Vec<f64>> = (0..*length)
                    .map(|step| &self.inputs[(starts[step] + path) * self.input_size..][..self.input_size])
                    .map(|row| row.iter().copied().map(f64::from).collect())
                    .collect();
                for layer in &self.layers {
                    sequence = self.reference_layer(layer, &sequence);
                }
                last.extend(sequence.pop().unwrap());
            }
            last
        }

        fn reference_layer(&self, [input, recurrent, bias]: &[Vec<f32>; 3], sequence: &[Vec<f64>]) -> Vec<Vec<f64>> {
            let hidden = self.hidden;
            let (mut cell, mut state) = (vec![0.0; hidden], vec![0.0; hidden]);
            let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
            let mut states = Vec::new();
            for row in sequence {
                let sum = |gate: usize| {
                    let weighted = |weights: &[f32], values: &[f64]| -> f64 {
                        values
                            .iter()
                            .zip(weights[gate..].iter().step_by(4 * hidden))
                            .map(|(x, w)| x * f64::from(*w))
                            .sum()
                    };
                    f64::from(bias[gate]) + weighted(input, row) + weighted(recurrent, &state)
                };
                let sums: Vec<f64> = (0..4 * hidden).map(sum).collect();
                for unit in 0..hidden {
                    cell[unit] = sigmoid(sums[hidden + unit]) * cell[unit]
                        + sigmoid(sums[unit]) * sums[2 * hidden + unit].tanh();
                    state[unit] = sigmoid(sums[3 * hidden + unit]) * cell[unit].tanh();
                }
                states.push(state.clone());
            }
            states
        }

        /// The difference quotient of the loss whose gradients at the last states are `d_last`.
        fn quotient(&mut self, value: impl Fn(&mut Self) -> &mut f32) -> f64 {
            let center = *value(self);
            let mut loss_at = |x: f32| -> f64 {
                *value(self) = x;
                self.reference()
                    .iter()
                    .zip(&self.d_last)
                    .map(|(last, d)| last * f64::from(*d))
                    .sum()
            };
            let (up, down) = (center + 1e-3, center - 1e-3);
            let slope = (loss_at(up) - loss_at(down)) / (f64::from(up) - f64::from(down));
            *value(self) = center;
            slope
        }
    }

    fn assert_close(found: f32, expected: f64, tolerance: f64, what: &str) {
        let difference = (f64::from(found) - expected).abs();
        assert!(
            difference <= tolerance * expected.abs().max(1.0),
            "{what}: found {found}, expected {expected}"
        );
    }

    fn assert_forward_equals_the_reference(case: &Case) {
        for (found, expected) in case.forward().0.iter().zip(case.reference()) {
            assert_close(*found, expected, 1e-5, "a last state");
        }
    }

    #[test]
    fn forward_equals_the_textbook() {
        assert_forward_equals_the_reference(&Case::new(5, 3, 1, &[1]));
        assert_forward_equals_the_reference(&Case::new(5, 3, 2, &[4, 4, 3, 1, 1]));
        assert_forward_equals_the_reference(&Case::new(24, 16, 3, &[6; 40]));
    }

    #[test]
    fn forward_equals_the_textbook_across_chunks() {
        let lengths: Vec<usize> = (0..100).map(|path| 5 - path / 25).collect();
        assert_forward_equals_the_reference(&Case::new(7, 18, 2, &lengths));
    }

    #[test]
    fn backward_equals_difference_quotients() {
        let mut case = Case::new(4, 3, 2, &[4, 3, 3, 1]);
        let (d_inputs, gradients) = case.backward();
        for (at, found) in d_inputs.iter().enumerate() {
            assert_close(*found, case.quotient(|case| &mut case.inputs[at]), 1e-4, "an input");
        }
        for (layer, gradients) in gradients.iter().enumerate() {
            for (part, found) in [&gradients.input, &gradients.recurrent, &gradients.bias]
                .into_iter()
                .enumerate()
            {
                assert_eq!(found.len(), case.layers[layer][part].len());
                for (at, found) in found.iter().enumerate() {
                    let expected = case.quotient(|case| &mut case.layers[layer][part][at]);
                    assert_close(*found, expected, 1e-4, &format!("part {part} of layer {layer} at {at}"));
                }
            }
        }
    }

    #[test]
    fn backward_equals_difference_quotients_across_chunks() {
        let lengths: Vec<usize> = (0..70).map(|path| 3 - path / 30).collect();
        let mut case = Case::new(4, 18, 2, &lengths);
        let (d_inputs, gradients) = case.backward();
        for at in (0..d_inputs.len()).step_by(97) {
            assert_close(
                d_inputs[at],
                case.quotient(|case| &mut case.inputs[at]),
                1e-3,
                "an input",
            );
        }
        for (layer, gradients) in gradients.iter().enumerate() {
            for (part, found) in [&gradients.input, &gradients.recurrent, &gradients.bias]
                .into_iter()
                .enumerate()
            {
                for at in (0..found.len()).step_by(131) {
                    let expected = case.quotient(|case| &mut case.layers[layer][part][at]);
                    assert_close(
                        found[at],
                        expected,
                        1e-3,
                        &format!("part {part} of layer {layer} at {at}"),
                    );
                }
            }
        }
    }

    #[test]
    fn a_path_does_not_depend_on_the_others() {
        let (input_size, hidden) = (9, 20);
        let lengths: Vec<usize> = (0..75).map(|path| 6 - path / 15).collect();
        let case = Case::new(input_size, hidden, 2, &lengths);
        let (together, _) = case.forward();
        let starts = Packing::new(case.active()).starts;
        for path in [0, 14, 31, 32, 50, 74] {
            let rows = starts[..lengths[path]].iter().map(|start| (start + path) * input_size);
            let inputs: Vec<f32> = rows.flat_map(|row| case.inputs[row..][..input_size].to_vec()).collect();
            let (alone, _) = forward(&case.weights(), &inputs, input_size, hidden, &vec![1; lengths[path]]);
            for (alone, together) in alone.iter().zip(&together[path * hidden..]) {
                assert_close(*alone, f64::from(*together), 1e-6, "a last state");
            }
        }
    }

    #[test]
    fn results_are_the_same_bit_for_bit_whatever_the_number_of_threads() {
        let lengths: Vec<usize> = (0..300).map(|path| 7 - path / 60).collect();
        let case = Case::new(33, 24, 2, &lengths);
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let ((last, _), (d_inputs, gradients)) = pool.install(|| (case.forward(), case.backward()));
            let gradients = gradients
                .into_iter()
                .flat_map(|layer| [layer.input, layer.recurrent, layer.bias].concat());
            let values = last.into_iter().chain(d_inputs).chain(gradients);
            values.map(f32::to_bits).collect::<Vec<_>>()
        };
        let once = run(1);
        assert!(once == run(1), "from run to run");
        assert!(once == run(2) && once == run(5), "from pool to pool");
    }

    #[test]
    fn no_paths_give_no_states_and_no_gradients() {
        let case = Case::new(3, 2, 2, &[]);
        assert!(case.forward().0.is_empty());
        let (d_inputs, gradients) = case.backward();
        assert!(d_inputs.is_empty());
        assert!(
            gradients
                .iter()
                .all(|layer| layer.input.iter().chain(&layer.bias).all(|value| *value == 0.0))
        );
        assert_eq!(gradients[0].input.len(), case.layers[0][0].len());
    }
}
