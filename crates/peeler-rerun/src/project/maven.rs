//! Maven: `test-compile` and `dependency:build-classpath` in one run, so that modules find each other's classes.
//!
//! Maven writes the class path of every module into the folder `target` of the module. The first run is offline,
//! because it is faster and changes nothing. If it fails, a run with the network follows.
//!
//! Left out: compiled tests outside `target/test-classes`. The unit tests run a script instead of Maven, which checks
//! the arguments and writes the files of the plugin. `integrations/try-packages` confirms a test with the real Maven.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::command::{command_line, run_build};
use super::error::ProjectError;
use super::folders::folders;
use super::module::{Module, Project};
use crate::jvm::JvmError;
use crate::jvm::process::Interrupt;

/// The file into which Maven writes the class path of a module, relative to the folder of the module.
const CLASSPATH: &str = "target/peeler-classpath.txt";

/// The goal of the Maven plugin that writes class paths. Its version is fixed, so that it does not depend on the
/// project.
const PLUGIN: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath";

/// Whether Maven may download plugins and libraries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Network {
    /// Maven must not download anything.
    Offline,
    /// Maven may download plugins and libraries.
    Online,
}

/// The Maven command that compiles the tests of a project and writes the class paths of its modules.
pub(super) fn command(program: &Path, root: &Path, network: Network) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root).args(["--batch-mode", "--quiet"]);
    if network == Network::Offline {
        command.arg("--offline");
    }
    command.args(["test-compile", PLUGIN, "-Dmdep.includeScope=test"]);
    command.arg(format!("-Dmdep.outputFile={CLASSPATH}"));
    command
}

/// Compiles the tests with Maven, and returns the modules of the project with their class paths.
pub(super) fn prepare(program: &Path, root: &Path, interrupt: &Interrupt) -> Result<Project, ProjectError> {
    // Class paths of earlier builds may belong to modules that no longer exist.
    for folder in folders(root) {
        let _ = std::fs::remove_file(folder.join(CLASSPATH));
    }
    match run_build(root, command(program, root, Network::Offline), interrupt) {
        Err(ProjectError::Build { .. }) => {
            run_build(root, command(program, root, Network::Online), interrupt)?;
        }
        other => {
            other?;
        }
    }
    let modules = modules(root)?;
    if modules.is_empty() {
        return Err(ProjectError::NoModules {
            root: root.to_owned(),
            command: command_line(&command(program, root, Network::Online)),
        });
    }
    Ok(Project { modules })
}

fn modules(root: &Path) -> Result<Vec<Module>, ProjectError> {
    let mut found = Vec::new();
    for folder in folders(root) {
        let tests = folder.join("target/test-classes");
        let file = folder.join(CLASSPATH);
        if !file.is_file() || !tests.is_dir() {
            continue;
        }
        let text = std::fs::read_to_string(&file).map_err(|source| JvmError::Io { path: file, source })?;
        let mut classpath = vec![tests.clone(), folder.join("target/classes")];
        classpath.extend(std::env::split_paths(text.trim()).filter(|it| *it != PathBuf::new()));
        found.push(Module {
            folder,
            tests: vec![tests],
            classpath,
        });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_compiles_and_asks_for_the_class_path_in_one_run() {
        let offline = command_line(&command(Path::new("./mvnw"), Path::new("."), Network::Offline));
        assert_eq!(
            offline,
            "./mvnw --batch-mode --quiet --offline test-compile \
             org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath -Dmdep.includeScope=test \
             -Dmdep.outputFile=target/peeler-classpath.txt"
        );
        let online = command_line(&command(Path::new("./mvnw"), Path::new("."), Network::Online));
        assert_eq!(online, offline.replace(" --offline", ""));
    }

    #[test]
    fn every_module_with_compiled_tests_has_its_own_class_path() {
        let root = tempfile::tempdir().expect("a folder");
        for (module, libraries) in [
            ("core", "/lib/a.jar:/lib/b.jar\n"),
            ("web/api", ""),
            ("no-tests", "/lib/a.jar"),
        ] {
            let target = root.path().join(module).join("target");
            std::fs::create_dir_all(&target).expect("a folder");
            std::fs::write(target.join("peeler-classpath.txt"), libraries).expect("a file");
            if module != "no-tests" {
                std::fs::create_dir(target.join("test-classes")).expect("a folder");
            }
        }
        let found = modules(root.path()).expect("modules");
        let core = root.path().join("core");
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[0].folder, core);
        let expected = [
            core.join("target/test-classes"),
            core.join("target/classes"),
            "/lib/a.jar".into(),
            "/lib/b.jar".into(),
        ];
        assert_eq!(found[0].classpath, expected);
        assert_eq!(found[1].classpath.len(), 2, "{found:?}");
    }
}
