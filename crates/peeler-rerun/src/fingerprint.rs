//! Fingerprints of what runs: a short text that changes when the code does.
//!
//! It is no defence against somebody who wants two codes to look alike; it tells a resumed confirmation from one of
//! other code. Folders count by the content of their files, archives by size and time, because they are large and
//! libraries keep their names for ever.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// FNV-1a over parts, each closed by its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    /// Adds a part.
    pub fn add(&mut self, part: &[u8]) {
        let length = (part.len() as u64).to_le_bytes();
        for &byte in part.iter().chain(&length) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// The fingerprint of the entries of class paths.
    #[must_use]
    pub fn of_classpath<'a>(entries: impl IntoIterator<Item = &'a PathBuf>) -> Self {
        let mut fingerprint = Self::default();
        for entry in entries {
            if entry.is_dir() {
                fingerprint.add_folder(entry, entry);
            } else {
                fingerprint.add(entry.as_os_str().as_encoded_bytes());
                if let Ok(known) = entry.metadata() {
                    fingerprint.add(&known.len().to_le_bytes());
                    let changed = known.modified().ok().and_then(|it| it.duration_since(UNIX_EPOCH).ok());
                    fingerprint.add(&changed.map_or(0, |it| it.as_nanos()).to_le_bytes());
                }
            }
        }
        fingerprint
    }

    fn add_folder(&mut self, root: &Path, folder: &Path) {
        let Ok(entries) = folder.read_dir() else {
            return;
        };
        let mut paths: Vec<PathBuf> = entries.filter_map(|it| it.ok().map(|it| it.path())).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                self.add_folder(root, &path);
            } else if let Ok(content) = std::fs::read(&path) {
                let name = path.strip_prefix(root).unwrap_or(&path);
                self.add(name.as_os_str().as_encoded_bytes());
                self.add(&content);
            }
        }
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_class_changes_the_fingerprint_and_a_touched_one_does_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let class = folder.path().join("a/B.class");
        std::fs::create_dir(folder.path().join("a")).expect("a folder");
        let write = |text: &str| {
            std::fs::write(&class, text).expect("a file");
            Fingerprint::of_classpath([&folder.path().to_owned()])
        };
        let first = write("one");
        assert_eq!(write("one"), first);
        assert_ne!(write("two"), first);
    }

    #[test]
    fn parts_do_not_run_into_each_other() {
        let of = |parts: &[&str]| {
            let mut fingerprint = Fingerprint::default();
            for part in parts {
                fingerprint.add(part.as_bytes());
            }
            fingerprint
        };
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
    }
}
