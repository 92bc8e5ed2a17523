//! The thread pool that runs the analysis.
//!
//! The threads are started once for the whole process, because starting them takes longer than a small scan.

use std::sync::LazyLock;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The stack size of a thread of the pool in bytes. Recursion over deeply nested Java needs more than the default.
const STACK_BYTES: usize = 64 << 20;

static THREADS: LazyLock<ThreadPool> = LazyLock::new(|| {
    ThreadPoolBuilder::new()
        .stack_size(STACK_BYTES)
        .build()
        .expect("the operating system starts threads")
});

/// Runs a function on the thread pool, so that its parallel iterators use all cores. The threads have a large stack.
pub(crate) fn on_all_cores<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    THREADS.install(run)
}
