//! The network, in Burn.
//!
//! Texts become means of sub-token vectors; a tuple of node and edge becomes `tanh(norm(W x))`; a path is
//! the last state of a recurrent network over its tuples; a test is the sum of its paths weighted by
//! attention, beside bags of words, context, reachable calls and causes, and a few measures. Two linear layers
//! judge it. The parameters are the same on every backend; see [`crate::training`] for how the recurrent
//! middle is computed on the CPU.

use burn::module::{Module, ModuleVisitor, Param, ParamId};
use burn::tensor::activation::{log_softmax, relu, sigmoid, softmax};
use burn::tensor::{Device, Int, Tensor, TensorData};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;

use crate::batch::{Batch, Lists};
use crate::config::{BodyReading, Config, CutEdges, Input};
use crate::dataset::MEASURES;
use crate::parameters::{Builder, Source, Start};
use crate::vocabulary::Vocabulary;
use crate::weights::{Array, Numbers, Weights};

/// Scores of padded places before the softmax.
const NEVER: f32 = -1e9;
/// Measures are on a larger scale than bags.
pub(crate) const MEASURE_SCALE: f64 = 0.3;
pub(crate) const EPSILON: f64 = 1e-5;

/// A linear layer.
#[derive(Module, Debug)]
pub(crate) struct Dense {
    weight: Param<Tensor<2>>,
    bias: Param<Tensor<1>>,
}

impl Dense {
    fn forward(&self, input: Tensor<2>) -> Tensor<2> {
        input.matmul(self.weight.val()) + self.bias.val().unsqueeze()
    }
}

/// One layer of the recurrent network; gates in the order input, forget, cell, output.
#[derive(Module, Debug)]
pub(crate) struct Layer {
    pub(crate) input: Param<Tensor<2>>,
    pub(crate) recurrent: Param<Tensor<2>>,
    pub(crate) bias: Param<Tensor<1>>,
}

/// Attention over the path contexts of a method's body.
#[derive(Module, Debug)]
struct CodeEncoder {
    ways: Param<Tensor<2>>,
    from: Param<Tensor<2>>,
    way: Param<Tensor<2>>,
    to: Param<Tensor<2>>,
    attention: Param<Tensor<1>>,
}

/// From tuples to a vector for every test.
#[derive(Module, Debug)]
pub(crate) struct PathEncoder {
    tokens: Param<Tensor<2>>,
    node: Param<Tensor<2>>,
    operation: Param<Tensor<2>>,
    body: Option<Param<Tensor<2>>>,
    code: Option<CodeEncoder>,
    edge: Param<Tensor<2>>,
    bias: Param<Tensor<1>>,
    pub(crate) scale: Param<Tensor<1>>,
    pub(crate) shift: Param<Tensor<1>>,
    pub(crate) layers: Vec<Layer>,
    attention: Param<Tensor<1>>,
}

/// The whole network.
#[derive(Module, Debug)]
pub(crate) struct Network {
    words: Option<Param<Tensor<2>>>,
    context: Option<Param<Tensor<2>>>,
    calls: Option<Param<Tensor<2>>>,
    causes: Option<Param<Tensor<2>>>,
    measures: Option<Dense>,
    pub(crate) paths: Option<PathEncoder>,
    hidden: Dense,
    output: Dense,
}

/// What the network says about a batch.
pub(crate) struct Judgement {
    /// Logarithms of the probabilities of stable and flaky, [tests, 2].
    pub(crate) log_probabilities: Tensor<2>,
    /// The weight of every path, [tests, most paths].
    pub(crate) attention: Option<Tensor<2>>,
}

