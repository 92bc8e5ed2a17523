//! `peeler scan`: reports which tests are probably flaky, and why.

mod arguments;
mod fleet;

pub(crate) use self::arguments::{ScanArgs, probability};

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::thread;
use std::time::Instant;

use anyhow::{Context, bail};
use peeler_analysis::{CauseCatalogue, Repository};
use peeler_features::TestName;
use peeler_learning::atomic_file::{AtomicFile, Durability};

use self::arguments::ScanFormat;
use super::tune;
use crate::base_revision::BaseRevision;
use crate::baseline::Baseline;
use crate::cache::ScanCache;
use crate::cached_scan::CachedScan;
use crate::exit::{ExitStatus, TO_STDOUT};
use crate::file_filter::FileFilter;
use crate::finding::{KnownFinding, Scan, Summary};
use crate::named_root::NamedRoot;
use crate::ranking::DisabledTests;
use crate::render::formats::{self, Format, Style};
use crate::request::{Caching, Disposal, Request, ScoreList};
use crate::scorer::Scorer;
use crate::settings::Settings;
use crate::tuning::tuned_file::Tuning;
use crate::tuning::tuned_scorer::TunedScorer;
use crate::{console, git, listing, model, pipeline, roots};

pub(crate) fn run(arguments: &ScanArgs) -> anyhow::Result<ExitStatus> {
    arguments.fleet.require_repos()?;
    if arguments.fleet.repos.is_some() {
        return fleet::run(arguments);
    }
    let started = Instant::now();
    let format = plain_format(arguments)?;
    if arguments.statistics && !matches!(format, Format::Text | Format::Json) {
        bail!("--statistics has the formats text and json only; choose one of them");
    }
    if let Some(threads) = arguments.fleet.threads() {
        peeler_analysis::use_threads(threads);
    }
    roots::require_apart(&arguments.paths)?;
    let baseline = arguments.baseline.as_deref().map(Baseline::open).transpose()?;
    let evidence = arguments.proof.open(&arguments.paths[0].display().to_string())?;
    let proven = evidence.proven();
    let (ready, first) = thread::scope(|scope| {
        // The files of the first root are read while the model is loaded.
        let opening = scope.spawn(|| Repository::open(&arguments.paths[0]));
        let scorer = model::load(arguments.model.as_deref(), arguments.backend);
        let ready = scorer.and_then(|scorer| {
            let setup = RootSetup::open(arguments, &arguments.paths[0])?;
            if scorer.reads().causes {
                // The catalogue is parsed once per process; no other thread waits for it here.
                let _ = CauseCatalogue::shipped();
            }
            Ok((scorer, setup))
        });
        (ready, opening.join().expect("reading a folder does not panic"))
    });
    let (scorer, setup) = ready?;
    let mut first = Some((setup, first?));
    let names = arguments.stdin_files.then(|| FileFilter::read(io::stdin().lock()));
    let mut filter = names.transpose()?;
    // Cache entries are written while the next root is scanned or the report is written.
    let (scan, unseen) = thread::scope(|saving| {
        let mut scans = Vec::new();
        for named in NamedRoot::all(&arguments.paths) {
            let root = &named.path;
            let (mut setup, repository) = match first.take() {
                Some(first) => first,
                None => (RootSetup::open(arguments, root)?, Repository::open(root)?),
            };
            let cached = setup.cached.take();
            let opened = Root {
                path: root,
                repository: &repository,
                setup: &setup,
                proven: &proven,
                started,
            };
            let (scan, entry) = opened.scan(arguments, &*scorer, cached, filter.as_mut())?;
            let Summary {
                files, tests, reused, ..
            } = scan.summary;
            console::detail(format_args!(
                "{}: model {}, {files} files, {tests} tests, {reused} from the cache, {} ms",
                root.display(),
                scan.model.name,
                started.elapsed().as_millis()
            ));
            if let Some((cache, entry)) = setup.cache.zip(entry) {
                saving.spawn(move || save(&cache, entry));
            }
            scans.push((named, scan));
            if scans.len() == arguments.paths.len() {
                // The end of the process frees the memory faster.
                std::mem::forget(repository);
            }
        }
        std::mem::forget(scorer);
        let mut scan = roots::merged(scans);
        evidence.attach(&mut scan);
        let unseen = listing::list(&mut scan, baseline.as_ref(), arguments.top);
        scan.checkout = git::of_scan(&arguments.paths, &scan);
        write(arguments, format, &scan)?;
        anyhow::Ok((scan, unseen))
    })?;
    evidence.tell_unlisted(
        &scan,
        "suppressed or excluded, cut off by --top, not among the tests that this scan checks, or not in the repository",
    );
    if let Some(note) = filter.and_then(|it| it.note()) {
        console::note(format_args!("note: {note}"));
    }
    if let Some(path) = &arguments.write_baseline {
        write_baseline(path, &scan, &unseen)?;
        return Ok(ExitStatus::Success);
    }
    Ok(if scan.summary.findings == 0 || arguments.exit_zero {
        ExitStatus::Success
    } else {
        ExitStatus::Findings
    })
}

