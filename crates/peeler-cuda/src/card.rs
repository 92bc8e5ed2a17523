//! An NVIDIA card with the kernels of this crate.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use cudarc::driver::{CudaContext, CudaFunction, CudaModule, DriverError};
use cudarc::nvrtc::compile_ptx;

use crate::driver::{self, CardError};

/// The names of all kernels.
const KERNELS: [&str; 24] = [
    "adamw",
    "add",
    "add_row",
    "add_scaled",
    "attend_backward",
    "attend_forward",
    "column_parts",
    "cross_entropy",
    "keep_bits",
    "lstm_backward",
    "lstm_forward",
    "normalise_backward",
    "normalise_forward",
    "probabilities",
    "put_columns",
    "relu_backward",
    "relu_forward",
    "square_parts",
    "sum_long_lists",
    "sum_parts",
    "sum_short_lists",
    "take_columns",
    "tanh_backward",
    "tanh_forward",
];

/// An NVIDIA card with the kernels of this crate. Clones are the same card.
#[derive(Debug, Clone)]
pub struct Card {
    pub(crate) context: Arc<CudaContext>,
    kernels: Arc<HashMap<&'static str, CudaFunction>>,
}

impl Card {
    /// The first card that CUDA shows to this process, opened once. `CUDA_VISIBLE_DEVICES` chooses among several.
    ///
    /// # Errors
    ///
    /// When CUDA or a card is missing.
    pub fn open() -> Result<Self, CardError> {
        static CARD: OnceLock<Result<Card, CardError>> = OnceLock::new();
        CARD.get_or_init(Self::opened).clone()
    }

    fn opened() -> Result<Self, CardError> {
        if let Some(missing) = driver::missing_library() {
            return Err(CardError::NoLibrary(missing));
        }
        let context = driver::context()?;
        let module = context.load_module(compile_ptx(include_str!("kernels.cu"))?)?;
        let load = |module: &Arc<CudaModule>, name| Ok::<_, DriverError>((name, module.load_function(name)?));
        let kernels: Result<_, DriverError> = KERNELS.into_iter().map(|name| load(&module, name)).collect();
        Ok(Self {
            context,
            kernels: Arc::new(kernels?),
        })
    }

    pub(crate) fn kernel(&self, name: &str) -> &CudaFunction {
        &self.kernels[name]
    }
}
