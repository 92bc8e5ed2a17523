//! The Java files and the settings file of a commit.
//!
//! Invariant: a commit yields the Java files that a scan of its checkout reads, without a checkout on disk.

use std::path::Path;

use anyhow::{Context, anyhow};
use git2::{ErrorCode, ObjectType, Tree};
use peeler_analysis::{FolderContent, FolderSelection};

use super::read_revision::{ReadRevision, RevisionFiles};
use super::revision::{LINK, content, incomplete, object_at, place};

/// The name of the settings file at the root of a revision.
const SETTINGS: &str = "peeler.toml";

/// The commit that a revision of the clone at `path` names, and the path and content of each of its Java files.
pub(crate) fn commit_files(path: &Path, revision: &str) -> anyhow::Result<(ReadRevision, RevisionFiles)> {
    let git = open_git(path)?;
    let object = object_at(&git, revision)?;
    let commit = object.peel_to_commit().with_context(|| {
        format!(
            "`{revision}` in {} is not a commit; pass a commit, branch or tag",
            place(&git)
        )
    })?;
    let tree = commit.tree().with_context(|| incomplete(&git, revision))?;
    let reading = Reading { git: &git, tree: &tree };
    let files = reading.java_files().with_context(|| incomplete(&git, revision))?;
    let settings = reading.settings().with_context(|| incomplete(&git, revision))?;
    let read = ReadRevision {
        commit: commit.id().to_string(),
        settings: settings.map(|text| (format!("{SETTINGS} of {revision} in {}", place(&git)), text)),
    };
    Ok((read, files))
}

fn open_git(path: &Path) -> anyhow::Result<git2::Repository> {
    git2::Repository::open(path).map_err(|error| match error.code() {
        ErrorCode::NotFound if !path.exists() => {
            anyhow!("no such folder: {}; give a clone of a git repository", path.display())
        }
        ErrorCode::NotFound => anyhow!(
            "{} is not a git repository, so it has no revision; give the root of a clone, or omit the revision",
            path.display()
        ),
        ErrorCode::Owner => anyhow!(
            "the git repository {} belongs to another user; if you trust it, run `git config --global --add \
             safe.directory` with its folder",
            path.display()
        ),
        _ => anyhow!(
            "cannot open the git repository {}: {}; does `git -C` with this folder and `status` work?",
            path.display(),
            error.message()
        ),
    })
}

/// Reads the files of one commit.
struct Reading<'g> {
    git: &'g git2::Repository,
    tree: &'g Tree<'g>,
}

impl Reading<'_> {
    /// The paths and contents of the Java files that a scan of a checkout of the commit would read.
    fn java_files(&self) -> Result<RevisionFiles, git2::Error> {
        let mut found = Vec::new();
        let selection = FolderSelection::root(&self.folder_content(self.tree)?);
        let mut pending = vec![(String::new(), self.tree.id(), selection)];
        while let Some((folder, id, selection)) = pending.pop() {
            for entry in &self.git.find_tree(id)? {
                let name = String::from_utf8_lossy(entry.name_bytes());
                let path = format!("{folder}{name}");
                match entry.kind() {
                    Some(ObjectType::Tree) if selection.takes_folder(&name) => {
                        let inner = self.folder_content(&self.git.find_tree(entry.id())?)?;
                        pending.push((format!("{path}/"), entry.id(), selection.inside(&name, &inner)));
                    }
                    Some(ObjectType::Blob) if selection.takes_file(&name) => {
                        let content = content(self.git, self.tree, entry.id(), entry.filemode(), Path::new(&path))?;
                        found.extend(content.map(|it| (path, it)));
                    }
                    _ => {}
                }
            }
        }
        Ok(found)
    }

    /// The ignore files of a folder, and whether it contains a file such as `pom.xml`. They decide which of its files
    /// are read.
    fn folder_content(&self, folder: &Tree<'_>) -> Result<FolderContent, git2::Error> {
        let mut known = FolderContent::default();
        for entry in folder {
            let name = String::from_utf8_lossy(entry.name_bytes());
            let slot = match &*name {
                ".ignore" => &mut known.ignore,
                ".gitignore" => &mut known.gitignore,
                name => {
                    known.is_built |= FolderContent::is_build_file(name);
                    continue;
                }
            };
            if entry.kind() == Some(ObjectType::Blob) && entry.filemode() != LINK {
                let blob = self.git.find_blob(entry.id())?;
                *slot = Some(String::from_utf8_lossy(blob.content()).into_owned());
            }
        }
        Ok(known)
    }

    /// The text of `peeler.toml` at the root of the commit; `None` if the commit has no such file.
    fn settings(&self) -> Result<Option<String>, git2::Error> {
        let Some(entry) = self.tree.get_name(SETTINGS) else {
            return Ok(None);
        };
        if entry.kind() != Some(ObjectType::Blob) {
            return Ok(None);
        }
        let content = content(self.git, self.tree, entry.id(), entry.filemode(), Path::new(SETTINGS))?;
        Ok(content.map(|it| String::from_utf8_lossy(&it).into_owned()))
    }
}
