//! Peeler finds flaky Java tests without running them.
//!
//! `main` parses the arguments, runs one command and prints what went wrong. The commands are one
//! file each in `commands/`.

mod base_revision;
mod baseline;
mod cache;
mod cached_scan;
mod change;
mod commands;
mod exit;
mod explainer;
mod explanation;
mod file_filter;
mod finding;
mod fingerprint;
mod flow_report;
mod late_details;
mod listing;
mod model;
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
mod schema;
mod scored_test;
mod scorer;
mod scoring;
mod settings;
mod state_pairs;

use std::process::ExitCode;

/// mimalloc suits graphs: many small vectors that live briefly, on all cores.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    peeler::run()
}
