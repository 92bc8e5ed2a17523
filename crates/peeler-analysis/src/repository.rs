//! A repository: the Java files below a folder, read once.
//!
//! The walk respects `.gitignore` files of the repository, but not the user's global one. It skips hidden folders and
//! build folders. It never follows symbolic links to folders, but takes links to regular files. A folder called
//! `handlebars.java` is not a source file. Paths are relative to the root, with `/` between components, and sorted. So
//! everything derived from a repository has the same order in every run.
//!
//! Only this module and `selection.rs` read from the disk.

use std::fs;
use std::io;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::{OnceLock, mpsc};

use ignore::{DirEntry, WalkBuilder, WalkState};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::problem::Problem;
use crate::stable_hash::text_hash;
use crate::threads::on_all_cores;

/// Names of folders that usually hold build output or downloaded dependencies. Such a folder is skipped only if a build
/// file such as `pom.xml` lies beside it.
pub(crate) const SKIPPED_FOLDERS: [&str; 6] = ["target", "build", "out", "bin", "node_modules", "dist"];

/// Names of files and folders that show that a project is built here. A folder beside them with a name such as `target`
/// counts as build output.
pub(crate) const BUILD_FILES: [&str; 6] = [
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "build.xml",
    ".git",
    "package.json",
];

/// The number of files that one thread takes at least when files are decoded in parallel.
const FILES_AT_ONCE: usize = 16;

/// The reason why a repository could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum RepositoryError {
    /// The path does not exist.
    #[error("no such file or folder: {}; give the root of a Java repository", .0.display())]
    Missing(PathBuf),
    /// The folder exists but cannot be listed.
    #[error("cannot read {}: {source}; check its permissions", path.display())]
    Unreadable {
        /// The folder that cannot be listed.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// There is no Java file at this path or below it.
    #[error(
        "no Java files below {}; give the root of a Java repository (ignored and hidden folders are skipped)",
        .0.display()
    )]
    NoJava(PathBuf),
}

/// Identifies a file of a repository by its position in the sorted list of files. Library stubs follow the last file of
/// the repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FileId(pub(crate) u32);

impl FileId {
    /// The identifier of the file at a position in [`Repository::files`](Repository::files).
    ///
    /// # Panics
    ///
    /// When the position does not fit 32 bits; no repository has that many files.
    #[must_use]
    pub fn new(position: usize) -> Self {
        Self(narrow(position))
    }

    /// The position of the file in [`Repository::files`](Repository::files).
    #[must_use]
    pub fn position(self) -> usize {
        self.0 as usize
    }
}

/// One Java file: its path and its decoded text.
#[derive(Debug)]
pub struct SourceFile {
    path: String,
    text: String,
    line_starts: OnceLock<Vec<u32>>,
    digest: u64,
}

impl SourceFile {
    /// The path of the file relative to the repository's root, with `/` between components.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The decoded text of the file, without a byte order mark.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// A hash of the text of the file, the same in every run and on every machine.
    #[must_use]
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// The line, counted from one, of the byte at `offset`.
    #[must_use]
    pub fn line(&self, offset: u32) -> u32 {
        let starts = self.line_starts.get_or_init(|| {
            memchr::memchr_iter(b'\n', self.text.as_bytes())
                .map(|at| narrow(at + 1))
                .collect()
        });
        narrow(starts.partition_point(|&start| start <= offset)) + 1
    }
}

/// The result of reading a file: the file, unless it is unreadable or too large, and the problem if there is one.
struct FileRead {
    file: Option<SourceFile>,
    problem: Option<Problem>,
    /// The size of the file on disk, in bytes.
    bytes: u64,
}

impl FileRead {
    /// Decodes the bytes of a file. A file over 4 GiB is left out, which is reported as a problem.
    fn new(path: String, raw: Vec<u8>) -> Self {
        let bytes = raw.len() as u64;
        if u32::try_from(raw.len()).is_err() {
            return Self {
                bytes,
                ..Self::failed(Problem::file(&path, "is larger than 4 GiB and was left out"))
            };
        }
        let (text, problem) = decode(&path, raw);
        let file = SourceFile {
            path,
            digest: text_hash(&text),
            text,
            line_starts: OnceLock::new(),
        };
        Self {
            file: Some(file),
            problem,
            bytes,
        }
    }

    /// The result for a file that could not be read, with the reason as a problem.
    fn failed(problem: Problem) -> Self {
        Self {
            file: None,
            problem: Some(problem),
            bytes: 0,
        }
    }
}

/// All Java files of one repository.
#[derive(Debug)]
pub struct Repository {
    files: Vec<SourceFile>,
    problems: Vec<Problem>,
    bytes: u64,
}

