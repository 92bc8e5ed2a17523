//! `peeler completions`: what a shell needs to complete the arguments of the program.

use std::io::{self, Write};

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::{Arguments, ExitStatus};

/// Print completions for a shell
///
/// bash: `peeler completions bash > ~/.local/share/bash-completion/completions/peeler`. zsh: write to a file `_peeler` in
/// a folder of `$fpath`. fish: `peeler completions fish > ~/.config/fish/completions/peeler.fish`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(arguments: &CompletionsArgs) -> anyhow::Result<ExitStatus> {
    // The generator panics where it cannot write, and a pipe may be closed.
    let mut script = Vec::new();
    let mut command = Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, env!("CARGO_PKG_NAME"), &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(ExitStatus::Success)
}
