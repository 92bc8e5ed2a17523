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

/// Which settings a command uses.
#[derive(Debug, Args)]
struct SettingsArgs {
    /// Settings to use instead of the nearest `peeler.toml` at or above a path
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    config: Option<PathBuf>,
    /// Use no `peeler.toml`
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

/// Refuses a repository without tests with words that help.
fn require_tests(analysis: &Analysis<'_>, repository: &Repository, path: &Path) -> anyhow::Result<()> {
    if analysis.is_empty() {
        bail!(
            "no tests found in the {} Java files below {}; JUnit 3, 4, 5 and TestNG tests in Java are recognised: \
             is this the root of the repository?",
            repository.files().len(),
            path.display()
        );
    }
    Ok(())
}

/// Explains a test name that matches nothing, with the names that come close.
fn no_such_test(analysis: &Analysis<'_>, wanted: &str, path: &Path) -> anyhow::Error {
    let method = wanted.rsplit('#').next().unwrap_or(wanted);
    let class = wanted.split('#').next().unwrap_or(wanted);
    let simple = class.rsplit(['.', '$']).next().unwrap_or(class);
    let mut near: Vec<String> = analysis
        .test_cases()
        .into_iter()
        .map(|case| case.name)
        .filter(|name| name.ends_with(&format!("#{method}")) || name.contains(&format!("{simple}#")))
        .collect();
    near.truncate(5);
    let hint = if near.is_empty() {
        "`peeler extract` without --test lists all".to_owned()
    } else {
        format!("did you mean {}?", near.join(" or "))
    };
    anyhow::anyhow!("no test {wanted} below {}; {hint}", path.display())
}
