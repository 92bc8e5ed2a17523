//! Sweeps: many tests run once each under one change of the environment, before single tests run often.
//!
//! Most tests whose outcome depends on unspecified behaviour or on the locale fail in the first such run. So a small
//! budget finds more if it gives one run to every test than if it gives many runs to few.
//!
//! Invariant: a sweep proves nothing. Tests that fail in it go through all steps of `peeler confirm`, which run them
//! unchanged, and alone under the change.

use peeler_features::TestName;

use crate::confirmation::{ConfirmError, Confirmation};
use crate::evidence::{Run, Stage};
use crate::machine::Machine;
use crate::perturbation::{Perturbation, PerturbationKind};

/// The changes under which tests are swept, in this order: those under which most tests fail that nothing points to.
pub const SWEPT: [PerturbationKind; 2] = [PerturbationKind::NonDex, PerturbationKind::Locale];

/// Tests that run once each under a change of the environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sweep {
    /// The kind of change. Of several environments of this kind the first is used.
    pub kind: PerturbationKind,
    /// The tests, in the order of their runs.
    pub tests: Vec<TestName>,
}

/// A test that failed in a sweep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Suspect {
    pub(crate) test: TestName,
    pub(crate) kind: PerturbationKind,
}

/// Runs all sweeps, in one JVM each, in the first of `perturbations` that is of their kind. Returns the tests that
/// failed. Sweeps without such an environment are left out.
///
/// # Errors
///
/// When a test cannot be run or recorded, or the budget is spent.
pub(crate) fn run_sweeps<M: Machine>(
    confirmation: &mut Confirmation<'_, M>,
    sweeps: &[Sweep],
    perturbations: &[Perturbation],
) -> Result<Vec<Suspect>, ConfirmError> {
    let mut suspects = Vec::new();
    for sweep in sweeps {
        let Some(condition) = perturbations.iter().find(|it| it.kind() == Some(sweep.kind)) else {
            continue;
        };
        confirmation.renew(condition);
        for test in &sweep.tests {
            let is_swept = |run: &Run| run.stage == Stage::Perturbed && run.perturbation == *condition;
            if !confirmation.runs_of(test).any(is_swept) {
                confirmation.run(test, Stage::Perturbed)?;
            }
            let has_failed = |run: &Run| is_swept(run) && run.counts() && run.outcome.is_failure();
            if confirmation.runs_of(test).any(has_failed) {
                suspects.push(Suspect {
                    test: test.clone(),
                    kind: sweep.kind,
                });
            }
        }
    }
    confirmation.renew(&Perturbation::None);
    Ok(suspects)
}
