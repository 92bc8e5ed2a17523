//! A run of `peeler confirm` in progress: a machine that runs tests and a log that records every run of a test.
//!
//! Invariant: every run is recorded, and no run starts after the time budget is spent.

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use peeler_features::TestName;

use crate::evidence::{Coverage, Event, Outcome, Run, Stage};
use crate::intersect::ChangesError;
use crate::jvm::JvmError;
use crate::log::{Log, LogError};
use crate::machine::{Machine, MachineRun};
use crate::perturbation::Perturbation;

/// The reason why `peeler confirm` ended early.
#[derive(Debug, thiserror::Error)]
pub enum ConfirmError {
    /// A test cannot be run: a JVM or another program does not start, or the user interrupted.
    #[error(transparent)]
    Jvm(#[from] JvmError),
    /// A run of a test cannot be recorded in the evidence log.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The classes that changed since a git revision cannot be determined.
    #[error(transparent)]
    Changes(#[from] ChangesError),
    /// The user's time limit for `peeler confirm` is reached. Runs before it stay valid.
    #[error("the budget is spent")]
    BudgetSpent,
}

/// A run of `peeler confirm` in progress: a machine that runs tests, the evidence log, and the current change of the
/// environment.
pub struct Confirmation<'a, M> {
    machine: &'a mut M,
    log: &'a mut Log,
    /// The indices of each test's runs among the events of the evidence log, for fast lookup.
    places: HashMap<TestName, Vec<usize>>,
    perturbation: Perturbation,
    until: Option<Instant>,
    watch: &'a mut dyn FnMut(&Run),
}

impl<'a, M: Machine> Confirmation<'a, M> {
    /// Prepares to run tests. Every recorded run is passed to `watch`, and no run starts after the time `budget`.
    pub fn new(machine: &'a mut M, log: &'a mut Log, budget: Option<Duration>, watch: &'a mut dyn FnMut(&Run)) -> Self {
        let mut places: HashMap<TestName, Vec<usize>> = HashMap::new();
        for (place, event) in log.events().iter().enumerate() {
            if let Event::Run(run) = event {
                places.entry(run.test.clone()).or_default().push(place);
            }
        }
        Self {
            machine,
            log,
            places,
            perturbation: Perturbation::None,
            until: budget.map(|it| Instant::now() + it),
            watch,
        }
    }

    /// Requests a new JVM for the next test, with this perturbation: a change of its environment or of the order of
    /// tests.
    pub fn renew(&mut self, perturbation: &Perturbation) {
        self.perturbation = perturbation.clone();
        self.machine.renew(perturbation);
    }

    /// Requests a new JVM for the next test. The JVM logs the classes that it loads.
    pub(crate) fn renew_with_class_log(&mut self) -> Result<(), ConfirmError> {
        self.perturbation = Perturbation::None;
        Ok(self.machine.renew_with_class_log()?)
    }

    /// The classes that the JVM of this test has loaded; empty if they were not logged.
    pub(crate) fn loaded_classes(&mut self, test: &TestName) -> BTreeSet<String> {
        self.machine.loaded_classes(test).unwrap_or_default()
    }

    /// The stack of the single shuffle that NonDex made in the JVM of this test, if it was asked for one.
    pub(crate) fn shuffled_call(&mut self, test: &TestName) -> Option<Vec<String>> {
        self.machine.shuffled_call(test)
    }

    /// Runs a test, records the run and returns its outcome.
    ///
    /// # Errors
    ///
    /// When the test cannot be run or recorded, or the budget is spent.
    pub fn run(&mut self, test: &TestName, stage: Stage) -> Result<Outcome, ConfirmError> {
        if self.until.is_some_and(|until| Instant::now() >= until) {
            return Err(ConfirmError::BudgetSpent);
        }
        let MachineRun { jvm, result } = self.machine.run(test)?;
        let run = Run {
            test: test.clone(),
            stage,
            jvm,
            perturbation: self.perturbation.clone(),
            outcome: result.outcome,
            milliseconds: result.milliseconds,
            failure: result.failure,
        };
        let place = self.log.events().len();
        self.log.append(Event::Run(run.clone()))?;
        self.places.entry(run.test.clone()).or_default().push(place);
        (self.watch)(&run);
        Ok(run.outcome)
    }

    /// Records which of the classes that a failing test loaded have changed since a git revision.
    ///
    /// This comparison is the stage INTERSECT: a failing test that loads no changed class counts as flaky.
    pub(crate) fn record_coverage(&mut self, coverage: Coverage) -> Result<(), ConfirmError> {
        Ok(self.log.append(Event::Coverage(coverage))?)
    }

    /// Records an event in the evidence log.
    pub(crate) fn record(&mut self, event: Event) -> Result<(), ConfirmError> {
        Ok(self.log.append(event)?)
    }

    #[cfg(test)]
    pub(crate) fn machine(&self) -> &M {
        self.machine
    }

    /// All events of the evidence log, including those that an earlier, interrupted `peeler confirm` recorded.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        self.log.events()
    }

    /// The runs of a test that the evidence log records.
    pub(crate) fn runs_of(&self, test: &TestName) -> impl Iterator<Item = &Run> {
        let places = self.places.get(test).map_or(&[][..], Vec::as_slice);
        places.iter().filter_map(|&place| match &self.events()[place] {
            Event::Run(run) => Some(run),
            _ => None,
        })
    }

    /// The outcomes of a test in one stage of `peeler confirm`, in the order of its runs.
    pub(crate) fn outcomes(&self, test: &TestName, stage: Stage) -> Vec<Outcome> {
        let matching = self.runs_of(test).filter(|run| run.stage == stage);
        matching.map(|run| run.outcome).collect()
    }

    /// The number of a test's runs that count as evidence, and of failures among them.
    ///
    /// Skipped runs do not count, for example.
    pub(crate) fn tally(&self, test: &TestName) -> Tally {
        let mut tally = Tally::default();
        for run in self.runs_of(test).filter(|run| run.counts()) {
            tally.runs += 1;
            tally.failures += u32::from(run.outcome.is_failure());
        }
        tally
    }
}

/// The number of a test's runs that count as evidence, and of failures among them.
///
/// Skipped runs do not count, for example.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) runs: u32,
    pub(crate) failures: u32,
}

impl Tally {
    /// Whether the test both passed and failed.
    pub(crate) fn is_flaky(self) -> bool {
        self.failures > 0 && self.failures < self.runs
    }
}
