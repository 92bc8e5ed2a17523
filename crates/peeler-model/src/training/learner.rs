//! The step of a training: gradients of a batch, and a change of all parameters that are not frozen.

use burn::module::ParamId;
use burn::tensor::{Device, Tensor};
use burn_optim::ModuleOptimizer;

use super::drawing::DrawnBatch;
use crate::gradients::{LabelledBatch, gradients};
use crate::network::{Dropout, Network, parameter_shapes};
use crate::setting::Setting;
use crate::vocabulary::Vocabulary;

/// What a training step changes.
pub(super) struct Learner {
    /// The network with its parameters so far.
    pub(super) network: Network,
    /// The optimiser with its averages so far.
    pub(super) optimiser: ModuleOptimizer,
    /// The parameters that training does not change, with their numbers of dimensions.
    pub(super) frozen: Vec<(ParamId, usize)>,
}

impl Learner {
    /// Takes one training step and returns its loss, which is still on the device.
    pub(super) fn step(
        &mut self,
        setting: Setting<'_>,
        mut drawn: DrawnBatch,
        rate: f64,
        device: &Device,
    ) -> Tensor<1> {
        let config = setting.config;
        let dropout = Dropout {
            share: config.dropout,
            paths: config.path_dropout,
            random: &mut drawn.random,
        };
        let labelled = LabelledBatch {
            batch: &drawn.batch,
            labels: &drawn.labels,
            smoothing: config.label_smoothing,
        };
        let method = setting.backend.gradient_method();
        let (loss, mut gradients) = gradients(&self.network, &labelled, dropout, device, method);
        for (id, rank) in &self.frozen {
            match rank {
                1 => drop(gradients.remove::<1>(*id)),
                _ => drop(gradients.remove::<2>(*id)),
            }
        }
        self.network = self.optimiser.step(rate, self.network.clone(), gradients);
        loss
    }
}

/// The parameters that pretrained vectors freeze, with their numbers of dimensions.
pub(super) fn frozen(setting: Setting<'_>, vocabulary: &Vocabulary) -> Vec<(ParamId, usize)> {
    let Some(pretrained) = setting.pretrained else {
        return Vec::new();
    };
    let shapes = parameter_shapes(setting.config, vocabulary).into_iter().zip(1_u64..);
    let frozen = shapes.filter(|((name, _), _)| pretrained.freezes(name));
    frozen
        .map(|((_, shape), id)| (ParamId::from(id), shape.len()))
        .collect()
}