impl Builder<'_> {
    fn dense(&mut self, name: &str, from: usize, to: usize) -> Result<Dense, String> {
        Ok(Dense {
            weight: self.matrix(&format!("{name}.weight"), from, to)?,
            bias: self.vector(&format!("{name}.bias"), to, Start::Constant(0.0))?,
        })
    }

    fn path_encoder(&mut self, config: &Config, vocabulary: &Vocabulary) -> Result<PathEncoder, String> {
        let (width, edge, tuple, hidden) = (config.embedding, config.edge, config.tuple, config.hidden);
        let reads_bodies = config.cut != CutEdges::Tokens;
        let mut layers = Vec::new();
        let tokens = self.table("paths.tokens", vocabulary.tokens.rows(), width)?;
        let node = self.matrix("paths.node", width, tuple)?;
        let operation = self.matrix("paths.operation", width, edge)?;
        let body = match config.body {
            BodyReading::Words if reads_bodies => Some(self.matrix("paths.body", width, edge)?),
            _ => None,
        };
        let code = match config.body {
            BodyReading::Contexts if reads_bodies => Some(CodeEncoder {
                ways: self.table("paths.code.ways", vocabulary.ways.rows(), width)?,
                from: self.matrix("paths.code.from", width, edge)?,
                way: self.matrix("paths.code.way", width, edge)?,
                to: self.matrix("paths.code.to", width, edge)?,
                attention: self.vector("paths.code.attention", edge, Start::FanIn(edge))?,
            }),
            _ => None,
        };
        let into_tuple = self.matrix("paths.edge", edge, tuple)?;
        let bias = self.vector("paths.bias", tuple, Start::Constant(0.0))?;
        let scale = self.vector("paths.scale", tuple, Start::Constant(1.0))?;
        let shift = self.vector("paths.shift", tuple, Start::Constant(0.0))?;
        for at in 0..config.layers {
            let inputs = if at == 0 { tuple } else { hidden };
            layers.push(Layer {
                input: self.parameter(
                    &format!("paths.layers.{at}.input"),
                    [inputs, 4 * hidden],
                    Start::FanIn(hidden),
                )?,
                recurrent: self.matrix(&format!("paths.layers.{at}.recurrent"), hidden, 4 * hidden)?,
                bias: self.vector(&format!("paths.layers.{at}.bias"), 4 * hidden, Start::Constant(0.0))?,
            });
        }
        Ok(PathEncoder {
            tokens,
            node,
            operation,
            body,
            code,
            edge: into_tuple,
            bias,
            scale,
            shift,
            layers,
            attention: self.vector("paths.attention", hidden, Start::FanIn(hidden))?,
        })
    }
}

