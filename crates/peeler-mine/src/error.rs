//! Errors of mining.

use std::path::PathBuf;

/// The reason why a repository cannot be mined.
#[derive(Debug, thiserror::Error)]
pub enum MineError {
    /// There is nothing at the path.
    #[error("no such folder: {}; give a clone of a git repository", .0.display())]
    NoFolder(PathBuf),
    /// The folder is not in a git repository.
    #[error("{} is not in a git repository, so it has no history; give a clone, or a path inside one", .0.display())]
    NoRepository(PathBuf),
    /// The repository belongs to another user.
    #[error(
        "the git repository {} belongs to another user; if you trust it, run `git config --global --add \
         safe.directory` with its folder",
        .0.display()
    )]
    OtherOwner(PathBuf),
    /// The repository cannot be opened for another reason.
    #[error("cannot open the git repository {}: {message}; does `git log` work there?", path.display())]
    Unreadable {
        /// The folder of the repository.
        path: PathBuf,
        /// The message of the git library.
        message: String,
    },
    /// The repository has no commit.
    #[error("the git repository {} has no commit yet, so there is nothing to mine", .0.display())]
    Empty(PathBuf),
    /// The revision does not exist.
    #[error(
        "no revision `{revision}` in {}; `git log` and `git branch --all` list the revisions",
        path.display()
    )]
    NoRevision {
        /// The folder of the repository.
        path: PathBuf,
        /// The revision, as the user gave it.
        revision: String,
    },
    /// The revision names something that has no history.
    #[error("`{revision}` in {} is not a commit; give a commit, branch or tag", path.display())]
    NoCommit {
        /// The folder of the repository.
        path: PathBuf,
        /// The revision, as the user gave it.
        revision: String,
    },
}
