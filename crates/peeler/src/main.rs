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
            eprintln!("error: {}", cause_chain(&error));
            ExitStatus::Failure
        }
    };
    status.into()
}

/// What went wrong and why. Some errors say their cause themselves; nothing is said twice.
fn cause_chain(error: &anyhow::Error) -> String {
    let mut said = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if !said.contains(&cause) {
            let colon = if said.is_empty() { "" } else { ": " };
            said = format!("{said}{colon}{cause}");
        }
    }
    said
}

/// `peeler extract . | head` is no failure.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|it| it.downcast_ref::<std::io::Error>())
        .any(|it| it.kind() == std::io::ErrorKind::BrokenPipe)
}
