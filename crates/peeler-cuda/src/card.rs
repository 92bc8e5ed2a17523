//! An NVIDIA card with the kernels of this crate.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use cudarc::driver::{CudaContext, CudaFunction, CudaModule, DriverError};
use cudarc::nvrtc::{CompileError, compile_ptx};

use crate::queue;

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

/// The reason why there is no card to compute on.
#[derive(Debug, Clone, thiserror::Error)]
pub enum CardError {
    /// A library of CUDA cannot be loaded.
    #[error("the library {0} of CUDA is not found; is its folder in LD_LIBRARY_PATH?")]
    NoLibrary(&'static str),
    /// The driver refused; the text is its message.
    #[error("the driver of the card says: {0}")]
    Driver(String),
    /// The kernels cannot be compiled; the text is the compiler's message.
    #[error("the kernels cannot be compiled: {0}")]
    Compiler(String),
}

impl From<DriverError> for CardError {
    fn from(error: DriverError) -> Self {
        Self::Driver(error.to_string())
    }
}

impl From<CompileError> for CardError {
    fn from(error: CompileError) -> Self {
        Self::Compiler(error.to_string())
    }
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
        if let Some(missing) = queue::missing_library() {
            return Err(CardError::NoLibrary(missing));
        }
        let context = queue::context()?;
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
