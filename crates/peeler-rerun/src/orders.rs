//! The search for tests whose outcome depends on the order of the suite, and for the test that each depends on.
//!
//! If a test passes in the suite's own order and fails in a shuffled one, both orders run again. Each is truncated
//! after the test and runs in a new JVM. If the test fails again in the shuffled order and passes again in the original
//! one, it is a *victim* of the order. Otherwise its outcome changes by chance.
//!
//! A victim then runs after one other test at a time, each pair in a new JVM. The first test that makes it fail is its
//! polluter.
//!
//! A test that fails alone needs another test before it. It runs after each of the tests that preceded it when it
//! passed. A test that fails in the suite's own order and passed in a new JVM is treated as a possible victim too.
//!
//! Invariant: a shuffled order depends only on its seed and the suite, on every machine. It is recorded nevertheless.
//!
//! Left out: polluters that only act together. The order is then known to matter, and no polluter is named.

use std::collections::BTreeMap;

use peeler_features::TestName;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use crate::confirmation::{ConfirmError, Confirmation};
use crate::evidence::{Event, Outcome, Stage};
use crate::machine::Machine;
use crate::perturbation::Perturbation;

/// The shuffled orders of a suite to run, and how polluters are sought.
///
/// A polluter is a test after which another test, its victim, fails.
#[derive(Debug, Clone, PartialEq)]
pub struct Orders {
    /// The random seeds of the shuffled orders; each seed gives one order.
    pub seeds: Vec<u64>,
    /// The maximum number of tests that are tried, one at a time, to find the one that changes the outcome of a victim.
    ///
    /// A victim is a test that depends on the order. It runs after each tried test in a new JVM.
    pub most_pairs: usize,
    /// The model's probabilities that tests are flaky.
    ///
    /// If a test depends on the order, the test that changes its outcome is sought. Tests of the same class are tried
    /// first, then those of the same package. Within each group, the highest probability comes first.
    pub probabilities: BTreeMap<TestName, f64>,
}

/// The tests of a suite in a shuffled order. The tests of a class stay together, as in a test runner.
#[must_use]
pub fn shuffled(suite: &[TestName], seed: u64) -> Vec<TestName> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut classes: Vec<(&str, Vec<&TestName>)> = Vec::new();
    for test in suite {
        match classes.iter_mut().find(|(class, _)| *class == test.class()) {
            Some((_, tests)) => tests.push(test),
            None => classes.push((test.class(), vec![test])),
        }
    }
    shuffle(&mut classes, &mut random);
    let mut order = Vec::with_capacity(suite.len());
    for (_, mut tests) in classes {
        shuffle(&mut tests, &mut random);
        order.extend(tests.into_iter().cloned());
    }
    order
}

/// Shuffles items by Fisher and Yates. A seed gives the same order in all versions of Peeler.
fn shuffle<T>(items: &mut [T], random: &mut ChaCha8Rng) {
    for last in (1..items.len()).rev() {
        // The modulo bias is negligible for an order.
        let other = usize::try_from(random.next_u64() % (last as u64 + 1)).expect("it is at most `last`");
        items.swap(last, other);
    }
}

/// Runs the suite in shuffled orders. Tests that fail only in some orders run again, to find out which test they depend
/// on.
///
/// # Errors
///
/// When a test cannot be run or recorded, or the budget is spent.
pub fn run_orders<M: Machine>(
    confirmation: &mut Confirmation<'_, M>,
    suite: &[TestName],
    orders: &Orders,
) -> Result<(), ConfirmError> {
    for &seed in &orders.seeds {
        let order = shuffled(suite, seed);
        if !is_done(confirmation.events(), seed) {
            confirmation.record(Event::Order {
                seed,
                tests: order.clone(),
            })?;
            confirmation.renew(&Perturbation::Order { seed });
            for test in &order {
                confirmation.run(test, Stage::Shuffled)?;
            }
            confirmation.record(Event::OrderDone { seed })?;
        }
        for test in &order {
            if changes_with_order(confirmation, test, seed)
                && confirmation.outcomes(test, Stage::TruncatedOriginal).is_empty()
            {
                classify(confirmation, test, seed, &order, suite)?;
            }
        }
    }
    for test in suite {
        if fails_in_the_suite_only(confirmation, test) && confirmation.outcomes(test, Stage::Alone).is_empty() {
            run_behind(
                confirmation,
                &Perturbation::None,
                before(suite, test),
                test,
                Stage::TruncatedFailing,
            )?;
            run_behind(confirmation, &Perturbation::None, &[], test, Stage::Alone)?;
        }
    }
    // The loop includes victims that were classified before an interruption.
    for test in suite {
        if let Some(failing) = victim_in(confirmation, test, suite, orders) {
            find_culprit(confirmation, test, &failing, suite, orders)?;
        }
    }
    Ok(())
}

