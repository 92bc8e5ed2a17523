//! Errors of finding out how the tests of a project run.

use std::path::PathBuf;

use crate::jvm::JvmError;

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
