//! `peeler man`: writes manual pages with the texts of `--help`.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use clap_mangen::Man;
use peeler_learning::atomic_file::{self, Durability};

use crate::exit::ExitStatus;

/// Print the manual page, or write the pages of all commands to a folder
///
/// `peeler man | man -l -` shows the page of the program. `peeler man --out DIR` writes one page per command.
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Folder for `peeler.1`, `peeler-scan.1` and the other pages; created if it does not exist
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(arguments: &ManArgs, program: clap::Command) -> anyhow::Result<ExitStatus> {
    let mut program = program.disable_help_subcommand(true);
    program.build();
    let Some(folder) = &arguments.out else {
        io::stdout().lock().write_all(&page(&program)?)?;
        return Ok(ExitStatus::Success);
    };
    fs::create_dir_all(folder).with_context(|| {
        format!(
            "cannot create the folder {}; choose another one with --out",
            folder.display()
        )
    })?;
    let mut pending = vec![program];
    while let Some(command) = pending.pop() {
        let name = command.get_display_name().unwrap_or_else(|| command.get_name());
        let path = folder.join(format!("{name}.1"));
        atomic_file::replace(&path, &[&page(&command)?], Durability::Fast)?;
        pending.extend(command.get_subcommands().filter(|it| !it.is_hide_set()).cloned());
    }
    Ok(ExitStatus::Success)
}

fn page(command: &clap::Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    Ok(page)
}
