//! Summaries of the runs of a test, one for each test that ran, for commands that list tests.
//!
//! Summaries come from the evidence log of `peeler confirm`, from its JSON report, or from JUnit reports of builds.
//! [`add_history`] adds summaries of build reports to the others.
//!
//! Invariant: a summary without a failure states the number of runs and nothing about future runs.

use std::collections::BTreeMap;

use peeler_features::TestName;
use serde::{Deserialize, Serialize};

use crate::evidence::{Event, Stage};
use crate::invocation::Invocation;
use crate::proof::Proof;
use crate::shell;
use crate::verdict::{Dependence, Status, Verdict, verdicts};

/// The version of the JSON form of a report of `peeler confirm`.
pub const SCHEMA: u32 = 1;

/// The maximum number of characters of a failure text that are quoted.
const LONGEST_QUOTE: usize = 300;
/// The note on tests that only reports of earlier builds show to be flaky. A report does not say which version of the
/// code ran.
const IN_REPORTS: &str = "seen in reports of earlier builds, which are taken to be of the same code";

/// The summary of a test's runs: verdict, counts and first failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RerunSummary {
    /// The verdict on the test; never [`Status::NotRun`].
    pub status: Status,
    /// The number of the test's runs that count as evidence. Skipped runs do not count.
    pub runs: u32,
    /// The number of the test's runs that failed.
    pub failures: u32,
    /// What the outcome of a flaky test depends on, as a clause: `it changes under the same conditions`. It may instead
    /// say that reports of earlier builds show the test to be flaky. `None` if the test is not flaky.
    pub how: Option<String>,
    /// The first line of the message of the test's first failure; without a message, words such as `ran out of time`.
    /// `None` if the test never failed.
    pub failure: Option<String>,
    /// The shell command that replays a failure of a flaky test. `None` for other tests. It is also `None` if only
    /// reports of earlier builds show the failure, or if a name in the command cannot be quoted.
    pub command: Option<String>,
}

/// The run results in the output of `peeler confirm --format json`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RerunResults {
    /// A summary for each test that ran.
    pub tests: BTreeMap<TestName, RerunSummary>,
    /// Whether the counted runs include runs of earlier builds, read from their JUnit reports.
    pub counts_history: bool,
}

/// How often a test ran and failed in one stage of `peeler confirm`, such as reruns in new JVMs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageTally {
    /// The stage of `peeler confirm` that the counted runs belong to.
    pub stage: Stage,
    /// The number of the test's runs in this stage that count as evidence. Skipped runs do not count.
    pub runs: u32,
    /// The number of the test's runs in this stage that failed.
    pub failures: u32,
}

/// A summary of each test that ran according to an evidence log. `log` is its path. `root` is the project's folder,
/// used if the log does not record it.
#[must_use]
pub fn from_log(events: &[Event], log: &str, root: &str) -> BTreeMap<TestName, RerunSummary> {
    let recorded = events.iter().rev().find_map(|event| match event {
        Event::Session { invocation, .. } => invocation.clone(),
        _ => None,
    });
    let mut invocation = recorded.unwrap_or_else(|| Invocation {
        root: root.to_owned(),
        ..Invocation::default()
    });
    // The log may have been moved since it was written.
    log.clone_into(&mut invocation.log);
    let summaries = verdicts(events, &[]).into_iter().filter_map(|verdict| {
        let command = invocation.command(&verdict.test);
        summary(verdict, command)
    });
    summaries.collect()
}

/// A summary of each test that ran according to JUnit reports of earlier builds.
#[must_use]
pub fn from_history(events: &[Event]) -> BTreeMap<TestName, RerunSummary> {
    let verdicts = verdicts(events, &[]).into_iter();
    verdicts.filter_map(|it| summary(it, None)).collect()
}

