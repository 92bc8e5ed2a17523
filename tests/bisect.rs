//! End-to-end tests of `peeler confirm --bisect`: the binary, git, and real JVMs on a project of seven commits.
//!
//! A script replaces Maven. It compiles with `javac` and writes the file that the real plugin would write.
#![cfg(unix)]

#[path = "../crates/peeler-rerun/tests/jvm/javac.rs"]
mod javac;
mod support;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use javac::{JUNIT4, jars};
use support::{Project, Ran, peeler};

const VICTIM: &str = "shop.VictimTest#reads";

const MAVEN: &str = r#"#!/bin/sh
set -e
mkdir -p target/classes
[ ! -d src/main ] || javac -d target/classes $(find src/main -name '*.java')
[ ! -d src/test ] || {
  mkdir -p target/test-classes
  javac -cp target/classes:${archives} -d target/test-classes $(find src/test -name '*.java')
}
printf %s ${archives} > target/peeler-classpath.txt
"#;

const VICTIM_SOURCE: &str = "package shop;
public class VictimTest {
    @org.junit.Test public void reads() { org.junit.Assert.assertEquals(\"EUR\", new Prices().currency()); }
}";

const POLLUTER_SOURCE: &str = "package shop;
public class PolluterTest {
    @org.junit.Test public void converts() { new Prices().convert(\"USD\"); }
}";

/// The class `Prices`, with a currency that is either a field of an object or of the class.
fn prices(modifier: &str) -> String {
    format!(
        "package shop; class Prices {{ private {modifier} String currency = \"EUR\"; \
         void convert(String to) {{ currency = to; }} String currency() {{ return currency; }} }}"
    )
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut git = Command::new("git");
    git.args(arguments).current_dir(folder);
    // A git hook that runs these tests sets variables for its own repository.
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        git.env_remove(name);
    }
    for role in ["AUTHOR", "COMMITTER"] {
        git.env(format!("GIT_{role}_NAME"), "A. Tester");
        git.env(format!("GIT_{role}_EMAIL"), "tester@example.org");
        git.env(format!("GIT_{role}_DATE"), "2024-01-01T00:00:00Z");
    }
    git.env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1");
    Ran::of(&mut git).ended(0).stdout
}

/// A project under version control, and a folder for temporary files of its own.
struct History {
    project: Project,
    temporary: tempfile::TempDir,
}

impl History {
    /// A project with a build and no test.
    fn new(script: &str) -> Self {
        let archives = std::env::join_paths(jars(&JUNIT4)).expect("a class path");
        let script = script.replace("${archives}", archives.to_str().expect("a text"));
        let project = Project::of(&[("pom.xml", ""), (".gitignore", "target\n"), ("mvnw", &script)]);
        std::fs::set_permissions(project.path("mvnw"), std::fs::Permissions::from_mode(0o755)).expect("a mode");
        git(&project.path("."), &["init", "--quiet"]);
        let history = Self {
            project,
            temporary: tempfile::tempdir().expect("a folder"),
        };
        history.commit("Begin", &[]);
        history
    }

    /// A project whose victim is broken by its polluter since the commit `Share`. The commit `Break` does not compile.
    fn shop() -> Self {
        let history = Self::new(MAVEN);
        let source = "src/main/java/shop/Prices.java";
        let tests = [
            (source, prices("/* of an object */")),
            ("src/test/java/shop/VictimTest.java", VICTIM_SOURCE.to_owned()),
            ("src/test/java/shop/PolluterTest.java", POLLUTER_SOURCE.to_owned()),
        ];
        history.commit("Test", &tests);
        history.commit("Break", &[(source, "class".to_owned())]);
        history.commit("Mend", &[(source, prices(""))]);
        history.commit("Share", &[(source, prices("static")), ("NEWS", "faster".to_owned())]);
        history.commit("Explain", &[("README", "prices".to_owned())]);
        history.commit("Explain more", &[("README", "all prices".to_owned())]);
        history
    }

    fn commit(&self, subject: &str, files: &[(&str, String)]) {
        for (name, text) in files {
            self.project.write(name, text);
        }
        let folder = self.project.path(".");
        git(&folder, &["add", "."]);
        git(&folder, &["commit", "--quiet", "-m", subject]);
        git(&folder, &["tag", &subject.replace(' ', "-")]);
    }

    /// The command `peeler confirm` in the project.
    fn confirm(&self, arguments: &[&str]) -> Command {
        let mut command = peeler();
        command.arg("confirm").args(arguments);
        command.current_dir(self.project.path("."));
        command.env("TMPDIR", self.temporary.path());
        command
    }

    fn ran(&self, arguments: &[&str]) -> Ran {
        Ran::of(&mut self.confirm(arguments))
    }

    /// Everything of the project's repository that a bisection must leave alone.
    fn state(&self) -> (String, String, Vec<u8>) {
        let folder = self.project.path(".");
        let index = std::fs::read(folder.join(".git/index")).expect("an index");
        let status = git(&folder, &["--no-optional-locks", "status", "--porcelain"]);
        (status, git(&folder, &["for-each-ref"]), index)
    }

    fn temporary_files(&self) -> Vec<String> {
        let entries = self.temporary.path().read_dir().expect("a folder").flatten();
        entries
            .map(|it| it.file_name().to_string_lossy().into_owned())
            .collect()
    }

    /// Writes a log in which the tests both passed and failed.
    fn write_log(&self, tests: &[&str]) {
        let mut lines = vec![json!({"event": "session", "format": 1, "code": "other"}).to_string()];
        for (test, outcome) in tests.iter().flat_map(|it| [(it, "passed"), (it, "failed")]) {
            let run = json!({"event": "run", "test": test, "stage": "repeat", "jvm": 1, "outcome": outcome,
                "milliseconds": 1});
            lines.push(run.to_string());
        }
        self.project.write(".peeler/evidence.jsonl", lines.join("\n") + "\n");
        self.project.write(".peeler/.gitignore", "*\n");
    }
}

#[test]
fn the_commit_that_made_a_test_flaky_is_found_in_a_clone() {
    let history = History::shop();
    let recorded = history.ran(&["--runs", "2", "--threshold", "2"]).ended(1);
    assert!(recorded.stdout.contains(&format!("FLAKY {VICTIM}")), "{recorded:?}");
    let log = history.project.read(".peeler/evidence.jsonl");
    // Changes that are not committed are neither used nor lost.
    history.project.write("src/main/java/shop/Prices.java", "nothing");
    let before = history.state();

    let found = history.ran(&["--bisect", "Test", "--runs", "2"]).ended(1);
    for part in [
        "BISECTED shop.VictimTest#reads",
        "the failure: behind shop.PolluterTest#converts",
        "the first bad commit:",
        "2024-01-01 A. Tester: Share",
        "changes, and the test loads: src/main/java/shop/Prices.java\n",
    ] {
        assert!(found.stdout.contains(part), "{part}: {found:?}");
    }
    for part in [
        "note: changes that are not committed are left out",
        "A. Tester: Explain more: bad, failed in attempt 1; 4 commits left, about 3 steps",
        "A. Tester: Test: good, passed 2 of 2 attempts; 4 commits left",
        "A. Tester: Mend: good, passed 2 of 2 attempts",
        "A. Tester: Share: bad, failed in attempt 1",
    ] {
        assert!(found.stderr.contains(part), "{part}: {found:?}");
    }
    assert!(!found.stderr.contains("is not the code"), "{found:?}");

    // No test exists at the first commit.
    let arguments = ["--bisect", "Begin", "--test", VICTIM, "--runs", "1", "--format", "json"];
    let report = history.ran(&arguments).ended(1).json();
    let bisection = &report["bisection"];
    assert_eq!(bisection["suspects"].as_array().map(Vec::len), Some(1), "{report}");
    let suspect = &bisection["suspects"][0];
    assert_eq!(suspect["subject"], "Share");
    assert_eq!(suspect["files"], json!(["NEWS", "src/main/java/shop/Prices.java"]));
    assert_eq!(suspect["loaded_files"], json!(["src/main/java/shop/Prices.java"]));
    assert!(
        bisection["notes"][0]
            .as_str()
            .is_some_and(|it| it.contains("does not exist at the good commit")),
        "{report}"
    );
    assert_eq!(report["tests"], json!([]));

    history.ran(&["--bisect", "Share", "--runs", "2"]).refused(&[
        "fails at the good commit too",
        "failed in attempt 1",
        "choose an older one",
    ]);
    history.ran(&["--bisect", "Break", "--runs", "2"]).refused(&[
        "does not tell whether the test passes",
        "does not build",
        "Prices.java",
    ]);
    assert_eq!(history.state(), before);
    assert_eq!(history.project.read("src/main/java/shop/Prices.java"), "nothing");
    assert_eq!(history.project.read(".peeler/evidence.jsonl"), log);
    assert_eq!(history.temporary_files(), [""; 0]);
}

#[test]
fn an_interrupted_bisection_leaves_no_clone_and_no_process() {
    let history = History::new("#!/bin/sh\ntouch target-of-a-build\nsleep 1000 & setsid sleep 1000 & wait\n");
    history.commit("Next", &[("README", "next".to_owned())]);
    history.write_log(&[VICTIM]);
    let before = history.state();
    for signal in ["-INT", "-TERM"] {
        let mut child = history
            .confirm(&["--bisect", "Begin"])
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mark = format!("PEELER_RUN={}-", child.id());
        until("the build is under way", || marked(&mark) >= 3);
        assert_ne!(history.temporary_files(), [""; 0], "the clone is there");
        let status = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(status.expect("kill").success());
        let mut said = String::new();
        let mut stream = child.stderr.take().expect("a stream");
        std::io::Read::read_to_string(&mut stream, &mut said).expect("a text");
        assert_eq!(child.wait().expect("it ends").code(), Some(2), "{said}");
        assert!(said.contains("interrupted"), "{said}");
        assert_eq!((marked(&mark), history.temporary_files()), (0, Vec::new()), "{signal}");
    }
    assert_eq!(history.state(), before);
    assert!(!history.project.path("target-of-a-build").exists());
}

#[test]
fn what_cannot_be_bisected_names_the_remedy() {
    let history = History::new(MAVEN);
    history.commit("Next", &[("README", "next".to_owned())]);
    history.write_log(&["a.A#one", "a.A#two"]);
    let begin = |more: &[&str]| history.ran(&[&["--bisect", "Begin"], more].concat());
    begin(&[]).refused(&["2 flaky tests", "--test: a.A#one, a.A#two"]);
    begin(&["--test", "a.A#three"]).refused(&["does not prove that a.A#three is flaky"]);
    begin(&["--test", "a.A#one", "--test", "a.A#two"]).refused(&["give --test once"]);
    begin(&["--test", "a.A#one", "--format", "junit"]).refused(&["--format text or json"]);
    begin(&["--classpath", "lib"]).refused(&["--classpath", "cannot be used with"]);
    // The build has no test at all.
    begin(&["--test", "a.A#one"]).refused(&["does not occur at HEAD", "is the test committed?"]);
    history
        .ran(&["--bisect", "never", "--test", "a.A#one"])
        .refused(&["has no commit never"]);
    history.write_log(&[]);
    begin(&[]).refused(&["contains no flaky test"]);
}

fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !condition() {
        assert!(Instant::now() < end, "never: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The number of live processes that have a mark in their environment.
fn marked(mark: &str) -> usize {
    let entries = std::fs::read_dir("/proc").expect("processes").flatten();
    let environments = entries.filter_map(|it| std::fs::read(it.path().join("environ")).ok());
    environments
        .filter(|it| it.split(|&byte| byte == 0).any(|it| it.starts_with(mark.as_bytes())))
        .count()
}
