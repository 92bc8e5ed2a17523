//! Decides which files of another git revision belong to the repository, by the rules that hold for a folder.
//!
//! [`Repository::open`](crate::Repository::open) walks a folder as it is now. The files of another revision are
//! selected by the same rules: no hidden files, no build folders, no files that the current ignore files exclude. A
//! file that is both tracked and ignored is therefore missing in both states.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::repository::is_build_folder;

/// The rules that decide whether a Java file below one folder belongs to the repository: ignore files, hidden files,
/// build folders.
pub struct Selection {
    root: PathBuf,
    /// The root of the repository and its parent folders up to the one with `.git`, outermost first. The ignore files
    /// of all these folders apply to the files below the root.
    above: Vec<PathBuf>,
    /// For each folder, the rules of its `.ignore` and `.gitignore` files.
    rules: HashMap<PathBuf, [Gitignore; 2]>,
    /// The rules of `.git/info/exclude`, which apply where no ignore file mentions a path.
    outer: Gitignore,
}

impl Selection {
    /// The rules that decide whether a Java file below `root` belongs to the repository.
    #[must_use]
    pub fn new(root: &Path) -> Self {
        let root = std::path::absolute(root).unwrap_or_else(|_| root.to_owned());
        let mut above = Vec::new();
        let mut top = root.clone();
        for folder in root.ancestors() {
            above.push(folder.to_owned());
            if folder.join(".git").exists() {
                folder.clone_into(&mut top);
                break;
            }
        }
        above.reverse();
        let mut exclude = GitignoreBuilder::new(&top);
        exclude.add(top.join(".git/info/exclude"));
        Self {
            root,
            above,
            rules: HashMap::new(),
            outer: exclude.build().unwrap_or_else(|_| Gitignore::empty()),
        }
    }

    /// Whether a file belongs to the repository: a Java file that is neither ignored nor hidden nor in a build folder.
    /// The path `relative` is relative to the root of the repository.
    pub fn takes(&mut self, relative: &str) -> bool {
        if Path::new(relative).extension().is_none_or(|it| it != "java") {
            return false;
        }
        let mut path = self.root.clone();
        let mut folders = self.above.clone();
        let mut parts = relative.split('/').peekable();
        while let Some(part) = parts.next() {
            path.push(part);
            let is_folder = parts.peek().is_some();
            let is_build = is_folder && is_build_folder(&path, part);
            if part.starts_with('.') || is_build || self.is_ignored(&folders, &path, is_folder) {
                return false;
            }
            folders.push(path.clone());
        }
        true
    }

    /// Whether ignore files exclude a file or folder. Of the `folders` around it, the innermost whose rules mention it
    /// decides.
    fn is_ignored(&mut self, folders: &[PathBuf], path: &Path, is_folder: bool) -> bool {
        for folder in folders.iter().rev() {
            let rules = self.rules.entry(folder.clone()).or_insert_with(|| {
                [".ignore", ".gitignore"].map(|name| {
                    let file = folder.join(name);
                    if file.is_file() {
                        Gitignore::new(file).0
                    } else {
                        Gitignore::empty()
                    }
                })
            });
            if let Some(ignored) = rules.iter().find_map(|it| decision(it, path, is_folder)) {
                return ignored;
            }
        }
        decision(&self.outer, path, is_folder).unwrap_or(false)
    }
}

/// Whether the rules of an ignore file exclude a path; `None` if they do not mention it.
fn decision(rules: &Gitignore, path: &Path, is_folder: bool) -> Option<bool> {
    match rules.matched(path, is_folder) {
        Match::None => None,
        Match::Ignore(_) => Some(true),
        Match::Whitelist(_) => Some(false),
    }
}
