//! `peeler corpus`: builds and inspects labelled corpora.

mod fixes;
mod mined;
mod selection;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, Subcommand, ValueEnum};
use peeler_analysis::{Limits, MAX_DEPTH};
use peeler_eval::build::{BuildReport, build_corpus};
use peeler_eval::corpus::{CodeRecord, Corpus, GraphRecord, TestRecord};
use peeler_eval::labels::{Layout, read_commits, read_labels};
use peeler_features::{OracleFeature, StoredCode, TestFeatures};
use peeler_learning::atomic_file::{AtomicFile, Durability};
use serde::Serialize;

use self::selection::{MergeArgs, SelectArgs, merge, select};
use crate::exit::{ExitStatus, TO_STDOUT};
use crate::progress;

/// Build, inspect, merge, select from and export labelled corpora
#[derive(Debug, Args)]
pub(crate) struct CorpusArgs {
    #[command(subcommand)]
    command: CorpusCommand,
}

#[derive(Debug, Subcommand)]
enum CorpusCommand {
    Build(BuildArgs),
    Stats(StatsArgs),
    Export(ExportArgs),
    Merge(MergeArgs),
    Select(SelectArgs),
}

/// Build a corpus from a label file and checked-out sources
#[derive(Debug, Args)]
struct BuildArgs {
    /// File that labels tests as flaky or stable; the layout mined has none
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,
    /// Layout of the label file: which columns it has
    #[arg(long, value_enum)]
    layout: LayoutName,
    /// Folder with the sources, one subfolder per project (`owner+name` for IDoFT), or with git clones for mined
    /// and fixes
    #[arg(long, value_name = "DIR")]
    sources: PathBuf,
    /// Table with the columns `project` and `commit`: the checked-out commits, for IDoFT. Other projects are left out
    /// [default: all projects, each at the commit with most labels]
    #[arg(long, value_name = "FILE")]
    projects: Option<PathBuf>,
    /// With the layouts mined and fixes: file with names of repositories (`owner/name`) that must not be read
    #[arg(long, value_name = "FILE")]
    keep_out: Option<PathBuf>,
    /// File to write the corpus to
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum LayoutName {
    /// Columns of FlakeFlagger: `project,test,flaky,failing_runs,passing_runs`
    Flakeflagger,
    /// Columns of IDoFT: `repository,commit,module,test,category,status`
    Idoft,
    /// Columns `project,test,label[,category]`
    Csv,
    /// Columns of `peeler confirm --write-outcomes`: runs and failures under each change of the environment
    Proven,
    /// No label file: labels are mined from git clones. One to three snapshots of each, in which a test is flaky if a
    /// later commit marks or fixes it
    Mined,
    /// Columns `repository,test,category,status,pr` of IDoFT: flaky tests from git clones, each before and after the
    /// accepted pull request that fixed it
    Fixes,
}

/// Print the statistics of a corpus as JSON
#[derive(Debug, Args)]
struct StatsArgs {
    /// Corpus to read
    file: PathBuf,
}

/// Export a corpus for other programs
#[derive(Debug, Args)]
struct ExportArgs {
    /// Corpus to read
    file: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t = ExportFormat::Jsonl)]
    format: ExportFormat,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    /// One JSON object per line for each test
    Jsonl,
}

pub(crate) fn run(arguments: &CorpusArgs) -> anyhow::Result<ExitStatus> {
    match &arguments.command {
        CorpusCommand::Build(arguments) => build(arguments),
        CorpusCommand::Stats(arguments) => stats(arguments),
        CorpusCommand::Export(arguments) => export(arguments),
        CorpusCommand::Merge(arguments) => merge(arguments),
        CorpusCommand::Select(arguments) => select(arguments),
    }
}

fn open(path: &Path) -> anyhow::Result<File> {
    File::open(path).with_context(|| format!("cannot read {}; does it exist?", path.display()))
}

fn build(arguments: &BuildArgs) -> anyhow::Result<ExitStatus> {
    let commits = match &arguments.projects {
        Some(path) => read_commits(open(path)?).with_context(|| path.display().to_string())?,
        None => BTreeMap::new(),
    };
    let layout = match arguments.layout {
        LayoutName::Flakeflagger => Layout::FlakeFlagger,
        LayoutName::Idoft => Layout::Idoft,
        LayoutName::Csv => Layout::Csv,
        LayoutName::Proven => Layout::Proven,
        LayoutName::Mined => return build_mined(arguments),
        LayoutName::Fixes => return build_fixes(arguments),
    };
    let file = label_file(arguments)?;
    let mut labels = read_labels(open(file)?, layout, &commits).with_context(|| file.display().to_string())?;
    if !commits.is_empty() {
        // Projects that the table does not list are not wanted.
        labels.retain(|project, _| commits.contains_key(project));
    }
    let bar = progress::bar("building", labels.len());
    let (corpus, report) = build_corpus(&labels, &arguments.sources, Limits::default(), |_| bar.inc(1))?;
    bar.finish_and_clear();
    corpus.save(&arguments.output)?;
    eprint!("{}", summary(&corpus, &report));
    Ok(ExitStatus::Success)
}

