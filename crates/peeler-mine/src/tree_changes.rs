//! Files that differ between two trees of a git repository.
//!
//! Invariant: subtrees with the same id are not read. Left out: files that are no code, links and submodules.

use std::cmp::Ordering;

use git2::Oid;

use crate::objects::{Entry, EntryKind, Objects};
use crate::rules::PathRules;

/// The maximum number of code files that a commit may change. Commits with more are skipped, as they import whole
/// projects.
const MOST_FILES: usize = 20_000;

/// A code file that differs between two git trees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChangedFile {
    pub(crate) path: String,
    /// The id of the file's content in the old tree; `None` if the file is new.
    pub(crate) old: Option<Oid>,
    /// The id of the file's content in the new tree; `None` if the file is deleted.
    pub(crate) new: Option<Oid>,
}

/// What a commit changes: which test files, and whether also main code.
#[derive(Debug, Default)]
pub(crate) struct TreeChanges {
    /// The Java test files that the commit adds, changes or deletes, sorted by path.
    pub(crate) tests: Vec<ChangedFile>,
    /// Whether the commit also changes code outside of tests.
    pub(crate) changes_main_code: bool,
}

/// Compares two git trees, given by id, and returns what changed in their code. `None` if more than 20,000 code files
/// differ. Without `old` all files are new.
pub(crate) fn tree_changes(
    objects: &mut Objects<'_>,
    rules: &PathRules,
    old: Option<Oid>,
    new: Oid,
) -> Result<Option<TreeChanges>, git2::Error> {
    let mut changes = TreeChanges::default();
    let mut files = 0;
    let mut pending: Vec<(String, Option<Oid>, Option<Oid>)> = vec![(String::new(), old, Some(new))];
    while let Some((folder, old, new)) = pending.pop() {
        let left = old.map(|it| objects.tree(it)).transpose()?;
        let right = new.map(|it| objects.tree(it)).transpose()?;
        let pairs = pairs(
            left.as_deref().unwrap_or_default(),
            right.as_deref().unwrap_or_default(),
        );
        for (before, after) in pairs {
            let Some(entry) = before.or(after) else { continue };
            let ids = |kind: EntryKind| {
                let id = |it: Option<&Entry>| it.filter(|it| it.kind == kind).map(|it| it.id);
                (id(before), id(after))
            };
            let name = String::from_utf8_lossy(&entry.name);
            let (from, to) = ids(EntryKind::Folder);
            if from != to {
                pending.push((format!("{folder}{name}/"), from, to));
            }
            let (old, new) = ids(EntryKind::File);
            if old == new || !is_code(&entry.name) {
                continue;
            }
            files += 1;
            if files > MOST_FILES {
                return Ok(None);
            }
            let path = format!("{folder}{name}");
            if rules.is_java_test(&path) {
                changes.tests.push(ChangedFile { path, old, new });
            } else if !changes.changes_main_code {
                changes.changes_main_code = rules.is_main_code(&path);
            }
        }
    }
    changes.tests.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    Ok(Some(changes))
}

/// Whether a file name ends like a source file of Java, Kotlin, Scala or Groovy.
fn is_code(name: &[u8]) -> bool {
    [&b".java"[..], b".kt", b".scala", b".groovy"]
        .iter()
        .any(|it| name.ends_with(it))
}

/// The entries that differ between two git trees, as pairs of old and new entry with one name. An entry that only one
/// tree has is paired with `None`.
fn pairs<'t>(left: &'t [Entry], right: &'t [Entry]) -> Vec<(Option<&'t Entry>, Option<&'t Entry>)> {
    let mut found = Vec::new();
    let (mut at, mut to) = (0, 0);
    loop {
        match (left.get(at), right.get(to)) {
            (None, None) => return found,
            (Some(before), Some(after)) => match order(before, after) {
                Ordering::Equal => {
                    if before.id != after.id || before.kind != after.kind {
                        found.push((Some(before), Some(after)));
                    }
                    at += 1;
                    to += 1;
                }
                Ordering::Less => {
                    found.push((Some(before), None));
                    at += 1;
                }
                Ordering::Greater => {
                    found.push((None, Some(after)));
                    to += 1;
                }
            },
            (Some(before), None) => {
                found.push((Some(before), None));
                at += 1;
            }
            (None, Some(after)) => {
                found.push((None, Some(after)));
                to += 1;
            }
        }
    }
}

/// Compares two entries by the order that git trees have: a folder is sorted as if its name ended with `/`.
fn order(a: &Entry, b: &Entry) -> Ordering {
    let shared = a.name.len().min(b.name.len());
    let next = |it: &Entry| {
        let end = (it.kind == EntryKind::Folder).then_some(b'/');
        it.name.get(shared).copied().or(end)
    };
    let start = a.name[..shared].cmp(&b.name[..shared]);
    start.then_with(|| next(a).cmp(&next(b)))
}
