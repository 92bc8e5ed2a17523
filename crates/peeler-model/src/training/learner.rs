//! The step of a training: gradients of a batch, and a change of all parameters that are not frozen.

use burn::module::ParamId;
use burn::tensor::{Device, Tensor};
use burn_optim::grad_clipping::GradientClippingConfig;
use burn_optim::{AdamWConfig, ModuleOptimizer};

use super::drawing::DrawnBatch;
use crate::batch::View;
use crate::gradients::{LabelledBatch, gradients};
use crate::network::{Network, parameter_shapes};
use crate::parameters::ParameterSource;
use crate::setting::Setting;
use crate::trainer_state::StateError;
use crate::vocabulary::Vocabulary;
use crate::weights::Weights;

#[cfg(feature = "cuda")]
use crate::backend::{Backend, BackendError};
#[cfg(feature = "cuda")]
use crate::cuda::{CudaLearner, Plan, PreparedBatch};

/// The maximum norm of a parameter's gradient; longer gradients are scaled down to it.
const LONGEST_GRADIENT: f32 = 1.0;

/// What a training step changes: a network and its optimiser.
pub(super) enum Learner {
    /// Tensors of the Burn library.
    Tensors(Box<TensorLearner>),
    /// Matrices on an NVIDIA card.
    #[cfg(feature = "cuda")]
    Cuda(Box<CudaLearner>),
}

/// A network in tensors of the Burn library.
pub(super) struct TensorLearner {
    network: Network,
    optimiser: ModuleOptimizer,
    /// The parameters that training does not change, with their numbers of dimensions.
    frozen: Vec<(ParamId, usize)>,
    device: Device,
}

/// The input of a training step, as the learner reads it.
pub(super) enum StepInput {
    /// For tensors of the Burn library.
    Tensors(Box<DrawnBatch>),
    /// For an NVIDIA card.
    #[cfg(feature = "cuda")]
    Cuda(Box<PreparedBatch>),
}

/// The loss of a training step, which is still on its device.
pub(super) enum StepLoss {
    /// A tensor of the Burn library.
    Tensor(Box<Tensor<1>>),
    /// A matrix on an NVIDIA card.
    #[cfg(feature = "cuda")]
    Cuda(std::sync::Arc<peeler_cuda::Matrix>),
}

impl StepInput {
    /// Prepares a drawn batch for the learner of the backend, on any thread.
    pub(super) fn new(setting: Setting<'_>, view: View<'_>, drawn: DrawnBatch) -> Self {
        #[cfg(feature = "cuda")]
        if setting.backend == Backend::Cuda {
            let DrawnBatch {
                batch,
                labels,
                mut random,
            } = drawn;
            let dropout = DrawnBatch::dropout(setting, &mut random);
            return Self::Cuda(Box::new(PreparedBatch::new(|package| {
                Plan::of_training(view, &batch, &labels, dropout, package)
            })));
        }
        let _ = (setting, view);
        Self::Tensors(Box::new(drawn))
    }
}

impl Learner {
    /// A network with parameters from `source`, before its first step.
    pub(super) fn new(
        setting: Setting<'_>,
        vocabulary: &Vocabulary,
        source: &mut dyn ParameterSource,
        device: &Device,
    ) -> Result<Self, StateError> {
        #[cfg(feature = "cuda")]
        if setting.backend == Backend::Cuda {
            let start = Network::new(setting.config, vocabulary, source, device)?;
            let weights = start.weights(setting.config, vocabulary);
            let is_frozen = |name: &str| setting.pretrained.is_some_and(|it| it.freezes(name));
            let learner = CudaLearner::new(setting.config, &weights, is_frozen, LONGEST_GRADIENT);
            let learner = learner.map_err(|error| BackendError::NoDevice {
                backend: Backend::Cuda,
                cause: error.to_string(),
            })?;
            return Ok(Self::Cuda(Box::new(learner)));
        }
        let device = device.clone().autodiff();
        Ok(Self::Tensors(Box::new(TensorLearner {
            network: Network::new(setting.config, vocabulary, source, &device)?,
            optimiser: AdamWConfig::new()
                .with_weight_decay(setting.config.weight_decay)
                .with_grad_clipping(Some(GradientClippingConfig::Norm(LONGEST_GRADIENT)))
                .init(),
            frozen: frozen(setting, vocabulary),
            device,
        })))
    }

