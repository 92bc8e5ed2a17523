//! The parameters of a network: their names and shapes are asked for one by one, and their numbers come from
//! chance, from vectors that were trained before, or from a file.
//!
//! Invariant: parameters are numbered in the order in which they are asked for, on every device.

use burn::module::{Param, ParamId};
use burn::tensor::{Device, Tensor, TensorData};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::pretrained::Pretrained;
use crate::vocabulary::Vocabulary;
use crate::weights::{Array, Weights};

/// The tables whose rows are sub-tokens.
const TOKEN_TABLES: [&str; 3] = ["paths.tokens", "words", "context"];

/// Where the numbers of a parameter come from.
pub(crate) trait Source {
    /// The numbers of a parameter that would begin as `start` says.
    fn values(&mut self, name: &str, shape: &[usize], start: Start) -> Result<Vec<f32>, String>;
}

/// How a parameter begins.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Start {
    /// Evenly between plus and minus one over the root of this.
    FanIn(usize),
    /// Evenly between plus and minus this.
    Within(f32),
    Constant(f32),
}

/// Fresh weights.
pub(crate) struct Fresh<'r>(pub(crate) &'r mut ChaCha8Rng);

impl Source for Fresh<'_> {
    fn values(&mut self, _name: &str, shape: &[usize], start: Start) -> Result<Vec<f32>, String> {
        let count = shape.iter().product();
        let mut within = |bound: f32| (0..count).map(|_| self.0.random_range(-bound..=bound)).collect();
        Ok(match start {
            #[allow(clippy::cast_precision_loss)]
            Start::FanIn(inputs) => within(1.0 / (inputs as f32).sqrt()),
            Start::Within(bound) => within(bound),
            Start::Constant(value) => vec![value; count],
        })
    }
}

/// Fresh weights, except for sub-tokens whose vectors are known already.
pub(crate) struct Begun<'r, 'p> {
    pub(crate) fresh: Fresh<'r>,
    pub(crate) pretrained: &'p Pretrained,
    pub(crate) vocabulary: &'p Vocabulary,
}

impl Source for Begun<'_, '_> {
    fn values(&mut self, name: &str, shape: &[usize], start: Start) -> Result<Vec<f32>, String> {
        let mut values = self.fresh.values(name, shape, start)?;
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

impl Source for &Weights {
    fn values(&mut self, name: &str, shape: &[usize], _start: Start) -> Result<Vec<f32>, String> {
        array(self, name, shape).map(|it| it.values.in_full().into_owned())
    }
}

/// Nothing but zeros, to see whether weights are those of a network without copying them.
pub(crate) struct Shapes<'w>(pub(crate) &'w Weights);

impl Source for Shapes<'_> {
    fn values(&mut self, name: &str, shape: &[usize], _start: Start) -> Result<Vec<f32>, String> {
        array(self.0, name, shape).map(|it| vec![0.0; it.values.len()])
    }
}

fn array<'w>(weights: &'w Weights, name: &str, shape: &[usize]) -> Result<&'w Array, String> {
    let Some(array) = weights.get(name) else {
        return Err(format!("`{name}` is missing"));
    };
    if array.shape != shape {
        return Err(format!("`{name}` has the shape {:?}, not {shape:?}", array.shape));
    }
    Ok(array)
}

/// Makes the parameters of a network on a device, one after the other.
pub(crate) struct Builder<'s> {
    source: &'s mut dyn Source,
    device: &'s Device,
    made: u64,
}

impl<'s> Builder<'s> {
    pub(crate) fn new(source: &'s mut dyn Source, device: &'s Device) -> Self {
        Self {
            source,
            device,
            made: 0,
        }
    }

    pub(crate) fn parameter<const D: usize>(
        &mut self,
        name: &str,
        shape: [usize; D],
        start: Start,
    ) -> Result<Param<Tensor<D>>, String> {
        let values = self.source.values(name, &shape, start)?;
        // Numbered in order, so that the state of an optimiser finds its parameter in another process.
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

    pub(crate) fn table(&mut self, name: &str, rows: usize, width: usize) -> Result<Param<Tensor<2>>, String> {
        self.parameter(name, [rows, width], Start::Within(0.1))
    }

    pub(crate) fn matrix(&mut self, name: &str, from: usize, to: usize) -> Result<Param<Tensor<2>>, String> {
        self.parameter(name, [from, to], Start::FanIn(from))
    }

    pub(crate) fn vector(&mut self, name: &str, width: usize, start: Start) -> Result<Param<Tensor<1>>, String> {
        self.parameter(name, [width], start)
    }
}
