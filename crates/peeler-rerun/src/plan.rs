//! The plan of `peeler confirm`: the tests to run, and the expected cost.
//!
//! As in the CANNIER paper, a test runs if its probability lies between two thresholds ([`peeler_learning::cannier`]
//! has the arithmetic). The thresholds are chosen by labelled predictions if there are any. With a time budget, the
//! pair with the highest Matthews correlation (agreement with the labels) within the budget is chosen. Without labels,
//! that correlation is computed as if the model's probabilities were exact.
//!
//! The failure rate of a flaky test is not known before it runs. Without earlier runs every rate is equally likely.

use std::collections::BTreeMap;
use std::time::Duration;

use peeler_features::TestName;
use peeler_learning::cannier::{
    Decision, Thresholds, UnlabelledCase, ValidationFront, expected_reruns, expected_reruns_at_unknown_rate,
    unlabelled_front, within_budget,
};
use serde::Serialize;

use crate::candidates::Candidate;
use crate::sweep::Sweep;

/// The seconds that one run of a test is assumed to take if the test never ran before.
pub const ASSUMED_SECONDS: f64 = 0.5;

/// The number of JVMs that the plan of `peeler confirm` assumes: one for the first runs, one for repeated runs.
///
/// The JVMs in which failing tests run again are not counted.
const JVMS: f64 = 2.0;

/// Chooses a pair of probability thresholds from a Pareto front. Among the pairs whose test runs fit into `budget`, it
/// has the highest Matthews correlation (agreement with the labels).
///
/// Tests whose probability lies between the two thresholds are run. If no pair fits, the cheapest pair is chosen.
#[must_use]
pub fn affordable_thresholds(
    front: &ValidationFront,
    budget: Duration,
    candidates: &[Candidate],
    most_runs: u32,
) -> Thresholds {
    let affordable = front.thresholds().rev().find(|thresholds| {
        let plan = Plan::new(candidates, Some(*thresholds), most_runs);
        plan.estimate.seconds <= budget.as_secs_f64()
    });
    // The cheapest thresholds of a front rerun nothing, except tests that take no time.
    affordable.unwrap_or_else(|| front.thresholds().next().unwrap_or_default())
}

/// Chooses a pair of probability thresholds without labelled tests. Among the pairs whose test runs fit into `budget`,
/// it has the highest expected Matthews correlation.
///
/// Tests whose probability lies between the two thresholds are run. Without labels, the model's probabilities are taken
/// to be exact.
#[must_use]
pub fn affordable_thresholds_without_labels(budget: Duration, candidates: &[Candidate], most_runs: u32) -> Thresholds {
    let cases: Vec<UnlabelledCase> = candidates
        .iter()
        .map(|candidate| UnlabelledCase {
            probability: candidate.probability.unwrap_or(0.5),
            failure_rate: candidate.failure_rate,
            run_time: candidate.seconds.unwrap_or(ASSUMED_SECONDS),
        })
        .collect();
    let front = unlabelled_front(&cases, most_runs);
    within_budget(&front, budget.as_secs_f64()).map_or_else(Thresholds::default, |it| it.thresholds)
}

/// The plan of `peeler confirm`: the tests that run, the tests that do not, and the expected cost.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Plan {
    /// The two probabilities between which tests are run. For tests outside them, the model alone decides. `None` if
    /// every test runs.
    pub thresholds: Option<Thresholds>,
    /// The maximum number of runs of a test.
    pub most_runs: u32,
    /// The tests that run, in the order in which they were given.
    pub run: Vec<TestName>,
    /// Runs of many tests once each, under one change of the environment.
    #[serde(skip)]
    pub sweeps: Vec<Sweep>,
    /// The tests that do not run, each with the model's decision whether it is flaky.
    pub left_out: BTreeMap<TestName, Decision>,
    /// The expected cost of running the tests of this plan.
    pub estimate: Estimate,
    /// The expected cost of running all tests, also those that the plan leaves out.
    pub plain: Estimate,
}

/// The expected cost of test runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Estimate {
    /// The expected number of test runs.
    pub runs: f64,
    /// The expected seconds of the test runs. The start of JVMs is included only after [`Plan::with_warm_up`].
    pub seconds: f64,
    /// The number of tests whose run time is not known, and is assumed to be [`ASSUMED_SECONDS`].
    pub assumed_times: usize,
}

impl Plan {
    /// The plan that runs the tests whose probability lies between the thresholds.
    ///
    /// Without thresholds every test runs, and a test without a probability always does.
    #[must_use]
    pub fn new(candidates: &[Candidate], thresholds: Option<Thresholds>, most_runs: u32) -> Self {
        let mut plan = Self {
            thresholds,
            most_runs,
            run: Vec::new(),
            sweeps: Vec::new(),
            left_out: BTreeMap::new(),
            estimate: Estimate::default(),
            plain: Estimate::default(),
        };
        for candidate in candidates {
            let decision = match (thresholds, candidate.probability) {
                (Some(thresholds), Some(probability)) => thresholds.decision(probability),
                _ => Decision::Unsure,
            };
            plan.plain.add(candidate, most_runs);
            if decision == Decision::Unsure {
                plan.estimate.add(candidate, most_runs);
                plan.run.push(candidate.test.clone());
            } else {
                plan.left_out.insert(candidate.test.clone(), decision);
            }
        }
        plan
    }

