//! Files named on standard input, for hooks: `git diff --name-only --relative | peeler scan --stdin-files`.
//!
//! There is one name per line; if the input contains a NUL, names end with NULs instead. Names are relative to the
//! working directory. A line in quotes is a name that git quoted because of special characters.
//!
//! Files that are not Java or no longer exist are ignored. Java files that exist but are not scanned, because they are
//! outside the scanned folders or ignored, are reported in a note.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::Context;
use peeler_analysis::Repository;

/// The Java files that standard input names and that a scan is restricted to. A file leaves the filter when it is found
/// in a scanned folder, so that the files that are left at the end can be reported.
#[derive(Debug)]
pub(crate) struct FileFilter {
    /// File names as given on standard input, each with its canonical path.
    left: Vec<(PathBuf, PathBuf)>,
}

impl FileFilter {
    /// Reads file names from `input` to its end, and keeps those of existing Java files.
    pub(crate) fn read(mut input: impl Read) -> anyhow::Result<Self> {
        let mut bytes = Vec::new();
        input
            .read_to_end(&mut bytes)
            .context("cannot read file names from standard input; pass them through a pipe")?;
        let files = names(&bytes).into_iter().map(PathBuf::from);
        let java = files.filter(|it| it.extension().is_some_and(|it| it == "java") && it.is_file());
        Ok(Self {
            left: java.filter_map(|it| place(&it).map(|place| (it, place))).collect(),
        })
    }

    /// Removes the files that a repository contains from the filter, and returns their paths relative to `root`.
    pub(crate) fn take(&mut self, root: &Path, repository: &Repository) -> BTreeSet<String> {
        let mut taken = BTreeSet::new();
        let top = if root.is_file() {
            place(root).and_then(|it| it.parent().map(Path::to_owned))
        } else {
            root.canonicalize().ok()
        };
        let Some(top) = top else {
            return taken;
        };
        let files = repository.files();
        self.left.retain(|(_, place)| {
            let Ok(inside) = place.strip_prefix(&top) else {
                return true;
            };
            let parts: Vec<_> = inside.iter().map(|it| it.to_string_lossy()).collect();
            let path = parts.join("/");
            let is_read = files.binary_search_by(|it| it.path().cmp(&path)).is_ok();
            if is_read {
                taken.insert(path);
            }
            !is_read
        });
        taken
    }

    /// The note about files named on standard input that no scanned folder contains; `None` if there are none.
    pub(crate) fn note(&self) -> Option<String> {
        let (first, _) = self.left.first()?;
        let first = first.display();
        Some(match self.left.len() {
            1 => format!("{first} was not scanned: it is outside the given paths, ignored or hidden"),
            count => format!(
                "{count} of the given Java files were not scanned, {first} is the first: they are outside the given \
                 paths, ignored or hidden"
            ),
        })
    }
}

/// The canonical path of a file; `None` if its folder cannot be found. A symbolic link to a file is not followed,
/// because scans treat it as a file of its own folder.
fn place(file: &Path) -> Option<PathBuf> {
    let folder = match file.parent()? {
        folder if folder.as_os_str().is_empty() => Path::new("."),
        folder => folder,
    };
    Some(folder.canonicalize().ok()?.join(file.file_name()?))
}

fn names(bytes: &[u8]) -> Vec<OsString> {
    let has_nul = bytes.contains(&0);
    bytes
        .split(|it| *it == if has_nul { 0 } else { b'\n' })
        .map(|name| match name {
            name if has_nul => name.to_owned(),
            [b'"', quoted @ .., b'"'] => unquoted(quoted),
            name => name.strip_suffix(b"\r").unwrap_or(name).to_owned(),
        })
        .filter(|name| !name.is_empty())
        .map(name)
        .collect()
}

#[cfg(unix)]
fn name(bytes: Vec<u8>) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes)
}

#[cfg(not(unix))]
fn name(bytes: Vec<u8>) -> OsString {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

/// Decodes a name that git quoted: escapes as in C, other bytes in octal.
fn unquoted(quoted: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(quoted.len());
    let mut rest = quoted;
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        let digits = rest.iter().take(3).take_while(|it| (b'0'..=b'7').contains(*it)).count();
        if digits > 0 {
            let value = rest[..digits]
                .iter()
                .fold(0_u8, |sum, it| sum.wrapping_mul(8).wrapping_add(it - b'0'));
            out.push(value);
            rest = &rest[digits..];
        } else if let Some((&escaped, behind)) = rest.split_first() {
            out.push(match escaped {
                b'a' => 7,
                b'b' => 8,
                b't' => b'\t',
                b'n' => b'\n',
                b'v' => 11,
                b'f' => 12,
                b'r' => b'\r',
                other => other,
            });
            rest = behind;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<OsString> {
        names(text.as_bytes())
    }

    #[test]
    fn names_end_with_a_line_or_with_a_nul() {
        assert_eq!(read("a b.java\r\nc.java\n\n"), ["a b.java", "c.java"]);
        assert_eq!(read("a\nb.java\0c.java\0"), ["a\nb.java", "c.java"]);
        assert_eq!(read("last.java"), ["last.java"]);
        assert_eq!(read(""), [""; 0]);
    }

    #[test]
    fn a_name_that_git_quoted_is_the_name() {
        assert_eq!(
            read("\"Gr\\303\\266\\303\\237e\\t\\\"x\\\\.java\"\n"),
            ["Größe\t\"x\\.java"]
        );
        assert_eq!(
            read("\"a\"\0"),
            ["\"a\""],
            "git quotes nothing where names end with a NUL"
        );
    }

    #[test]
    fn half_an_escape_harms_nothing() {
        assert_eq!(read("\"a\\\""), ["a"]);
        assert_eq!(read("\""), ["\""]);
        assert_eq!(read("\"\\1017\""), ["A7"], "an octal number has three digits at most");
    }
}
