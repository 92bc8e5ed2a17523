//! Files of a git revision, read with libgit2 and without a checkout.
//!
//! Invariant: a link leads to a file of the same revision or to nothing.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, anyhow};
use git2::{ErrorCode, ObjectType, Oid, Tree};

/// The mode of symbolic links in git's trees.
pub(super) const LINK: i32 = 0o120_000;
/// The maximum number of links on the way to a file, as in Linux.
const MOST_LINKS: usize = 40;

/// The folder of a git repository, for messages.
pub(super) fn place(git: &git2::Repository) -> String {
    git.workdir().unwrap_or_else(|| git.path()).display().to_string()
}

/// The git object that a revision names, such as the commit of `HEAD~1`.
pub(super) fn object_at<'g>(git: &'g git2::Repository, revision: &str) -> anyhow::Result<git2::Object<'g>> {
    let place = place(git);
    git.revparse_single(revision).map_err(|error| match error.code() {
        ErrorCode::NotFound if git.is_shallow() => anyhow!(
            "no revision `{revision}` in {place}, which is a shallow clone; fetch the whole history with `git fetch \
             --unshallow`"
        ),
        ErrorCode::NotFound => anyhow!(
            "no revision `{revision}` in {place}; `git log` and `git branch --all` list the revisions, and `git \
             fetch` gets those of a remote"
        ),
        _ => anyhow!(
            "`{revision}` is not a revision of {place}: {}; pass one commit, branch or tag",
            error.message()
        ),
    })
}

/// The root folder, as a git tree, of the commit that a revision such as `main` names.
pub(super) fn tree_at<'g>(git: &'g git2::Repository, revision: &str) -> anyhow::Result<Tree<'g>> {
    let tree = object_at(git, revision)?.peel_to_tree();
    tree.with_context(|| {
        format!(
            "`{revision}` in {} is not a commit; pass a commit, branch or tag",
            place(git)
        )
    })
}

/// The error message for a revision whose files cannot be read, as in a partial clone.
pub(super) fn incomplete(git: &git2::Repository, revision: &str) -> String {
    format!(
        "cannot read the files of `{revision}` in {}; complete a partial clone with `git fetch --refetch`",
        place(git)
    )
}

/// The content of a file of a tree, or of the file that a link leads to inside the tree. `path` is relative to the
/// root of the tree. `None` for a link that leads nowhere or to a folder.
pub(super) fn content(
    git: &git2::Repository,
    tree: &Tree<'_>,
    id: Oid,
    mode: i32,
    path: &Path,
) -> Result<Option<Vec<u8>>, git2::Error> {
    let id = if mode == LINK {
        match linked(git, tree, path)? {
            Some(id) => id,
            None => return Ok(None),
        }
    } else {
        id
    };
    Ok(Some(git.find_blob(id)?.content().to_owned()))
}

/// The id of the file that a path with symbolic links leads to inside a tree. `None` if it leads to no file of the
/// tree, or through more than [`MOST_LINKS`] links.
fn linked(git: &git2::Repository, tree: &Tree<'_>, path: &Path) -> Result<Option<Oid>, git2::Error> {
    let mut ahead: VecDeque<OsString> = names(path).unwrap_or_default();
    let mut reached = PathBuf::new();
    let mut links = 0;
    while let Some(name) = ahead.pop_front() {
        if name == OsStr::new("..") {
            if !reached.pop() {
                return Ok(None);
            }
            continue;
        }
        let next = reached.join(&name);
        let entry = match tree.get_path(&next) {
            Ok(entry) => entry,
            Err(error) if error.code() == ErrorCode::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        match entry.kind() {
            Some(ObjectType::Tree) => reached = next,
            Some(ObjectType::Blob) if entry.filemode() == LINK => {
                links += 1;
                let blob = git.find_blob(entry.id())?;
                let to = std::str::from_utf8(blob.content()).ok().map(Path::new);
                let Some(mut way) = to.and_then(names).filter(|_| links <= MOST_LINKS) else {
                    return Ok(None);
                };
                way.append(&mut ahead);
                ahead = way;
            }
            Some(ObjectType::Blob) if ahead.is_empty() => return Ok(Some(entry.id())),
            _ => return Ok(None),
        }
    }
    Ok(None)
}

/// The names in a relative path, with `..` for parent folders; `None` for an absolute path.
fn names(path: &Path) -> Option<VecDeque<OsString>> {
    let mut names = VecDeque::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => names.push_back("..".into()),
            Component::Normal(name) => names.push_back(name.to_owned()),
            _ => return None,
        }
    }
    Some(names)
}
