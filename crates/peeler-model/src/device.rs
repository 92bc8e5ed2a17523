//! The devices on which tensors of the Burn library compute, as far as they are part of this build.

#[cfg(feature = "training")]
pub(crate) use burn::tensor::Device;

use crate::backend::{Backend, BackendError};

/// A device of the Burn library. There is none in a build without training.
#[cfg(not(feature = "training"))]
#[derive(Debug, Clone, Copy)]
pub(crate) enum Device {}

#[cfg(feature = "training")]
#[allow(clippy::unnecessary_wraps, reason = "a build without training has no such device")]
pub(crate) fn flex() -> Result<Device, BackendError> {
    Ok(Device::flex())
}

#[cfg(not(feature = "training"))]
pub(crate) fn flex() -> Result<Device, BackendError> {
    Err(BackendError::NotBuilt(Backend::Flex))
}

#[cfg(feature = "ndarray")]
#[allow(deprecated, clippy::unnecessary_wraps)]
pub(crate) fn ndarray() -> Result<Device, BackendError> {
    Ok(Device::ndarray())
}

#[cfg(not(feature = "ndarray"))]
pub(crate) fn ndarray() -> Result<Device, BackendError> {
    Err(BackendError::NotBuilt(Backend::Ndarray))
}

#[cfg(feature = "wgpu")]
pub(crate) fn wgpu() -> Result<Device, BackendError> {
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
pub(crate) fn wgpu() -> Result<Device, BackendError> {
    Err(BackendError::NotBuilt(Backend::Wgpu))
}

#[cfg(feature = "cuda")]
pub(crate) fn cuda() -> Result<Device, BackendError> {
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
pub(crate) fn cuda() -> Result<Device, BackendError> {
    Err(BackendError::NotBuilt(Backend::Cuda))
}
