//! Verdicts: what the recorded runs say about a test.
//!
//! ```text
//! passed and failed                            -> flaky
//! failed every time, loaded no changed class   -> flaky (INTERSECT), if it passed before the change
//! failed every time                            -> failing
//! passed every time                            -> stable so far
//! no run                                       -> not run
//! ```
//!
//! The stage INTERSECT compares the classes that a failing test loads with the classes that changed since a git
//! revision.
//!
//! Invariant: a verdict is a function of the events alone. A test that fails every time is flaky only by INTERSECT.
//! A test that passes every time is never flaky.
//!
//! A timeout on a machine that was slowed on purpose does not count.

mod kinds;

use std::collections::{BTreeMap, BTreeSet};

use peeler_features::TestName;
use serde::{Deserialize, Serialize};

use crate::evidence::{Coverage, Event, Outcome, Run, Stage, runs};
use crate::perturbation::Perturbation;

pub use kinds::FlakyKind;

/// What the recorded runs show about one test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The test that the verdict is about.
    pub test: TestName,
    /// The verdict on the test in one word: flaky, failing, stable or not run.
    pub status: Status,
    /// The number of the test's runs that count as evidence. Skipped runs do not count.
    pub runs: u32,
    /// The number of the test's runs that failed.
    pub failures: u32,
    /// The stage of `peeler confirm` that showed the test to be flaky; `None` if the test is not flaky. It is the stage
    /// of the first run with another outcome than the runs before. It is `Intersect` if the test failed every time
    /// without loading a changed class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown_by: Option<Stage>,
    /// The condition that the outcome of a flaky test depends on; `None` if the test is not flaky.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depends_on: Option<Dependence>,
    /// The kinds of flakiness that the runs show; empty if the test is not flaky, or nothing but INTERSECT shows it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<FlakyKind>,
    /// The call of the Java library whose unspecified behaviour changes the outcome, and where it is called from, as
    /// frames of a stack. `None` if it was not searched or not found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub culprit: Option<Vec<String>>,
    /// The first failed run of the test; `None` if it never failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<Run>,
    /// The reason why the test did not run, such as `it was skipped`. If it failed every time, the reason why changes
    /// since a git revision may be to blame: `it loads a.B, which changed since main`. `None` for other tests, or if no
    /// reason is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The verdict on a test in one word: flaky, failing, stable or not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// The test can pass and fail with the same code.
    Flaky,
    /// The test failed in every run.
    Failing,
    /// The test passed in every run.
    Stable,
    /// The test did not run.
    NotRun,
}

/// The condition that the outcome of a flaky test depends on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "on", rename_all = "kebab-case")]
pub enum Dependence {
    /// The outcome depends on the tests that ran before the flaky test.
    Order {
        /// Tests that break the flaky test: it fails after each of them in a new JVM.
        polluters: Vec<TestName>,
        /// Tests that the flaky test needs: it passes after each of them and fails alone.
        setters: Vec<TestName>,
    },
    /// The outcome depends on the environment: in the unchanged environment the test passed every time.
    Environment {
        /// The change of the environment under which the test fails.
        perturbation: Perturbation,
    },
    /// The outcome depends on the state of the JVM: the test failed only after other tests and passed only in other
    /// JVMs.
    State,
    /// The outcome depends on chance: it changed under the same conditions.
    Chance,
    /// The outcome does not depend on the changes since a revision: the test failed without loading a changed class.
    Unchanged {
        /// The git revision since which no class that the test loads has changed.
        since: String,
    },
}

impl Verdict {
    /// The verdict on the test in words, such as `passed 3 of 3 runs: stable so far`.
    #[must_use]
    pub fn sentence(&self) -> String {
        let (runs, failures) = (self.runs, self.failures);
        match (self.status, &self.depends_on) {
            (Status::Flaky, Some(Dependence::Unchanged { since })) => format!(
                "failed {failures} of {runs} runs without loading a class changed since {since}: flaky, \
                 provided it passed there"
            ),
            (Status::Flaky, depends_on) => {
                let how = depends_on
                    .as_ref()
                    .map_or_else(String::new, |it| format!("; {}", it.words()));
                format!("failed {failures} of {runs} runs{how}")
            }
            (Status::Failing, _) => format!("failed {failures} of {runs} runs: no proof that it is flaky"),
            (Status::Stable, _) => format!("passed {runs} of {runs} runs: stable so far"),
            (Status::NotRun, _) => {
                let why = self.note.as_deref().unwrap_or("it was not chosen");
                format!("not run: {why}")
            }
        }
    }
}

impl Verdict {
    /// The call whose unspecified behaviour changes the outcome, in words: `the order of java.util.HashMap matters, as
    /// called at shop.Basket.text(Basket.java:7)`.
    #[must_use]
    pub fn culprit_words(&self) -> Option<String> {
        let stack = self.culprit.as_ref()?;
        let is_java = |frame: &&String| ["java.", "jdk.", "sun."].iter().any(|it| frame.starts_with(it));
        let (own, java): (Vec<&String>, Vec<&String>) = (
            stack.iter().filter(|it| !is_java(it)).collect(),
            stack.iter().take_while(is_java).collect(),
        );
        let class = java.last().map(|it| it.split('(').next().unwrap_or(it))?;
        let caller = own
            .first()
            .map_or_else(String::new, |it| format!(", as called at {it}"));
        Some(format!("the order that {class} returns matters{caller}"))
    }
}

