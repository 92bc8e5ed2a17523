//! Runs of build tools such as Maven, and their command lines as text.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use super::error::ProjectError;
use crate::jvm::process::{Interrupt, complete, ending};
use crate::shell;

/// Runs the command of a build tool and returns the end of its output. A failed build is an error.
pub(super) fn run_build(root: &Path, command: Command, interrupt: &Interrupt) -> Result<String, ProjectError> {
    let line = command_line(&command);
    let (status, output) = complete(command, interrupt)?;
    if status.success() {
        return Ok(output);
    }
    Err(ProjectError::Build {
        root: root.to_owned(),
        how: ending(status),
        command: line,
        output: last_lines(&output, 30),
    })
}

fn last_lines(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

/// A command as a user would type it in a shell. Names that cannot be shown on one line are escaped.
pub(super) fn command_line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let word = |it: &OsStr| {
        let name = it.to_string_lossy();
        let is_plain = |it: char| it.is_ascii_alphanumeric() || "-_./=:,@+%".contains(it);
        if !name.is_empty() && name.chars().all(is_plain) {
            return name.into_owned();
        }
        shell::word(&name).unwrap_or_else(|| format!("{name:?}"))
    };
    words.map(word).collect::<Vec<_>>().join(" ")
}