impl Network {
    /// A network whose numbers come from a source.
    pub(crate) fn new(
        config: &Config,
        vocabulary: &Vocabulary,
        source: &mut dyn Source,
        device: &Device,
    ) -> Result<Self, String> {
        let mut builder = Builder::new(source, device);
        let width = config.embedding;
        let mut features = 0;
        let mut bag = |builder: &mut Builder<'_>, input: Input, name: &str, rows: usize| {
            if !config.reads(input) {
                return Ok(None);
            }
            features += width;
            builder.table(name, rows, width).map(Some)
        };
        let tokens = vocabulary.tokens.rows();
        let words = bag(&mut builder, Input::Words, "words", tokens)?;
        let context = bag(&mut builder, Input::Context, "context", tokens)?;
        let calls = bag(&mut builder, Input::Reach, "calls", vocabulary.calls.rows())?;
        let causes = bag(&mut builder, Input::Causes, "causes", vocabulary.causes.rows())?;
        let measures = if config.reads(Input::Measures) {
            features += width;
            Some(builder.dense("measures", MEASURES, width)?)
        } else {
            None
        };
        let paths = if config.reads(Input::Paths) {
            features += config.hidden;
            Some(builder.path_encoder(config, vocabulary)?)
        } else {
            None
        };
        Ok(Self {
            words,
            context,
            calls,
            causes,
            measures,
            paths,
            hidden: builder.dense("hidden", features, config.head)?,
            output: builder.dense("output", config.head, 2)?,
        })
    }

    /// The numbers of all parameters.
    pub(crate) fn weights(&self, config: &Config, vocabulary: &Vocabulary) -> Weights {
        struct Collect(Vec<(u64, Vec<usize>, Vec<f32>)>);
        impl ModuleVisitor for Collect {
            fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
                let data = param.val().into_data();
                let shape = param.val().dims().to_vec();
                let values = data.try_to_vec().expect("parameters are numbers of 32 bits");
                self.0.push((param.id.val(), shape, values));
            }
        }
        let mut collected = Collect(Vec::new());
        self.visit(&mut collected);
        let names = parameter_names(config, vocabulary);
        let arrays = collected.0.into_iter().map(|(id, shape, values)| {
            let place = usize::try_from(id).expect("few parameters") - 1;
            let values = Numbers::Full(values);
            (names[place].clone(), Array { shape, values })
        });
        Weights {
            arrays: arrays.collect(),
        }
    }

    /// The parameters with the number of their dimensions.
    pub(crate) fn parameter_ids(&self) -> Vec<(ParamId, usize)> {
        struct Ids(Vec<(ParamId, usize)>);
        impl ModuleVisitor for Ids {
            fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
                self.0.push((param.id, D));
            }
        }
        let mut ids = Ids(Vec::new());
        self.visit(&mut ids);
        ids.0
    }

    /// Everything in Burn's own operations, for backends without a recurrence of their own.
    pub(crate) fn forward(&self, batch: &Batch, mut dropout: Option<Dropout<'_>>, device: &Device) -> Judgement {
        let states = self.paths.as_ref().filter(|_| batch.has_paths()).map(|it| {
            let tuples = it.tuples(batch, device);
            it.recurrence(batch, &tuples, device)
        });
        self.judge(batch, states, &mut dropout, device)
    }

    /// The judgement from the last states of all paths, [paths, hidden].
    pub(crate) fn judge(
        &self,
        batch: &Batch,
        states: Option<Tensor<2>>,
        dropout: &mut Option<Dropout<'_>>,
        device: &Device,
    ) -> Judgement {
        let mut features = Vec::new();
        let bags = [
            (&self.words, &batch.words),
            (&self.context, &batch.context),
            (&self.calls, &batch.calls),
            (&self.causes, &batch.causes),
        ];
        for (table, lists) in bags {
            if let Some(table) = table {
                features.push(bag(lists, table.val(), device));
            }
        }
        if let Some(measures) = &self.measures {
            let values = TensorData::new(batch.measures.clone(), [batch.tests, MEASURES]);
            let values = Tensor::from_data(values, device);
            features.push(measures.forward(values).mul_scalar(MEASURE_SCALE));
        }
        let mut attention = None;
        if let Some(paths) = &self.paths {
            if let Some(states) = states {
                let states = dropped(states, dropout, device);
                let (vectors, weights) = paths.attend(batch, states, device);
                features.push(without_some(vectors, dropout, device));
                attention = Some(weights);
            } else {
                let [hidden] = paths.attention.dims();
                features.push(Tensor::zeros([batch.tests, hidden], device));
            }
        }
        let features = dropped(Tensor::cat(features, 1), dropout, device);
        let hidden = dropped(relu(self.hidden.forward(features)), dropout, device);
        Judgement {
            log_probabilities: log_softmax(self.output.forward(hidden), 1),
            attention,
        }
    }
}

/// Names of the parameters in the order of their numbers.
pub(crate) fn parameter_names(config: &Config, vocabulary: &Vocabulary) -> Vec<String> {
    struct Names(Vec<String>);
    impl Source for Names {
        fn values(&mut self, name: &str, shape: &[usize], _start: Start) -> Result<Vec<f32>, String> {
            self.0.push(name.to_owned());
            Ok(vec![0.0; shape.iter().product()])
        }
    }
    let mut names = Names(Vec::new());
    Network::new(config, vocabulary, &mut names, &Device::flex()).expect("every name has values");
    names.0
}

/// Features that training drops at random.
pub(crate) struct Dropout<'r> {
    pub(crate) share: f32,
    /// Share of tests whose paths are not read at all.
    pub(crate) paths: f32,
    pub(crate) chance: &'r mut ChaCha8Rng,
}