fn is_done(events: &[Event], wanted: u64) -> bool {
    events
        .iter()
        .any(|event| matches!(event, Event::OrderDone { seed } if *seed == wanted))
}

/// Whether a test failed in the shuffled order of this seed and passed in the suite's own order.
fn changes_with_order<M: Machine>(confirmation: &Confirmation<'_, M>, test: &TestName, seed: u64) -> bool {
    let order = Perturbation::Order { seed };
    let mut runs = confirmation.runs_of(test);
    confirmation.outcomes(test, Stage::First).contains(&Outcome::Passed)
        && runs.any(|run| run.stage == Stage::Shuffled && run.perturbation == order && run.outcome.is_failure())
}

/// Runs a test again in a new JVM after the tests before it in `failing`, an order in which it failed.
///
/// `seed` is the random seed of that order.
///
/// If it fails again, it also runs alone. At last it runs after the tests before it in `original`, the suite's own
/// order.
fn classify<M: Machine>(
    confirmation: &mut Confirmation<'_, M>,
    test: &TestName,
    seed: u64,
    failing: &[TestName],
    original: &[TestName],
) -> Result<(), ConfirmError> {
    let shuffled = Perturbation::Order { seed };
    let lead = before(failing, test);
    let again = run_behind(confirmation, &shuffled, lead, test, Stage::TruncatedFailing)?;
    if again.is_failure() {
        run_behind(confirmation, &Perturbation::None, &[], test, Stage::Alone)?;
    }
    // This run comes last, because its presence in the log marks the test as classified.
    let lead = before(original, test);
    run_behind(confirmation, &Perturbation::None, lead, test, Stage::TruncatedOriginal)?;
    Ok(())
}

/// Whether a test failed in the suite's own order and passed in a new JVM.
fn fails_in_the_suite_only<M: Machine>(confirmation: &Confirmation<'_, M>, test: &TestName) -> bool {
    let first = confirmation.outcomes(test, Stage::First);
    first.iter().any(|it| it.is_failure()) && confirmation.outcomes(test, Stage::Fork).contains(&Outcome::Passed)
}

/// Runs a test in a new JVM after the tests of `lead`, and returns its outcome.
///
/// The JVM has the changed environment `perturbation`, and the run is recorded for `stage`.
pub(crate) fn run_behind<M: Machine>(
    confirmation: &mut Confirmation<'_, M>,
    perturbation: &Perturbation,
    lead: &[TestName],
    test: &TestName,
    stage: Stage,
) -> Result<Outcome, ConfirmError> {
    confirmation.renew(perturbation);
    for other in lead {
        confirmation.run(other, Stage::Lead)?;
    }
    confirmation.run(test, stage)
}

/// The order of tests in which a victim fails; `None` if the test is not a victim in any of these orders.
///
/// A victim is a test that failed twice after the same tests. It did not fail after the tests before it in the suite's
/// own order, or alone.
fn victim_in<M: Machine>(
    confirmation: &Confirmation<'_, M>,
    test: &TestName,
    suite: &[TestName],
    orders: &Orders,
) -> Option<Vec<TestName>> {
    let of = |stage: Stage| confirmation.runs_of(test).find(|run| run.stage == stage);
    let failing = of(Stage::TruncatedFailing).filter(|run| run.outcome.is_failure())?;
    let expected = of(Stage::TruncatedOriginal).or_else(|| of(Stage::Alone));
    expected.filter(|run| !run.outcome.is_failure())?;
    match failing.perturbation {
        Perturbation::None => Some(suite.to_vec()),
        Perturbation::Order { seed } if orders.seeds.contains(&seed) => Some(shuffled(suite, seed)),
        _ => None,
    }
}

/// Runs a victim (a test that depends on the order) after one other test at a time, each pair in a new JVM.
///
/// So one finds the test that makes it fail, or the test that it needs before it.
fn find_culprit<M: Machine>(
    confirmation: &mut Confirmation<'_, M>,
    test: &TestName,
    failing: &[TestName],
    original: &[TestName],
    orders: &Orders,
) -> Result<(), ConfirmError> {
    let Some(alone) = confirmation.outcomes(test, Stage::Alone).first().copied() else {
        return Ok(());
    };
    let order = if alone.is_failure() { original } else { failing };
    let mut candidates: Vec<&TestName> = before(order, test).iter().collect();
    let likely = |other: &TestName| orders.probabilities.get(other).copied().unwrap_or(0.0);
    // The sort is stable: among equals, the test that ran last before the victim comes first.
    candidates.reverse();
    candidates.sort_by(|one, other| {
        let far = |it: &TestName| (it.class() != test.class(), it.package() != test.package());
        far(one).cmp(&far(other)).then(likely(other).total_cmp(&likely(one)))
    });
    let tried = confirmation.outcomes(test, Stage::Pair);
    if tried.iter().any(|it| it.is_failure() != alone.is_failure()) {
        return Ok(());
    }
    for candidate in candidates.into_iter().take(orders.most_pairs).skip(tried.len()) {
        let lead = std::slice::from_ref(candidate);
        let behind = run_behind(confirmation, &Perturbation::None, lead, test, Stage::Pair)?;
        if behind.is_failure() != alone.is_failure() {
            break;
        }
    }
    Ok(())
}

