//! Backends: libraries and devices (CPU or GPU) that compute the network.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::device::{self, Device, NoDevice};

/// A library and device that compute the network, by the name that users give on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Backend {
    /// A GPU if the machine and this build have one, else `Cpu`.
    Auto,
    /// The CPU: the `flex` backend of the Burn library, with hand-written code for the LSTM and for prediction.
    Cpu,
    /// The CPU, with the `flex` backend of the Burn library and no code of our own.
    Flex,
    /// The CPU, with the `ndarray` backend of the Burn library.
    Ndarray,
    /// A GPU through Vulkan, by the `wgpu` backend of the Burn library.
    Wgpu,
    /// An NVIDIA GPU by CUDA, with code of our own for training. Predictions are computed on the CPU.
    Cuda,
}

/// The reason why a backend (library and device that compute the network) cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BackendError {
    /// The user named a backend that does not exist.
    #[error("no backend `{0}`; there are auto, cpu, flex, ndarray, wgpu and cuda")]
    Unknown(String),
    /// The program was built without this backend, which a Cargo feature turns on.
    #[error(
        "this program was built without the {0} backend; build it with `cargo build --release --features {feature}`",
        feature = .0.feature()
    )]
    NotBuilt(Backend),
    /// The backend trains networks over tests, and does nothing else.
    #[error("the {0} backend cannot do this; use `--backend wgpu` or `--backend cpu`")]
    NoTensors(Backend),
    /// The machine has no device for the backend, such as a GPU.
    #[error("no device for the {backend} backend ({cause}); use `--backend cpu`")]
    NoDevice {
        /// The backend for which the machine has no device.
        backend: Backend,
        /// The error message of the device's driver.
        cause: String,
    },
}

/// How training computes the sums of rows of tables, the LSTM over contextual paths, and their gradients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GradientMethod {
    /// The Burn library computes and differentiates everything.
    Burn,
    /// Tensors of the Burn library compute sums and the LSTM in few large operations, as a GPU needs them. The
    /// gradients of these operations are computed by hand.
    Grouped,
    /// The hand-written code of [`crate::recurrence`] computes the LSTM and its gradients on the CPU, the Burn library
    /// all else.
    ByHand,
}

impl Backend {
    /// All backends that a user can name, `auto` included.
    pub const ALL: [Self; 6] = [Self::Auto, Self::Cpu, Self::Flex, Self::Ndarray, Self::Wgpu, Self::Cuda];

    const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Cpu => "cpu",
            Self::Flex => "flex",
            Self::Ndarray => "ndarray",
            Self::Wgpu => "wgpu",
            Self::Cuda => "cuda",
        }
    }

    /// The Cargo feature that makes the backend a part of the program.
    const fn feature(self) -> &'static str {
        match self {
            Self::Auto | Self::Cpu | Self::Flex => "training",
            Self::Ndarray | Self::Wgpu | Self::Cuda => self.name(),
        }
    }

    /// The device on which this backend computes what it leaves to the Burn library.
    ///
    /// # Errors
    ///
    /// When the backend was not built in, or the machine has no device for it.
    pub(crate) fn device(self) -> Result<Device, BackendError> {
        let device = match self {
            Self::Cpu | Self::Flex => device::flex(),
            Self::Ndarray => device::ndarray(),
            Self::Auto => return self.resolve()?.device(),
            Self::Wgpu => device::wgpu(),
            Self::Cuda => device::beside_cuda(),
        };
        device.map_err(|missing| match missing {
            NoDevice::NotBuilt => BackendError::NotBuilt(self),
            NoDevice::NotFound(cause) => BackendError::NoDevice { backend: self, cause },
        })
    }

    /// The backend itself. For `Auto` it is `Cuda` or `Wgpu` if this machine and this build have it, else `Cpu`.
    ///
    /// # Errors
    ///
    /// When the backend was not built in, or the machine has no device for it.
    pub fn resolve(self) -> Result<Self, BackendError> {
        match self {
            Self::Auto if Self::Cuda.device().is_ok() => Ok(Self::Cuda),
            other => other.resolve_tensors(),
        }
    }

    /// The backend itself, for work that nothing but tensors of the Burn library does on a GPU.
    ///
    /// # Errors
    ///
    /// When the backend was not built in, cannot do this work, or the machine has no device for it.
    pub fn resolve_for_tensors(self) -> Result<Self, BackendError> {
        match self {
            Self::Cuda => Err(BackendError::NoTensors(self)),
            other => other.resolve_tensors(),
        }
    }

    fn resolve_tensors(self) -> Result<Self, BackendError> {
        match self {
            Self::Auto if Self::Wgpu.device().is_ok() => Ok(Self::Wgpu),
            Self::Auto => Ok(Self::Cpu),
            // Every build predicts on the CPU.
            Self::Cpu => Ok(Self::Cpu),
            other => other.device().map(|_| other),
        }
    }

    /// Whether the hand-written [`crate::plain`] computes predictions on the CPU, instead of Burn's tensors.
    pub(crate) fn predicts_by_hand(self) -> bool {
        matches!(self, Self::Cpu | Self::Cuda)
    }

    /// The device on which Burn's tensors compute predictions; `None` if the hand-written [`crate::plain`] computes
    /// them, on the CPU.
    ///
    /// # Errors
    ///
    /// When the backend was not built in, or the machine has no device for it.
    pub(crate) fn prediction_device(self) -> Result<Option<Device>, BackendError> {
        let backend = self.resolve_tensors()?;
        if backend.predicts_by_hand() {
            return Ok(None);
        }
        backend.device().map(Some)
    }

    /// How training computes gradients on this backend.
    pub(crate) fn gradient_method(self) -> GradientMethod {
        match self {
            Self::Cpu => GradientMethod::ByHand,
            Self::Wgpu => GradientMethod::Grouped,
            _ => GradientMethod::Burn,
        }
    }
}

impl FromStr for Backend {
    type Err = BackendError;

    fn from_str(name: &str) -> Result<Self, BackendError> {
        let known = Self::ALL.into_iter().find(|it| it.name() == name);
        known.ok_or_else(|| BackendError::Unknown(name.to_owned()))
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
