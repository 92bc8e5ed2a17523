//! Prediction on the CPU without tensors of the Burn library.
//!
//! The arithmetic is that of [`crate::network`]. Every distinct text, edge and step of paths is computed once, and so
//! is every common prefix of two paths.

use std::cell::RefCell;

use crate::batch::{Batch, Lists};
use crate::config::{Config, CutEdges};
use crate::network_parameters::{
    BodyParameters, CodeParameters, DenseParameters, MEASURE_SCALE, NetworkParameters, PathParameters,
};
use crate::normalisation::normalise;
use crate::prefix_tree::{Level, PrefixTree};
use crate::recurrence::{OpenGates, product, product_into, tanh};
use crate::score::{Score, sigmoid};
use crate::weights::{Values, add};
use peeler_features::MEASURES;

/// The uncalibrated scores of the tests of a batch, in their order.
pub(crate) fn scores(config: &Config, network: &NetworkParameters, batch: &Batch) -> Vec<Score> {
    SCRATCH.with_borrow_mut(|scratch| scores_with(config, network, batch, scratch))
}

fn scores_with(config: &Config, network: &NetworkParameters, batch: &Batch, scratch: &mut Scratch) -> Vec<Score> {
    let width = config.embedding;
    let mut columns: Vec<(Vec<f32>, usize)> = Vec::new();
    for (table, lists) in [
        (&network.words, &batch.words),
        (&network.context, &batch.context),
        (&network.calls, &batch.calls),
        (&network.causes, &batch.causes),
        (&network.flows, &batch.flows),
        (&network.oracles, &batch.oracles),
    ] {
        if let Some(table) = table {
            columns.push((sums(lists, table, width), width));
        }
    }
    if let Some(layer) = &network.measures {
        let mut measures = dense(layer, &batch.measures, MEASURES);
        #[allow(clippy::cast_possible_truncation)]
        for it in &mut measures {
            *it *= MEASURE_SCALE as f32;
        }
        columns.push((measures, width));
    }
    let mut attention = vec![None; batch.tests];
    if let Some(paths) = &network.paths {
        let mut vectors = vec![0.0; batch.tests * config.hidden];
        if batch.has_paths() {
            let states = states(config, paths, batch, scratch);
            attention = attend(config, paths, batch, &states, &mut vectors);
        }
        columns.push((vectors, config.hidden));
    }
    let features: usize = columns.iter().map(|(_, width)| width).sum();
    let mut rows = Vec::with_capacity(batch.tests * features);
    for test in 0..batch.tests {
        for (values, width) in &columns {
            rows.extend_from_slice(&values[test * width..][..*width]);
        }
    }
    let mut hidden = dense(&network.hidden, &rows, features);
    for it in &mut hidden {
        *it = it.max(0.0);
    }
    let outputs = dense(&network.output, &hidden, config.head);
    let scored = outputs.chunks(2).zip(attention);
    scored
        .map(|(output, attention)| Score {
            probability: sigmoid(output[1] - output[0]),
            attention,
        })
        .collect()
}

fn dense(layer: &DenseParameters, rows: &[f32], width: usize) -> Vec<f32> {
    let mut out = product(rows, width, &layer.weight, layer.bias.len());
    for row in out.chunks_mut(layer.bias.len()) {
        add(row, &layer.bias, 1.0);
    }
    out
}

/// Computes a vector for each distinct path step (tuple of node and edge) of a batch, `[tuples, tuple]`, into
/// `scratch`.
fn tuples(config: &Config, paths: &PathParameters, batch: &Batch, scratch: &mut Scratch) {
    let (width, edge, tuple) = (config.embedding, config.edge, config.tuple);
    let Scratch {
        nodes, edges, tuples, ..
    } = scratch;
    let texts = sums(&batch.texts, &paths.tokens, width);
    product_into(nodes, &texts, width, &paths.node, tuple);
    let edge_texts = gathered(&texts, width, &batch.edge_texts);
    product_into(edges, &edge_texts, width, &paths.operation, edge);
    let bodies = bodies(config, paths, batch);
    for (row, method) in edges.chunks_mut(edge).zip(&batch.edge_methods) {
        if let Some(method) = method {
            if config.cut == CutEdges::Body {
                row.fill(0.0);
            }
            add(row, &bodies[*method as usize * edge..][..edge], 1.0);
        }
    }
    let edges = product(edges, edge, &paths.edge, tuple);
    gather_into(tuples, nodes, tuple, batch.tuple_nodes.iter().copied());
    for (row, at) in tuples.chunks_mut(tuple).zip(&batch.tuple_edges) {
        add(row, &edges[*at as usize * tuple..][..tuple], 1.0);
        add(row, &paths.bias, 1.0);
        normalise(row);
        for ((value, scale), shift) in row.iter_mut().zip(&*paths.scale).zip(&*paths.shift) {
            *value = tanh(*value * scale + shift);
        }
    }
}

