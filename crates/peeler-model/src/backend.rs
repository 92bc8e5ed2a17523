//! Backends: libraries and devices (CPU or GPU) that compute the network.

use std::fmt;
use std::str::FromStr;

use burn::tensor::Device;
use serde::{Deserialize, Serialize};

/// A library and device that compute the network, by the name that users give on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Backend {
    /// A GPU if the machine and this build have one (CUDA before Vulkan), else `Cpu`.
    Auto,
    /// The CPU: the `flex` backend of the Burn library, with hand-written code for the LSTM and for prediction.
    Cpu,
    /// The CPU, with the `flex` backend of the Burn library and no code of our own.
    Flex,
    /// The CPU, with the `ndarray` backend of the Burn library.
    Ndarray,
    /// A GPU through Vulkan, by the `wgpu` backend of the Burn library.
    Wgpu,
    /// An NVIDIA GPU through CUDA, by the `cuda` backend of the Burn library.
    Cuda,
}

/// The reason why a backend (library and device that compute the network) cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BackendError {
    /// The user named a backend that does not exist.
    #[error("no backend `{0}`; there are auto, cpu, flex, ndarray, wgpu and cuda")]
    Unknown(String),
    /// The program was built without this backend, which the Cargo feature of the same name turns on.
    #[error("this program was built without the {0} backend; build it with `cargo build --release --features {0}`")]
    NotBuilt(Backend),
    /// The machine has no device for the backend, such as a GPU.
    #[error("no device for the {backend} backend ({cause}); use `--backend cpu`")]
    NoDevice {
        /// The backend for which the machine has no device.
        backend: Backend,
        /// The error message of the device's driver.
        cause: String,
    },
}

/// How training computes the LSTM over the steps of contextual paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RecurrenceMethod {
    /// Tensors of the Burn library compute the LSTM, as they compute all other parts of the network.
    Burn,
    /// The hand-written code of [`crate::recurrence`] computes the LSTM on the CPU.
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

    /// The device on which this backend computes, in the type of the Burn library.
    ///
    /// # Errors
    ///
    /// When the backend was not built in, or the machine has no device for it.
    pub fn device(self) -> Result<Device, BackendError> {
        match self {
            Self::Cpu | Self::Flex => Ok(Device::flex()),
            Self::Ndarray => ndarray(),
            Self::Auto => self.resolve()?.device(),
            Self::Wgpu => wgpu(),
            Self::Cuda => cuda(),
        }
    }

    /// The backend itself. For `Auto` it is `Cuda` if this machine and this build have it, else `Wgpu`, else `Cpu`.
    ///
    /// # Errors
    ///
    /// When the backend was not built in, or the machine has no device for it.
    pub fn resolve(self) -> Result<Self, BackendError> {
        match self {
            Self::Auto => Ok([Self::Cuda, Self::Wgpu]
                .into_iter()
                .find(|it| it.device().is_ok())
                .unwrap_or(Self::Cpu)),
            other => other.device().map(|_| other),
        }
    }

    /// How training computes the LSTM over contextual paths on this backend: by hand on `Cpu`, else with Burn's
    /// tensors.
    pub(crate) fn recurrence(self) -> RecurrenceMethod {
        match self {
            Self::Cpu => RecurrenceMethod::ByHand,
            _ => RecurrenceMethod::Burn,
        }
    }

    /// Whether the backend computes on a GPU, which concurrent training runs would compete for.
    pub(crate) fn is_gpu(self) -> bool {
        matches!(self, Self::Wgpu | Self::Cuda)
    }

    /// The device on which Burn's tensors compute predictions; `None` if the hand-written [`crate::plain`] computes
    /// them.
    pub(crate) fn prediction_device(self, device: &Device) -> Option<&Device> {
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
    // The library panics in the search for an adapter if there is none.
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
