//! A network on the CPU, outside Burn's tensors.
//!
//! The same arithmetic as [`crate::network`], with what many paths have in common computed once: every
//! distinct text, edge and tuple of a batch, and every common beginning of paths.

use std::cell::RefCell;

use crate::batch::{Batch, Lists};
use crate::config::{Config, CutEdges, Input};
use crate::dataset::MEASURES;
use crate::inference::{Judged, sigmoid};
use crate::network::MEASURE_SCALE;
use crate::normalisation::normalise;
use crate::prefix_tree::{Level, PrefixTree};
use crate::recurrence::{OpenGates, product, product_into, tanh};
use crate::weights::{Numbers, Weights, add};

/// The parameters of a network as slices.
pub(crate) struct PlainNetwork<'w> {
    weights: &'w Weights,
    /// Tokens and ways of method bodies, already projected.
    code: Option<Code>,
}

struct Code {
    from: Vec<f32>,
    ways: Vec<f32>,
    to: Vec<f32>,
}

impl<'w> PlainNetwork<'w> {
    pub(crate) fn new(config: &Config, weights: &'w Weights) -> Self {
        let mut plain = Self { weights, code: None };
        if weights.get("paths.code.from").is_some() {
            let width = config.embedding;
            let projected = |table: &str, matrix: &str| {
                product(&plain.array(table).in_full(), width, plain.values(matrix), config.edge)
            };
            plain.code = Some(Code {
                from: projected("paths.tokens", "paths.code.from"),
                ways: projected("paths.code.ways", "paths.code.way"),
                to: projected("paths.tokens", "paths.code.to"),
            });
        }
        plain
    }

