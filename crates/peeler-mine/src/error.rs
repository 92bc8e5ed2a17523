//! Errors when a git history is searched for flaky tests.

use std::path::PathBuf;

/// The reason why the history of a git repository cannot be searched for flaky tests.
#[derive(Debug, thiserror::Error)]
pub enum MineError {
    /// There is no file or folder at the path that the user gave.
    #[error("no such folder: {}; give a clone of a git repository", .0.display())]
    NoFolder(PathBuf),
    /// The path that the user gave is not inside a git repository.
    #[error("{} is not in a git repository, so it has no history; give a clone, or a path inside one", .0.display())]
    NoRepository(PathBuf),
    /// The git repository belongs to another user of the machine, so git refuses to open it.
    #[error(
        "the git repository {} belongs to another user; if you trust it, run `git config --global --add \
         safe.directory` with its folder",
        .0.display()
    )]
    OtherOwner(PathBuf),
    /// The git repository cannot be opened or read, for example because it is damaged.
    #[error("cannot open the git repository {}: {message}; does `git log` work there?", path.display())]
    Unreadable {
        /// The folder of the repository.
        path: PathBuf,
        /// The message of the git library.
        message: String,
    },
    /// The git repository has no commit.
    #[error("the git repository {} has no commit yet, so there is nothing to mine", .0.display())]
    Empty(PathBuf),
    /// The revision that the user gave does not exist in the git repository.
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
    /// The revision that the user gave names no commit, but a file or folder, for example.
    #[error("`{revision}` in {} is not a commit; give a commit, branch or tag", path.display())]
    NoCommit {
        /// The folder of the repository.
        path: PathBuf,
        /// The revision, as the user gave it.
        revision: String,
    },
}
