//! Java samples, copied and compiled. Tests of this crate and of the command line share this module.

// Each test file that includes this module uses only a part of it.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder in which Debian's packages `junit4`, `junit5` and `testng` install their archives.
const JARS: &str = "/usr/share/java";

/// The archives of the JUnit platform that the tests need.
pub(crate) const PLATFORM: [&str; 8] = [
    "junit-jupiter-api",
    "junit-jupiter-engine",
    "junit-jupiter-params",
    "junit-platform-commons",
    "junit-platform-engine",
    "junit-platform-launcher",
    "opentest4j",
    "apiguardian-api",
];

/// The archives of JUnit 4 that the tests need.
pub(crate) const JUNIT4: [&str; 2] = ["junit4", "hamcrest-all"];

/// The archives of TestNG 6.9.12 and of the libraries that every TestNG needs.
pub(crate) const TESTNG: [&str; 3] = ["testng", "jcommander", "bsh"];

/// The paths of archives with these names.
pub(crate) fn jars(names: &[&str]) -> Vec<PathBuf> {
    let jar = |name: &&str| {
        let path = Path::new(JARS).join(format!("{name}.jar"));
        assert!(
            path.is_file(),
            "{} is missing: install junit4, junit5 and testng, as ./run-tests does",
            path.display()
        );
        path
    };
    names.iter().map(jar).collect()
}

/// Compiles all sources in one folder of a project into another.
pub(crate) fn compile(root: &Path, sources: &str, out: &str, classpath: &[PathBuf]) {
    let mut files = Vec::new();
    java_files(&root.join(sources), &mut files);
    let mut command = Command::new("javac");
    command.arg("-d").arg(root.join(out)).args(files);
    if !classpath.is_empty() {
        command
            .arg("-cp")
            .arg(std::env::join_paths(classpath).expect("a class path"));
    }
    let output = command.output().expect("a compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn java_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in folder.read_dir().expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            java_files(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// Copies a folder with everything in it.
pub(crate) fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in from.read_dir().expect("a folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, &target).expect("a copy");
        }
    }
}

/// Copies a sample of this crate to `root` and compiles it with its tests. Returns the class path of the tests.
pub(crate) fn compiled_sample(sample: &Path, root: &Path) -> String {
    let _ = std::fs::remove_dir_all(root);
    copy(sample, root);
    let archives = jars(&[&PLATFORM[..], &JUNIT4].concat());
    compile(root, "src", "classes", &archives);
    let classpath = [&[root.join("classes")], &archives[..]].concat();
    let joined = std::env::join_paths(classpath).expect("a class path");
    joined.into_string().expect("a class path in UTF-8")
}
