//! The program `peeler`: one call of the library, and the allocator of the process.

use std::process::ExitCode;

/// mimalloc suits graphs: many small vectors that live briefly, on all cores.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    peeler::run()
}
