//! The JVMs in which the tests of a project run: at most one for each module, started when its first test runs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use peeler_features::TestName;

use super::JvmError;
use super::jdk::Jdk;
use super::nondex::NonDex;
use super::process::{Interrupt, complete};
use super::runner;
use super::sandbox::Sandbox;
use super::session::{ClassLog, Conditions, Launch, RunResult, Session};
use crate::evidence::Outcome;
use crate::machine::{Machine, MachineRun};
use crate::perturbation::Perturbation;
use crate::project::Project;

/// The factor by which the time limit of a test is raised when a changed environment slows tests down.
const SLOWER: u32 = 4;

/// How often Peeler tries to run a test whose JVM ends before the test starts.
const ATTEMPTS: u32 = 3;

/// The user's settings for the JVMs that run tests.
#[derive(Debug, Clone)]
pub struct JvmSettings {
    /// The options of `java` that every JVM gets, such as `-Xmx1g`.
    pub options: Vec<String>,
    /// The time limit of a test, in an environment that is not slowed down.
    pub limit: Duration,
    /// The folder that caches Peeler's compiled Java test runner, and classes of the JDK that NonDex changed.
    pub cache: PathBuf,
    /// The program of Maven, with which NonDex is had; `None` if there is none.
    pub maven: Option<PathBuf>,
    /// The sandbox that every JVM runs in, if any.
    pub sandbox: Option<Sandbox>,
}

/// The JVMs in which the tests of a project run, at most one for each module.
#[derive(Debug)]
pub struct Pool<'a> {
    project: &'a Project,
    jdk: Jdk,
    settings: JvmSettings,
    interrupt: Interrupt,
    conditions: Conditions,
    sessions: BTreeMap<usize, (u32, Session)>,
    last_jvm: u32,
    class_log: Option<ClassLog>,
    nondex: Option<NonDex>,
    /// The class of the test that ran last.
    last_class: String,
}

impl<'a> Pool<'a> {
    /// A pool in which no JVM runs yet. JVMs are numbered from `last_jvm + 1` on.
    #[must_use]
    pub fn new(project: &'a Project, jdk: Jdk, settings: JvmSettings, interrupt: Interrupt, last_jvm: u32) -> Self {
        Self {
            project,
            jdk,
            settings,
            interrupt,
            conditions: Conditions::default(),
            sessions: BTreeMap::new(),
            last_jvm,
            class_log: None,
            nondex: None,
            last_class: String::new(),
        }
    }

    /// The changed classes of the JDK, if the current perturbation needs them.
    fn nondex(&mut self) -> Result<Option<NonDex>, JvmError> {
        if !matches!(self.conditions.perturbation, Perturbation::NonDex { .. }) {
            return Ok(None);
        }
        if self.nondex.is_none() {
            let maven = self.settings.maven.as_deref().ok_or_else(|| JvmError::NonDex {
                reason: "it is had with Maven, which is not on the search path; install Maven".to_owned(),
            })?;
            let made = NonDex::prepare(&self.jdk, maven, &self.settings.cache, &self.interrupt)?;
            self.nondex = Some(made);
        }
        Ok(self.nondex.clone())
    }

    fn session(&mut self, module: usize) -> Result<&mut (u32, Session), JvmError> {
        // A thread that a test left behind may have ended the JVM between two tests.
        if self
            .sessions
            .get_mut(&module)
            .is_some_and(|(_, session)| session.is_over())
        {
            self.sessions.remove(&module);
        }
        if !self.sessions.contains_key(&module) {
            let nondex = self.nondex()?;
            let place = &self.project.modules[module];
            let launch = Launch {
                java: self.jdk.java.clone(),
                runner: runner::compiled(&self.jdk, &place.classpath, &self.settings.cache, &self.interrupt)?,
                classpath: place.classpath.clone(),
                folder: place.folder.clone(),
                // The user's options come last, so that they win.
                options: [&place.options[..], &self.settings.options].concat(),
                environment: place.environment.clone(),
                nondex,
                sandbox: self.settings.sandbox.clone(),
            };
            let session = Session::start(&launch, &self.conditions, &self.interrupt)?;
            self.last_jvm += 1;
            self.sessions.insert(module, (self.last_jvm, session));
        }
        Ok(self
            .sessions
            .get_mut(&module)
            .expect("it was inserted if it was missing"))
    }

    /// The way of logging loaded classes that the pool's `java` supports. `java -version` runs only once to find out.
    fn class_log(&mut self) -> Result<ClassLog, JvmError> {
        if let Some(known) = self.class_log {
            return Ok(known);
        }
        let mut command = Command::new(&self.jdk.java);
        command.arg("-version");
        let (_, output) = complete(command, &self.interrupt)?;
        let kind = if output.contains("version \"1.") {
            ClassLog::Verbose
        } else {
            ClassLog::Unified
        };
        self.class_log = Some(kind);
        Ok(kind)
    }
}

impl Machine for Pool<'_> {
    fn renew(&mut self, perturbation: &Perturbation) {
        self.sessions.clear();
        self.conditions = Conditions {
            perturbation: perturbation.clone(),
            log_classes: ClassLog::Off,
        };
    }

    fn renew_with_class_log(&mut self) -> Result<(), JvmError> {
        self.sessions.clear();
        self.conditions = Conditions {
            perturbation: Perturbation::None,
            log_classes: self.class_log()?,
        };
        Ok(())
    }

    fn run(&mut self, test: &TestName) -> Result<MachineRun, JvmError> {
        self.interrupt.check()?;
        let Some(module) = self.project.module_of(test) else {
            let failure = format!("no module of the project has a compiled class {}", test.class());
            return Ok(MachineRun {
                jvm: 0,
                result: RunResult {
                    outcome: Outcome::Missing,
                    milliseconds: 0,
                    failure: Some(failure),
                },
            });
        };
        if self.project.modules[module].has_jvm_for_each_class && self.last_class != test.class() {
            self.sessions.remove(&module);
        }
        test.class().clone_into(&mut self.last_class);
        let slower = if self.conditions.perturbation.is_slow() {
            SLOWER
        } else {
            1
        };
        let limit = self.settings.limit * slower;
        let interrupt = self.interrupt.clone();
        for _ in 0..ATTEMPTS {
            let (jvm, session) = self.session(module)?;
            if let Some(result) = session.run(test, limit, &interrupt)? {
                return Ok(MachineRun { jvm: *jvm, result });
            }
        }
        Err(JvmError::DoesNotStart {
            how: format!("it ended {ATTEMPTS} times before {test} began"),
            output: String::new(),
        })
    }

    fn loaded_classes(&mut self, test: &TestName) -> Option<BTreeSet<String>> {
        let module = self.project.module_of(test)?;
        self.sessions.get(&module)?.1.loaded_classes()
    }

    fn shuffled_call(&mut self, test: &TestName) -> Option<Vec<String>> {
        let module = self.project.module_of(test)?;
        self.sessions.get(&module)?.1.shuffled_call()
    }
}
