//! Runs of tests in changed environments, such as another time zone.

use peeler_features::TestName;

use crate::confirmation::{ConfirmError, Confirmation};
use crate::evidence::{Outcome, Run, Stage};
use crate::machine::Machine;
use crate::perturbation::{Perturbation, PerturbationKind};
use crate::repeat::RepeatUntil;
use crate::steering::Steering;
use crate::verdict::FlakyKind;

/// The changed environments in which tests run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conditions {
    /// The changed environments, in the order in which they are tried.
    pub perturbations: Vec<Perturbation>,
    /// How often each test runs under each kind of change, such as other time zones. With NonDex it runs once for each
    /// seed.
    pub runs: u32,
    /// Whether a test runs no more once it has both passed and failed.
    pub until: RepeatUntil,
}

impl Conditions {
    /// How often each test runs in one of the changed environments.
    #[must_use]
    pub fn runs_with(&self, perturbation: &Perturbation) -> u32 {
        let kind = perturbation.kind();
        if kind == Some(PerturbationKind::NonDex) {
            return 1;
        }
        let of_kind = self.perturbations.iter().filter(|it| it.kind() == kind).count();
        self.runs.div_ceil(u32::try_from(of_kind.max(1)).unwrap_or(u32::MAX))
    }
}

/// Runs tests in changed environments, with one new JVM for each environment.
///
/// With `steering`, a test runs only in the environments that fit it.
///
/// A test that fails in a changed environment, and passed before, runs again in it, alone in a new JVM. This tells the
/// environment from chance. Speed is left out, since it changes outcomes by chance anyway.
///
/// # Errors
///
/// When a test cannot be run or recorded, or the budget is spent.
pub fn run_perturbed<M: Machine>(
    confirmation: &mut Confirmation<'_, M>,
    tests: &[TestName],
    conditions: &Conditions,
    steering: Option<&Steering>,
) -> Result<(), ConfirmError> {
    for condition in &conditions.perturbations {
        confirmation.renew(condition);
        let mut changed = Vec::new();
        for test in tests {
            if steering.is_some_and(|it| !it.fits(test, condition)) {
                continue;
            }
            let mut done = runs_under(confirmation, test, condition);
            while !is_decided(confirmation, test, conditions.until) && done < conditions.runs_with(condition) {
                confirmation.run(test, Stage::Perturbed)?;
                done += 1;
            }
            if is_changed_by(confirmation, test, condition) {
                changed.push(test);
            }
        }
        for test in changed {
            if !has_run_again(confirmation, test, condition) {
                run_again(confirmation, test, condition, conditions)?;
            }
        }
    }
    confirmation.renew(&Perturbation::None);
    Ok(())
}

/// Whether more runs of a test tell nothing: it has both passed and failed, or never really ran.
fn is_decided<M: Machine>(confirmation: &Confirmation<'_, M>, test: &TestName, until: RepeatUntil) -> bool {
    let is_absent = |it: &Outcome| !it.is_run();
    let first = confirmation.outcomes(test, Stage::First);
    let never_ran = !first.is_empty() && first.iter().all(is_absent);
    never_ran || (until == RepeatUntil::OutcomeChanges && confirmation.tally(test).is_flaky())
}

/// Runs a test alone in a changed environment in which it failed. With NonDex, other seeds follow until it fails again,
/// because alone a seed meets other shuffles than behind other tests.
fn run_again<M: Machine>(
    confirmation: &mut Confirmation<'_, M>,
    test: &TestName,
    condition: &Perturbation,
    conditions: &Conditions,
) -> Result<(), ConfirmError> {
    let seeds = conditions.perturbations.iter();
    let others = seeds.filter(|it| *it != condition && it.kind() == Some(PerturbationKind::NonDex));
    let is_nondex = condition.kind() == Some(PerturbationKind::NonDex);
    for again in std::iter::once(condition).chain(others.filter(|_| is_nondex)) {
        confirmation.renew(again);
        if confirmation.run(test, Stage::Again)?.is_failure() {
            break;
        }
    }
    Ok(())
}

/// Whether a test that failed under this kind of change has run again under it, alone.
fn has_run_again<M: Machine>(confirmation: &Confirmation<'_, M>, test: &TestName, condition: &Perturbation) -> bool {
    let mut again = confirmation.runs_of(test).filter(|run| run.stage == Stage::Again);
    again.any(|run| run.perturbation.kind() == condition.kind())
}

/// Whether a test passed at first and failed under this change, which is not one of speed.
fn is_changed_by<M: Machine>(confirmation: &Confirmation<'_, M>, test: &TestName, condition: &Perturbation) -> bool {
    let failed = |run: &&Run| run.perturbation == *condition && run.outcome.is_failure();
    FlakyKind::of(condition).is_some_and(|it| it != FlakyKind::Timing)
        && confirmation.runs_of(test).any(|run| failed(&run) && run.counts())
        && confirmation.outcomes(test, Stage::First).contains(&Outcome::Passed)
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
    use crate::evidence::{Event, runs};
    use crate::scripted_machine::{ScriptedMachine, check, stages_of};
    use crate::stages::{RerunCounts, run_stages};
    use crate::verdict::{Dependence, verdicts};

    fn run_all(script: ScriptedMachine, perturbations: Vec<Perturbation>, until: RepeatUntil) -> Vec<Event> {
        let conditions = Conditions {
            perturbations,
            runs: 2,
            until,
        };
        let (events, ()) = check(script, |it| {
            let tests = it.tests();
            run_stages(it, &tests, &RerunCounts::default(), None)?;
            run_perturbed(it, &tests, &conditions, None)
        });
        events
    }

    #[test]
    fn a_failure_under_a_condition_ends_the_matter_and_names_the_condition() {
        let turkish = PerturbationKind::Locale.conditions()[0].clone();
        let conditions = [
            PerturbationKind::Zone.conditions(),
            PerturbationKind::Locale.conditions(),
        ]
        .concat();
        let script = || ScriptedMachine::new(&[("a.T#t", "p")]).failing_with(turkish.clone());
        let events = run_all(script(), conditions.clone(), RepeatUntil::OutcomeChanges);
        // One plain run, one run in each of two time zones, one run in the Turkish locale and another one alone.
        assert_eq!(runs(&events).count(), 1 + 2 + 2);
        let expected = Dependence::Environment {
            perturbation: turkish.clone(),
        };
        assert_eq!(verdicts(&events, &[])[0].depends_on, Some(expected));
        assert_eq!(verdicts(&events, &[])[0].kinds, [FlakyKind::Environment]);
        let events = run_all(script(), conditions, RepeatUntil::AllRunsMade);
        assert_eq!(runs(&events).count(), 1 + 2 + 3);
    }

    #[test]
    fn a_seed_of_nondex_that_changes_the_outcome_is_tried_again_alone() {
        let seed = |seed: u32| Perturbation::NonDex { seed, part: None };
        let script = ScriptedMachine::new(&[("a.T#t", "p")]).failing_with(seed(2));
        let events = run_all(script, vec![seed(1), seed(2), seed(3)], RepeatUntil::AllRunsMade);
        let expected = [
            Stage::First,
            Stage::Perturbed,
            Stage::Perturbed,
            Stage::Again,
            Stage::Perturbed,
        ];
        assert_eq!(stages_of(&events, "a.T#t"), expected);
        assert_eq!(verdicts(&events, &[])[0].kinds, [FlakyKind::Unspecified]);
    }
}
