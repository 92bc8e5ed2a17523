//! The parameters of one network as typed arrays, checked once against a configuration and a vocabulary.
//!
//! Arithmetic on the CPU reads fields of these structs; arrays are looked up by name only while a model is loaded.
//! All matrices are row-major.

use std::sync::{Arc, OnceLock};

use crate::config::{BodyReading, Config, CutEdges, Input};
use crate::recurrence::product;
use crate::vocabulary::Vocabulary;
use crate::weights::{Values, Weights, WeightsError};
use peeler_features::MEASURES;

/// The factor of the features from measures, which are on a larger scale than bags of names.
pub(crate) const MEASURE_SCALE: f64 = 0.3;

/// All parameters of a network. An input that the configuration does not read has no parameters.
#[derive(Debug, Clone)]
pub(crate) struct NetworkParameters {
    /// The embedding table of sub-tokens of the test method, `[tokens, embedding]`.
    pub(crate) words: Option<Values>,
    /// The embedding table of sub-tokens around the test method, `[tokens, embedding]`.
    pub(crate) context: Option<Values>,
    /// The embedding table of reachable library calls, `[calls, embedding]`.
    pub(crate) calls: Option<Values>,
    /// The embedding table of causes, `[causes, embedding]`.
    pub(crate) causes: Option<Values>,
    /// The layer from measures to `embedding` features.
    pub(crate) measures: Option<DenseParameters>,
    /// The encoder of contextual paths.
    pub(crate) paths: Option<PathParameters>,
    /// The layer from all features to `head` units.
    pub(crate) hidden: DenseParameters,
    /// The layer from `head` units to the scores of stable and flaky.
    pub(crate) output: DenseParameters,
}

/// A linear layer.
#[derive(Debug, Clone)]
pub(crate) struct DenseParameters {
    /// The weights of the layer, `[inputs, outputs]`.
    pub(crate) weight: Arc<[f32]>,
    /// The bias of the layer, `[outputs]`.
    pub(crate) bias: Arc<[f32]>,
}

/// The encoder of contextual paths.
#[derive(Debug, Clone)]
pub(crate) struct PathParameters {
    /// The table of sub-tokens, `[tokens, embedding]`.
    pub(crate) tokens: Values,
    /// The projection of node texts, `[embedding, tuple]`.
    pub(crate) node: Arc<[f32]>,
    /// The projection of operations, `[embedding, edge]`.
    pub(crate) operation: Arc<[f32]>,
    /// The encoder of method bodies; `None` if edges are read as tokens only.
    pub(crate) bodies: Option<BodyParameters>,
    /// The projection of edges, `[edge, tuple]`.
    pub(crate) edge: Arc<[f32]>,
    /// The bias of tuples, `[tuple]`.
    pub(crate) bias: Arc<[f32]>,
    /// The factor of normalised tuples, `[tuple]`.
    pub(crate) scale: Arc<[f32]>,
    /// The offset of normalised tuples, `[tuple]`.
    pub(crate) shift: Arc<[f32]>,
    /// The recurrent layers, lowest first.
    pub(crate) layers: Vec<LayerParameters>,
    /// The attention vector for paths, `[hidden]`.
    pub(crate) attention: Arc<[f32]>,
}

/// The encoder of method bodies.
#[derive(Debug, Clone)]
pub(crate) enum BodyParameters {
    /// A projection of the mean of the sub-tokens, `[embedding, edge]`.
    Words(Arc<[f32]>),
    /// Attention over path contexts, as in code2vec.
    Contexts(CodeParameters),
}

/// Attention over the path contexts of a method's body.
#[derive(Debug, Clone)]
pub(crate) struct CodeParameters {
    /// The table of syntax tree paths, `[ways, embedding]`.
    ways: Values,
    /// The matrix that projects the first token of a path context, `[embedding, edge]`.
    from: Arc<[f32]>,
    /// The projection of syntax tree paths, `[embedding, edge]`.
    way: Arc<[f32]>,
    /// The matrix that projects the last token of a path context, `[embedding, edge]`.
    to: Arc<[f32]>,
    /// The attention vector for path contexts, `[edge]`.
    pub(crate) attention: Arc<[f32]>,
    projected: OnceLock<ProjectedContexts>,
}

/// The rows of all tables that path contexts read, after projection to `edge` columns.
#[derive(Debug, Clone)]
pub(crate) struct ProjectedContexts {
    /// The projected tokens at the start of a path context, `[tokens, edge]`.
    pub(crate) from: Vec<f32>,
    /// The projected syntax tree paths, `[ways, edge]`.
    pub(crate) ways: Vec<f32>,
    /// The projected tokens at the end of a path context, `[tokens, edge]`.
    pub(crate) to: Vec<f32>,
}

/// One layer of the recurrent network; gates in the order input, forget, cell, output.
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
    /// Builds the parameters from arrays by name. They share the elements of the arrays.
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
        let bags = [Input::Words, Input::Context, Input::Reach, Input::Causes];
        let features = width * (bags.into_iter().filter(|it| config.reads(*it)).count() + usize::from(measures))
            + if paths { config.hidden } else { 0 };
        Ok(Self {
            words: bag(Input::Words, "words", tokens)?,
            context: bag(Input::Context, "context", tokens)?,
            calls: bag(Input::Reach, "calls", vocabulary.calls.rows())?,
            causes: bag(Input::Causes, "causes", vocabulary.causes.rows())?,
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
    /// The projected tables that path contexts read; computed at the first call.
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

/// Reads typed arrays of a network by name.
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
