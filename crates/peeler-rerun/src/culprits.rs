//! The search for the call of the Java library whose unspecified behaviour changes the outcome of a test.
//!
//! NonDex numbers its shuffles and can make a part of them. The test runs in new JVMs with ever fewer shuffles: first
//! the least number of shuffles with which it still fails is found, then whether the last of these is enough. NonDex
//! then writes the stack of that single shuffle.
//!
//! Left out: outcomes that need several shuffles together. No call is named then.

use peeler_features::TestName;

use crate::confirmation::{ConfirmError, Confirmation};
use crate::evidence::{Event, Outcome, Stage};
use crate::machine::Machine;
use crate::perturbation::Perturbation;

/// The number of shuffles that is assumed to be the largest of one test.
const MOST_SHUFFLES: u64 = 1 << 26;

/// Searches the call for tests that passed and then failed with NonDex, at most `most` of them, those with recorded
/// searches included.
///
/// # Errors
///
/// When a test cannot be run or recorded, or the budget is spent.
pub fn find_culprits<M: Machine>(
    confirmation: &mut Confirmation<'_, M>,
    tests: &[TestName],
    most: usize,
) -> Result<(), ConfirmError> {
    let mut searched = 0;
    for test in tests {
        if searched == most {
            break;
        }
        let Some(seed) = failing_seed(confirmation, test) else {
            continue;
        };
        searched += 1;
        if is_searched(confirmation.events(), test) {
            continue;
        }
        let stack = culprit(confirmation, test, seed)?.unwrap_or_default();
        confirmation.record(Event::Culprit {
            test: test.clone(),
            stack,
        })?;
    }
    Ok(())
}

/// The seed of NonDex with which a test failed alone in a new JVM.
fn failing_seed<M: Machine>(confirmation: &Confirmation<'_, M>, test: &TestName) -> Option<u32> {
    let passed = confirmation.outcomes(test, Stage::First).contains(&Outcome::Passed);
    let mut again = confirmation.runs_of(test).filter(|run| run.stage == Stage::Again);
    let run = again.find(|run| passed && run.outcome == Outcome::Failed)?;
    match run.perturbation {
        Perturbation::NonDex { seed, .. } => Some(seed),
        _ => None,
    }
}

fn is_searched(events: &[Event], wanted: &TestName) -> bool {
    let mut events = events.iter();
    events.any(|event| matches!(event, Event::Culprit { test, .. } if test == wanted))
}

/// The stack of the single shuffle that makes a test fail; `None` if there is no such shuffle.
fn culprit<M: Machine>(
    confirmation: &mut Confirmation<'_, M>,
    test: &TestName,
    seed: u32,
) -> Result<Option<Vec<String>>, ConfirmError> {
    let mut fails = |first: u64, last: u64| -> Result<bool, ConfirmError> {
        let part = Some((first, last));
        confirmation.renew(&Perturbation::NonDex { seed, part });
        Ok(confirmation.run(test, Stage::Narrowed)?.is_failure())
    };
    // The last shuffle that is needed lies above `enough_not` and at or below `enough`.
    let (mut enough_not, mut enough) = (0, 256);
    while !fails(0, enough)? {
        enough_not = enough;
        enough *= 8;
        if enough > MOST_SHUFFLES {
            return Ok(None);
        }
    }
    while enough - enough_not > 1 {
        let middle = enough_not + (enough - enough_not) / 2;
        if fails(0, middle)? {
            enough = middle;
        } else {
            enough_not = middle;
        }
    }
    if !fails(enough, enough)? {
        return Ok(None);
    }
    Ok(confirmation.shuffled_call(test))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scripted_machine::{ScriptedMachine, check, name};
    use crate::verdict::verdicts;

    #[test]
    fn the_shuffle_that_is_enough_to_fail_is_found_and_named_once() {
        let script = ScriptedMachine::new(&[("a.T#t", "p"), ("a.T#u", "p")]).failing_by_shuffle(7, 3_000);
        let (events, ()) = check(script, |it| {
            let tests = it.tests();
            for test in &tests {
                it.renew(&Perturbation::None);
                it.run(test, Stage::First)?;
                it.renew(&Perturbation::NonDex { seed: 7, part: None });
                it.run(test, Stage::Again)?;
            }
            find_culprits(it, &tests, 1)?;
            find_culprits(it, &tests, 1)
        });
        let searches = events.iter().filter(|it| matches!(it, Event::Culprit { .. })).count();
        assert_eq!(searches, 1);
        let found = verdicts(&events, &[]);
        let stack = ["java.util.HashMap.shuffle3000(HashMap.java)".to_owned()];
        assert_eq!(found[0].culprit.as_deref(), Some(&stack[..]));
        assert_eq!((found[0].test.clone(), found[1].culprit.clone()), (name("a.T#t"), None));
        assert_eq!(found[0].runs, 2, "the search does not count as evidence");
    }
}
