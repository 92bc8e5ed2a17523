//! The real binary on Java made for one test: what the tests of the command line have in common.
//!
//! ```text
//! let project = Project::java("public class MadeTest { ... }");
//! let scan = project.scan(&["--min-probability", "0"]);       the JSON of a scan
//! project.peeler(&["scan", "nowhere"]).refused(&["nowhere"]); status 2 and words that help
//! ```
//!
//! Every run begins in the project's folder, so arguments are relative and messages name no folder of the machine.

// Every test file compiles this module for itself and uses its own part of it.
#![allow(dead_code)]

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The binary.
pub(crate) fn peeler() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_peeler"));
    // Results are kept for the next scan, but not among the user's.
    command.env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
    command
}

/// A file or folder of Peeler's own repository.
pub(crate) fn own(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Our own Java project.
pub(crate) fn samples() -> PathBuf {
    own("corpus/samples")
}

/// How a run ended and what it said.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// Starts a command and waits for its end.
    pub(crate) fn of(command: &mut Command) -> Self {
        let output = command.output().expect("the binary starts");
        let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
        Self {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    /// The same run, which has to have ended with `code`.
    pub(crate) fn ended(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        self
    }

    /// Exit status 2 and a message that holds all of the words.
    pub(crate) fn refused(self, words: &[&str]) {
        let Self { stderr, .. } = self.ended(2);
        for word in words {
            assert!(stderr.contains(word), "{stderr:?} does not say {word:?}");
        }
        assert!(!stderr.contains("panicked"), "{stderr}");
    }

    /// Standard output as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// A folder with Java in it, gone at the end of the test.
pub(crate) struct Project(tempfile::TempDir);

impl Project {
    /// The given files.
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let project = Self(tempfile::tempdir().expect("a temporary folder"));
        for (path, text) in files {
            project.write(path, text);
        }
        project
    }

    /// One file, `MadeTest.java`.
    pub(crate) fn java(source: &str) -> Self {
        Self::of(&[("MadeTest.java", source)])
    }

    /// No file at all.
    pub(crate) fn empty() -> Self {
        Self::of(&[])
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("a folder");
        std::fs::write(path, content).expect("a file");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Runs the binary in the folder.
    pub(crate) fn peeler<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Ran {
        Ran::of(peeler().args(arguments).current_dir(self.0.path()))
    }

    /// The JSON of a scan of the folder that takes every test for a finding.
    pub(crate) fn scan(&self, arguments: &[&str]) -> Value {
        let all = ["scan", "--format", "json", "--min-probability", "0"];
        self.peeler(&[&all, arguments].concat()).json()
    }
}

/// The names of the tests that a scan found, in its order.
pub(crate) fn found(scan: &Value) -> Vec<&str> {
    let findings = scan["findings"].as_array().expect("findings");
    findings.iter().map(|it| it["test"].as_str().expect("a name")).collect()
}
