//! Atomic replacement of files: readers find the old content or the new one, never a part.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

/// How sure it is that new content survives a crash of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// The content reaches the disk before the file gets its name.
    Synced,
    /// A crash of the machine may leave an empty file. For content that can be made again, such as a cache.
    Fast,
}

/// Replaces a file by pieces of content. They go to a temporary file beside it, which is then renamed.
///
/// # Errors
///
/// When the file or its folder cannot be written. The old file is then unchanged.
pub fn replace(path: &Path, content: &[&[u8]], durability: Durability) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = temporary_file(folder, path)?;
    for piece in content {
        file.write_all(piece)?;
    }
    if durability == Durability::Synced {
        file.as_file().sync_all()?;
    }
    file.persist(path).map(|_: File| ()).map_err(|error| error.error)
}

/// A temporary file with the permissions of any new file; `tempfile` would make it private.
fn temporary_file(folder: &Path, path: &Path) -> io::Result<NamedTempFile> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let prefix = format!("{name}.");
    let mut builder = Builder::new();
    builder.prefix(&prefix).suffix(".unfinished");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The operating system takes the user's umask off these.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Durability, replace};

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

    #[cfg(unix)]
    #[test]
    fn a_replaced_file_has_the_permissions_of_any_new_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let mode = |name: &str| {
            let file = fs::metadata(folder.path().join(name)).expect("a file");
            file.permissions().mode()
        };
        replace(&folder.path().join("ours"), &[b""], Durability::Fast).expect("a writable folder");
        fs::write(folder.path().join("plain"), b"").expect("a writable folder");
        assert_eq!(mode("ours"), mode("plain"));
    }
}