/// The tests that come before `test` in an order of tests.
fn before<'a>(order: &'a [TestName], test: &TestName) -> &'a [TestName] {
    let place = order.iter().position(|it| it == test).unwrap_or(0);
    &order[..place]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scripted_machine::{ScriptedMachine, check, name};
    use crate::stages::{RerunCounts, run_stages};
    use crate::verdict::{Dependence, Status, verdicts};

    const SUITE: [&str; 6] = ["a.A#victim", "a.A#x", "a.B#y", "a.B#z", "b.C#polluter", "b.C#w"];

    fn suite() -> Vec<TestName> {
        SUITE.iter().map(|it| name(it)).collect()
    }

    fn orders() -> Orders {
        Orders {
            seeds: (1..=6).collect(),
            most_pairs: 50,
            probabilities: BTreeMap::new(),
        }
    }

    fn evidence(script: ScriptedMachine) -> Vec<Event> {
        let (events, ()) = check(script, |it| {
            run_stages(it, &suite(), &RerunCounts::default(), None)?;
            run_orders(it, &suite(), &orders())
        });
        events
    }

    #[test]
    fn an_order_follows_from_its_seed_and_keeps_classes_together() {
        let order = shuffled(&suite(), 7);
        assert_eq!(order, shuffled(&suite(), 7));
        assert!((0..20).any(|seed| shuffled(&suite(), seed) != order));
        let mut classes: Vec<&str> = order.iter().map(TestName::class).collect();
        classes.dedup();
        assert_eq!(classes.len(), 3, "{order:?}");
        let mut sorted = order.clone();
        sorted.sort();
        assert_eq!(sorted, suite());
    }

    #[test]
    fn a_victim_is_found_and_its_polluter_named() {
        let tests = SUITE.map(|test| (test, "p"));
        let events = evidence(ScriptedMachine::new(&tests).polluting("b.C#polluter", "a.A#victim"));
        let all = verdicts(&events, &[]);
        let victim = all.iter().find(|it| it.test == name("a.A#victim")).expect("a verdict");
        assert_eq!(victim.status, Status::Flaky);
        let expected = Dependence::Order {
            polluters: vec![name("b.C#polluter")],
            setters: vec![],
        };
        assert_eq!(victim.depends_on, Some(expected));
        assert!(
            all.iter()
                .filter(|it| it.test != victim.test)
                .all(|it| it.status == Status::Stable)
        );
    }

    #[test]
    fn a_victim_of_the_suites_own_order_is_found_too() {
        let tests = SUITE.map(|test| (test, "p"));
        let script = ScriptedMachine::new(&tests).polluting("a.A#victim", "b.C#w");
        let counts = RerunCounts {
            threshold: None,
            ..RerunCounts::default()
        };
        let (events, ()) = check(script, |it| {
            run_stages(it, &suite(), &counts, None)?;
            run_orders(it, &suite(), &orders())
        });
        let all = verdicts(&events, &[]);
        let victim = all.iter().find(|it| it.test == name("b.C#w")).expect("a verdict");
        let expected = Dependence::Order {
            polluters: vec![name("a.A#victim")],
            setters: vec![],
        };
        assert_eq!(victim.depends_on, Some(expected));
    }

    #[test]
    fn a_test_that_fails_by_itself_is_no_victim() {
        let tests = SUITE.map(|test| (test, if test == "a.B#y" { "pfpppppp" } else { "p" }));
        let events = evidence(ScriptedMachine::new(&tests));
        let all = verdicts(&events, &[]);
        let random = all.iter().find(|it| it.test == name("a.B#y")).expect("a verdict");
        assert_eq!(random.depends_on, Some(Dependence::Chance));
        assert!(!crate::evidence::runs(&events).any(|run| run.stage == Stage::Pair));
    }

    #[test]
    fn without_order_dependence_an_order_costs_one_run_of_the_suite() {
        let tests = SUITE.map(|test| (test, "p"));
        let events = evidence(ScriptedMachine::new(&tests));
        assert_eq!(crate::evidence::runs(&events).count(), 6 + 6 * 6);
    }
}
