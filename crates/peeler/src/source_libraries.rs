//! Libraries whose sources `peeler pretrain` learns from: folders and source archives.
//!
//! An archive is one library. A folder is one library if it has `.git`, `src` or a Java file directly in it. In any
//! other folder, every archive and every folder with Java is one library, and folders without Java are searched for
//! archives. Archives inside of a library's folder are not read.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use peeler_analysis::{Repository, RepositoryError};
use peeler_features::content_hash;

use crate::source_archive::{self, ArchiveContent, is_archive};

/// One of so many libraries is held out for validation.
const HELD_OUT_OF: usize = 20;

/// A library by the place of its sources.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SourceLibrary {
    /// The name of the archive without version, or of the folder; `owner/name` for a folder `owner+name`.
    pub(crate) name: String,
    /// The archive or folder.
    pub(crate) path: PathBuf,
    pub(crate) kind: LibraryKind,
}

/// The form of a library's sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LibraryKind {
    Archive,
    Folder,
}

/// The sources of a library.
#[derive(Debug)]
pub(crate) struct LibrarySources {
    pub(crate) files: Repository,
    /// The number of Java files that could not be read.
    pub(crate) broken: usize,
    /// The number of Java files that were left out because they are too large.
    pub(crate) too_large: usize,
}

impl SourceLibrary {
    fn archive(path: PathBuf) -> Self {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        Self {
            name: without_version(stem.strip_suffix("-sources").unwrap_or(&stem)).to_owned(),
            path,
            kind: LibraryKind::Archive,
        }
    }

    fn folder(path: PathBuf) -> Self {
        let full = path.canonicalize().unwrap_or_else(|_| path.clone());
        let name = full.file_name().unwrap_or_default().to_string_lossy();
        Self {
            name: name.replacen('+', "/", 1),
            path,
            kind: LibraryKind::Folder,
        }
    }

    /// Checks that the library can be read, which takes little time.
    ///
    /// # Errors
    ///
    /// When it is an archive whose table of contents is damaged or missing.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        if self.kind == LibraryKind::Archive {
            source_archive::open(&self.path).with_context(|| self.corrupted())?;
        }
        Ok(())
    }

    /// Reads the Java files of the library; `None` if it has none.
    pub(crate) fn read(&self) -> anyhow::Result<Option<LibrarySources>> {
        match self.kind {
            LibraryKind::Archive => {
                let ArchiveContent {
                    files,
                    broken,
                    too_large,
                } = source_archive::java_files(&self.path).with_context(|| self.corrupted())?;
                let has_java = !files.is_empty() || broken > 0;
                Ok(has_java.then(|| LibrarySources {
                    files: Repository::from_sources(files),
                    broken,
                    too_large,
                }))
            }
            LibraryKind::Folder => {
                let files = match Repository::open(&self.path) {
                    // All of its Java files are hidden or ignored.
                    Err(RepositoryError::NoJava(_)) => return Ok(None),
                    other => other?,
                };
                Ok(Some(LibrarySources {
                    files,
                    broken: 0,
                    too_large: 0,
                }))
            }
        }
    }

    fn corrupted(&self) -> String {
        format!(
            "{} is corrupted or no archive; download it again, or remove it from the sources",
            self.path.display()
        )
    }
}

/// A name up to the first part that begins with a digit: `guava` for `guava-32.1-jre`.
fn without_version(name: &str) -> &str {
    let is_version = |at: &usize| name[at + 1..].starts_with(|it: char| it.is_ascii_digit());
    let version = name.match_indices('-').map(|(at, _)| at).find(is_version);
    version.map_or(name, |at| &name[..at])
}

/// The libraries that some paths are or contain, sorted by name, each path once.
///
/// # Errors
///
/// When a path does not exist, cannot be read, or contains no library.
pub(crate) fn libraries(paths: &[PathBuf]) -> anyhow::Result<Vec<SourceLibrary>> {
    let mut found = BTreeSet::new();
    for path in paths {
        let mut own = BTreeSet::new();
        if path.is_dir() {
            in_folder(path, &mut own)?;
        } else if is_archive(path) && path.exists() {
            own.insert(SourceLibrary::archive(path.clone()));
        } else {
            bail!(
                "{} is no folder and no archive; give folders with Java sources, or files such as `guava-32-sources.jar`",
                path.display()
            );
        }
        if own.is_empty() {
            bail!(
                "{} contains neither Java files nor archives; give folders with Java sources or `*-sources.jar` files",
                path.display()
            );
        }
        found.append(&mut own);
    }
    Ok(found.into_iter().collect())
}

fn in_folder(folder: &Path, found: &mut BTreeSet<SourceLibrary>) -> anyhow::Result<()> {
    let entries = entries(folder)?;
    let is_library = entries
        .iter()
        .any(|it| it.file_name() == ".git" || it.file_name() == "src" || is_java(it));
    if is_library {
        found.insert(SourceLibrary::folder(folder.to_owned()));
        return Ok(());
    }
    for entry in entries {
        let path = entry.path();
        if path.is_dir() {
            if contains_java(&path) {
                found.insert(SourceLibrary::folder(path));
            } else {
                archives_in(&path, found)?;
            }
        } else if is_archive(&path) {
            found.insert(SourceLibrary::archive(path));
        }
    }
    Ok(())
}

