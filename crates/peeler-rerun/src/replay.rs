//! Replay: reproduces recorded failures of flaky tests.
//!
//! The recipe of a failure consists of the tests that ran before it in its JVM, and the perturbation of that JVM. The
//! shortest recipe of all recorded failures of a test is used, and the shortest recipe of a pass for comparison.
//!
//! Invariant: a replay concludes nothing from the recorded runs. It counts only its own runs.

use std::collections::BTreeMap;

use peeler_features::TestName;
use serde::Serialize;

use crate::confirmation::{ConfirmError, Confirmation};
use crate::evidence::{Event, Run, Stage, runs};
use crate::machine::Machine;
use crate::perturbation::Perturbation;
use crate::verdict::{Status, verdicts};

/// How to reproduce a recorded outcome of a test: the tests that run before it in its JVM, and the JVM's environment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Recipe {
    /// The tests that run before the replayed test, in the same JVM.
    pub lead: Vec<TestName>,
    /// The perturbation of the replayed test's JVM: a change of its environment or of the order of tests.
    pub perturbation: Perturbation,
}

impl Recipe {
    /// The recipe in words: `alone in a new JVM` or `behind b.C#polluter, time zone Asia/Kolkata`.
    #[must_use]
    pub fn words(&self) -> String {
        let mut words = match self.lead.as_slice() {
            [] => "alone in a new JVM".to_owned(),
            [one] => format!("behind {one}"),
            [.., last] => format!("behind {} tests, the last of them {last}", self.lead.len()),
        };
        if !self.perturbation.is_none() {
            words = format!("{words}, {}", self.perturbation.words());
        }
        words
    }
}

/// The shortest recipe of the recorded failures of a test. `None` if it failed in no JVM of `peeler confirm`.
#[must_use]
pub fn failing_recipe(record: &[Event], test: &TestName) -> Option<Recipe> {
    Recipes::of(record).shortest(test, |run| run.outcome.is_failure())
}

/// The result of replaying one flaky test: whether its recorded failure and its recorded pass occurred again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reproduction {
    /// The test that was replayed.
    pub test: TestName,
    /// The recipe of the recorded failure: the tests before it in its JVM, and the change of the environment.
    pub failing: Recipe,
    /// The number of the replay attempt in which the test failed again, if it did.
    pub failed_in_attempt: Option<u32>,
    /// The recipe of a recorded pass, if there is one: the tests before it in its JVM, and the change of the
    /// environment.
    pub passing: Option<Recipe>,
    /// The number of the replay attempt in which the test passed again, if it did.
    pub passed_in_attempt: Option<u32>,
}

impl Reproduction {
    /// Whether the test failed again and, if a pass was recorded, also passed again.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.failed_in_attempt.is_some() && (self.passing.is_none() || self.passed_in_attempt.is_some())
    }

    /// The result of the replay in words: `failed again behind b.C#polluter; passed again alone in a new JVM`.
    #[must_use]
    pub fn sentence(&self) -> String {
        let seen = |verb: &str, recipe: &Recipe, attempt: Option<u32>| match attempt {
            Some(1) => format!("{verb} again {}", recipe.words()),
            Some(attempt) => format!("{verb} again in attempt {attempt} {}", recipe.words()),
            None => format!("not {verb} again {}", recipe.words()),
        };
        let failed = seen("failed", &self.failing, self.failed_in_attempt);
        match &self.passing {
            Some(passing) => format!("{failed}; {}", seen("passed", passing, self.passed_in_attempt)),
            None => failed,
        }
    }
}

/// Replays the flaky tests of recorded runs: all of them, or only those that are `wanted`.
///
/// The failure of a test is tried up to `attempts` times, each time in a new JVM, and then a recorded pass likewise.
///
/// # Errors
///
/// When a test cannot be run or recorded, or the budget is spent.
pub fn replay<M: Machine>(
    confirmation: &mut Confirmation<'_, M>,
    record: &[Event],
    wanted: &[TestName],
    attempts: u32,
) -> Result<Vec<Reproduction>, ConfirmError> {
    let recipes = Recipes::of(record);
    let mut found = Vec::new();
    for verdict in verdicts(record, &[]) {
        let test = verdict.test;
        if verdict.status != Status::Flaky || !(wanted.is_empty() || wanted.contains(&test)) {
            continue;
        }
        let Some(failing) = recipes.shortest(&test, |run| run.outcome.is_failure()) else {
            continue;
        };
        let passing = recipes.shortest(&test, |run| !run.outcome.is_failure());
        let failed_in_attempt = attempt(confirmation, &test, &failing, attempts, |failed| failed)?;
        let passed_in_attempt = match &passing {
            Some(passing) => attempt(confirmation, &test, passing, attempts, |failed| !failed)?,
            None => None,
        };
        found.push(Reproduction {
            test,
            failing,
            failed_in_attempt,
            passing,
            passed_in_attempt,
        });
    }
    Ok(found)
}

