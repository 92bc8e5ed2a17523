//! The scanned roots with the folders that their files start with in a report.
//!
//! ```text
//! ~/shop/.git, ~/shop/orders     peeler scan orders       orders/src/test/java/OrderTest.java
//!                                cd orders; peeler scan   orders/src/test/java/OrderTest.java
//! ```
//!
//! Files are relative to the root of the git repository. Outside of git, and for roots of several git repositories,
//! they are relative to the working directory. A single root outside of both is the folder that its files are relative
//! to.

use std::path::{Component, Path, PathBuf};

/// A scanned path, and the folders that its files start with in a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedRoot {
    /// The scanned path, as the command line gave it.
    pub(crate) path: PathBuf,
    /// The prefix of every file of the root in a report: empty, or folders with a `/` at the end.
    pub(crate) prefix: String,
}

impl NamedRoot {
    /// A root whose files are relative to the root itself.
    pub(crate) fn plain(path: PathBuf) -> Self {
        Self {
            path,
            prefix: String::new(),
        }
    }

    /// The scanned paths with the prefixes of their files.
    pub(crate) fn all(paths: &[PathBuf]) -> Vec<Self> {
        let base = common_git_root(paths);
        let prefix = |path: &PathBuf| match &base {
            Some(base) => below(base, path),
            None if paths.len() == 1 && is_elsewhere(path) => String::new(),
            None => from_here(path),
        };
        let named = |path: &PathBuf| Self {
            path: path.clone(),
            prefix: prefix(path),
        };
        paths.iter().map(named).collect()
    }
}

/// The folder on disk that the files of a report about these roots are relative to.
pub(crate) fn base_folder(paths: &[PathBuf]) -> PathBuf {
    match (common_git_root(paths), paths) {
        (Some(base), _) => base,
        (None, [path]) if is_elsewhere(path) => folder_of(path),
        (None, _) => PathBuf::from("."),
    }
}

/// The root folder of the git repository that contains all of the paths; `None` if there is no such repository.
fn common_git_root(paths: &[PathBuf]) -> Option<PathBuf> {
    let mut roots = paths.iter().map(|it| git_root(it));
    let first = roots.next()??;
    roots.all(|it| it.as_ref() == Some(&first)).then_some(first)
}

/// The root folder of the git repository around a path; `None` outside of git.
fn git_root(path: &Path) -> Option<PathBuf> {
    let folder = folder_of(path).canonicalize().ok()?;
    // A worktree and a submodule have a file `.git` instead of a folder.
    let root = folder.ancestors().find(|it| it.join(".git").exists())?;
    Some(root.to_owned())
}

/// The folder of a scanned path: the path itself, or the folder around a single file.
fn folder_of(path: &Path) -> PathBuf {
    let folder = if path.is_file() {
        path.parent().unwrap_or(Path::new(""))
    } else {
        path
    };
    if folder.as_os_str().is_empty() {
        PathBuf::from(".")
    } else {
        folder.to_owned()
    }
}

/// Whether an absolute path is outside of the working directory.
fn is_elsewhere(path: &Path) -> bool {
    let here = std::env::current_dir()
        .and_then(|it| it.canonicalize())
        .unwrap_or_default();
    let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    path.is_absolute() && !place.starts_with(here)
}

/// The folders from the root of a git repository down to a path.
fn below(base: &Path, path: &Path) -> String {
    let place = folder_of(path).canonicalize().unwrap_or_default();
    written(place.strip_prefix(base).unwrap_or(Path::new("")))
}

/// The folders from the working directory to a path. They are absolute if the path is and lies elsewhere.
fn from_here(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let folder = folder_of(path);
    written(folder.strip_prefix(&here).unwrap_or(&folder))
}

/// A path as the prefix of files, with `/` between folders and at the end.
fn written(path: &Path) -> String {
    let mut prefix = String::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::RootDir => prefix.push('/'),
            other => {
                prefix.push_str(&other.as_os_str().to_string_lossy());
                prefix.push('/');
            }
        }
    }
    prefix
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_is_written_as_it_is_reached_from_here() {
        let here = std::env::current_dir().unwrap();
        for (root, expected) in [
            (".", ""),
            ("a", "a/"),
            ("./a/b/", "a/b/"),
            ("../no such folder", "../no such folder/"),
            ("/nowhere/a", "/nowhere/a/"),
            (here.join("a").to_str().unwrap(), "a/"),
        ] {
            assert_eq!(from_here(Path::new(root)), expected, "{root}");
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        let around = format!("{}/", file.path().parent().unwrap().display());
        assert_eq!(from_here(file.path()), around, "a file stands in its folder");
    }

    #[test]
    fn paths_of_one_git_repository_are_relative_to_its_root() {
        let folder = tempfile::tempdir().unwrap();
        let inside = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(inside("shop/.git")).unwrap();
        std::fs::create_dir_all(inside("shop/orders/api")).unwrap();
        std::fs::create_dir_all(inside("other/.git")).unwrap();
        std::fs::write(inside("shop/orders/ATest.java"), "class ATest {}").unwrap();
        let prefixes = |names: &[&str]| -> Vec<String> {
            let paths: Vec<PathBuf> = names.iter().map(|it| inside(it)).collect();
            NamedRoot::all(&paths).into_iter().map(|it| it.prefix).collect()
        };
        assert_eq!(prefixes(&["shop"]), [""]);
        assert_eq!(prefixes(&["shop/orders/api"]), ["orders/api/"]);
        assert_eq!(prefixes(&["shop/orders/ATest.java"]), ["orders/"]);
        let several = prefixes(&["shop/orders", "other"]);
        assert!(several[0].ends_with("/shop/orders/"), "{several:?}");
        assert_eq!(
            prefixes(&["nowhere"]),
            [""],
            "a root outside of git and of the working directory"
        );
    }
}
