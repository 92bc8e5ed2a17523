//! The LSTM over contextual paths: a stack of layers, computed on the CPU by hand, forward and backward.
//!
//! A path is a sequence of time steps; only the hidden state after the last step is a result. Tensors of the Burn
//! library would cost time for padding, for a graph of small operations and for copies. Here the arithmetic is a few
//! large products on slices and one fused loop over the gates.
//!
//! Paths are sorted by length, longest first, and their steps are packed by time. Three paths of 3, 2 and 1 steps have
//! these rows, and 3, 2 and 1 paths are active in the three steps:
//!
//! ```text
//! row    0    1    2    3    4    5
//! path   a    b    c    a    b    a
//! step   0    0    0    1    1    2
//! ```
//!
//! Invariant: a result depends on the arguments alone, bit for bit, never on the number of threads. Paths are cut into
//! chunks by their number, and the gradients of chunks are summed in the order of the chunks.
//!
//! Not supported: initial states other than zero, states of inner steps as results, dropout, two directions.

mod gates;
mod layer;
mod packing;
mod products;
#[cfg(test)]
mod tests;

pub(crate) use self::gates::{OpenGates, tanh};
pub(crate) use self::layer::{LayerGradients, LayerWeights};
pub(crate) use self::packing::Packing;
pub(crate) use self::products::{product, product_into};

use rayon::prelude::*;

use self::layer::{LayerStates, layer_backward, layer_forward};
use self::packing::Chunk;

/// The intermediate results that [`forward`] computes over LSTM layers and that [`backward`] needs for the gradients.
pub(crate) struct Tape {
    input_size: usize,
    hidden: usize,
    packing: Packing,
    chunks: Vec<Chunk>,
    /// The states of every LSTM layer, for every chunk of paths that one thread computes.
    states: Vec<Vec<LayerStates>>,
}

/// Runs all LSTM layers over paths sorted by length, longest first.
///
/// `inputs` has one row for each step of a path: the first steps of all paths, then the second steps, and so on.
/// `active[t]` is the number of paths that have a step `t`.
///
/// Returns the hidden state of the last layer after the last step of every path, `[paths, hidden]`. The [`Tape`] holds
/// what [`backward`] needs.
///
/// # Panics
///
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

/// The gradients of the LSTM's inputs and of every layer, given the gradients `d_last` of the states after the last
/// steps.
///
/// `inputs` and `tape` are those of [`forward`]; the gradients of inputs are in the same order as the inputs.
///
/// # Panics
///
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

/// The sum over all chunks of paths of the gradients of every LSTM layer, added in the order of the chunks.
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
