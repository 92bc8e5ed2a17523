//! The build tool of a project, which compiles the tests and names their class paths.

use std::path::{Path, PathBuf};

use super::command::command_line;
use super::error::ProjectError;
use super::module::{Module, Project};
use super::{gradle, launcher, maven};
use crate::jvm::process::Interrupt;

/// How the tests of a project are compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Build {
    /// The tests are compiled already, and the user gives the class path.
    Classpath(Vec<PathBuf>),
    /// Maven compiles the tests.
    Maven {
        /// The path of the Maven wrapper or of `mvn`.
        program: PathBuf,
    },
    /// Gradle compiles the tests.
    Gradle {
        /// The path of the Gradle wrapper or of `gradle`.
        program: PathBuf,
    },
}

impl Build {
    /// The build tool of a project, found by the files in its root folder, such as `pom.xml`.
    ///
    /// # Errors
    ///
    /// When there is no build file, or the build tool is not installed.
    pub fn detect(root: &Path) -> Result<Self, ProjectError> {
        let has = |name: &str| root.join(name).is_file();
        let tool = |wrapper: &str, build: &'static str, program: &'static str| {
            let wrapper = root.join(if cfg!(windows) {
                format!("{wrapper}.cmd")
            } else {
                wrapper.to_owned()
            });
            if wrapper.is_file() {
                // The build runs in another folder, so the path has to be absolute.
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

    /// The commands that [`Self::prepare`] runs, as a user would type them; none for a given class path.
    #[must_use]
    pub fn commands(&self) -> Vec<String> {
        match self {
            Self::Classpath(_) => Vec::new(),
            Self::Maven { program } => vec![command_line(&maven::command(
                program,
                Path::new("."),
                maven::Network::Offline,
            ))],
            Self::Gradle { program } => vec![command_line(&gradle::command(
                program,
                Path::new("."),
                Path::new("peeler.gradle"),
                Path::new("classpaths"),
            ))],
        }
    }

    /// Compiles the tests of a project, and returns its modules with their class paths.
    ///
    /// # Errors
    ///
    /// When the build fails. The error contains the last lines of the output.
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

/// The path of a program in the folders of the variable `PATH`, if it is there.
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
}
