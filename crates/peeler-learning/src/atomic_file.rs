//! Atomic replacement of files: readers find the old content or the new one, never a part.
//!
//! ```text
//! scan.json                        the old content, until the new one is complete
//! scan.json.x8Tf2q.unfinished      the new content; a killed program leaves it behind
//! ```
//!
//! Invariants: a file that cannot be written completely keeps its old content. The next program that writes the same
//! file deletes what a killed one left behind. A program holds a lock on its unfinished file, so that no other program
//! deletes the file while its owner is alive.
//!
//! Left out: devices and pipes such as `/dev/stdout`, which are written directly.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// The ending of the names of temporary files, which hold new content before they are renamed.
const UNFINISHED: &str = ".unfinished";

/// How sure it is that the new content of a file survives a crash of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// The new content reaches the disk before it replaces the old content.
    Synced,
    /// A crash of the machine may leave an empty file. This is for content that can be made again, such as a cache.
    Fast,
}

/// The reason why a file cannot be written, with a hint what to do about it.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {source}; {}", path.display(), remedy(source))]
pub struct WriteError {
    /// The file that cannot be written.
    pub path: PathBuf,
    /// The error of the operating system.
    pub source: io::Error,
}

/// What a user can do about a file that cannot be written, in a few words for an error message.
#[must_use]
pub fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::NotFound => "does the folder exist?",
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            "does the folder exist? a part of the path is a file"
        }
        io::ErrorKind::IsADirectory => "choose another name; this one is that of a folder",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "make room, or choose another place; what was there before is unchanged"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "choose a folder that you may write to; does the folder exist?"
        }
        _ => "choose another place; does the folder exist?",
    }
}

/// A file that is written completely or not at all: it keeps its old content until the new content is finished.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    output: Output,
}

#[derive(Debug)]
enum Output {
    /// The content goes to a temporary file, which is renamed to the target path when it is finished.
    Renamed(BufWriter<NamedTempFile>, PathBuf),
    /// The content goes directly to a device, a pipe or the target of a broken link.
    Direct(BufWriter<File>),
}

impl AtomicFile {
    /// Opens a file for new content. The old content stays until [`Self::finish`].
    ///
    /// # Errors
    ///
    /// When the file or its folder cannot be written.
    pub fn create(path: &Path) -> Result<Self, WriteError> {
        let output = open(path).map_err(|source| WriteError {
            path: path.to_owned(),
            source,
        })?;
        Ok(Self {
            path: path.to_owned(),
            output,
        })
    }

    /// Replaces the old content of the file by the new content that was written.
    ///
    /// # Errors
    ///
    /// When the file cannot be written. It then has its old content.
    pub fn finish(self, durability: Durability) -> Result<(), WriteError> {
        let Self { path, output } = self;
        finish(output, durability).map_err(|source| WriteError { path, source })
    }

