//! A file of another revision is selected exactly when a walk over the folder would find it.

use std::collections::BTreeSet;
use std::path::Path;

use peeler_analysis::{Repository, Selection};

const FILES: [&str; 16] = [
    "A.java",
    "notes.txt",
    ".hidden/B.java",
    ".C.java",
    "pom.xml",
    "target/D.java",
    "app/pom.xml",
    "app/build/E.java",
    "app/src/target/F.java",
    "generated/G.java",
    "generated/kept/H.java",
    "app/src/I.java",
    "app/src/Skipped.java",
    "app/src/Kept.java",
    "app/vendored/J.java",
    "excluded/K.java",
];

fn made() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        std::fs::write(path, text).expect("a file");
    };
    for file in FILES {
        write(file, "class A {}");
    }
    write(".git/info/exclude", "excluded\n");
    write(".gitignore", "generated\nSkipped.java\nKept.java\n");
    write("app/src/.gitignore", "!Kept.java\n");
    write("app/.ignore", "vendored/\n");
    folder
}

fn check(root: &Path, files: &[&str]) {
    let walked = Repository::open(root).expect("a repository");
    let walked: BTreeSet<&str> = walked.files().iter().map(peeler_analysis::SourceFile::path).collect();
    let mut selection = Selection::new(root);
    let taken: BTreeSet<&str> = files.iter().copied().filter(|it| selection.takes(it)).collect();
    assert_eq!(walked, taken);
    assert!(!taken.is_empty());
}

#[test]
fn a_walk_and_a_selection_agree() {
    let folder = made();
    check(folder.path(), &FILES);
}

#[test]
fn rules_above_the_root_hold_below_it() {
    let folder = made();
    let below: Vec<&str> = FILES.iter().filter_map(|it| it.strip_prefix("app/")).collect();
    check(&folder.path().join("app"), &below);
}

#[test]
fn a_file_that_is_gone_is_judged_by_its_path() {
    let folder = made();
    let mut selection = Selection::new(folder.path());
    assert!(selection.takes("gone/long/ago/A.java"));
    assert!(!selection.takes("generated/gone/A.java"));
    assert!(!selection.takes("app/target/gone/A.java"));
}
