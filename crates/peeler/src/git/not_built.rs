//! The functions of this folder in a build without the feature `git`, which reads no git repositories.

use std::path::{Path, PathBuf};

use anyhow::bail;
use peeler_analysis::Repository;

use super::read_revision::{ReadRevision, RevisionFiles};
use crate::finding::{Checkout, Scan};

/// The commit that a scan read: not known.
pub(crate) fn of_scan(_: &[PathBuf], _: &Scan) -> Option<Checkout> {
    None
}

/// The commit that is checked out at a folder: not known.
pub(crate) fn head(_: &Path) -> Option<String> {
    None
}

/// Always an error, because no revision can be read.
pub(crate) fn base_files(_: &Path, revision: &str, _: &Repository) -> anyhow::Result<RevisionFiles> {
    unreadable(revision)
}

/// Always an error, because no revision can be read.
pub(crate) fn commit_files(_: &Path, revision: &str) -> anyhow::Result<(ReadRevision, RevisionFiles)> {
    unreadable(revision)
}

fn unreadable<T>(revision: &str) -> anyhow::Result<T> {
    bail!(
        "cannot read the git revision `{revision}`, because this program was built without git; build it with \
         `--features git`"
    )
}
