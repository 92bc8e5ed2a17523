//! A confirmation under way: a machine that runs tests and a log that keeps what it saw.
//!
//! Invariant: no run goes unrecorded, and none begins after the budget is spent.

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use peeler_features::TestName;

use crate::evidence::{Coverage, Event, Outcome, Run, Stage};
use crate::intersect::ChangesError;
use crate::jvm::JvmError;
use crate::log::{Log, LogError};
use crate::machine::Machine;
use crate::perturbation::Perturbation;

/// Why a confirmation ended early.
#[derive(Debug, thiserror::Error)]
pub enum ConfirmError {
    /// Tests cannot be run.
    #[error(transparent)]
    Jvm(#[from] JvmError),
    /// Evidence cannot be kept.
    #[error(transparent)]
    Log(#[from] LogError),
    /// It is not known what changed.
    #[error(transparent)]
    Changes(#[from] ChangesError),
    /// The time that the user gave is over. What was seen until then holds.
    #[error("the budget is spent")]
    BudgetSpent,
}

/// A machine, a log, and the conditions that hold now.
pub struct Confirmation<'a, M> {
    machine: &'a mut M,
    log: &'a mut Log,
    /// The places of a test's runs among the events: suites are large, and every decision looks back.
    places: HashMap<TestName, Vec<usize>>,
    perturbation: Perturbation,
    until: Option<Instant>,
    watch: &'a mut dyn FnMut(&Run),
}

impl<'a, M: Machine> Confirmation<'a, M> {
    /// Every run is shown to `watch` once it is recorded. No run begins later than `budget` from now.
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

    /// The next test runs in a new JVM under these conditions.
    pub fn renew(&mut self, perturbation: &Perturbation) {
        self.perturbation = perturbation.clone();
        self.machine.renew(perturbation);
    }

    /// The next test runs in a new JVM that writes down which classes it loads.
    pub(crate) fn renew_with_class_log(&mut self) -> Result<(), ConfirmError> {
        self.perturbation = Perturbation::None;
        Ok(self.machine.renew_with_class_log()?)
    }

    /// The classes that the JVM of a test has loaded.
    pub(crate) fn loaded_classes(&mut self, test: &TestName) -> BTreeSet<String> {
        self.machine.loaded_classes(test).unwrap_or_default()
    }

    /// Runs a test and records it.
    ///
    /// # Errors
    ///
    /// When no run is possible or allowed any more, or it cannot be recorded.
    pub fn run(&mut self, test: &TestName, stage: Stage) -> Result<Outcome, ConfirmError> {
        if self.until.is_some_and(|until| Instant::now() >= until) {
            return Err(ConfirmError::BudgetSpent);
        }
        let ran = self.machine.run(test)?;
        let run = Run {
            test: test.clone(),
            stage,
            jvm: ran.jvm,
            perturbation: self.perturbation.clone(),
            outcome: ran.ended.outcome,
            milliseconds: ran.ended.milliseconds,
            failure: ran.ended.failure,
        };
        let place = self.log.events().len();
        self.log.append(Event::Run(run.clone()))?;
        self.places.entry(run.test.clone()).or_default().push(place);
        (self.watch)(&run);
        Ok(run.outcome)
    }

    /// Records what INTERSECT saw.
    pub(crate) fn record_coverage(&mut self, coverage: Coverage) -> Result<(), ConfirmError> {
        Ok(self.log.append(Event::Coverage(coverage))?)
    }

    /// Records something about orders.
    pub(crate) fn record(&mut self, event: Event) -> Result<(), ConfirmError> {
        Ok(self.log.append(event)?)
    }

    #[cfg(test)]
    pub(crate) fn machine(&self) -> &M {
        self.machine
    }

    /// Everything so far, also from before an interruption.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        self.log.events()
    }

    /// The runs of a test so far.
    pub(crate) fn runs_of(&self, test: &TestName) -> impl Iterator<Item = &Run> {
        let places = self.places.get(test).map_or(&[][..], Vec::as_slice);
        places.iter().filter_map(|&place| match &self.events()[place] {
            Event::Run(run) => Some(run),
            _ => None,
        })
    }

    /// The outcomes of a test in a stage.
    pub(crate) fn outcomes(&self, test: &TestName, stage: Stage) -> Vec<Outcome> {
        let matching = self.runs_of(test).filter(|run| run.stage == stage);
        matching.map(|run| run.outcome).collect()
    }

    /// Runs that count, and how many of them failed.
    pub(crate) fn tally(&self, test: &TestName) -> Tally {
        let mut tally = Tally::default();
        for run in self.runs_of(test).filter(|run| run.counts()) {
            tally.runs += 1;
            tally.failures += u32::from(run.outcome.is_failure());
        }
        tally
    }
}

/// Runs and failures of a test.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) runs: u32,
    pub(crate) failures: u32,
}

impl Tally {
    /// Whether both outcomes were seen.
    pub(crate) fn is_flaky(self) -> bool {
        self.failures > 0 && self.failures < self.runs
    }
}
