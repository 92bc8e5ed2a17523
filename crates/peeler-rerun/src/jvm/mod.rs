//! JVMs that run tests.
//!
//! [`jdk`] finds the programs, [`runner`] compiles our Java into something a JVM can run beside the project's tests,
//! [`process`] starts and ends processes with everything that they started, [`session`] talks to one JVM (`answers` reads what it says), and [`pool`]
//! keeps one for each module.

mod answers;
mod archive;
pub mod jdk;
pub mod pool;
pub mod process;
pub mod runner;
pub mod session;

use std::path::PathBuf;

/// Why tests could not be run. An outcome of a test is never an error, however bad.
#[derive(Debug, thiserror::Error)]
pub enum JvmError {
    /// There is no JDK.
    #[error("no {program} found {looked}; install a JDK, or name one with --java-home or JAVA_HOME")]
    NoJdk {
        /// `java` or `javac`.
        program: &'static str,
        /// Where it was looked for.
        looked: String,
    },
    /// Neither JUnit is on the class path.
    #[error(
        "the class path has neither the launcher of the JUnit platform nor JUnit 4, so no test can be run; add \
         junit-platform-launcher to the test dependencies, or give it with --classpath"
    )]
    NoFramework,
    /// Our Java does not compile against the project's JUnit.
    #[error("the runner does not compile with {javac} against this class path; javac says:\n{output}")]
    Compiler {
        /// The compiler.
        javac: PathBuf,
        /// What it says.
        output: String,
    },
    /// A JVM ended before it was ready.
    #[error("the JVM does not start ({how}); its last words:\n{output}")]
    DoesNotStart {
        /// How it ended.
        how: String,
        /// The end of its output.
        output: String,
    },
    /// A program cannot be started.
    #[error("cannot start {program}: {source}")]
    CannotStart {
        /// The program.
        program: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file of ours cannot be written.
    #[error("cannot use {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Somebody wants us to stop.
    #[error("interrupted")]
    Interrupted,
}
