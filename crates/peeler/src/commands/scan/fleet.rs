//! `peeler scan --repos`: the command and its workers.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, bail};
use peeler_analysis::CauseCatalogue;
use peeler_features::content_hash;

use super::arguments::{ScanArgs, ScanFormat};
use crate::exit::{ExitStatus, TO_STDOUT};
use crate::finding::Tool;
use crate::fleet::coordinator::{self, Plan, Totals};
use crate::fleet::list::List;
use crate::fleet::memory;
use crate::fleet::output::{Output, Start};
use crate::fleet::record::Origin;
use crate::fleet::scanner::{ScanOptions, Scanner};
use crate::fleet::shard::Shard;
use crate::fleet::worker;
use crate::model;
use crate::render::formats::Format;
use crate::request::ScoreList;

/// Runs `peeler scan --repos`, which scans the repositories of a list. With `--fleet-worker`, it scans the repositories
/// that its parent process names on standard input.
pub(super) fn run(arguments: &ScanArgs) -> anyhow::Result<ExitStatus> {
    if arguments.fleet.fleet_worker {
        worker::run(&scanner(arguments)?)?;
        return Ok(ExitStatus::Success);
    }
    let started = Instant::now();
    if arguments.fleet.limits().memory.is_some() && !memory::IS_KNOWN {
        bail!("--memory-limit needs Linux, which tells the memory of a process; omit it here");
    }
    let list = list(arguments.fleet.repos.as_deref().unwrap_or(Path::new("-")))?;
    if arguments.fleet.dry_run {
        return print(list, arguments.fleet.shard());
    }
    let plan = Plan {
        shard: arguments.fleet.shard(),
        jobs: arguments.fleet.jobs(),
        limits: arguments.fleet.limits(),
    };
    let mut output = output(arguments)?;
    let totals = coordinator::run(&plan, list, &mut output)?;
    output.finish()?;
    tell(&totals, started);
    Ok(ExitStatus::Success)
}

/// Opens a list of repositories: a file, or standard input for `-`. A file is read once before the scan, so that an
/// error in its last line shows at once.
fn list(place: &Path) -> anyhow::Result<List> {
    if place.is_file() {
        let mut checked = List::open(place)?;
        while checked.read()?.is_some() {}
    }
    List::open(place)
}

/// Prints the lines of a list of repositories that belong to a shard (a part of the list).
fn print(mut list: List, shard: Shard) -> anyhow::Result<ExitStatus> {
    let mut out = BufWriter::new(io::stdout().lock());
    while let Some(entry) = list.read()? {
        if shard.takes(&entry.name) {
            writeln!(out, "{entry}").context(TO_STDOUT)?;
        }
    }
    out.flush().context(TO_STDOUT)?;
    Ok(ExitStatus::Success)
}

fn output(arguments: &ScanArgs) -> anyhow::Result<Output> {
    let start = if arguments.fleet.resume {
        Start::Resumed
    } else {
        Start::New
    };
    match (arguments.format, &arguments.output) {
        (None | Some(ScanFormat::Report(Format::Jsonl)), None) => Ok(Output::stdout()),
        (None | Some(ScanFormat::Report(Format::Jsonl)), Some(path)) => {
            Output::lines(path, start, &origin(arguments, "")?)
        }
        (Some(ScanFormat::Parquet), Some(folder)) => {
            Output::parts(folder, arguments.fleet.shard(), start, &origin(arguments, "")?)
        }
        (Some(ScanFormat::Parquet), None) => bail!("Parquet needs a folder; name one with --output"),
        (Some(ScanFormat::Report(_)), _) => {
            bail!("--repos writes the formats jsonl and parquet; `peeler merge` makes reports of them")
        }
    }
}

fn scanner(arguments: &ScanArgs) -> anyhow::Result<Scanner<'_>> {
    let scorer = model::load(arguments.model.as_deref(), arguments.backend)?;
    if scorer.reads().causes {
        // The catalogue is parsed once per process.
        let _ = CauseCatalogue::shipped();
    }
    let origin = origin(arguments, scorer.name())?;
    Ok(Scanner {
        scorer,
        options: ScanOptions {
            min_probability: arguments.min_probability,
            top: arguments.top,
            scores: if arguments.all {
                ScoreList::EveryTest
            } else {
                ScoreList::Nothing
            },
            rules: arguments.rules.choices(),
            settings: arguments.settings.source(),
        },
        origin,
    })
}

/// The version of Peeler, the model and the options, which all records of one `peeler scan --repos` have in common.
fn origin(arguments: &ScanArgs, model: &str) -> anyhow::Result<Origin> {
    Ok(Origin {
        version: Tool::this().version,
        model: model.to_owned(),
        identity: model::content_identity(arguments.model.as_deref()),
        options: options(arguments)?,
    })
}

/// A hash of the options of `peeler scan` that can change findings.
fn options(arguments: &ScanArgs) -> anyhow::Result<String> {
    let settings = arguments.settings.fixed_text().context("the file of --config")?;
    let parts = format!(
        "{:?} {:?} {} {:?} {} {settings:?}",
        arguments.min_probability,
        arguments.top,
        arguments.all,
        arguments.rules.choices(),
        arguments.backend,
    );
    Ok(format!("{:016x}", content_hash(parts.as_bytes())))
}

fn tell(totals: &Totals, started: Instant) {
    let repositories = |count: usize| match count {
        1 => "1 repository".to_owned(),
        count => format!("{count} repositories"),
    };
    let skipped = match totals.skipped {
        0 => String::new(),
        count => format!("; the output held {} before", repositories(count)),
    };
    eprintln!(
        "{} in {:.1} s: {} with an error, {} findings{skipped}",
        repositories(totals.repositories),
        started.elapsed().as_secs_f64(),
        totals.errors,
        totals.findings,
    );
}
