//! Everything that is done to confirm tests, in order: the stages, repetition, orders, changed environments.
//!
//! Cheap and telling runs come first, so that a budget is spent on them.

use peeler_features::TestName;

use crate::confirmation::{ConfirmError, Confirmation};
use crate::intersect::Changes;
use crate::machine::Machine;
use crate::orders::{Orders, run_orders};
use crate::perturbation::Perturbation;
use crate::perturbed::run_perturbed;
use crate::repeat::{Until, repeat};
use crate::stages::{Counts, Course, run_stages};

/// What to do.
#[derive(Debug, Clone)]
pub struct Request {
    /// The tests in question.
    pub tests: Vec<TestName>,
    /// All tests, in the order of the suite: what is shuffled.
    pub suite: Vec<TestName>,
    /// How often the stages rerun failing tests.
    pub counts: Counts,
    /// What changed, for INTERSECT.
    pub changes: Option<Changes>,
    /// The most runs of a test, repetition included.
    pub most_runs: u32,
    /// When a test has run often enough.
    pub until: Until,
    /// Shuffled orders to try.
    pub orders: Option<Orders>,
    /// Changed environments to try.
    pub conditions: Vec<Perturbation>,
    /// How often each.
    pub perturbed_runs: u32,
}

/// Does it. What was done before an interruption is not done again.
///
/// # Errors
///
/// When tests can no longer be run or recorded, or the budget is spent. The evidence until then is in the log.
pub fn confirm<M: Machine>(confirmation: &mut Confirmation<'_, M>, request: &Request) -> Result<Course, ConfirmError> {
    let course = run_stages(confirmation, &request.tests, &request.counts, request.changes.as_ref())?;
    // A broken suite is not worth repeating either.
    if course != Course::Complete {
        return Ok(course);
    }
    repeat(confirmation, &request.tests, request.most_runs, request.until)?;
    if let Some(orders) = &request.orders {
        run_orders(confirmation, &request.suite, orders)?;
    }
    run_perturbed(
        confirmation,
        &request.tests,
        &request.conditions,
        request.perturbed_runs,
    )?;
    Ok(course)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::evidence::runs;
    use crate::log::Log;
    use crate::made::Script;

    #[test]
    fn no_run_begins_after_the_budget_is_spent_and_another_call_goes_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut log = Log::fresh(&folder.path().join("log.jsonl"), "code", None).expect("a log");
        let mut script = Script::new(&[("a.T#t", "p")]);
        let request = Request {
            tests: vec!["a.T#t".parse().expect("a test")],
            suite: vec![],
            counts: Counts::default(),
            changes: None,
            most_runs: 5,
            until: Until::Change,
            orders: None,
            conditions: vec![],
            perturbed_runs: 0,
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
