//! The network in tensors of the Burn library, for any backend.
//!
//! Texts become means of sub-token vectors. A node of a path with the edge that leaves it (a tuple) becomes
//! `tanh(norm(W x))`. A path is the last state of an LSTM over its tuples.
//!
//! The paths of a test become one vector: their sum, weighted by attention. Vectors of its words, context, reachable
//! calls, causes and measures (such as the number of lines) are appended to it. Two linear layers compute the score.
//!
//! The parameters are the same on every backend. On the CPU, [`crate::gradients`] computes the LSTM with hand-written
//! code.

mod code_encoder;
mod dropout;
mod path_encoder;

pub(crate) use self::dropout::Dropout;
pub(crate) use self::path_encoder::PathEncoder;
#[cfg(feature = "cuda")]
pub(crate) use self::path_encoder::distinct;

use burn::module::{Module, ModuleVisitor, Param};
use burn::tensor::activation::{log_softmax, relu};
use burn::tensor::{Device, Tensor, TensorData};

use self::dropout::{drop_features, drop_paths};
use crate::batch::Batch;
use crate::config::{Config, Input};
use crate::cuts::Cuts;
use crate::network_parameters::MEASURE_SCALE;
use crate::parameters::{Initialisation, ParameterBuilder, ParameterSource};
use crate::vocabulary::Vocabulary;
use crate::weights::{Array, Values, Weights, WeightsError};
use peeler_features::MEASURES;

/// A linear layer of the network: a matrix of weights and a bias.
#[derive(Module, Debug)]
struct Dense {
    weight: Param<Tensor<2>>,
    bias: Param<Tensor<1>>,
}

impl Dense {
    fn new(builder: &mut ParameterBuilder<'_>, name: &str, from: usize, to: usize) -> Result<Self, WeightsError> {
        Ok(Self {
            weight: builder.matrix(&format!("{name}.weight"), from, to)?,
            bias: builder.vector(&format!("{name}.bias"), to, Initialisation::Constant(0.0))?,
        })
    }

    fn forward(&self, input: Tensor<2>) -> Tensor<2> {
        input.matmul(self.weight.val()) + self.bias.val().unsqueeze()
    }
}

/// The network in tensors of the Burn library, with all its parameters.
#[derive(Module, Debug)]
pub(crate) struct Network {
    words: Option<Param<Tensor<2>>>,
    context: Option<Param<Tensor<2>>>,
    calls: Option<Param<Tensor<2>>>,
    causes: Option<Param<Tensor<2>>>,
    flows: Option<Param<Tensor<2>>>,
    oracles: Option<Param<Tensor<2>>>,
    measures: Option<Dense>,
    /// The encoder of contextual paths, if the configuration reads them.
    pub(crate) paths: Option<PathEncoder>,
    hidden: Dense,
    output: Dense,
}

/// The output of the network for a batch of tests.
pub(crate) struct NetworkOutput {
    /// The logarithms of the probabilities that a test is stable and that it is flaky, `[tests, 2]`.
    pub(crate) log_probabilities: Tensor<2>,
    /// The attention of every path of every test, `[tests, paths]`; `None` if paths were not read.
    ///
    /// `paths` is the largest number of paths of a test in the batch. Rows of tests with fewer paths end with zeros.
    pub(crate) attention: Option<Tensor<2>>,
}

