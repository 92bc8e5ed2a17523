//! All that a scan reads from git repositories, with libgit2: the commit that is checked out, and files of revisions.
//!
//! Without the feature `git` no repository is read: scans have no commit, and options that name a revision are errors.

#[cfg(feature = "git")]
mod base_files;
#[cfg(feature = "git")]
mod checkout;
#[cfg(feature = "git")]
mod commit_files;
#[cfg(not(feature = "git"))]
mod not_built;
mod read_revision;
#[cfg(feature = "git")]
mod revision;

#[cfg(feature = "git")]
pub(crate) use self::{
    base_files::base_files,
    checkout::{head, of_scan},
    commit_files::commit_files,
};
#[cfg(not(feature = "git"))]
pub(crate) use not_built::{base_files, commit_files, head, of_scan};
pub(crate) use read_revision::ReadRevision;
