//! The commands, one file each.

mod completions;
mod confirm;
mod corpus;
mod eval;
mod explain;
mod extract;
mod graph;
mod man;
mod report;
mod scan;
mod train;
mod train_rival;

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::{Args, Subcommand};
use peeler_analysis::{Analysis, Repository};
use peeler_features::TestName;

use crate::ExitStatus;
use crate::settings::{Settings, Source};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Completions(completions::CompletionsArgs),
    Confirm(Box<confirm::ConfirmArgs>),
    Corpus(corpus::CorpusArgs),
    Eval(eval::EvalArgs),
    Explain(explain::ExplainArgs),
    Extract(extract::ExtractArgs),
    Graph(graph::GraphArgs),
    Man(man::ManArgs),
    Report(report::ReportArgs),
    Scan(scan::ScanArgs),
    Train(train::TrainArgs),
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<ExitStatus> {
        match self {
            Self::Completions(arguments) => completions::run(&arguments),
            Self::Confirm(arguments) => confirm::run(&arguments),
            Self::Corpus(arguments) => corpus::run(&arguments),
            Self::Eval(arguments) => eval::run(&arguments),
            Self::Explain(arguments) => explain::run(&arguments),
            Self::Extract(arguments) => extract::run(&arguments),
            Self::Graph(arguments) => graph::run(&arguments),
            Self::Man(arguments) => man::run(&arguments),
            Self::Report(arguments) => report::run(&arguments),
            Self::Scan(arguments) => scan::run(&arguments),
            Self::Train(arguments) => train::run(&arguments),
        }
    }
}

/// The options that choose a settings file.
#[derive(Debug, Args)]
struct SettingsArgs {
    /// Settings file to use instead of the nearest `peeler.toml` at or above each path
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    config: Option<PathBuf>,
    /// Ignore `peeler.toml`
    #[arg(long)]
    no_config: bool,
}

impl SettingsArgs {
    /// The settings for a root.
    fn open(&self, root: &Path) -> anyhow::Result<Settings> {
        let source = match &self.config {
            Some(file) => Source::File(file),
            None if self.no_config => Source::Nothing,
            None => Source::Nearest,
        };
        Settings::open(root, source)
    }
}

/// An error if a repository has no tests.
fn require_tests(analysis: &Analysis<'_>, repository: &Repository, path: &Path) -> anyhow::Result<()> {
    if analysis.is_empty() {
        bail!(
            "no tests found in the {} Java files below {}; Peeler recognises JUnit 3, 4, 5 and TestNG tests written in \
             Java. Is this the root of the repository?",
            repository.files().len(),
            path.display()
        );
    }
    Ok(())
}

/// The most tests that an error suggests.
const MOST_SUGGESTIONS: usize = 5;

/// The error for a test that does not exist, with tests of the same method or class as suggestions.
fn no_such_test(analysis: &Analysis<'_>, wanted: &str, path: &Path) -> anyhow::Error {
    let name = wanted.parse::<TestName>().ok();
    let (class, method) = name.as_ref().map_or((wanted, wanted), |it| (it.class(), it.method()));
    let simple = class.rsplit(['.', '$']).next().unwrap_or(class);
    let near: Vec<String> = analysis
        .test_cases()
        .into_iter()
        .map(|case| case.name)
        .filter(|name| name.method() == method || name.class().ends_with(simple))
        .take(MOST_SUGGESTIONS)
        .map(String::from)
        .collect();
    let hint = if near.is_empty() {
        "run `peeler extract` without --test to list all tests".to_owned()
    } else {
        format!("did you mean {}?", near.join(" or "))
    };
    anyhow::anyhow!("no test {wanted} below {}; {hint}", path.display())
}
