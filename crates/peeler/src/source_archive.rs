//! Java files of source archives (`*-sources.jar`, `*.zip`).
//!
//! An archive whose table of contents cannot be read is an error. An entry that cannot be read is counted.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use zip::ZipArchive;

/// The maximum size in bytes of a Java file that is read from a source archive. Larger files are generated tables.
const MAX_FILE_BYTES: u64 = 4 << 20;

/// What was read from a source archive.
#[derive(Debug, Default)]
pub(crate) struct ArchiveContent {
    /// The Java files: path and content, sorted by path.
    pub(crate) files: Vec<(String, Vec<u8>)>,
    /// The number of Java files that could not be read, such as those with a wrong checksum.
    pub(crate) broken: usize,
    /// The number of Java files that were left out because they are too large.
    pub(crate) too_large: usize,
}

/// Whether a file is an archive by its name.
pub(crate) fn is_archive(path: &Path) -> bool {
    path.extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("jar") || it.eq_ignore_ascii_case("zip"))
}

/// Reads the table of contents of an archive, which is at its end: a truncated file has none.
pub(crate) fn open(path: &Path) -> io::Result<ZipArchive<BufReader<File>>> {
    Ok(ZipArchive::new(BufReader::new(File::open(path)?))?)
}

/// Reads the Java files of an archive.
pub(crate) fn java_files(path: &Path) -> io::Result<ArchiveContent> {
    let mut archive = open(path)?;
    let mut content = ArchiveContent::default();
    for at in 0..archive.len() {
        let Ok(entry) = archive.by_index(at) else {
            content.broken += 1;
            continue;
        };
        let Ok(name) = entry.name().map(Cow::into_owned) else {
            content.broken += 1;
            continue;
        };
        // Copies of classes for later versions of Java would be the same classes twice.
        let is_copy = name.starts_with("META-INF/");
        if Path::new(&name).extension() != Some(OsStr::new("java")) || is_copy {
            continue;
        }
        if entry.size() > MAX_FILE_BYTES {
            content.too_large += 1;
            continue;
        }
        let mut bytes = Vec::new();
        match entry.take(MAX_FILE_BYTES).read_to_end(&mut bytes) {
            Ok(_) => content.files.push((name, bytes)),
            Err(_) => content.broken += 1,
        }
    }
    content.files.sort();
    content.files.dedup_by(|a, b| a.0 == b.0);
    Ok(content)
}

/// The Maven descriptors (`pom.xml`) in an archive as one text; empty if there are none.
pub(crate) fn descriptors(path: &Path) -> String {
    let mut text = String::new();
    let Ok(mut archive) = open(path) else { return text };
    let names: Vec<String> = archive
        .file_names()
        .filter_map(|it| Some(it.ok()?.into_owned()))
        .collect();
    for name in names
        .iter()
        .filter(|it| it.starts_with("META-INF/") && it.ends_with("/pom.xml"))
    {
        if let Ok(entry) = archive.by_name(name) {
            // A descriptor that is no UTF-8 names no repository.
            let _ = entry.take(MAX_FILE_BYTES).read_to_string(&mut text);
        }
    }
    text
}
