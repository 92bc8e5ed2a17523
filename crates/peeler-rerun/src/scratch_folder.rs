//! Temporary folders that do not pile up when their program is killed.
//!
//! Invariants: a folder is deleted when its [`ScratchFolder`] is dropped. After a kill, the next program that makes a
//! folder in the same parent folder deletes it. The owner of a folder holds a lock on a file in it, so no program
//! deletes the folder of another one that is alive.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use tempfile::TempDir;

/// The prefix of the names of Peeler's temporary folders.
const PREFIX: &str = "peeler-";

/// The name of a file in each temporary folder, which the program that uses the folder keeps locked.
const LOCK: &str = "lock";

/// A temporary folder, deleted when this value is dropped.
#[derive(Debug)]
pub struct ScratchFolder {
    folder: TempDir,
    // The lock ends after the folder is deleted, because fields are dropped in the order of their declaration.
    _lock: File,
}

impl ScratchFolder {
    /// A new temporary folder in the system's folder for temporary files.
    ///
    /// # Errors
    ///
    /// When the folder cannot be made.
    pub fn new() -> io::Result<Self> {
        let parent = std::env::temp_dir();
        // JVMs run in other folders, and a sandbox may hide a link, so the path must be the real one. Windows writes real
        // paths in a form that some programs do not read.
        let real = if cfg!(unix) { parent.canonicalize().ok() } else { None };
        Self::new_in(&real.unwrap_or(parent))
    }

    /// A new temporary folder in `parent`. Also deletes the temporary folders there whose programs have ended.
    ///
    /// # Errors
    ///
    /// When the folder cannot be made.
    pub fn new_in(parent: &Path) -> io::Result<Self> {
        remove_abandoned(parent);
        loop {
            match Self::create(parent) {
                // Another program took the folder for an abandoned one before it was locked.
                Err(error) if error.kind() == io::ErrorKind::NotFound && parent.is_dir() => {}
                created => return created,
            }
        }
    }

    fn create(parent: &Path) -> io::Result<Self> {
        let folder = TempDir::with_prefix_in(PREFIX, parent)?;
        let path = folder.path().join(LOCK);
        let lock = File::create(&path)?;
        // Some file systems know no locks. Nothing is deleted there, because no lock can be taken either.
        if lock.lock().is_ok() {
            fs::metadata(&path)?;
        }
        Ok(Self { folder, _lock: lock })
    }

    /// The path of the temporary folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Deletes Peeler's temporary folders in `parent` whose programs have ended. A folder that cannot be deleted stays.
fn remove_abandoned(parent: &Path) {
    let Ok(entries) = parent.read_dir() else {
        return;
    };
    for entry in entries.flatten() {
        let is_ours = entry.file_name().to_str().is_some_and(|it| it.starts_with(PREFIX));
        if is_ours && entry.file_type().is_ok_and(|it| it.is_dir()) {
            remove_if_abandoned(&entry.path());
        }
    }
}

fn remove_if_abandoned(folder: &Path) {
    let lock = folder.join(LOCK);
    // A pipe of this name would keep the program waiting.
    if !fs::symlink_metadata(&lock).is_ok_and(|it| it.is_file()) {
        return;
    }
    // The lock is held until the folder is deleted.
    if let Ok(lock) = File::options().write(true).open(lock)
        && lock.try_lock().is_ok()
    {
        let _ = fs::remove_dir_all(folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_the_living_stay_and_those_of_the_dead_go() {
        let parent = tempfile::tempdir().expect("a folder");
        let living = ScratchFolder::new_in(parent.path()).expect("a folder");
        let dead = parent.path().join("peeler-dead");
        let other = parent.path().join("peeler-of-somebody-else");
        for folder in [&dead, &other] {
            fs::create_dir(folder).expect("a folder");
        }
        fs::write(dead.join(LOCK), "").expect("a file");
        fs::write(dead.join("answers"), "begin").expect("a file");
        let next = ScratchFolder::new_in(parent.path()).expect("a folder");
        assert!(!dead.exists());
        assert!(living.path().is_dir() && next.path().is_dir() && other.is_dir());
        let path = next.path().to_owned();
        drop(next);
        assert!(!path.exists());
        let nowhere = ScratchFolder::new_in(&parent.path().join("missing"));
        assert!(nowhere.is_err());
    }
}
