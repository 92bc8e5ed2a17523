//! Atomic replacement of files.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

/// Replaces a file: readers find the old content or the new one, never a part.
///
/// The content reaches the disk before the file gets its name, so a crash does not leave an empty file.
///
/// # Errors
///
/// When the file or its folder cannot be written. The old file is then unchanged.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = temporary_file(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map(|_: File| ()).map_err(|error| error.error)
}

/// A temporary file with the permissions of any new file; `tempfile` would make it private.
fn temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".peeler-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // These are the permissions of any new file; the umask of the user is subtracted from them.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::replace;

    #[test]
    fn a_file_is_replaced_and_nothing_else_stays_in_its_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        for content in ["first", "second"] {
            replace(&path, content.as_bytes()).expect("a writable folder");
            assert_eq!(fs::read_to_string(&path).expect("a file"), content);
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
        assert!(replace(&folder.path().join("missing/file"), b"").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_replaced_file_has_the_permissions_of_any_new_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let mode = |name: &str| {
            fs::metadata(folder.path().join(name))
                .expect("a file")
                .permissions()
                .mode()
        };
        replace(&folder.path().join("ours"), b"").expect("a writable folder");
        fs::write(folder.path().join("plain"), b"").expect("a writable folder");
        assert_eq!(mode("ours"), mode("plain"));
    }
}
