//! Which tests of a snapshot are flaky, which are stable, and of which nothing is known.
//!
//! A test is positive if evidence against it comes after the snapshot and none came before. The other tests of its class
//! are unknown. Negatives are tests of other classes that still exist two years later, ten for each positive, of about
//! the same length and kind.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use peeler_features::{TestName, content_hash};
use peeler_mine::Mined;

use super::labels::{Label, LabelIndex, LabelSplit};
use super::test_inputs::TestInputs;

/// The maximum number of negatives for each positive.
const NEGATIVES: usize = 10;
/// How far the size of a negative may be from that of its positive, in steps of the logarithmic scale.
const FARTHEST: u32 = 12;

/// A test of a snapshot with its size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SizedTest<'t> {
    pub(crate) test: &'t TestName,
    /// The path of the test's file.
    pub(crate) file: &'t str,
    /// The number of lines of the test method.
    pub(crate) lines: u32,
}

impl<'t> From<&'t TestInputs> for SizedTest<'t> {
    fn from(test: &'t TestInputs) -> Self {
        Self {
            test: &test.test,
            file: &test.file,
            lines: test.lines,
        }
    }
}

impl SizedTest<'_> {
    /// The kind and size of a test: whether its name is that of an integration test, and its length on a logarithmic
    /// scale.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a small whole number"
    )]
    fn kind(self) -> (bool, u32) {
        let class = self.test.class();
        let is_named = ["IT", "ITCase", "IntegrationTest"].iter().any(|it| class.ends_with(it));
        let is_placed = ["/it/", "/integration", "integrationTest/"]
            .iter()
            .any(|it| self.file.contains(it));
        (
            is_named || is_placed,
            ((self.lines as f32).ln_1p() * 4.0).round() as u32,
        )
    }
}

/// The classes of which no test can be a negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Siblings {
    /// Classes with a later label. What came before plays no part, so that a predictor that knows the past has no
    /// advantage by the choice of negatives.
    OfLaterLabels,
    /// Classes with any label.
    OfAllLabels,
}

/// The tests of a snapshot that are known to be flaky or taken as stable.
#[derive(Debug)]
pub(crate) struct Candidates {
    /// Of each test of the snapshot, whether evidence against it comes later and none came before.
    pub(crate) is_positive: Vec<bool>,
    /// The indices of positives and matched negatives.
    pub(crate) judged: Vec<usize>,
    /// The indices of all tests without a label from before the split.
    pub(crate) open: Vec<usize>,
}

impl Candidates {
    /// Chooses positives and negatives. `alive` holds the names of files two years after the snapshot.
    pub(crate) fn choose(
        tests: &[SizedTest<'_>],
        split: &LabelSplit,
        alive: &HashSet<String>,
        siblings: Siblings,
    ) -> Self {
        let of = |labels: &[Label]| -> Vec<bool> {
            let index = LabelIndex::new(labels);
            tests.iter().map(|it| index.find(it.test).is_some()).collect()
        };
        let (past, later, unknown) = (of(&split.past), of(&split.later), of(&split.unknown));
        let indices = || 0..tests.len();
        let is_open = |at: &usize| !past[*at] && (later[*at] || !unknown[*at]);
        let open: Vec<usize> = indices().filter(is_open).collect();
        let is_positive: Vec<bool> = indices().map(|at| later[at] && !past[at]).collect();
        let is_touched = |at: &usize| match siblings {
            Siblings::OfLaterLabels => later[*at] || unknown[*at],
            Siblings::OfAllLabels => later[*at] || unknown[*at] || past[*at],
        };
        let touched: HashSet<&str> = indices().filter(is_touched).map(|at| tests[at].test.class()).collect();
        let free: Vec<usize> = open
            .iter()
            .copied()
            .filter(|at| !touched.contains(tests[*at].test.class()) && alive.contains(file_name(tests[*at].file)))
            .collect();
        let mut judged: Vec<usize> = indices().filter(|at| is_positive[*at]).collect();
        let positives: Vec<SizedTest<'_>> = judged.iter().map(|at| tests[*at]).collect();
        judged.extend(matched(&positives, tests, free));
        judged.sort_unstable();
        Self {
            is_positive,
            judged,
            open,
        }
    }

    /// The number of positives.
    pub(crate) fn positives(&self) -> usize {
        self.is_positive.iter().filter(|it| **it).count()
    }
}

/// The indices of ten tests for each of `flaky`, of about the same length and kind, among the `free` ones of `tests`. No
/// test is taken twice.
pub(crate) fn matched(flaky: &[SizedTest<'_>], tests: &[SizedTest<'_>], mut free: Vec<usize>) -> Vec<usize> {
    // A fixed order that has nothing to do with names or files.
    free.sort_by_key(|at| content_hash(tests[*at].test.as_str().as_bytes()));
    let mut by_kind: HashMap<(bool, u32), Vec<usize>> = HashMap::new();
    for at in free {
        by_kind.entry(tests[at].kind()).or_default().push(at);
    }
    let mut found = Vec::new();
    for (is_integration, size) in flaky.iter().map(|it| it.kind()) {
        for _ in 0..NEGATIVES {
            // Sizes further and further from that of the flaky test.
            let near = (0..FARTHEST).flat_map(|far| [size.checked_sub(far), Some(size + far)]);
            let nearest = near
                .flatten()
                .find_map(|size| by_kind.get_mut(&(is_integration, size))?.pop());
            found.extend(nearest);
        }
    }
    found
}

/// The name of a file without its folder, which a move to another folder does not change.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The names of the Java files in the newest commit of the main line before a time, in seconds since 1970.
pub(crate) fn files_at(path: &Path, mined: &Mined, seconds: i64) -> anyhow::Result<HashSet<String>> {
    let git = git2::Repository::discover(path)?;
    let mut commit = git.revparse_single(&mined.revision)?.peel_to_commit()?;
    while commit.time().seconds() >= seconds {
        match commit.parent(0) {
            Ok(parent) => commit = parent,
            Err(_) => break,
        }
    }
    let mut files = HashSet::new();
    commit.tree()?.walk(git2::TreeWalkMode::PreOrder, |_, entry| {
        let name = String::from_utf8_lossy(entry.name_bytes());
        if name.ends_with(".java") {
            files.insert(name.into_owned());
        }
        git2::TreeWalkResult::Ok
    })?;
    Ok(files)
}