/// Masks are drawn here and not on the device, so that a seed means the same on every backend.
fn dropped(values: Tensor<2>, dropout: &mut Option<Dropout<'_>>, device: &Device) -> Tensor<2> {
    let Some(dropout) = dropout.as_mut().filter(|it| it.share > 0.0) else {
        return values;
    };
    let shape = values.dims();
    let kept = 1.0 / (1.0 - dropout.share);
    let mask: Vec<f32> = (0..shape[0] * shape[1])
        .map(|_| {
            if dropout.chance.random::<f32>() < dropout.share {
                0.0
            } else {
                kept
            }
        })
        .collect();
    values * Tensor::from_data(TensorData::new(mask, shape), device)
}

/// Leaves out the vectors of some tests. What is kept is not scaled up: a test is judged with all of its paths or without any.
fn without_some(vectors: Tensor<2>, dropout: &mut Option<Dropout<'_>>, device: &Device) -> Tensor<2> {
    let Some(dropout) = dropout.as_mut().filter(|it| it.paths > 0.0) else {
        return vectors;
    };
    let tests = vectors.dims()[0];
    let mask = (0..tests).map(|_| f32::from(dropout.chance.random::<f32>() >= dropout.paths));
    let mask = TensorData::new(mask.collect::<Vec<f32>>(), [tests, 1]);
    vectors * Tensor::from_data(mask, device)
}

/// Sums of weighted rows as one matrix product with a mostly empty matrix, [lists, width].
fn bag(lists: &Lists, table: Tensor<2>, device: &Device) -> Tensor<2> {
    let rows = table.dims()[0];
    let mut dense = vec![0.0; lists.len() * rows];
    for at in 0..lists.len() {
        for (row, weight) in lists.list(at) {
            dense[at * rows + row as usize] += weight;
        }
    }
    let dense = Tensor::<2>::from_data(TensorData::new(dense, [lists.len(), rows]), device);
    dense.matmul(table)
}

/// Sums of weighted rows by gathering them, [lists, width]; for short lists and large tables.
fn gathered(lists: &Lists, table: Tensor<2>, device: &Device) -> Tensor<2> {
    let (count, longest, width) = (lists.len(), lists.longest().max(1), table.dims()[1]);
    let mut rows = vec![0_i32; count * longest];
    let mut weights = vec![0.0_f32; count * longest];
    for at in 0..count {
        for (place, (row, weight)) in lists.list(at).enumerate() {
            rows[at * longest + place] = index(row as usize);
            weights[at * longest + place] = weight;
        }
    }
    let rows = indices(rows, device);
    let weights = Tensor::<3>::from_data(TensorData::new(weights, [count, longest, 1]), device);
    let vectors: Tensor<3> = table.select(0, rows).reshape([count, longest, width]);
    (vectors * weights).sum_dim(1).reshape([count, width])
}

fn indices(values: Vec<i32>, device: &Device) -> Tensor<1, Int> {
    let count = values.len();
    Tensor::from_data(TensorData::new(values, [count]), device)
}

fn index(place: usize) -> i32 {
    i32::try_from(place).expect("batches have fewer than two billion of anything")
}

fn places(values: &[u32], device: &Device) -> Tensor<1, Int> {
    indices(values.iter().map(|it| index(*it as usize)).collect(), device)
}

impl PathEncoder {
    /// The vectors of the distinct tuples of a batch, [tuples, tuple].
    pub(crate) fn tuples(&self, batch: &Batch, device: &Device) -> Tensor<2> {
        let sums = self.sums(batch, device);
        let centred = sums.clone() - sums.mean_dim(1);
        let variance = centred.clone().powi_scalar(2).mean_dim(1);
        let normal = centred / (variance + EPSILON).sqrt();
        (normal * self.scale.val().unsqueeze() + self.shift.val().unsqueeze()).tanh()
    }

