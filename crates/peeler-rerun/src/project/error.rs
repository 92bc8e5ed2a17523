//! Errors of finding out how the tests of a project run.

use std::path::PathBuf;

use crate::jvm::JvmError;

/// Why Peeler cannot find out how the tests of a project run.
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
        /// `Maven` or `Gradle`.
        build: &'static str,
        /// `mvn` or `gradle`.
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
        /// How the build tool ended.
        how: String,
        /// The command line of the build.
        command: String,
        /// The last lines of its output.
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
    /// A process or a file failed.
    #[error(transparent)]
    Jvm(#[from] JvmError),
}
