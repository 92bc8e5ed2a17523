//! Tests of the hand-written LSTM against a textbook implementation and difference quotients.

use super::packing::Packing;
use super::*;

/// The sizes of an LSTM, with random weights, inputs and gradients of its last states.
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

    /// The LSTM states after the last steps of all paths, by a textbook implementation: path by path and number by
    /// number.
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
                cell[unit] =
                    sigmoid(sums[hidden + unit]) * cell[unit] + sigmoid(sums[unit]) * sums[2 * hidden + unit].tanh();
                state[unit] = sigmoid(sums[3 * hidden + unit]) * cell[unit].tanh();
            }
            states.push(state.clone());
        }
        states
    }

    /// The difference quotient of the loss by the number that `value` selects.
    ///
    /// The loss is the sum of the products of the last LSTM states with `d_last`.
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
