//! How the program talks on the terminal: colours, and how much it says besides the output.
//!
//! Options in front of or behind every command set it once, before the command runs.

use std::fmt::Display;
use std::io::{self, IsTerminal};
use std::sync::OnceLock;

use clap::{Args, ValueEnum};

/// The options about the terminal, which every command has.
#[derive(Debug, Clone, Copy, Default, Args)]
#[command(next_help_heading = "Terminal")]
pub(crate) struct ConsoleArgs {
    /// Print the output and errors only: no notes, no summary, no excerpts
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Print more: which settings, model and cache are used, and every finding with its source
    #[arg(short, long, global = true)]
    verbose: bool,
    /// When to use colours; `NO_COLOR` switches them off too
    #[arg(long, value_enum, value_name = "WHEN", default_value_t, global = true)]
    color: ColorChoice,
}

/// When the output has colours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    /// Always, also in files and pipes
    Always,
    /// Never
    Never,
}

/// How much the program says besides its output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verbosity {
    /// Errors only.
    Quiet,
    /// Notes and a summary.
    Normal,
    /// Notes, a summary and what the command used.
    Verbose,
}

static CONSOLE: OnceLock<ConsoleArgs> = OnceLock::new();

impl ConsoleArgs {
    /// Sets the options for the rest of the process.
    pub(crate) fn apply(self) {
        let _ = CONSOLE.set(self);
    }
}

fn arguments() -> ConsoleArgs {
    CONSOLE.get().copied().unwrap_or_default()
}

/// How much the program says besides its output.
pub(crate) fn verbosity() -> Verbosity {
    match arguments() {
        ConsoleArgs { quiet: true, .. } => Verbosity::Quiet,
        ConsoleArgs { verbose: true, .. } => Verbosity::Verbose,
        ConsoleArgs { .. } => Verbosity::Normal,
    }
}

/// Prints a line on standard error, unless the program is to be quiet.
pub(crate) fn note(text: impl Display) {
    if verbosity() != Verbosity::Quiet {
        eprintln!("{text}");
    }
}

/// Prints a line on standard error if the program is to say more than usual.
pub(crate) fn detail(text: impl Display) {
    if verbosity() == Verbosity::Verbose {
        eprintln!("{text}");
    }
}

/// Whether standard output gets colours: as `--color` says, or on a terminal unless `NO_COLOR` is set.
pub(crate) fn has_colours() -> bool {
    match arguments().color {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            let refused = std::env::var_os("NO_COLOR").is_some_and(|it| !it.is_empty());
            io::stdout().is_terminal() && !refused
        }
    }
}