impl Dependence {
    /// The condition that a test's outcome depends on, as a clause for reports: `it changes under the same conditions`.
    #[must_use]
    pub fn words(&self) -> String {
        let list = |tests: &[TestName]| tests.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Self::Order { polluters, setters } if polluters.is_empty() && setters.is_empty() => {
                "it depends on the order of tests".to_owned()
            }
            Self::Order { polluters, setters } if polluters.is_empty() => {
                format!("it depends on the order of tests: it needs {} before it", list(setters))
            }
            Self::Order { polluters, .. } => {
                format!("it depends on the order of tests: it fails behind {}", list(polluters))
            }
            Self::Environment { perturbation } => format!("it fails with {}", perturbation.words()),
            Self::State => "it failed in a JVM that had run other tests and passed in another one".to_owned(),
            Self::Chance => "it changes under the same conditions".to_owned(),
            Self::Unchanged { since } => format!("it loads nothing that changed since {since}"),
        }
    }
}

/// The verdicts on all tests with a recorded run and on the tests in `others`, sorted by name.
#[must_use]
pub fn verdicts(events: &[Event], others: &[TestName]) -> Vec<Verdict> {
    let mut by_test: BTreeMap<&TestName, Vec<&Run>> = others.iter().map(|test| (test, Vec::new())).collect();
    for run in runs(events) {
        by_test.entry(&run.test).or_default().push(run);
    }
    let mut coverage = BTreeMap::new();
    for event in events {
        if let Event::Coverage(seen) = event {
            coverage.insert(&seen.test, seen);
        }
    }
    let before = FirstTests::of(events);
    let mut found: Vec<Verdict> = by_test
        .into_iter()
        .map(|(test, runs)| verdict(test, &runs, coverage.get(test).copied(), &before))
        .collect();
    for event in events {
        if let Event::Culprit { test, stack } = event
            && let Some(verdict) = found.iter_mut().find(|it| it.test == *test)
        {
            verdict.culprit = Some(stack.clone()).filter(|it| !it.is_empty());
        }
    }
    found
}

fn verdict(test: &TestName, all: &[&Run], coverage: Option<&Coverage>, before: &FirstTests<'_>) -> Verdict {
    let counted: Vec<&Run> = all.iter().copied().filter(|run| run.counts()).collect();
    let failures = counted.iter().filter(|run| run.outcome.is_failure()).count();
    let unchanged = coverage.filter(|it| it.inconclusive.is_none() && it.changed.is_empty());
    let status = match (failures, counted.len()) {
        (_, 0) => Status::NotRun,
        (0, _) => Status::Stable,
        (failures, runs) if failures < runs => Status::Flaky,
        _ if unchanged.is_some() => Status::Flaky,
        _ => Status::Failing,
    };
    let changes = failures < counted.len() && failures > 0;
    let (shown_by, depends_on) = match (status, unchanged) {
        (Status::Flaky, _) if changes => (shown_by(&counted), Some(dependence(test, &counted, before))),
        (Status::Flaky, Some(coverage)) => (
            Some(Stage::Intersect),
            Some(Dependence::Unchanged {
                since: coverage.since.clone(),
            }),
        ),
        _ => (None, None),
    };
    let kinds = match &depends_on {
        Some(dependence) if changes => {
            let is_order = matches!(dependence, Dependence::Order { .. } | Dependence::State);
            kinds::kinds(&counted, is_order)
        }
        _ => Vec::new(),
    };
    let note = match status {
        Status::NotRun => all.last().map(|run| not_run(run)),
        Status::Failing => coverage.and_then(reason_of_doubt),
        _ => None,
    };
    Verdict {
        test: test.clone(),
        status,
        runs: u32::try_from(counted.len()).unwrap_or(u32::MAX),
        failures: u32::try_from(failures).unwrap_or(u32::MAX),
        shown_by,
        depends_on,
        kinds,
        culprit: None,
        failure: counted
            .iter()
            .find(|run| run.outcome.is_failure())
            .map(|run| (*run).clone()),
        note,
    }
}

/// The reason why changes since a git revision may have made a test fail: `it loads a.B, which changed since main`.
///
/// It can also be that the loaded classes do not tell, for instance after a change of `pom.xml`. `None` if there is no
/// such reason; the test then counts as flaky.
fn reason_of_doubt(coverage: &Coverage) -> Option<String> {
    let loaded = coverage.changed.first();
    let loaded = loaded.map(|class| format!("it loads {class}, which changed since {}", coverage.since));
    loaded.or_else(|| coverage.inconclusive.clone())
}

