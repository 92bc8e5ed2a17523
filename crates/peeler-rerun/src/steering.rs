//! Steering: what is likely to show that a test is flaky, so that a budget is spent on it.
//!
//! A scan says which tests are likely to be flaky, and by which rule. A rule says which change of the environment would
//! show it: an unspecified order needs NonDex, timing needs a slow machine, shared state needs another test before it.
//! In a steered plan each test runs only under the changes that fit it, and the likeliest tests come first.
//!
//! With a limit on the cost the tests that a rule found come first, then sweeps (one run of every test under the
//! changes that show most), and then the other tests, as far as the limit goes.
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
use crate::sweep::{SWEPT, Sweep};

/// What is likely to show that a test is flaky.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hints {
    /// The changes of the environment that fit the test.
    pub kinds: BTreeSet<PerturbationKind>,
    /// Whether repetition without any change fits the test, as for random values.
    pub repeats: bool,
    /// Whether a scan lists the test as a finding.
    pub is_found: bool,
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
            is_found: false,
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

/// The plan that runs the likeliest tests under the changes that fit them, as many as the limit pays for. With a limit,
/// sweeps over all tests come before the tests that are no findings.
#[must_use]
pub fn steered_plan(steering: &Steering, candidates: &[Candidate], counts: RunCounts, limit: Limit) -> Plan {
    let mut planner = Planner::new(candidates, counts, limit);
    let known: BTreeMap<&TestName, &Candidate> = candidates.iter().map(|it| (&it.test, it)).collect();
    let ranking: Vec<(&Candidate, &Hints)> = steering
        .ranking
        .iter()
        .filter_map(|it| known.get(it).copied().zip(steering.hints.get(it)))
        .collect();
    let (found, others): (Vec<_>, Vec<_>) = ranking.iter().copied().partition(|(_, hints)| hints.is_found);
    planner.fully(&found);
    if limit != Limit::None {
        planner.sweep(&ranking);
    }
    planner.fully(&others);
    planner.finish(&ranking)
}

/// Fills a steered plan until its limit is reached.
struct Planner {
    plan: Plan,
    counts: RunCounts,
    /// The most seconds that all runs may take.
    most: f64,
    is_spent: bool,
    swept: BTreeMap<TestName, BTreeSet<PerturbationKind>>,
}

impl Planner {
    fn new(candidates: &[Candidate], counts: RunCounts, limit: Limit) -> Self {
        let mut plan = Plan::new(&[], None, counts.repeated);
        for candidate in candidates {
            add(&mut plan.plain, candidate, counts.everything());
        }
        let most = match limit {
            Limit::None => f64::INFINITY,
            Limit::Time(time) => time.as_secs_f64(),
            Limit::Share(share) => share * plan.plain.seconds,
        };
        Self {
            plan,
            counts,
            most,
            is_spent: false,
            swept: BTreeMap::new(),
        }
    }

    /// Whether the limit pays for these runs of a test, which then are part of the estimate. After the first test that
    /// it does not pay for, it pays for nothing.
    fn pays(&mut self, candidate: &Candidate, runs: u32) -> bool {
        let mut with = self.plan.estimate;
        add(&mut with, candidate, runs);
        // The first test always runs, so that a small budget buys something.
        let is_first = self.plan.run.is_empty() && self.swept.is_empty();
        self.is_spent |= with.seconds > self.most && !is_first;
        if !self.is_spent {
            self.plan.estimate = with;
        }
        !self.is_spent
    }

    /// Adds all runs that fit these tests. What a sweep ran does not run again.
    fn fully(&mut self, tests: &[(&Candidate, &Hints)]) {
        for (candidate, hints) in tests {
            let swept = self.swept.get(&candidate.test).into_iter().flatten();
            let done = swept.filter(|it| hints.kinds.contains(it)).count();
            let runs = self.counts.of(hints) - u32::try_from(done).unwrap_or(0);
            if !self.pays(candidate, runs) {
                return;
            }
            self.plan.run.push(candidate.test.clone());
        }
    }

    /// Adds a run of every test under each swept change, except where all runs that fit the test have that change.
    fn sweep(&mut self, ranking: &[(&Candidate, &Hints)]) {
        let full: BTreeSet<TestName> = self.plan.run.iter().cloned().collect();
        for kind in SWEPT {
            let mut tests = Vec::new();
            for (candidate, hints) in ranking {
                if full.contains(&candidate.test) && hints.kinds.contains(&kind) {
                    continue;
                }
                if !self.pays(candidate, 1) {
                    break;
                }
                self.swept.entry(candidate.test.clone()).or_default().insert(kind);
                tests.push(candidate.test.clone());
            }
            if !tests.is_empty() {
                self.plan.sweeps.push(Sweep { kind, tests });
            }
        }
    }

