//! The parameters of one network as typed arrays, checked once against a configuration and a vocabulary.
//!
//! Prediction on the CPU reads fields of these structs. Arrays are looked up by name only while a model is loaded. All
//! matrices are row-major.

use std::sync::{Arc, OnceLock};

use crate::config::{BodyReading, Config, CutEdges, Input};
use crate::recurrence::product;
use crate::vocabulary::Vocabulary;
use crate::weights::{Values, Weights, WeightsError};
use peeler_features::MEASURES;

/// The factor of the network's features from measures, such as the number of lines.
///
/// Without it they would be larger than the features from bags of names.
pub(crate) const MEASURE_SCALE: f64 = 0.3;

/// All parameters of a network. A part of a test that the configuration does not read has no parameters.
#[derive(Debug, Clone)]
pub(crate) struct NetworkParameters {
    /// The embedding table of sub-tokens in the test method, `[tokens, embedding]`; `None` if they are not read.
    pub(crate) words: Option<Values>,
    /// The embedding table of sub-tokens in the test's class, around the test method, `[tokens, embedding]`.
    ///
    /// `None` if the network does not read them.
    pub(crate) context: Option<Values>,
    /// The embedding table of reachable library calls, `[calls, embedding]`; `None` if they are not read.
    pub(crate) calls: Option<Values>,
    /// The embedding table of the causes that the catalogue of nondeterminism lists, `[causes, embedding]`.
    ///
    /// `None` if the network does not read causes.
    pub(crate) causes: Option<Values>,
    /// The embedding table of the flows of nondeterminism that rules find, `[flows, embedding]`.
    ///
    /// `None` if the network does not read flows.
    pub(crate) flows: Option<Values>,
    /// The embedding table of what assertions compare, `[oracles, embedding]`.
    ///
    /// `None` if the network does not read it.
    pub(crate) oracles: Option<Values>,
    /// The linear layer from the measures of a test, such as its number of lines, to `embedding` features.
    ///
    /// `None` if the network does not read measures.
    pub(crate) measures: Option<DenseParameters>,
    /// The parameters of the encoder of contextual paths, if the network reads paths.
    pub(crate) paths: Option<PathParameters>,
    /// The linear layer from all features of a test to the `head` units of the last hidden layer.
    pub(crate) hidden: DenseParameters,
    /// The linear layer from the `head` units of the last hidden layer to the scores of stable and flaky.
    pub(crate) output: DenseParameters,
}

/// The parameters of a linear layer.
#[derive(Debug, Clone)]
pub(crate) struct DenseParameters {
    /// The weights of the linear layer, `[inputs, outputs]`.
    pub(crate) weight: Arc<[f32]>,
    /// The bias of the linear layer, `[outputs]`.
    pub(crate) bias: Arc<[f32]>,
}

/// The parameters of the encoder of contextual paths: vectors of steps, an LSTM over them, and attention.
#[derive(Debug, Clone)]
pub(crate) struct PathParameters {
    /// The embedding table of sub-tokens in the texts of graph nodes and edges, `[tokens, embedding]`.
    pub(crate) tokens: Values,
    /// The matrix that projects the vector of a graph node's text to the width of a path step, `[embedding, tuple]`.
    pub(crate) node: Arc<[f32]>,
    /// The matrix that projects the vector of a graph edge's text to the width of edges, `[embedding, edge]`.
    pub(crate) operation: Arc<[f32]>,
    /// The parameters that make vectors of the bodies of called methods; `None` if edges are read as tokens only.
    pub(crate) bodies: Option<BodyParameters>,
    /// The matrix that projects the vector of a graph edge to the width of a path step, `[edge, tuple]`.
    pub(crate) edge: Arc<[f32]>,
    /// The bias added to the projected node and edge of a path step, `[tuple]`.
    pub(crate) bias: Arc<[f32]>,
    /// The factor by which each element of a step's vector is multiplied after layer normalisation, `[tuple]`.
    pub(crate) scale: Arc<[f32]>,
    /// The offset added to each element of a step's vector after layer normalisation, `[tuple]`.
    pub(crate) shift: Arc<[f32]>,
    /// The layers of the LSTM over contextual paths, lowest first.
    pub(crate) layers: Vec<LayerParameters>,
    /// The vector whose product with the state of a path is the path's attention score, `[hidden]`.
    pub(crate) attention: Arc<[f32]>,
}