/// The vectors of the bodies of methods under test that paths of the batch call, `[methods, edge]`.
///
/// Empty if bodies are not read.
fn bodies(config: &Config, paths: &PathParameters, batch: &Batch) -> Vec<f32> {
    match &paths.bodies {
        None => Vec::new(),
        Some(BodyParameters::Words(_)) if batch.method_words.len() == 0 => Vec::new(),
        Some(BodyParameters::Words(matrix)) => {
            let words = sums(&batch.method_words, &paths.tokens, config.embedding);
            product(&words, config.embedding, matrix, config.edge)
        }
        Some(BodyParameters::Contexts(code)) => attended_contexts(config.edge, code, &paths.tokens, batch),
    }
}

/// For each method of a batch, the sum of its path contexts weighted by attention, `[methods, edge]`.
///
/// A path context is a path between two tokens in the syntax tree of the method's body.
fn attended_contexts(edge: usize, code: &CodeParameters, tokens: &Values, batch: &Batch) -> Vec<f32> {
    let mut out = vec![0.0; batch.contexts.len() * edge];
    if out.is_empty() {
        return out;
    }
    let tables = code.projected(tokens);
    for (contexts, out) in batch.contexts.iter().zip(out.chunks_mut(edge)) {
        // A method without a body attends to an empty context.
        let contexts: &[[u32; 3]] = if contexts.is_empty() { &[[0, 0, 0]] } else { contexts };
        let vectors: Vec<Vec<f32>> = contexts
            .iter()
            .map(|[from, way, to]| {
                let row = |table: &'_ [f32], at: u32| table[at as usize * edge..][..edge].to_vec();
                let mut vector = row(&tables.from, *from);
                add(&mut vector, &row(&tables.ways, *way), 1.0);
                add(&mut vector, &row(&tables.to, *to), 1.0);
                for it in &mut vector {
                    *it = tanh(*it);
                }
                vector
            })
            .collect();
        let weights = softmax(vectors.iter().map(|it| dot(it, &code.attention)).collect());
        for (vector, weight) in vectors.iter().zip(weights) {
            add(out, vector, weight);
        }
    }
    out
}

/// The LSTM states after the last step of every path, in the order of the batch's paths, `[paths, hidden]`.
fn states(config: &Config, paths: &PathParameters, batch: &Batch, scratch: &mut Scratch) -> Vec<f32> {
    let hidden = config.hidden;
    tuples(config, paths, batch, scratch);
    let input = &paths.layers[0].input;
    product_into(&mut scratch.first, &scratch.tuples, config.tuple, input, 4 * hidden);
    scratch.layers.resize_with(paths.layers.len(), LayerScratch::default);
    for layer in &mut scratch.layers {
        layer.outputs.clear();
        layer.cells.clear();
    }
    let mut last = vec![0.0; batch.active.first().copied().unwrap_or(0) * hidden];
    for level in &PrefixTree::new(batch).levels {
        for depth in 0..paths.layers.len() {
            time_step(paths, depth, hidden, level, scratch);
        }
        let states = scratch.layers.last().map_or(&[][..], |it| &it.outputs);
        for (path, place) in &level.ends {
            let state = &states[*place as usize * hidden..][..hidden];
            last[*path as usize * hidden..][..hidden].copy_from_slice(state);
        }
    }
    last
}

/// Computes the states of one LSTM layer after path prefixes of one length, from its states after prefixes one step
/// shorter.
fn time_step(paths: &PathParameters, depth: usize, hidden: usize, level: &Level, scratch: &mut Scratch) {
    let Scratch {
        first,
        gates,
        states,
        continued,
        cells_before,
        layers,
        ..
    } = scratch;
    let parameters = &paths.layers[depth];
    let (below, layer) = layers.split_at_mut(depth);
    let layer = &mut layer[0];
    match below.last() {
        None => gather_into(gates, first, 4 * hidden, level.tuples.iter().copied()),
        Some(below) => product_into(gates, &below.outputs, hidden, &parameters.input, 4 * hidden),
    }
    let length = level.tuples.len() * hidden;
    if layer.outputs.is_empty() {
        cells_before.clear();
        cells_before.resize(length, 0.0);
    } else {
        // One product serves all prefixes with the same parent.
        gather_into(states, &layer.outputs, hidden, level.parents.iter().copied());
        product_into(continued, states, hidden, &parameters.recurrent, 4 * hidden);
        add_gathered(gates, continued, 4 * hidden, &level.parent_of);
        let parents = level.parent_of.iter().map(|at| level.parents[*at as usize]);
        gather_into(cells_before, &layer.cells, hidden, parents);
    }
    layer.cells.resize(length, 0.0);
    layer.outputs.resize(length, 0.0);
    OpenGates {
        hidden,
        bias: &parameters.bias,
        before: cells_before,
        gates,
        cells: &mut layer.cells,
        outputs: &mut layer.outputs,
    }
    .run();
}