fn label_file(arguments: &BuildArgs) -> anyhow::Result<&Path> {
    let file = arguments.labels.as_deref();
    file.context("this layout needs a label file; name it with --labels")
}

fn build_fixes(arguments: &BuildArgs) -> anyhow::Result<ExitStatus> {
    if arguments.projects.is_some() {
        bail!("the layout fixes finds the commits in the history of git clones; omit --projects");
    }
    let (corpus, report) = fixes::build(
        label_file(arguments)?,
        &arguments.sources,
        arguments.keep_out.as_deref(),
    )?;
    corpus.save(&arguments.output)?;
    eprint!("{}", summary(&corpus, &report));
    Ok(ExitStatus::Success)
}

fn build_mined(arguments: &BuildArgs) -> anyhow::Result<ExitStatus> {
    if arguments.labels.is_some() || arguments.projects.is_some() {
        bail!("the layout mined takes its labels from git clones; omit --labels and --projects");
    }
    let (corpus, report) = mined::build(&arguments.sources, arguments.keep_out.as_deref())?;
    corpus.save(&arguments.output)?;
    eprint!("{}", summary(&corpus, &report));
    Ok(ExitStatus::Success)
}

/// The maximum number of lost tests that the summary of a built corpus names for each reason of the loss. A lost test
/// has a label but was not found in the sources.
const NAMED: usize = 3;

fn summary(corpus: &Corpus, report: &BuildReport) -> String {
    use std::fmt::Write as _;
    let flaky = corpus.tests.iter().filter(|it| it.flaky).count();
    let mut out = format!(
        "{} tests ({flaky} flaky) of {} projects; {} of {} labels found",
        corpus.tests.len(),
        corpus.projects.len(),
        report.rows_found,
        report.rows
    );
    if report.assumed_stable > 0 {
        let _ = write!(out, ", {} unlisted tests taken as stable", report.assumed_stable);
    }
    out.push('\n');
    for (cause, tests) in &report.lost {
        let _ = writeln!(out, "  {} lost: {cause}", tests.len());
        for test in tests.iter().take(NAMED) {
            let _ = writeln!(out, "    {test}");
        }
        if tests.len() > NAMED {
            let _ = writeln!(out, "    ...");
        }
    }
    out
}

/// The JSON object that `peeler corpus stats` prints.
#[derive(Debug, Serialize)]
struct CorpusStats {
    version: u32,
    fingerprint: String,
    projects: usize,
    tests: usize,
    flaky: usize,
    categories: BTreeMap<String, usize>,
    groups_of_classes: usize,
    families_of_classes: usize,
    paths: usize,
    nodes: usize,
    edges: usize,
    methods: usize,
    strings: usize,
    tests_with_a_token_twin: usize,
    tests_with_a_path_twin: usize,
}

fn stats(arguments: &StatsArgs) -> anyhow::Result<ExitStatus> {
    let corpus = Corpus::load(&arguments.file)?;
    let mut categories: BTreeMap<String, usize> = BTreeMap::new();
    for category in corpus.tests.iter().filter_map(|it| it.category.clone()) {
        *categories.entry(category).or_default() += 1;
    }
    let twins = |bags: Vec<u64>| {
        let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
        for bag in bags {
            *counts.entry(bag).or_default() += 1;
        }
        counts.values().filter(|it| **it > 1).sum()
    };
    let sum = |count: fn(&GraphRecord) -> usize| corpus.tests.iter().map(|it| count(&it.features.graph)).sum();
    let distinct = |of: fn(&TestRecord) -> u32| corpus.tests.iter().map(of).collect::<BTreeSet<u32>>().len();
    let stats = CorpusStats {
        version: peeler_eval::corpus::VERSION,
        fingerprint: corpus.fingerprint(),
        projects: corpus.projects.len(),
        tests: corpus.tests.len(),
        flaky: corpus.tests.iter().filter(|it| it.flaky).count(),
        categories,
        groups_of_classes: distinct(|it| it.group),
        families_of_classes: distinct(|it| it.family),
        paths: sum(|it| it.paths.len()),
        nodes: sum(|it| it.nodes.len()),
        edges: sum(|it| it.edges.len()),
        methods: corpus.methods.len(),
        strings: corpus.strings.len(),
        tests_with_a_token_twin: twins(corpus.tests.iter().map(|it| it.token_bag).collect()),
        tests_with_a_path_twin: twins(corpus.tests.iter().map(|it| it.path_bag).collect()),
    };
    let mut out = io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, &stats)?;
    writeln!(out)?;
    Ok(ExitStatus::Success)
}

