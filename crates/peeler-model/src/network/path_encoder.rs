//! Vectors of contextual paths in tensors of the Burn library: vectors of steps, an LSTM over them, and attention.
//!
//! A step is a tuple of a graph node and the edge that leaves it.

use burn::module::{Module, Param};
use burn::tensor::activation::softmax;
use burn::tensor::{Device, Tensor, TensorData};
use rustc_hash::FxHashMap;

use super::code_encoder::CodeEncoder;
use crate::batch::{Batch, PADDING_SCORE};
use crate::config::{BodyReading, Config, CutEdges};
use crate::cuts::Cuts;
use crate::normalisation::EPSILON;
use crate::parameters::{Initialisation, ParameterBuilder};
use crate::recurrence::Packing;
use crate::vocabulary::Vocabulary;
use crate::weights::WeightsError;
use peeler_features::narrow;

/// One layer of the LSTM over contextual paths; its gates are in the order input, forget, cell, output.
#[derive(Module, Debug)]
pub(crate) struct Layer {
    /// The weights of the LSTM layer's inputs, `[inputs, 4 * hidden]`.
    pub(crate) input: Param<Tensor<2>>,
    /// The weights of the LSTM layer's previous state, `[hidden, 4 * hidden]`.
    pub(crate) recurrent: Param<Tensor<2>>,
    /// The bias of the LSTM layer's gates, `[4 * hidden]`.
    pub(crate) bias: Param<Tensor<1>>,
}

/// The encoder that makes one vector of the contextual paths of each test.
#[derive(Module, Debug)]
pub(crate) struct PathEncoder {
    tokens: Param<Tensor<2>>,
    node: Param<Tensor<2>>,
    operation: Param<Tensor<2>>,
    body: Option<Param<Tensor<2>>>,
    code: Option<CodeEncoder>,
    /// Whether an edge that calls code under test has a vector made of both the call's tokens and the called body.
    ///
    /// Otherwise its vector is made of the body alone or, if bodies are not read, of the tokens alone.
    keeps_calls: bool,
    edge: Param<Tensor<2>>,
    bias: Param<Tensor<1>>,
    /// The factor by which each element of a step's vector is multiplied after layer normalisation, `[tuple]`.
    pub(crate) scale: Param<Tensor<1>>,
    /// The offset added to each element of a step's vector after layer normalisation, `[tuple]`.
    pub(crate) shift: Param<Tensor<1>>,
    /// The layers of the LSTM over contextual paths, lowest first.
    pub(crate) layers: Vec<Layer>,
    attention: Param<Tensor<1>>,
}

impl PathEncoder {
    /// Creates the parameters of the path encoder in a fixed order.
    pub(super) fn new(
        builder: &mut ParameterBuilder<'_>,
        config: &Config,
        vocabulary: &Vocabulary,
    ) -> Result<Self, WeightsError> {
        let (width, edge, tuple, hidden) = (config.embedding, config.edge, config.tuple, config.hidden);
        let reads_bodies = config.cut != CutEdges::Tokens;
        let mut layers = Vec::new();
        let tokens = builder.table("paths.tokens", vocabulary.tokens.rows(), width)?;
        let node = builder.matrix("paths.node", width, tuple)?;
        let operation = builder.matrix("paths.operation", width, edge)?;
        let body = match config.body {
            BodyReading::Words if reads_bodies => Some(builder.matrix("paths.body", width, edge)?),
            _ => None,
        };
        let code = match config.body {
            BodyReading::Contexts if reads_bodies => Some(CodeEncoder::new(builder, config, vocabulary)?),
            _ => None,
        };
        let into_tuple = builder.matrix("paths.edge", edge, tuple)?;
        let bias = builder.vector("paths.bias", tuple, Initialisation::Constant(0.0))?;
        let scale = builder.vector("paths.scale", tuple, Initialisation::Constant(1.0))?;
        let shift = builder.vector("paths.shift", tuple, Initialisation::Constant(0.0))?;
        for at in 0..config.layers {
            let inputs = if at == 0 { tuple } else { hidden };
            let name = |what: &str| format!("paths.layers.{at}.{what}");
            layers.push(Layer {
                input: builder.parameter(&name("input"), [inputs, 4 * hidden], Initialisation::FanIn(hidden))?,
                recurrent: builder.matrix(&name("recurrent"), hidden, 4 * hidden)?,
                bias: builder.vector(&name("bias"), 4 * hidden, Initialisation::Constant(0.0))?,
            });
        }
        Ok(Self {
            tokens,
            node,
            operation,
            body,
            code,
            keeps_calls: config.cut == CutEdges::Both,
            edge: into_tuple,
            bias,
            scale,
            shift,
            layers,
            attention: builder.vector("paths.attention", hidden, Initialisation::FanIn(hidden))?,
        })
    }

    /// The width of the vector that the encoder makes of the paths of a test.
    pub(super) fn width(&self) -> usize {
        self.attention.dims()[0]
    }

    /// The vectors of the distinct path steps (tuples of node and edge) of a batch, `[tuples, tuple]`.
    pub(super) fn tuples(&self, batch: &Batch, cuts: &mut Cuts, device: &Device) -> Tensor<2> {
        let sums = self.sums(batch, cuts, device);
        let centred = sums.clone() - sums.mean_dim(1);
        let variance = centred.clone().powi_scalar(2).mean_dim(1);
        let normal = centred / (variance + EPSILON).sqrt();
        let [count, _] = normal.dims();
        (normal * cuts.repeated(self.scale.val(), count) + cuts.repeated(self.shift.val(), count)).tanh()
    }