    /// The projected nodes and edges of all tuples, added up, [tuples, tuple].
    pub(crate) fn sums(&self, batch: &Batch, device: &Device) -> Tensor<2> {
        let texts = gathered(&batch.texts, self.tokens.val(), device); // [texts, embedding]
        let (node_texts, node_places) = distinct(&batch.tuple_nodes);
        let nodes = texts
            .clone()
            .select(0, places(&node_texts, device))
            .matmul(self.node.val()); // [nodes, tuple]
        // One product of the two matrices is cheaper than two products with every edge.
        let operation = self.operation.val().matmul(self.edge.val()); // [embedding, tuple]
        let operations = texts.select(0, places(&batch.edge_texts, device)).matmul(operation); // [edges, tuple]
        let edges = self.edges(batch, operations, device);
        nodes.select(0, places(&node_places, device))
            + edges.select(0, places(&batch.tuple_edges, device))
            + self.bias.val().unsqueeze()
    }

    /// Projected edges, [edges, tuple]: operations, with bodies added to or in place of those of the code under test.
    fn edges(&self, batch: &Batch, operations: Tensor<2>, device: &Device) -> Tensor<2> {
        if batch.contexts.is_empty() || (self.body.is_none() && self.code.is_none()) {
            return operations;
        }
        let mut bodies = None;
        if let Some(body) = &self.body {
            let words = gathered(&batch.method_words, self.tokens.val(), device);
            bodies = Some((words.matmul(body.val()), 1.0)); // [methods, edge]
        }
        if let Some(code) = &self.code {
            bodies = Some((code.vectors(batch, &self.tokens.val(), device), 0.0));
        }
        let Some((bodies, kept)) = bodies else {
            return operations;
        };
        let bodies = bodies.matmul(self.edge.val()); // [methods, tuple]
        let edges = batch.edge_methods.len();
        let chosen = batch
            .edge_methods
            .iter()
            .map(|it| index(it.unwrap_or(0) as usize))
            .collect();
        let has_body: Vec<f32> = batch
            .edge_methods
            .iter()
            .map(|it| f32::from(u8::from(it.is_some())))
            .collect();
        let operation: Vec<f32> = has_body.iter().map(|it| if *it > 0.0 { kept } else { 1.0 }).collect();
        let column = |values: Vec<f32>| Tensor::<2>::from_data(TensorData::new(values, [edges, 1]), device);
        operations * column(operation) + bodies.select(0, indices(chosen, device)) * column(has_body)
    }

    /// The last valid states of all paths, longest path first, [paths, hidden].
    fn recurrence(&self, batch: &Batch, tuples: &Tensor<2>, device: &Device) -> Tensor<2> {
        let hidden = self.attention.dims()[0];
        let paths = batch.active[0];
        let starts: Vec<usize> = batch
            .active
            .iter()
            .scan(0, |start, active| {
                *start += active;
                Some(*start - active)
            })
            .collect();
        let mut below: Option<Tensor<2>> = None;
        for (depth, layer) in self.layers.iter().enumerate() {
            // One product projects every distinct tuple, or every state of the layer below.
            let projected = match &below {
                None => tuples
                    .clone()
                    .matmul(layer.input.val())
                    .select(0, places(&batch.steps, device)),
                Some(states) => states.clone().matmul(layer.input.val()),
            } + layer.bias.val().unsqueeze(); // [steps, 4 hidden]
            let mut state = Tensor::<2>::zeros([paths, hidden], device);
            let mut cell = Tensor::<2>::zeros([paths, hidden], device);
            let mut states = Vec::with_capacity(batch.active.len());
            let mut ended = Vec::new();
            for (time, (&active, &start)) in batch.active.iter().zip(&starts).enumerate() {
                if active < state.dims()[0] {
                    let before = state.dims()[0];
                    ended.push(state.clone().slice([active..before, 0..hidden]));
                    state = state.slice([0..active, 0..hidden]);
                    cell = cell.slice([0..active, 0..hidden]);
                }
                let mut gates = projected.clone().slice([start..start + active, 0..4 * hidden]);
                if time > 0 {
                    gates = gates + state.matmul(layer.recurrent.val());
                }
                let gate = |at: usize| gates.clone().slice([0..active, at * hidden..(at + 1) * hidden]);
                let kept = sigmoid(gate(1)) * cell;
                cell = kept + sigmoid(gate(0)) * gate(2).tanh();
                state = sigmoid(gate(3)) * cell.clone().tanh();
                states.push(state.clone());
            }
            if depth + 1 == self.layers.len() {
                ended.push(state);
                ended.reverse();
                return Tensor::cat(ended, 0);
            }
            below = Some(Tensor::cat(states, 0));
        }
        unreachable!("a network has at least one recurrent layer")
    }

