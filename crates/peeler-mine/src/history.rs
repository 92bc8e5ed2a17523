//! The history of a repository: a revision and all its ancestors, parents before children.
//!
//! Invariant: the order depends on the commits alone. Where a parent is missing the history is cut, and the cut is
//! counted.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::Path;

use git2::{ErrorCode, Oid, Repository};
use rustc_hash::FxHashMap;

use crate::error::MineError;

/// The mined revision or one of its ancestors.
#[derive(Debug, Clone)]
pub(crate) struct HistoryCommit {
    pub(crate) id: Oid,
    /// The first parent of the commit. `None` for a first commit, or if the clone does not contain the parent.
    pub(crate) parent: Option<Oid>,
    pub(crate) parents: usize,
    /// The committer date of the commit, in seconds since 1970.
    pub(crate) seconds: i64,
}

/// A revision and all its ancestors.
#[derive(Debug)]
pub(crate) struct History {
    /// The revision and its ancestors, parents before children. Of the commits whose parents are already listed, the
    /// oldest comes next.
    pub(crate) commits: Vec<HistoryCommit>,
    /// The number of commits that are parents of others but missing in the clone; 0 if the clone is shallow.
    pub(crate) missing: usize,
}

/// Opens the git repository whose folder is `path` or contains `path`.
pub(crate) fn open(path: &Path) -> Result<Repository, MineError> {
    if !path.exists() {
        return Err(MineError::NoFolder(path.to_owned()));
    }
    Repository::discover(path).map_err(|error| match error.code() {
        ErrorCode::NotFound => MineError::NoRepository(path.to_owned()),
        ErrorCode::Owner => MineError::OtherOwner(path.to_owned()),
        _ => MineError::Unreadable {
            path: path.to_owned(),
            message: error.message().to_owned(),
        },
    })
}

/// The commit that a branch, tag or commit id names; that of `HEAD` if `revision` is `None`.
pub(crate) fn tip(repository: &Repository, path: &Path, revision: Option<&str>) -> Result<Oid, MineError> {
    let Some(revision) = revision else {
        return repository
            .head()
            .and_then(|it| it.peel_to_commit())
            .map(|it| it.id())
            .map_err(|error| match error.code() {
                ErrorCode::UnbornBranch | ErrorCode::NotFound => MineError::Empty(path.to_owned()),
                _ => unreadable(path, &error),
            });
    };
    let object = repository
        .revparse_single(revision)
        .map_err(|_| MineError::NoRevision {
            path: path.to_owned(),
            revision: revision.to_owned(),
        })?;
    let commit = object.peel_to_commit().map_err(|_| MineError::NoCommit {
        path: path.to_owned(),
        revision: revision.to_owned(),
    })?;
    Ok(commit.id())
}

fn unreadable(path: &Path, error: &git2::Error) -> MineError {
    MineError::Unreadable {
        path: path.to_owned(),
        message: error.message().to_owned(),
    }
}

/// Reads a commit and all its ancestors. Ancestors that the clone does not contain are counted.
pub(crate) fn read(repository: &Repository, tip: Oid) -> History {
    let mut found: Vec<(HistoryCommit, Vec<Oid>)> = Vec::new();
    let mut position: FxHashMap<Oid, Option<usize>> = FxHashMap::default();
    let mut missing = 0;
    let mut pending = vec![tip];
    while let Some(id) = pending.pop() {
        if position.contains_key(&id) {
            continue;
        }
        let Ok(commit) = repository.find_commit(id) else {
            missing += 1;
            position.insert(id, None);
            continue;
        };
        let parents: Vec<Oid> = commit.parent_ids().collect();
        pending.extend(&parents);
        position.insert(id, Some(found.len()));
        let entry = HistoryCommit {
            id,
            parent: parents.first().copied(),
            parents: parents.len(),
            seconds: commit.time().seconds(),
        };
        found.push((entry, parents));
    }
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); found.len()];
    let mut waiting = vec![0_usize; found.len()];
    for (at, (commit, parents)) in found.iter_mut().enumerate() {
        for parent in parents.iter() {
            if let Some(Some(parent)) = position.get(parent) {
                children[*parent].push(at);
                waiting[at] += 1;
            }
        }
        commit.parent = commit.parent.filter(|it| position.get(it).is_some_and(Option::is_some));
    }
    let key = |at: usize| Reverse((found[at].0.seconds, found[at].0.id, at));
    let mut ready: BinaryHeap<_> = (0..found.len()).filter(|at| waiting[*at] == 0).map(key).collect();
    let mut order = Vec::with_capacity(found.len());
    while let Some(Reverse((_, _, at))) = ready.pop() {
        order.push(at);
        for child in &children[at] {
            waiting[*child] -= 1;
            if waiting[*child] == 0 {
                ready.push(key(*child));
            }
        }
    }
    History {
        commits: order.into_iter().map(|at| found[at].0.clone()).collect(),
        missing: if repository.is_shallow() { 0 } else { missing },
    }
}

/// The name of a repository: `owner/name` of its remote, or the name of its folder.
pub(crate) fn name(repository: &Repository) -> String {
    let url = repository
        .find_remote("origin")
        .ok()
        .and_then(|it| it.url().ok().map(str::to_owned));
    let parts = |text: &str| -> Vec<String> {
        let text = text.trim_end_matches('/').trim_end_matches(".git");
        text.split(['/', ':'])
            .filter(|it| !it.is_empty())
            .map(str::to_owned)
            .collect()
    };
    if let Some(url) = url.filter(|it| it.contains("://") || it.contains('@')) {
        let parts = parts(&url);
        return parts[parts.len().saturating_sub(2)..].join("/");
    }
    let folder = repository.workdir().unwrap_or_else(|| repository.path());
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    folder.file_name().map_or_else(String::new, |it| {
        it.to_string_lossy().trim_end_matches(".git").to_owned()
    })
}
