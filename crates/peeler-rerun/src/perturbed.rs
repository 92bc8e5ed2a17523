//! Runs of tests in changed environments, such as another time zone, for tests that have only passed or only failed so
//! far.

use peeler_features::TestName;

use crate::confirmation::{ConfirmError, Confirmation};
use crate::evidence::Stage;
use crate::machine::Machine;
use crate::perturbation::Perturbation;

/// Runs tests in each of the changed environments `conditions`, with one new JVM for each environment.
///
/// A test runs `count` times in each. It runs no more once it has both passed and failed.
///
/// # Errors
///
/// When a test cannot be run or recorded, or the budget is spent.
pub fn run_perturbed<M: Machine>(
    confirmation: &mut Confirmation<'_, M>,
    tests: &[TestName],
    conditions: &[Perturbation],
    count: u32,
) -> Result<(), ConfirmError> {
    for condition in conditions {
        confirmation.renew(condition);
        for test in tests {
            let mut done = runs_under(confirmation, test, condition);
            while !confirmation.tally(test).is_flaky() && done < count {
                confirmation.run(test, Stage::Perturbed)?;
                done += 1;
            }
        }
    }
    confirmation.renew(&Perturbation::None);
    Ok(())
}

fn runs_under<M: Machine>(confirmation: &Confirmation<'_, M>, test: &TestName, condition: &Perturbation) -> u32 {
    let done = confirmation
        .runs_of(test)
        .filter(|run| run.stage == Stage::Perturbed && run.perturbation == *condition);
    u32::try_from(done.count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::runs;
    use crate::perturbation::PerturbationKind;
    use crate::scripted_machine::{ScriptedMachine, check};
    use crate::stages::{RerunCounts, run_stages};
    use crate::verdict::{Dependence, verdicts};

    #[test]
    fn a_failure_under_a_condition_ends_the_matter_and_names_the_condition() {
        let turkish = PerturbationKind::Locale.conditions()[0].clone();
        let script = ScriptedMachine::new(&[("a.T#t", "p")]).failing_with(turkish.clone());
        let conditions = [
            PerturbationKind::Zone.conditions(),
            PerturbationKind::Locale.conditions(),
        ]
        .concat();
        let (events, ()) = check(script, |it| {
            let tests = it.tests();
            run_stages(it, &tests, &RerunCounts::default(), None)?;
            run_perturbed(it, &tests, &conditions, 2)
        });
        // One plain run, two runs in each of two time zones, and one run in the Turkish locale.
        assert_eq!(runs(&events).count(), 1 + 4 + 1);
        let expected = Dependence::Environment { perturbation: turkish };
        assert_eq!(verdicts(&events, &[])[0].depends_on, Some(expected));
    }
}
