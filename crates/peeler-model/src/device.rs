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
    use burn::tensor::{DeviceKind, DeviceType};

    // The library panics where it opens a device that is not there, so the search comes first. A software adapter is
    // slower than the CPU backend, and some crash on these shaders.
    let software = Device::vulkan(DeviceKind::Cpu);
    let all = Device::enumerate(DeviceType::Vulkan);
    let found: Vec<&Device> = all.iter().filter(|it| **it != software).collect();
    if found.is_empty() {
        return Err(NoDevice::NotFound("no GPU with a Vulkan driver".to_owned()));
    }
    if let Ok(wanted) = std::env::var(CARD)
        && let Some(number) = discrete_gpu(&wanted)
        && !found.contains(&&Device::vulkan(DeviceKind::DiscreteGpu(number)))
    {
        let count = found.len();
        return Err(NoDevice::NotFound(format!(
            "{CARD} asks for {wanted}, and {count} GPUs are found"
        )));
    }
    let device = Device::vulkan(DeviceKind::DefaultDevice);
    match device.sync() {
        Ok(()) => Ok(device),
        Err(error) => Err(NoDevice::NotFound(format!("{error:?}"))),
    }
}

/// The environment variable by which the library chooses one of several GPUs: `DiscreteGpu(1)` is the second one.
#[cfg(feature = "wgpu")]
const CARD: &str = "CUBECL_WGPU_DEFAULT_DEVICE";

/// The number in the name of a GPU such as `DiscreteGpu(1)`; `None` for names of other devices.
#[cfg(feature = "wgpu")]
fn discrete_gpu(name: &str) -> Option<usize> {
    name.strip_prefix("DiscreteGpu(")?.strip_suffix(')')?.parse().ok()
}

#[cfg(not(feature = "wgpu"))]
pub(crate) fn wgpu() -> Result<Device, NoDevice> {
    Err(NoDevice::NotBuilt)
}

/// The device beside an NVIDIA card: the CPU, if there is such a card.
#[cfg(feature = "cuda")]
pub(crate) fn beside_cuda() -> Result<Device, NoDevice> {
    match peeler_cuda::Card::open() {
        Ok(_) => flex(),
        Err(error) => Err(NoDevice::NotFound(error.to_string())),
    }
}

#[cfg(not(feature = "cuda"))]
pub(crate) fn beside_cuda() -> Result<Device, NoDevice> {
    Err(NoDevice::NotBuilt)
}
