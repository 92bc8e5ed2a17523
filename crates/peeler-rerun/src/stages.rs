//! The stages RERUN, POSTPONE, FORK and INTERSECT: they find out whether a failing test is flaky, with few reruns.
//!
//! Every test runs once, in one JVM. A failing test runs again at once (RERUN), at the end of the suite in the same JVM
//! (POSTPONE), and in new JVMs (FORK). The first JVM of FORK logs the classes that it loads (INTERSECT). A pass at any
//! point proves flakiness and ends the stages for that test.
//!
//! Each stage finds what earlier ones cannot. A short disturbance is over by the end of the suite. Polluted state does
//! not reach a new JVM. A failure that loads no changed class is not due to the change.
//!
//! If a test crashes the JVM of the suite, POSTPONE uses the next JVM, which is as good as a new one.
//!
//! Invariant: after an interruption the counts of a stage continue where they stopped, in a new JVM.

use peeler_features::TestName;

use crate::confirmation::{ConfirmError, Confirmation};
use crate::evidence::{Event, Outcome, Stage};
use crate::intersect::Changes;
use crate::machine::Machine;
use crate::perturbation::Perturbation;

/// The number of reruns of a failing test in each stage of `peeler confirm`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RerunCounts {
    /// How often a failing test is run again immediately, in the same JVM (`--c-imm`).
    pub immediate: u32,
    /// If at least this share of the tests fail, the code is taken to be broken (`--threshold`). Failing tests are then
    /// only rerun immediately.
    ///
    /// With `None`, failing tests are always rerun at the end of the suite and in new JVMs too.
    pub threshold: Option<f64>,
    /// How often a failing test is run again at the end of the suite, in the same JVM (`--c-end`).
    pub end: u32,
    /// How often a failing test is run again in a new JVM, each time in another one (`--c-new`).
    pub new: u32,
}

impl Default for RerunCounts {
    fn default() -> Self {
        Self {
            immediate: 2,
            threshold: Some(0.01),
            end: 2,
            new: 2,
        }
    }
}

/// Whether all stages of `peeler confirm` ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completion {
    /// All stages ran, including reruns of failing tests at the end of the suite and in new JVMs.
    Complete,
    /// Too many tests failed, so failing tests did not run again at the end of the suite or in new JVMs.
    TooManyFailures {
        /// The number of tests that failed.
        failures: usize,
        /// The number of all tests that were run, passing or failing.
        tests: usize,
    },
}

/// Runs every test once, and each failing test again: at once (RERUN), at the end (POSTPONE) and in new JVMs (FORK).
///
/// With `changes`, the classes that a failing test loads in a new JVM are compared with the changed classes
/// (INTERSECT).
///
/// # Errors
///
/// When a test cannot be run or recorded, or the budget is spent.
pub fn run_stages<M: Machine>(
    confirmation: &mut Confirmation<'_, M>,
    tests: &[TestName],
    counts: &RerunCounts,
    changes: Option<&Changes>,
) -> Result<Completion, ConfirmError> {
    confirmation.renew(&Perturbation::None);
    let mut failures = Vec::new();
    for test in tests {
        let first = match confirmation.outcomes(test, Stage::First).first() {
            Some(known) => *known,
            None => confirmation.run(test, Stage::First)?,
        };
        if first.is_failure() {
            failures.push(test);
            rerun(confirmation, test, Stage::Rerun, counts.immediate)?;
        }
    }
    if is_broken(failures.len(), tests.len(), counts.threshold) {
        return Ok(Completion::TooManyFailures {
            failures: failures.len(),
            tests: tests.len(),
        });
    }
    for test in &failures {
        rerun(confirmation, test, Stage::Postpone, counts.end)?;
    }
    for test in &failures {
        fork(confirmation, test, counts.new, changes)?;
    }
    Ok(Completion::Complete)
}

#[expect(clippy::cast_precision_loss, reason = "no suite has 2^52 tests")]
fn is_broken(failures: usize, tests: usize, threshold: Option<f64>) -> bool {
    failures > 0 && threshold.is_some_and(|it| failures as f64 / tests as f64 >= it)
}

/// Runs a test in the current JVM until it passes, at most `count` times.
fn rerun<M: Machine>(
    confirmation: &mut Confirmation<'_, M>,
    test: &TestName,
    stage: Stage,
    count: u32,
) -> Result<(), ConfirmError> {
    let mut done = confirmation.outcomes(test, stage).len();
    while !has_passed(confirmation, test) && done < count as usize {
        confirmation.run(test, stage)?;
        done += 1;
    }
    Ok(())
}

/// Runs a failing test in new JVMs, at most `count` times. Stops when it passes or turns out to load no changed class.
fn fork<M: Machine>(
    confirmation: &mut Confirmation<'_, M>,
    test: &TestName,
    count: u32,
    changes: Option<&Changes>,
) -> Result<(), ConfirmError> {
    let mut done = confirmation.outcomes(test, Stage::Fork).len();
    while !has_passed(confirmation, test) && !is_unrelated(confirmation, test) && done < count as usize {
        match changes {
            Some(changes) if !has_coverage(confirmation, test) => {
                confirmation.renew_with_class_log()?;
                if confirmation.run(test, Stage::Fork)?.is_failure() {
                    let loaded = confirmation.loaded_classes(test);
                    confirmation.record_coverage(changes.coverage(test, &loaded))?;
                }
            }
            _ => {
                confirmation.renew(&Perturbation::None);
                confirmation.run(test, Stage::Fork)?;
            }
        }
        done += 1;
    }
    Ok(())
}

