//! What label files say about the tests of projects.

use std::collections::BTreeMap;

use peeler_features::TestName;

/// The category of stable tests that were examined for every kind of flakiness.
pub const STABLE_IN_ALL_KINDS: &str = "stable";

/// The labels of the tests of one project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProjectLabels {
    /// The label of each test that the label file lists.
    pub tests: BTreeMap<TestName, KnownLabel>,
    /// The modules, as path prefixes, whose unlisted tests are stable. With `None` only listed tests have a label.
    pub stable_modules: Option<Vec<String>>,
    /// Tests that the label file lists as flaky at another commit than the checked-out one. They are never assumed
    /// stable.
    pub elsewhere: Vec<TestName>,
}

/// What a label file says about one test: whether it is flaky, and why.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownLabel {
    /// Whether the test is flaky.
    pub flaky: bool,
    /// The category of flakiness, such as `OD` for order-dependent, if the label file names one.
    pub category: Option<String>,
    /// The numbers of failed and passed runs, if the label file counts them.
    pub runs: Option<(u64, u64)>,
    /// The number of rows of the label file about the test: one for each parameter set.
    pub rows: usize,
}

/// The labels of each project, sorted by project name.
pub type Labels = BTreeMap<String, ProjectLabels>;

/// The project name and folder of a repository: `owner+name` for `owner/name`.
#[must_use]
pub fn project_of(repository: &str) -> String {
    repository.replace('/', "+")
}
