//! What runs showed, for whoever lists tests: an entry for each test that ran, flaky or not.
//!
//! It comes from the log of a confirmation, from the JSON that a confirmation wrote, or from reports of builds, and
//! [`with_history`] puts the last beside one of the others.
//!
//! Invariant: an entry without a failure says how many runs there were, and nothing about the next one.

use std::collections::BTreeMap;

use peeler_features::TestName;
use serde::Deserialize;

use crate::evidence::{Event, Stage};
use crate::invocation::Invocation;
use crate::proof::Proof;
use crate::report::StageTally;
use crate::verdict::{Dependence, Status, Verdict, verdicts};

/// Characters of a failure that are quoted.
const QUOTED: usize = 300;
/// How reports of builds show something. A file does not say which code it is about.
const IN_REPORTS: &str = "seen in reports of earlier builds, which are taken to be of the same code";

/// What runs showed about a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The verdict; never [`Status::NotRun`].
    pub status: Status,
    /// Runs that count.
    pub runs: u32,
    /// How many of them failed.
    pub failures: u32,
    /// On what the outcome of a flaky test depends, or where it was seen, as a clause.
    pub how: Option<String>,
    /// What the first failure said, in one line.
    pub failure: Option<String>,
    /// How to see it again; empty where no run was recorded that can be repeated.
    pub command: String,
}

/// The JSON of `peeler confirm --format json`, as far as it tells of runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Results {
    /// What the runs showed.
    pub shown: BTreeMap<TestName, Shown>,
    /// Whether reports of builds are counted in.
    pub counts_history: bool,
}

/// What a log shows. `log` is its path and `root` the project, for a log that does not say how it was made.
#[must_use]
pub fn from_log(events: &[Event], log: &str, root: &str) -> BTreeMap<TestName, Shown> {
    let recorded = events.iter().rev().find_map(|event| match event {
        Event::Session { invocation, .. } => invocation.clone(),
        _ => None,
    });
    let mut invocation = recorded.unwrap_or_else(|| Invocation {
        root: root.to_owned(),
        ..Invocation::default()
    });
    // The log may have been moved since.
    log.clone_into(&mut invocation.log);
    let shown = verdicts(events, &[]).into_iter().filter_map(|verdict| {
        let command = invocation.command(&verdict.test);
        entry(verdict, command)
    });
    shown.collect()
}

/// What reports of builds show.
#[must_use]
pub fn from_history(events: &[Event]) -> BTreeMap<TestName, Shown> {
    let shown = verdicts(events, &[]).into_iter();
    shown.filter_map(|it| entry(it, String::new())).collect()
}

/// What the JSON of a confirmation shows.
///
/// # Errors
///
/// When it is not that.
pub fn from_results(json: serde_json::Value) -> serde_json::Result<Results> {
    #[derive(Deserialize)]
    struct Written {
        tests: Vec<WrittenTest>,
    }
    #[derive(Deserialize)]
    struct WrittenTest {
        #[serde(flatten)]
        verdict: Verdict,
        stages: Vec<StageTally>,
        proof: Option<Proof>,
    }
    let written: Written = serde_json::from_value(json)?;
    let is_history = |it: &WrittenTest| it.stages.iter().any(|tally| tally.stage == Stage::History);
    let counts_history = written.tests.iter().any(is_history);
    let shown = written.tests.into_iter().filter_map(|it| {
        let command = it.proof.map(|proof| proof.command).unwrap_or_default();
        entry(it.verdict, command)
    });
    Ok(Results {
        shown: shown.collect(),
        counts_history,
    })
}

/// Adds what reports of builds showed to what other runs did.
pub fn with_history(shown: &mut BTreeMap<TestName, Shown>, history: BTreeMap<TestName, Shown>) {
    for (test, earlier) in history {
        match shown.remove(&test) {
            None => shown.insert(test, earlier),
            Some(own) => shown.insert(test, joined(own, earlier)),
        };
    }
}

fn joined(own: Shown, earlier: Shown) -> Shown {
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
    Shown {
        status,
        runs,
        failures,
        how,
        failure: own.failure.or(earlier.failure),
        command: own.command,
    }
}

/// An entry for a verdict; none for a test that did not run. The command repeats failures of flaky tests alone.
fn entry(verdict: Verdict, command: String) -> Option<(TestName, Shown)> {
    let is_flaky = verdict.status == Status::Flaky;
    let how = match (&verdict.depends_on, verdict.shown_by) {
        (Some(Dependence::Unchanged { since }), _) => Some(format!(
            "it loads nothing that changed since {since}, so it is flaky, provided it passed there"
        )),
        (_, Some(Stage::History)) => Some(IN_REPORTS.to_owned()),
        (depends_on, _) => depends_on.as_ref().map(Dependence::words),
    };
    let failure = verdict.failure.map(|run| {
        let said = run.failure.as_deref().and_then(|it| it.lines().next());
        let said = said.map(str::trim).filter(|it| !it.is_empty());
        let said = said.unwrap_or_else(|| run.outcome.words());
        said.chars().take(QUOTED).collect()
    });
    let shown = Shown {
        status: verdict.status,
        runs: verdict.runs,
        failures: verdict.failures,
        how: how.filter(|_| is_flaky),
        failure,
        command: if is_flaky { command } else { String::new() },
    };
    (shown.status != Status::NotRun).then_some((verdict.test, shown))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::{Outcome, Run};
    use crate::made::name;
    use crate::perturbation::Perturbation;
    use crate::report::made::{report, written};

    /// Runs of `a.B#t`: `p` passed, `f` failed.
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

    fn check(own: &str, earlier: &str, expected: (Status, u32, u32)) -> Shown {
        let mut shown = from_log(&ran(Stage::Repeat, own), "log.jsonl", ".");
        with_history(&mut shown, from_history(&ran(Stage::History, earlier)));
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
        assert_eq!(both.command, "peeler confirm . --replay log.jsonl --test 'a.B#t'");
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
            assert_eq!(shown.command, "", "{own} {earlier}");
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
            shown[&name("a.B#t")].command,
            "peeler confirm shop --replay now.jsonl --test 'a.B#t' '--jvm-arg=-Xmx64m'"
        );
    }

    #[test]
    fn the_results_of_a_confirmation_show_what_its_log_shows() {
        let text = written(crate::report::Report::write_json, &report());
        let json = serde_json::from_str(&text).expect("JSON");
        let Results { shown, counts_history } = from_results(json).expect("results");
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
            flaky.command.starts_with("peeler confirm . --replay"),
            "{}",
            flaky.command
        );
    }
}
