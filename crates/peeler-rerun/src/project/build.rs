//! The build tool of a project, which compiles the tests and names their class paths.

use std::path::{Path, PathBuf};

use super::build_options::{BuildOptions, Network};
use super::command::{command_line, on_search_path};
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
            let installed = on_search_path(program);
            if wrapper.is_file() && (is_executable(&wrapper) || installed.is_none()) {
                // The build runs in another folder, so the path has to be absolute.
                return Ok(wrapper.canonicalize().unwrap_or(wrapper));
            }
            installed.ok_or(ProjectError::NoTool {
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

    /// The program of Maven: the wrapper of a project, or `mvn` on the search path; `None` if there is neither.
    #[must_use]
    pub fn maven(root: &Path) -> Option<PathBuf> {
        match Self::detect(root) {
            Ok(Self::Maven { program }) => Some(program),
            _ => on_search_path("mvn"),
        }
    }

    /// The commands that [`Self::prepare`] runs, as a user would type them; none for a given class path.
    #[must_use]
    pub fn commands(&self, options: &BuildOptions) -> Vec<String> {
        match self {
            Self::Classpath(_) => Vec::new(),
            Self::Maven { program } => vec![command_line(&maven::command(
                program,
                Path::new("."),
                Network::Offline,
                options,
            ))],
            Self::Gradle { program } => vec![command_line(&gradle::command(
                program,
                Path::new("."),
                [Path::new("peeler.gradle"), Path::new("classpaths")],
                Network::Offline,
                options,
            ))],
        }
    }

    /// Compiles the tests of a project, and returns its modules with their class paths.
    ///
    /// # Errors
    ///
    /// When the build fails. The error contains the last lines of the output.
    pub fn prepare(&self, root: &Path, options: &BuildOptions, interrupt: &Interrupt) -> Result<Project, ProjectError> {
        let mut project = match self {
            Self::Classpath(classpath) => Project {
                modules: vec![Module {
                    root: root.to_owned(),
                    folder: root.to_owned(),
                    classpath: classpath.clone(),
                    ..Module::default()
                }],
                notes: Vec::new(),
            },
            Self::Maven { program } => maven::prepare(program, root, options, interrupt)?,
            Self::Gradle { program } => gradle::prepare(program, root, options, interrupt)?,
        };
        if !options.modules.is_empty() {
            let is_wanted = |module: &Module| options.modules.iter().any(|it| is_module(root, &module.root, it));
            project.modules.retain(is_wanted);
            if project.modules.is_empty() {
                return Err(ProjectError::NoSuchModule {
                    root: root.to_owned(),
                    wanted: options.modules.join(", "),
                });
            }
        }
        for module in &mut project.modules {
            launcher::add_missing(&mut module.classpath);
        }
        Ok(project)
    }
}

/// Whether a file may be executed. Wrappers lose that right in archives.
#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|it| it.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_file: &Path) -> bool {
    true
}

/// Whether a folder is the module that a user named: by its path in the project, or by the folder's name. A colon
/// before the name, as Maven and Gradle write it, is accepted.
fn is_module(root: &Path, folder: &Path, wanted: &str) -> bool {
    let inside = folder.strip_prefix(root).unwrap_or(folder);
    let wanted = wanted.trim_start_matches(':').trim_end_matches('/').replace(':', "/");
    let is_root = inside == Path::new("") && wanted == ".";
    is_root || inside == Path::new(&wanted) || folder.file_name().is_some_and(|it| *it == *wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrapper_comes_before_the_search_path() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("pom.xml"), "").expect("a file");
        let wrapper = folder.path().join("mvnw");
        std::fs::write(&wrapper, "").expect("a file");
        let found = || match Build::detect(folder.path()) {
            Ok(Build::Maven { program }) => program,
            other => panic!("it is Maven, not {other:?}"),
        };
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // A wrapper that cannot be started is the last choice.
            let expected = on_search_path("mvn");
            assert_eq!(found().ends_with("mvnw"), expected.is_none());
            std::fs::set_permissions(&wrapper, std::fs::Permissions::from_mode(0o755)).expect("a mode");
        }
        assert!(found().ends_with("mvnw"), "{:?}", found());
    }

    #[test]
    fn a_module_is_named_by_its_path_or_its_folder() {
        let (root, folder) = (Path::new("/p"), Path::new("/p/web/api"));
        for wanted in ["web/api", "web/api/", "api", ":web:api", ":api"] {
            assert!(is_module(root, folder, wanted), "{wanted}");
        }
        for wanted in ["web", ".", "pi"] {
            assert!(!is_module(root, folder, wanted), "{wanted}");
        }
        assert!(is_module(root, root, "."));
    }

    #[test]
    fn a_folder_without_a_build_names_the_remedy() {
        let folder = tempfile::tempdir().expect("a folder");
        let message = Build::detect(folder.path()).expect_err("no build").to_string();
        assert!(message.contains("--classpath"), "{message}");
    }
}
