//! The threads that everything here runs on.
//!
//! They are started once: each has memory of its own, which takes a small scan longer to come by than to use.

use std::sync::LazyLock;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Deep recursion over nested Java needs more stack than a thread usually has.
const STACK_BYTES: usize = 64 << 20;

static THREADS: LazyLock<ThreadPool> = LazyLock::new(|| {
    ThreadPoolBuilder::new()
        .stack_size(STACK_BYTES)
        .build()
        .expect("the operating system starts threads")
});

/// Runs something, and what it does in parallel, on threads with a stack for deep recursion.
pub(crate) fn on_all_cores<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    THREADS.install(run)
}