fn has_passed<M: Machine>(confirmation: &Confirmation<'_, M>, test: &TestName) -> bool {
    [Stage::First, Stage::Rerun, Stage::Postpone, Stage::Fork]
        .into_iter()
        .any(|stage| confirmation.outcomes(test, stage).contains(&Outcome::Passed))
}

fn has_coverage<M: Machine>(confirmation: &Confirmation<'_, M>, test: &TestName) -> bool {
    let mut events = confirmation.events().iter();
    events.any(|event| matches!(event, Event::Coverage(coverage) if coverage.test == *test))
}

fn is_unrelated<M: Machine>(confirmation: &Confirmation<'_, M>, test: &TestName) -> bool {
    let mut events = confirmation.events().iter();
    events.any(|event| {
        matches!(event, Event::Coverage(coverage)
            if coverage.test == *test && coverage.changed.is_empty() && coverage.inconclusive.is_none())
    })
}

#[cfg(test)]
mod tests {
    use Stage::{First, Fork, Postpone, Rerun};

    use super::*;
    use crate::scripted_machine::{ScriptedMachine, check, stages_of};

    fn counts() -> RerunCounts {
        RerunCounts {
            threshold: None,
            ..RerunCounts::default()
        }
    }

    #[test]
    fn a_passing_suite_runs_once() {
        let script = ScriptedMachine::new(&[("a.T#one", "pppp"), ("a.T#two", "pppp")]);
        let (events, completion) = check(script, |it| run_stages(it, &it.tests(), &counts(), None));
        assert_eq!(completion, Completion::Complete);
        assert_eq!(stages_of(&events, "a.T#one"), [Stage::First]);
    }

    #[test]
    fn each_stage_gives_way_to_the_next_and_a_pass_ends_the_matter() {
        let tests = [
            ("a.T#rerun", "fp"),
            ("a.T#postpone", "fffp"),
            ("a.T#fork", "fffffp"),
            ("a.T#bug", "ffffffff"),
        ];
        let (events, _) = check(ScriptedMachine::new(&tests), |it| {
            run_stages(it, &it.tests(), &counts(), None)
        });
        assert_eq!(stages_of(&events, "a.T#rerun"), [First, Rerun]);
        assert_eq!(stages_of(&events, "a.T#postpone"), [First, Rerun, Rerun, Postpone]);
        assert_eq!(
            stages_of(&events, "a.T#fork"),
            [First, Rerun, Rerun, Postpone, Postpone, Fork]
        );
        assert_eq!(
            stages_of(&events, "a.T#bug"),
            [First, Rerun, Rerun, Postpone, Postpone, Fork, Fork]
        );
    }

    #[test]
    fn too_many_failures_end_it_after_rerun() {
        let tests = [("a.T#bug", "ffffffff"), ("a.T#good", "p")];
        let paper = RerunCounts::default();
        let (events, completion) = check(ScriptedMachine::new(&tests), |it| {
            run_stages(it, &it.tests(), &paper, None)
        });
        assert_eq!(completion, Completion::TooManyFailures { failures: 1, tests: 2 });
        assert_eq!(
            stages_of(&events, "a.T#bug"),
            [Stage::First, Stage::Rerun, Stage::Rerun]
        );
    }

    #[test]
    fn postponed_runs_share_the_jvm_of_the_suite_and_forked_ones_share_none() {
        let (events, _) = check(ScriptedMachine::new(&[("a.T#bug", "ffffffff")]), |it| {
            run_stages(it, &it.tests(), &counts(), None)
        });
        let jvms: Vec<u32> = crate::evidence::runs(&events).map(|run| run.jvm).collect();
        assert_eq!(jvms, [1, 1, 1, 1, 1, 2, 3]);
    }

    #[test]
    fn a_failure_that_loads_no_change_needs_no_second_fork() {
        let changes = |class: &str| Changes {
            since: "v1".to_owned(),
            classes: [class.to_owned()].into(),
            doubt: None,
        };
        let script = || ScriptedMachine::new(&[("a.T#t", "ffffffff")]).loading(&["a.T", "a.Used"]);
        let elsewhere = changes("a.Elsewhere");
        let (events, _) = check(script(), |it| run_stages(it, &it.tests(), &counts(), Some(&elsewhere)));
        assert_eq!(
            crate::evidence::runs(&events)
                .filter(|run| run.stage == Stage::Fork)
                .count(),
            1
        );
        assert_eq!(
            crate::verdict::verdicts(&events, &[])[0].shown_by,
            Some(Stage::Intersect)
        );
        let used = changes("a.Used");
        let (events, _) = check(script(), |it| run_stages(it, &it.tests(), &counts(), Some(&used)));
        assert_eq!(
            crate::evidence::runs(&events)
                .filter(|run| run.stage == Stage::Fork)
                .count(),
            2
        );
        assert_eq!(
            crate::verdict::verdicts(&events, &[])[0].status,
            crate::verdict::Status::Failing
        );
    }
}
