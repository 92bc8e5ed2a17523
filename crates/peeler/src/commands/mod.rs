//! The commands of the program `peeler`, such as `peeler scan`, one file each.

mod completions;
#[cfg(feature = "confirm")]
mod confirm;
#[cfg(feature = "training")]
mod corpus;
#[cfg(feature = "training")]
mod eval;
mod explain;
mod extract;
mod fleet_args;
mod graph;
mod init;
#[cfg(feature = "training")]
mod libraries;
mod lookup;
mod man;
mod merge;
#[cfg(feature = "history")]
mod mine;
#[cfg(not(all(feature = "confirm", feature = "history", feature = "training")))]
mod not_built;
#[cfg(feature = "training")]
mod pretrain;
pub(crate) mod report;
mod rule_args;
mod rules;
mod scan;
mod settings_args;
#[cfg(feature = "training")]
mod train;
#[cfg(feature = "training")]
mod train_corpus;
#[cfg(feature = "training")]
mod train_rival;
#[cfg(feature = "history")]
mod tune;
#[cfg(not(feature = "history"))]
#[path = "tune_not_built.rs"]
mod tune;

use clap::Subcommand;

use crate::exit::ExitStatus;

/// A command of the program `peeler`, such as `scan`, with its arguments.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Completions(completions::CompletionsArgs),
    #[cfg(feature = "confirm")]
    Confirm(Box<confirm::ConfirmArgs>),
    #[cfg(not(feature = "confirm"))]
    #[command(hide = true)]
    Confirm(not_built::NotBuiltArgs),
    #[cfg(feature = "training")]
    Corpus(corpus::CorpusArgs),
    #[cfg(feature = "training")]
    Eval(eval::EvalArgs),
    Explain(explain::ExplainArgs),
    Extract(extract::ExtractArgs),
    Graph(graph::GraphArgs),
    Init(init::InitArgs),
    #[cfg(feature = "training")]
    Libraries(libraries::LibrariesArgs),
    Man(man::ManArgs),
    Merge(merge::MergeArgs),
    #[cfg(feature = "history")]
    Mine(mine::MineArgs),
    #[cfg(not(feature = "history"))]
    #[command(alias = "tune", hide = true)]
    Mine(not_built::NotBuiltArgs),
    #[cfg(feature = "training")]
    Pretrain(pretrain::PretrainArgs),
    Report(report::ReportArgs),
    Rules(rules::RulesArgs),
    Scan(Box<scan::ScanArgs>),
    #[cfg(feature = "training")]
    Train(train::TrainArgs),
    #[cfg(not(feature = "training"))]
    #[command(aliases = ["corpus", "eval", "libraries", "pretrain"], hide = true)]
    Train(not_built::NotBuiltArgs),
    #[cfg(feature = "history")]
    Tune(tune::TuneArgs),
}

impl Command {
    /// Runs the command. `program` builds clap's description of the whole command line, for completions and manual
    /// pages.
    pub(crate) fn run(self, program: fn() -> clap::Command) -> anyhow::Result<ExitStatus> {
        match self {
            Self::Completions(arguments) => completions::run(&arguments, program()),
            #[cfg(feature = "confirm")]
            Self::Confirm(arguments) => confirm::run(&arguments),
            #[cfg(not(feature = "confirm"))]
            Self::Confirm(_) => not_built::run("the command confirm", "confirm"),
            #[cfg(feature = "training")]
            Self::Corpus(arguments) => corpus::run(&arguments),
            #[cfg(feature = "training")]
            Self::Eval(arguments) => eval::run(&arguments),
            Self::Explain(arguments) => explain::run(&arguments),
            Self::Extract(arguments) => extract::run(&arguments),
            Self::Graph(arguments) => graph::run(&arguments),
            Self::Init(arguments) => init::run(&arguments),
            #[cfg(feature = "training")]
            Self::Libraries(arguments) => libraries::run(&arguments),
            Self::Man(arguments) => man::run(&arguments, program()),
            Self::Merge(arguments) => merge::run(&arguments),
            #[cfg(feature = "history")]
            Self::Mine(arguments) => mine::run(&arguments),
            #[cfg(not(feature = "history"))]
            Self::Mine(_) => not_built::run("the commands mine and tune", "history"),
            #[cfg(feature = "training")]
            Self::Pretrain(arguments) => pretrain::run(&arguments),
            Self::Report(arguments) => report::run(&arguments),
            Self::Rules(arguments) => rules::run(&arguments),
            Self::Scan(arguments) => scan::run(&arguments),
            #[cfg(feature = "training")]
            Self::Train(arguments) => train::run(&arguments),
            #[cfg(not(feature = "training"))]
            Self::Train(_) => not_built::run("the commands train, eval, corpus, libraries and pretrain", "training"),
            #[cfg(feature = "history")]
            Self::Tune(arguments) => tune::run(&arguments),
        }
    }
}
