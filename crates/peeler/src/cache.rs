//! The folder with the results of earlier scans, which makes a second scan after a small change nearly instant.
//!
//! There is one file for each scanned folder and each way to scan it: program, model, backend, settings. Files are
//! replaced as a whole, so scans that run side by side never read half of one. A file that is damaged counts as absent.
//! If the folder grows beyond [`MOST_BYTES`], the files that were not used for longest are deleted. The newest file
//! always stays. No file takes more than a quarter: a larger one is stored without the details of findings.
//!
//! Invariant: a cache changes how long a scan takes, never what it reports.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use peeler_features::content_hash;
use peeler_learning::atomic_file::{self, Durability};

use crate::cached_scan::CachedScan;

/// The maximum number of bytes of all files in the cache folder together.
const MOST_BYTES: u64 = 256 << 20;
/// The maximum share of the cache folder that one file may take, as a divisor of [`MOST_BYTES`].
const SHARES: u64 = 4;
/// The first bytes of a cache file. The number in them grows when the format changes.
const MAGIC: &[u8; 16] = b"peeler cache 07\n";
/// The extension of cache files. Files with other extensions in the cache folder are never touched.
const EXTENSION: &str = "memory";

/// The cache file for scans of one folder with one configuration: model, backend and settings.
#[derive(Debug)]
pub(crate) struct ScanCache {
    folder: PathBuf,
    file: PathBuf,
}

impl ScanCache {
    /// The folder `peeler` in the user's cache folder; `None` if the system has no cache folder.
    pub(crate) fn usual_folder() -> Option<PathBuf> {
        dirs::cache_dir().map(|it| it.join("peeler"))
    }

    /// The cache file for scans of the folder `root`. `configuration` names everything that results depend on besides
    /// the scanned files.
    pub(crate) fn new(folder: PathBuf, root: &Path, configuration: &str) -> Self {
        let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let key = format!("{}\n{}\n{configuration}", root.display(), program());
        let file = folder.join(format!("{:016x}.{EXTENSION}", content_hash(key.as_bytes())));
        Self { folder, file }
    }

    /// Reads the results of the last scan; `None` if the cache file is missing or damaged.
    pub(crate) fn load(&self) -> Option<CachedScan> {
        let bytes = fs::read(&self.file).ok()?;
        let rest = bytes.strip_prefix(MAGIC)?;
        let (sum, content) = rest.split_at_checked(8)?;
        if sum != checksum(content) {
            return None;
        }
        // The file date orders entries by last use. A failure to set it is harmless.
        let _ = File::options()
            .append(true)
            .open(&self.file)
            .and_then(|it| it.set_modified(SystemTime::now()));
        postcard::from_bytes(content).ok()
    }

    /// Writes the results of a scan to the cache file, for the next scan.
    pub(crate) fn save(&self, entry: CachedScan) -> io::Result<()> {
        self.save_within(entry, MOST_BYTES)
    }

    /// Writes the results of a scan to the cache file. All files together have at most `most` bytes, and this one a
    /// quarter of them.
    fn save_within(&self, mut entry: CachedScan, most: u64) -> io::Result<()> {
        // The new entry will be about as long as the last one.
        let length = fs::metadata(&self.file).map_or(0, |it| it.len() + it.len() / 8);
        let buffer = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
        let mut content = postcard::to_extend(&entry, buffer).map_err(io::Error::other)?;
        if content.len() as u64 > most / SHARES {
            // Graphs and sources can be made again from the code; scores and flows take the time.
            entry.drop_details();
            content = postcard::to_extend(&entry, Vec::new()).map_err(io::Error::other)?;
        }
        if content.len() as u64 > most / SHARES {
            // Better no results than those of an older scan.
            return match fs::remove_file(&self.file) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            };
        }
        fs::create_dir_all(&self.folder)?;
        atomic_file::replace(&self.file, &[MAGIC, &checksum(&content), &content], Durability::Fast)
            .map_err(|error| error.source)?;
        self.delete_oldest(most)
    }

    /// The folder that contains all cache files.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Deletes cache files, least recently used first, until all together have at most `most` bytes. The file of the
    /// current scan is never deleted.
    fn delete_oldest(&self, most: u64) -> io::Result<()> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let is_ours = path
                .file_name()
                .is_some_and(|it| it.to_string_lossy().contains(&format!(".{EXTENSION}")));
            // Another scan may have deleted the file in the meantime.
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

/// A text that identifies the build of Peeler: its version, and the size and date of its executable file.
fn program() -> String {
    let file = std::env::current_exe().and_then(fs::metadata);
    let built = file.and_then(|it| Ok((it.len(), it.modified()?)));
    format!("{} {:?}", env!("CARGO_PKG_VERSION"), built.ok())
}

fn checksum(content: &[u8]) -> [u8; 8] {
    content_hash(content).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use peeler_analysis::{Analysis, Repository, StateAccess};

    use super::*;
    use crate::render::formats::made;
    use crate::scored_test::ScoredTest;

    #[test]
    fn the_longest_unused_go_first_and_strangers_stay() {
        let folder = tempfile::tempdir().unwrap();
        let cache = ScanCache::new(folder.path().to_owned(), Path::new("shop"), "some way");
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
        write(&named("c.memory.7a.unfinished"), 40);
        write(&named("notes.txt"), 60);
        cache.delete_oldest(250).unwrap();
        let mut left: Vec<PathBuf> = fs::read_dir(folder.path())
            .unwrap()
            .map(|it| it.unwrap().path())
            .collect();
        left.sort();
        let mut expected = vec![cache.file.clone(), named("b.memory"), named("notes.txt")];
        expected.sort();
        assert_eq!(left, expected);
    }

    /// The cached scan of an empty repository with one test, whose finding has a reason of `length` bytes.
    fn entry(length: usize) -> CachedScan {
        let mut finding = made::scan().findings.remove(0);
        finding.reason = "a".repeat(length);
        let mut test = ScoredTest {
            test: finding.test.clone(),
            file: finding.file.clone(),
            line: 1,
            probability: 0.5,
            kinds: Vec::new(),
            paths: Vec::new(),
            grounds: Vec::new(),
            is_incomplete: false,
            is_disabled: false,
            flows: Vec::new(),
            state: StateAccess::default(),
            shared: Vec::new(),
            silence: None,
            detail: None,
        };
        test.explain(finding, &[]);
        let repository = Repository::from_sources(Vec::new());
        CachedScan::new(&repository, &Analysis::new(&repository), Vec::new(), vec![test])
    }

    #[test]
    fn no_file_takes_more_than_a_quarter_of_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let cache = ScanCache::new(folder.path().to_owned(), Path::new("shop"), "some way");
        let length = || fs::metadata(&cache.file).map_or(0, |it| it.len());
        cache.save_within(entry(100_000), 1_000_000).unwrap();
        assert!(length() > 100_000, "a small file is stored with its details");
        cache.save_within(entry(100_000), 100_000).unwrap();
        assert!(
            (1..25_000).contains(&length()),
            "a large file is stored without details"
        );
        assert!(cache.load().is_some());
        cache.save_within(entry(100_000), 40).unwrap();
        assert_eq!(length(), 0, "a file that is too large anyway is not stored");
    }

    #[test]
    fn another_root_and_another_way_have_another_place() {
        let place = |root: &str, way: &str| ScanCache::new(PathBuf::from("cache"), Path::new(root), way).file;
        assert_eq!(place("shop", "cpu"), place("shop", "cpu"));
        assert_ne!(place("shop", "cpu"), place("shop", "wgpu"));
        assert_ne!(place("shop", "cpu"), place("stock", "cpu"));
    }
}