    fn array(&self, name: &str) -> &'w Numbers {
        let array = self.weights.get(name);
        &array.expect("the weights are those of the configuration").values
    }

    fn values(&self, name: &str) -> &'w [f32] {
        let values = self.array(name).full();
        values.expect("only tables of names stay as they lie")
    }

    /// Judges the tests of a batch, in their order.
    pub(crate) fn judge(&self, config: &Config, batch: &Batch) -> Vec<Judged> {
        SCRATCH.with_borrow_mut(|scratch| self.judge_with(config, batch, scratch))
    }

    fn judge_with(&self, config: &Config, batch: &Batch, scratch: &mut Scratch) -> Vec<Judged> {
        let width = config.embedding;
        let mut columns: Vec<(Vec<f32>, usize)> = Vec::new();
        for (input, name, lists) in [
            (Input::Words, "words", &batch.words),
            (Input::Context, "context", &batch.context),
            (Input::Reach, "calls", &batch.calls),
            (Input::Causes, "causes", &batch.causes),
        ] {
            if config.reads(input) {
                columns.push((sums(lists, self.array(name), width), width));
            }
        }
        if config.reads(Input::Measures) {
            let mut measures = self.dense("measures", &batch.measures, MEASURES);
            #[allow(clippy::cast_possible_truncation)]
            for it in &mut measures {
                *it *= MEASURE_SCALE as f32;
            }
            columns.push((measures, width));
        }
        let mut attention = vec![Vec::new(); batch.tests];
        if config.reads(Input::Paths) {
            let mut vectors = vec![0.0; batch.tests * config.hidden];
            if batch.has_paths() {
                let states = self.states(config, batch, scratch);
                attention = self.attend(config, batch, &states, &mut vectors);
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
        let mut hidden = self.dense("hidden", &rows, features);
        for it in &mut hidden {
            *it = it.max(0.0);
        }
        let outputs = self.dense("output", &hidden, config.head);
        let judged = outputs.chunks(2).zip(attention);
        judged
            .map(|(output, attention)| Judged {
                probability: sigmoid(output[1] - output[0]),
                attention,
            })
            .collect()
    }

    fn dense(&self, name: &str, rows: &[f32], width: usize) -> Vec<f32> {
        let bias = self.values(&format!("{name}.bias"));
        let mut out = product(rows, width, self.values(&format!("{name}.weight")), bias.len());
        for row in out.chunks_mut(bias.len()) {
            add(row, bias, 1.0);
        }
        out
    }

    /// The vectors of the distinct tuples, `[tuples, tuple]`, into the scratch.
    fn tuples(&self, config: &Config, batch: &Batch, scratch: &mut Scratch) {
        let (width, edge, tuple) = (config.embedding, config.edge, config.tuple);
        let Scratch {
            nodes, edges, tuples, ..
        } = scratch;
        let texts = sums(&batch.texts, self.array("paths.tokens"), width);
        product_into(nodes, &texts, width, self.values("paths.node"), tuple);
        let edge_texts = gathered(&texts, width, &batch.edge_texts);
        product_into(edges, &edge_texts, width, self.values("paths.operation"), edge);
        let bodies = self.bodies(config, batch);
        for (row, method) in edges.chunks_mut(edge).zip(&batch.edge_methods) {
            if let Some(method) = method {
                if config.cut == CutEdges::Body {
                    row.fill(0.0);
                }
                add(row, &bodies[*method as usize * edge..][..edge], 1.0);
            }
        }
        let edges = product(edges, edge, self.values("paths.edge"), tuple);
        let (bias, scale, shift) = (
            self.values("paths.bias"),
            self.values("paths.scale"),
            self.values("paths.shift"),
        );
        gather_into(tuples, nodes, tuple, batch.tuple_nodes.iter().copied());
        for (row, at) in tuples.chunks_mut(tuple).zip(&batch.tuple_edges) {
            add(row, &edges[*at as usize * tuple..][..tuple], 1.0);
            add(row, bias, 1.0);
            normalise(row);
            for ((value, scale), shift) in row.iter_mut().zip(scale).zip(shift) {
                *value = tanh(*value * scale + shift);
            }
        }
    }

    /// The vectors of method bodies, `[methods, edge]`.
    fn bodies(&self, config: &Config, batch: &Batch) -> Vec<f32> {
        let edge = config.edge;
        let Some(code) = &self.code else {
            if config.cut == CutEdges::Tokens || batch.method_words.len() == 0 {
                return Vec::new();
            }
            let words = sums(&batch.method_words, self.array("paths.tokens"), config.embedding);
            return product(&words, config.embedding, self.values("paths.body"), edge);
        };
        let query = self.values("paths.code.attention");
        let mut out = vec![0.0; batch.contexts.len() * edge];
        for (contexts, out) in batch.contexts.iter().zip(out.chunks_mut(edge)) {
            // A method without a body attends to an empty context.
            let contexts: &[[u32; 3]] = if contexts.is_empty() { &[[0, 0, 0]] } else { contexts };
            let vectors: Vec<Vec<f32>> = contexts
                .iter()
                .map(|[from, way, to]| {
                    let row = |table: &'_ [f32], at: u32| table[at as usize * edge..][..edge].to_vec();
                    let mut vector = row(&code.from, *from);
                    add(&mut vector, &row(&code.ways, *way), 1.0);
                    add(&mut vector, &row(&code.to, *to), 1.0);
                    for it in &mut vector {
                        *it = tanh(*it);
                    }
                    vector
                })
                .collect();
            let weights = softmax(vectors.iter().map(|it| dot(it, query)).collect());
            for (vector, weight) in vectors.iter().zip(weights) {
                add(out, vector, weight);
            }
        }
        out
    }

    /// The last states of all paths in the order of the batch, `[paths, hidden]`.
    fn states(&self, config: &Config, batch: &Batch, scratch: &mut Scratch) -> Vec<f32> {
        let hidden = config.hidden;
        self.tuples(config, batch, scratch);
        let input = self.values("paths.layers.0.input");
        product_into(&mut scratch.first, &scratch.tuples, config.tuple, input, 4 * hidden);
        scratch.layers.resize_with(config.layers, LayerScratch::default);
        for layer in &mut scratch.layers {
            layer.outputs.clear();
            layer.cells.clear();
        }
        let mut last = vec![0.0; batch.active.first().copied().unwrap_or(0) * hidden];
        for level in &PrefixTree::new(batch).levels {
            for depth in 0..config.layers {
                self.step(depth, hidden, level, scratch);
            }
            let states = scratch.layers.last().map_or(&[][..], |it| &it.outputs);
            for (path, place) in &level.ends {
                let state = &states[*place as usize * hidden..][..hidden];
                last[*path as usize * hidden..][..hidden].copy_from_slice(state);
            }
        }
        last
    }

    /// Takes one layer from the states of one level to those of the next.
    fn step(&self, depth: usize, hidden: usize, level: &Level, scratch: &mut Scratch) {
        let Scratch {
            first,
            gates,
            states,
            going_on,
            cells_before,
            layers,
            ..
        } = scratch;
        let name = |what: &str| format!("paths.layers.{depth}.{what}");
        let (below, layer) = layers.split_at_mut(depth);
        let layer = &mut layer[0];
        match below.last() {
            None => gather_into(gates, first, 4 * hidden, level.tuples.iter().copied()),
            Some(below) => product_into(gates, &below.outputs, hidden, self.values(&name("input")), 4 * hidden),
        }
        let length = level.tuples.len() * hidden;
        if layer.outputs.is_empty() {
            cells_before.clear();
            cells_before.resize(length, 0.0);
        } else {
            // Once for all beginnings that go on from the same one.
            gather_into(states, &layer.outputs, hidden, level.parents.iter().copied());
            product_into(going_on, states, hidden, self.values(&name("recurrent")), 4 * hidden);
            add_gathered(gates, going_on, 4 * hidden, &level.parent_of);
            let parents = level.parent_of.iter().map(|at| level.parents[*at as usize]);
            gather_into(cells_before, &layer.cells, hidden, parents);
        }
        layer.cells.resize(length, 0.0);
        layer.outputs.resize(length, 0.0);
        OpenGates {
            hidden,
            bias: self.values(&name("bias")),
            before: cells_before,
            gates,
            cells: &mut layer.cells,
            outputs: &mut layer.outputs,
        }
        .run();
    }

    /// Sums of states by attention into `vectors`; returns each path's number with its attention.
    fn attend(&self, config: &Config, batch: &Batch, states: &[f32], vectors: &mut [f32]) -> Vec<Vec<(u32, f32)>> {
        let hidden = config.hidden;
        let query = self.values("paths.attention");
        let mut attention = Vec::with_capacity(batch.tests);
        for (test, vector) in vectors.chunks_mut(hidden).enumerate() {
            let state = |path: u32| &states[path as usize * hidden..][..hidden];
            let own = &batch.paths[test];
            let weights = softmax(own.iter().map(|path| dot(state(*path), query)).collect());
            for (path, weight) in own.iter().zip(&weights) {
                add(vector, state(*path), *weight);
            }
            attention.push(batch.path_numbers[test].iter().copied().zip(weights).collect());
        }
        attention
    }
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Large buffers that a thread uses for one group of tests after the other: fresh ones would come from the system page by
/// page, and clearing those takes longer than the arithmetic.
#[derive(Default)]
struct Scratch {
    /// Of the distinct texts, edges and tuples,
    nodes: Vec<f32>,
    edges: Vec<f32>,
    tuples: Vec<f32>,
    /// the gates that the first layer makes of each tuple,
    first: Vec<f32>,
    /// and of one level of beginnings: its gates,
    gates: Vec<f32>,
    /// the states that it goes on from, with what they add to the gates,
    states: Vec<f32>,
    going_on: Vec<f32>,
    /// and the cells before.
    cells_before: Vec<f32>,
    layers: Vec<LayerScratch>,
}

/// Where a layer stands after a level; nothing before the first.
#[derive(Default)]
struct LayerScratch {
    outputs: Vec<f32>,
    cells: Vec<f32>,
}

/// Weighted sums of rows of a table, `[lists, width]`.
fn sums(lists: &Lists, table: &Numbers, width: usize) -> Vec<f32> {
    let mut out = vec![0.0; lists.len() * width];
    for at in 0..lists.len() {
        let (before, sum) = out.split_at_mut(at * width);
        let sum = &mut sum[..width];
        // Tests of one class stand in the same context.
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