impl Repository {
    /// Walks `root` and reads every Java file below it (or `root` itself, when it is a file).
    ///
    /// # Errors
    ///
    /// When the path does not exist, cannot be listed or contains no Java file. A single unreadable file is a
    /// [`Problem`] and not an error.
    pub fn open(root: &Path) -> Result<Self, RepositoryError> {
        let metadata = fs::metadata(root).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => RepositoryError::Missing(root.to_owned()),
            _ => RepositoryError::Unreadable {
                path: root.to_owned(),
                source,
            },
        })?;
        if metadata.is_dir() {
            fs::read_dir(root).map_err(|source| RepositoryError::Unreadable {
                path: root.to_owned(),
                source,
            })?;
        }
        let read = java_files(root);
        if read.is_empty() {
            return Err(RepositoryError::NoJava(root.to_owned()));
        }
        Ok(Self::of(read))
    }

    /// A repository of files in memory, each with its relative path and its bytes.
    #[must_use]
    pub fn from_sources(sources: Vec<(String, Vec<u8>)>) -> Self {
        let sources = sources.into_par_iter().with_min_len(FILES_AT_ONCE);
        let read = sources.map(|(path, raw)| FileRead::new(path, raw));
        Self::of(on_all_cores(|| read.collect()))
    }

    /// A repository of files in memory, decoded on the calling thread alone. The thread pool is not used, so this is
    /// safe while holding a lock that threads of the pool may wait for.
    pub(crate) fn from_sources_on_this_thread(sources: impl Iterator<Item = (String, Vec<u8>)>) -> Self {
        Self::of(sources.map(|(path, raw)| FileRead::new(path, raw)).collect())
    }

    /// A repository of the files that were read, with files and problems sorted by path.
    fn of(read: Vec<FileRead>) -> Self {
        let bytes = read.iter().map(|it| it.bytes).sum();
        let (files, problems): (Vec<_>, Vec<_>) = read.into_iter().map(|it| (it.file, it.problem)).unzip();
        let mut files: Vec<SourceFile> = files.into_iter().flatten().collect();
        let mut problems: Vec<Problem> = problems.into_iter().flatten().collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        problems.sort();
        Self { files, problems, bytes }
    }

    /// The Java files of the repository, sorted by path.
    #[must_use]
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// The identifier of the file with this path relative to the root; `None` if there is no such file.
    #[must_use]
    pub fn file_id(&self, path: &str) -> Option<FileId> {
        let position = self.files.binary_search_by(|it| it.path().cmp(path)).ok();
        position.map(FileId::new)
    }

    /// Problems with reading the files of the repository, sorted.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The size of all Java files of the repository on disk, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Converts an offset into a file, or a count, to 32 bits. It always fits, because files over 4 GiB are left out on
/// reading.
pub(crate) fn narrow(value: usize) -> u32 {
    u32::try_from(value).expect("files over 4 GiB are refused on reading")
}

/// Whether a file belongs to tests, by its path: a folder `test`, or a name such as `CartTest.java`.
pub(crate) fn is_test_file(path: &str) -> bool {
    path.split('/')
        .any(|it| it.eq_ignore_ascii_case("test") || it.eq_ignore_ascii_case("tests") || it == "it")
        || path.ends_with("Test.java")
        || path.ends_with("Tests.java")
}

/// The Java files below a folder and the problems with them, in no particular order.
fn java_files(root: &Path) -> Vec<FileRead> {
    let walk = WalkBuilder::new(root)
        .require_git(false)
        // The result must not depend on the settings of one user.
        .git_global(false)
        .filter_entry(|entry| {
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            let name = entry.file_name().to_string_lossy();
            !(is_folder && entry.depth() > 0 && is_build_folder(entry.path(), &name))
        })
        .build_parallel();
    // Each file is read by the thread that finds it, so that reading need not wait for the end of the walk.
    let (send, found) = mpsc::channel();
    walk.run(|| {
        let send = send.clone();
        Box::new(move |entry| {
            let read = match entry {
                Ok(entry) => read_java(root, &entry),
                Err(error) => Some(FileRead::failed(Problem::file(
                    &root.to_string_lossy(),
                    error.to_string(),
                ))),
            };
            read.map_or(WalkState::Continue, |it| match send.send(it) {
                Ok(()) => WalkState::Continue,
                Err(_) => WalkState::Quit,
            })
        })
    });
    drop(send);
    found.into_iter().collect()
}

/// Reads an entry of a folder; `None` if it is not a Java file.
fn read_java(root: &Path, entry: &DirEntry) -> Option<FileRead> {
    let path = entry.path();
    if path.extension().is_none_or(|it| it != "java") {
        return None;
    }
    let kind = entry.file_type()?;
    if !(kind.is_file() || kind.is_symlink() && path.is_file()) {
        return None;
    }
    let relative = relative(root, path);
    Some(match fs::read(path) {
        Ok(bytes) => FileRead::new(relative, bytes),
        Err(error) => FileRead::failed(Problem::file(&relative, format!("cannot be read: {error}"))),
    })
}

/// Whether a folder contains build output. A folder with a name like `target` counts only next to a build file, because
/// a Java package may have the same name.
pub(crate) fn is_build_folder(path: &Path, name: &str) -> bool {
    SKIPPED_FOLDERS.contains(&name)
        && path
            .parent()
            .is_some_and(|parent| BUILD_FILES.iter().any(|file| parent.join(file).exists()))
}

/// A path relative to the root of the repository, with `/` between components.
fn relative(root: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(root).unwrap_or(path);
    let inside = if inside.as_os_str().is_empty() {
        Path::new(path.file_name().unwrap_or(path.as_os_str()))
    } else {
        inside
    };
    let inside = inside.to_string_lossy();
    if MAIN_SEPARATOR == '/' {
        inside.into_owned()
    } else {
        inside.replace(MAIN_SEPARATOR, "/")
    }
}

/// Decodes the bytes of a file as UTF-8, with or without a byte order mark. Other files are decoded as Latin-1, which
/// keeps all bytes and lines. For them, a problem is returned too.
fn decode(path: &str, raw: Vec<u8>) -> (String, Option<Problem>) {
    match String::from_utf8(raw) {
        Ok(text) => match text.strip_prefix('\u{feff}') {
            Some(rest) => (rest.to_owned(), None),
            None => (text, None),
        },
        Err(error) => {
            let problem = Problem::file(path, "is not valid UTF-8 and was read as Latin-1");
            let text = error.into_bytes().into_iter().map(char::from).collect();
            (text, Some(problem))
        }
    }
}
