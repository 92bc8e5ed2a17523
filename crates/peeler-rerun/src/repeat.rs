//! Repetition: a test runs until its outcome changes, at most so many times.
//!
//! This is the rerunning that CANNIER steers. Runs that the stages made count, so a test that they decided costs nothing
//! more.

use peeler_features::TestName;

use crate::confirmation::{ConfirmError, Confirmation};
use crate::evidence::Stage;
use crate::machine::Machine;
use crate::perturbation::Perturbation;

/// When a test has run often enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// Both outcomes were seen.
    Change,
    /// All runs were made, to know how often it fails.
    AllRuns,
}

/// Runs every test until it has run `most` times in all, or its outcome has changed. All share a JVM while it lives.
///
/// # Errors
///
/// When tests can no longer be run or recorded.
pub fn repeat<M: Machine>(
    confirmation: &mut Confirmation<'_, M>,
    tests: &[TestName],
    most: u32,
    until: Until,
) -> Result<(), ConfirmError> {
    confirmation.renew(&Perturbation::None);
    for test in tests {
        loop {
            let tally = confirmation.tally(test);
            let is_decided = until == Until::Change && tally.is_flaky();
            if is_decided || tally.runs >= most {
                break;
            }
            // A test that is skipped or missing will be so the next time, too.
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
    use crate::made::{Script, check};

    #[test]
    fn a_change_of_outcome_ends_the_runs_of_a_test() {
        let tests = [("a.T#flaky", "ppppfp"), ("a.T#stable", "p")];
        let count = |until: Until| {
            let (events, ()) = check(Script::new(&tests), |it| repeat(it, &it.tests(), 10, until));
            runs(&events).count()
        };
        assert_eq!(count(Until::Change), 5 + 10);
        assert_eq!(count(Until::AllRuns), 10 + 10);
    }
}
