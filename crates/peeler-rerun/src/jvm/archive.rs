//! Which frameworks are on a class path, without asking Java.
//!
//! A folder has a class as a file. An archive lists its entries in a directory at its end, with names that are not
//! compressed, so a name can be looked for there.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The directory's own entry at the very end of an archive, without a comment.
const END_LENGTH: u64 = 22;

/// The longest comment that may follow it.
const LONGEST_COMMENT: u64 = 65_535;

/// Whether a class is on a class path, by the path of its file: `org/junit/Test.class`.
#[must_use]
pub(super) fn has_class(classpath: &[PathBuf], file: &str) -> bool {
    classpath.iter().any(|entry| {
        if entry.file_name().is_some_and(|it| it == "*") {
            let folder = entry.parent().and_then(|it| it.read_dir().ok());
            return folder.is_some_and(|it| it.flatten().any(|jar| archive_has(&jar.path(), file)));
        }
        entry.join(file).is_file() || archive_has(entry, file)
    })
}

fn archive_has(archive: &Path, file: &str) -> bool {
    let name = file.as_bytes();
    directory(archive).is_some_and(|it| it.windows(name.len()).any(|window| window == name))
}

/// The directory of an archive; none where it is no archive.
fn directory(archive: &Path) -> Option<Vec<u8>> {
    let mut file = File::open(archive).ok()?;
    let length = file.metadata().ok().filter(std::fs::Metadata::is_file)?.len();
    let tail_length = length.min(END_LENGTH + LONGEST_COMMENT);
    file.seek(SeekFrom::Start(length - tail_length)).ok()?;
    let mut tail = Vec::new();
    file.read_to_end(&mut tail).ok()?;
    let end = tail.windows(4).rposition(|it| it == b"PK\x05\x06")?;
    let number = |at: usize| {
        let bytes = tail.get(end + at..end + at + 4)?;
        Some(u64::from(u32::from_le_bytes(bytes.try_into().ok()?)))
    };
    let (size, start) = (number(12)?, number(16)?);
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut directory = Vec::new();
    file.take(size).read_to_end(&mut directory).ok()?;
    Some(directory)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An archive with the name of one entry in its directory, as far as it is read.
    fn archive(name: &str, comment: &str) -> Vec<u8> {
        let content = b"the content may say org/junit/Wrong.class";
        let directory = [b"PK\x01\x02 header ", name.as_bytes()].concat();
        let number = |value: usize| u32::try_from(value).expect("small").to_le_bytes();
        [
            &content[..],
            &directory,
            b"PK\x05\x06\0\0\0\0\0\0\0\0",
            &number(directory.len()),
            &number(content.len()),
            b"\0\0",
            comment.as_bytes(),
        ]
        .concat()
    }

    #[test]
    fn a_class_is_found_in_folders_archives_and_folders_of_archives() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        std::fs::create_dir_all(root.join("classes/org/junit")).expect("a folder");
        std::fs::write(root.join("classes/org/junit/Test.class"), "").expect("a file");
        std::fs::create_dir(root.join("lib")).expect("a folder");
        std::fs::write(root.join("lib/a.jar"), archive("org/junit/Test.class", "a comment")).expect("a file");
        for entry in ["classes", "lib/a.jar", "lib/*"] {
            let classpath = [root.join(entry)];
            assert!(has_class(&classpath, "org/junit/Test.class"), "{entry}");
            assert!(!has_class(&classpath, "org/junit/Wrong.class"), "{entry}");
        }
    }

    #[test]
    fn what_is_no_archive_has_no_class() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("notes.txt");
        for text in [&b""[..], b"PK\x05\x06", b"org/junit/Test.class"] {
            std::fs::write(&file, text).expect("a file");
            assert!(!has_class(std::slice::from_ref(&file), "org/junit/Test.class"));
        }
        assert!(!has_class(&[folder.path().join("nothing.jar")], "org/junit/Test.class"));
    }
}
