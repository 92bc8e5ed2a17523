//! JVMs that run tests.
//!
//! | module | content |
//! |---|---|
//! | [`jdk`] | the lookup of `java` and `javac` |
//! | [`runner`] | the compiled runner, which a JVM executes beside the tests of a project |
//! | [`process`] | processes that end with everything they started; `watchdog` ends them after a kill |
//! | [`session`] | one JVM and the protocol with it; `answers` reads its replies |
//! | [`pool`] | the JVMs of a project, one for each module |
//! | `archive` | the lookup of classes in archives |

mod answers;
mod archive;
pub mod jdk;
pub mod pool;
pub mod process;
pub mod runner;
pub mod session;
mod watchdog;

use std::path::PathBuf;

use peeler_learning::atomic_file::remedy;

/// The reason why tests cannot be run. A failure or crash of a test is an outcome and never an error.
#[derive(Debug, thiserror::Error)]
pub enum JvmError {
    /// The program `java` or `javac` was not found.
    #[error("no {program} found {looked}; install a JDK, or name one with --java-home or JAVA_HOME")]
    NoJdk {
        /// The missing program: `java` or `javac`.
        program: &'static str,
        /// The place that was searched for the program, as a phrase.
        looked: String,
    },
    /// Neither the JUnit platform nor JUnit 4 is on the class path.
    #[error(
        "the class path has neither the launcher of the JUnit platform nor JUnit 4, so no test can be run; add \
         junit-platform-launcher to the test dependencies, or give it with --classpath"
    )]
    NoFramework,
    /// Peeler's test runner does not compile against the project's JUnit.
    #[error("the runner does not compile with {javac} against this class path; javac says:\n{output}")]
    Compiler {
        /// The path of the Java compiler that failed.
        javac: PathBuf,
        /// The output of the Java compiler.
        output: String,
    },
    /// A JVM that should run tests ended before it was ready.
    #[error("the JVM does not start ({how}); its last output:\n{output}")]
    DoesNotStart {
        /// The exit status or signal of the JVM, as a phrase.
        how: String,
        /// The last output of the JVM.
        output: String,
    },
    /// A program that running tests needs cannot be started.
    #[error("cannot start {program}: {source}")]
    CannotStart {
        /// The path of the program that cannot be started.
        program: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// A file cannot be read or written.
    #[error("cannot use {path}: {source}; {}", remedy(source))]
    Io {
        /// The file that cannot be read or written.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The user interrupted the confirmation.
    #[error("interrupted")]
    Interrupted,
}
