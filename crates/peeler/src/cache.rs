//! Where results of earlier scans are kept, so that a second scan after a small change is nearly instant.
//!
//! One file for each root that was scanned and way to scan it: program, model, backend, settings. Files are written beside their
//! place and renamed, so runs side by side never see half of one; what cannot be read, or is not what it says, counts
//! as absent. The folder never grows beyond [`MOST_BYTES`]: the files that were not used for longest go first.
//!
//! Invariant: a cache changes how long a scan takes, never what it says.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use peeler_features::stored_hash;

use crate::memory::Memory;

/// What all files of the folder together may take.
const MOST_BYTES: u64 = 256 << 20;
/// How the files begin. The number grows when their format changes.
const MAGIC: &[u8; 16] = b"peeler memory 2\n";
/// How their names end.
const EXTENSION: &str = "memory";

/// The place of one memory.
#[derive(Debug)]
pub(crate) struct Cache {
    folder: PathBuf,
    file: PathBuf,
}

impl Cache {
    /// The user's folder for caches, where the system has one.
    pub(crate) fn usual_folder() -> Option<PathBuf> {
        dirs::cache_dir().map(|it| it.join("peeler"))
    }

    /// The place for scans of a root. `way` is everything beside the files that results depend on.
    pub(crate) fn new(folder: PathBuf, root: &Path, way: &str) -> Self {
        let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let key = format!("{}\n{}\n{way}", root.display(), program());
        let file = folder.join(format!("{:016x}.{EXTENSION}", stored_hash(key.as_bytes())));
        Self { folder, file }
    }

    /// What the last scan left.
    pub(crate) fn load(&self) -> Option<Memory> {
        let bytes = fs::read(&self.file).ok()?;
        let rest = bytes.strip_prefix(MAGIC)?;
        let (sum, content) = rest.split_at_checked(8)?;
        if sum != checksum(content) {
            return None;
        }
        // The time of last use, by which the oldest are chosen; not worth a word where it cannot be set.
        let _ = File::options()
            .append(true)
            .open(&self.file)
            .and_then(|it| it.set_modified(SystemTime::now()));
        postcard::from_bytes(content).ok()
    }

    /// Keeps the results of a scan for the next one.
    pub(crate) fn save(&self, memory: &Memory) -> io::Result<()> {
        // About as long as the last one.
        let length = fs::metadata(&self.file).map_or(0, |it| it.len() + it.len() / 8);
        let place = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
        let content = postcard::to_extend(memory, place).map_err(io::Error::other)?;
        fs::create_dir_all(&self.folder)?;
        let unfinished = self.file.with_extension(format!("{}.unfinished", std::process::id()));
        let written = File::create(&unfinished).and_then(|mut file| {
            file.write_all(MAGIC)?;
            file.write_all(&checksum(&content))?;
            file.write_all(&content)?;
            drop(file);
            fs::rename(&unfinished, &self.file)
        });
        if written.is_err() {
            let _ = fs::remove_file(&unfinished);
        }
        written.and_then(|()| self.forget_oldest(MOST_BYTES))
    }

    /// The folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Takes files away, the longest unused first, until all together are no larger than `most`; the own one stays.
    fn forget_oldest(&self, most: u64) -> io::Result<()> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let is_ours = path
                .file_name()
                .is_some_and(|it| it.to_string_lossy().contains(&format!(".{EXTENSION}")));
            // Another run may have taken it away in the meantime.
            if let (true, Ok(metadata)) = (is_ours, fs::metadata(&path)) {
                files.push((metadata.modified()?, metadata.len(), path));
            }
        }
        files.sort();
        let mut bytes: u64 = files.iter().map(|it| it.1).sum();
        for (_, length, path) in files {
            if bytes <= most {
                break;
            }
            if path != self.file {
                let _ = fs::remove_file(&path);
                bytes -= length;
            }
        }
        Ok(())
    }
}

/// This build of the program: its version and, for builds between versions, size and time of its file.
fn program() -> String {
    let file = std::env::current_exe().and_then(fs::metadata);
    let built = file.and_then(|it| Ok((it.len(), it.modified()?)));
    format!("{} {:?}", env!("CARGO_PKG_VERSION"), built.ok())
}

/// Files of this size are read faster than they are summed up byte by byte.
fn checksum(content: &[u8]) -> [u8; 8] {
    let (words, rest) = content.as_chunks::<8>();
    let mixed = words.iter().fold(content.len() as u64, |sum, word| {
        (sum ^ u64::from_le_bytes(*word))
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(29)
    });
    (mixed ^ stored_hash(rest)).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_longest_unused_go_first_and_strangers_stay() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path().to_owned(), Path::new("shop"), "some way");
        let now = SystemTime::now();
        let write = |name: &Path, age: u64| {
            fs::write(name, [0; 100]).unwrap();
            let file = File::options().append(true).open(name).unwrap();
            file.set_modified(now - Duration::from_secs(age)).unwrap();
        };
        let named = |name: &str| folder.path().join(name);
        write(&cache.file, 50);
        write(&named("a.memory"), 30);
        write(&named("b.memory"), 20);
        write(&named("c.memory.7.unfinished"), 40);
        write(&named("notes.txt"), 60);
        cache.forget_oldest(250).unwrap();
        let mut left: Vec<PathBuf> = fs::read_dir(folder.path())
            .unwrap()
            .map(|it| it.unwrap().path())
            .collect();
        left.sort();
        let mut expected = vec![cache.file.clone(), named("b.memory"), named("notes.txt")];
        expected.sort();
        assert_eq!(left, expected);
    }

    #[test]
    fn another_root_and_another_way_have_another_place() {
        let place = |root: &str, way: &str| Cache::new(PathBuf::from("cache"), Path::new(root), way).file;
        assert_eq!(place("shop", "cpu"), place("shop", "cpu"));
        assert_ne!(place("shop", "cpu"), place("shop", "wgpu"));
        assert_ne!(place("shop", "cpu"), place("stock", "cpu"));
    }
}
