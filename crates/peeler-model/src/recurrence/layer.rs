//! One LSTM layer over one chunk of paths, which one thread computes, forward and backward.

use super::gates::{GateGradients, OpenGates};
use super::packing::Packing;
use super::products::{Matrix, add_product};

/// The weights of one LSTM layer, row-major. The gates are in the order input, forget, cell, output.
#[derive(Clone, Copy)]
pub(crate) struct LayerWeights<'w> {
    /// The weights of the LSTM layer's inputs, `[inputs, 4 * hidden]`.
    pub(crate) input: &'w [f32],
    /// The weights of the LSTM layer's previous state, `[hidden, 4 * hidden]`.
    pub(crate) recurrent: &'w [f32],
    /// The bias of the LSTM layer's gates, `[4 * hidden]`.
    pub(crate) bias: &'w [f32],
}

/// The gradients of one LSTM layer's weights, in arrays of the same shapes.
pub(crate) struct LayerGradients {
    /// The gradient of the LSTM layer's input weights, `[inputs, 4 * hidden]`.
    pub(crate) input: Vec<f32>,
    /// The gradient of the LSTM layer's recurrent weights, `[hidden, 4 * hidden]`.
    pub(crate) recurrent: Vec<f32>,
    /// The gradient of the LSTM layer's bias, `[4 * hidden]`.
    pub(crate) bias: Vec<f32>,
}

/// The states of one LSTM layer at every time step of a chunk of paths.
///
/// The rows are in the order of time steps: the first steps of all paths, then the second steps, and so on.
pub(super) struct LayerStates {
    /// The activated gates of an LSTM layer at every time step, `[rows, 4 * hidden]`.
    pub(super) gates: Vec<f32>,
    /// The cells of an LSTM layer at every time step, `[rows, hidden]`.
    pub(super) cells: Vec<f32>,
    /// The outputs of an LSTM layer at every time step, `[rows, hidden]`.
    pub(super) outputs: Vec<f32>,
}

/// Runs one LSTM layer over a chunk of paths, which one thread computes.
pub(super) fn layer_forward(layer: &LayerWeights<'_>, inputs: &[f32], hidden: usize, packing: &Packing) -> LayerStates {
    let rows = packing.rows();
    let mut gates = vec![0.0; rows * 4 * hidden];
    let mut cells = vec![0.0; rows * hidden];
    let mut outputs = vec![0.0; rows * hidden];
    let input_size = layer.input.len() / (4 * hidden);
    add_product(
        &mut gates,
        Matrix::new(inputs, input_size),
        Matrix::new(layer.input, 4 * hidden),
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
            let states = Matrix::new(&outputs_before[before..][..length], hidden);
            add_product(gates, states, Matrix::new(layer.recurrent, 4 * hidden));
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

/// The gradients of the inputs and of the weights of one LSTM layer over a chunk of paths.
///
/// `d_outputs` are the gradients of its outputs from the layer above. Gradients through time are added to them.
pub(super) fn layer_backward(
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
            add_product(
                through_time,
                Matrix::new(d_gates, 4 * hidden),
                Matrix::new(layer.recurrent, 4 * hidden).transposed(),
            );
            outputs_before[(now.start - packing.paths()) * hidden..][..length]
                .copy_from_slice(&states.outputs[before..][..length]);
        }
    }

    let mut d_inputs = vec![0.0; rows * input_size];
    let mut d_input = vec![0.0; layer.input.len()];
    let mut d_recurrent = vec![0.0; layer.recurrent.len()];
    let all = Matrix::new(&d_gates, 4 * hidden);
    let after_first = Matrix::new(&d_gates[packing.paths() * 4 * hidden..], 4 * hidden);
    add_product(&mut d_inputs, all, Matrix::new(layer.input, 4 * hidden).transposed());
    add_product(&mut d_input, Matrix::new(inputs, input_size).transposed(), all);
    let outputs_before = Matrix::new(&outputs_before, hidden).transposed();
    add_product(&mut d_recurrent, outputs_before, after_first);
    (
        d_inputs,
        LayerGradients {
            input: d_input,
            recurrent: d_recurrent,
            bias: d_bias,
        },
    )
}
