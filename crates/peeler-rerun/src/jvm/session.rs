//! One JVM that runs tests, and the protocol between Peeler and the test runner in it.
//!
//! Commands go to the standard input of the JVM. Answers are lines of a file that only the test runner writes. Tests
//! may flood or close the standard streams without harm.
//!
//! ```text
//! -> run 1 shop.BasketTest adds        <- begin 1
//!                                      <- end 1 failed 5210 java.lang.AssertionError: ...
//! ```
//!
//! Invariant: a test that started has exactly one [`RunResult`]. If the JVM ends or hangs, that is an outcome, and the
//! session is over. The next test needs a new session.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use peeler_features::TestName;

use super::JvmError;
pub use super::answers::RunResult;
use super::answers::{Answers, cut, ended, last_words, place, unescaped};
#[cfg(target_os = "linux")]
use super::delayed_threads::DelayedThreads;
use super::nondex::{NonDex, shuffled_call};
use super::process::{Interrupt, ProcessTree, ending, settled_output};
use super::runner::{MAIN_CLASS, joined};
use super::sandbox::Sandbox;
use crate::evidence::Outcome;
use crate::intersect::loaded_classes;
use crate::perturbation::{Perturbation, StressThreads};
use crate::scratch_folder::ScratchFolder;

/// The time limit for the start of a JVM, after which it counts as hung.
const START_LIMIT: Duration = Duration::from_secs(120);

/// How long Peeler waits for a JVM with a hung test to say where the test hangs.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// The folder for the files of NonDex, in the scratch folder of a JVM.
const NONDEX: &str = "nondex";

/// What is needed to start a JVM for the tests of a module: program, class path, folder and options.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The path of the program `java`.
    pub java: PathBuf,
    /// The folder of Peeler's compiled Java test runner.
    pub runner: PathBuf,
    /// The class path of the tests that the JVM runs.
    pub classpath: Vec<PathBuf>,
    /// The working folder of the tests that the JVM runs.
    pub folder: PathBuf,
    /// The options of `java` that the build and the user gave, such as `-Xmx1g`.
    pub options: Vec<String>,
    /// The environment variables that the build sets for its tests.
    pub environment: BTreeMap<String, String>,
    /// The changed classes of the JDK, for JVMs in which unspecified behaviour varies.
    pub nondex: Option<NonDex>,
    /// The sandbox that the JVM runs in, if any.
    pub sandbox: Option<Sandbox>,
}

/// The conditions in which a JVM runs tests: a changed environment, and whether loaded classes are logged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Conditions {
    /// The change of the JVM's environment, such as another time zone.
    pub perturbation: Perturbation,
    /// Whether and how the JVM logs the classes that it loads.
    pub log_classes: ClassLog,
}

/// Whether and how a JVM logs the classes that it loads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ClassLog {
    /// The JVM does not log the classes that it loads.
    #[default]
    Off,
    /// The JVM logs the classes that it loads with `-Xlog`, the unified logging of Java 9 and newer.
    Unified,
    /// The JVM logs the classes that it loads with `-verbose:class`, for Java 8. No unit test covers this.
    Verbose,
}

/// A JVM that is running and runs one test for each command that it gets.
#[derive(Debug)]
pub struct Session {
    // The first field, so that these threads are stopped before the JVM is killed: while they run on the same processor
    // and read its files in `/proc`, Linux may take minutes to remove a process.
    load: Option<Load>,
    family: ProcessTree,
    input: Option<ChildStdin>,
    answers: Answers,
    class_log: Option<PathBuf>,
    commands: u64,
    has_begun: bool,
    is_over: bool,
    sandbox: Option<Sandbox>,
    folder: ScratchFolder,
}

/// Threads that keep processors busy or delay the threads of a JVM. They are stopped when this value is dropped.
#[derive(Debug)]
struct Load {
    _stress: StressThreads,
    #[cfg(target_os = "linux")]
    _delayed: Option<DelayedThreads>,
}

