//! Events: each is a test of which a commit, or runs of the test, show that it was flaky.

use serde::{Serialize, Serializer};

/// The kind of evidence that a test was flaky, the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Evidence {
    /// The test both passed and failed in runs of `peeler confirm`.
    Proven,
    /// The test both passed and failed in reports of earlier builds.
    History,
    /// A commit adds an annotation such as `@Flaky` or `@Ignore("flaky")` to the test method. `A1` in files.
    Annotation,
    /// The message of a commit speaks of flakiness and names the test, and the commit changes the test or its file.
    /// `B1` in files.
    Named,
    /// A commit adds a comment above or in the test method which says that the test is flaky. `A2` in files.
    Comment,
    /// The first line of a commit message speaks of flakiness. The commit changes at most three tests and no main code.
    /// `B2` in files.
    Subject,
    /// A commit message speaks of flakiness, but not in its first line. The commit changes at most three tests and no
    /// main code. `B3a` in files.
    Body,
    /// The first line of a commit message speaks of flakiness. The commit changes at most three tests, and main code
    /// too. `B3b` in files.
    SubjectWithMainCode,
}

impl Evidence {
    /// All kinds of evidence, in the order in which reports list them.
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

    /// The short name of the kind of evidence in files: `A1` for an annotation.
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

    /// The kind of evidence in words for people: `an annotation marks the test`.
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

/// A test that was flaky, with its evidence: a commit that marked or fixed it, or runs in which it both passed and
/// failed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Event {
    /// The commit at which the test was flaky: the parent of the commit that marked or fixed it. If runs are the
    /// evidence, the newest commit of the searched history.
    pub commit: String,
    /// The path, with `/`, of the test's file at the commit at which the test was flaky. Empty if runs are the evidence
    /// and no file fits the class.
    pub path: String,
    /// The binary name of the test's class at the commit at which the test was flaky: `shop.CartTest$Late`.
    pub class: String,
    /// The name of the test method.
    pub test: String,
    /// The commit that marked the test as flaky or fixed it; empty if runs are the evidence.
    pub fix: String,
    /// The day in UTC of the commit that marked or fixed the test, as `2026-11-17`; empty if runs are the evidence.
    pub date: String,
    /// What shows that the test was flaky, such as a new annotation or runs of the test.
    pub evidence: Evidence,
    /// The causes of flakiness that the changed lines of the test suggest, such as `async_wait`. If they suggest none,
    /// or if runs are the evidence, one name such as `deleted` or `other`.
    pub causes: Vec<String>,
    /// An estimate of the probability that the test was flaky, between 0 and 1.
    pub certainty: f64,
    /// The first line of the message of the commit that marked or fixed the test; empty if runs are the evidence.
    pub subject: String,
    /// The file and name of the test in the newest commit of the searched history; `None` if the test no longer exists
    /// there.
    pub today: Option<TestLocation>,
}

/// The file and name that a test has in one commit.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct TestLocation {
    /// The path of the file that contains the test, with `/`.
    pub path: String,
    /// The binary name of the class of the test: `shop.CartTest$Late`.
    pub class: String,
    /// The name of the test method.
    pub test: String,
}

/// A test that both passed and failed in runs, so that it is flaky.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunLabel {
    /// The binary name of the test's class.
    pub class: String,
    /// The name of the test method.
    pub test: String,
    /// Where the runs come from: [`Evidence::History`] or [`Evidence::Proven`].
    pub evidence: Evidence,
}

/// The result of searching the git history of one repository for flaky tests.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Mined {
    /// The name of the repository: `owner/name` if its git remote is known.
    pub repository: String,
    /// The newest commit of the searched history. The commit and its ancestors were read.
    pub revision: String,
    /// The number of commits in the searched history.
    pub commits: usize,
    /// The number of merge commits among the commits that were read. They are not compared with their parents, so they
    /// give no events.
    pub merges: usize,
    /// Whether the clone is shallow, so that older commits are missing.
    pub is_shallow: bool,
    /// The number of commits that could not be read because objects are missing or broken.
    pub unreadable_commits: usize,
    /// The day of the oldest commit that was read, in UTC, as `2026-11-17`.
    pub first_day: String,
    /// The day of the newest commit that was read, in UTC, as `2026-11-17`.
    pub last_day: String,
    /// All events: commits and runs that showed a test to be flaky. They are ordered by date, then by fixing commit,
    /// path, class and test.
    pub events: Vec<Event>,
    /// The changes of test files, sorted by path. Reports do not contain them.
    #[serde(skip)]
    pub activity: Vec<FileActivity>,
}

/// The times at which commits changed a test file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileActivity {
    /// The path of the test file, with `/`.
    pub path: String,
    /// The times of the commits that added or changed the file, in seconds since 1970, in ascending order.
    pub seconds: Vec<i64>,
}
