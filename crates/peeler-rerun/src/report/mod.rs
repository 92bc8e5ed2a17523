//! What a confirmation says in the end: a verdict for each test with its evidence in numbers, and what it cost.

mod junit;
mod labels;
mod text;
pub mod xml;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use peeler_features::TestName;
use peeler_learning::cannier::{Decision, Thresholds};
use serde::{Deserialize, Serialize};

use crate::evidence::{Event, Stage, runs};
use crate::invocation::Invocation;
use crate::plan::{Estimate, Plan};
use crate::proof::{self, Proof};
use crate::replay::Reproduction;
use crate::verdict::{Status, Verdict, verdicts};

pub use labels::write_labels;

/// Version of the schema.
pub const SCHEMA: u32 = 1;

/// The result of a confirmation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The version of this schema.
    pub version: u32,
    /// The project, as it was given.
    pub root: String,
    /// Where the evidence is.
    pub log: String,
    /// Counts of verdicts.
    pub summary: Summary,
    /// What was expected.
    pub estimate: Estimate,
    /// What running every test until its outcome changes was expected to cost.
    pub plain: Estimate,
    /// Where the model was taken as sure.
    pub thresholds: Option<Thresholds>,
    /// What it cost.
    pub cost: Cost,
    /// Why not everything was done, where it was not.
    pub stopped: Option<String>,
    /// Every test that was chosen, and every other that turned out to be flaky; flaky ones first.
    pub tests: Vec<Entry>,
    /// What a replay saw.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reproductions: Vec<Reproduction>,
}

/// Counts of verdicts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Proven flaky.
    pub flaky: usize,
    /// Failed every time.
    pub failing: usize,
    /// Passed every time.
    pub stable: usize,
    /// Not run.
    pub not_run: usize,
}

/// A price.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// Runs of tests, those before an interruption included.
    pub runs: usize,
    /// Those among them that the estimate is about: the stages and repetition.
    pub steered_runs: usize,
    /// Milliseconds of all runs, JVMs not counted.
    pub milliseconds: u64,
    /// JVMs that were started.
    pub jvms: usize,
}

/// A test.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
    /// What the evidence says.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The verdict in words.
    pub sentence: String,
    /// The model's probability, where one was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// What the model says where it was taken as sure, and no run was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prediction: Option<Decision>,
    /// Runs by stage.
    pub stages: Vec<StageTally>,
    /// For a flaky test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<Proof>,
}

/// The runs of a test in one stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageTally {
    /// The stage.
    pub stage: Stage,
    /// Runs that count.
    pub runs: u32,
    /// How many of them failed.
    pub failures: u32,
}

impl Report {
    /// Puts together what the events say. `history` are events of somebody else, which cost nothing now.
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
        let mut by_stage = stages(&all);
        let wanted: BTreeSet<&TestName> = chosen.iter().collect();
        let mut tests: Vec<Entry> = verdicts(&all, chosen)
            .into_iter()
            .filter(|verdict| wanted.contains(&verdict.test) || verdict.status == Status::Flaky)
            .map(|mut verdict| {
                let probability = probabilities.get(&verdict.test).copied();
                let prediction = plan.left_out.get(&verdict.test).copied();
                if let (Status::NotRun, None, Some(prediction)) = (verdict.status, &verdict.note, prediction) {
                    verdict.note = Some(sure(prediction, probability));
                }
                Entry {
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
            let key = |it: &Entry| (it.verdict.status, it.verdict.test.clone());
            key(one).cmp(&key(other))
        });
        let count = |status: Status| tests.iter().filter(|it| it.verdict.status == status).count();
        let jvms: BTreeSet<u32> = runs(events).map(|run| run.jvm).filter(|it| *it > 0).collect();
        Self {
            version: SCHEMA,
            root: invocation.root.clone(),
            log: invocation.log.clone(),
            summary: Summary {
                flaky: count(Status::Flaky),
                failing: count(Status::Failing),
                stable: count(Status::Stable),
                not_run: count(Status::NotRun),
            },
            estimate: plan.estimate,
            plain: plan.plain,
            thresholds: plan.thresholds,
            cost: Cost {
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

    /// Writes it for people.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        text::write(self, out)
    }

    /// Writes it for programs.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        writeln!(out)
    }

    /// Writes it for build servers.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn write_junit(&self, out: &mut dyn Write) -> io::Result<()> {
        junit::write(self, out)
    }
}

