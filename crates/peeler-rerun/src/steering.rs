//! Steering: what is likely to show that a test is flaky, so that a budget is spent on it.
//!
//! A scan says which tests are likely to be flaky, and by which rule. A rule says which change of the environment would
//! show it: an unspecified order needs NonDex, timing needs a slow machine, shared state needs another test before it.
//! In a steered plan each test runs only under the changes that fit it, and the likeliest tests come first.
//!
//! Invariant: verdicts are reached by runs as always. Steering only chooses the runs.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use peeler_features::TestName;
use peeler_learning::cannier::Decision;

use crate::candidates::Candidate;
use crate::confirmation::{ConfirmError, Confirmation};
use crate::evidence::Stage;
use crate::machine::Machine;
use crate::orders::run_behind;
use crate::perturbation::{Perturbation, PerturbationKind};
use crate::plan::{ASSUMED_SECONDS, Estimate, Plan};

/// What is likely to show that a test is flaky.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hints {
    /// The changes of the environment that fit the test.
    pub kinds: BTreeSet<PerturbationKind>,
    /// Whether repetition without any change fits the test, as for random values.
    pub repeats: bool,
}

/// Two tests of which the first may break the second by a state that it leaves behind.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SuspectedPair {
    /// The test that leaves a state changed.
    pub polluter: TestName,
    /// The test that reads the state.
    pub victim: TestName,
}

/// What is likely to show flakiness, for each test of a scan, and which pairs of tests may depend on each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Steering {
    /// The tests of the scan, the likeliest first.
    pub ranking: Vec<TestName>,
    /// What fits each of these tests.
    pub hints: BTreeMap<TestName, Hints>,
    /// The pairs of tests that a rule suspects.
    pub pairs: Vec<SuspectedPair>,
}

impl Steering {
    /// Whether a change of the environment fits a test.
    #[must_use]
    pub fn fits(&self, test: &TestName, perturbation: &Perturbation) -> bool {
        let hints = self.hints.get(test);
        hints.is_some_and(|it| perturbation.kind().is_some_and(|kind| it.kinds.contains(&kind)))
    }

    /// The tests that repetition fits.
    #[must_use]
    pub fn repeated(&self) -> BTreeSet<&TestName> {
        let repeated = self.hints.iter().filter(|(_, hints)| hints.repeats);
        repeated.map(|(test, _)| test).collect()
    }

    /// The suspected pairs with a test among `tests`.
    #[must_use]
    pub fn pairs_of(&self, tests: &[TestName]) -> Vec<&SuspectedPair> {
        let wanted: BTreeSet<&TestName> = tests.iter().collect();
        let has = |it: &&SuspectedPair| wanted.contains(&it.victim) || wanted.contains(&it.polluter);
        self.pairs.iter().filter(has).collect()
    }
}

/// The number of runs that a steered plan makes with one test.
#[derive(Debug, Clone, Copy)]
pub struct RunCounts {
    /// The runs without any change, if repetition fits the test; else the test runs once.
    pub repeated: u32,
    /// The runs with NonDex.
    pub nondex: u32,
    /// The runs under each other change of the environment.
    pub perturbed: u32,
    /// The runs of a pair of tests.
    pub paired: u32,
}

impl RunCounts {
    /// The number of runs of a test that these hints are about.
    #[must_use]
    pub fn of(&self, hints: &Hints) -> u32 {
        let plain = if hints.repeats { self.repeated } else { 1 };
        let of = |kind: &PerturbationKind| match kind {
            PerturbationKind::NonDex => self.nondex,
            PerturbationKind::Order => self.paired,
            other => self.perturbed.max(u32::try_from(other.conditions().len()).unwrap_or(1)),
        };
        plain + hints.kinds.iter().map(of).sum::<u32>()
    }

    /// The number of runs of a test to which everything is done.
    #[must_use]
    pub fn everything(&self) -> u32 {
        self.of(&Hints {
            kinds: PerturbationKind::ALL.into(),
            repeats: true,
        })
    }
}

/// A limit on the cost of a steered plan.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// No limit: all tests of the scan run.
    None,
    /// The expected time of all runs.
    Time(Duration),
    /// A share of the cost of doing everything to every test.
    Share(f64),
}

/// The plan that runs the likeliest tests under the changes that fit them, as many as the limit pays for.
#[must_use]
pub fn steered_plan(steering: &Steering, candidates: &[Candidate], counts: RunCounts, limit: Limit) -> Plan {
    let known: BTreeMap<&TestName, &Candidate> = candidates.iter().map(|it| (&it.test, it)).collect();
    let mut plan = Plan::new(&[], None, counts.repeated);
    for candidate in candidates {
        add(&mut plan.plain, candidate, counts.everything());
    }
    let most = match limit {
        Limit::None => f64::INFINITY,
        Limit::Time(time) => time.as_secs_f64(),
        Limit::Share(share) => share * plan.plain.seconds,
    };
    let mut is_spent = false;
    for test in &steering.ranking {
        let (Some(candidate), Some(hints)) = (known.get(test), steering.hints.get(test)) else {
            continue;
        };
        let mut with = plan.estimate;
        add(&mut with, candidate, counts.of(hints));
        // The first test always runs, so that a small budget buys something.
        is_spent |= with.seconds > most && !plan.run.is_empty();
        if is_spent {
            plan.left_out.insert(test.clone(), Decision::Unsure);
        } else {
            plan.estimate = with;
            plan.run.push(test.clone());
        }
    }
    plan
}

