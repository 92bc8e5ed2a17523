//! Finds the tests that changed since a git revision.
//!
//! The Java files of the revision are read from the git repository around the scanned folder and analysed. Each test is
//! compared by the digest of everything that it can run, not by the lines of its file.
//!
//! Invariant: the work tree is only read, and uncommitted changes count. Left out: the content of submodules, whose
//! tests count as new.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use git2::{ErrorCode, ObjectType, Tree};
use peeler_analysis::{Analysis, Repository, Selection, SourceFile};
use peeler_features::TestName;

use crate::git_revision::{content, incomplete, tree_at};

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
        let git = git_around(root)?;
        let folder = git
            .workdir()
            .with_context(|| format!("{} has no work tree; run `--since` in a clone", git.path().display()))?;
        let root = canonical(root)?;
        let inside = root
            .strip_prefix(canonical(folder)?)
            .with_context(|| format!("{} is not in the work tree {}", root.display(), folder.display()))?;
        let tree = tree_at(&git, revision)?;
        let reading = Reading { git: &git, tree: &tree };
        let sources = reading
            .java_files(&root, inside, present)
            .with_context(|| incomplete(&git, revision))?;
        let repository = Repository::from_sources(sources);
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

fn git_around(root: &Path) -> anyhow::Result<git2::Repository> {
    git2::Repository::discover(root).map_err(|error| match error.code() {
        ErrorCode::NotFound => anyhow!(
            "{} is not in a git repository, so there is no revision to compare with; pass a path inside a clone, or \
             omit `--since`",
            root.display()
        ),
        ErrorCode::Owner => anyhow!(
            "the git repository around {} belongs to another user; if you trust it, run `git config --global --add \
             safe.directory` with its folder",
            root.display()
        ),
        _ => anyhow!(
            "cannot open the git repository around {}: {}; does `git status` work there?",
            root.display(),
            error.message()
        ),
    })
}

fn canonical(path: &Path) -> anyhow::Result<PathBuf> {
    let found = path.canonicalize();
    found.with_context(|| format!("cannot find {}; check its permissions", path.display()))
}

/// Reads Java files from the tree of one git revision.
struct Reading<'g> {
    git: &'g git2::Repository,
    tree: &'g Tree<'g>,
}

impl Reading<'_> {
    /// The path and content of each Java file that a scan of `root` would read at one git revision. Paths are relative
    /// to `inside`, the folder of `root` in the work tree.
    fn java_files(
        &self,
        root: &Path,
        inside: &Path,
        present: &Repository,
    ) -> Result<Vec<(String, Vec<u8>)>, git2::Error> {
        let mut found = Vec::new();
        let start = if inside.as_os_str().is_empty() {
            self.tree.id()
        } else {
            match self.tree.get_path(inside) {
                Ok(entry) if entry.kind() == Some(ObjectType::Tree) => entry.id(),
                Ok(entry) => {
                    let name = inside.file_name().unwrap_or_default().to_string_lossy();
                    let content = content(self.git, self.tree, entry.id(), entry.filemode(), inside)?;
                    found.extend(content.map(|it| (name.into_owned(), it)));
                    return Ok(found);
                }
                Err(error) if error.code() == ErrorCode::NotFound => return Ok(found),
                Err(error) => return Err(error),
            }
        };
        let mut selection = Selection::new(root);
        let known = present.files();
        let is_known = |path: &str| known.binary_search_by(|it| it.path().cmp(path)).is_ok();
        let mut pending = vec![(String::new(), start)];
        while let Some((folder, id)) = pending.pop() {
            let tree = self.git.find_tree(id)?;
            for entry in &tree {
                let path = format!("{folder}{}", String::from_utf8_lossy(entry.name_bytes()));
                match entry.kind() {
                    Some(ObjectType::Tree) => pending.push((format!("{path}/"), entry.id())),
                    Some(ObjectType::Blob) if is_known(&path) || selection.takes(&path) => {
                        let content = content(self.git, self.tree, entry.id(), entry.filemode(), &inside.join(&path))?;
                        found.extend(content.map(|it| (path, it)));
                    }
                    _ => {}
                }
            }
        }
        Ok(found)
    }
}
