//! Sources of the parameters of a network in the Burn library: random numbers, pretrained vectors, or arrays of a file.
//!
//! Invariant: parameters are numbered in the order in which they are made, on every device.

use burn::module::{Param, ParamId};
use burn::tensor::{Device, Tensor, TensorData};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::pretrained::{Pretrained, TOKEN_TABLES};
use crate::vocabulary::Vocabulary;
use crate::weights::{Weights, WeightsError};

/// A source of the elements of a network's parameters.
pub(crate) trait ParameterSource {
    /// The elements of the parameter with this name and shape. `start` says how training initialises it.
    fn values(&mut self, name: &str, shape: &[usize], start: Initialisation) -> Result<Vec<f32>, WeightsError>;
}

/// How training initialises a parameter of the network.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Initialisation {
    /// The elements are uniform random numbers between `-1 / sqrt(n)` and `1 / sqrt(n)` for this number `n` of inputs.
    FanIn(usize),
    /// The elements are uniform random numbers between minus and plus this bound.
    Within(f32),
    /// All elements of the parameter are initially this constant.
    Constant(f32),
}

/// A source of random initial parameters for a network.
pub(crate) struct RandomSource<'r>(pub(crate) &'r mut ChaCha8Rng);

impl ParameterSource for RandomSource<'_> {
    fn values(&mut self, _name: &str, shape: &[usize], start: Initialisation) -> Result<Vec<f32>, WeightsError> {
        let count = shape.iter().product();
        let mut within = |bound: f32| (0..count).map(|_| self.0.random_range(-bound..=bound)).collect();
        Ok(match start {
            #[allow(clippy::cast_precision_loss)]
            Initialisation::FanIn(inputs) => within(1.0 / (inputs as f32).sqrt()),
            Initialisation::Within(bound) => within(bound),
            Initialisation::Constant(value) => vec![value; count],
        })
    }
}

/// A source of initial parameters: pretrained vectors for the sub-tokens that have one, else random numbers.
pub(crate) struct PretrainedSource<'r, 'p> {
    /// The source of all parameters without a pretrained vector.
    pub(crate) random: RandomSource<'r>,
    /// The pretrained vectors by sub-token.
    pub(crate) pretrained: &'p Pretrained,
    /// The vocabulary that maps sub-tokens to rows of the embedding tables.
    pub(crate) vocabulary: &'p Vocabulary,
}

impl ParameterSource for PretrainedSource<'_, '_> {
    fn values(&mut self, name: &str, shape: &[usize], start: Initialisation) -> Result<Vec<f32>, WeightsError> {
        let mut values = self.random.values(name, shape, start)?;
        if let Some(known) = self.pretrained.encoder_values(name, values.len()) {
            return Ok(known);
        }
        if TOKEN_TABLES.contains(&name) {
            let width = shape[1];
            for (row, token) in self.vocabulary.tokens.names().enumerate() {
                if let Some(vector) = self.pretrained.vector(token) {
                    values[row * width..][..width].copy_from_slice(vector);
                }
            }
        }
        Ok(values)
    }
}

impl ParameterSource for &Weights {
    fn values(&mut self, name: &str, shape: &[usize], _: Initialisation) -> Result<Vec<f32>, WeightsError> {
        Ok(self.array(name, shape)?.values.widened().into_owned())
    }
}

/// Makes the parameters of a network on a device, one after the other.
pub(crate) struct ParameterBuilder<'s> {
    source: &'s mut dyn ParameterSource,
    device: &'s Device,
    made: u64,
}

impl<'s> ParameterBuilder<'s> {
    /// A builder of network parameters that takes elements from `source`.
    pub(crate) fn new(source: &'s mut dyn ParameterSource, device: &'s Device) -> Self {
        Self {
            source,
            device,
            made: 0,
        }
    }

    /// Makes a parameter of the network with this name and shape.
    pub(crate) fn parameter<const D: usize>(
        &mut self,
        name: &str,
        shape: [usize; D],
        start: Initialisation,
    ) -> Result<Param<Tensor<D>>, WeightsError> {
        let values = self.source.values(name, &shape, start)?;
        // Parameters are numbered in order, so that a stored optimiser state finds them in another process.
        self.made += 1;
        let id = ParamId::from(self.made);
        let tensor = Tensor::from_data(TensorData::new(values, shape), self.device);
        let tensor = if self.device.is_autodiff() {
            tensor.require_grad()
        } else {
            tensor
        };
        Ok(Param::initialized(id, tensor))
    }

    /// Makes a parameter that is a table of vectors, `[rows, width]`.
    pub(crate) fn table(&mut self, name: &str, rows: usize, width: usize) -> Result<Param<Tensor<2>>, WeightsError> {
        self.parameter(name, [rows, width], Initialisation::Within(0.1))
    }

    /// Makes a parameter that is the matrix of a linear map, `[from, to]`.
    pub(crate) fn matrix(&mut self, name: &str, from: usize, to: usize) -> Result<Param<Tensor<2>>, WeightsError> {
        self.parameter(name, [from, to], Initialisation::FanIn(from))
    }

    /// Makes a parameter that is a vector, `[width]`.
    pub(crate) fn vector(
        &mut self,
        name: &str,
        width: usize,
        start: Initialisation,
    ) -> Result<Param<Tensor<1>>, WeightsError> {
        self.parameter(name, [width], start)
    }
}