impl Session {
    /// Starts a JVM and waits until it accepts commands.
    ///
    /// # Errors
    ///
    /// When the JVM does not start. The error has its last output.
    pub fn start(launch: &Launch, conditions: &Conditions, interrupt: &Interrupt) -> Result<Self, JvmError> {
        let folder = ScratchFolder::new().map_err(|source| JvmError::Io {
            path: std::env::temp_dir(),
            source,
        })?;
        let answers_path = folder.path().join("answers");
        let answers = Answers::open(&answers_path).map_err(|source| JvmError::Io {
            path: answers_path.clone(),
            source,
        })?;
        let log = folder.path().join("classes.log");
        let mut command = Command::new(&launch.java);
        if launch.sandbox.is_some() {
            command.args(Sandbox::java_options(folder.path(), &launch.environment));
        }
        command.args(&launch.options);
        command.args(conditions.perturbation.jvm_options());
        if let Some(nondex) = &launch.nondex {
            command.args(nondex.options(&folder.path().join(NONDEX)));
        }
        command.args(class_log_options(conditions.log_classes, &log));
        let classpath: Vec<PathBuf> = [std::slice::from_ref(&launch.runner), &launch.classpath].concat();
        command.arg("-cp").arg(joined(&classpath));
        command.arg(MAIN_CLASS).arg(&answers_path);
        command.current_dir(&launch.folder).envs(&launch.environment);
        if let Some(sandbox) = &launch.sandbox {
            command = sandbox
                .enclose(&command, folder.path())
                .map_err(|source| JvmError::Io {
                    path: launch.folder.clone(),
                    source,
                })?;
        }
        let mut family = ProcessTree::start(command, Stdio::piped())?;
        let input = family.child().stdin.take();
        let load = Load {
            _stress: StressThreads::start(&conditions.perturbation),
            #[cfg(target_os = "linux")]
            _delayed: matches!(conditions.perturbation, Perturbation::Delay { .. })
                .then(|| DelayedThreads::start(family.mark())),
        };
        let mut session = Self {
            load: Some(load),
            family,
            input,
            answers,
            class_log: (conditions.log_classes != ClassLog::Off).then_some(log),
            commands: 0,
            has_begun: false,
            is_over: false,
            sandbox: launch.sandbox.clone(),
            folder,
        };
        match session.answer_to("ready", START_LIMIT, interrupt)? {
            Reply::Line(_) => Ok(session),
            Reply::Dead(how) => Err(JvmError::DoesNotStart {
                how,
                output: settled_output(&session.family),
            }),
            Reply::Silent => Err(JvmError::DoesNotStart {
                how: format!("nothing was heard of it for {} s", START_LIMIT.as_secs()),
                output: session.family.output(),
            }),
        }
    }

    /// Whether the JVM has ended or was killed, so that it can run no more tests.
    #[must_use]
    pub fn is_over(&mut self) -> bool {
        self.is_over || self.family.ended().is_some()
    }

    /// The id of the JVM process or of the tool that made its sandbox, which is also the id of its process group.
    #[must_use]
    pub fn process(&self) -> u32 {
        self.family.id()
    }

