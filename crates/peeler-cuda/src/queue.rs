//! A queue of work for a card.
//!
//! Everything that works on the same matrices goes through one queue, in order. So a matrix can be freed while kernels
//! still wait to use it: the memory is given back in the queue too.
#![expect(unsafe_code, reason = "kernels and libraries of CUDA can be called in no other way")]

use std::ffi::{c_int, c_void};
use std::sync::Arc;

use cudarc::cublas::{self, CudaBlas, sys as blas};
use cudarc::driver::result::memset_d8_async;
use cudarc::driver::{CudaSlice, CudaStream, DevicePtr, DriverError, LaunchConfig, PushKernelArg, sys};

use crate::card::Card;
use crate::driver::{CardError, message};
use crate::matrix::{Matrix, Part};
use crate::package::{Delivery, Package};

/// A queue of work for a card.
pub struct Queue {
    card: Card,
    stream: Arc<CudaStream>,
    blas: CudaBlas,
}

/// What happens to the values that a result is written over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Write {
    /// They are replaced.
    Over,
    /// The result is added to them.
    Onto,
}

impl From<Write> for u32 {
    fn from(write: Write) -> Self {
        Self::from(write == Write::Onto)
    }
}

/// An argument of a kernel.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Argument {
    Pointer(u64),
    Small(u32),
    Large(u64),
    Float(f32),
}

/// A pointer to nothing.
pub(crate) const NULL: Argument = Argument::Pointer(0);

impl Queue {
    /// A new queue of work for a card.
    ///
    /// # Errors
    ///
    /// When the card has no room for another one.
    pub fn new(card: &Card) -> Result<Self, CardError> {
        let stream = card.context.new_stream()?;
        let refused = |error: cublas::result::CublasError| CardError::Driver(error.to_string());
        Ok(Self {
            blas: CudaBlas::new(stream.clone()).map_err(refused)?,
            card: card.clone(),
            stream,
        })
    }

    /// A matrix of these values, row by row.
    ///
    /// # Panics
    ///
    /// If the card has no more memory.
    #[must_use]
    pub fn upload(&self, values: &[f32], rows: usize, columns: usize) -> Matrix {
        assert_eq!(values.len(), rows * columns, "a matrix has a value for each element");
        if values.is_empty() {
            return self.zeros(rows, columns);
        }
        Matrix::new(done(self.stream.clone_htod(values)), rows, columns)
    }

    /// The values of a matrix, row by row. Waits until they are computed.
    ///
    /// # Panics
    ///
    /// If a kernel failed before.
    #[must_use]
    pub fn download(&self, matrix: &Matrix) -> Vec<f32> {
        let mut values = done(self.stream.clone_dtoh(&matrix.values));
        done(self.stream.synchronize());
        values.truncate(matrix.elements());
        values
    }

    /// Copies a package to the card.
    ///
    /// # Panics
    ///
    /// If the card has no more memory.
    #[must_use]
    pub fn deliver(&self, package: &Package) -> Delivery {
        let nothing = [0];
        let words = if package.words().is_empty() {
            &nothing[..]
        } else {
            package.words()
        };
        Delivery {
            number: package.number(),
            words: done(self.stream.clone_htod(words)),
        }
    }

    /// A matrix of zeros.
    pub(crate) fn zeros(&self, rows: usize, columns: usize) -> Matrix {
        Matrix::new(done(self.stream.alloc_zeros((rows * columns).max(1))), rows, columns)
    }

    /// A matrix whose values are not set yet. Who makes it must set all of them.
    pub(crate) fn unset(&self, rows: usize, columns: usize) -> Matrix {
        // Safety: floats have no invalid values; a caller that forgets one gets a wrong number.
        let values: CudaSlice<f32> = done(unsafe { self.stream.alloc((rows * columns).max(1)) });
        Matrix::new(values, rows, columns)
    }

    /// The address of the element `first` of a matrix, for a kernel that uses the `count` elements from there.
    pub(crate) fn pointer(&self, matrix: &Matrix, first: usize, count: usize) -> Argument {
        Argument::Pointer(self.place(matrix, first, count))
    }

    /// Sets all values of a matrix to zero.
    pub(crate) fn clear(&self, matrix: &Matrix) {
        let target = self.address(&matrix.values);
        done(self.card.context.bind_to_thread());
        // Safety: the matrix has as many floats, and floats of zero bytes are zero.
        done(unsafe { memset_d8_async(target, 0, 4 * matrix.elements(), self.stream.cu_stream()) });
    }

    /// The address of words of a delivery.
    pub(crate) fn words(&self, delivery: &Delivery, package: u64, words: &std::ops::Range<usize>) -> Argument {
        assert_eq!(
            delivery.number, package,
            "numbers come from the package that was delivered"
        );
        assert!(words.end <= delivery.words.len(), "a kernel stays within its delivery");
        Argument::Pointer(self.address(&delivery.words) + 4 * words.start as u64)
    }