    /// The error of a failed write, with the path of the file.
    #[must_use]
    pub fn error(&self, source: io::Error) -> WriteError {
        WriteError {
            path: self.path.clone(),
            source,
        }
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.output {
            Output::Renamed(file, _) => file.write(bytes),
            Output::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.output {
            Output::Renamed(file, _) => file.flush(),
            Output::Direct(file) => file.flush(),
        }
    }
}

/// Replaces a file by pieces of content. The pieces are written to a temporary file beside it, which is then renamed.
///
/// # Errors
///
/// When the file or its folder cannot be written. The old file is then unchanged.
pub fn replace(path: &Path, content: &[&[u8]], durability: Durability) -> Result<(), WriteError> {
    let mut file = AtomicFile::create(path)?;
    for piece in content {
        file.write_all(piece).map_err(|source| file.error(source))?;
    }
    file.finish(durability)
}

fn open(path: &Path) -> io::Result<Output> {
    // A link stays a link: its target is replaced.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let old = fs::metadata(&target);
    let is_link = fs::symlink_metadata(&target).is_ok_and(|it| it.is_symlink());
    if is_link || old.as_ref().is_ok_and(|it| !it.is_file() && !it.is_dir()) {
        return Ok(Output::Direct(BufWriter::new(File::create(path)?)));
    }
    if old.is_ok() {
        // Renaming would also replace a file that the user has protected, and fails late for a folder.
        File::options().write(true).open(&target)?;
    }
    let file = temporary_file(&target)?;
    if let Ok(old) = old {
        file.as_file().set_permissions(old.permissions())?;
    }
    Ok(Output::Renamed(BufWriter::new(file), target))
}

fn finish(output: Output, durability: Durability) -> io::Result<()> {
    let (file, target) = match output {
        Output::Direct(mut file) => return file.flush(),
        Output::Renamed(file, target) => (file.into_inner().map_err(io::IntoInnerError::into_error)?, target),
    };
    if durability == Durability::Synced {
        file.as_file().sync_all()?;
    }
    let file = file.persist(&target).map_err(|error| error.error)?;
    // Closing the file is not enough: a program that is just being started has a copy of it, and the lock with it.
    let _ = file.unlock();
    #[cfg(unix)]
    if durability == Durability::Synced {
        // The new name is in the folder. Some file systems cannot sync folders; the file is there anyway.
        let _ = File::open(folder(&target)).and_then(|it| it.sync_all());
    }
    Ok(())
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A locked temporary file beside the file `path`. It has the permissions of any new file; `tempfile` would make it
/// private.
fn temporary_file(path: &Path) -> io::Result<NamedTempFile> {
    let folder = folder(path);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let prefix = format!("{name}.");
    remove_abandoned(folder, &prefix);
    let mut builder = Builder::new();
    builder.prefix(&prefix).suffix(UNFINISHED);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The operating system takes the user's umask off these.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    loop {
        let file = builder.tempfile_in(folder)?;
        // Some file systems know no locks. Nothing is deleted there, because no lock can be taken either.
        let is_locked = file.as_file().lock().is_ok();
        // Another program may have taken the file for an abandoned one before it was locked.
        if !is_locked || file.path().exists() {
            return Ok(file);
        }
    }
}

/// Deletes temporary files that programs left behind when they were killed. A file that cannot be deleted stays.
fn remove_abandoned(folder: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_ours = name
            .to_str()
            .is_some_and(|it| it.starts_with(prefix) && it.ends_with(UNFINISHED));
        if !is_ours || !entry.file_type().is_ok_and(|it| it.is_file()) {
            continue;
        }
        let file = File::options().write(true).open(entry.path());
        // The lock is held until the file is deleted.
        if let Ok(file) = file
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::{AtomicFile, Durability, Output, replace};

    #[test]
    fn a_file_is_replaced_and_nothing_else_stays_in_its_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        for (content, durability) in [("first", Durability::Synced), ("second", Durability::Fast)] {
            let (start, end) = content.as_bytes().split_at(2);
            replace(&path, &[start, end], durability).expect("a writable folder");
            assert_eq!(fs::read_to_string(&path).expect("a file"), content);
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
        assert!(replace(&folder.path().join("missing/file"), &[b""], Durability::Fast).is_err());
    }

    #[test]
    fn a_file_that_is_not_finished_keeps_its_old_content() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::write(&path, "old").expect("a file");
        let mut file = AtomicFile::create(&path).expect("a file");
        file.write_all(b"new").expect("room");
        drop(file);
        assert_eq!(fs::read_to_string(&path).expect("a file"), "old");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_finished_file_is_locked_by_nobody() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let file = AtomicFile::create(&path).expect("a file");
        let Output::Renamed(writer, _) = &file.output else {
            panic!("a new file is renamed");
        };
        let inherited = writer.get_ref().as_file().try_clone().expect("a copy");
        file.finish(Durability::Fast).expect("a writable folder");
        fs::File::open(&path).expect("the file").try_lock().expect("no lock");
        drop(inherited);
    }

    #[test]
    fn only_abandoned_files_of_the_same_name_are_deleted() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let mut living = AtomicFile::create(&path).expect("a file");
        for name in ["file.dead.unfinished", "other.dead.unfinished", "file.unfinished.txt"] {
            fs::write(folder.path().join(name), "").expect("a file");
        }
        replace(&path, &[b"second"], Durability::Fast).expect("a writable folder");
        let names = || -> Vec<String> {
            let entries = fs::read_dir(folder.path()).expect("a folder").flatten();
            entries
                .map(|it| it.file_name().to_string_lossy().into_owned())
                .collect()
        };
        assert!(!names().contains(&"file.dead.unfinished".to_owned()), "{:?}", names());
        assert_eq!(names().len(), 4, "{:?}", names());
        living.write_all(b"first").expect("room");
        living.finish(Durability::Fast).expect("the file is still there");
        assert_eq!(fs::read_to_string(&path).expect("a file"), "first");
        assert_eq!(names().len(), 3, "{:?}", names());
    }

    #[cfg(unix)]
    #[test]
    fn devices_stay_devices_and_links_stay_links() {
        use std::os::unix::fs::{FileTypeExt, symlink};
        replace("/dev/null".as_ref(), &[b"text"], Durability::Synced).expect("it takes everything");
        assert!(
            fs::metadata("/dev/null")
                .expect("a device")
                .file_type()
                .is_char_device()
        );
        let folder = tempfile::tempdir().expect("a folder");
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        symlink("target", &link).expect("a link");
        for content in ["first", "second"] {
            replace(&link, &[content.as_bytes()], Durability::Fast).expect("a writable folder");
            assert_eq!(fs::read_to_string(&target).expect("a file"), content);
            assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_new_file_has_the_usual_permissions_and_a_replaced_one_keeps_its_own() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let mode = |name: &str| {
            let file = fs::metadata(folder.path().join(name)).expect("a file");
            file.permissions().mode()
        };
        let ours = folder.path().join("ours");
        replace(&ours, &[b""], Durability::Fast).expect("a writable folder");
        fs::write(folder.path().join("plain"), b"").expect("a writable folder");
        assert_eq!(mode("ours"), mode("plain"));
        fs::set_permissions(&ours, fs::Permissions::from_mode(0o600)).expect("our file");
        replace(&ours, &[b"secret"], Durability::Fast).expect("a writable folder");
        assert_eq!(mode("ours") & 0o777, 0o600);
    }
}
