//! `peeler scan`: which tests are probably flaky, and why.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use peeler_analysis::{CauseCatalogue, Repository};
use peeler_features::TestName;
use peeler_model::Backend;

use super::SettingsArgs;
use crate::baseline::Baseline;
use crate::cache::Cache;
use crate::finding::{KnownFinding, Scan};
use crate::given::GivenFiles;
use crate::judge::Judge;
use crate::memory::Memory;
use crate::pipeline::{self, Request};
use crate::proof::ProofArgs;
use crate::render::formats::{self, Format, Style};
use crate::settings::Settings;
use crate::since::Past;
use crate::{ExitStatus, listing, model, roots};

/// Find the tests of a repository that are probably flaky, without running them
///
/// Lists the tests whose probability of being flaky is high, the most probable first, each with its reason, and before them
/// those that earlier runs proved flaky (--proof, --history). With several paths every file begins with its path. Settings
/// come from the nearest `peeler.toml` at or above each path; options of the command line win. Exit status: 0 without
/// findings, 1 with findings, 2 when something failed.
#[derive(Debug, Args)]
pub(crate) struct ScanArgs {
    /// Roots of Java repositories, or single Java files; each is judged on its own, all are in one report
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,
    /// How to write the findings
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Tests from this probability on are findings [default: that of `peeler.toml`, else the model's own threshold, 0.520
    /// for the one inside the program: from there on at least seven of ten tests of projects held out from its training were
    /// flaky]
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
    /// Look only at tests of the files that standard input names, a line each or with a NUL behind each, relative to the
    /// working directory; everything else is still read as code under test
    #[arg(long)]
    stdin_files: bool,
    #[command(flatten)]
    settings: SettingsArgs,
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
    /// What judges instead of the network inside the program: a folder made by `peeler train`, or flast or vocabulary,
    /// two methods of the literature that are inside for comparison and rank worse
    #[arg(long, value_name = "DIR|flast|vocabulary")]
    model: Option<PathBuf>,
    /// What computes a network: auto, cpu, flex, ndarray, wgpu or cuda
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
    let started = Instant::now();
    roots::require_apart(&arguments.paths)?;
    let baseline = arguments.baseline.as_deref().map(Baseline::open).transpose()?;
    let evidence = arguments.proof.open(&arguments.paths[0].display().to_string())?;
    let proven = evidence.proven();
    let (ready, first) = thread::scope(|scope| {
        // Files are read while everything else is.
        let opening = scope.spawn(|| Repository::open(&arguments.paths[0]));
        let judge = model::load(arguments.model.as_deref(), arguments.backend);
        let ready = judge.and_then(|judge| {
            let way = Way::of(arguments, &arguments.paths[0])?;
            if judge.reads().causes {
                // It is read once, now rather than when all wait for it.
                let _ = CauseCatalogue::shipped();
            }
            Ok((judge, way))
        });
        (ready, opening.join().expect("reading a folder does not panic"))
    });
    let (judge, way) = ready?;
    let mut first = Some((way, first?));
    let names = arguments.stdin_files.then(|| GivenFiles::read(io::stdin().lock()));
    let mut given = names.transpose()?;
    // What is remembered is written while the report is, or the next root is scanned.
    let (scan, unseen) = thread::scope(|remembering| {
        let mut scans = Vec::new();
        for root in &arguments.paths {
            let (way, repository) = match first.take() {
                Some(first) => first,
                None => (Way::of(arguments, root)?, Repository::open(root)?),
            };
            let opened = Root {
                path: root,
                repository: &repository,
                settings: &way.settings,
                memory: way.memory,
                remembers: way.cache.is_some(),
            };
            let (scan, memory) = scan(arguments, opened, &*judge, &proven, given.as_mut(), started)?;
            if let Some((cache, memory)) = way.cache.zip(memory) {
                remembering.spawn(move || remember(&cache, &memory));
            }
            scans.push((root.clone(), scan));
            if scans.len() == arguments.paths.len() {
                // It goes with the process, at once, and so does the judge.
                std::mem::forget(repository);
            }
        }
        std::mem::forget(judge);
        let mut scan = roots::merged(scans);
        evidence.attach(&mut scan);
        let unseen = listing::list(&mut scan, baseline.as_ref(), arguments.top);
        write(arguments, &scan)?;
        anyhow::Ok((scan, unseen))
    })?;
    evidence.tell_unlisted(
        &scan,
        "suppressed or excluded, beyond --top, not among the tests that this scan looks at, or not in the repository",
    );
    if let Some(note) = given.and_then(|it| it.note()) {
        eprintln!("note: {note}");
    }
    if let Some(path) = &arguments.write_baseline {
        write_baseline(path, &scan, &unseen)?;
        return Ok(ExitStatus::Success);
    }
    Ok(if scan.findings.is_empty() || arguments.exit_zero {
        ExitStatus::Success
    } else {
        ExitStatus::Findings
    })
}

/// How one root is scanned.
struct Way {
    settings: Settings,
    cache: Option<Cache>,
    /// What the last scan left there.
    memory: Option<Memory>,
}

impl Way {
    fn of(arguments: &ScanArgs, root: &Path) -> anyhow::Result<Self> {
        let settings = arguments.settings.open(root)?;
        // What changed since a revision is found by looking at every test, and tests of some files are no whole memory.
        let is_whole = arguments.since.is_none() && !arguments.stdin_files;
        let folder = arguments.cache_dir.clone().or_else(Cache::usual_folder);
        let cache = folder.filter(|_| is_whole && !arguments.no_cache).map(|folder| {
            let model = model::identity(arguments.model.as_deref());
            let settings = settings.digest();
            Cache::new(folder, root, &format!("{model} {} {settings:016x}", arguments.backend))
        });
        Ok(Self {
            settings,
            memory: cache.as_ref().and_then(Cache::load),
            cache,
        })
    }
}

/// Keeps what a scan found for the next one. Without that the next one takes longer, no more.
fn remember(cache: &Cache, memory: &Memory) {
    if let Err(error) = cache.save(memory) {
        let folder = cache.folder().display();
        eprintln!(
            "warning: nothing is kept for the next scan, because {folder} cannot be written: {error}; name another folder \
             with --cache-dir, or use --no-cache"
        );
    }
}

/// A root that was read.
struct Root<'a> {
    path: &'a Path,
    repository: &'a Repository,
    settings: &'a Settings,
    /// What the last scan of it left.
    memory: Option<Memory>,
    /// Whether there will be a next one that wants to know.
    remembers: bool,
}

