//! The Java files of a folder of the work tree, as they are in a git revision.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use git2::{ErrorCode, ObjectType, Tree};
use peeler_analysis::{Repository, Selection};

use super::read_revision::RevisionFiles;
use super::revision::{content, incomplete, tree_at};

/// The path and content of each Java file below `root`, as it is in a git revision. `present` holds the Java files of
/// the work tree.
pub(crate) fn base_files(root: &Path, revision: &str, present: &Repository) -> anyhow::Result<RevisionFiles> {
    let git = git_around(root)?;
    let folder = git
        .workdir()
        .with_context(|| format!("{} has no work tree; run `--since` in a clone", git.path().display()))?;
    let root = canonical(root)?;
    let inside = root
        .strip_prefix(canonical(folder)?)
        .with_context(|| format!("{} is not in the work tree {}", root.display(), folder.display()))?;
    let tree = tree_at(&git, revision)?;
    let reading = Reading { git: &git, tree: &tree };
    reading
        .java_files(&root, inside, present)
        .with_context(|| incomplete(&git, revision))
}

fn git_around(root: &Path) -> anyhow::Result<git2::Repository> {
    git2::Repository::discover(root).map_err(|error| match error.code() {
        ErrorCode::NotFound => anyhow!(
            "{} is not in a git repository, so there is no revision to compare with; pass a path inside a clone, or \
             omit `--since`",
            root.display()
        ),
        ErrorCode::Owner => anyhow!(
            "the git repository around {} belongs to another user; if you trust it, run `git config --global --add \
             safe.directory` with its folder",
            root.display()
        ),
        _ => anyhow!(
            "cannot open the git repository around {}: {}; does `git status` work there?",
            root.display(),
            error.message()
        ),
    })
}

fn canonical(path: &Path) -> anyhow::Result<PathBuf> {
    let found = path.canonicalize();
    found.with_context(|| format!("cannot find {}; check its permissions", path.display()))
}

/// Reads Java files from the tree of one git revision.
struct Reading<'g> {
    git: &'g git2::Repository,
    tree: &'g Tree<'g>,
}

impl Reading<'_> {
    /// The path and content of each Java file that a scan of `root` would read at one git revision. Paths are relative
    /// to `inside`, the folder of `root` in the work tree.
    fn java_files(&self, root: &Path, inside: &Path, present: &Repository) -> Result<RevisionFiles, git2::Error> {
        let mut found = Vec::new();
        let start = if inside.as_os_str().is_empty() {
            self.tree.id()
        } else {
            match self.tree.get_path(inside) {
                Ok(entry) if entry.kind() == Some(ObjectType::Tree) => entry.id(),
                Ok(entry) => {
                    let name = inside.file_name().unwrap_or_default().to_string_lossy();
                    let content = content(self.git, self.tree, entry.id(), entry.filemode(), inside)?;
                    found.extend(content.map(|it| (name.into_owned(), it)));
                    return Ok(found);
                }
                Err(error) if error.code() == ErrorCode::NotFound => return Ok(found),
                Err(error) => return Err(error),
            }
        };
        let mut selection = Selection::new(root);
        let known = present.files();
        let is_known = |path: &str| known.binary_search_by(|it| it.path().cmp(path)).is_ok();
        let mut pending = vec![(String::new(), start)];
        while let Some((folder, id)) = pending.pop() {
            let tree = self.git.find_tree(id)?;
            for entry in &tree {
                let path = format!("{folder}{}", String::from_utf8_lossy(entry.name_bytes()));
                match entry.kind() {
                    Some(ObjectType::Tree) => pending.push((format!("{path}/"), entry.id())),
                    Some(ObjectType::Blob) if is_known(&path) || selection.takes(&path) => {
                        let content = content(self.git, self.tree, entry.id(), entry.filemode(), &inside.join(&path))?;
                        found.extend(content.map(|it| (path, it)));
                    }
                    _ => {}
                }
            }
        }
        Ok(found)
    }
}