/// Replays a test as `recipe` says, up to `attempts` times. Returns the number of the first attempt whose outcome
/// `is_wanted` accepts.
fn attempt<M: Machine>(
    confirmation: &mut Confirmation<'_, M>,
    test: &TestName,
    recipe: &Recipe,
    attempts: u32,
    is_wanted: impl Fn(bool) -> bool,
) -> Result<Option<u32>, ConfirmError> {
    for attempt in 1..=attempts {
        confirmation.renew(&recipe.perturbation);
        for lead in &recipe.lead {
            confirmation.run(lead, Stage::Lead)?;
        }
        let outcome = confirmation.run(test, Stage::Replay)?;
        if outcome.is_run() && is_wanted(outcome.is_failure()) {
            return Ok(Some(attempt));
        }
    }
    Ok(None)
}

/// The recorded runs of each JVM in order. They tell which tests ran before a failure or a pass.
struct Recipes<'a>(BTreeMap<u32, Vec<&'a Run>>);

impl<'a> Recipes<'a> {
    fn of(record: &'a [Event]) -> Self {
        let mut by_jvm: BTreeMap<u32, Vec<&Run>> = BTreeMap::new();
        // Runs of earlier builds have no JVM that could be set up again.
        for run in runs(record).filter(|run| run.stage != Stage::History) {
            by_jvm.entry(run.jvm).or_default().push(run);
        }
        Self(by_jvm)
    }

    fn shortest(&self, test: &TestName, is_wanted: impl Fn(&Run) -> bool) -> Option<Recipe> {
        let places = self.0.values().flat_map(|runs| {
            let fitting = runs.iter().enumerate();
            fitting
                .filter(|(_, run)| run.test == *test && run.counts() && is_wanted(run))
                .map(move |(place, run)| (&runs[..place], run))
        });
        // Of equally short recipes, one without a perturbation is preferred, then the first recorded.
        let (lead, run) = places.min_by_key(|(lead, run)| (lead.len(), !run.perturbation.is_none()))?;
        Some(Recipe {
            lead: lead.iter().map(|run| run.test.clone()).collect(),
            perturbation: run.perturbation.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::{Orders, run_orders};
    use crate::scripted_machine::{ScriptedMachine, check, name};
    use crate::stages::{RerunCounts, run_stages};

    fn script() -> ScriptedMachine {
        let tests = [("a.A#victim", "p"), ("a.B#x", "p"), ("b.C#polluter", "p")];
        ScriptedMachine::new(&tests).polluting("b.C#polluter", "a.A#victim")
    }

    #[test]
    fn a_victim_is_replayed_behind_its_polluter_and_alone() {
        let orders = Orders {
            seeds: (1..=4).collect(),
            most_pairs: 9,
            probabilities: BTreeMap::new(),
        };
        let (record, ()) = check(script(), |it| {
            let tests = it.tests();
            run_stages(it, &tests, &RerunCounts::default(), None)?;
            run_orders(it, &tests, &orders)
        });
        let (events, seen) = check(script(), |it| replay(it, &record, &[], 3));
        assert_eq!(seen.len(), 1);
        assert!(seen[0].is_complete(), "{seen:?}");
        assert_eq!(
            seen[0].sentence(),
            "failed again behind b.C#polluter; passed again alone in a new JVM"
        );
        assert_eq!(runs(&events).count(), 3);
    }

    #[test]
    fn what_does_not_come_again_is_not_reproduced() {
        let (record, ()) = check(ScriptedMachine::new(&[("a.T#t", "pf")]), |it| {
            crate::repeat::repeat(it, &it.tests(), 5, crate::repeat::RepeatUntil::OutcomeChanges)
        });
        let (_, seen) = check(ScriptedMachine::new(&[("a.T#t", "p")]), |it| {
            replay(it, &record, &[], 2)
        });
        assert_eq!(seen[0].failed_in_attempt, None);
        assert!(!seen[0].is_complete());
        assert!(
            seen[0].sentence().starts_with("not failed again behind a.T#t"),
            "{}",
            seen[0].sentence()
        );
        let (_, none) = check(ScriptedMachine::new(&[("a.T#t", "p")]), |it| {
            replay(it, &record, &[name("a.T#other")], 2)
        });
        assert!(none.is_empty());
    }
}