impl Network {
    /// A network whose parameters come from `source`, such as random numbers or the arrays of a file.
    ///
    /// # Errors
    ///
    /// When the source lacks a parameter.
    pub(crate) fn new(
        config: &Config,
        vocabulary: &Vocabulary,
        source: &mut dyn ParameterSource,
        device: &Device,
    ) -> Result<Self, WeightsError> {
        let mut builder = ParameterBuilder::new(source, device);
        let width = config.embedding;
        let mut features = 0;
        let mut table = |builder: &mut ParameterBuilder<'_>, input: Input, name: &str, rows: usize| {
            if !config.reads(input) {
                return Ok(None);
            }
            features += width;
            builder.table(name, rows, width).map(Some)
        };
        let tokens = vocabulary.tokens.rows();
        let words = table(&mut builder, Input::Words, "words", tokens)?;
        let context = table(&mut builder, Input::Context, "context", tokens)?;
        let calls = table(&mut builder, Input::Reach, "calls", vocabulary.calls.rows())?;
        let causes = table(&mut builder, Input::Causes, "causes", vocabulary.causes.rows())?;
        let flows = table(&mut builder, Input::Flows, "flows", vocabulary.flows.rows())?;
        let oracles = table(&mut builder, Input::Oracles, "oracles", vocabulary.oracles.rows())?;
        let measures = if config.reads(Input::Measures) {
            features += width;
            Some(Dense::new(&mut builder, "measures", MEASURES, width)?)
        } else {
            None
        };
        let paths = if config.reads(Input::Paths) {
            features += config.hidden;
            Some(PathEncoder::new(&mut builder, config, vocabulary)?)
        } else {
            None
        };
        Ok(Self {
            words,
            context,
            calls,
            causes,
            flows,
            oracles,
            measures,
            paths,
            hidden: Dense::new(&mut builder, "hidden", features, config.head)?,
            output: Dense::new(&mut builder, "output", config.head, 2)?,
        })
    }

    /// All parameters of the network as arrays by name.
    pub(crate) fn weights(&self, config: &Config, vocabulary: &Vocabulary) -> Weights {
        struct Collect(Vec<(u64, Vec<usize>, Vec<f32>)>);
        impl ModuleVisitor for Collect {
            fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
                let data = param.val().into_data();
                let shape = param.val().dims().to_vec();
                let values = data.try_to_vec().expect("elements of 32 bits");
                self.0.push((param.id.val(), shape, values));
            }
        }
        let mut collected = Collect(Vec::new());
        self.visit(&mut collected);
        let names = parameter_names(config, vocabulary);
        let arrays = collected.0.into_iter().map(|(id, shape, values)| {
            let place = usize::try_from(id).expect("few parameters") - 1;
            let values = Values::Single(values.into());
            (names[place].clone(), Array { shape, values })
        });
        Weights {
            arrays: arrays.collect(),
        }
    }

    /// The output of the network for a batch. Burn's tensors also compute the LSTM over contextual paths.
    pub(crate) fn forward(
        &self,
        batch: &Batch,
        mut dropout: Option<Dropout<'_>>,
        cuts: &mut Cuts,
        device: &Device,
    ) -> NetworkOutput {
        let states = self.paths.as_ref().filter(|_| batch.has_paths()).map(|it| {
            let tuples = it.tuples(batch, cuts, device);
            it.recurrence(batch, &tuples, cuts, device)
        });
        self.output_of_states(batch, states, &mut dropout, cuts, device)
    }

    /// The output of the network for a batch, given the LSTM states after the last steps of all paths, `[paths,
    /// hidden]`.
    pub(crate) fn output_of_states(
        &self,
        batch: &Batch,
        states: Option<Tensor<2>>,
        dropout: &mut Option<Dropout<'_>>,
        cuts: &mut Cuts,
        device: &Device,
    ) -> NetworkOutput {
        let mut features = Vec::new();
        let bags = [
            (&self.words, &batch.words),
            (&self.context, &batch.context),
            (&self.calls, &batch.calls),
            (&self.causes, &batch.causes),
            (&self.flows, &batch.flows),
            (&self.oracles, &batch.oracles),
        ];
        for (table, lists) in bags {
            if let Some(table) = table {
                features.push(cuts.bag(lists, table.val(), device));
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
                let states = drop_features(states, dropout, device);
                let (vectors, weights) = paths.attend(batch, states, cuts, device);
                features.push(drop_paths(vectors, dropout, device));
                attention = Some(weights);
            } else {
                features.push(Tensor::zeros([batch.tests, paths.width()], device));
            }
        }
        let features = drop_features(Tensor::cat(features, 1), dropout, device);
        let hidden = drop_features(relu(self.hidden.forward(features)), dropout, device);
        NetworkOutput {
            log_probabilities: log_softmax(self.output.forward(hidden), 1),
            attention,
        }
    }
}

/// The names of all parameters of a network, in the order in which the network creates them.
pub(crate) fn parameter_names(config: &Config, vocabulary: &Vocabulary) -> Vec<String> {
    let shapes = parameter_shapes(config, vocabulary);
    shapes.into_iter().map(|(name, _)| name).collect()
}

/// The names and shapes of all parameters of a network, in the order in which the network creates them.
pub(crate) fn parameter_shapes(config: &Config, vocabulary: &Vocabulary) -> Vec<(String, Vec<usize>)> {
    struct Shapes(Vec<(String, Vec<usize>)>);
    impl ParameterSource for Shapes {
        fn values(&mut self, name: &str, shape: &[usize], _: Initialisation) -> Result<Vec<f32>, WeightsError> {
            self.0.push((name.to_owned(), shape.to_vec()));
            Ok(vec![0.0; shape.iter().product()])
        }
    }
    let mut shapes = Shapes(Vec::new());
    Network::new(config, vocabulary, &mut shapes, &Device::flex()).expect("every name has values");
    shapes.0
}
