//! The content of a report of `peeler confirm`: a verdict for each test with the numbers of its runs, and the cost.

use std::collections::{BTreeMap, BTreeSet};

use peeler_features::TestName;
use peeler_learning::cannier::{Decision, Thresholds};
use serde::Serialize;

use crate::bisect::Bisection;
use crate::evidence::{Event, Stage, runs};
use crate::invocation::Invocation;
use crate::plan::{Estimate, Plan};
use crate::proof::{self, Proof};
use crate::replay::Reproduction;
use crate::summary::{SCHEMA, StageTally};
use crate::verdict::{Status, Verdict, verdicts};

/// The report of one call of `peeler confirm`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The version of the report's JSON form, [`SCHEMA`].
    pub version: u32,
    /// The folder of the project, as the user wrote it on the command line.
    pub root: String,
    /// The path of the evidence log, the file that records every test run.
    pub log: String,
    /// The number of tests with each verdict, such as flaky or stable.
    pub summary: VerdictCounts,
    /// The expected cost of the runs, as estimated before the first one. It covers repetition, but no shuffled orders
    /// or changed environments.
    pub estimate: Estimate,
    /// The expected cost of running every test until its outcome changes, without the help of the model.
    pub plain: Estimate,
    /// The lower and the upper threshold for the model's probability. Tests between them ran; about all others the
    /// model alone decided. `None` if every test ran.
    pub thresholds: Option<Thresholds>,
    /// The cost of all test runs that the evidence log records.
    pub cost: Price,
    /// The reason why `peeler confirm` stopped early, such as a spent budget; `None` if it did not.
    pub stopped: Option<String>,
    /// Every test that was chosen for reruns, and every other test that is proven flaky; flaky tests first.
    pub tests: Vec<TestEntry>,
    /// The result of `--replay` for each replayed test; empty without `--replay`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reproductions: Vec<Reproduction>,
    /// The result of `--bisect`; `None` without `--bisect`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bisection: Option<Bisection>,
}

/// The number of tests that reruns showed to be flaky, failing, stable, or that did not run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct VerdictCounts {
    /// The number of tests that are proven flaky.
    pub flaky: usize,
    /// The number of tests that failed in every run.
    pub failing: usize,
    /// The number of tests that passed in every run.
    pub stable: usize,
    /// The number of tests that did not run.
    pub not_run: usize,
}

/// The cost of all test runs of `peeler confirm`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Price {
    /// The number of test runs, including those before an interruption.
    pub runs: usize,
    /// The number of runs that the estimate of the cost covers: first runs, reruns of failing tests, and repetitions.
    /// Shuffled orders and changed environments are not covered.
    pub steered_runs: usize,
    /// The milliseconds of all test runs, without the start of JVMs.
    pub milliseconds: u64,
    /// The number of JVMs that ran tests.
    pub jvms: usize,
}

/// A test in a report of `peeler confirm`, with its verdict and its runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TestEntry {
    /// What the runs showed about the test: flaky, failing, stable or not run.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The verdict about the test in words, such as `failed 1 of 3 runs; it changes under the same conditions`.
    pub sentence: String,
    /// The model's probability that the test is flaky, if a model scored it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// The model's decision, flaky or stable, if the test did not run because the model was sure about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prediction: Option<Decision>,
    /// The number of the test's runs and failures in each stage of `peeler confirm`, such as reruns in new JVMs.
    pub stages: Vec<StageTally>,
    /// The proof that the test is flaky; `None` for other tests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<Proof>,
}

impl Report {
    /// The report of a call of `peeler confirm`, from the events of its evidence log. `history` contains runs of
    /// earlier builds, which are not part of the cost.
    #[must_use]
    pub fn new(
        invocation: &Invocation,
        chosen: &[TestName],
        probabilities: &BTreeMap<TestName, f64>,
        plan: &Plan,
        history: &[Event],
        events: &[Event],
    ) -> Self {
        let all = [history, events].concat();
        let mut proofs = proof::from_log(&all, invocation);
        let mut by_stage = runs_by_stage(&all);
        let wanted: BTreeSet<&TestName> = chosen.iter().collect();
        let mut tests: Vec<TestEntry> = verdicts(&all, chosen)
            .into_iter()
            .filter(|verdict| wanted.contains(&verdict.test) || verdict.status == Status::Flaky)
            .map(|mut verdict| {
                let probability = probabilities.get(&verdict.test).copied();
                let prediction = plan.left_out.get(&verdict.test).copied();
                if let (Status::NotRun, None, Some(prediction)) = (verdict.status, &verdict.note, prediction) {
                    verdict.note = Some(reason_not_to_run(prediction, probability));
                }
                TestEntry {
                    sentence: verdict.sentence(),
                    probability,
                    prediction: prediction.filter(|it| verdict.status == Status::NotRun && *it != Decision::Unsure),
                    stages: by_stage.remove(&verdict.test).unwrap_or_default(),
                    proof: proofs.remove(&verdict.test),
                    verdict,
                }
            })
            .collect();
        tests.sort_by(|one, other| {
            let key = |it: &TestEntry| (it.verdict.status, it.verdict.test.clone());
            key(one).cmp(&key(other))
        });
        let count = |status: Status| tests.iter().filter(|it| it.verdict.status == status).count();
        let jvms: BTreeSet<u32> = runs(events).map(|run| run.jvm).filter(|it| *it > 0).collect();
        Self {
            version: SCHEMA,
            root: invocation.root.clone(),
            log: invocation.log.clone(),
            summary: VerdictCounts {
                flaky: count(Status::Flaky),
                failing: count(Status::Failing),
                stable: count(Status::Stable),
                not_run: count(Status::NotRun),
            },
            estimate: plan.estimate,
            plain: plan.plain,
            thresholds: plan.thresholds,
            cost: Price {
                runs: runs(events).count(),
                steered_runs: runs(events).filter(|run| run.stage <= Stage::Repeat).count(),
                milliseconds: runs(events).map(|run| run.milliseconds).sum(),
                jvms: jvms.len(),
            },
            stopped: None,
            tests,
            reproductions: Vec::new(),
            bisection: None,
        }
    }
}

/// The reason why a test did not run, in words: `the model is sure that it is stable (0.01); --all runs it`.
fn reason_not_to_run(decision: Decision, probability: Option<f64>) -> String {
    let probability = probability.map_or_else(String::new, |it| format!(" ({it:.2})"));
    match decision {
        Decision::Flaky => format!("the model is sure that it is flaky{probability}; --all runs it"),
        Decision::Stable => format!("the model is sure that it is stable{probability}; --all runs it"),
        Decision::Unsure => format!("the budget goes to likelier tests{probability}"),
    }
}

/// The number of runs and failures of each test, by stage of `peeler confirm`.
fn runs_by_stage(events: &[Event]) -> BTreeMap<&TestName, Vec<StageTally>> {
    let mut tallies: BTreeMap<(&TestName, Stage), (u32, u32)> = BTreeMap::new();
    for run in runs(events).filter(|run| run.counts()) {
        let (runs, failures) = tallies.entry((&run.test, run.stage)).or_default();
        *runs += 1;
        *failures += u32::from(run.outcome.is_failure());
    }
    let mut by_test: BTreeMap<&TestName, Vec<StageTally>> = BTreeMap::new();
    for ((test, stage), (runs, failures)) in tallies {
        by_test
            .entry(test)
            .or_default()
            .push(StageTally { stage, runs, failures });
    }
    by_test
}
