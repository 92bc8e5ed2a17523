//! Tests of CANNIER's plans with probabilities that were chosen by hand to fit the true labels.
//!
//! They show that a plan is executed as stated. Tests that the thresholds leave out are not run, and those between run
//! until their outcome changes. The estimate fits if the probabilities are right. They show nothing about a model;
//! `tests/steering.rs` of the command line does.

use std::collections::BTreeSet;

use peeler_features::TestName;
use peeler_learning::cannier::{Decision, Thresholds};
use peeler_rerun::candidates::Candidate;
use peeler_rerun::evidence::{Event, runs};
use peeler_rerun::plan::Plan;
use peeler_rerun::repeat::{RepeatUntil, repeat};
use peeler_rerun::stages::{RerunCounts, run_stages};
use peeler_rerun::verdict::{Status, verdicts};

use crate::sample::{Bench, name};

const MOST_RUNS: u32 = 12;

/// Tests with the probabilities of a well calibrated model. Of the six tests between the thresholds, as many are flaky
/// as the sum of their probabilities.
const PREDICTED: [(&str, f64); 14] = [
    ("shop.DrawTest#drawsTheSameCard", 0.95),
    ("shop.DrawTest#drawsSeldomTheSameCard", 0.8),
    ("shop.DrawTest#drawsOftenTheSameCard", 0.85),
    ("shop.faults.FaultTest#exitsSometimes", 0.7),
    ("shop.ClockTest#isNearGreenwich", 0.4),
    ("shop.LabelTest#isInCapitals", 0.3),
    ("shop.StableTest#adds", 0.01),
    ("shop.StableTest#subtracts", 0.01),
    ("shop.StableTest#multiplies", 0.02),
    ("shop.StableTest#divides", 0.01),
    ("shop.StableTest#isPositive", 0.03),
    ("shop.StableTest#repeats", 0.03),
    ("shop.BasketTest#fillsTheCart", 0.05),
    ("shop.faults.FaultTest#passes", 0.02),
];

fn candidates() -> Vec<Candidate> {
    let candidate = |&(test, probability): &(&str, f64)| Candidate {
        test: name(test),
        probability: Some(probability),
        seconds: None,
        failure_rate: None,
    };
    PREDICTED.iter().map(candidate).collect()
}

fn carried_out(plan: &Plan) -> Vec<Event> {
    let counts = RerunCounts {
        threshold: None,
        ..RerunCounts::default()
    };
    let (events, result) = Bench::new().act(|it| {
        run_stages(it, &plan.run, &counts, None)?;
        repeat(it, &plan.run, plan.most_runs, RepeatUntil::OutcomeChanges)
    });
    result.expect("it runs");
    events
}

fn flaky(events: &[Event], plan: &Plan) -> BTreeSet<TestName> {
    let proven = verdicts(events, &[])
        .into_iter()
        .filter(|it| it.status == Status::Flaky);
    let taken = plan.left_out.iter().filter(|(_, said)| **said == Decision::Flaky);
    proven
        .map(|it| it.test)
        .chain(taken.map(|(test, _)| test.clone()))
        .collect()
}

#[test]
fn a_plan_with_right_probabilities_gives_the_same_verdicts_for_half_of_the_runs_at_its_price() {
    let plain = Plan::new(&candidates(), None, MOST_RUNS);
    let steered = Plan::new(&candidates(), Some(Thresholds::default()), MOST_RUNS);
    let (all, some) = (carried_out(&plain), carried_out(&steered));
    assert_eq!(flaky(&some, &steered), flaky(&all, &plain));
    assert_eq!(flaky(&all, &plain).len(), 4);
    let (all, some) = (runs(&all).count(), runs(&some).count());
    assert!(2 * some <= all, "{some} of {all} runs");
    #[expect(clippy::cast_precision_loss, reason = "a few dozen runs")]
    let error = (steered.estimate.runs / some as f64 - 1.0).abs();
    assert!(error <= 0.25, "{} foretold, {some} needed", steered.estimate.runs);
}
