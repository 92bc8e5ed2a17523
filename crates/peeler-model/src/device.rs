//! The devices on which tensors of the Burn library compute, as far as they are part of this build.

#[cfg(feature = "training")]
pub(crate) use burn::tensor::Device;

/// A device of the Burn library. There is none in a build without training.
#[cfg(not(feature = "training"))]
#[derive(Debug, Clone, Copy)]
pub(crate) enum Device {}

/// The reason why there is no device.
#[derive(Debug)]
pub(crate) enum NoDevice {
    /// The device is not a part of this build.
    NotBuilt,
    /// The machine has no such device. The text is the error message of the device's driver.
    #[cfg_attr(
        not(any(feature = "wgpu", feature = "cuda")),
        allow(dead_code, reason = "only a GPU can be missing")
    )]
    NotFound(String),
}

#[cfg(feature = "training")]
#[allow(clippy::unnecessary_wraps, reason = "a build without training has no such device")]
pub(crate) fn flex() -> Result<Device, NoDevice> {
    Ok(Device::flex())
}

#[cfg(not(feature = "training"))]
pub(crate) fn flex() -> Result<Device, NoDevice> {
    Err(NoDevice::NotBuilt)
}

#[cfg(feature = "ndarray")]
#[allow(deprecated, clippy::unnecessary_wraps)]
pub(crate) fn ndarray() -> Result<Device, NoDevice> {
    Ok(Device::ndarray())
}

#[cfg(not(feature = "ndarray"))]
pub(crate) fn ndarray() -> Result<Device, NoDevice> {
    Err(NoDevice::NotBuilt)
}

#[cfg(feature = "wgpu")]
pub(crate) fn wgpu() -> Result<Device, NoDevice> {
    found("no Vulkan adapter", || {
        Device::vulkan(burn::tensor::DeviceKind::DefaultDevice)
    })
}

#[cfg(not(feature = "wgpu"))]
pub(crate) fn wgpu() -> Result<Device, NoDevice> {
    Err(NoDevice::NotBuilt)
}

#[cfg(feature = "cuda")]
pub(crate) fn cuda() -> Result<Device, NoDevice> {
    found("no CUDA driver", || Device::cuda(0))
}

#[cfg(not(feature = "cuda"))]
pub(crate) fn cuda() -> Result<Device, NoDevice> {
    Err(NoDevice::NotBuilt)
}

/// The device that `open` returns, if it answers. `missing` is the error if `open` panics.
#[cfg(any(feature = "wgpu", feature = "cuda"))]
fn found(missing: &str, open: fn() -> Device) -> Result<Device, NoDevice> {
    // The library panics in the search for a device if there is none.
    let found = std::panic::catch_unwind(|| {
        let device = open();
        device.sync().map(|()| device).map_err(|error| format!("{error:?}"))
    });
    found
        .unwrap_or_else(|_| Err(missing.to_owned()))
        .map_err(NoDevice::NotFound)
}
