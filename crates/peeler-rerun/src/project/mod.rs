//! How a project's tests are run: its modules, each with a class path and a folder to run in.
//!
//! A build is asked once to compile the tests and to say where everything is; from then on no build tool is involved.
//!
//! Left out: what a build does to its tests besides: forked JVM options, system properties, agents, generated resources of
//! later phases. `--jvm-arg` gives them by hand.

pub mod gradle;
pub mod launcher;
pub mod maven;

use std::path::{Path, PathBuf};
use std::process::Command;

use peeler_features::TestName;

use crate::jvm::JvmError;
use crate::jvm::process::{Interrupt, complete, ending};

/// Why it is not known how to run the tests.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// There is nothing to build with.
    #[error(
        "no pom.xml and no Gradle build in {root}; give the root of the project, or the class path of its compiled tests \
         with --classpath"
    )]
    NoBuild {
        /// The folder.
        root: PathBuf,
    },
    /// The build tool is not installed.
    #[error(
        "{root} has a {build} build, but neither a wrapper nor {program} on the search path; install it, or compile \
             the tests yourself and give their class path with --classpath"
    )]
    NoTool {
        /// The folder.
        root: PathBuf,
        /// `Maven` or `Gradle`.
        build: &'static str,
        /// `mvn` or `gradle`.
        program: &'static str,
    },
    /// The build failed.
    #[error(
        "the build of {root} failed ({how}): {command}\n{output}\nthe tests must compile first; or compile them yourself \
             and give their class path with --classpath"
    )]
    Build {
        /// The folder.
        root: PathBuf,
        /// How it ended.
        how: String,
        /// What was run.
        command: String,
        /// The end of its output.
        output: String,
    },
    /// The build said nothing.
    #[error("{command} in {root} named no module with compiled tests; does the project have tests?")]
    NoModules {
        /// The folder.
        root: PathBuf,
        /// What was run.
        command: String,
    },
    /// Something else went wrong with a process or a file.
    #[error(transparent)]
    Jvm(#[from] JvmError),
}

/// A project whose tests are compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// Its modules.
    pub modules: Vec<Module>,
}

/// A part of a project that is run for itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// The folder that its tests run in.
    pub folder: PathBuf,
    /// Folders with the compiled tests of this module and no other; empty if that is not known.
    pub tests: Vec<PathBuf>,
    /// Everything that its tests need, those folders included.
    pub classpath: Vec<PathBuf>,
}

/// How a project is built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Build {
    /// Not at all: the class path is given.
    Classpath(Vec<PathBuf>),
    /// By Maven.
    Maven {
        /// The wrapper, or `mvn`.
        program: PathBuf,
    },
    /// By Gradle.
    Gradle {
        /// The wrapper, or `gradle`.
        program: PathBuf,
    },
}

impl Build {
    /// How the project of a folder is built, by the files in it.
    ///
    /// # Errors
    ///
    /// When there is no build, or nothing to run it with.
    pub fn detect(root: &Path) -> Result<Self, ProjectError> {
        let has = |name: &str| root.join(name).is_file();
        let tool = |wrapper: &str, build: &'static str, program: &'static str| {
            let wrapper = root.join(if cfg!(windows) {
                format!("{wrapper}.cmd")
            } else {
                wrapper.to_owned()
            });
            if wrapper.is_file() {
                // The build runs in its own folder, where a relative path would point elsewhere.
                return Ok(wrapper.canonicalize().unwrap_or(wrapper));
            }
            on_search_path(program).ok_or(ProjectError::NoTool {
                root: root.to_owned(),
                build,
                program,
            })
        };
        if has("pom.xml") {
            let program = tool("mvnw", "Maven", "mvn")?;
            Ok(Self::Maven { program })
        } else if [
            "build.gradle",
            "build.gradle.kts",
            "settings.gradle",
            "settings.gradle.kts",
        ]
        .into_iter()
        .any(has)
        {
            let program = tool("gradlew", "Gradle", "gradle")?;
            Ok(Self::Gradle { program })
        } else {
            Err(ProjectError::NoBuild { root: root.to_owned() })
        }
    }

