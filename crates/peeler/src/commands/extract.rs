//! `peeler extract`: writes the contextual paths of every test.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use peeler_analysis::{Analysis, CutMethodId, CutView, Extraction, Limits, Problem, Repository};
use peeler_features::TestName;
use peeler_learning::atomic_file::{AtomicFile, Durability};
use serde::Serialize;

use super::lookup::{find_test, require_tests};
use crate::exit::{ExitStatus, exit_if_closed};
use crate::{progress, render};

/// Extract the contextual paths of every test in a repository
///
/// Writes one JSON object per line for each test. Its fields are `test`, `file`, `line`, `framework`, `declared_in`,
/// `assertions`, and the dependency graph as `nodes` and `edges`. `cut_methods` are the repository's own methods that
/// the test calls. `paths` are indices of node, edge, node, ... from a START node, where data begins, to an ASSERT
/// node, which is in an assertion.
#[derive(Debug, Args)]
pub(crate) struct ExtractArgs {
    /// Java repository, or a single Java file
    path: PathBuf,
    /// Extract only this test, given as `package.Class#method`
    #[arg(long, value_name = "FQCN#METHOD")]
    test: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Jsonl)]
    format: Format,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print counts and times as one JSON object instead of the tests
    #[arg(long)]
    stats: bool,
    /// Also write the repository's methods that tests call to this file, each with its tokens, syntax tree paths and
    /// calls
    #[arg(long, value_name = "FILE")]
    cut_methods: Option<PathBuf>,
    /// With --cut-methods: how many levels of calls to follow from each method
    #[arg(long, value_name = "N", default_value_t = 2, requires = "cut_methods")]
    call_depth: usize,
    /// Most contextual paths per test
    #[arg(long, value_name = "N", default_value_t = Limits::default().paths)]
    max_paths: usize,
    /// Most nodes and edges per contextual path; longer paths lose their start
    #[arg(long, value_name = "N", default_value_t = Limits::default().elements)]
    max_elements: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One JSON object per line for each test
    Jsonl,
    /// Text for people
    Text,
}

/// One test in the output of `peeler extract`, which is one line of JSON.
#[derive(Serialize)]
struct TestLine<'e> {
    test: &'e str,
    file: &'e str,
    line: u32,
    framework: peeler_analysis::Framework,
    #[serde(skip_serializing_if = "Option::is_none")]
    declared_in: Option<&'e str>,
    assertions: &'e [peeler_analysis::AssertionView<'e>],
    nodes: &'e [peeler_analysis::NodeView<'e>],
    edges: &'e [peeler_analysis::EdgeView<'e>],
    cut_methods: &'e [peeler_analysis::CutReference],
    paths: &'e [peeler_analysis::PathView],
    dropped_paths: u64,
    problems: &'e [&'static str],
}

/// The JSON object that `peeler extract --stats` prints.
#[derive(Debug, Default, Serialize)]
struct Stats {
    files: usize,
    parsed_files: usize,
    bytes: u64,
    problems: Vec<Problem>,
    tests: usize,
    tests_with_paths: usize,
    tests_with_explicit_assertion: usize,
    paths: usize,
    dropped_paths: u64,
    mean_path_length: f64,
    cut_edges: usize,
    cut_edges_resolved: usize,
    milliseconds: Milliseconds,
    slowest_test: String,
    slowest_test_ms: f64,
    peak_rss_mb: Option<f64>,
}

#[derive(Debug, Default, Serialize)]
struct Milliseconds {
    read: f64,
    index: f64,
    discover: f64,
    extract: f64,
    total: f64,
}

/// The counts of one extracted test, and the text that `peeler extract` writes for it.
struct Summary {
    test: TestName,
    written: Vec<u8>,
    has_explicit_assertion: bool,
    paths: usize,
    dropped_paths: u64,
    elements: usize,
    cut_edges: usize,
    cut_edges_resolved: usize,
    cut_methods: Vec<CutMethodId>,
    took: Duration,
}

