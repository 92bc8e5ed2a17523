//! Evidence: the recorded runs of tests.
//!
//! A record is an [`Event`], and events are only appended ([`crate::log`]). Verdicts are computed from events alone
//! ([`crate::verdict`]), so a reader of the log can check every verdict.
//!
//! Invariant: the runs of one JVM are recorded in the order in which they ran. The runs before a test in its JVM, and
//! the changed environment of that JVM, are all that one needs to see the outcome again.

use peeler_features::TestName;
use serde::{Deserialize, Serialize};

use crate::invocation::Invocation;
use crate::perturbation::Perturbation;

/// The version of the evidence log's format. It is raised when older programs would misread a log.
pub const FORMAT: u32 = 1;

/// The outcome of one run of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The test passed.
    Passed,
    /// An assertion failed, or an exception was thrown.
    Failed,
    /// The JVM of the test ended during the test: by an exit, a signal or a full heap.
    Crashed,
    /// The test took longer than its time limit and was killed.
    TimedOut,
    /// The test is disabled, or an assumption did not hold.
    Skipped,
    /// No test framework on the class path finds the test.
    Missing,
}

impl Outcome {
    /// Whether the outcome is a failure, a crash or a timeout.
    #[must_use]
    pub fn is_failure(self) -> bool {
        matches!(self, Self::Failed | Self::Crashed | Self::TimedOut)
    }

    /// Whether the test ran: it was neither skipped nor missing.
    #[must_use]
    pub fn is_run(self) -> bool {
        !matches!(self, Self::Skipped | Self::Missing)
    }

    /// The outcome of a run as a verb phrase, such as `was skipped`.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Crashed => "crashed its JVM",
            Self::TimedOut => "ran out of time",
            Self::Skipped => "was skipped",
            Self::Missing => "was not found",
        }
    }
}

/// The stage of `peeler confirm` that a run of a test belongs to, which is the reason for the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The first run of a test, in the suite's own order, before any other stage.
    First,
    /// RERUN: a run of a failing test immediately after its failure, in the same JVM.
    Rerun,
    /// POSTPONE: a run of a failing test at the end of the suite, in the JVM of the suite.
    Postpone,
    /// FORK: a run of a failing test in a new JVM.
    Fork,
    /// INTERSECT: the classes that a failing test loads are compared with those that changed since a git revision.
    ///
    /// If it loads no changed class, the changes are not the reason of the failure, and the test is flaky. The stage
    /// has no runs of its own: the first run of FORK logs the loaded classes.
    Intersect,
    /// One of the repeated runs of a test in one JVM, by default until its outcome changes, as in the CANNIER paper.
    Repeat,
    /// A run of a test as a part of the whole suite in a shuffled order.
    Shuffled,
    /// A second run of a test that failed in some order of the suite: in a new JVM, after the tests before it in that
    /// order.
    TruncatedFailing,
    /// A second run of a test that failed in a shuffled order: in a new JVM, after the tests before it in the suite's
    /// own order.
    TruncatedOriginal,
    /// A run of one test alone in a new JVM.
    Alone,
    /// A run of a test after one other test in a new JVM.
    Pair,
    /// A run of a test only because another test has to run after it, as in [`Self::Pair`], a truncated order or a
    /// replay.
    Lead,
    /// A run of a test in a changed environment, such as another time zone.
    Perturbed,
    /// A second run of a test in the changed environment in which it failed, alone in a new JVM.
    Again,
    /// A run of a test with a part of the shuffles of NonDex, to find the one that changes its outcome.
    Narrowed,
    /// A run of a test that repeats a recorded run of the evidence log under the same conditions.
    Replay,
    /// A run of a test in an earlier build, read from its JUnit XML report.
    History,
}

impl Stage {
    /// The stage of `peeler confirm` as a phrase for reports, such as `FORK, in a new JVM`.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::First => "the first run of the suite",
            Self::Rerun => "RERUN, at once in the same JVM",
            Self::Postpone => "POSTPONE, at the end of the suite",
            Self::Fork => "FORK, in a new JVM",
            Self::Intersect => "INTERSECT, no changed class loaded",
            Self::Repeat => "repetition in one JVM",
            Self::Shuffled => "a shuffled order",
            Self::TruncatedFailing => "the failing order, truncated",
            Self::TruncatedOriginal => "the original order, truncated",
            Self::Alone => "a run alone",
            Self::Pair => "a run behind one other test",
            Self::Lead => "a run before another test",
            Self::Perturbed => "a changed environment",
            Self::Again => "the changed environment again, alone",
            Self::Narrowed => "a part of the shuffles of NonDex",
            Self::Replay => "a replay",
            Self::History => "reports of earlier builds",
        }
    }
}

