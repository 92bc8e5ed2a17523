//! The slowest input of a process so far, for the summary of `fuzz/run`.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// The milliseconds of the slowest input so far.
static SLOWEST: AtomicU64 = AtomicU64::new(20);

/// Runs a function on an input of this length, and prints the time if it is longer than all before.
pub fn watched(length: usize, run: impl FnOnce()) {
    let start = Instant::now();
    run();
    let took = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    if SLOWEST.fetch_max(took, Ordering::Relaxed) < took {
        eprintln!("slowest input: {took} ms, {length} bytes");
    }
}
