//! Runs of build tools such as Maven, and their command lines as text.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::error::ProjectError;
use super::jdk_hint::jdk_hint;
use crate::jvm::process::{Interrupt, complete, ending};
use crate::shell;

/// Runs the command of a build tool and returns the end of its output. A failed build is an error.
pub(super) fn run_build(root: &Path, command: Command, interrupt: &Interrupt) -> Result<String, ProjectError> {
    let line = command_line(&command);
    let (status, output) = complete(command, interrupt)?;
    if status.success() {
        return Ok(output);
    }
    let remedy = jdk_hint(&output).unwrap_or_else(|| {
        "the tests must compile first; or compile them yourself and give their class path with --classpath".to_owned()
    });
    Err(ProjectError::Build {
        root: root.to_owned(),
        how: ending(status),
        command: line,
        output: last_lines(&output, 30),
        remedy,
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

/// The path of a program in the folders of the variable `PATH`, if it is there.
pub(super) fn on_search_path(program: &str) -> Option<PathBuf> {
    let file = if cfg!(windows) {
        format!("{program}.cmd")
    } else {
        program.to_owned()
    };
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|it| it.join(&file))
        .find(|it| it.is_file())
}
