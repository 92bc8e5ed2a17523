//! Finds the tests that changed since a git revision.
//!
//! The Java files of the revision are read from the git repository around the scanned folder and analysed. Each test is
//! compared by the digest of everything that it can run, not by the lines of its file.
//!
//! Invariant: the work tree is only read, and uncommitted changes count. Left out: the content of submodules, whose
//! tests count as new.

use std::collections::BTreeSet;
use std::path::Path;

use peeler_analysis::{Analysis, Repository, SourceFile};
use peeler_features::TestName;

use crate::git;

/// The Java files of a repository at a git revision.
#[derive(Debug)]
pub(crate) struct BaseRevision {
    /// The git revision, as the user gave it.
    pub(crate) revision: String,
    repository: Repository,
    /// Whether the Java files of the git revision are the same as those of the work tree.
    is_unchanged: bool,
}

/// The tests of the work tree that differ from those of an earlier git revision.
pub(crate) struct Changes {
    /// The names of tests that are new or changed since an earlier git revision.
    pub(crate) tests: BTreeSet<TestName>,
    /// The number of tests that did not change since an earlier git revision.
    pub(crate) unchanged: usize,
}

impl BaseRevision {
    /// Reads the Java files below `root` as they are in a git revision. `present` holds the Java files of the work
    /// tree.
    pub(crate) fn open(root: &Path, revision: &str, present: &Repository) -> anyhow::Result<Self> {
        let repository = Repository::from_sources(git::base_files(root, revision, present)?);
        let is_same = |(a, b): (&SourceFile, &SourceFile)| a.path() == b.path() && a.text() == b.text();
        let (then, now) = (repository.files(), present.files());
        let is_unchanged = then.len() == now.len() && then.iter().zip(now).all(is_same);
        Ok(Self {
            revision: revision.to_owned(),
            repository,
            is_unchanged,
        })
    }

    /// Compares the tests of the work tree with those of the git revision.
    pub(crate) fn changes(&self, present: &Analysis<'_>) -> Changes {
        if self.is_unchanged {
            let names: BTreeSet<TestName> = present.test_cases().into_iter().map(|it| it.name).collect();
            return Changes {
                tests: BTreeSet::new(),
                unchanged: names.len(),
            };
        }
        let now = present.digests(|_| true);
        let then = Analysis::new(&self.repository).digests(|name| now.contains_key(name));
        let all = now.len();
        let differs = |(name, digest): &(TestName, u64)| then.get(name) != Some(digest);
        let tests: BTreeSet<TestName> = now.into_iter().filter(differs).map(|(name, _)| name).collect();
        Changes {
            unchanged: all - tests.len(),
            tests,
        }
    }
}
