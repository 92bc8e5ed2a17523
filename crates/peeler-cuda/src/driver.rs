//! The libraries of CUDA and the first card that they show.
#![expect(unsafe_code, reason = "libraries of CUDA can be asked in no other way")]

use std::ffi::c_void;
use std::sync::Arc;

use cudarc::cublas::sys as blas;
use cudarc::driver::{CudaContext, DriverError, sys};
use cudarc::nvrtc::CompileError;

/// The reason why there is no card to compute on.
#[derive(Debug, Clone, thiserror::Error)]
pub enum CardError {
    /// A library of CUDA or of the driver cannot be loaded.
    #[error("the library {0} is not found; install CUDA and its driver, or name the folder in LD_LIBRARY_PATH")]
    NoLibrary(&'static str),
    /// CUDA shows no card to this process.
    #[error("no card is found")]
    NoCard,
    /// The driver refused; the text is its message.
    #[error("the driver says: {0}")]
    Driver(String),
    /// The kernels cannot be compiled; the text is the compiler's message.
    #[error("the kernels cannot be compiled: {0}")]
    Compiler(String),
}

impl From<DriverError> for CardError {
    fn from(error: DriverError) -> Self {
        Self::Driver(message(error))
    }
}

impl From<CompileError> for CardError {
    fn from(error: CompileError) -> Self {
        Self::Compiler(error.to_string())
    }
}

/// What the driver says about an error.
pub(crate) fn message(error: DriverError) -> String {
    match error.error_string() {
        Ok(text) => text.to_string_lossy().into_owned(),
        Err(_) => error.to_string(),
    }
}

/// The library of CUDA that cannot be loaded, if any.
pub(crate) fn missing_library() -> Option<&'static str> {
    // Safety: these functions try to open a shared library, and nothing else.
    let found = unsafe {
        [
            ("libcuda", sys::is_culib_present()),
            ("libnvrtc", cudarc::nvrtc::sys::is_culib_present()),
            ("libcublas", blas::is_culib_present()),
        ]
    };
    found.into_iter().find(|it| !it.1).map(|it| it.0)
}

/// The first card, with memory that stays with the process when it is freed.
pub(crate) fn context() -> Result<Arc<CudaContext>, CardError> {
    if CudaContext::device_count()? == 0 {
        return Err(CardError::NoCard);
    }
    let context = CudaContext::new(0)?;
    // Safety: each matrix belongs to one queue, so no event has to order the use of memory between queues.
    unsafe { context.disable_event_tracking() };
    let mut pool = std::ptr::null_mut();
    let mut all = u64::MAX;
    // Safety: both calls write or read the one value that they get a pointer to.
    unsafe {
        sys::cuDeviceGetDefaultMemPool(&raw mut pool, context.cu_device()).result()?;
        let keep = sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
        sys::cuMemPoolSetAttribute(pool, keep, (&raw mut all).cast::<c_void>()).result()?;
    }
    Ok(context)
}