    /// Runs a test once. A test that takes longer than `limit` is killed with everything it started.
    ///
    /// Returns `None` if the JVM ended before the test started.
    ///
    /// # Errors
    ///
    /// When the user interrupts. The JVM is dead then.
    pub fn run(
        &mut self,
        test: &TestName,
        limit: Duration,
        interrupt: &Interrupt,
    ) -> Result<Option<RunResult>, JvmError> {
        self.commands += 1;
        let number = self.commands;
        let started = Instant::now();
        let line = format!("run\t{number}\t{}\t{}\n", test.class(), test.method());
        // If the JVM no longer reads its input, waiting for the answer will detect it.
        self.send(&line);
        self.has_begun = false;
        let reply = self.answer_to(&format!("end\t{number}\t"), limit, interrupt)?;
        let milliseconds = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let ended = match reply {
            Reply::Line(line) => ended(&line, milliseconds),
            Reply::Dead(_) if !self.has_begun => {
                self.end();
                return Ok(None);
            }
            Reply::Dead(how) => RunResult {
                outcome: Outcome::Crashed,
                milliseconds,
                failure: Some(last_words(&how, &settled_output(&self.family))),
            },
            Reply::Silent => {
                self.send("where\n");
                let place = match self.answer_to("where\t", LAST_WORDS, interrupt)? {
                    Reply::Line(line) => place(&unescaped(line.trim_start_matches("where\t"))),
                    Reply::Dead(_) | Reply::Silent => String::new(),
                };
                let seconds = limit.as_secs_f64();
                RunResult {
                    outcome: Outcome::TimedOut,
                    milliseconds,
                    failure: Some(cut(&format!("killed after {seconds} s{place}"))),
                }
            }
        };
        if matches!(ended.outcome, Outcome::Crashed | Outcome::TimedOut) {
            self.end();
        }
        Ok(Some(ended))
    }

    /// The classes that the JVM has loaded; `None` if they were not logged.
    #[must_use]
    pub fn loaded_classes(&self) -> Option<BTreeSet<String>> {
        let log = std::fs::read(self.class_log.as_ref()?).ok()?;
        Some(loaded_classes(&String::from_utf8_lossy(&log)))
    }

    /// The stack of the single shuffle that NonDex made in the JVM; `None` if it made none or was not asked for one.
    #[must_use]
    pub fn shuffled_call(&self) -> Option<Vec<String>> {
        shuffled_call(&self.folder.path().join(NONDEX))
    }

    fn send(&mut self, line: &str) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(line.as_bytes()).and_then(|()| input.flush());
        }
    }

    fn end(&mut self) {
        self.is_over = true;
        self.load = None;
        self.family.kill();
    }

    /// Waits at most `limit` for an answer of the JVM that starts with `beginning`.
    fn answer_to(&mut self, beginning: &str, limit: Duration, interrupt: &Interrupt) -> Result<Reply, JvmError> {
        let until = Instant::now() + limit;
        let mut pause = Duration::from_micros(200);
        loop {
            // The status is checked before reading, so the output of a dead JVM is complete when it is read.
            let status = self.family.ended();
            while let Some(line) = self.answers.next() {
                if line.starts_with(beginning) {
                    return Ok(Reply::Line(line));
                }
                self.has_begun |= line.starts_with("begin\t");
            }
            if let Some(status) = status {
                let sandboxed = self.sandbox.as_ref().map(|it| it.ending(status));
                return Ok(Reply::Dead(sandboxed.unwrap_or_else(|| ending(status))));
            }
            if interrupt.is_requested() {
                self.end();
                return Err(JvmError::Interrupted);
            }
            if Instant::now() >= until {
                return Ok(Reply::Silent);
            }
            std::thread::sleep(pause);
            // Short pauses first, for short tests; longer pauses later, to save processor time.
            pause = (pause * 2).min(Duration::from_millis(10));
        }
    }
}

/// The reply of a JVM to a command: a line, the end of the JVM (exit status or signal as a phrase), or none in time.
enum Reply {
    Line(String),
    Dead(String),
    Silent,
}

fn class_log_options(kind: ClassLog, file: &Path) -> Vec<String> {
    match kind {
        ClassLog::Off => Vec::new(),
        ClassLog::Unified => vec![format!("-Xlog:class+load:file={}:none", file.display())],
        ClassLog::Verbose => vec![
            "-XX:+UnlockDiagnosticVMOptions".to_owned(),
            "-XX:+LogVMOutput".to_owned(),
            format!("-XX:LogFile={}", file.display()),
            "-verbose:class".to_owned(),
        ],
    }
}
