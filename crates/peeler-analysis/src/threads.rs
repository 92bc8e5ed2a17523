//! The thread pool that runs the analysis.
//!
//! The threads are started once for the whole process, because starting them takes longer than a small scan.

use std::sync::{LazyLock, OnceLock};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The stack size of a thread of the pool in bytes. Recursion over deeply nested Java needs more than the default.
const STACK_BYTES: usize = 64 << 20;

/// The number of threads, if someone chose it.
static COUNT: OnceLock<usize> = OnceLock::new();

static THREADS: LazyLock<ThreadPool> = LazyLock::new(|| {
    ThreadPoolBuilder::new()
        // Zero stands for one thread a core.
        .num_threads(COUNT.get().copied().unwrap_or(0))
        .stack_size(STACK_BYTES)
        .build()
        .expect("the operating system starts threads")
});

/// Sets the number of threads that the analysis and the model use. It has an effect only before their first use.
pub fn use_threads(count: usize) {
    let _ = COUNT.set(count);
    // A pool of the model that exists already is used as it is.
    let _ = ThreadPoolBuilder::new().num_threads(count).build_global();
}

/// Runs a function on the thread pool, so that its parallel iterators use all cores. The threads have a large stack.
pub(crate) fn on_all_cores<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    THREADS.install(run)
}
