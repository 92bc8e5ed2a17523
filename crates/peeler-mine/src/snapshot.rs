//! A snapshot of a history: the commit that was the newest of the main line at the start of a day.
//!
//! Invariant: a commit that is not among the ancestors of a snapshot was not known then, whatever its date says.

use std::path::Path;

use git2::Oid;
use rustc_hash::FxHashSet;

use crate::date::start_of;
use crate::error::MineError;
use crate::history;

/// The newest commit of the main line at the start of a day, with all commits that were known then.
#[derive(Debug)]
pub struct Snapshot {
    /// The commit whose files are those of the snapshot.
    pub commit: String,
    ancestors: FxHashSet<Oid>,
}

impl Snapshot {
    /// Whether the snapshot contains a commit: it is that of the snapshot or one of its ancestors.
    #[must_use]
    pub fn contains(&self, commit: &str) -> bool {
        Oid::from_str(commit).is_ok_and(|it| self.ancestors.contains(&it))
    }
}

/// The newest commit before the start of `day` on the line of first parents of a revision, with its ancestors. `None`
/// if the day is not written as `2026-11-17`, or if no commit is older.
///
/// # Errors
///
/// When there is no repository, no commit or no such revision.
pub fn snapshot(path: &Path, revision: Option<&str>, day: &str) -> Result<Option<Snapshot>, MineError> {
    let repository = history::open(path)?;
    let tip = history::tip(&repository, path, revision)?;
    let Some(limit) = start_of(day) else { return Ok(None) };
    let mut next = repository.find_commit(tip).ok();
    while let Some(commit) = next.as_ref().filter(|it| it.time().seconds() >= limit) {
        next = commit.parent(0).ok();
    }
    let Some(commit) = next else { return Ok(None) };
    let known = history::read(&repository, commit.id());
    Ok(Some(Snapshot {
        commit: commit.id().to_string(),
        ancestors: known.commits.iter().map(|it| it.id).collect(),
    }))
}