/// Scans one root.
fn scan(
    arguments: &ScanArgs,
    root: Root<'_>,
    judge: &dyn Judge,
    proven: &BTreeSet<TestName>,
    given: Option<&mut GivenFiles>,
    started: Instant,
) -> anyhow::Result<(Scan, Option<Memory>)> {
    let Root {
        path,
        repository,
        settings,
        memory,
        remembers,
    } = root;
    let since = arguments.since.as_deref();
    let since = since.map(|it| Past::open(path, it, repository)).transpose()?;
    let given = given.map(|it| it.take(path, repository));
    let request = Request {
        judge,
        min_probability: arguments.min_probability.or(settings.min_probability),
        // Only a look at a test tells whether a baseline knows it.
        top: arguments.top.filter(|_| arguments.baseline.is_none()),
        all: arguments.all,
        settings,
        given: given.as_ref(),
        since: since.as_ref(),
        proven,
        remembers,
        is_last: arguments.paths.last().is_some_and(|it| it == path),
        started,
    };
    let name = path.display().to_string();
    Ok(pipeline::scan(&name, repository, memory, request)?)
}

fn write(arguments: &ScanArgs, scan: &Scan) -> anyhow::Result<()> {
    if let Some(path) = &arguments.output {
        let cannot = || format!("cannot write {}; does its folder exist?", path.display());
        let mut file = BufWriter::new(File::create(path).with_context(cannot)?);
        formats::write(arguments.format, Style::Plain, scan, &mut file).with_context(cannot)?;
        file.flush().with_context(cannot)?;
    } else {
        let mut out = BufWriter::new(io::stdout().lock());
        formats::write(arguments.format, style(), scan, &mut out)?;
        out.flush()?;
    }
    Ok(())
}

/// Writes down what the scan found and what it did not look at.
fn write_baseline(path: &Path, scan: &Scan, unseen: &[KnownFinding]) -> anyhow::Result<()> {
    let known = Baseline::new(&scan.findings, &[&scan.known, unseen].concat());
    known.write(path)?;
    let findings = if known.len() == 1 { "finding is" } else { "findings are" };
    eprintln!("{} {findings} known to {} now", known.len(), path.display());
    Ok(())
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