/// The settings of one scanned folder, its cache file, and the results of the last scan in that file.
struct RootSetup {
    settings: Settings,
    cache: Option<ScanCache>,
    cached: Option<CachedScan>,
    /// What `peeler tune` learned from the past of the folder's repository.
    tuning: Option<Tuning>,
}

impl RootSetup {
    fn open(arguments: &ScanArgs, root: &Path) -> anyhow::Result<Self> {
        let settings = arguments.settings.open(root)?;
        console::detail(format_args!(
            "{}: settings {}",
            root.display(),
            settings.file().as_deref().unwrap_or("none")
        ));
        // A scan of some tests has no complete results to cache, and --since compares every test anyway.
        let is_complete = arguments.since.is_none() && !arguments.stdin_files;
        let folder = arguments.cache_dir.clone().or_else(ScanCache::usual_folder);
        let tuning = tuning(arguments, root)?;
        let cache = folder.filter(|_| is_complete && !arguments.no_cache).map(|folder| {
            let model = model::identity(arguments.model.as_deref());
            let settings = settings.digest();
            let tuned = tuning.as_ref().map_or(0, Tuning::digest);
            let way = format!("{model} {} {settings:016x} {tuned:016x}", arguments.backend);
            ScanCache::new(folder, root, &way)
        });
        if let Some(cache) = &cache {
            console::detail(format_args!("{}: cache {}", root.display(), cache.folder().display()));
        }
        Ok(Self {
            settings,
            cached: cache.as_ref().and_then(ScanCache::load),
            cache,
            tuning,
        })
    }
}

/// What `peeler tune` learned from the past of a folder's repository. `--tune` learns it now. `None` if the scan uses
/// another model or `--no-tuned`.
fn tuning(arguments: &ScanArgs, root: &Path) -> anyhow::Result<Option<Tuning>> {
    if arguments.model.is_some() || arguments.no_tuned {
        return Ok(None);
    }
    if arguments.tune {
        tune::tuned(root, &arguments.proof, arguments.backend)?.write(&Tuning::place(root))?;
    }
    Tuning::open(root, &model::content_identity(None))
}

/// Writes the results of a scan to its cache file. A failure only prints a warning, because it only makes the next scan
/// slower.
fn save(cache: &ScanCache, entry: CachedScan) {
    if let Err(error) = cache.save(entry) {
        let folder = cache.folder().display();
        eprintln!(
            "warning: cannot write the cache folder {folder}: {error}; the next scan will be slower. Choose another \
             folder with --cache-dir, or use --no-cache"
        );
    }
}

/// One of the scanned folders, after its files were read.
struct Root<'a> {
    path: &'a Path,
    repository: &'a Repository,
    setup: &'a RootSetup,
    /// Tests that recorded runs proved flaky.
    proven: &'a BTreeSet<TestName>,
    /// The time at which the command started.
    started: Instant,
}