/// The reason why a test has no run that counts, from its last recorded run: `it was skipped`.
fn not_run(run: &Run) -> String {
    let reason = run.failure.as_deref().unwrap_or("");
    let reason = reason.lines().next().unwrap_or("");
    if run.outcome == Outcome::TimedOut {
        "it ran out of time on a machine that was slowed on purpose".to_owned()
    } else if reason.is_empty() {
        format!("it {}", run.outcome.words())
    } else {
        format!("it {}: {reason}", run.outcome.words())
    }
}

/// The stage of the first run whose outcome differs from that of the test's first run; `None` if none differs.
fn shown_by(counted: &[&Run]) -> Option<Stage> {
    let first = counted.first()?.outcome.is_failure();
    let change = counted.iter().find(|run| run.outcome.is_failure() != first)?;
    Some(change.stage)
}

fn dependence(test: &TestName, counted: &[&Run], before: &FirstTests<'_>) -> Dependence {
    if let Some(dependence) = order_dependence(test, counted, before) {
        return dependence;
    }
    // Runs in a shuffled order cannot distinguish chance from order, so only unperturbed runs count here.
    let plain: Vec<&Run> = counted
        .iter()
        .copied()
        .filter(|run| run.perturbation.is_none())
        .collect();
    let fails = plain.iter().filter(|run| run.outcome.is_failure()).count();
    if fails == 0
        && let Some(run) = counted.iter().find(|run| run.outcome.is_failure())
        && !matches!(run.perturbation, Perturbation::Order { .. })
        && !plain.is_empty()
        && !counted
            .iter()
            .any(|it| it.perturbation == run.perturbation && !it.outcome.is_failure())
    {
        return Dependence::Environment {
            perturbation: run.perturbation.clone(),
        };
    }
    if fails > 0 && is_state(&plain, before) {
        return Dependence::State;
    }
    Dependence::Chance
}

/// Whether a test's outcome depends on the JVM's state: no JVM had both outcomes, and every failure came after another
/// test.
///
/// A crash is not evidence of state, because the JVM does not survive to show the other outcome.
fn is_state(plain: &[&Run], before: &FirstTests<'_>) -> bool {
    let (failed, passed): (Vec<&Run>, Vec<&Run>) = plain.iter().partition(|run| run.outcome.is_failure());
    let is_behind = |run: &&Run| before.first_of(run.jvm).is_some_and(|first| *first != run.test);
    failed.iter().all(|run| run.outcome == Outcome::Failed)
        && failed.iter().all(is_behind)
        && !passed.is_empty()
        && passed.iter().all(|run| failed.iter().all(|it| it.jvm != run.jvm))
}

/// The dependence of a test's outcome on the tests before it, with those that break it and those that it needs.
///
/// `None` unless reruns confirm it, as in the tool iDFlakies. The test has to fail again after the tests that ran
/// before its failure. It has to pass again after the tests before it in the original order, or alone.
fn order_dependence(test: &TestName, counted: &[&Run], before: &FirstTests<'_>) -> Option<Dependence> {
    let outcomes = |stage: Stage| {
        let runs = counted.iter().filter(move |run| run.stage == stage);
        runs.map(|run| run.outcome.is_failure()).collect::<Vec<_>>()
    };
    // A victim fails again in the truncated failing order and passes again in the truncated original one. If it fails
    // in the original order, it must pass alone.
    let (failing, original) = (outcomes(Stage::TruncatedFailing), outcomes(Stage::TruncatedOriginal));
    let is_victim = !failing.is_empty() && failing.iter().all(|it| *it);
    let alone = outcomes(Stage::Alone);
    let expected = if original.is_empty() { &alone } else { &original };
    let is_expected = !expected.is_empty() && expected.iter().all(|it| !*it);
    if !(is_victim && is_expected) {
        return None;
    }
    let (passes_alone, fails_alone) = (alone.iter().all(|it| !*it), alone.iter().all(|it| *it));
    let mut polluters = BTreeSet::new();
    let mut setters = BTreeSet::new();
    for run in counted.iter().filter(|run| run.stage == Stage::Pair) {
        let Some(other) = before.first_of(run.jvm).filter(|other| *other != test) else {
            continue;
        };
        if run.outcome.is_failure() && passes_alone && !alone.is_empty() {
            polluters.insert(other.clone());
        } else if !run.outcome.is_failure() && fails_alone && !alone.is_empty() {
            setters.insert(other.clone());
        }
    }
    Some(Dependence::Order {
        polluters: polluters.into_iter().collect(),
        setters: setters.into_iter().collect(),
    })
}

/// For each JVM, by its number, the test that ran first in it.
struct FirstTests<'a>(BTreeMap<u32, &'a TestName>);

impl<'a> FirstTests<'a> {
    fn of(events: &'a [Event]) -> Self {
        let mut first = BTreeMap::new();
        for run in runs(events) {
            first.entry(run.jvm).or_insert(&run.test);
        }
        Self(first)
    }

    fn first_of(&self, jvm: u32) -> Option<&'a TestName> {
        self.0.get(&jvm).copied()
    }
}

#[cfg(test)]
mod tests;