fn sure(decision: Decision, probability: Option<f64>) -> String {
    let probability = probability.map_or_else(String::new, |it| format!(" ({it:.2})"));
    match decision {
        Decision::Flaky => format!("the model is sure that it is flaky{probability}; --all runs it"),
        Decision::Stable | Decision::Unsure => {
            format!("the model is sure that it is stable{probability}; --all runs it")
        }
    }
}

fn stages(events: &[Event]) -> BTreeMap<&TestName, Vec<StageTally>> {
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

#[cfg(test)]
pub(crate) mod made {
    use super::*;
    use crate::candidates::Candidate;
    use crate::made::{Script, check, name};
    use crate::repeat::{Until, repeat};

    /// A report about a flaky, a failing, a stable and a test that the model is sure of.
    pub(crate) fn report() -> Report {
        let tests = [("a.B$C#flaky", "pf"), ("a.B#failing", "f"), ("a.B#stable", "p")];
        let (events, ()) = check(Script::new(&tests), |it| repeat(it, &it.tests(), 3, Until::Change));
        let chosen: Vec<TestName> = ["a.B$C#flaky", "a.B#failing", "a.B#stable", "a.D#sure"]
            .map(name)
            .into();
        let candidates: Vec<Candidate> = chosen
            .iter()
            .map(|test| Candidate {
                test: test.clone(),
                probability: Some(if test.method() == "sure" { 0.01 } else { 0.5 }),
                seconds: Some(1.0),
                failure_rate: None,
            })
            .collect();
        let plan = Plan::new(&candidates, Some(Thresholds::default()), 3);
        let probabilities = candidates.iter().map(|it| (it.test.clone(), 0.01)).collect();
        let invocation = Invocation {
            root: ".".to_owned(),
            log: "log.jsonl".to_owned(),
            options: vec![],
        };
        Report::new(&invocation, &chosen, &probabilities, &plan, &[], &events)
    }

    pub(crate) fn written(write: impl Fn(&Report, &mut dyn Write) -> io::Result<()>, report: &Report) -> String {
        let mut out = Vec::new();
        write(report, &mut out).expect("it is written");
        String::from_utf8(out).expect("UTF-8")
    }
}

#[cfg(test)]
mod tests {
    use super::made::{report, written};
    use super::*;

    #[test]
    fn the_json_holds_the_proof_of_flaky_tests_and_of_no_others() {
        let text = written(Report::write_json, &report());
        let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let tests = json["tests"].as_array().expect("tests").iter();
        let proven: Vec<_> = tests.filter(|it| it.get("proof").is_some()).collect();
        assert_eq!(proven.len(), 1);
        let expected = serde_json::json!({
            "runs": 2,
            "failures": 1,
            "command": "peeler confirm . --replay log.jsonl --test 'a.B$C#flaky'",
        });
        assert_eq!(
            (&proven[0]["test"], &proven[0]["proof"]),
            (&"a.B$C#flaky".into(), &expected)
        );
    }

    #[test]
    fn a_report_counts_verdicts_and_what_they_cost() {
        let report = report();
        let expected = Summary {
            flaky: 1,
            failing: 1,
            stable: 1,
            not_run: 1,
        };
        assert_eq!(report.summary, expected);
        assert_eq!((report.cost.runs, report.cost.jvms), (2 + 3 + 3, 1));
        let sure = report.tests.last().expect("a test");
        assert_eq!(
            sure.sentence,
            "not run: the model is sure that it is stable (0.01); --all runs it"
        );
    }
}