/// The parameters that make a vector of the body of a called method.
#[derive(Debug, Clone)]
pub(crate) enum BodyParameters {
    /// The matrix that projects the mean of the body's sub-token vectors, `[embedding, edge]`.
    Words(Arc<[f32]>),
    /// Attention over paths between two tokens in the body's syntax tree, as in code2vec.
    Contexts(CodeParameters),
}

/// The parameters of attention over paths between two tokens in the syntax tree of a method's body (path contexts).
#[derive(Debug, Clone)]
pub(crate) struct CodeParameters {
    /// The embedding table of syntax tree paths between two tokens, `[ways, embedding]`.
    ways: Values,
    /// The matrix that projects the token at which a syntax tree path starts, `[embedding, edge]`.
    from: Arc<[f32]>,
    /// The matrix that projects the embedding of a syntax tree path, `[embedding, edge]`.
    way: Arc<[f32]>,
    /// The matrix that projects the token at which a syntax tree path ends, `[embedding, edge]`.
    to: Arc<[f32]>,
    /// The vector whose product with a path context is its attention score, `[edge]`.
    ///
    /// A path context is a syntax tree path with its two tokens.
    pub(crate) attention: Arc<[f32]>,
    projected: OnceLock<ProjectedContexts>,
}

/// The embedding tables for path contexts (a syntax tree path with its two tokens), projected to `edge` columns.
#[derive(Debug, Clone)]
pub(crate) struct ProjectedContexts {
    /// The projected embeddings of tokens at the start of a syntax tree path, `[tokens, edge]`.
    pub(crate) from: Vec<f32>,
    /// The projected embeddings of syntax tree paths, `[ways, edge]`.
    pub(crate) ways: Vec<f32>,
    /// The projected embeddings of tokens at the end of a syntax tree path, `[tokens, edge]`.
    pub(crate) to: Vec<f32>,
}

/// One layer of the LSTM over contextual paths; its gates are in the order input, forget, cell, output.
#[derive(Debug, Clone)]
pub(crate) struct LayerParameters {
    /// The weights of the LSTM layer's inputs, `[inputs, 4 * hidden]`.
    pub(crate) input: Arc<[f32]>,
    /// The weights of the LSTM layer's previous state, `[hidden, 4 * hidden]`.
    pub(crate) recurrent: Arc<[f32]>,
    /// The bias of the LSTM layer's gates, `[4 * hidden]`.
    pub(crate) bias: Arc<[f32]>,
}

impl NetworkParameters {
    /// Builds the parameters of a network from arrays by name. They share the elements of the arrays.
    ///
    /// # Errors
    ///
    /// When an array is missing or has the wrong shape.
    pub(crate) fn new(config: &Config, vocabulary: &Vocabulary, weights: &Weights) -> Result<Self, WeightsError> {
        let reader = Reader(weights);
        let width = config.embedding;
        let tokens = vocabulary.tokens.rows();
        let bag = |input: Input, name: &str, rows: usize| {
            let read = config.reads(input).then(|| reader.table(name, rows, width));
            read.transpose()
        };
        let measures = config.reads(Input::Measures);
        let paths = config.reads(Input::Paths);
        let features = width * (Input::BAGS.into_iter().filter(|it| config.reads(*it)).count() + usize::from(measures))
            + if paths { config.hidden } else { 0 };
        Ok(Self {
            words: bag(Input::Words, "words", tokens)?,
            context: bag(Input::Context, "context", tokens)?,
            calls: bag(Input::Reach, "calls", vocabulary.calls.rows())?,
            causes: bag(Input::Causes, "causes", vocabulary.causes.rows())?,
            flows: bag(Input::Flows, "flows", vocabulary.flows.rows())?,
            oracles: bag(Input::Oracles, "oracles", vocabulary.oracles.rows())?,
            measures: measures
                .then(|| reader.dense("measures", MEASURES, width))
                .transpose()?,
            paths: paths.then(|| reader.paths(config, vocabulary)).transpose()?,
            hidden: reader.dense("hidden", features, config.head)?,
            output: reader.dense("output", config.head, 2)?,
        })
    }
}

