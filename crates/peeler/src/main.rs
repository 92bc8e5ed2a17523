//! Peeler finds flaky Java tests without running them.
//!
//! `main` parses the arguments, runs one command and prints what went wrong. The commands are one
//! file each in `commands/`.

mod commands;
mod finding;
mod model;
mod pipeline;
mod progress;
mod render;
mod since;

use std::process::ExitCode;

use clap::Parser;

use commands::Command;

/// Graphs are many small vectors that live briefly, on all cores.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Finds flaky Java tests without running them.
#[derive(Debug, Parser)]
#[command(name = "peeler", version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// How the process ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ExitStatus {
    Success,
    Findings,
    Failure,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        match status {
            ExitStatus::Success => Self::SUCCESS,
            ExitStatus::Findings => Self::from(1),
            ExitStatus::Failure => Self::from(2),
        }
    }
}

fn main() -> ExitCode {
    let status = match Arguments::parse().command.run() {
        Ok(status) => status,
        Err(error) if is_closed_pipe(&error) => ExitStatus::Success,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitStatus::Failure
        }
    };
    status.into()
}

/// `peeler extract . | head` is no failure.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|it| it.downcast_ref::<std::io::Error>())
        .any(|it| it.kind() == std::io::ErrorKind::BrokenPipe)
}
