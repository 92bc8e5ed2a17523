//! The lookup of a class on a class path, in folders and archives, without starting Java.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use zip::ZipArchive;

/// Whether a class is on a class path. `file` is the path of its class file, such as `org/junit/Test.class`.
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

/// Whether an archive (JAR or other ZIP file) contains this file; `false` if it is not an archive.
fn archive_has(archive: &Path, file: &str) -> bool {
    let opened = File::open(archive).ok().map(BufReader::new);
    opened
        .and_then(|it| ZipArchive::new(it).ok())
        .is_some_and(|it| it.index_for_name(file).is_some())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use zip::write::{SimpleFileOptions, ZipWriter};

    use super::*;

    /// Writes an archive with one entry and a comment. The entry's content looks like the name of another entry.
    fn write_archive(path: &Path, name: &str) {
        let mut archive = ZipWriter::new(File::create(path).expect("a file"));
        let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        archive.start_file(name, stored).expect("an entry");
        archive.write_all(b"org/junit/Wrong.class").expect("its content");
        archive.set_comment("a comment").expect("a comment");
        archive.finish().expect("an archive");
    }

    #[test]
    fn a_class_is_found_in_folders_archives_and_folders_of_archives() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        std::fs::create_dir_all(root.join("classes/org/junit")).expect("a folder");
        std::fs::write(root.join("classes/org/junit/Test.class"), "").expect("a file");
        std::fs::create_dir(root.join("lib")).expect("a folder");
        write_archive(&root.join("lib/a.jar"), "org/junit/Test.class");
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