impl CodeParameters {
    /// The projected embedding tables for path contexts (a syntax tree path with its two tokens); computed at the first
    /// call.
    pub(crate) fn projected(&self, tokens: &Values) -> &ProjectedContexts {
        self.projected.get_or_init(|| {
            let edge = self.attention.len();
            let project = |table: &Values, matrix: &[f32]| {
                let width = matrix.len() / edge;
                product(&table.widened(), width, matrix, edge)
            };
            ProjectedContexts {
                from: project(tokens, &self.from),
                ways: project(&self.ways, &self.way),
                to: project(tokens, &self.to),
            }
        })
    }
}

/// The arrays of a network by name, to be read as typed parameters.
struct Reader<'w>(&'w Weights);

impl Reader<'_> {
    fn table(&self, name: &str, rows: usize, columns: usize) -> Result<Values, WeightsError> {
        Ok(self.0.array(name, &[rows, columns])?.values.clone())
    }

    fn matrix(&self, name: &str, rows: usize, columns: usize) -> Result<Arc<[f32]>, WeightsError> {
        Ok(self.0.array(name, &[rows, columns])?.values.shared())
    }

    fn vector(&self, name: &str, length: usize) -> Result<Arc<[f32]>, WeightsError> {
        Ok(self.0.array(name, &[length])?.values.shared())
    }

    fn dense(&self, name: &str, inputs: usize, outputs: usize) -> Result<DenseParameters, WeightsError> {
        Ok(DenseParameters {
            weight: self.matrix(&format!("{name}.weight"), inputs, outputs)?,
            bias: self.vector(&format!("{name}.bias"), outputs)?,
        })
    }

    fn paths(&self, config: &Config, vocabulary: &Vocabulary) -> Result<PathParameters, WeightsError> {
        let (width, edge, tuple, hidden) = (config.embedding, config.edge, config.tuple, config.hidden);
        let bodies = match (config.cut, config.body) {
            (CutEdges::Tokens, _) => None,
            (_, BodyReading::Words) => Some(BodyParameters::Words(self.matrix("paths.body", width, edge)?)),
            (_, BodyReading::Contexts) => Some(BodyParameters::Contexts(CodeParameters {
                ways: self.table("paths.code.ways", vocabulary.ways.rows(), width)?,
                from: self.matrix("paths.code.from", width, edge)?,
                way: self.matrix("paths.code.way", width, edge)?,
                to: self.matrix("paths.code.to", width, edge)?,
                attention: self.vector("paths.code.attention", edge)?,
                projected: OnceLock::new(),
            })),
        };
        let layer = |depth: usize| {
            let inputs = if depth == 0 { tuple } else { hidden };
            Ok(LayerParameters {
                input: self.matrix(&format!("paths.layers.{depth}.input"), inputs, 4 * hidden)?,
                recurrent: self.matrix(&format!("paths.layers.{depth}.recurrent"), hidden, 4 * hidden)?,
                bias: self.vector(&format!("paths.layers.{depth}.bias"), 4 * hidden)?,
            })
        };
        Ok(PathParameters {
            tokens: self.table("paths.tokens", vocabulary.tokens.rows(), width)?,
            node: self.matrix("paths.node", width, tuple)?,
            operation: self.matrix("paths.operation", width, edge)?,
            bodies,
            edge: self.matrix("paths.edge", edge, tuple)?,
            bias: self.vector("paths.bias", tuple)?,
            scale: self.vector("paths.scale", tuple)?,
            shift: self.vector("paths.shift", tuple)?,
            layers: (0..config.layers).map(layer).collect::<Result<_, WeightsError>>()?,
            attention: self.vector("paths.attention", hidden)?,
        })
    }
}
