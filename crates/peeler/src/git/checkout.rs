//! Reads which commit of a git repository is checked out, and the address of its remote.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::finding::{Checkout, Scan, web_address};
use crate::named_root::base_folder;

/// The maximum number of files that are compared with the commit.
const MOST_FILES: usize = 500;

/// The commit that a scan of these paths read; `None` outside of git or before the first commit.
pub(crate) fn of_scan(paths: &[PathBuf], scan: &Scan) -> Option<Checkout> {
    let base = base_folder(paths);
    // Paths of several repositories have no common commit.
    if !base.join(".git").exists() {
        return None;
    }
    let git = git2::Repository::open(&base).ok()?;
    let commit = git.head().ok()?.peel_to_commit().ok()?.id().to_string();
    let files: BTreeSet<&str> = scan
        .findings
        .iter()
        .map(|it| it.file.as_str())
        .take(MOST_FILES)
        .collect();
    Some(Checkout {
        commit,
        is_changed: is_changed(&git, &files),
        forge: forge(&git),
    })
}

/// The id of the commit that is checked out at a folder; `None` outside of git or before the first commit.
pub(crate) fn head(folder: &Path) -> Option<String> {
    let git = git2::Repository::discover(folder).ok()?;
    Some(git.head().ok()?.peel_to_commit().ok()?.id().to_string())
}

/// Whether one of the files differs from the commit that is checked out.
fn is_changed(git: &git2::Repository, files: &BTreeSet<&str>) -> bool {
    if files.is_empty() {
        return false;
    }
    let mut options = git2::StatusOptions::new();
    options.include_untracked(true).disable_pathspec_match(true);
    for file in files {
        options.pathspec(Path::new(file));
    }
    let statuses = git.statuses(Some(&mut options));
    statuses.is_ok_and(|it| it.iter().any(|it| !it.status().is_ignored()))
}

/// The web address of the remote `origin`, or else of the first remote that has one.
fn forge(git: &git2::Repository) -> Option<String> {
    let address = |name: &str| web_address(git.find_remote(name).ok()?.url().ok()?);
    let others = || {
        let names = git.remotes().ok()?;
        names.iter().flatten().flatten().find_map(address)
    };
    address("origin").or_else(others)
}
