//! `peeler merge`: joins the outputs of fleet scans to one report.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};

use crate::destination;
use crate::exit::ExitStatus;
use crate::fleet::merge::collector::Collector;
use crate::fleet::merge::joined::{Choice, Joined, Mixing};
use crate::fleet::merge::report::{Report, VERSION};
use crate::fleet::merge::{inputs, page, text, trend};
use crate::fleet::output::{Output, Start};
use crate::fleet::shard::Shard;

/// Join the outputs of `peeler scan --repos` to one report
///
/// Every repository counts once: a record with results wins over one with an error. Outputs of different models,
/// versions or options are refused, unless --allow-mixed is given.
#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// Outputs of `peeler scan --repos`: files of JSON lines, Parquet files, or folders of them
    #[arg(value_name = "OUT", required = true)]
    outputs: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, visible_alias = "output-format", default_value_t = MergeFormat::Text)]
    format: MergeFormat,
    /// Write to a file instead of standard output; a folder for Parquet
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Say what changed since an earlier report, a file written by `peeler merge --format json`
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Join outputs of different models, versions or options; of two results for a repository the first is kept
    #[arg(long)]
    allow_mixed: bool,
    /// List at most N top findings of the fleet
    #[arg(long, value_name = "N", default_value_t = 50)]
    top: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MergeFormat {
    /// Text for people
    Text,
    /// JSON with counts, repositories and top findings, for programs and --against
    Json,
    /// HTML page over all repositories
    Html,
    /// The record of each repository, one JSON object per line
    Jsonl,
    /// The record of each repository, in a folder of Parquet files
    Parquet,
}

pub(crate) fn run(arguments: &MergeArgs) -> anyhow::Result<ExitStatus> {
    let files = inputs::files(&arguments.outputs)?;
    match arguments.format {
        MergeFormat::Jsonl | MergeFormat::Parquet => join(arguments, &files)?,
        MergeFormat::Text | MergeFormat::Json | MergeFormat::Html => write(arguments, &report(arguments, &files)?)?,
    }
    Ok(ExitStatus::Success)
}

fn mixing(arguments: &MergeArgs) -> Mixing {
    if arguments.allow_mixed {
        Mixing::Allowed
    } else {
        Mixing::Refused
    }
}

/// The report about all repositories in `files`, which are outputs of `peeler scan --repos`.
fn report(arguments: &MergeArgs, files: &[PathBuf]) -> anyhow::Result<Report> {
    let earlier = arguments.against.as_deref().map(read_report).transpose()?;
    let mut joined = Joined::new(mixing(arguments));
    let mut collector = Collector::new(arguments.top);
    for file in files {
        inputs::read(file, |record| {
            if joined.choose(&record, file)? == Choice::Taken {
                collector.add(record);
            }
            Ok(())
        })?;
    }
    let mut report = collector.report(joined.origins);
    report.trend = earlier.map(|it| trend::between(&it, &report));
    Ok(report)
}

/// Reads the earlier report about a fleet that `--against` names.
fn read_report(path: &Path) -> anyhow::Result<Report> {
    const REMEDY: &str = "pass a file written by `peeler merge --format json`";
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}; {REMEDY}", path.display()))?;
    let report: Report = serde_json::from_slice(&bytes)
        .with_context(|| format!("{} is not a report about a fleet; {REMEDY}", path.display()))?;
    if report.version != VERSION {
        bail!(
            "{} is a report of version {}, and this Peeler reads version {VERSION}; merge again with this Peeler",
            path.display(),
            report.version
        );
    }
    Ok(report)
}

fn write(arguments: &MergeArgs, report: &Report) -> anyhow::Result<()> {
    destination::write(arguments.output.as_deref(), |out| match arguments.format {
        MergeFormat::Html => page::write(report, out),
        MergeFormat::Text => text::write(report, out),
        _ => {
            serde_json::to_writer_pretty(&mut *out, report)?;
            out.write_all(b"\n")
        }
    })
}

/// Writes one record (scan result) of each repository in `files`, which are outputs of `peeler scan --repos`. The files
/// are read twice: first to choose the records, then to write them in order.
fn join(arguments: &MergeArgs, files: &[PathBuf]) -> anyhow::Result<()> {
    if arguments.against.is_some() {
        bail!("--against is for reports; choose the format text, json or html");
    }
    let mut joined = Joined::new(mixing(arguments));
    for file in files {
        inputs::read(file, |record| joined.choose(&record, file).map(|_| ()))?;
    }
    let Some(origin) = joined.origins.first().cloned() else {
        bail!("the outputs hold no record; give outputs of `peeler scan --repos`");
    };
    let mut output = match (arguments.format, &arguments.output) {
        (MergeFormat::Parquet, Some(folder)) => Output::parts(folder, Shard::WHOLE, Start::New, &origin)?,
        (MergeFormat::Parquet, None) => bail!("Parquet needs a folder; name one with --output"),
        (_, Some(path)) => Output::lines(path, Start::New, &origin)?,
        (_, None) => Output::stdout(),
    };
    let mut number = 0;
    for file in files {
        inputs::read(file, |record| {
            number += 1;
            if joined.is_chosen(&record.name, number) {
                output.add(&record.line())?;
            }
            Ok(())
        })?;
    }
    output.finish()
}
