//! The program `peeler`: one call of the library, and the allocator of the process.

use std::process::ExitCode;

/// The memory allocator of the program: mimalloc is fast for many small, short-lived vectors on all cores.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    peeler::run()
}
