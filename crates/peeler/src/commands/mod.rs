//! The commands of the program `peeler`, such as `peeler scan`, one file each.

mod completions;
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
mod libraries;
mod lookup;
mod man;
mod merge;
mod mine;
#[cfg(not(feature = "training"))]
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
mod train_rival;
mod tune;

use clap::Subcommand;

use crate::exit::ExitStatus;

/// A command of the program `peeler`, such as `scan`, with its arguments.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Completions(completions::CompletionsArgs),
    Confirm(Box<confirm::ConfirmArgs>),
    #[cfg(feature = "training")]
    Corpus(corpus::CorpusArgs),
    #[cfg(feature = "training")]
    Eval(eval::EvalArgs),
    Explain(explain::ExplainArgs),
    Extract(extract::ExtractArgs),
    Graph(graph::GraphArgs),
    Init(init::InitArgs),
    Libraries(libraries::LibrariesArgs),
    Man(man::ManArgs),
    Merge(merge::MergeArgs),
    Mine(mine::MineArgs),
    #[cfg(feature = "training")]
    Pretrain(pretrain::PretrainArgs),
    Report(report::ReportArgs),
    Rules(rules::RulesArgs),
    Scan(Box<scan::ScanArgs>),
    #[cfg(feature = "training")]
    Train(train::TrainArgs),
    #[cfg(not(feature = "training"))]
    #[command(aliases = ["corpus", "eval", "pretrain"], hide = true)]
    Train(not_built::NotBuiltArgs),
    Tune(tune::TuneArgs),
}

impl Command {
    /// Runs the command. `program` builds clap's description of the whole command line, for completions and manual
    /// pages.
    pub(crate) fn run(self, program: fn() -> clap::Command) -> anyhow::Result<ExitStatus> {
        match self {
            Self::Completions(arguments) => completions::run(&arguments, program()),
            Self::Confirm(arguments) => confirm::run(&arguments),
            #[cfg(feature = "training")]
            Self::Corpus(arguments) => corpus::run(&arguments),
            #[cfg(feature = "training")]
            Self::Eval(arguments) => eval::run(&arguments),
            Self::Explain(arguments) => explain::run(&arguments),
            Self::Extract(arguments) => extract::run(&arguments),
            Self::Graph(arguments) => graph::run(&arguments),
            Self::Init(arguments) => init::run(&arguments),
            Self::Libraries(arguments) => libraries::run(&arguments),
            Self::Man(arguments) => man::run(&arguments, program()),
            Self::Merge(arguments) => merge::run(&arguments),
            Self::Mine(arguments) => mine::run(&arguments),
            #[cfg(feature = "training")]
            Self::Pretrain(arguments) => pretrain::run(&arguments),
            Self::Report(arguments) => report::run(&arguments),
            Self::Rules(arguments) => rules::run(&arguments),
            Self::Scan(arguments) => scan::run(&arguments),
            #[cfg(feature = "training")]
            Self::Train(arguments) => train::run(&arguments),
            #[cfg(not(feature = "training"))]
            Self::Train(arguments) => not_built::run(&arguments),
            Self::Tune(arguments) => tune::run(&arguments),
        }
    }
}
