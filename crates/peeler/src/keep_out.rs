//! Lists of repositories that must not be learned from, because models are judged on them.
//!
//! ```text
//! apache/curator      the clone, folders and archives called curator or curator-*
//! assertj-core        archives and folders called assertj-core or assertj-core-*
//! ```

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::clones;
use crate::maven_poms;
use crate::source_archive;
use crate::source_libraries::{LibraryKind, SourceLibrary};

/// The repositories and artifacts that lists name, in lower case.
#[derive(Debug, Default)]
pub(crate) struct KeepOut {
    /// Names of repositories with their owners.
    repositories: BTreeSet<String>,
    /// Names of repositories without their owners, and of artifacts.
    names: BTreeSet<String>,
}

impl KeepOut {
    /// Reads lists, which have one name a line. Empty lines and lines that begin with `#` mean nothing.
    pub(crate) fn read(files: &[PathBuf]) -> anyhow::Result<Self> {
        let mut lists = Self::default();
        for file in files {
            for line in clones::names(file)?.into_iter().filter(|it| !it.starts_with('#')) {
                let name = line.rsplit('/').next().unwrap_or_default();
                lists.names.insert(name.to_owned());
                if name.len() < line.len() {
                    lists.repositories.insert(line);
                }
            }
        }
        Ok(lists)
    }

    /// Whether a list names a library: by its own name, the beginning of it, its git remote, its Maven descriptor, or
    /// the POM beside it and the parents of that.
    pub(crate) fn names(&self, library: &SourceLibrary) -> bool {
        if self.names.is_empty() {
            return false;
        }
        let own = library.name.to_lowercase();
        let has_name = |own: &str| {
            let starts = own.match_indices('-').map(|(at, _)| &own[..at]);
            starts.chain([own]).any(|it| self.names.contains(it))
        };
        has_name(own.rsplit('/').next().unwrap_or_default())
            || match library.kind {
                LibraryKind::Folder => {
                    let remote = clones::remote_name(&library.path);
                    remote.is_some_and(|it| self.repositories.contains(&it.to_lowercase()))
                }
                LibraryKind::Archive => self.is_described(&library.path),
            }
    }

    /// Whether a Maven descriptor in an archive or a POM of it has the address of a listed repository on GitHub.
    fn is_described(&self, archive: &Path) -> bool {
        let poms = maven_poms::poms_of(archive);
        self.has_address(&source_archive::descriptors(archive)) || poms.iter().any(|it| self.has_address(it))
    }

    /// Whether a text has the address of a listed repository on GitHub.
    fn has_address(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        let mut addresses = text.split("github.com").skip(1);
        addresses.any(|rest| {
            let rest = rest.trim_start_matches([':', '/']);
            let end = rest.find(|it: char| !(it.is_alphanumeric() || "-_./".contains(it)));
            let mut parts = rest[..end.unwrap_or(rest.len())].split('/');
            let (owner, name) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            let name = name.strip_suffix(".git").unwrap_or(name);
            self.repositories.contains(&format!("{owner}/{name}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::path::PathBuf;

    use super::KeepOut;
    use crate::source_libraries::{LibraryKind, SourceLibrary};

    fn lists(text: &str) -> (tempfile::TempDir, KeepOut) {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("keep-out.txt");
        std::fs::write(&file, text).expect("a list");
        let lists = KeepOut::read(&[file]).expect("it is read");
        (folder, lists)
    }

    fn archive(name: &str, path: PathBuf) -> SourceLibrary {
        SourceLibrary {
            name: name.to_owned(),
            path,
            kind: LibraryKind::Archive,
        }
    }

    #[test]
    fn artifacts_are_named_by_their_repository_or_the_beginning_of_their_name() {
        let (_folder, lists) = lists("# judged on\nApache/Curator\n\nassertj-core\n");
        for (name, expected) in [
            ("curator", true),
            ("curator-client", true),
            ("curators", false),
            ("AssertJ-core", true),
            ("assertj", false),
            ("apache", false),
        ] {
            assert_eq!(lists.names(&archive(name, "none.jar".into())), expected, "{name}");
        }
        assert!(!KeepOut::default().names(&archive("curator", "none.jar".into())));
    }

    #[test]
    fn an_archive_of_a_maven_repository_is_named_by_the_address_in_a_parent_of_its_pom() {
        let (folder, lists) = lists("acme/shop\n");
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(&path, text).expect("a file");
            path
        };
        let parent = "<project><parent><groupId>com.acme</groupId><artifactId>all</artifactId><version>2</version>\
                      </parent><artifactId>till</artifactId></project>";
        write("m2/com/acme/till/1.0/till-1.0.pom", parent);
        let path = write("m2/com/acme/till/1.0/till-1.0-sources.jar", "");
        assert!(!lists.names(&archive("till", path.clone())), "the parent is missing");
        write(
            "m2/com/acme/all/2/all-2.pom",
            "<url>https://github.com/acme/shop/</url>",
        );
        assert!(lists.names(&archive("till", path)));
    }

    #[test]
    fn an_archive_is_named_by_the_address_in_its_descriptor() {
        let (folder, lists) = lists("acme/shop\n");
        for (text, expected) in [
            ("<url>https://github.com/Acme/Shop</url>", true),
            ("<connection>scm:git:git@github.com:acme/shop.git</connection>", true),
            ("<url>https://github.com/acme/shopping</url>", false),
            ("<url>https://github.com</url>", false),
        ] {
            let path = folder.path().join("cart-1-sources.jar");
            let mut made = zip::ZipWriter::new(std::fs::File::create(&path).expect("a file"));
            let options = zip::write::SimpleFileOptions::default();
            made.start_file("META-INF/maven/a/b/pom.xml", options)
                .expect("an entry");
            made.write_all(text.as_bytes()).expect("its content");
            made.finish().expect("an archive");
            assert_eq!(lists.names(&archive("cart", path)), expected, "{text}");
        }
    }
}
