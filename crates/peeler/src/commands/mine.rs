//! `peeler mine`: finds tests that were marked or fixed as flaky in a git history.

use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, ValueEnum};
use peeler_mine::{Mined, Request, date};
use serde::Serialize;

use crate::exit::ExitStatus;
use crate::proof::ProofArgs;
use crate::render::mined::summary::Summary;
use crate::render::mined::{csv, page, text};
use crate::{destination, history_labels};

/// The version of the JSON format. It is raised when older programs would misread a file.
const VERSION: u32 = 1;

/// Find tests that were marked or fixed as flaky in the git history
///
/// Reads all commits of a clone without a checkout. A test counts if a commit marks it (`@Flaky`, `@Ignore("flaky")`,
/// retries, groups, comments) or if the message of the commit that changes it speaks of flakiness. Nothing is run.
#[derive(Debug, Args)]
pub(crate) struct MineArgs {
    /// Clone of a git repository, bare or not, or a folder in it
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,
    /// Output format
    #[arg(long, value_enum, visible_alias = "output-format", default_value_t = MineFormat::Text)]
    format: MineFormat,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Read the ancestors of this commit, branch or tag instead of HEAD
    #[arg(long, value_name = "REVISION")]
    revision: Option<String>,
    /// Leave out commits before this day (in UTC, such as 2024-01-31)
    #[arg(long, value_name = "DATE", value_parser = day)]
    since: Option<i64>,
    /// Leave out commits on this day and later
    #[arg(long, value_name = "DATE", value_parser = day)]
    until: Option<i64>,
    /// Name of the repository in the output, by default that of its remote or folder
    #[arg(long, value_name = "NAME")]
    repository: Option<String>,
    #[command(flatten)]
    runs: ProofArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MineFormat {
    /// Summary for people
    Text,
    /// JSON with all events and counts
    Json,
    /// CSV with one row for each test that a commit or run showed to be flaky
    Csv,
    /// HTML page with a timeline
    Html,
}

/// The JSON form of a mined history.
#[derive(Serialize)]
struct Document<'m> {
    version: u32,
    #[serde(flatten)]
    mined: &'m Mined,
    summary: Summary,
}

pub(crate) fn run(arguments: &MineArgs) -> anyhow::Result<ExitStatus> {
    if let (Some(since), Some(until)) = (arguments.since, arguments.until)
        && since >= until
    {
        bail!("--since is not before --until, so no commit is left; swap the two days");
    }
    let request = Request {
        revision: arguments.revision.clone(),
        since: arguments.since,
        until: arguments.until,
        repository: arguments.repository.clone(),
        runs: history_labels::run_labels(&arguments.runs)?,
        threads: 0,
    };
    let mined = history_labels::mine(&arguments.path, &request)?;
    write(arguments, &mined)?;
    Ok(ExitStatus::Success)
}

fn write(arguments: &MineArgs, mined: &Mined) -> anyhow::Result<()> {
    destination::write(arguments.output.as_deref(), |out| match arguments.format {
        MineFormat::Text => text::write(mined, out),
        MineFormat::Csv => csv::write(mined, out),
        MineFormat::Html => page::write(mined, out),
        MineFormat::Json => {
            let document = Document {
                version: VERSION,
                mined,
                summary: Summary::of(mined),
            };
            serde_json::to_writer_pretty(&mut *out, &document)?;
            out.write_all(b"\n")
        }
    })
}

/// Parses a day such as `2024-01-31` and returns its first second in UTC, in seconds since 1970.
fn day(text: &str) -> Result<i64, String> {
    date::start_of(text).ok_or_else(|| "write a day as 2024-01-31".to_owned())
}