/// A summary of each test that ran according to a JSON report of `peeler confirm`.
///
/// # Errors
///
/// When the JSON has another form.
pub fn from_results(json: serde_json::Value) -> serde_json::Result<RerunResults> {
    #[derive(Deserialize)]
    struct JsonReport {
        tests: Vec<JsonTest>,
    }
    #[derive(Deserialize)]
    struct JsonTest {
        #[serde(flatten)]
        verdict: Verdict,
        stages: Vec<StageTally>,
        proof: Option<Proof>,
    }
    let report: JsonReport = serde_json::from_value(json)?;
    let is_history = |it: &JsonTest| it.stages.iter().any(|tally| tally.stage == Stage::History);
    let counts_history = report.tests.iter().any(is_history);
    let summaries = report.tests.into_iter().filter_map(|it| {
        // Earlier versions wrote an empty command instead of none.
        let command = it.proof.and_then(|proof| shell::replay_command(&proof.command?));
        summary(it.verdict, command)
    });
    Ok(RerunResults {
        tests: summaries.collect(),
        counts_history,
    })
}

/// Adds the summaries of build reports to other summaries of the same tests.
pub fn add_history(summaries: &mut BTreeMap<TestName, RerunSummary>, history: BTreeMap<TestName, RerunSummary>) {
    for (test, earlier) in history {
        match summaries.remove(&test) {
            None => summaries.insert(test, earlier),
            Some(own) => summaries.insert(test, merged(own, earlier)),
        };
    }
}

/// The summary of a test over the runs of `own` and the runs of earlier builds in `earlier`.
fn merged(own: RerunSummary, earlier: RerunSummary) -> RerunSummary {
    let (runs, failures) = (
        own.runs.saturating_add(earlier.runs),
        own.failures.saturating_add(earlier.failures),
    );
    let (status, how) = match (own.status, earlier.status) {
        (Status::Flaky, _) => (Status::Flaky, own.how),
        (_, Status::Flaky) => (Status::Flaky, earlier.how),
        (own, earlier) if own == earlier => (own, None),
        (_, Status::Failing) => (
            Status::Flaky,
            Some(
                "it failed in reports of earlier builds, which are taken to be of the same code, and passed since"
                    .into(),
            ),
        ),
        _ => (
            Status::Flaky,
            Some(
                "it passed in reports of earlier builds, which are taken to be of the same code, and failed since"
                    .into(),
            ),
        ),
    };
    RerunSummary {
        status,
        runs,
        failures,
        how,
        failure: own.failure.or(earlier.failure),
        command: own.command,
    }
}

