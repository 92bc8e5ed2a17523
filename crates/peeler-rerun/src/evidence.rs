//! Evidence: what happened when tests ran.
//!
//! A record is an [`Event`], and events are only ever appended ([`crate::log`]). Verdicts are computed from them and
//! from nothing else ([`crate::verdict`]), so whoever has the events can check a verdict.
//!
//! Invariant: the runs of one JVM stand in the order in which they ran. What ran before a test in its JVM, with the
//! perturbation of that JVM, is therefore the recipe to see an outcome again.

use peeler_features::TestName;
use serde::{Deserialize, Serialize};

use crate::invocation::Invocation;
use crate::perturbation::Perturbation;

/// Version of the format; it grows when an older reader would misread something.
pub const FORMAT: u32 = 1;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It passed.
    Passed,
    /// An assertion did not hold, or something was thrown.
    Failed,
    /// Its JVM ended: an exit, a signal, a full heap.
    Crashed,
    /// It took longer than the limit and was killed.
    TimedOut,
    /// Disabled, or an assumption did not hold.
    Skipped,
    /// No framework on the class path knows it.
    Missing,
}

impl Outcome {
    /// Whether it speaks against the test.
    #[must_use]
    pub fn is_failure(self) -> bool {
        matches!(self, Self::Failed | Self::Crashed | Self::TimedOut)
    }

    /// Whether the test ran at all.
    #[must_use]
    pub fn is_run(self) -> bool {
        !matches!(self, Self::Skipped | Self::Missing)
    }

    /// In a word or two.
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

/// Why a test was run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The suite, in its own order, in one JVM.
    First,
    /// RERUN: at once after a failure, in the same JVM.
    Rerun,
    /// POSTPONE: at the end of the suite, in the same JVM.
    Postpone,
    /// FORK: in a new JVM.
    Fork,
    /// INTERSECT: no run of its own; the first FORK failed without loading a changed class.
    Intersect,
    /// RepeatUntil the outcome changes, as CANNIER reruns what the model is not sure of.
    Repeat,
    /// The suite in a shuffled order.
    Shuffled,
    /// The shuffled order up to the test that failed in it.
    TruncatedFailing,
    /// The suite's own order up to that test.
    TruncatedOriginal,
    /// In a new JVM, without any other test.
    Alone,
    /// Behind one other test, in a new JVM.
    Pair,
    /// Before another test that it leads up to.
    Lead,
    /// In another environment.
    Perturbed,
    /// A recorded run, once more.
    Replay,
    /// A run of somebody else, read from a report of the build.
    History,
}

impl Stage {
    /// The stage as a phrase.
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
            Self::Replay => "a replay",
            Self::History => "reports of earlier builds",
        }
    }
}

/// One run of one test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// The test.
    pub test: TestName,
    /// Why it was run.
    pub stage: Stage,
    /// The JVM, by number; the runs of one JVM share its state.
    pub jvm: u32,
    /// What was changed about the JVM or the order.
    #[serde(default, skip_serializing_if = "Perturbation::is_none")]
    pub perturbation: Perturbation,
    /// How it ended.
    pub outcome: Outcome,
    /// How long it took.
    pub milliseconds: u64,
    /// What was said about a failure, cut where it is long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

impl Run {
    /// Whether the run says something about its test.
    ///
    /// A skipped or missing test did not run. A timeout on a machine that was slowed on purpose says nothing.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.outcome.is_run() && !(self.outcome == Outcome::TimedOut && self.perturbation.is_slow())
    }
}

/// What INTERSECT saw.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// The test.
    pub test: TestName,
    /// The revision that the changes were counted from.
    pub since: String,
    /// How many classes the test loaded.
    pub loaded: usize,
    /// The loaded classes that have changed.
    pub changed: Vec<String>,
    /// Why nothing can be concluded, where it cannot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inconclusive: Option<String>,
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A confirmation began or went on.
    Session {
        /// Version of the format.
        format: u32,
        /// A fingerprint of the code that runs: outcomes of different code say nothing about each other.
        code: String,
        /// How it was called, where that is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        invocation: Option<Invocation>,
    },
    /// A test ran.
    Run(Run),
    /// INTERSECT looked at a forked run.
    Coverage(Coverage),
    /// A shuffled order begins.
    Order {
        /// What it was drawn with.
        seed: u64,
        /// The order.
        tests: Vec<TestName>,
    },
    /// A shuffled order has been run to its end.
    OrderDone {
        /// Its seed.
        seed: u64,
    },
}

/// The runs among events.
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
