//! The JVMs in which `peeler confirm` runs tests.
//!
//! | module | content |
//! |---|---|
//! | [`jdk`] | the lookup of `java` and `javac` |
//! | [`runner`] | Peeler's compiled Java program, with which a JVM runs the tests of a project |
//! | [`process`] | processes that end with everything they started; `watchdog` ends them after Peeler is killed |
//! | [`session`] | one JVM and the protocol with it; `answers` reads its replies |
//! | [`sandbox`] | what keeps tests from the network and from the user's files; `mounts` says which files they see |
//! | [`pool`] | the JVMs of a project, one for each module |
//! | `archive` | the lookup of classes in archives |
//! | [`nondex`] | classes of the JDK in which unspecified behaviour varies |
//! | `delayed_threads` | low priority for threads that tests start |

mod answers;
mod archive;
#[cfg(target_os = "linux")]
mod delayed_threads;
pub mod jdk;
mod mounts;
pub mod nondex;
pub mod pool;
pub mod process;
pub mod runner;
pub mod sandbox;
pub mod session;
mod watchdog;

use std::path::PathBuf;

use peeler_learning::atomic_file::remedy;

/// The reason why `peeler confirm` cannot run tests. A failure or crash of a test is an outcome and never an error.
#[derive(Debug, thiserror::Error)]
pub enum JvmError {
    /// The program `java` or `javac` of a JDK was not found.
    #[error("no {program} found {looked}; install a JDK, or name one with --java-home or JAVA_HOME")]
    NoJdk {
        /// The missing program: `java` or `javac`.
        program: &'static str,
        /// The place that was searched for the program, as a phrase, such as `on the search path`.
        looked: String,
    },
    /// Neither the launcher of the JUnit platform nor JUnit 4 nor TestNG is on the class path of the tests.
    #[error(
        "the class path has neither the launcher of the JUnit platform nor JUnit 4 nor TestNG, so no test can be \
         run; add junit-platform-launcher to the test dependencies, or give it with --classpath"
    )]
    NoFramework,
    /// Peeler's Java test runner does not compile against the project's class path.
    #[error("the runner does not compile with {javac} against this class path; javac says:\n{output}")]
    Compiler {
        /// The path of the Java compiler that failed.
        javac: PathBuf,
        /// The messages of the Java compiler.
        output: String,
    },
    /// A JVM that should run tests ended, or was silent for two minutes, before it was ready.
    #[error("the JVM does not start ({how}); its last output:\n{output}")]
    DoesNotStart {
        /// How the start of the JVM failed, as a phrase: its exit status, a signal, or its long silence.
        how: String,
        /// The last output of the JVM that did not start.
        output: String,
    },
    /// A program that is needed to run tests, such as `java`, cannot be started.
    #[error("cannot start {program}: {source}")]
    CannotStart {
        /// The path of the program that cannot be started.
        program: PathBuf,
        /// The error of the operating system when the program was to be started.
        source: std::io::Error,
    },
    /// Unspecified behaviour of Java cannot be varied with NonDex.
    #[error("NonDex cannot be used: {reason}")]
    NonDex {
        /// Why NonDex cannot be used, and the remedy.
        reason: String,
    },
    /// A file or folder that is needed to run tests cannot be read or written.
    #[error("cannot use {path}: {source}; {}", remedy(source))]
    Io {
        /// The file or folder that cannot be read or written.
        path: PathBuf,
        /// The error of the operating system about the file or folder that cannot be read or written.
        source: std::io::Error,
    },
    /// The user interrupted `peeler confirm`.
    #[error("interrupted")]
    Interrupted,
}