    /// For each distinct path step of a batch, the sum of its projected node and edge before normalisation, `[tuples,
    /// tuple]`.
    pub(crate) fn sums(&self, batch: &Batch, cuts: &mut Cuts, device: &Device) -> Tensor<2> {
        let texts = cuts.gathered(&batch.texts, self.tokens.val(), device); // [texts, embedding]
        let (node_texts, node_places) = distinct(&batch.tuple_nodes);
        let nodes = cuts.select(texts.clone(), &node_texts, device);
        let nodes = cuts.product(nodes, self.node.val()); // [nodes, tuple]
        // One product of the two matrices is cheaper than two products with every edge.
        let operation = self.operation.val().matmul(self.edge.val()); // [embedding, tuple]
        let operations = cuts.select(texts, &batch.edge_texts, device);
        let operations = cuts.product(operations, operation); // [edges, tuple]
        let edges = self.edges(batch, operations, cuts, device);
        cuts.select(nodes, &node_places, device)
            + cuts.select(edges, &batch.tuple_edges, device)
            + cuts.repeated(self.bias.val(), batch.tuple_nodes.len())
    }

    /// The projected vectors of the distinct graph edges of a batch, `[edges, tuple]`.
    ///
    /// `operations` are the vectors of the edges' tokens. Vectors of called method bodies are added to them, or replace
    /// them.
    fn edges(&self, batch: &Batch, operations: Tensor<2>, cuts: &mut Cuts, device: &Device) -> Tensor<2> {
        if batch.contexts.is_empty() {
            return operations;
        }
        let bodies = match (&self.body, &self.code) {
            (_, Some(code)) => code.vectors(batch, &self.tokens.val(), cuts, device),
            (Some(body), None) => cuts
                .gathered(&batch.method_words, self.tokens.val(), device)
                .matmul(body.val()),
            (None, None) => return operations,
        }; // [methods, edge]
        let kept = if self.keeps_calls { 1.0 } else { 0.0 };
        let bodies = bodies.matmul(self.edge.val()); // [methods, tuple]
        let edges = batch.edge_methods.len();
        let chosen: Vec<u32> = batch.edge_methods.iter().map(|it| it.unwrap_or(0)).collect();
        let has_body: Vec<f32> = batch
            .edge_methods
            .iter()
            .map(|it| f32::from(u8::from(it.is_some())))
            .collect();
        let operation: Vec<f32> = has_body.iter().map(|it| if *it > 0.0 { kept } else { 1.0 }).collect();
        let column = |values: Vec<f32>| Tensor::<2>::from_data(TensorData::new(values, [edges, 1]), device);
        operations * column(operation) + cuts.select(bodies, &chosen, device) * column(has_body)
    }

    /// The LSTM states after the last steps of all paths, longest path first, `[paths, hidden]`.
    pub(super) fn recurrence(&self, batch: &Batch, tuples: &Tensor<2>, cuts: &mut Cuts, device: &Device) -> Tensor<2> {
        let mut below: Option<Tensor<2>> = None;
        for layer in &self.layers {
            // One product projects every distinct tuple, or every state of the layer below.
            let is_first = below.is_none();
            let inputs = below.take().unwrap_or_else(|| tuples.clone());
            let bias = cuts.repeated(layer.bias.val(), inputs.dims()[0]);
            let mut projected = cuts.product(inputs, layer.input.val()) + bias; // [tuples or steps, 4 hidden]
            if is_first {
                projected = cuts.select(projected, &batch.steps, device); // [steps, 4 hidden]
            }
            below = Some(cuts.lstm(projected, layer.recurrent.val(), &batch.active));
        }
        let states = below.expect("a network has at least one recurrent layer");
        let last: Vec<u32> = Packing::new(batch.active.clone()).last_rows().map(narrow).collect();
        cuts.select(states, &last, device)
    }

    /// The sum of each test's path states weighted by attention, `[tests, hidden]`, and the weights.
    ///
    /// The weights have the shape `[tests, paths]`, where `paths` is the largest number of paths of a test. Rows of
    /// tests with fewer paths end with zeros.
    pub(super) fn attend(
        &self,
        batch: &Batch,
        states: Tensor<2>,
        cuts: &mut Cuts,
        device: &Device,
    ) -> (Tensor<2>, Tensor<2>) {
        let [paths, hidden] = states.dims();
        let most = batch.paths.iter().map(Vec::len).max().unwrap_or(1);
        let mut chosen = vec![0_u32; batch.tests * most];
        let mut padding = vec![PADDING_SCORE; batch.tests * most];
        for (test, own) in batch.paths.iter().enumerate() {
            for (place, path) in own.iter().enumerate() {
                chosen[test * most + place] = *path;
                padding[test * most + place] = 0.0;
            }
        }
        debug_assert!(chosen.iter().all(|it| (*it as usize) < paths));
        let padding = Tensor::<2>::from_data(TensorData::new(padding, [batch.tests, most]), device);
        let own: Tensor<3> = cuts
            .select(states, &chosen, device)
            .reshape([batch.tests, most, hidden]);
        let query: Tensor<3> = self.attention.val().reshape([1, 1, hidden]);
        let scores: Tensor<2> = (own.clone() * query).sum_dim(2).reshape([batch.tests, most]);
        let weights = softmax(scores + padding, 1);
        let weighted = own * weights.clone().reshape([batch.tests, most, 1]);
        (weighted.sum_dim(1).reshape([batch.tests, hidden]), weights)
    }
}

/// The distinct numbers in the order of their first occurrence, and for each number its index among the distinct ones.
pub(crate) fn distinct(numbers: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut places: FxHashMap<u32, u32> = FxHashMap::default();
    let mut known = Vec::new();
    let of = numbers.iter().map(|number| {
        *places.entry(*number).or_insert_with(|| {
            known.push(*number);
            narrow(known.len() - 1)
        })
    });
    let of = of.collect();
    (known, of)
}
