//! `peeler completions`: writes completion scripts for shells.

use std::io::{self, Write};

use clap::Args;
use clap_complete::Shell;

use crate::exit::ExitStatus;

/// Print a completion script for a shell
///
/// bash: `peeler completions bash > ~/.local/share/bash-completion/completions/peeler`. zsh: write it to a file
/// `_peeler` in a folder of `$fpath`. fish: `peeler completions fish > ~/.config/fish/completions/peeler.fish`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// Shell to complete for
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(arguments: &CompletionsArgs, mut program: clap::Command) -> anyhow::Result<ExitStatus> {
    // The generator panics if writing fails, and a pipe may be closed.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, env!("CARGO_PKG_NAME"), &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(ExitStatus::Success)
}
