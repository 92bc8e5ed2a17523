//! The errors in finding the build tool of a project and compiling its tests.

use std::path::PathBuf;

use crate::jvm::JvmError;

/// The reason why the tests of a project cannot be prepared to run.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// The root folder of the project has no build file of Maven or Gradle.
    #[error(
        "no pom.xml and no Gradle build in {root}; give the root of the project, or the class path of its compiled \
         tests with --classpath"
    )]
    NoBuild {
        /// The folder without a build file.
        root: PathBuf,
    },
    /// The build tool of the project is not installed.
    #[error(
        "{root} has a {build} build, but neither a wrapper nor {program} on the search path; install it, or compile \
             the tests yourself and give their class path with --classpath"
    )]
    NoTool {
        /// The root folder of the project whose build tool is not installed.
        root: PathBuf,
        /// The name of the build tool: `Maven` or `Gradle`.
        build: &'static str,
        /// The name of the build tool's program: `mvn` or `gradle`.
        program: &'static str,
    },
    /// The build of the project's tests failed.
    #[error("the build of {root} failed ({how}): {command}\n{output}\n{remedy}")]
    Build {
        /// The root folder of the project whose build failed.
        root: PathBuf,
        /// How the build tool ended: `exit status 1` or `killed by signal 9`.
        how: String,
        /// The command line of the build that failed.
        command: String,
        /// The last lines that the failed build printed.
        output: String,
        /// What the user can do about it.
        remedy: String,
    },
    /// The build succeeded but named no module with compiled tests.
    #[error("{command} in {root} named no module with compiled tests; does the project have tests?")]
    NoModules {
        /// The root folder of the project without compiled tests.
        root: PathBuf,
        /// The command line of the build that named no module.
        command: String,
    },
    /// No module of the project has the name that the user gave.
    #[error("{root} has no module with compiled tests named {wanted}; --module takes a folder of the project")]
    NoSuchModule {
        /// The root folder of the project.
        root: PathBuf,
        /// The names that the user gave.
        wanted: String,
    },
    /// The build tool could not be started, a file could not be read or written, or the user interrupted.
    #[error(transparent)]
    Jvm(#[from] JvmError),
}
