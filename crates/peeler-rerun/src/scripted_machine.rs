//! A stand-in for the JVMs that run tests. It returns outcomes given in advance, for unit tests of the code that
//! decides which runs are made.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use peeler_features::TestName;

use crate::confirmation::{ConfirmError, Confirmation};
use crate::evidence::{Event, Outcome, Run, Stage, runs};
use crate::jvm::JvmError;
use crate::jvm::session::RunResult;
use crate::log::Log;
use crate::machine::{Machine, MachineRun};
use crate::perturbation::Perturbation;

/// A stand-in for the JVMs that run tests: it returns outcomes given in advance. One test can be set to break another.
pub(crate) struct ScriptedMachine {
    outcomes: BTreeMap<TestName, Vec<Outcome>>,
    loads: BTreeSet<String>,
    pollutes: Option<(TestName, TestName)>,
    fails_with: Option<Perturbation>,
    /// A seed of NonDex and the number of the shuffle that makes tests fail with it.
    fails_by_shuffle: Option<(u32, u64)>,
    jvm: u32,
    is_new: bool,
    ran: Vec<TestName>,
    perturbation: Perturbation,
}

/// Parses the name of a test, such as `a.B#test`.
pub(crate) fn name(text: &str) -> TestName {
    text.parse().expect("a test")
}

impl ScriptedMachine {
    /// A machine whose tests have outcomes given as letters: with `("a.B#t", "pf")`, the test passes and then fails.
    /// Other letters are `t` for a timeout, `s` for a skipped and `m` for a missing test. The last outcome repeats.
    pub(crate) fn new(tests: &[(&str, &str)]) -> Self {
        let letters = |letters: &str| {
            letters
                .chars()
                .map(|it| match it {
                    'p' => Outcome::Passed,
                    't' => Outcome::TimedOut,
                    's' => Outcome::Skipped,
                    'm' => Outcome::Missing,
                    _ => Outcome::Failed,
                })
                .collect()
        };
        Self {
            outcomes: tests.iter().map(|(test, it)| (name(test), letters(it))).collect(),
            loads: BTreeSet::new(),
            pollutes: None,
            fails_with: None,
            fails_by_shuffle: None,
            jvm: 0,
            is_new: true,
            ran: Vec::new(),
            perturbation: Perturbation::None,
        }
    }

    /// This machine, which now says of every test that its JVM loaded `classes`.
    pub(crate) fn loading(mut self, classes: &[&str]) -> Self {
        self.loads = classes.iter().map(|it| (*it).to_owned()).collect();
        self
    }

    /// This machine, in which the test `victim` fails in every JVM that has run the test `polluter`.
    pub(crate) fn polluting(mut self, polluter: &str, victim: &str) -> Self {
        self.pollutes = Some((name(polluter), name(victim)));
        self
    }

    /// This machine, in which all tests fail when the environment is changed by `perturbation`.
    pub(crate) fn failing_with(mut self, perturbation: Perturbation) -> Self {
        self.fails_with = Some(perturbation);
        self
    }

    /// This machine, in which all tests fail when NonDex makes the shuffle with this number, with this seed.
    pub(crate) fn failing_by_shuffle(mut self, seed: u32, shuffle: u64) -> Self {
        self.fails_by_shuffle = Some((seed, shuffle));
        self
    }
}

impl Machine for ScriptedMachine {
    fn renew(&mut self, perturbation: &Perturbation) {
        self.is_new = true;
        self.perturbation = perturbation.clone();
    }

    fn renew_with_class_log(&mut self) -> Result<(), JvmError> {
        self.renew(&Perturbation::None);
        Ok(())
    }

    fn run(&mut self, test: &TestName) -> Result<MachineRun, JvmError> {
        if self.is_new {
            self.is_new = false;
            self.jvm += 1;
            self.ran.clear();
        }
        let outcomes = self.outcomes.get_mut(test).expect("a test of the script");
        let mut outcome = outcomes[0];
        if outcomes.len() > 1 {
            outcomes.remove(0);
        }
        if let Some((polluter, victim)) = &self.pollutes
            && victim == test
            && self.ran.contains(polluter)
        {
            outcome = Outcome::Failed;
        }
        if self.fails_with.as_ref() == Some(&self.perturbation) {
            outcome = Outcome::Failed;
        }
        if let (Some((seed, shuffle)), Perturbation::NonDex { seed: current, part }) =
            (self.fails_by_shuffle, &self.perturbation)
            && seed == *current
            && part.is_none_or(|(first, last)| (first..=last).contains(&shuffle))
        {
            outcome = Outcome::Failed;
        }
        self.ran.push(test.clone());
        Ok(MachineRun {
            jvm: self.jvm,
            result: RunResult {
                outcome,
                milliseconds: 10,
                failure: None,
            },
        })
    }

    fn loaded_classes(&mut self, _test: &TestName) -> Option<BTreeSet<String>> {
        Some(self.loads.clone())
    }

    fn shuffled_call(&mut self, _test: &TestName) -> Option<Vec<String>> {
        let Perturbation::NonDex {
            part: Some((first, last)),
            ..
        } = self.perturbation
        else {
            return None;
        };
        (first == last).then(|| vec![format!("java.util.HashMap.shuffle{first}(HashMap.java)")])
    }
}

/// Calls `act` with a machine of scripted outcomes and an empty evidence log. Returns the recorded events and the
/// result of `act`.
pub(crate) fn check<T>(
    mut script: ScriptedMachine,
    act: impl FnOnce(&mut Confirmation<'_, ScriptedMachine>) -> Result<T, ConfirmError>,
) -> (Vec<Event>, T) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut log = Log::fresh(&folder.path().join("log.jsonl"), "code", None).expect("a log");
    let seen = RefCell::new(0);
    let mut watch = |_: &Run| *seen.borrow_mut() += 1;
    let mut confirmation = Confirmation::new(&mut script, &mut log, None, &mut watch);
    let result = act(&mut confirmation).expect("nothing goes wrong");
    let events = log.events().to_vec();
    assert_eq!(*seen.borrow(), runs(&events).count(), "every run is shown");
    (events, result)
}

impl Confirmation<'_, ScriptedMachine> {
    /// The tests that have scripted outcomes, sorted by name.
    pub(crate) fn tests(&self) -> Vec<TestName> {
        self.machine().outcomes.keys().cloned().collect()
    }
}

/// The stage of each recorded run of a test, in order, such as `First` and `Rerun`.
pub(crate) fn stages_of(events: &[Event], test: &str) -> Vec<Stage> {
    let test = name(test);
    runs(events)
        .filter(|run| run.test == test)
        .map(|run| run.stage)
        .collect()
}
