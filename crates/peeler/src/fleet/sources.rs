//! The files of one repository of a fleet: those of a folder, or those of a git revision.
//!
//! Invariant: a revision yields the Java files that a scan of its checkout reads, without a checkout on disk.

use std::path::Path;

use peeler_analysis::{Repository, RepositoryError};

use super::list::Entry;
use crate::git::{self, ReadRevision};

/// The Java files of a repository, and the git commit from which they were read, if any.
pub(crate) struct Sources {
    /// The Java files; `None` if there are none.
    pub(crate) repository: Option<Repository>,
    /// The commit that was read, with its settings file; `None` for the files of a folder.
    pub(crate) revision: Option<ReadRevision>,
}

impl Sources {
    /// Reads the Java files of a repository, from its folder or from a git revision.
    pub(crate) fn open(entry: &Entry) -> anyhow::Result<Self> {
        let path = Path::new(&entry.path);
        match &entry.revision {
            Some(revision) => Self::of_revision(path, revision),
            None if is_bare(path) => Self::of_revision(path, "HEAD"),
            None => match Repository::open(path) {
                Ok(repository) => Ok(Self {
                    repository: Some(repository),
                    revision: None,
                }),
                Err(RepositoryError::NoJava(_)) => Ok(Self {
                    repository: None,
                    revision: None,
                }),
                Err(error) => Err(error.into()),
            },
        }
    }

    fn of_revision(path: &Path, revision: &str) -> anyhow::Result<Self> {
        let (revision, files) = git::commit_files(path, revision)?;
        Ok(Self {
            repository: (!files.is_empty()).then(|| Repository::from_sources(files)),
            revision: Some(revision),
        })
    }
}

/// Whether a folder looks like a bare clone.
fn is_bare(path: &Path) -> bool {
    path.join("HEAD").is_file() && path.join("objects").is_dir() && path.join("refs").is_dir()
}
