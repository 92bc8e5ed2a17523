//! All steps of `peeler confirm` in order: reruns of failing tests, repetition, shuffled orders, changed environments.
//!
//! Steps that are cheap and find most come first, so that a limited budget is spent on them.

use peeler_features::TestName;

use crate::confirmation::{ConfirmError, Confirmation};
use crate::culprits::find_culprits;
use crate::intersect::Changes;
use crate::machine::Machine;
use crate::orders::{Orders, run_orders};
use crate::perturbed::{Conditions, run_perturbed};
use crate::repeat::{RepeatUntil, repeat};
use crate::stages::{Completion, RerunCounts, run_stages};
use crate::steering::{Steering, run_pairs};
use crate::sweep::{Sweep, run_sweeps};

/// The tests that `peeler confirm` runs to prove them flaky, and the limits of their runs.
#[derive(Debug, Clone)]
pub struct Request {
    /// The tests that are to be proved flaky.
    pub tests: Vec<TestName>,
    /// Runs of many tests once each, under one change of the environment, after the findings and before all others of
    /// `tests`. Tests that fail are treated like `tests`. Empty without `steering`.
    pub sweeps: Vec<Sweep>,
    /// All tests of the suite in its own order, from which shuffled orders are made.
    pub suite: Vec<TestName>,
    /// How often a failing test is run again: immediately, at the end of the suite, and in new JVMs.
    pub counts: RerunCounts,
    /// The classes that changed since a git revision, if the user gave one.
    ///
    /// If a failing test loads none of them, the changes are not the reason of its failure: it counts as flaky.
    pub changes: Option<Changes>,
    /// The maximum number of runs of a test, first run and repetition together.
    pub most_runs: u32,
    /// The condition that ends the repeated runs of a test, such as a change of its outcome.
    pub until: RepeatUntil,
    /// Shuffled orders of the suite to try, if any.
    pub orders: Option<Orders>,
    /// The changed environments in which the tests are run, such as another time zone.
    pub conditions: Conditions,
    /// What fits each test, if the budget is to go where flakiness is likely to show. Shuffled orders are not tried
    /// then, but suspected pairs of tests.
    pub steering: Option<Steering>,
    /// For how many tests the call is searched whose unspecified behaviour changes their outcome.
    pub most_culprits: usize,
}

/// Runs all steps of `peeler confirm`: reruns of failing tests, repetition, shuffled orders, changed environments.
///
/// If too large a share of the tests fails (`threshold` in `request.counts`), failing tests are only rerun immediately,
/// and all later steps are left out.
///
/// Runs that are already in the evidence log are not repeated.
///
/// # Errors
///
/// When a test cannot be run or recorded, or the budget is spent. Runs recorded before the error stay in the log.
pub fn confirm<M: Machine>(
    confirmation: &mut Confirmation<'_, M>,
    request: &Request,
) -> Result<Completion, ConfirmError> {
    let is_swept = !request.sweeps.is_empty();
    let is_first = |test: &&TestName| {
        let hints = request.steering.as_ref().and_then(|it| it.hints.get(*test));
        !is_swept || hints.is_some_and(|it| it.is_found)
    };
    let (first, mut others): (Vec<TestName>, Vec<TestName>) =
        request.tests.iter().cloned().partition(|it| is_first(&it));
    let completion = prove(confirmation, request, &first, request.steering.as_ref())?;
    if !is_swept || completion != Completion::Complete {
        return Ok(completion);
    }
    let mut steering = request.steering.clone().unwrap_or_default();
    for suspect in run_sweeps(confirmation, &request.sweeps, &request.conditions.perturbations)? {
        let hints = steering.hints.entry(suspect.test.clone()).or_default();
        hints.kinds.insert(suspect.kind);
        if !others.contains(&suspect.test) {
            others.push(suspect.test);
        }
    }
    prove(confirmation, request, &others, Some(&steering))
}

/// Runs all steps with some of the tests.
fn prove<M: Machine>(
    confirmation: &mut Confirmation<'_, M>,
    request: &Request,
    tests: &[TestName],
    steering: Option<&Steering>,
) -> Result<Completion, ConfirmError> {
    let completion = run_stages(confirmation, tests, &request.counts, request.changes.as_ref())?;
    // A broken suite is not worth repeating.
    if completion != Completion::Complete {
        return Ok(completion);
    }
    if let Some(steering) = steering {
        let wanted = steering.repeated();
        let repeated: Vec<TestName> = tests.iter().filter(|it| wanted.contains(it)).cloned().collect();
        run_pairs(confirmation, &steering.pairs_of(tests))?;
        repeat(confirmation, &repeated, request.most_runs, request.until)?;
    } else {
        repeat(confirmation, tests, request.most_runs, request.until)?;
    }
    if let Some(orders) = &request.orders {
        run_orders(confirmation, &request.suite, orders)?;
    }
    run_perturbed(confirmation, tests, &request.conditions, steering)?;
    find_culprits(confirmation, tests, request.most_culprits)?;
    Ok(completion)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::evidence::runs;
    use crate::log::Log;
    use crate::scripted_machine::ScriptedMachine;

    #[test]
    fn no_run_begins_after_the_budget_is_spent_and_another_call_goes_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut log = Log::fresh(&folder.path().join("log.jsonl"), "code", None).expect("a log");
        let mut script = ScriptedMachine::new(&[("a.T#t", "p")]);
        let request = Request {
            tests: vec!["a.T#t".parse().expect("a test")],
            sweeps: vec![],
            suite: vec![],
            counts: RerunCounts::default(),
            changes: None,
            most_runs: 5,
            until: RepeatUntil::OutcomeChanges,
            orders: None,
            conditions: Conditions {
                perturbations: vec![],
                runs: 0,
                until: RepeatUntil::OutcomeChanges,
            },
            steering: None,
            most_culprits: 0,
        };
        let mut watch = |_: &crate::evidence::Run| {};
        let mut spent = Confirmation::new(&mut script, &mut log, Some(Duration::ZERO), &mut watch);
        assert!(matches!(confirm(&mut spent, &request), Err(ConfirmError::BudgetSpent)));
        assert_eq!(runs(log.events()).count(), 0);
        let mut open = Confirmation::new(&mut script, &mut log, None, &mut watch);
        confirm(&mut open, &request).expect("it runs");
        assert_eq!(runs(log.events()).count(), 5);
    }
}