    /// The plan with `seconds` added to its costs for each JVM that it starts, because the first run in a JVM is
    /// slower.
    #[must_use]
    pub fn with_warm_up(mut self, seconds: f64) -> Self {
        for estimate in [&mut self.estimate, &mut self.plain] {
            if estimate.runs > 0.0 {
                estimate.seconds += JVMS * seconds;
            }
        }
        self
    }
}

impl Estimate {
    fn add(&mut self, candidate: &Candidate, most_runs: u32) {
        let runs = expected_runs(candidate, most_runs);
        self.runs += runs;
        self.seconds += runs * candidate.seconds.unwrap_or(ASSUMED_SECONDS);
        self.assumed_times += usize::from(candidate.seconds.is_none());
    }
}

/// The expected number of runs of a test until it has both passed and failed, at most `most_runs`.
fn expected_runs(candidate: &Candidate, most_runs: u32) -> f64 {
    if let Some(rate) = candidate.failure_rate {
        return expected_reruns(rate, most_runs);
    }
    // Without a probability the test is assumed to be stable.
    let probability = candidate.probability.unwrap_or(0.0).clamp(0.0, 1.0);
    probability * expected_reruns_at_unknown_rate(most_runs) + (1.0 - probability) * f64::from(most_runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(index: u32, probability: f64) -> Candidate {
        Candidate {
            test: format!("a.T#t{index}").parse().expect("a test"),
            probability: Some(probability),
            seconds: Some(2.0),
            failure_rate: None,
        }
    }

    fn close(one: f64, other: f64) -> bool {
        (one - other).abs() < 1e-9
    }

    #[test]
    fn a_plan_runs_what_is_unsure_and_says_what_it_saves() {
        let candidates = [candidate(0, 0.01), candidate(1, 0.5), candidate(2, 0.99)];
        let thresholds = Thresholds {
            lower: 0.1,
            upper: Some(0.9),
        };
        let plan = Plan::new(&candidates, Some(thresholds), 10);
        assert_eq!(plan.run, [candidates[1].test.clone()]);
        assert_eq!(plan.left_out[&candidates[2].test], Decision::Flaky);
        let expected = 0.5 * expected_reruns_at_unknown_rate(10) + 0.5 * 10.0;
        assert!(close(plan.estimate.runs, expected), "{plan:?}");
        assert!(close(plan.estimate.seconds, 2.0 * expected), "{plan:?}");
        assert!(plan.plain.runs > 2.0 * plan.estimate.runs);
    }

    #[test]
    fn a_known_failure_rate_replaces_the_guess() {
        let mut known = candidate(0, 0.5);
        known.failure_rate = Some(0.5);
        let plan = Plan::new(&[known], None, 10);
        assert!(close(plan.estimate.runs, expected_reruns(0.5, 10)));
    }

    #[test]
    fn warm_up_is_paid_for_each_jvm_of_a_plan_that_runs_something() {
        let plan = Plan::new(&[candidate(0, 0.0)], None, 10).with_warm_up(0.6);
        assert!(close(plan.estimate.seconds, 10.0 * 2.0 + 2.0 * 0.6), "{plan:?}");
        assert!(close(Plan::new(&[], None, 10).with_warm_up(0.6).estimate.seconds, 0.0));
    }

    #[test]
    fn labelled_predictions_choose_the_thresholds_and_the_budget_how_far_they_reach() {
        // The model is right below 0.2 and above 0.8, and random in between.
        let predictions: Vec<(f64, bool)> = (0..1000)
            .map(|it| {
                let probability = f64::from(it) / 1000.0;
                let flaky = probability > 0.8 || (probability > 0.2 && it % 2 == 0);
                (probability, flaky)
            })
            .collect();
        let front = ValidationFront::new(&predictions, 10);
        let candidates: Vec<_> = (0..100).map(|it| candidate(it, f64::from(it) / 100.0)).collect();
        let at = |budget| affordable_thresholds(&front, Duration::from_secs(budget), &candidates, 10);
        let cost = |thresholds| Plan::new(&candidates, Some(thresholds), 10).estimate.seconds;
        let rich = at(100_000);
        assert!(
            (rich.lower - 0.2).abs() < 0.02 && rich.upper.is_some_and(|it| (it - 0.81).abs() < 0.02),
            "{rich:?}"
        );
        let poor = at(300);
        assert!(cost(poor) <= 300.0 && cost(poor) > 0.0, "{poor:?}");
        assert!(cost(at(0)) <= 0.0);
        let balanced = cost(front.balanced());
        assert!(balanced > 0.0 && balanced <= cost(rich), "{balanced}");
    }

    #[test]
    fn a_larger_budget_runs_more_and_none_is_exceeded() {
        let candidates: Vec<_> = (0..50).map(|it| candidate(it, f64::from(it) / 50.0)).collect();
        let mut before = 0;
        for budget in [0_u32, 10, 100, 400, 100_000] {
            let time = Duration::from_secs(budget.into());
            let thresholds = affordable_thresholds_without_labels(time, &candidates, 10);
            let plan = Plan::new(&candidates, Some(thresholds), 10);
            assert!(plan.run.len() >= before, "{budget}: {thresholds:?}");
            // The computation rounds probabilities to hundredths.
            assert!(
                plan.estimate.seconds <= 1.05 * f64::from(budget) + 1e-9,
                "{budget}: {plan:?}"
            );
            before = plan.run.len();
        }
        assert!(before > 40, "{before}");
    }
}
