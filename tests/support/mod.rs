//! Starts the real binary, mostly on Java that is written for one test.
//!
//! ```text
//! let project = Project::java("public class MadeTest { ... }");
//! let scan = project.scan(&["--min-probability", "0"]);       the JSON of a scan
//! project.peeler(&["scan", "nowhere"]).refused(&["nowhere"]); status 2 and words that help
//! ```
//!
//! A run of a `Project` begins in its folder, so arguments are relative and messages name no folder of the machine.
//! No other file of the tests knows where the binary is.

// Every test file compiles this module separately and uses only a part of it.
#![allow(dead_code)]

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

/// Path of the binary.
pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_peeler");

/// A command that starts the binary, without arguments. The environment variable `PEELER_BINARY` names another binary.
pub(crate) fn peeler() -> Command {
    let other = std::env::var_os("PEELER_BINARY");
    with_own_cache(Command::new(other.unwrap_or_else(|| BINARY.into())))
}

/// A command that starts the binary as a shell would: `line` begins with `peeler`.
pub(crate) fn shell(line: &str) -> Command {
    let rest = line.strip_prefix("peeler ").expect("a command line of the program");
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{BINARY} {rest}")]);
    with_own_cache(command)
}

/// The command with a cache in the target folder instead of the user's cache.
fn with_own_cache(mut command: Command) -> Command {
    command.env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
    command
}

/// Runs the binary in the folder of the tests.
pub(crate) fn run<A: AsRef<OsStr>>(arguments: &[A]) -> Ran {
    Ran::of(peeler().args(arguments))
}

/// Builds a corpus of our own Java project into a file.
pub(crate) fn build_corpus(labels: &Path, layout: &str, file: &Path) -> Ran {
    let mut command = peeler();
    command
        .args(["corpus", "build", "--layout", layout, "--labels"])
        .arg(labels);
    command.arg("--sources").arg(own("corpus")).arg("-o").arg(file);
    Ran::of(&mut command).ended(0)
}

/// Builds a corpus of our own Java project with its own labels.
pub(crate) fn build_sample_corpus(file: &Path) -> Ran {
    build_corpus(&own("corpus/samples-labels.csv"), "csv", file)
}

/// Commits all Java files in the folder of a repository on top of its `HEAD`, at a time in seconds since 1970.
pub(crate) fn commit_java(repository: &git2::Repository, message: &str, seconds: i64) {
    let mut index = repository.index().expect("an index");
    index
        .add_all(["*.java"], git2::IndexAddOption::DEFAULT, None)
        .expect("the files");
    let tree = index.write_tree().expect("a tree");
    index.write().expect("an index");
    let parent = repository.head().ok().and_then(|it| it.peel_to_commit().ok());
    let time = git2::Time::new(seconds, 0);
    let author = git2::Signature::new("a", "a@b", &time).expect("a name");
    let tree = repository.find_tree(tree).expect("a tree");
    let parents: Vec<_> = parent.iter().collect();
    let id = repository.commit(Some("HEAD"), &author, &author, message, &tree, &parents);
    id.expect("a commit");
}

/// The path of a file or folder of Peeler's own repository.
pub(crate) fn own(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The path of our own Java project.
pub(crate) fn samples() -> PathBuf {
    own("corpus/samples")
}

/// Exit status and output of a run that has ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// Starts a command and waits for its end.
    pub(crate) fn of(command: &mut Command) -> Self {
        Self::from(command.output().expect("the command starts"))
    }

    /// Starts a command, writes to its standard input after a pause, and waits for its end.
    pub(crate) fn piped(command: &mut Command, pause: Duration, input: &[u8]) -> Self {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut running = command.spawn().expect("the command starts");
        std::thread::sleep(pause);
        let mut stream = running.stdin.take().expect("an input");
        stream.write_all(input).expect("it reads its input");
        drop(stream);
        Self::from(running.wait_with_output().expect("an end"))
    }

    /// Checks the exit status and returns the run.
    pub(crate) fn ended(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        self
    }

    /// Checks that the exit status is 2 and that the message contains all of the words.
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

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
        Self {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

/// A temporary folder with Java files, removed at the end of the test.
pub(crate) struct Project(tempfile::TempDir);

impl Project {
    /// A folder with the given files: paths and texts.
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let project = Self(tempfile::tempdir().expect("a temporary folder"));
        for (path, text) in files {
            project.write(path, text);
        }
        project
    }

    /// A folder with one file, `MadeTest.java`.
    pub(crate) fn java(source: &str) -> Self {
        Self::of(&[("MadeTest.java", source)])
    }

    /// A folder without a file.
    pub(crate) fn empty() -> Self {
        Self::of(&[])
    }

    /// Path of a file or folder in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file and the folders above it.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("a folder");
        std::fs::write(path, content).expect("a file");
    }

    /// The text of a file.
    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Runs the binary in the folder.
    pub(crate) fn peeler<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Ran {
        Ran::of(peeler().args(arguments).current_dir(self.0.path()))
    }

    /// The JSON of a scan of the folder whose threshold is 0, so that every test is a finding.
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
