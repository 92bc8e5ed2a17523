//! Peeler finds flaky Java tests without running them.
//!
//! This library is the whole command line; the program itself only calls [`run`]. The commands are one file each in
//! `commands/`. The only other public items are functions for fuzz targets.
//!
//! Features leave out what a scan does not need: `training` the commands that train or measure models, with all of the
//! Burn library; `confirm` the runs of tests; `history` what is learned from git histories; `git` all else that reads git
//! repositories; `parquet` files of that format.
#![cfg_attr(
    not(all(feature = "confirm", feature = "training", feature = "parquet")),
    allow(
        dead_code,
        unused_imports,
        reason = "some items have no other users than what is left out"
    )
)]

mod advice;
mod base_revision;
mod baseline;
mod build_layout;
mod cache;
mod cached_scan;
mod change;
#[cfg(feature = "training")]
mod clones;
mod commands;
mod console;
mod destination;
mod exit;
mod explainer;
mod explanation;
mod file_filter;
mod finding;
mod fingerprint;
mod fleet;
mod flow_report;
pub mod fuzzing;
mod git;
mod grounding;
#[cfg(feature = "history")]
mod history_labels;
mod inheritance;
#[cfg(feature = "training")]
mod keep_out;
mod late_details;
mod listing;
#[cfg(feature = "training")]
mod literature;
#[cfg(not(feature = "training"))]
#[path = "literature_not_built.rs"]
mod literature;
#[cfg(feature = "training")]
mod maven_poms;
mod model;
mod named_root;
mod nearest_names;
mod pipeline;
mod progress;
mod proof;
mod ranking;
mod render;
mod request;
mod roots;
mod rule_pages;
mod rule_selection;
#[cfg(test)]
mod schema;
mod scored_test;
mod scorer;
mod scoring;
mod settings;
#[cfg(feature = "training")]
mod source_archive;
#[cfg(feature = "training")]
mod source_libraries;
mod state_pairs;
mod tuning;
mod witness_source;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::commands::Command;
use crate::console::ConsoleArgs;
use crate::exit::{ExitStatus, is_closed_pipe};

/// The command line of the program `peeler`: a command, such as `scan`, with its arguments.
#[derive(Debug, Parser)]
#[command(name = "peeler", version, about, max_term_width = 100)]
struct Arguments {
    #[command(flatten)]
    console: ConsoleArgs,
    #[command(subcommand)]
    command: Command,
}

/// Parses the arguments of the process, runs one command and prints its error, if any. Returns the exit status.
#[must_use]
pub fn run() -> ExitCode {
    let arguments = Arguments::parse();
    arguments.console.apply();
    let status = match arguments.command.run(Arguments::command) {
        Ok(status) => status,
        Err(error) if is_closed_pipe(&error) => ExitStatus::Success,
        Err(error) => {
            eprintln!("error: {}", cause_chain(&error));
            ExitStatus::Failure
        }
    };
    status.into()
}

/// An error with its causes as one text, joined by colons. A cause whose text is already contained in it is not
/// repeated.
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
