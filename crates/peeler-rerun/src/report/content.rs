//! The content of a report: a verdict for each test with the numbers of its runs, and the cost.

use std::collections::{BTreeMap, BTreeSet};

use peeler_features::TestName;
use peeler_learning::cannier::{Decision, Thresholds};
use serde::{Deserialize, Serialize};

use crate::evidence::{Event, Stage, runs};
use crate::invocation::Invocation;
use crate::plan::{Estimate, Plan};
use crate::proof::{self, Proof};
use crate::replay::Reproduction;
use crate::verdict::{Status, Verdict, verdicts};

/// The version of the JSON form of a confirmation report.
pub const SCHEMA: u32 = 1;

/// The result of a confirmation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The version of the report's JSON form, [`SCHEMA`].
    pub version: u32,
    /// The root of the project, as the user wrote it.
    pub root: String,
    /// The path of the evidence log.
    pub log: String,
    /// The number of tests with each verdict.
    pub summary: VerdictCounts,
    /// The cost of the stages and of repetition, as estimated before the confirmation.
    pub estimate: Estimate,
    /// The expected cost of running every test until its outcome changes.
    pub plain: Estimate,
    /// The probabilities between which tests ran; the model decided the others. `None` if every test ran.
    pub thresholds: Option<Thresholds>,
    /// The cost of all test runs of the confirmation.
    pub cost: Price,
    /// The reason why the confirmation stopped early, if it did.
    pub stopped: Option<String>,
    /// Every test that was chosen for the confirmation, and every other test that is flaky; flaky tests first.
    pub tests: Vec<TestEntry>,
    /// The results of a replay; empty for any other report.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reproductions: Vec<Reproduction>,
}

/// The number of tests with each verdict.
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

/// The cost of all test runs of a confirmation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Price {
    /// The number of test runs, including those before an interruption.
    pub runs: usize,
    /// The number of runs of the stages and of repetition. Only these are covered by the estimate of the cost.
    pub steered_runs: usize,
    /// The milliseconds of all test runs, without the start of JVMs.
    pub milliseconds: u64,
    /// The number of JVMs that ran tests.
    pub jvms: usize,
}

/// A test of a report, with its verdict and its runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TestEntry {
    /// The verdict about the test.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The verdict about the test as a sentence.
    pub sentence: String,
    /// The model's probability that the test is flaky, if a model scored it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// The model's decision, if the test did not run because of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prediction: Option<Decision>,
    /// The runs of the test in each stage of the confirmation.
    pub stages: Vec<StageTally>,
    /// The proof that the test is flaky; `None` for other tests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<Proof>,
}

/// The runs of a test in one stage of a confirmation, counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageTally {
    /// The stage of the confirmation that the runs belong to.
    pub stage: Stage,
    /// The number of the stage's runs that count as evidence.
    pub runs: u32,
    /// The number of the stage's runs that failed.
    pub failures: u32,
}

impl Report {
    /// The report of a confirmation, from the events of its log. `history` contains runs of earlier builds, which are
    /// not part of the cost.
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
                    prediction: prediction.filter(|_| verdict.status == Status::NotRun),
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
        }
    }
}

/// A sentence that says why a test did not run, because the model decided it.
fn reason_not_to_run(decision: Decision, probability: Option<f64>) -> String {
    let probability = probability.map_or_else(String::new, |it| format!(" ({it:.2})"));
    match decision {
        Decision::Flaky => format!("the model is sure that it is flaky{probability}; --all runs it"),
        Decision::Stable | Decision::Unsure => {
            format!("the model is sure that it is stable{probability}; --all runs it")
        }
    }
}

/// The runs of each test, counted by stage of the confirmation.
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
