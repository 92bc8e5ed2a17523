//! Writes files so that readers see the old content or the new one, never a part.

use std::io::{self, Write};
use std::path::Path;

use tempfile::Builder;

/// The suffix of temporary files that are still being written.
pub(crate) const UNFINISHED: &str = ".unfinished";

/// Replaces the content of a file. The pieces are written to a temporary file in the same folder, which is then
/// renamed.
pub(crate) fn replace(path: &Path, content: &[&[u8]]) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let prefix = format!("{name}.");
    let mut builder = Builder::new();
    builder.prefix(&prefix).suffix(UNFINISHED);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;

        // These are the permissions of any new file; the umask of the user is subtracted from them.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    for piece in content {
        file.write_all(piece)?;
    }
    file.persist(path).map(drop).map_err(|it| it.error)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_unfinished_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "old").unwrap();
        replace(&path, &[b"new ", b"text"]).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new text");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_missing_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(replace(&folder.path().join("missing/a.txt"), &[b"x"]).is_err());
    }
}