    /// The commands that [`Self::prepare`] runs, as a user would type them.
    #[must_use]
    pub fn commands(&self) -> Vec<String> {
        match self {
            Self::Classpath(_) => Vec::new(),
            Self::Maven { program } => vec![shown(&maven::command(program, Path::new("."), maven::Network::Offline))],
            Self::Gradle { program } => vec![shown(&gradle::command(
                program,
                Path::new("."),
                Path::new("peeler.gradle"),
                Path::new("classpaths"),
            ))],
        }
    }

    /// Compiles the tests and finds out how they are run.
    ///
    /// # Errors
    ///
    /// When the build fails, with the end of its output.
    pub fn prepare(&self, root: &Path, interrupt: &Interrupt) -> Result<Project, ProjectError> {
        let mut project = match self {
            Self::Classpath(classpath) => Project {
                modules: vec![Module {
                    folder: root.to_owned(),
                    tests: Vec::new(),
                    classpath: classpath.clone(),
                }],
            },
            Self::Maven { program } => maven::prepare(program, root, interrupt)?,
            Self::Gradle { program } => gradle::prepare(program, root, interrupt)?,
        };
        for module in &mut project.modules {
            launcher::add_missing(&mut module.classpath);
        }
        Ok(project)
    }
}

impl Project {
    /// The module that runs a test.
    #[must_use]
    pub fn module_of(&self, test: &TestName) -> Option<usize> {
        let file = format!("{}.class", test.class().replace('.', "/"));
        let has = |module: &Module| module.tests.is_empty() || module.tests.iter().any(|it| it.join(&file).is_file());
        self.modules.iter().position(has)
    }
}

/// Runs a build and gives its output; a failed build is an error.
fn built(root: &Path, command: Command, interrupt: &Interrupt) -> Result<String, ProjectError> {
    let line = shown(&command);
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

/// A command as it would be typed.
fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|it| it.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

fn on_search_path(program: &str) -> Option<PathBuf> {
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

/// The folders below a root that may be modules, in the order of their names.
fn folders(root: &Path) -> Vec<PathBuf> {
    const DEEPEST: usize = 8;
    let mut found = vec![root.to_owned()];
    let mut level = found.clone();
    for _ in 0..DEEPEST {
        let mut next = Vec::new();
        for folder in level {
            let Ok(entries) = folder.read_dir() else { continue };
            for entry in entries.flatten() {
                let name = entry.file_name();
                let name = name.to_string_lossy();
                let is_folder = entry.file_type().is_ok_and(|it| it.is_dir());
                if is_folder && !name.starts_with('.') && !matches!(&*name, "src" | "target" | "build" | "node_modules")
                {
                    next.push(entry.path());
                }
            }
        }
        found.extend(next.iter().cloned());
        level = next;
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrapper_comes_before_the_search_path() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("pom.xml"), "").expect("a file");
        std::fs::write(folder.path().join("mvnw"), "").expect("a file");
        let Ok(Build::Maven { program }) = Build::detect(folder.path()) else {
            panic!("it is Maven")
        };
        assert!(program.ends_with("mvnw"), "{program:?}");
    }

    #[test]
    fn a_folder_without_a_build_names_the_remedy() {
        let folder = tempfile::tempdir().expect("a folder");
        let message = Build::detect(folder.path()).expect_err("no build").to_string();
        assert!(message.contains("--classpath"), "{message}");
    }

    #[test]
    fn a_test_belongs_to_the_module_that_compiled_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let module = |name: &str, class: &str| {
            let tests = folder.path().join(name);
            std::fs::create_dir_all(tests.join("a")).expect("a folder");
            std::fs::write(tests.join("a").join(class), "").expect("a file");
            Module {
                folder: folder.path().to_owned(),
                tests: vec![tests],
                classpath: vec![],
            }
        };
        let project = Project {
            modules: vec![module("one", "B.class"), module("two", "C$D.class")],
        };
        let of = |text: &str| project.module_of(&text.parse().expect("a test"));
        assert_eq!((of("a.B#m"), of("a.C$D#m"), of("a.E#m")), (Some(0), Some(1), None));
    }
}
