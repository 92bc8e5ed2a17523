//! Errors in the detection and the build of a project.

use std::path::PathBuf;

use crate::jvm::JvmError;

/// The reason why the tests of a project cannot be prepared to run.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// The folder has no build file of Maven or Gradle.
    #[error(
        "no pom.xml and no Gradle build in {root}; give the root of the project, or the class path of its compiled \
         tests with --classpath"
    )]
    NoBuild {
        /// The root of the project.
        root: PathBuf,
    },
    /// The build tool is not installed.
    #[error(
        "{root} has a {build} build, but neither a wrapper nor {program} on the search path; install it, or compile \
             the tests yourself and give their class path with --classpath"
    )]
    NoTool {
        /// The root of the project.
        root: PathBuf,
        /// The name of the build tool: `Maven` or `Gradle`.
        build: &'static str,
        /// The name of the build tool's program: `mvn` or `gradle`.
        program: &'static str,
    },
    /// The build failed.
    #[error(
        "the build of {root} failed ({how}): {command}\n{output}\nthe tests must compile first; or compile them \
             yourself and give their class path with --classpath"
    )]
    Build {
        /// The root of the project.
        root: PathBuf,
        /// The exit status or signal of the build tool, as a phrase.
        how: String,
        /// The command line of the build.
        command: String,
        /// The last lines of the build's output.
        output: String,
    },
    /// The build named no module with tests.
    #[error("{command} in {root} named no module with compiled tests; does the project have tests?")]
    NoModules {
        /// The root of the project.
        root: PathBuf,
        /// The command line of the build.
        command: String,
    },
    /// A process could not be started, or a file could not be read or written.
    #[error(transparent)]
    Jvm(#[from] JvmError),
}
