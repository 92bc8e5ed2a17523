//! The errors of a bisection: ends that are not what they have to be, and commits that cannot be observed.

use super::repository::GitError;
use crate::confirmation::ConfirmError;
use crate::jvm::JvmError;

/// The reason why a bisection has no result.
#[derive(Debug, thiserror::Error)]
pub enum BisectError {
    /// The good commit is the bad one.
    #[error("{good} is the commit that is checked out; --bisect takes an older commit, at which the test is not flaky")]
    SameCommit {
        /// The revision that the user gave as good.
        good: String,
    },
    /// The good commit is not an ancestor of the bad one.
    #[error(
        "{good} is not an ancestor of HEAD, so the commits between them are not known; {}",
        nearest(base.as_deref())
    )]
    NotAnAncestor {
        /// The revision that the user gave as good.
        good: String,
        /// The line of the best common ancestor of the two commits, if they have one.
        base: Option<String>,
    },
    /// The recorded failure does not occur at the bad end.
    #[error("the recorded failure does not occur at HEAD, {commit}: {seen}; {remedy}")]
    NotReproduced {
        /// The line of the commit at the bad end.
        commit: String,
        /// What was seen of the test at the bad end.
        seen: String,
        /// What the user can do.
        remedy: &'static str,
    },
    /// The test also fails at the good end.
    #[error("the test fails at the good commit too, {commit}: {seen}; choose an older one")]
    GoodFails {
        /// The line of the commit at the good end.
        commit: String,
        /// What was seen of the test at the good end.
        seen: String,
    },
    /// The good end does not tell whether the test is flaky there.
    #[error("the good commit does not tell whether the test passes, {commit}: {seen}; choose another one")]
    GoodUntestable {
        /// The line of the commit at the good end.
        commit: String,
        /// The reason why the good end does not tell.
        seen: String,
    },
    /// A git command failed.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The recorded failure cannot be run at a commit.
    #[error(transparent)]
    Confirm(#[from] ConfirmError),
}

impl From<JvmError> for BisectError {
    fn from(error: JvmError) -> Self {
        Self::Confirm(error.into())
    }
}

impl BisectError {
    /// Whether the user interrupted the bisection.
    #[must_use]
    pub fn is_interrupt(&self) -> bool {
        matches!(
            self,
            Self::Confirm(ConfirmError::Jvm(JvmError::Interrupted)) | Self::Git(GitError::Jvm(JvmError::Interrupted))
        )
    }
}

/// The advice to use the nearest common ancestor of two commits.
fn nearest(base: Option<&str>) -> String {
    match base {
        Some(commit) => format!("their common ancestor is {commit}"),
        None => "they have no common ancestor".to_owned(),
    }
}