    fn finish(mut self, ranking: &[(&Candidate, &Hints)]) -> Plan {
        let run: BTreeSet<&TestName> = self.plan.run.iter().chain(self.swept.keys()).collect();
        let left_out = ranking
            .iter()
            .map(|(candidate, _)| &candidate.test)
            .filter(|it| !run.contains(it));
        self.plan.left_out = left_out.map(|it| (it.clone(), Decision::Unsure)).collect();
        self.plan
    }
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
    use crate::confirm::{Request, confirm};
    use crate::evidence::runs;
    use crate::perturbed::Conditions;
    use crate::repeat::RepeatUntil;
    use crate::scripted_machine::{ScriptedMachine, check, name, stages_of};
    use crate::stages::RerunCounts;
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
            is_found: false,
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

    fn candidates(steering: &Steering) -> Vec<Candidate> {
        let tests = steering.ranking.iter().map(|test| Candidate {
            test: test.clone(),
            probability: None,
            seconds: Some(1.0),
            failure_rate: None,
        });
        tests.collect()
    }

    #[test]
    fn the_likeliest_tests_get_what_fits_them_as_far_as_the_budget_goes() {
        let steering = steering();
        let candidates = candidates(&steering);
        let plan = |limit: Limit| steered_plan(&steering, &candidates, COUNTS, limit);
        let everything = plan(Limit::None);
        assert_eq!(everything.run.len(), 3);
        // One run and three seeds; ten runs; ten runs and two under each of two loads.
        assert!(
            (everything.estimate.runs - (4.0 + 10.0 + 14.0)).abs() < 1e-9,
            "{everything:?}"
        );
        assert_eq!(everything.sweeps, []);
        // With a limit every test runs once with NonDex and in another locale, and then as far as the limit goes. The
        // first test had one of its three seeds before.
        let swept = |plan: &Plan| {
            plan.sweeps
                .iter()
                .map(|it| (it.kind, it.tests.len()))
                .collect::<Vec<_>>()
        };
        let some = plan(Limit::Time(Duration::from_secs(19)));
        assert_eq!(
            swept(&some),
            [(PerturbationKind::NonDex, 3), (PerturbationKind::Locale, 3)]
        );
        assert_eq!(some.run, [name("a.T#map"), name("a.T#random")]);
        assert!((some.estimate.runs - (3.0 + 3.0 + 3.0 + 10.0)).abs() < 1e-9, "{some:?}");
        assert_eq!(some.left_out.len(), 0);
        let few = plan(Limit::Time(Duration::from_secs(2)));
        assert_eq!((swept(&few), few.run.len()), (vec![(PerturbationKind::NonDex, 2)], 0));
        assert_eq!(few.left_out.keys().collect::<Vec<_>>(), [&name("a.T#slow")]);
        assert_eq!(swept(&plan(Limit::Share(0.0))), [(PerturbationKind::NonDex, 1)]);
        assert!(steering.fits(&name("a.T#map"), &Perturbation::NonDex { seed: 1, part: None }));
        assert!(!steering.fits(&name("a.T#map"), &Perturbation::Interpreted));
    }

    #[test]
    fn findings_come_before_sweeps() {
        let mut steering = steering();
        steering.hints.get_mut(&name("a.T#slow")).expect("a test").is_found = true;
        let plan = steered_plan(
            &steering,
            &candidates(&steering),
            COUNTS,
            Limit::Time(Duration::from_secs(16)),
        );
        // Ten runs and two under each of two loads, then two of the budget for a sweep.
        assert_eq!(plan.run, [name("a.T#slow")]);
        assert_eq!(plan.sweeps.len(), 1);
        assert_eq!(plan.sweeps[0].tests, [name("a.T#map"), name("a.T#random")]);
    }

    #[test]
    fn a_test_that_fails_in_a_sweep_is_proven_by_plain_runs_and_by_a_run_alone() {
        let seed = Perturbation::NonDex { seed: 1, part: None };
        let script = ScriptedMachine::new(&[("a.T#map", "p"), ("a.T#other", "p")]).failing_with(seed.clone());
        let request = Request {
            tests: vec![],
            sweeps: vec![Sweep {
                kind: PerturbationKind::NonDex,
                tests: vec![name("a.T#map")],
            }],
            suite: vec![name("a.T#map"), name("a.T#other")],
            counts: RerunCounts::default(),
            changes: None,
            most_runs: 5,
            until: RepeatUntil::OutcomeChanges,
            orders: None,
            conditions: Conditions {
                perturbations: vec![seed, Perturbation::NonDex { seed: 2, part: None }],
                runs: 2,
                until: RepeatUntil::OutcomeChanges,
            },
            steering: Some(Steering::default()),
            most_culprits: 0,
        };
        let (events, _) = check(script, |it| confirm(it, &request));
        assert_eq!(
            stages_of(&events, "a.T#map"),
            [Stage::Perturbed, Stage::First, Stage::Again]
        );
        assert_eq!(stages_of(&events, "a.T#other"), []);
        let found = verdicts(&events, &[]);
        assert_eq!(found[0].kinds, [FlakyKind::Unspecified]);
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