    /// Starts a kernel. Nothing is started if the grid is empty.
    ///
    /// Callers give the arguments that the kernel expects, each large enough for what the kernel does with it.
    pub(crate) fn launch(&self, kernel: &str, grid: (usize, usize), block: (u32, u32), arguments: &[Argument]) {
        if grid.0 == 0 || grid.1 == 0 {
            return;
        }
        let size = |count: usize| u32::try_from(count).expect("a grid has fewer than 2^31 blocks");
        let config = LaunchConfig {
            grid_dim: (size(grid.0), size(grid.1), 1),
            block_dim: (block.0, block.1, 1),
            shared_mem_bytes: 0,
        };
        let mut launch = self.stream.launch_builder(self.card.kernel(kernel));
        for argument in arguments {
            match argument {
                Argument::Pointer(value) | Argument::Large(value) => launch.arg(value),
                Argument::Small(value) => launch.arg(value),
                Argument::Float(value) => launch.arg(value),
            };
        }
        // Safety: all callers are in this crate. Pointers come from `pointer` and `words`, which check the elements
        // that a kernel uses, and indices were checked when they were packed.
        done(unsafe { launch.launch(config) });
    }

    /// Starts a kernel with a thread for each of `count` elements.
    pub(crate) fn launch_each(&self, kernel: &str, count: usize, arguments: &[Argument]) {
        self.launch(kernel, (count.div_ceil(256), 1), (256, 1), arguments);
    }

    /// The product of `left` and `right` in the rows of `out` from `first` on. `write` says whether it is added to
    /// them.
    pub(crate) fn product(&self, left: Part<'_>, right: Part<'_>, out: &Matrix, first: usize, write: Write) {
        let ((rows, inner), (same, columns)) = (left.shape(), right.shape());
        assert_eq!(inner, same, "factors fit each other");
        assert_eq!(columns, out.columns(), "the product fits");
        if rows == 0 || columns == 0 {
            return;
        }
        let size = |count: usize| c_int::try_from(count).expect("a matrix has fewer than 2^31 rows");
        let of = |part: Part<'_>| {
            let width = part.matrix.columns();
            let operation = if part.is_transposed {
                blas::cublasOperation_t::CUBLAS_OP_T
            } else {
                blas::cublasOperation_t::CUBLAS_OP_N
            };
            let pointer = self.place(part.matrix, part.first * width, part.rows * width);
            (pointer as *const c_void, operation, size(width.max(1)))
        };
        let ((left, left_operation, left_width), (right, right_operation, right_width)) = (of(left), of(right));
        let target = self.place(out, first * columns, rows * columns);
        let (one, kept) = (1.0_f32, if write == Write::Onto { 1.0_f32 } else { 0.0 });
        let float = blas::cudaDataType::CUDA_R_32F;
        done(self.card.context.bind_to_thread());
        // Safety: the library reads and writes column by column, so it computes the transposed product of the transposed
        // factors. All operands have the shapes that were checked above.
        let result = unsafe {
            cublas::result::gemm_ex(
                *self.blas.handle(),
                right_operation,
                left_operation,
                size(columns),
                size(rows),
                size(inner),
                (&raw const one).cast(),
                right,
                float,
                right_width,
                left,
                float,
                left_width,
                (&raw const kept).cast(),
                target as *mut c_void,
                float,
                size(columns),
                blas::cublasComputeType_t::CUBLAS_COMPUTE_32F,
                blas::cublasGemmAlgo_t::CUBLAS_GEMM_DEFAULT,
            )
        };
        if let Err(error) = result {
            panic!("a product on the card failed: {error}");
        }
    }

    fn place(&self, matrix: &Matrix, first: usize, count: usize) -> u64 {
        assert!(first + count <= matrix.elements(), "a kernel stays within its matrix");
        self.address(&matrix.values) + 4 * first as u64
    }

    fn address<T>(&self, values: &CudaSlice<T>) -> u64 {
        // Nothing orders the work of two queues.
        assert!(
            Arc::ptr_eq(values.stream(), &self.stream),
            "a matrix stays in its queue"
        );
        // Events are not tracked, so the guard beside the address has nothing to do.
        values.device_ptr(&self.stream).0
    }
}

/// The result of a call of the driver.
///
/// # Panics
///
/// If it failed: nothing can be computed after that.
fn done<T>(result: Result<T, DriverError>) -> T {
    match result {
        Ok(result) => result,
        Err(DriverError(sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY)) => panic!(
            "the card has no memory left; a smaller `batch` or `training_paths` needs less, and so do fewer folds at \
             once (RAYON_NUM_THREADS)"
        ),
        Err(error) => panic!("the card failed: {}", message(error)),
    }
}