    /// Sums of states by attention [tests, hidden] and the attention [tests, most paths].
    fn attend(&self, batch: &Batch, states: Tensor<2>, device: &Device) -> (Tensor<2>, Tensor<2>) {
        let [paths, hidden] = states.dims();
        let most = batch.paths.iter().map(Vec::len).max().unwrap_or(1);
        let mut chosen = vec![0_i32; batch.tests * most];
        let mut padding = vec![NEVER; batch.tests * most];
        for (test, own) in batch.paths.iter().enumerate() {
            for (place, path) in own.iter().enumerate() {
                chosen[test * most + place] = index(*path as usize);
                padding[test * most + place] = 0.0;
            }
        }
        debug_assert!(chosen.iter().all(|it| usize::try_from(*it).is_ok_and(|it| it < paths)));
        let padding = Tensor::<2>::from_data(TensorData::new(padding, [batch.tests, most]), device);
        let own: Tensor<3> = states
            .select(0, indices(chosen, device))
            .reshape([batch.tests, most, hidden]);
        let query: Tensor<3> = self.attention.val().reshape([1, 1, hidden]);
        let scores: Tensor<2> = (own.clone() * query).sum_dim(2).reshape([batch.tests, most]);
        let weights = softmax(scores + padding, 1);
        let weighted = own * weights.clone().reshape([batch.tests, most, 1]);
        (weighted.sum_dim(1).reshape([batch.tests, hidden]), weights)
    }
}

/// The distinct ones of some numbers as they come, and the place of each number among them.
fn distinct(numbers: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut places: FxHashMap<u32, u32> = FxHashMap::default();
    let mut known = Vec::new();
    let of = numbers.iter().map(|number| {
        *places.entry(*number).or_insert_with(|| {
            known.push(*number);
            crate::dataset::narrow(known.len() - 1)
        })
    });
    let of = of.collect();
    (known, of)
}

impl CodeEncoder {
    /// Method vectors by attention over path contexts, [methods, edge].
    fn vectors(&self, batch: &Batch, tokens: &Tensor<2>, device: &Device) -> Tensor<2> {
        let methods = batch.contexts.len();
        let most = batch.contexts.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let mut columns = [(); 3].map(|()| vec![0_i32; methods * most]);
        let mut padding = vec![NEVER; methods * most];
        for (method, contexts) in batch.contexts.iter().enumerate() {
            // A method without a body attends to an empty context.
            padding[method * most] = 0.0;
            for (place, context) in contexts.iter().enumerate() {
                padding[method * most + place] = 0.0;
                for (column, row) in columns.iter_mut().zip(context) {
                    column[method * most + place] = index(*row as usize);
                }
            }
        }
        let [from, way, to] = columns.map(|it| indices(it, device));
        let edge = self.attention.dims()[0];
        let ends =
            |weight: &Param<Tensor<2>>, rows: Tensor<1, Int>| tokens.clone().matmul(weight.val()).select(0, rows);
        let ways = self.ways.val().matmul(self.way.val()).select(0, way);
        let contexts = (ends(&self.from, from) + ways + ends(&self.to, to)).tanh(); // [methods * most, edge]
        let scores = (contexts.clone() * self.attention.val().unsqueeze()).sum_dim(1);
        let padding = Tensor::<2>::from_data(TensorData::new(padding, [methods, most]), device);
        let weights = softmax(scores.reshape([methods, most]) + padding, 1);
        let weighted: Tensor<3> = contexts.reshape([methods, most, edge]) * weights.reshape([methods, most, 1]);
        weighted.sum_dim(1).reshape([methods, edge])
    }
}
