//! The commands, one file each.

mod completions;
mod confirm;
mod corpus;
mod eval;
mod explain;
mod extract;
mod graph;
mod libraries;
mod lookup;
mod man;
pub(crate) mod report;
mod rule_args;
mod rules;
mod scan;
mod settings_args;
mod train;
mod train_rival;

use clap::Subcommand;

use crate::exit::ExitStatus;

/// A command with its arguments.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Completions(completions::CompletionsArgs),
    Confirm(Box<confirm::ConfirmArgs>),
    Corpus(corpus::CorpusArgs),
    Eval(eval::EvalArgs),
    Explain(explain::ExplainArgs),
    Extract(extract::ExtractArgs),
    Graph(graph::GraphArgs),
    Libraries(libraries::LibrariesArgs),
    Man(man::ManArgs),
    Report(report::ReportArgs),
    Rules(rules::RulesArgs),
    Scan(scan::ScanArgs),
    Train(train::TrainArgs),
}

impl Command {
    /// Runs the command. `program` builds the complete command line, which completions and manual pages need.
    pub(crate) fn run(self, program: fn() -> clap::Command) -> anyhow::Result<ExitStatus> {
        match self {
            Self::Completions(arguments) => completions::run(&arguments, program()),
            Self::Confirm(arguments) => confirm::run(&arguments),
            Self::Corpus(arguments) => corpus::run(&arguments),
            Self::Eval(arguments) => eval::run(&arguments),
            Self::Explain(arguments) => explain::run(&arguments),
            Self::Extract(arguments) => extract::run(&arguments),
            Self::Graph(arguments) => graph::run(&arguments),
            Self::Libraries(arguments) => libraries::run(&arguments),
            Self::Man(arguments) => man::run(&arguments, program()),
            Self::Report(arguments) => report::run(&arguments),
            Self::Rules(arguments) => rules::run(&arguments),
            Self::Scan(arguments) => scan::run(&arguments),
            Self::Train(arguments) => train::run(&arguments),
        }
    }
}
