//! Where tensors live and who computes with them.

use std::fmt;
use std::str::FromStr;

use burn::tensor::Device;
use serde::{Deserialize, Serialize};

use crate::gradients::Middle;

/// A backend, as asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Backend {
    /// The best that is present.
    Auto,
    /// Burn's flex, with the recurrence and prediction by hand.
    Cpu,
    /// Burn's flex.
    Flex,
    /// Burn's ndarray.
    Ndarray,
    /// A GPU through Vulkan.
    Wgpu,
    /// An NVIDIA GPU through CUDA.
    Cuda,
}

/// Why a backend cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BackendError {
    /// The name is unknown.
    #[error("no backend `{0}`; there are auto, cpu, flex, ndarray, wgpu and cuda")]
    Unknown(String),
    /// This program was built without it.
    #[error("this program was built without the {0} backend; build it with `cargo build --release --features {0}`")]
    NotBuilt(Backend),
    /// The machine has no such device.
    #[error("no device for the {backend} backend ({cause}); use `--backend cpu`")]
    NoDevice {
        /// The backend.
        backend: Backend,
        /// What was missing.
        cause: String,
    },
}

impl Backend {
    /// All of them.
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

    /// The device of this backend.
    ///
    /// # Errors
    ///
    /// When it was not built in, or has no device.
    pub fn device(self) -> Result<Device, BackendError> {
        match self {
            Self::Cpu | Self::Flex => Ok(Device::flex()),
            Self::Ndarray => ndarray(),
            Self::Auto => self.resolve()?.device(),
            Self::Wgpu => wgpu(),
            Self::Cuda => cuda(),
        }
    }

    /// The backend that `auto` and `cpu` mean on this machine.
    ///
    /// # Errors
    ///
    /// When it was not built in, or has no device.
    pub fn resolve(self) -> Result<Self, BackendError> {
        match self {
            Self::Auto => Ok([Self::Cuda, Self::Wgpu]
                .into_iter()
                .find(|it| it.device().is_ok())
                .unwrap_or(Self::Cpu)),
            other => other.device().map(|_| other),
        }
    }

    /// Who computes the recurrent middle of the network in training.
    pub(crate) fn middle(self) -> Middle {
        match self {
            Self::Cpu => Middle::ByHand,
            _ => Middle::Burn,
        }
    }

    /// Whether there is one of it that all have to share.
    pub(crate) fn is_gpu(self) -> bool {
        matches!(self, Self::Wgpu | Self::Cuda)
    }

    /// The device for judging; none where it is done by hand.
    pub(crate) fn judges_on(self, device: &Device) -> Option<&Device> {
        (self != Self::Cpu).then_some(device)
    }
}

#[cfg(feature = "ndarray")]
#[allow(deprecated, clippy::unnecessary_wraps)]
fn ndarray() -> Result<Device, BackendError> {
    Ok(Device::ndarray())
}

#[cfg(not(feature = "ndarray"))]
fn ndarray() -> Result<Device, BackendError> {
    Err(BackendError::NotBuilt(Backend::Ndarray))
}

#[cfg(feature = "wgpu")]
fn wgpu() -> Result<Device, BackendError> {
    // Looking for an adapter panics inside the library where there is none.
    let found = std::panic::catch_unwind(|| {
        let device = Device::vulkan(burn::tensor::DeviceKind::DefaultDevice);
        device.sync().map(|()| device).map_err(|error| format!("{error:?}"))
    });
    found
        .unwrap_or_else(|_| Err("no Vulkan adapter".to_owned()))
        .map_err(|cause| BackendError::NoDevice {
            backend: Backend::Wgpu,
            cause,
        })
}

#[cfg(not(feature = "wgpu"))]
fn wgpu() -> Result<Device, BackendError> {
    Err(BackendError::NotBuilt(Backend::Wgpu))
}

#[cfg(feature = "cuda")]
fn cuda() -> Result<Device, BackendError> {
    let found = std::panic::catch_unwind(|| {
        let device = Device::cuda(0);
        device.sync().map(|()| device).map_err(|error| format!("{error:?}"))
    });
    found
        .unwrap_or_else(|_| Err("no CUDA driver".to_owned()))
        .map_err(|cause| BackendError::NoDevice {
            backend: Backend::Cuda,
            cause,
        })
}

#[cfg(not(feature = "cuda"))]
fn cuda() -> Result<Device, BackendError> {
    Err(BackendError::NotBuilt(Backend::Cuda))
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