fn archives_in(folder: &Path, found: &mut BTreeSet<SourceLibrary>) -> anyhow::Result<()> {
    for entry in entries(folder)? {
        let path = entry.path();
        if is_real_folder(&entry) {
            archives_in(&path, found)?;
        } else if is_archive(&path) {
            found.insert(SourceLibrary::archive(path));
        }
    }
    Ok(())
}

/// Whether there is a Java file below a folder. Hidden folders and links to folders are not searched.
fn contains_java(folder: &Path) -> bool {
    let entries = entries(folder).unwrap_or_default();
    entries.iter().any(is_java)
        || entries
            .iter()
            .filter(|it| is_real_folder(it))
            .any(|it| contains_java(&it.path()))
}

fn entries(folder: &Path) -> anyhow::Result<Vec<DirEntry>> {
    let unreadable = || format!("cannot read {}; check its permissions", folder.display());
    let entries: Result<Vec<DirEntry>, _> = fs::read_dir(folder).with_context(unreadable)?.collect();
    entries.with_context(unreadable)
}

fn is_java(entry: &DirEntry) -> bool {
    entry.path().extension().is_some_and(|it| it == "java") && entry.path().is_file()
}

/// Whether an entry is a folder that is neither hidden nor a link.
fn is_real_folder(entry: &DirEntry) -> bool {
    let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
    !is_hidden && entry.file_type().is_ok_and(|it| it.is_dir())
}

/// For each library, whether it is held out for validation. Libraries with one name are held out together.
///
/// One name of twenty is held out, and at least one if there are two. The hash of seed and name decides which.
pub(crate) fn held_out(names: &[String], seed: u64) -> Vec<bool> {
    let distinct: BTreeSet<&String> = names.iter().collect();
    let count = match distinct.len() {
        0 | 1 => 0,
        more => (more / HELD_OUT_OF).max(1),
    };
    let mut drawn: Vec<&String> = distinct.into_iter().collect();
    drawn.sort_by_key(|it| Reverse(content_hash(format!("{seed}/{it}").as_bytes())));
    drawn.truncate(count);
    names.iter().map(|it| drawn.contains(&it)).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{held_out, libraries, without_version};

    fn write(root: &Path, path: &str) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, "").expect("a file");
    }

    fn found(root: &Path) -> Vec<String> {
        let found = libraries(&[root.to_owned()]).expect("libraries");
        found
            .into_iter()
            .map(|it| format!("{:?} {}", it.kind, it.name))
            .collect()
    }

    #[test]
    fn archives_and_folders_with_java_are_libraries() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        write(root, "cart-1.2.jar");
        write(root, "acme+shop/main/A.java");
        write(root, "acme+shop/gradle-wrapper.jar");
        write(root, "repository/com/acme/order-core-3-jre-sources.jar");
        write(root, "notes/README");
        assert_eq!(found(root), ["Folder acme/shop", "Archive cart", "Archive order-core"]);
        write(root, "src/B.java");
        let name = root.file_name().expect("a name").to_string_lossy().into_owned();
        assert_eq!(found(root), [format!("Folder {name}")]);
    }

    #[test]
    fn a_folder_without_sources_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let refused = libraries(&[folder.path().to_owned()]).expect_err("nothing there");
        assert!(
            refused.to_string().contains("neither Java files nor archives"),
            "{refused}"
        );
        let missing = libraries(&[folder.path().join("none.jar")]).expect_err("no file");
        assert!(missing.to_string().contains("none.jar"), "{missing}");
    }

    #[test]
    fn versions_are_no_part_of_a_name() {
        let names = ["guava-32.1-jre", "log4j-over-slf4j-1.7", "junit4", "a-"].map(without_version);
        assert_eq!(names, ["guava", "log4j-over-slf4j", "junit4", "a-"]);
    }

    #[test]
    fn one_of_twenty_names_is_held_out_and_at_least_one_of_two() {
        let names: Vec<String> = (0..60).map(|it| format!("l{}", it % 40)).collect();
        let chosen = held_out(&names, 1);
        let held: Vec<&String> = names.iter().zip(&chosen).filter(|it| *it.1).map(|it| it.0).collect();
        assert!((2..=4).contains(&held.len()), "{held:?}");
        assert!(
            (0..20).all(|it| chosen[it] == chosen[it + 40]),
            "both libraries of a name"
        );
        assert_ne!(chosen, held_out(&names, 2));
        assert_eq!(held_out(&names[..2], 1).iter().filter(|it| **it).count(), 1);
        assert_eq!(held_out(&names[..1], 1), [false]);
    }
}
