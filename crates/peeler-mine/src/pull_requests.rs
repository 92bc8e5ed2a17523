//! The commits that brought pull requests into a history, by the numbers in their subjects.

use std::collections::BTreeMap;
use std::path::Path;

use crate::error::MineError;
use crate::history;

/// The commits before and after a change of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergedChange {
    /// The first parent of the commit that brought the change.
    pub before: String,
    /// The commit that brought the change.
    pub after: String,
}

/// The pull requests in the history of `HEAD`, by number. If several commits name one, the oldest counts. Commits
/// without a parent are left out.
///
/// # Errors
///
/// When there is no repository, or when it has no commit.
pub fn pull_requests(path: &Path) -> Result<BTreeMap<u64, MergedChange>, MineError> {
    let repository = history::open(path)?;
    let tip = history::tip(&repository, path, None)?;
    let unreadable = |error: git2::Error| MineError::Unreadable {
        path: path.to_owned(),
        message: error.message().to_owned(),
    };
    let mut walk = repository.revwalk().map_err(unreadable)?;
    walk.set_sorting(git2::Sort::TOPOLOGICAL).map_err(unreadable)?;
    walk.push(tip).map_err(unreadable)?;
    let mut found = BTreeMap::new();
    for id in walk {
        // The history of a shallow clone ends with an error.
        let Some(commit) = id.ok().and_then(|id| repository.find_commit(id).ok()) else {
            break;
        };
        let subject = commit.summary_bytes().map(String::from_utf8_lossy);
        if let (Some(number), Ok(parent)) = (subject.and_then(|it| number(&it)), commit.parent_id(0)) {
            let change = MergedChange {
                before: parent.to_string(),
                after: commit.id().to_string(),
            };
            found.insert(number, change);
        }
    }
    Ok(found)
}

/// The number of the pull request that a commit brought, by the subject of the commit: `Merge pull request #7 from ...`
/// for a merge, `... (#7)` for a squashed one.
fn number(subject: &str) -> Option<u64> {
    let merged = subject.strip_prefix("Merge pull request #");
    let merged = merged.and_then(|it| it.split_whitespace().next());
    let squashed = subject.trim_end().strip_suffix(')');
    let squashed = squashed.and_then(|it| it.rsplit_once("(#")).map(|(_, number)| number);
    merged.or(squashed)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn subjects_name_pull_requests_at_fixed_places() {
        assert_eq!(number("Merge pull request #12 from someone/branch"), Some(12));
        assert_eq!(number("Fix flaky test (#345)"), Some(345));
        assert_eq!(number("Revert \"Fix flaky test (#345)\" (#346)"), Some(346));
        assert_eq!(number("Fix #345"), None);
        assert_eq!(number("Fix (#345) and more"), None);
        assert_eq!(number("Merge branch 'main'"), None);
    }
}