impl Root<'_> {
    /// Scans one of the given folders. Returns the result of the scan, and the results to cache for the next scan. The
    /// latter are `None` if nothing is cached or nothing changed.
    fn scan(
        &self,
        arguments: &ScanArgs,
        scorer: &dyn Scorer,
        cached: Option<CachedScan>,
        filter: Option<&mut FileFilter>,
    ) -> anyhow::Result<(Scan, Option<CachedScan>)> {
        let revision = arguments.since.as_deref();
        let since = revision.map(|it| BaseRevision::open(self.path, it, self.repository));
        let since = since.transpose()?;
        let files = filter.map(|it| it.take(self.path, self.repository));
        let settings = &self.setup.settings;
        let rules = settings.rules(&arguments.rules.choices());
        let is_last = arguments.paths.last().is_some_and(|it| it == self.path);
        let tuned = self
            .setup
            .tuning
            .as_ref()
            .map(|tuning| TunedScorer { model: scorer, tuning });
        let request = Request {
            scorer: tuned.as_ref().map_or(scorer, |it| it),
            min_probability: arguments.min_probability.or(settings.min_probability),
            // Only a finished finding can be compared with a baseline, so all findings are needed.
            top: arguments.top.filter(|_| arguments.baseline.is_none()),
            extra: arguments.top.unwrap_or(0),
            disabled: if arguments.include_disabled {
                DisabledTests::List
            } else {
                DisabledTests::LeaveOut
            },
            scores: if arguments.all {
                ScoreList::EveryTest
            } else {
                ScoreList::Nothing
            },
            settings,
            rules: &rules,
            files: files.as_ref(),
            since: since.as_ref(),
            proven: self.proven,
            caching: if self.setup.cache.is_some() {
                Caching::On
            } else {
                Caching::Off
            },
            disposal: if is_last { Disposal::Leak } else { Disposal::Free },
            started: self.started,
        };
        let name = self.path.display().to_string();
        Ok(pipeline::scan(&name, self.repository, cached, &request)?)
    }
}

/// The output format of a scan without `--repos`: the format of `--format`, or text.
fn plain_format(arguments: &ScanArgs) -> anyhow::Result<Format> {
    match arguments.format {
        None => Ok(Format::Text),
        Some(ScanFormat::Report(format)) => Ok(format),
        Some(ScanFormat::Parquet) => bail!("the format parquet is for --repos; choose another format, such as jsonl"),
    }
}

fn write_report(
    arguments: &ScanArgs,
    format: Format,
    style: Style,
    scan: &Scan,
    out: &mut dyn Write,
) -> io::Result<()> {
    if arguments.statistics {
        formats::write_statistics(format, scan, out)
    } else {
        formats::write(format, style, scan, out)
    }
}

fn write(arguments: &ScanArgs, format: Format, scan: &Scan) -> anyhow::Result<()> {
    if let Some(path) = &arguments.output {
        let mut file = AtomicFile::create(path)?;
        write_report(arguments, format, Style::Plain, scan, &mut file).map_err(|it| file.error(it))?;
        file.finish(Durability::Synced)?;
        console::note(format_args!(
            "{}; written to {}",
            formats::summary(scan),
            path.display()
        ));
    } else {
        let mut out = BufWriter::new(io::stdout().lock());
        write_report(arguments, format, style(), scan, &mut out).context(TO_STDOUT)?;
        out.flush().context(TO_STDOUT)?;
    }
    if let (true, Some(note)) = (format != Format::Text, formats::no_tests_note(scan)) {
        console::note(note);
    }
    Ok(())
}

/// Writes a baseline with the listed findings, the findings known before, and entries of the old baseline that the scan
/// did not check.
fn write_baseline(path: &Path, scan: &Scan, unseen: &[KnownFinding]) -> anyhow::Result<()> {
    let known = Baseline::new(&scan.findings, &[&scan.known, unseen].concat());
    known.write(path)?;
    let findings = if known.len() == 1 { "finding" } else { "findings" };
    console::note(format_args!(
        "wrote {} known {findings} to {}",
        known.len(),
        path.display()
    ));
    Ok(())
}

/// The style of the output: with colours on a terminal, unless an option or `NO_COLOR` says otherwise.
pub(super) fn style() -> Style {
    if console::has_colours() {
        Style::Coloured
    } else {
        Style::Plain
    }
}
