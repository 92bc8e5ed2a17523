//! A repository: the Java files below a folder, read once.
//!
//! Walking respects `.gitignore`, skips hidden and build folders, never follows symbolic links to
//! folders (so loops are harmless) and takes only regular files: a folder called
//! `handlebars.java` is not a source file. Paths are kept relative to the root with `/` between
//! components and sorted, so everything derived from a repository has the same order every run.
//!
//! This module does IO and nothing else of the crate does.

use std::fs;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use ignore::WalkBuilder;
use rayon::prelude::*;
use rustc_hash::FxHasher;

use crate::problem::Problem;

/// Folders that hold build products or other people's code, never the sources of the repository.
const SKIPPED_FOLDERS: [&str; 6] = ["target", "build", "out", "bin", "node_modules", "dist"];

/// Why a repository could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum RepositoryError {
    /// Nothing is there.
    #[error("no such file or folder: {}; give the root of a Java repository", .0.display())]
    Missing(PathBuf),
    /// The folder exists but cannot be listed.
    #[error("cannot read {}: {source}; check its permissions", path.display())]
    Unreadable {
        /// The folder.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The folder holds no Java source.
    #[error("no Java files below {}; give the root of a Java repository (ignored and hidden folders are skipped)", .0.display())]
    NoJava(PathBuf),
}

/// One Java file, decoded.
#[derive(Debug)]
pub struct SourceFile {
    path: String,
    text: String,
    line_starts: OnceLock<Vec<u32>>,
}

impl SourceFile {
    /// The path relative to the repository's root, with `/` between components.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The decoded text, without a byte order mark.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Equal for equal texts, in every run of the program.
    #[must_use]
    pub fn digest(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.text.hash(&mut hasher);
        hasher.finish()
    }

    /// The line, counted from one, that holds the byte at `offset`.
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

/// All Java sources of one repository.
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
    /// When the path does not exist, cannot be listed or holds no Java file. A single unreadable
    /// file is a problem beside the others, not an error.
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
        let (paths, mut problems) = java_files(root);
        let read: Vec<_> = paths
            .into_par_iter()
            .map(|(relative, absolute)| match fs::read(&absolute) {
                Ok(bytes) => Ok((relative, bytes)),
                Err(error) => Err(Problem::file(&relative, format!("cannot be read: {error}"))),
            })
            .collect();
        let mut sources = Vec::with_capacity(read.len());
        for outcome in read {
            match outcome {
                Ok(source) => sources.push(source),
                Err(problem) => problems.push(problem),
            }
        }
        if sources.is_empty() && problems.is_empty() {
            return Err(RepositoryError::NoJava(root.to_owned()));
        }
        let mut repository = Self::from_sources(sources);
        repository.problems.append(&mut problems);
        repository.problems.sort();
        Ok(repository)
    }

    /// A repository from texts in memory: `(relative path, bytes)`.
    #[must_use]
    pub fn from_sources(mut sources: Vec<(String, Vec<u8>)>) -> Self {
        sources.sort_by(|a, b| a.0.cmp(&b.0));
        let mut problems = Vec::new();
        let mut bytes = 0;
        let mut files = Vec::with_capacity(sources.len());
        for (path, raw) in sources {
            bytes += raw.len() as u64;
            if u32::try_from(raw.len()).is_err() {
                problems.push(Problem::file(&path, "is larger than 4 GiB and was left out"));
                continue;
            }
            files.push(SourceFile {
                text: decode(&path, raw, &mut problems),
                path,
                line_starts: OnceLock::new(),
            });
        }
        Self { files, problems, bytes }
    }

    /// The files, sorted by path.
    #[must_use]
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// What went wrong while reading, sorted.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The size of all files as they lie on disk.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Offsets and counts fit 32 bits because larger files are refused on reading.
pub(crate) fn narrow(value: usize) -> u32 {
    u32::try_from(value).expect("files over 4 GiB are refused on reading")
}

fn java_files(root: &Path) -> (Vec<(String, PathBuf)>, Vec<Problem>) {
    let mut paths = Vec::new();
    let mut problems = Vec::new();
    let walk = WalkBuilder::new(root)
        .require_git(false)
        .filter_entry(|entry| {
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            let name = entry.file_name().to_string_lossy();
            !(is_folder && entry.depth() > 0 && is_build_folder(entry.path(), &name))
        })
        .build();
    for entry in walk {
        match entry {
            Ok(entry) => {
                let is_file = entry
                    .file_type()
                    .is_some_and(|kind| kind.is_file() || kind.is_symlink() && entry.path().is_file());
                let is_java = entry.path().extension().is_some_and(|it| it == "java");
                if is_file && is_java {
                    paths.push((relative(root, entry.path()), entry.into_path()));
                }
            }
            Err(error) => problems.push(Problem::file(&root.to_string_lossy(), error.to_string())),
        }
    }
    (paths, problems)
}

/// `target` and the like are build products only beside a build file or at a module's root; a Java
/// package may carry the same name.
pub(crate) fn is_build_folder(path: &Path, name: &str) -> bool {
    SKIPPED_FOLDERS.contains(&name)
        && path.parent().is_some_and(|parent| {
            [
                "pom.xml",
                "build.gradle",
                "build.gradle.kts",
                "build.xml",
                ".git",
                "package.json",
            ]
            .iter()
            .any(|file| parent.join(file).exists())
        })
}

fn relative(root: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(root).unwrap_or(path);
    let inside = if inside.as_os_str().is_empty() {
        Path::new(path.file_name().unwrap_or(path.as_os_str()))
    } else {
        inside
    };
    let parts: Vec<_> = inside
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    parts.join("/")
}

/// UTF-8 with or without a byte order mark; anything else is read as Latin-1, which keeps every
/// byte and every line.
fn decode(path: &str, raw: Vec<u8>, problems: &mut Vec<Problem>) -> String {
    match String::from_utf8(raw) {
        Ok(text) => match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.to_owned(),
            None => text,
        },
        Err(error) => {
            problems.push(Problem::file(path, "is not valid UTF-8 and was read as Latin-1"));
            error.into_bytes().into_iter().map(char::from).collect()
        }
    }
}
