//! `peeler scan`: which tests are probably flaky, and why.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use peeler_analysis::Repository;
use peeler_model::Backend;

use crate::baseline::Baseline;
use crate::cache::Cache;
use crate::pipeline::{self, Request};
use crate::proof::ProofArgs;
use crate::render::formats::{self, Format, Style};
use crate::since::Past;
use crate::{ExitStatus, model};

/// Find the tests of a repository that are probably flaky, without running them
///
/// Lists the tests whose probability of being flaky is high, the most probable first, each with its reason, and before them
/// those that earlier runs proved flaky (--proof, --history). Exit status: 0 without findings, 1 with findings, 2 when
/// something failed.
#[derive(Debug, Args)]
pub(crate) struct ScanArgs {
    /// Root of a Java repository, or a single Java file
    #[arg(default_value = ".")]
    path: PathBuf,
    /// How to write the findings
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Tests from this probability on are findings; the model's own threshold by default
    #[arg(long, value_name = "P", value_parser = probability)]
    min_probability: Option<f32>,
    /// At most this many findings: those that runs proved, then the most probable
    #[arg(long, value_name = "N")]
    top: Option<usize>,
    /// Give every test its probability, in formats that have a place for it
    #[arg(long)]
    all: bool,
    /// Be silent about the findings that this file knows
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write the findings of this scan to a file for --baseline, and exit with 0
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,
    /// Look only at tests that are new or whose own code, helpers, setup or code under test changed since a git revision
    #[arg(long, value_name = "REV")]
    since: Option<String>,
    #[command(flatten)]
    proof: ProofArgs,
    /// Keep results for the next scan in this folder instead of the user's cache folder
    #[arg(long, value_name = "DIR", conflicts_with = "no_cache")]
    cache_dir: Option<PathBuf>,
    /// Judge every test anew, and keep nothing for the next scan
    #[arg(long)]
    no_cache: bool,
    /// Exit with 0 also when there are findings
    #[arg(long)]
    exit_zero: bool,
    /// Folder of a model made by `peeler train`; the one inside the program by default
    #[arg(long, value_name = "DIR")]
    model: Option<PathBuf>,
    /// What computes: auto, cpu, flex, ndarray, wgpu or cuda
    #[arg(long, default_value = "cpu")]
    backend: Backend,
}

pub(super) fn probability(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("give a number between 0 and 1".to_owned()),
    }
}

pub(crate) fn run(arguments: &ScanArgs) -> anyhow::Result<ExitStatus> {
    let baseline = arguments.baseline.as_deref().map(Baseline::open).transpose()?;
    let root = arguments.path.display().to_string();
    let evidence = arguments.proof.open(&root)?;
    let model = model::load(arguments.model.as_deref())?;
    let repository = Repository::open(&arguments.path)?;
    let since = arguments.since.as_deref();
    let since = since
        .map(|it| Past::open(&arguments.path, it, &repository))
        .transpose()?;
    let backend = arguments.backend.resolve()?;
    let folder = arguments.cache_dir.clone().or_else(Cache::usual_folder);
    let cache = folder.filter(|_| !arguments.no_cache).map(|folder| {
        let model = model::identity(arguments.model.as_deref());
        Cache::new(folder, &arguments.path, &format!("{model} {backend}"))
    });
    let request = Request {
        model: &model,
        backend,
        min_probability: arguments.min_probability,
        top: arguments.top,
        all: arguments.all,
        baseline: baseline.as_ref(),
        since: since.as_ref(),
        proven: &evidence.proven(),
        cache: cache.as_ref(),
    };
    let mut scan = pipeline::scan(&root, &repository, request)?;
    evidence.attach(&mut scan);
    evidence.tell_unlisted(
        &scan,
        "suppressed in the code, beyond --top, unchanged since the revision, or not in the repository",
    );
    if let Some(path) = &arguments.output {
        let cannot = || format!("cannot write {}; does its folder exist?", path.display());
        let mut file = BufWriter::new(File::create(path).with_context(cannot)?);
        formats::write(arguments.format, Style::Plain, &scan, &mut file).with_context(cannot)?;
        file.flush().with_context(cannot)?;
    } else {
        let mut out = BufWriter::new(io::stdout().lock());
        formats::write(arguments.format, style(), &scan, &mut out)?;
        out.flush()?;
    }
    if let Some(path) = &arguments.write_baseline {
        let known = Baseline::new(&scan.findings, &scan.known);
        known.write(path)?;
        let findings = if known.len() == 1 { "finding is" } else { "findings are" };
        eprintln!("{} {findings} known to {} now", known.len(), path.display());
        return Ok(ExitStatus::Success);
    }
    Ok(if scan.findings.is_empty() || arguments.exit_zero {
        ExitStatus::Success
    } else {
        ExitStatus::Findings
    })
}

/// Colours are for terminals whose owner has not said otherwise.
pub(super) fn style() -> Style {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|it| !it.is_empty());
    if io::stdout().is_terminal() && !refused {
        Style::Coloured
    } else {
        Style::Plain
    }
}