/// A test of a corpus as `peeler corpus export` writes it, with texts instead of indices into the corpus.
#[derive(Serialize)]
struct ExportedTest<'c> {
    project: &'c str,
    test: &'c str,
    file: &'c str,
    line: u32,
    label: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<&'c str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failing_and_passing_runs: Option<(u64, u64)>,
    group: u32,
    family: u32,
    lines: u32,
    tokens: Vec<&'c str>,
    words: Vec<&'c str>,
    context_words: Vec<&'c str>,
    reached_bodies: [[u32; MAX_DEPTH + 1]; 2],
    reached_calls: Vec<(u8, u8, String)>,
    causes: Vec<String>,
    flows: Vec<String>,
    oracles: Vec<String>,
    nodes: Vec<(&'c str, u8, u8, u32)>,
    edges: Vec<(u32, u32, &'c str, u8, Vec<&'c str>)>,
    paths: &'c [Vec<u32>],
}

fn export(arguments: &ExportArgs) -> anyhow::Result<ExitStatus> {
    let corpus = Corpus::load(&arguments.file)?;
    let Some(path) = &arguments.output else {
        let mut out = BufWriter::new(io::stdout().lock());
        write_tests(&corpus, arguments.format, &mut out).context(TO_STDOUT)?;
        out.flush().context(TO_STDOUT)?;
        return Ok(ExitStatus::Success);
    };
    let mut file = AtomicFile::create(path)?;
    write_tests(&corpus, arguments.format, &mut file).map_err(|it| file.error(it))?;
    file.finish(Durability::Synced)?;
    Ok(ExitStatus::Success)
}

fn write_tests(corpus: &Corpus, format: ExportFormat, out: &mut dyn Write) -> io::Result<()> {
    let text = |id: u32| corpus.strings[id as usize].as_str();
    for test in &corpus.tests {
        let features = corpus.features(test);
        let record = &test.features;
        let calls = |origin: u8, code: &CodeRecord| -> Vec<(u8, u8, String)> {
            let name = |owner, method| format!("{}#{}", text(owner), text(method));
            let calls = code.calls.iter();
            calls.map(|it| (origin, it.depth, name(it.owner, it.method))).collect()
        };
        let mut causes: Vec<String> = features.causes.iter().map(ToString::to_string).collect();
        causes.sort_unstable();
        let exported = ExportedTest {
            project: &corpus.projects[test.project as usize],
            test: record.name.as_str(),
            file: &test.file,
            line: test.line,
            label: if test.flaky { "flaky" } else { "stable" },
            category: test.category.as_deref(),
            failing_and_passing_runs: test.runs,
            group: test.group,
            family: test.family,
            tokens: features.tokens.iter().collect(),
            words: features.words.iter().collect(),
            context_words: features.context_words.iter().collect(),
            lines: record.lines,
            reached_bodies: [record.body.bodies, record.setup.bodies],
            reached_calls: [calls(0, &record.body), calls(1, &record.setup)].concat(),
            causes,
            flows: flow_names(&features),
            oracles: oracle_names(&features),
            nodes: record
                .graph
                .nodes
                .iter()
                .map(|it| (text(it.text), it.kind.0.code(), it.mark.0.code(), it.line))
                .collect(),
            edges: record
                .graph
                .edges
                .iter()
                .map(|it| {
                    let methods = it
                        .methods
                        .iter()
                        .map(|at| corpus.methods[*at as usize].signature.as_str());
                    (it.from, it.to, text(it.operation), it.kind.0.code(), methods.collect())
                })
                .collect(),
            paths: &record.graph.paths,
        };
        match format {
            ExportFormat::Jsonl => serde_json::to_writer(&mut *out, &exported)?,
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// The names under which models know the flows of a test, such as `PLR101 body`; sorted, each once.
fn flow_names(features: &TestFeatures<'_>) -> Vec<String> {
    let names: BTreeSet<String> = features.flows.iter().flat_map(|it| it.names()).collect();
    names.into_iter().collect()
}

/// The names under which models know what the assertions of a test compare, such as `expected keys 2`; sorted, each
/// once.
fn oracle_names(features: &TestFeatures<'_>) -> Vec<String> {
    let names: BTreeSet<String> = features.oracles.iter().flat_map(OracleFeature::names).collect();
    names.into_iter().collect()
}
