//! Repetition: a test runs until its outcome changes, up to a limit.
//!
//! CANNIER decides which tests are repeated. Runs of the stages count, so a test that they decided is not run again.

use peeler_features::TestName;

use crate::confirmation::{ConfirmError, Confirmation};
use crate::evidence::Stage;
use crate::machine::Machine;
use crate::perturbation::Perturbation;

/// The condition that ends the repetition of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepeatUntil {
    /// Repetition ends once the outcome changes.
    OutcomeChanges,
    /// Repetition ends once all runs are made, which shows how often the test fails.
    AllRunsMade,
}

/// Runs every test up to `most` times in total, in one JVM as long as it is running.
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