/// The summary of the runs behind a verdict; `None` for a test that did not run. `command` replays a failure, and only
/// the summary of a flaky test keeps it.
fn summary(verdict: Verdict, command: Option<String>) -> Option<(TestName, RerunSummary)> {
    let is_flaky = verdict.status == Status::Flaky;
    let how = match (&verdict.depends_on, verdict.shown_by) {
        (Some(Dependence::Unchanged { since }), _) => Some(format!(
            "it loads nothing that changed since {since}, so it is flaky, provided it passed there"
        )),
        (_, Some(Stage::History)) => Some(IN_REPORTS.to_owned()),
        (depends_on, _) => depends_on.as_ref().map(Dependence::words),
    };
    let failure = verdict.failure.map(|run| {
        let text = run.failure.as_deref().and_then(|it| it.lines().next());
        let text = text.map(str::trim).filter(|it| !it.is_empty());
        let text = text.unwrap_or_else(|| run.outcome.words());
        text.chars().take(LONGEST_QUOTE).collect()
    });
    let summary = RerunSummary {
        status: verdict.status,
        runs: verdict.runs,
        failures: verdict.failures,
        how: how.filter(|_| is_flaky),
        failure,
        command: command.filter(|_| is_flaky),
    };
    (summary.status != Status::NotRun).then_some((verdict.test, summary))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::{Outcome, Run};
    use crate::perturbation::Perturbation;
    use crate::report::sample::{report, written};
    use crate::scripted_machine::name;

    /// Events for runs of `a.B#t`: `p` passed, `f` failed.
    fn ran(stage: Stage, outcomes: &str) -> Vec<Event> {
        let outcomes = outcomes.chars().map(|it| match it {
            'p' => Outcome::Passed,
            _ => Outcome::Failed,
        });
        let run = |outcome| Run {
            test: name("a.B#t"),
            stage,
            jvm: 1,
            perturbation: Perturbation::None,
            outcome,
            milliseconds: 1,
            failure: (outcome == Outcome::Failed).then(|| "late\n at a.B".to_owned()),
        };
        outcomes.map(|it| Event::Run(run(it))).collect()
    }

    fn check(own: &str, earlier: &str, expected: (Status, u32, u32)) -> RerunSummary {
        let mut shown = from_log(&ran(Stage::Repeat, own), "log.jsonl", ".");
        add_history(&mut shown, from_history(&ran(Stage::History, earlier)));
        let shown = shown.remove(&name("a.B#t")).expect("it ran");
        assert_eq!((shown.status, shown.runs, shown.failures), expected, "{own} {earlier}");
        shown
    }

    #[test]
    fn runs_of_now_and_of_earlier_builds_count_together() {
        check("ppp", "pp", (Status::Stable, 5, 0));
        check("fff", "ff", (Status::Failing, 5, 5));
        let both = check("pf", "p", (Status::Flaky, 3, 1));
        assert_eq!(both.how.as_deref(), Some("it changes under the same conditions"));
        assert_eq!(both.failure.as_deref(), Some("late"));
        assert_eq!(
            both.command.as_deref(),
            Some("peeler confirm . --replay log.jsonl --test 'a.B#t'")
        );
    }

    #[test]
    fn what_only_reports_of_builds_show_says_so_and_has_no_command() {
        for (own, earlier, words) in [
            ("", "pf", "seen in reports of earlier builds"),
            ("pp", "pf", "seen in reports of earlier builds"),
            ("pp", "ff", "it failed in reports of earlier builds"),
            ("ff", "pp", "it passed in reports of earlier builds"),
        ] {
            let runs = u32::try_from(own.len() + earlier.len()).expect("few");
            let failures = u32::try_from([own, earlier].concat().matches('f').count()).expect("few");
            let shown = check(own, earlier, (Status::Flaky, runs, failures));
            let how = shown.how.expect("how");
            assert!(
                how.starts_with(words) && how.contains("taken to be of the same code"),
                "{how}"
            );
            assert_eq!(shown.command, None, "{own} {earlier}");
        }
    }

    #[test]
    fn the_command_of_a_log_says_how_it_was_made_and_where_the_log_is_now() {
        let mut events = ran(Stage::Repeat, "pf");
        events.push(Event::Session {
            format: 1,
            code: "code".to_owned(),
            invocation: Some(Invocation {
                root: "shop".to_owned(),
                log: "before.jsonl".to_owned(),
                options: vec!["--jvm-arg=-Xmx64m".to_owned()],
            }),
        });
        let shown = from_log(&events, "now.jsonl", ".");
        assert_eq!(
            shown[&name("a.B#t")].command.as_deref().unwrap_or_default(),
            "peeler confirm shop --replay now.jsonl --test 'a.B#t' '--jvm-arg=-Xmx64m'"
        );
    }

    #[test]
    fn the_results_of_a_confirmation_show_what_its_log_shows() {
        let text = written(crate::report::Report::write_json, &report());
        let json = serde_json::from_str(&text).expect("JSON");
        let RerunResults {
            tests: shown,
            counts_history,
        } = from_results(json).expect("results");
        assert!(!counts_history);
        let told: Vec<(String, Status, u32, u32)> = shown
            .iter()
            .map(|(test, it)| (test.to_string(), it.status, it.runs, it.failures))
            .collect();
        let expected = [
            ("a.B#failing".to_owned(), Status::Failing, 3, 3),
            ("a.B#stable".to_owned(), Status::Stable, 3, 0),
            ("a.B$C#flaky".to_owned(), Status::Flaky, 2, 1),
        ];
        assert_eq!(told, expected, "what did not run is not there");
        let flaky = &shown[&name("a.B$C#flaky")];
        assert_eq!(flaky.how.as_deref(), Some("it changes under the same conditions"));
        assert!(
            flaky
                .command
                .as_deref()
                .is_some_and(|it| it.starts_with("peeler confirm . --replay")),
            "{flaky:?}"
        );
    }
}
