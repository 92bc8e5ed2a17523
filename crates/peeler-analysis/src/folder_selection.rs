//! Selects the files of a tree that is not on disk, as a walk over its checkout would.
//!
//! [`Repository::open`](crate::Repository::open) walks a folder: no hidden files, no build folders, nothing that an
//! `.ignore` or `.gitignore` file of the tree excludes. A [`FolderSelection`] gives the same answers for the folders of
//! a git tree. The reader of the tree descends from the root, with one selection for every folder.

use std::path::Path;
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::repository::{BUILD_FILES, SKIPPED_FOLDERS};

/// The parts of the content of a folder that decide which of its files and subfolders a scan reads.
#[derive(Debug, Clone, Default)]
pub struct FolderContent {
    /// The text of the folder's `.ignore`, if there is one.
    pub ignore: Option<String>,
    /// The text of the folder's `.gitignore`, if there is one.
    pub gitignore: Option<String>,
    /// Whether the folder contains a file such as `pom.xml`, or is the root of a checkout. Then a folder `target` in it
    /// is build output.
    pub is_built: bool,
}

impl FolderContent {
    /// Whether a file of this name, such as `pom.xml`, shows that a folder such as `target` beside it is build output.
    #[must_use]
    pub fn is_build_file(name: &str) -> bool {
        BUILD_FILES.contains(&name)
    }
}

/// The rules that decide which files and folders of one folder belong to the repository.
#[derive(Debug, Clone)]
pub struct FolderSelection {
    /// The path of the folder, as if the tree were the root of a disk: `/src/test`.
    path: String,
    /// The ignore rules of the folder and of those above it, outermost first.
    levels: Vec<Arc<Rules>>,
    is_built: bool,
}

/// The rules of the `.ignore` and the `.gitignore` of one folder.
#[derive(Debug)]
struct Rules {
    ignore: Gitignore,
    gitignore: Gitignore,
}

impl FolderSelection {
    /// The rules for the files and folders in the root of a git tree.
    #[must_use]
    pub fn root(content: &FolderContent) -> Self {
        Self {
            path: String::new(),
            levels: Vec::new(),
            is_built: true,
        }
        .with(content)
    }

    /// The rules for the files and folders in the subfolder of this name. They include the ignore rules of this folder.
    #[must_use]
    pub fn inside(&self, name: &str, content: &FolderContent) -> Self {
        Self {
            path: self.child(name),
            levels: self.levels.clone(),
            is_built: content.is_built,
        }
        .with(content)
    }

    /// Whether a scan of a checkout enters the subfolder of this name.
    #[must_use]
    pub fn takes_folder(&self, name: &str) -> bool {
        !(self.is_built && SKIPPED_FOLDERS.contains(&name)) && self.is_visible(name, true)
    }

    /// Whether the file of this name is a Java file that a scan of a checkout reads.
    #[must_use]
    pub fn takes_file(&self, name: &str) -> bool {
        Path::new(name).extension().is_some_and(|it| it == "java") && self.is_visible(name, false)
    }

    fn with(mut self, content: &FolderContent) -> Self {
        if content.ignore.is_some() || content.gitignore.is_some() {
            let rules = |text: &Option<String>| rules(&self.path, text.as_deref().unwrap_or_default());
            self.levels.push(Arc::new(Rules {
                ignore: rules(&content.ignore),
                gitignore: rules(&content.gitignore),
            }));
        }
        self
    }

    fn child(&self, name: &str) -> String {
        format!("{}/{name}", self.path)
    }

    /// Whether neither an ignore file nor a dot in front of the name hides a file or folder. An `.ignore` file of any
    /// folder comes before all `.gitignore` files.
    fn is_visible(&self, name: &str, is_folder: bool) -> bool {
        let path = self.child(name);
        let levels = || self.levels.iter().rev();
        let decision = |rules: &Gitignore| match rules.matched(&path, is_folder) {
            Match::None => None,
            Match::Ignore(_) => Some(false),
            Match::Whitelist(_) => Some(true),
        };
        let named = levels()
            .find_map(|it| decision(&it.ignore))
            .or_else(|| levels().find_map(|it| decision(&it.gitignore)));
        named.unwrap_or(!name.starts_with('.'))
    }
}

/// The rules in the text of an ignore file. Lines that are no rule are left out.
fn rules(folder: &str, text: &str) -> Gitignore {
    let root = if folder.is_empty() { "/" } else { folder };
    let mut builder = GitignoreBuilder::new(root);
    for line in text.strip_prefix('\u{feff}').unwrap_or(text).lines() {
        // A line with a syntax error is skipped, as a walk skips it.
        let _ = builder.add_line(None, line);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(gitignore: &str) -> FolderContent {
        FolderContent {
            gitignore: Some(gitignore.to_owned()),
            ..FolderContent::default()
        }
    }

    #[test]
    fn rules_of_a_folder_hold_below_it_and_nearer_ones_win() {
        let root = FolderSelection::root(&content("generated/\n/Old*.java\n*Draft.java\n"));
        assert!(!root.takes_folder("generated") && root.takes_folder("src"));
        assert!(!root.takes_file("OldTest.java") && root.takes_file("NewTest.java"));
        let inside = root.inside("src", &content("!KeptDraft.java\n"));
        assert!(
            inside.takes_file("OldTest.java"),
            "a rule with a slash is about its folder alone"
        );
        assert!(!inside.takes_folder("generated"));
        assert!(!inside.takes_file("ADraft.java") && inside.takes_file("KeptDraft.java"));
    }

    #[test]
    fn hidden_files_are_left_out_unless_a_rule_names_them() {
        let root = FolderSelection::root(&content("!.mvn\n"));
        assert!(!root.takes_folder(".idea") && root.takes_folder(".mvn"));
        assert!(!root.takes_file(".java") && !root.takes_file("A.class") && root.takes_file("A.java"));
    }

    #[test]
    fn a_build_folder_stands_beside_a_build_file_or_at_the_root() {
        let root = FolderSelection::root(&FolderContent::default());
        assert!(!root.takes_folder("target") && root.takes_folder("src"));
        let plain = root.inside("src", &FolderContent::default());
        assert!(plain.takes_folder("target"), "a package may have this name");
        let built = FolderContent {
            is_built: true,
            ..FolderContent::default()
        };
        assert!(!root.inside("module", &built).takes_folder("build"));
    }

    #[test]
    fn an_ignore_file_comes_before_every_gitignore() {
        let both = FolderContent {
            ignore: Some("!A.java\n".to_owned()),
            ..FolderContent::default()
        };
        let inside = FolderSelection::root(&both).inside("src", &content("A.java\nB.java\n"));
        assert!(inside.takes_file("A.java") && !inside.takes_file("B.java"));
    }
}