/// One run of one test, as the evidence log records it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// The test that ran.
    pub test: TestName,
    /// The stage of `peeler confirm` that the run belongs to.
    pub stage: Stage,
    /// The number of the JVM in which the test ran; 0 for runs of earlier builds. The runs of one JVM share its state.
    pub jvm: u32,
    /// The change of the environment, or of the order of tests, in which the test ran.
    #[serde(default, skip_serializing_if = "Perturbation::is_none")]
    pub perturbation: Perturbation,
    /// The outcome of the run, such as passed or timed out.
    pub outcome: Outcome,
    /// The time that the run took, in milliseconds.
    pub milliseconds: u64,
    /// The message and stack trace of the run's failure, if it failed; long texts are cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

impl Run {
    /// Whether the run counts as evidence about its test.
    ///
    /// A skipped or missing test did not run. A timeout is no evidence if the environment was slowed down on purpose.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.outcome.is_run()
            && !(self.outcome == Outcome::TimedOut && self.perturbation.is_slow())
            // Such a run is made to find a cause, with settings chosen by the runs before it.
            && self.stage != Stage::Narrowed
    }
}

/// The classes that a failing test loaded, compared with those that changed since a git revision.
///
/// This comparison is the stage INTERSECT: a failing test that loads no changed class counts as flaky.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// The failing test whose loaded classes are compared with the classes that changed since a git revision.
    pub test: TestName,
    /// The git revision since which classes count as changed.
    pub since: String,
    /// The number of classes that the failing test loaded.
    pub loaded: usize,
    /// The classes that the failing test loaded and that changed since the git revision `since`.
    pub changed: Vec<String>,
    /// The reason why the test is not proved flaky even if it loaded no changed class, such as a changed `pom.xml`.
    ///
    /// `None` if there is no such reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inconclusive: Option<String>,
}

/// An event that a line of the evidence log records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The event that `peeler confirm` started, or continued an interrupted run.
    Session {
        /// The version of the evidence log's format, [`FORMAT`].
        format: u32,
        /// The fingerprint of the compiled code that runs. Outcomes of different code are never combined.
        code: String,
        /// The command line of `peeler confirm`; `None` in the temporary log of a replay.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        invocation: Option<Invocation>,
    },
    /// The event that a test ran once.
    Run(Run),
    /// The event that the classes loaded by a failing test were compared with those that changed since a git revision.
    Coverage(Coverage),
    /// The event that the call whose unspecified behaviour changes the outcome of a test was searched.
    Culprit {
        /// The test whose outcome changes.
        test: TestName,
        /// The stack of the call, the innermost frame first; empty if no single call was found.
        stack: Vec<String>,
    },
    /// The event that the suite starts to run in a shuffled order.
    Order {
        /// The random seed of the shuffled order.
        seed: u64,
        /// The tests in the shuffled order.
        tests: Vec<TestName>,
    },
    /// The event that the suite has run in a shuffled order to its end.
    OrderDone {
        /// The random seed of the shuffled order that has run.
        seed: u64,
    },
}

/// The test runs among the events of an evidence log, in their order.
#[must_use = "iterators are lazy"]
pub fn runs(events: &[Event]) -> impl DoubleEndedIterator<Item = &Run> {
    events.iter().filter_map(|event| match event {
        Event::Run(run) => Some(run),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_one_line_and_reads_back() {
        let event = Event::Run(Run {
            test: "a.B#m".parse().expect("a test"),
            stage: Stage::Perturbed,
            jvm: 3,
            perturbation: Perturbation::Zone {
                id: "Asia/Kolkata".to_owned(),
            },
            outcome: Outcome::TimedOut,
            milliseconds: 12,
            failure: Some("two\nlines".to_owned()),
        });
        let line = serde_json::to_string(&event).expect("JSON");
        assert!(!line.contains('\n'), "{line}");
        assert_eq!(serde_json::from_str::<Event>(&line).expect("an event"), event);
    }
}
