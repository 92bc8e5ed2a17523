//! `peeler libraries`: facts about libraries from source archives, with an archive of our own Java.

mod support;

use std::io::Write as _;

use support::{Project, Ran};
use zip::CompressionMethod;
use zip::write::{SimpleFileOptions, ZipWriter};

const TAGS: &str = "package com.acme; import java.util.*;
    public class Tags {
        private final Map<String, String> all = new HashMap<>();
        public Set<String> names() { return all.keySet(); }
        public int size() { return all.size(); }
        public static String joined(Collection<String> tags) { return String.join(\",\", tags); }
        public static List<String> sorted(Set<String> tags) { return new ArrayList<>(new TreeSet<>(tags)); }
        public static String fresh(String prefix) { return prefix + UUID.randomUUID(); }
        Set<String> hidden() { return all.keySet(); }
    }";

const BAG: &str = "package com.acme; import java.util.*;
    public class Bag extends HashSet<String> { }
    class Unseen { public Set<String> names() { return new HashSet<>(); } }";

const SUB: &str = "package com.acme; import java.util.*;
    public class SortedTags extends Tags {
        @Override public Set<String> names() { return new TreeSet<>(); }
    }";

/// Bytes of an archive with some files, compressed like those of Maven.
fn archive(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let deflated = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, text) in files {
        archive.start_file(*name, deflated).expect("an entry");
        archive.write_all(text.as_bytes()).expect("its content");
    }
    archive.finish().expect("an archive").into_inner()
}

fn library() -> Project {
    let project = Project::empty();
    let files = [
        ("com/acme/Tags.java", TAGS),
        ("com/acme/Bag.java", BAG),
        ("com/acme/SortedTags.java", SUB),
        (
            "META-INF/versions/9/com/acme/Bag.java",
            "package com.acme; public class Bag { }",
        ),
    ];
    project.write("jars/acme-1-sources.jar", archive(&files));
    project
}

fn shown(project: &Project, table: &str) -> Ran {
    project.peeler(&["libraries", "show", "--table", table]).ended(0)
}

#[test]
fn facts_are_about_public_methods_with_something_to_tell() {
    let project = library();
    let built = project
        .peeler(&["libraries", "build", "jars", "-o", "facts.bin"])
        .ended(0);
    assert!(
        built.stderr.contains("1 archives read, 0 skipped: 3 public classes"),
        "{}",
        built.stderr
    );
    let lines = shown(&project, "facts.bin").stdout;
    let expected = [
        "com.acme.Bag: Set, Unordered",
        "com.acme.SortedTags.names/0: Set",
        "com.acme.Tags.fresh/1: Text, GeneratedId, parameter 0 changes the result",
        "com.acme.Tags.joined/1: Text, parameter 0 shows its order as Text",
        "com.acme.Tags.names/0: Set, HashOrder as Container",
        "com.acme.Tags.sorted/1: List, parameter 0 is put in order",
    ];
    assert_eq!(lines.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn two_builds_give_the_same_bytes() {
    let project = library();
    let copy = std::fs::read(project.path("jars/acme-1-sources.jar")).expect("an archive");
    project.write("jars/acme-2-sources.jar", copy);
    project.peeler(&["libraries", "build", "jars", "-o", "a.bin"]).ended(0);
    let turned = [
        "libraries",
        "build",
        "jars/acme-2-sources.jar",
        "jars/acme-1-sources.jar",
        "-o",
        "b.bin",
    ];
    project.peeler(&turned).ended(0);
    let bytes = |name| std::fs::read(project.path(name)).expect("a table");
    assert_eq!(bytes("a.bin"), bytes("b.bin"));
}

#[test]
fn what_is_no_source_archive_is_named_and_skipped() {
    let project = library();
    project.write("jars/broken-sources.jar", "no archive");
    project.write("jars/empty-sources.jar", archive(&[("README", "nothing")]));
    let built = project
        .peeler(&["libraries", "build", "jars", "-o", "facts.bin"])
        .ended(0);
    let words = [
        "broken-sources.jar: it is no archive",
        "empty-sources.jar: it contains no readable Java file",
        "2 skipped",
    ];
    for word in words {
        assert!(built.stderr.contains(word), "{:?} does not say {word:?}", built.stderr);
    }
    let only = ["libraries", "build", "jars/broken-sources.jar", "-o", "none.bin"];
    project.peeler(&only).refused(&["none of 1 archives", "-sources.jar"]);
    assert!(!project.path("none.bin").exists());
    project
        .peeler(&["libraries", "build", "nowhere", "-o", "none.bin"])
        .refused(&["nowhere", "does not exist"]);
}

#[test]
fn a_table_that_is_foreign_truncated_or_of_another_version_is_refused() {
    let project = library();
    project
        .peeler(&["libraries", "build", "jars", "-o", "facts.bin"])
        .ended(0);
    let bytes = std::fs::read(project.path("facts.bin")).expect("a table");
    let refused = |content: &[u8], words: &[&str]| {
        project.write("other.bin", content);
        project
            .peeler(&["libraries", "show", "--table", "other.bin"])
            .refused(words);
    };
    refused(b"something else", &["other.bin", "no table", "peeler libraries build"]);
    refused(&bytes[..bytes.len() - 7], &["other.bin", "damaged", "build it again"]);
    refused(&bytes[..12], &["other.bin", "damaged"]);
    let mut newer = bytes;
    newer[8] += 1;
    refused(&newer, &["other.bin", "version", "build it again"]);
}
