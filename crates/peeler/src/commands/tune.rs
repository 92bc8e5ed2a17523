//! `peeler tune`: adapts the model to a repository by the flaky tests of its own past.

use std::path::{Path, PathBuf};

use clap::Args;
use peeler_model::Backend;

use crate::exit::ExitStatus;
use crate::history_labels;
use crate::model;
use crate::proof::ProofArgs;
use crate::tuning::tune::tune;
use crate::tuning::tuned_file::Tuning;

/// Adapt the model to a repository by the flaky tests of its own past
///
/// Reads from the git history which tests were marked or fixed as flaky, as `peeler mine` does, and learns what they
/// have in common: words, calls, classes, fixtures. Writes `.peeler/tuned`, which `peeler scan` then uses. Needs at
/// least 8 such tests, and no GPU. Nothing is run.
#[derive(Debug, Args)]
pub(crate) struct TuneArgs {
    /// Root of a clone of a git repository
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,
    /// Write to this file instead of `.peeler/tuned` in the repository
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Backend that runs the network: auto, cpu, flex, ndarray or wgpu
    #[arg(long, default_value = "cpu")]
    backend: Backend,
    #[command(flatten)]
    runs: ProofArgs,
}

pub(crate) fn run(arguments: &TuneArgs) -> anyhow::Result<ExitStatus> {
    let tuning = tuned(&arguments.path, &arguments.runs, arguments.backend)?;
    let file = arguments
        .output
        .clone()
        .unwrap_or_else(|| Tuning::place(&arguments.path));
    tuning.write(&file)?;
    println!("{}", tuning.summary);
    eprintln!("wrote {}", file.display());
    Ok(ExitStatus::Success)
}

/// Reads the history of a repository and tunes the built-in network by it.
pub(crate) fn tuned(path: &Path, runs: &ProofArgs, backend: Backend) -> anyhow::Result<Tuning> {
    let mined = history_labels::mined(path, runs)?;
    let scorer = model::load(None, backend)?;
    tune(path, &mined, &*scorer, &model::content_identity(None))
}
