//! Repetition: runs a test again and again until its outcome changes, up to a maximum number of runs.
//!
//! Earlier runs of a test count. A test that already passed and failed is not run again.

use peeler_features::TestName;

use crate::confirmation::{ConfirmError, Confirmation};
use crate::evidence::Stage;
use crate::machine::Machine;
use crate::perturbation::Perturbation;

/// The condition that ends the repeated runs of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepeatUntil {
    /// A test runs until it has both passed and failed.
    OutcomeChanges,
    /// A test runs the maximum number of times, which shows how often it fails.
    AllRunsMade,
}

/// Runs each test until the condition `until` holds, at most `most` times including its earlier recorded runs. The
/// tests share a JVM.
///
/// # Errors
///
/// When a test cannot be run or recorded, or the budget is spent.
pub fn repeat<M: Machine>(
    confirmation: &mut Confirmation<'_, M>,
    tests: &[TestName],
    most: u32,
    until: RepeatUntil,
) -> Result<(), ConfirmError> {
    confirmation.renew(&Perturbation::None);
    for test in tests {
        loop {
            let tally = confirmation.tally(test);
            let is_decided = until == RepeatUntil::OutcomeChanges && tally.is_flaky();
            if is_decided || tally.runs >= most {
                break;
            }
            // A test that was skipped or missing once will be so again.
            if !confirmation.run(test, Stage::Repeat)?.is_run() {
                break;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::runs;
    use crate::scripted_machine::{ScriptedMachine, check};

    #[test]
    fn a_change_of_outcome_ends_the_runs_of_a_test() {
        let tests = [("a.T#flaky", "ppppfp"), ("a.T#stable", "p")];
        let count = |until: RepeatUntil| {
            let (events, ()) = check(ScriptedMachine::new(&tests), |it| repeat(it, &it.tests(), 10, until));
            runs(&events).count()
        };
        assert_eq!(count(RepeatUntil::OutcomeChanges), 5 + 10);
        assert_eq!(count(RepeatUntil::AllRunsMade), 10 + 10);
    }
}
