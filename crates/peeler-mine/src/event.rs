//! Events: a commit says that a test was flaky.

use serde::{Serialize, Serializer};

/// The kind of evidence that a test was flaky, the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Evidence {
    /// Both outcomes of the test were seen by `peeler confirm`.
    Proven,
    /// Both outcomes of the test are in reports of earlier builds.
    History,
    /// A1: an annotation such as `@Flaky` or `@Ignore("flaky")` is new on the method.
    Annotation,
    /// B1: the message speaks of flakiness and names the test, which the commit changes.
    Named,
    /// A2: a comment at or in the method is new and says that it is flaky.
    Comment,
    /// B2: the subject speaks of flakiness, and the commit changes few tests and no main code.
    Subject,
    /// B3a: the body of the message speaks of flakiness, and the commit changes few tests and no main code.
    Body,
    /// B3b: the subject speaks of flakiness, and the commit changes few tests and main code too.
    SubjectWithMainCode,
}

impl Evidence {
    /// All evidence classes, in the order of reports.
    pub const ALL: [Self; 8] = [
        Self::Annotation,
        Self::Comment,
        Self::Named,
        Self::Subject,
        Self::Body,
        Self::SubjectWithMainCode,
        Self::History,
        Self::Proven,
    ];

    /// The short name of the evidence class in files: `A1`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Annotation => "A1",
            Self::Comment => "A2",
            Self::Named => "B1",
            Self::Subject => "B2",
            Self::Body => "B3a",
            Self::SubjectWithMainCode => "B3b",
            Self::History => "history",
            Self::Proven => "proven",
        }
    }

    /// The evidence class in words, for people.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Annotation => "an annotation marks the test",
            Self::Comment => "a comment at the test says so",
            Self::Named => "the message names the test",
            Self::Subject => "the subject says so; few tests changed",
            Self::Body => "the message says so; few tests changed",
            Self::SubjectWithMainCode => "the subject says so; main code changed too",
            Self::History => "passed and failed in reports of earlier builds",
            Self::Proven => "passed and failed in runs of peeler confirm",
        }
    }
}

impl Serialize for Evidence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A commit that says that a test was flaky, or runs that showed it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Event {
    /// The parent of the fix, where the test still was flaky. For runs it is the commit that was mined.
    pub commit: String,
    /// The path of the test's file in that parent, with `/`.
    pub path: String,
    /// The binary name of the test's class in that parent.
    pub class: String,
    /// The method of the test.
    pub test: String,
    /// The commit that marked or fixed the test; empty for runs.
    pub fix: String,
    /// The day of the fix in UTC, as `2026-11-17`; empty for runs.
    pub date: String,
    /// The kind of evidence.
    pub evidence: Evidence,
    /// What the change of the test shows about the cause, at least one name such as `async_wait` or `other`.
    pub causes: Vec<String>,
    /// An estimate of the probability that the test was flaky, between 0 and 1.
    pub certainty: f64,
    /// The first line of the commit's message; empty for runs.
    pub subject: String,
    /// The test as the mined revision has it; `None` if the revision does not contain it.
    pub today: Option<TestLocation>,
}

/// The place and name of a test at one revision.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct TestLocation {
    /// The path of the file, with `/`.
    pub path: String,
    /// The binary name of the class.
    pub class: String,
    /// The method.
    pub test: String,
}

/// A test whose runs showed that it is flaky.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunLabel {
    /// The binary name of the test's class.
    pub class: String,
    /// The method of the test.
    pub test: String,
    /// Where the runs come from: [`Evidence::History`] or [`Evidence::Proven`].
    pub evidence: Evidence,
}

/// The result of mining one repository.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Mined {
    /// The name of the repository, `owner/name` where its remote is known.
    pub repository: String,
    /// The commit whose ancestors were read.
    pub revision: String,
    /// The number of commits that were read.
    pub commits: usize,
    /// The number of merge commits among them, which are not compared with their parents.
    pub merges: usize,
    /// Whether the clone is shallow, so that older commits are missing.
    pub is_shallow: bool,
    /// The number of commits that could not be read because objects are missing or broken.
    pub unreadable_commits: usize,
    /// The day of the oldest commit in UTC.
    pub first_day: String,
    /// The day of the newest commit in UTC.
    pub last_day: String,
    /// All events, ordered by date, fix, path, class and test.
    pub events: Vec<Event>,
}