    /// Continues with a stored state of the optimiser.
    pub(super) fn restore_optimiser(&mut self, state: Vec<u8>) -> Result<(), StateError> {
        match self {
            Self::Tensors(learner) => {
                let bytes = burn::tensor::Bytes::from_bytes_vec(state);
                let restored = learner.optimiser.clone().from_bytes(bytes);
                learner.optimiser = restored.map_err(|error| StateError::Optimiser(error.to_string()))?;
                Ok(())
            }
            #[cfg(feature = "cuda")]
            Self::Cuda(learner) => learner.restore_optimiser(&state),
        }
    }

    /// The state of the optimiser as bytes.
    pub(super) fn optimiser_state(&self) -> Vec<u8> {
        match self {
            Self::Tensors(learner) => {
                let bytes = learner.optimiser.into_bytes().expect("numbers can be written");
                bytes.to_vec()
            }
            #[cfg(feature = "cuda")]
            Self::Cuda(learner) => learner.optimiser_state(),
        }
    }

    /// All parameters of the network as arrays by name.
    pub(super) fn weights(&self, setting: Setting<'_>, vocabulary: &Vocabulary) -> Weights {
        match self {
            Self::Tensors(learner) => learner.network.weights(setting.config, vocabulary),
            #[cfg(feature = "cuda")]
            Self::Cuda(learner) => learner.weights(),
        }
    }

    /// Takes one training step and returns its loss.
    pub(super) fn step(&mut self, setting: Setting<'_>, input: StepInput, rate: f64) -> StepLoss {
        match (self, input) {
            (Self::Tensors(learner), StepInput::Tensors(drawn)) => {
                StepLoss::Tensor(Box::new(learner.step(setting, *drawn, rate)))
            }
            #[cfg(feature = "cuda")]
            (Self::Cuda(learner), StepInput::Cuda(prepared)) => StepLoss::Cuda(learner.step(&prepared, rate)),
            #[cfg(feature = "cuda")]
            _ => unreachable!("a step is prepared for the learner of its backend"),
        }
    }

    /// The losses of training steps. Waits until they are computed.
    pub(super) fn losses(&self, losses: Vec<StepLoss>) -> Vec<f32> {
        match self {
            Self::Tensors(_) => {
                let tensors = losses.into_iter().map(StepLoss::into_tensor).collect();
                let all = Tensor::cat(tensors, 0);
                all.into_data().try_to_vec().expect("elements of 32 bits")
            }
            #[cfg(feature = "cuda")]
            Self::Cuda(learner) => learner.losses(losses.into_iter().map(StepLoss::into_matrix).collect()),
        }
    }
}

impl StepLoss {
    fn into_tensor(self) -> Tensor<1> {
        match self {
            Self::Tensor(loss) => *loss,
            #[cfg(feature = "cuda")]
            Self::Cuda(_) => unreachable!("a step is taken by the learner of its backend"),
        }
    }

    #[cfg(feature = "cuda")]
    fn into_matrix(self) -> std::sync::Arc<peeler_cuda::Matrix> {
        match self {
            Self::Cuda(loss) => loss,
            Self::Tensor(_) => unreachable!("a step is taken by the learner of its backend"),
        }
    }
}

impl TensorLearner {
    fn step(&mut self, setting: Setting<'_>, mut drawn: DrawnBatch, rate: f64) -> Tensor<1> {
        let dropout = DrawnBatch::dropout(setting, &mut drawn.random);
        let labelled = LabelledBatch {
            batch: &drawn.batch,
            labels: &drawn.labels,
            smoothing: setting.config.label_smoothing,
        };
        let method = setting.backend.gradient_method();
        let (loss, mut gradients) = gradients(&self.network, &labelled, dropout, &self.device, method);
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
fn frozen(setting: Setting<'_>, vocabulary: &Vocabulary) -> Vec<(ParamId, usize)> {
    let Some(pretrained) = setting.pretrained else {
        return Vec::new();
    };
    let shapes = parameter_shapes(setting.config, vocabulary).into_iter().zip(1_u64..);
    let frozen = shapes.filter(|((name, _), _)| pretrained.freezes(name));
    frozen
        .map(|((_, shape), id)| (ParamId::from(id), shape.len()))
        .collect()
}
