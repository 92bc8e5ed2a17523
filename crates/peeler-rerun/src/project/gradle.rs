//! Gradle: an init script adds a task that compiles the tests of every Gradle project and writes their class paths.
//!
//! Gradle runs without a daemon, so that no process stays alive after the build.
//!
//! Left out: projects without the plugin `java`, such as those for Android. The unit tests replace Gradle by a script
//! that writes the files of the task. No test runs the init script itself.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::command::{command_line, run_build};
use super::error::ProjectError;
use super::module::{Module, Project};
use crate::jvm::JvmError;
use crate::jvm::process::Interrupt;
use crate::scratch_folder::ScratchFolder;

/// The init script that Peeler gives to Gradle. It adds a task to every project with the plugin `java`.
///
/// The task writes one file for each project. Its lines are `folder <project>`, `tests <folder of compiled tests>` and
/// `entry <entry of the class path>`.
const INIT_SCRIPT: &str = include_str!("peeler.gradle");

/// The Gradle command that runs Peeler's init script, whose task compiles the tests and writes class paths into `out`.
pub(super) fn command(program: &Path, root: &Path, script: &Path, out: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root);
    command.args(["--no-daemon", "--console=plain", "--quiet", "--init-script"]);
    command.arg(script).arg(format!("-Dpeeler.out={}", out.display()));
    command.arg("peelerTestClasspath");
    command
}

/// Compiles the tests with Gradle, and returns the modules and class paths that Peeler's init script wrote.
pub(super) fn prepare(program: &Path, root: &Path, interrupt: &Interrupt) -> Result<Project, ProjectError> {
    let folder = ScratchFolder::new().map_err(|source| JvmError::Io {
        path: std::env::temp_dir(),
        source,
    })?;
    let script = folder.path().join("peeler.gradle");
    let out = folder.path().join("classpaths");
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| JvmError::Io { path, source }
    };
    std::fs::write(&script, INIT_SCRIPT).map_err(io(&script))?;
    std::fs::create_dir(&out).map_err(io(&out))?;
    let line = command_line(&command(program, root, &script, &out));
    run_build(root, command(program, root, &script, &out), interrupt)?;
    let mut files: Vec<PathBuf> = out
        .read_dir()
        .map_err(io(&out))?
        .filter_map(|it| it.ok().map(|it| it.path()))
        .collect();
    files.sort();
    let mut modules = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(io(&file))?;
        modules.extend(module(&text));
    }
    if modules.is_empty() {
        return Err(ProjectError::NoModules {
            root: root.to_owned(),
            command: line,
        });
    }
    Ok(Project { modules })
}

/// The module that a file of Peeler's Gradle init script describes; `None` for a project without compiled tests.
fn module(text: &str) -> Option<Module> {
    let values = |key: &'static str| {
        text.lines()
            .filter_map(move |line| line.strip_prefix(key))
            .map(PathBuf::from)
    };
    let tests: Vec<PathBuf> = values("tests ").filter(|it| it.is_dir()).collect();
    if tests.is_empty() {
        return None;
    }
    Some(Module {
        folder: values("folder ").next()?,
        tests,
        classpath: values("entry ").collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_leaves_no_daemon() {
        let command = command(
            Path::new("./gradlew"),
            Path::new("."),
            Path::new("i.gradle"),
            Path::new("out"),
        );
        assert_eq!(
            command_line(&command),
            "./gradlew --no-daemon --console=plain --quiet --init-script i.gradle -Dpeeler.out=out peelerTestClasspath"
        );
    }

    #[test]
    fn a_project_without_compiled_tests_is_no_module() {
        let tests = tempfile::tempdir().expect("a folder");
        let text = format!(
            "folder /p\ntests {}\nentry /a b.jar\nentry /c.jar\n",
            tests.path().display()
        );
        let found = module(&text).expect("a module");
        assert_eq!(found.classpath, [Path::new("/a b.jar"), Path::new("/c.jar")]);
        assert_eq!(module("folder /p\ntests /nowhere/at/all\nentry /a.jar\n"), None);
    }
}