/// Adds the path states of each test, weighted by attention, into `vectors`.
///
/// Returns for each test its paths, as indices in the test's own list of contextual paths, with their attention. No
/// element is `None`, which would mean that paths were not read.
fn attend(
    config: &Config,
    paths: &PathParameters,
    batch: &Batch,
    states: &[f32],
    vectors: &mut [f32],
) -> Vec<Option<Vec<(u32, f32)>>> {
    let hidden = config.hidden;
    let mut attention = Vec::with_capacity(batch.tests);
    for (test, vector) in vectors.chunks_mut(hidden).enumerate() {
        let state = |path: u32| &states[path as usize * hidden..][..hidden];
        let own = &batch.paths[test];
        let weights = softmax(own.iter().map(|path| dot(state(*path), &paths.attention)).collect());
        for (path, weight) in own.iter().zip(&weights) {
            add(vector, state(*path), *weight);
        }
        attention.push(Some(batch.path_numbers[test].iter().copied().zip(weights).collect()));
    }
    attention
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Buffers that a thread reuses for one group of tests after another.
///
/// Fresh memory would have to be zeroed, which takes longer than the arithmetic.
#[derive(Default)]
struct Scratch {
    /// Buffer for the projected texts of nodes, `[texts, tuple]`.
    nodes: Vec<f32>,
    /// Buffer for the vectors of the distinct graph edges of a batch, `[edges, edge]`.
    edges: Vec<f32>,
    /// Buffer for the vectors of distinct tuples of node and edge, `[tuples, tuple]`.
    tuples: Vec<f32>,
    /// Buffer for the products of path steps and the input weights of the first LSTM layer, `[tuples, 4 * hidden]`.
    ///
    /// A path step is a tuple of node and edge, and each distinct one has a row.
    first: Vec<f32>,
    /// Buffer for the LSTM gates of the path prefixes of one length, `[prefixes, 4 * hidden]`.
    gates: Vec<f32>,
    /// Buffer for LSTM states of the parents of path prefixes, `[parents, hidden]`.
    ///
    /// The parent of a prefix is the prefix without its last step.
    states: Vec<f32>,
    /// Buffer for products of LSTM states and the recurrent weights, `[parents, 4 * hidden]`.
    ///
    /// The states are those of the parents of path prefixes. The parent of a prefix is the prefix without its last
    /// step.
    continued: Vec<f32>,
    /// Buffer for the LSTM cells of path prefixes before their last step, `[prefixes, hidden]`.
    cells_before: Vec<f32>,
    layers: Vec<LayerScratch>,
}

/// The states of an LSTM layer after all path prefixes of one length; empty before the first step.
#[derive(Default)]
struct LayerScratch {
    outputs: Vec<f32>,
    cells: Vec<f32>,
}

/// For each list, the weighted sum of the embedding rows that it names, `[lists, width]`.
fn sums(lists: &Lists, table: &Values, width: usize) -> Vec<f32> {
    let mut out = vec![0.0; lists.len() * width];
    for at in 0..lists.len() {
        let (before, sum) = out.split_at_mut(at * width);
        let sum = &mut sum[..width];
        // Tests of one class have the same context.
        if at > 0 && lists.rows_of(at) == lists.rows_of(at - 1) {
            sum.copy_from_slice(&before[(at - 1) * width..]);
            continue;
        }
        for (row, weight) in lists.list(at) {
            table.add_row(row as usize, weight, sum);
        }
    }
    out
}

fn gathered(rows: &[f32], width: usize, places: &[u32]) -> Vec<f32> {
    let mut out = Vec::with_capacity(places.len() * width);
    gather_into(&mut out, rows, width, places.iter().copied());
    out
}

fn gather_into(out: &mut Vec<f32>, rows: &[f32], width: usize, places: impl ExactSizeIterator<Item = u32>) {
    out.clear();
    out.reserve(places.len() * width);
    for place in places {
        out.extend_from_slice(&rows[place as usize * width..][..width]);
    }
}

fn add_gathered(sums: &mut [f32], rows: &[f32], width: usize, places: &[u32]) {
    for (sum, place) in sums.chunks_mut(width).zip(places) {
        add(sum, &rows[*place as usize * width..][..width], 1.0);
    }
}

fn dot(left: &[f32], right: &[f32]) -> f32 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

fn softmax(mut scores: Vec<f32>) -> Vec<f32> {
    let highest = scores.iter().copied().fold(f32::MIN, f32::max);
    for it in &mut scores {
        *it = (*it - highest).exp();
    }
    let sum: f32 = scores.iter().sum();
    for it in &mut scores {
        *it /= sum;
    }
    scores
}