pub(crate) fn run(arguments: &ExtractArgs) -> anyhow::Result<ExitStatus> {
    if arguments.max_paths == 0 || arguments.max_elements < 3 {
        bail!("--max-elements must be at least 3 and --max-paths at least 1");
    }
    let started = Instant::now();
    let repository = Repository::open(&arguments.path)?;
    let read = started.elapsed();
    let analysis = Analysis::new(&repository);
    require_tests(&analysis, &repository, &arguments.path)?;
    let wanted = arguments.test.as_deref();
    let test = wanted.map(|it| find_test(&analysis, it, &arguments.path)).transpose()?;
    let mut output = Output::open(arguments)?;
    let mut stats = Stats::default();
    let mut elements = 0;
    let mut cut_methods = Vec::new();
    let mut slowest = Duration::ZERO;
    let mut failure = None;
    let bar = progress::bar("extracting", analysis.len());
    let extracting = Instant::now();
    analysis.extract(
        Limits {
            paths: arguments.max_paths,
            elements: arguments.max_elements,
        },
        |name| test.as_ref().is_none_or(|wanted| *wanted.as_str() == *name),
        |traced| summarise(&analysis.extraction(&traced), traced.took, arguments),
        |summary| {
            bar.inc(1);
            stats.tests += 1;
            stats.tests_with_paths += usize::from(summary.paths > 0);
            stats.tests_with_explicit_assertion += usize::from(summary.has_explicit_assertion);
            stats.paths += summary.paths;
            stats.dropped_paths = stats.dropped_paths.saturating_add(summary.dropped_paths);
            stats.cut_edges += summary.cut_edges;
            stats.cut_edges_resolved += summary.cut_edges_resolved;
            elements += summary.elements;
            if summary.took > slowest {
                slowest = summary.took;
                stats.slowest_test = summary.test.into();
            }
            if arguments.cut_methods.is_some() {
                cut_methods.extend(summary.cut_methods);
            }
            if failure.is_none() {
                failure = output.write_all(&summary.written).err();
                // The reader of the output is gone, so the analysis of the remaining tests would be useless work.
                failure.iter().for_each(exit_if_closed);
            }
        },
    );
    bar.finish_and_clear();
    if let Some(error) = failure {
        return Err(error).context(written_to(arguments));
    }
    if let Some(path) = &arguments.cut_methods {
        cut_methods.sort_unstable();
        cut_methods.dedup();
        let mut file = AtomicFile::create(path)?;
        for id in cut_methods {
            let mut line = serde_json::to_vec(&analysis.cut_method(id, arguments.call_depth))?;
            line.push(b'\n');
            file.write_all(&line).map_err(|it| file.error(it))?;
        }
        file.finish(Durability::Synced)?;
    }
    if arguments.stats {
        stats.files = repository.files().len();
        stats.parsed_files = analysis.parsed_files();
        stats.bytes = repository.bytes();
        stats.problems = repository.problems().to_vec();
        stats.problems.extend(analysis.problems());
        stats.problems.sort();
        stats.mean_path_length = rounded(ratio(elements, stats.paths));
        stats.slowest_test_ms = milliseconds(slowest);
        stats.milliseconds = Milliseconds {
            read: milliseconds(read),
            index: milliseconds(analysis.times().index),
            discover: milliseconds(analysis.times().discovery),
            extract: milliseconds(extracting.elapsed()),
            total: milliseconds(started.elapsed()),
        };
        stats.peak_rss_mb = peak_rss_mb();
        let text = format!("{}\n", serde_json::to_string_pretty(&stats)?);
        output
            .write_all(text.as_bytes())
            .with_context(|| written_to(arguments))?;
    }
    output.finish().with_context(|| written_to(arguments))?;
    Ok(ExitStatus::Success)
}

fn summarise(extraction: &Extraction<'_>, took: Duration, arguments: &ExtractArgs) -> Summary {
    let mut written = Vec::new();
    if !arguments.stats {
        match arguments.format {
            Format::Jsonl => {
                let line = TestLine {
                    test: extraction.case.name.as_str(),
                    file: &extraction.case.file,
                    line: extraction.case.line,
                    framework: extraction.case.framework,
                    declared_in: extraction.case.declared_in.as_deref(),
                    assertions: &extraction.assertions,
                    nodes: &extraction.nodes,
                    edges: &extraction.edges,
                    cut_methods: &extraction.cut_methods,
                    paths: &extraction.paths,
                    dropped_paths: extraction.dropped_paths,
                    problems: extraction.problems,
                };
                serde_json::to_writer(&mut written, &line).expect("writing to memory does not fail");
                written.push(b'\n');
            }
            Format::Text => written.extend(render::text::paths(extraction).into_bytes()),
        }
    }
    let resolved = |it: &&CutView| matches!(it, CutView::Resolved { .. });
    let cuts: Vec<&CutView> = extraction.edges.iter().filter_map(|it| it.cut.as_ref()).collect();
    Summary {
        test: extraction.case.name.clone(),
        written,
        has_explicit_assertion: extraction.has_explicit_assertion(),
        paths: extraction.paths.len(),
        dropped_paths: extraction.dropped_paths,
        elements: extraction.paths.iter().map(|it| it.elements.len()).sum(),
        cut_edges: cuts.len(),
        cut_edges_resolved: cuts.iter().copied().filter(|it| resolved(it)).count(),
        cut_methods: extraction.cut_methods.iter().map(|it| it.id).collect(),
        took,
    }
}

/// The file or standard output that `peeler extract` writes to.
enum Output {
    File(AtomicFile),
    Standard(BufWriter<io::StdoutLock<'static>>),
}

impl Output {
    fn open(arguments: &ExtractArgs) -> anyhow::Result<Self> {
        Ok(match &arguments.output {
            Some(path) => Self::File(AtomicFile::create(path)?),
            None => Self::Standard(BufWriter::with_capacity(1 << 16, io::stdout().lock())),
        })
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::File(file) => file.write_all(bytes),
            Self::Standard(out) => out.write_all(bytes),
        }
    }

    fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::File(file) => file.finish(Durability::Synced)?,
            Self::Standard(mut out) => out.flush()?,
        }
        Ok(())
    }
}

fn written_to(arguments: &ExtractArgs) -> String {
    match &arguments.output {
        Some(path) => format!("cannot write {}", path.display()),
        None => "cannot write to standard output".to_owned(),
    }
}

#[allow(clippy::cast_precision_loss)]
fn ratio(sum: usize, count: usize) -> f64 {
    if count == 0 { 0.0 } else { sum as f64 / count as f64 }
}

fn milliseconds(duration: Duration) -> f64 {
    rounded(duration.as_secs_f64() * 1e3)
}

fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// The peak memory of the process in megabytes, where the operating system reports it.
fn peak_rss_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|it| it.starts_with("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(rounded(kilobytes / 1024.0))
}
