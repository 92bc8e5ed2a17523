//! The network that predicts the sub-tokens of a method's name from the path contexts of its body, in Burn.

use burn::module::{Module, Param};
use burn::tensor::activation::{log_softmax, softmax};
use burn::tensor::{Device, Int, Tensor, TensorData};

use super::batch::{NAME_WORDS, NameBatch, TERMINAL_WORDS};
use crate::backend::GradientMethod;
use crate::cuts::Cuts;
use crate::parameters::{Initialisation, ParameterBuilder, ParameterSource};
use crate::weights::{Array, Values, Weights, WeightsError};

/// The numbers of rows and columns of the network's parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NetworkSizes {
    /// The number of rows of the table of sub-tokens.
    pub(super) words: usize,
    /// The number of sub-tokens that are predicted.
    pub(super) targets: usize,
    /// The number of rows of the table of paths.
    pub(super) paths: usize,
    /// The width of the rows of both tables.
    pub(super) width: usize,
    /// The width of the vectors of contexts and bodies.
    pub(super) code: usize,
}

/// The network: tables of sub-tokens and paths, an encoder of bodies with attention, and the prediction of names.
#[derive(Module, Debug)]
pub(super) struct NameNetwork {
    words: Param<Tensor<2>>,
    paths: Param<Tensor<2>>,
    from: Param<Tensor<2>>,
    path: Param<Tensor<2>>,
    to: Param<Tensor<2>>,
    attention: Param<Tensor<2>>,
    name: Param<Tensor<2>>,
    bias: Param<Tensor<1>>,
}

impl NameNetwork {
    /// A network whose parameters come from `source`, such as random numbers or arrays.
    pub(super) fn new(
        sizes: NetworkSizes,
        source: &mut dyn ParameterSource,
        device: &Device,
    ) -> Result<Self, WeightsError> {
        let NetworkSizes { width, code, .. } = sizes;
        let mut builder = ParameterBuilder::new(source, device);
        Ok(Self {
            words: builder.table("words", sizes.words, width)?,
            paths: builder.table("paths", sizes.paths, width)?,
            from: builder.matrix("from", width, code)?,
            path: builder.matrix("path", width, code)?,
            to: builder.matrix("to", width, code)?,
            attention: builder.matrix("attention", code, 1)?,
            name: builder.matrix("name", code, width)?,
            bias: builder.vector("bias", sizes.targets, Initialisation::Constant(0.0))?,
        })
    }

    /// All parameters as arrays by name.
    pub(super) fn weights(&self) -> Weights {
        let tables = [
            ("words", &self.words),
            ("paths", &self.paths),
            ("from", &self.from),
            ("path", &self.path),
            ("to", &self.to),
            ("attention", &self.attention),
            ("name", &self.name),
        ];
        let tables = tables.map(|(name, it)| (name.to_owned(), array(it.val())));
        let bias = ("bias".to_owned(), array(self.bias.val()));
        Weights {
            arrays: tables.into_iter().chain([bias]).collect(),
        }
    }

    /// The scores of all targets for each method of a batch, `[methods, targets]`.
    pub(super) fn scores(&self, batch: &NameBatch, cuts: &mut Cuts, device: &Device) -> Tensor<2> {
        let words = self.words.val();
        let [_, width] = words.dims();
        let count = batch.terminal_words.len() / TERMINAL_WORDS;
        let weights = TensorData::new(batch.word_weights.clone(), [count, TERMINAL_WORDS, 1]);
        let parts: Tensor<3> =
            cuts.select(words.clone(), &batch.terminal_words, device)
                .reshape([count, TERMINAL_WORDS, width]);
        let terminals: Tensor<2> = (parts * Tensor::<3>::from_data(weights, device))
            .sum_dim(1)
            .reshape([count, width]);
        let terminals = cuts.shared(terminals);
        let paths = cuts.select(self.paths.val(), &batch.path_rows, device); // [paths, width]
        // Each distinct terminal and path is multiplied once.
        let [from, path, to] = [
            cuts.product(terminals.clone(), self.from.val()),
            cuts.product(paths, self.path.val()),
            cuts.product(terminals, self.to.val()),
        ];
        let contexts = cuts.select(from, &batch.columns[0], device)
            + cuts.select(path, &batch.columns[1], device)
            + cuts.select(to, &batch.columns[2], device);
        let contexts = contexts.tanh(); // [methods * contexts, code]
        let [_, code] = contexts.dims();
        let padding = TensorData::new(batch.padding.clone(), [batch.rows, batch.contexts]);
        let attention = contexts.clone().matmul(self.attention.val());
        let attention = attention.reshape([batch.rows, batch.contexts]) + Tensor::<2>::from_data(padding, device);
        let attention: Tensor<3> = softmax(attention, 1).reshape([batch.rows, 1, batch.contexts]);
        let bodies = attention.matmul(contexts.reshape([batch.rows, batch.contexts, code]));
        let names = bodies.reshape([batch.rows, code]).matmul(self.name.val()); // [methods, width]
        let [targets] = self.bias.dims();
        let table = words.slice([1..targets + 1, 0..width]);
        names.matmul(table.transpose()) + self.bias.val().unsqueeze()
    }

    /// The mean loss of the methods of a batch.
    pub(super) fn loss(&self, batch: &NameBatch, cuts: &mut Cuts, device: &Device) -> Tensor<1> {
        let log_probabilities = log_softmax(self.scores(batch, cuts, device), 1).gather(1, targets(batch, device));
        let weights = TensorData::new(batch.target_weights.clone(), [batch.rows, NAME_WORDS]);
        #[allow(clippy::cast_precision_loss)]
        let methods = batch.methods as f32;
        (log_probabilities * Tensor::<2>::from_data(weights, device))
            .sum()
            .neg()
            / methods
    }

    /// The number of predicted sub-tokens of a batch, and the number of those that are in the names.
    pub(super) fn hits(&self, batch: &NameBatch, from: f32, device: &Device) -> [f32; 2] {
        let mut cuts = Cuts::in_prediction(GradientMethod::Burn);
        let is_predicted = softmax(self.scores(batch, &mut cuts, device), 1)
            .greater_equal_elem(from)
            .float();
        let is_method = TensorData::new(batch.is_method.clone(), [batch.rows, 1]);
        let predicted = (is_predicted.clone() * Tensor::<2>::from_data(is_method, device)).sum();
        let is_target = batch.target_weights.iter().map(|it| f32::from(u8::from(*it > 0.0)));
        let is_target = TensorData::new(is_target.collect::<Vec<f32>>(), [batch.rows, NAME_WORDS]);
        let hits = is_predicted.gather(1, targets(batch, device)) * Tensor::<2>::from_data(is_target, device);
        [predicted, hits.sum()].map(Tensor::into_scalar)
    }
}

fn targets(batch: &NameBatch, device: &Device) -> Tensor<2, Int> {
    let targets = TensorData::new(batch.targets.clone(), [batch.rows, NAME_WORDS]);
    Tensor::from_data(targets, device)
}

fn array<const D: usize>(tensor: Tensor<D>) -> Array {
    let shape = tensor.dims().to_vec();
    let values: Vec<f32> = tensor.into_data().try_to_vec().expect("elements of 32 bits");
    Array {
        shape,
        values: Values::Single(values.into()),
    }
}