fn add(estimate: &mut Estimate, candidate: &Candidate, runs: u32) {
    estimate.runs += f64::from(runs);
    estimate.seconds += f64::from(runs) * candidate.seconds.unwrap_or(ASSUMED_SECONDS);
    estimate.assumed_times += usize::from(candidate.seconds.is_none());
}

/// Runs each suspected pair in a new JVM. If the second test fails, it runs alone, and behind the first one again.
///
/// # Errors
///
/// When a test cannot be run or recorded, or the budget is spent.
pub fn run_pairs<M: Machine>(
    confirmation: &mut Confirmation<'_, M>,
    pairs: &[&SuspectedPair],
) -> Result<(), ConfirmError> {
    for SuspectedPair { polluter, victim } in pairs {
        if has_run(confirmation, polluter, victim) {
            continue;
        }
        let lead = std::slice::from_ref(polluter);
        let behind = run_behind(confirmation, &Perturbation::None, lead, victim, Stage::TruncatedFailing)?;
        if behind.is_failure() {
            run_behind(confirmation, &Perturbation::None, &[], victim, Stage::Alone)?;
            run_behind(confirmation, &Perturbation::None, lead, victim, Stage::Pair)?;
        }
    }
    Ok(())
}

/// Whether the second test has run behind the first one, in a JVM that had run no other test.
fn has_run<M: Machine>(confirmation: &Confirmation<'_, M>, polluter: &TestName, victim: &TestName) -> bool {
    let leads = confirmation.runs_of(polluter).filter(|run| run.stage == Stage::Lead);
    let jvms: BTreeSet<u32> = leads.map(|run| run.jvm).collect();
    let mut runs = confirmation.runs_of(victim);
    runs.any(|run| run.stage == Stage::TruncatedFailing && jvms.contains(&run.jvm))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::runs;
    use crate::scripted_machine::{ScriptedMachine, check, name};
    use crate::verdict::{FlakyKind, verdicts};

    const COUNTS: RunCounts = RunCounts {
        repeated: 10,
        nondex: 3,
        perturbed: 2,
        paired: 3,
    };

    fn steering() -> Steering {
        let hints = |kinds: &[PerturbationKind], repeats| Hints {
            kinds: kinds.iter().copied().collect(),
            repeats,
        };
        let tests = [
            ("a.T#map", hints(&[PerturbationKind::NonDex], false)),
            ("a.T#random", hints(&[], true)),
            (
                "a.T#slow",
                hints(&[PerturbationKind::Stress, PerturbationKind::Delay], true),
            ),
        ];
        Steering {
            ranking: tests.iter().map(|(test, _)| name(test)).collect(),
            hints: tests.into_iter().map(|(test, hints)| (name(test), hints)).collect(),
            pairs: Vec::new(),
        }
    }

    #[test]
    fn the_likeliest_tests_get_what_fits_them_as_far_as_the_budget_goes() {
        let steering = steering();
        let candidates: Vec<Candidate> = steering
            .ranking
            .iter()
            .map(|test| Candidate {
                test: test.clone(),
                probability: None,
                seconds: Some(1.0),
                failure_rate: None,
            })
            .collect();
        let plan = |limit: Limit| steered_plan(&steering, &candidates, COUNTS, limit);
        let everything = plan(Limit::None);
        assert_eq!(everything.run.len(), 3);
        // One run and three seeds; ten runs; ten runs and two under each of two loads.
        assert!(
            (everything.estimate.runs - (4.0 + 10.0 + 14.0)).abs() < 1e-9,
            "{everything:?}"
        );
        let some = plan(Limit::Time(Duration::from_secs(15)));
        assert_eq!(some.run, [name("a.T#map"), name("a.T#random")]);
        assert_eq!(some.left_out.len(), 1);
        assert_eq!(plan(Limit::Share(0.0)).run, [name("a.T#map")]);
        assert!(steering.fits(&name("a.T#map"), &Perturbation::NonDex { seed: 1, part: None }));
        assert!(!steering.fits(&name("a.T#map"), &Perturbation::Interpreted));
    }

    #[test]
    fn a_suspected_pair_is_proven_by_runs_behind_and_alone_and_once() {
        let script =
            ScriptedMachine::new(&[("a.T#leaves", "p"), ("a.T#reads", "p")]).polluting("a.T#leaves", "a.T#reads");
        let pair = SuspectedPair {
            polluter: name("a.T#leaves"),
            victim: name("a.T#reads"),
        };
        let (events, ()) = check(script, |it| {
            run_pairs(it, &[&pair])?;
            run_pairs(it, &[&pair])
        });
        assert_eq!(runs(&events).count(), 5);
        let found = verdicts(&events, &[]);
        let victim = found.iter().find(|it| it.test == pair.victim).expect("a verdict");
        assert_eq!(victim.kinds, [FlakyKind::Order]);
    }
}
