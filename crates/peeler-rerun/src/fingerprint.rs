//! Fingerprints of the compiled code that runs: a short text that changes when the code does.
//!
//! A fingerprint distinguishes evidence logs of different code. It is no defence against forged files. Folders are
//! hashed by the content of their files. Archives are hashed by size and time, because they are large and libraries do
//! not change under the same name.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use xxhash_rust::xxh3::Xxh3;

/// An XXH3 hash of some pieces of data, each followed by its length so that `ab`, `c` and `a`, `bc` differ.
#[derive(Clone, Default)]
pub struct Fingerprint(Xxh3);

impl Fingerprint {
    /// Adds a piece of data, such as a file's content, to the hash.
    pub fn add(&mut self, part: &[u8]) {
        self.0.update(part);
        self.0.update(&(part.len() as u64).to_le_bytes());
    }

    /// The fingerprint of the folders and archives of a class path.
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

impl fmt::Debug for Fingerprint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Fingerprint({self})")
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:016x}", self.0.digest())
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
            Fingerprint::of_classpath([&folder.path().to_owned()]).to_string()
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
            fingerprint.to_string()
        };
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
    }
}
