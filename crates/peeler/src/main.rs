//! Peeler finds flaky Java tests without running them.
//!
//! `main` parses the arguments, runs one command and prints what went wrong. The commands are one
//! file each in `commands/`.

mod atomic_file;
mod base_revision;
mod baseline;
mod cache;
mod cached_scan;
mod commands;
mod explainer;
mod explanation;
mod file_filter;
mod finding;
mod listing;
mod model;
mod pipeline;
mod progress;
mod proof;
mod ranking;
mod render;
mod request;
mod roots;
mod schema;
mod scored_test;
mod scorer;
mod scoring;
mod settings;

use std::io;
use std::process::{self, ExitCode};

use clap::Parser;

use commands::Command;

/// mimalloc suits graphs: many small vectors that live briefly, on all cores.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Finds flaky Java tests without running them.
#[derive(Debug, Parser)]
#[command(name = "peeler", version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// The exit status of the process.
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
            eprintln!("error: {}", cause_chain(&error));
            ExitStatus::Failure
        }
    };
    status.into()
}

/// An error with its causes. A cause that an error already mentions is not repeated.
fn cause_chain(error: &anyhow::Error) -> String {
    let mut message = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if !message.contains(&cause) {
            let colon = if message.is_empty() { "" } else { ": " };
            message = format!("{message}{colon}{cause}");
        }
    }
    message
}

/// Whether a command failed because the reader of its output is gone, as in `peeler extract . | head`.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|it| it.downcast_ref::<io::Error>())
        .any(|it| it.kind() == io::ErrorKind::BrokenPipe)
}

/// Ends the process successfully if the reader of its output is gone.
fn exit_if_closed(error: &io::Error) {
    if error.kind() == io::ErrorKind::BrokenPipe {
        process::exit(0);
    }
}
