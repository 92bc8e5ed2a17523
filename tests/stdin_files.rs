//! Tests of `peeler scan --stdin-files`, as a hook calls it: only tests of the named files are checked.

mod history;
mod support;

use std::path::Path;
use std::time::Duration;

use history::History;
use serde_json::Value;
use support::{Project, Ran, found, peeler};

const BASE: &str = "package shop; import org.junit.*; public class BaseTest {\n\
                    static boolean done() { return true; }\n\
                    @Test public void waits() throws Exception { Thread.sleep(10); Assert.assertTrue(done()); } }";
const HEIR: &str = "package shop; import org.junit.*; public class HeirTest extends BaseTest {\n\
                    @Test public void sleeps() throws Exception { Thread.sleep(20); Assert.assertTrue(done()); } }";
const OTHER: &str = "package shop; import org.junit.*; public class OtherTest {\n\
                     @Test public void idles() throws Exception { Thread.sleep(30); Assert.assertTrue(BaseTest.done()); } }";

fn project() -> Project {
    Project::of(&[
        ("src/BaseTest.java", BASE),
        ("src/HeirTest.java", HEIR),
        ("more/OtherTest.java", OTHER),
        ("README.md", ""),
    ])
}

/// A scan in a folder with `names` on standard input.
fn piped(folder: &Path, names: &[u8], arguments: &[&str]) -> Ran {
    piped_after(Duration::ZERO, folder, names, arguments)
}

/// A scan in a folder with `names` on standard input, written after a pause.
fn piped_after(wait: Duration, folder: &Path, names: &[u8], arguments: &[&str]) -> Ran {
    let mut command = peeler();
    command.args(["scan", "--stdin-files", "--min-probability", "0"]);
    Ran::piped(command.args(arguments).current_dir(folder), wait, names)
}

fn scan(project: &Project, names: &str, arguments: &[&str]) -> Value {
    let ran = piped(
        &project.path(""),
        names.as_bytes(),
        &[&["--format", "json"], arguments].concat(),
    );
    assert_eq!(ran.stderr, "");
    ran.json()
}

/// The tests of all findings, including those that inherit their method.
fn sorted(scan: &Value) -> Vec<&str> {
    let mut names = found(scan);
    let findings = scan["findings"].as_array().expect("findings").iter();
    let inherited = findings.filter_map(|it| it["inherited_by"].as_array()).flatten();
    names.extend(inherited.filter_map(|it| it["test"].as_str()));
    names.sort_unstable();
    names
}

#[test]
fn only_tests_of_the_given_files_are_listed() {
    let project = project();
    let one = scan(&project, "more/OtherTest.java\n", &[]);
    assert_eq!(found(&one), ["shop.OtherTest#idles"]);
    let summary = &one["summary"];
    assert_eq!((&summary["files"], &summary["tests"]), (&3.into(), &1.into()));
    assert_eq!(summary["given"], serde_json::json!({"files": 1, "others": 3}));
    // Code under test is read from any file.
    assert!(one["findings"][0]["graph"].to_string().contains("shop.BaseTest#done"));
    let shown = piped(&project.path(""), b"more/OtherTest.java\n", &[]).ended(1).stdout;
    let closing = " among 1 test of 1 given file (3 of others left out) in 3 Java files,";
    assert!(shown.contains("\n1 finding: ") && shown.contains(closing), "{shown}");
}

#[test]
fn an_inherited_test_belongs_to_the_file_of_its_class_and_to_that_of_its_method() {
    let project = project();
    let heirs = ["shop.HeirTest#sleeps", "shop.HeirTest#waits"];
    assert_eq!(sorted(&scan(&project, "src/HeirTest.java\n", &[])), heirs);
    assert_eq!(
        sorted(&scan(&project, "./src/../src/BaseTest.java", &[])),
        ["shop.BaseTest#waits", "shop.HeirTest#waits"]
    );
}

#[test]
fn names_end_with_a_line_or_a_nul_and_may_be_whole_or_quoted() {
    let project = project();
    project.write("more/Größe Test.java", OTHER.replace("OtherTest", "SizeTest"));
    let whole = project.path("src/HeirTest.java").display().to_string();
    let all = format!("{whole}\0more/Größe Test.java\0");
    assert_eq!(
        sorted(&scan(&project, &all, &[])),
        ["shop.HeirTest#sleeps", "shop.HeirTest#waits", "shop.SizeTest#idles"]
    );
    let quoted = "\"more/Gr\\303\\266\\303\\237e Test.java\"\r\n";
    assert_eq!(
        found(&scan(&project, quoted.trim_end_matches('\r'), &[])).len(),
        0,
        "ends with a quote only"
    );
    assert_eq!(
        found(&scan(&project, &quoted.replace('\r', ""), &[])),
        ["shop.SizeTest#idles"]
    );
}

#[test]
fn the_time_counts_from_the_start_of_the_command() {
    let project = project();
    let late = Duration::from_secs(3);
    let ran = piped_after(late, &project.path(""), b"", &["--format", "json"]).ended(0);
    let milliseconds = ran.json()["summary"]["milliseconds"].as_u64().expect("a time");
    // Starting the program takes a part of the wait, and a scan of no tests takes almost no time.
    assert!((2000..30_000).contains(&milliseconds), "{milliseconds}");
}

#[test]
fn nothing_given_is_nothing_found() {
    let project = project();
    for names in ["", "\n\n", "README.md\nsrc/GoneTest.java\nsrc\n"] {
        let ran = piped(&project.path(""), names.as_bytes(), &[]).ended(0);
        let closing = " among 0 tests of 0 given files (4 of others left out) in 3 Java files,";
        assert!(ran.stdout.starts_with("no findings "), "{names:?}: {}", ran.stdout);
        assert!(ran.stdout.contains(closing), "{names:?}: {}", ran.stdout);
        assert_eq!(ran.stderr, "");
    }
}

#[test]
fn a_java_file_that_is_not_scanned_is_remarked() {
    let project = project();
    project.write(".hidden/HiddenTest.java", OTHER);
    let ran = piped(&project.path(""), b"more/OtherTest.java\nsrc/HeirTest.java\n", &["src"]).ended(1);
    assert!(ran.stdout.contains("shop.HeirTest#sleeps"), "{}", ran.stdout);
    assert_eq!(
        ran.stderr,
        "note: more/OtherTest.java was not scanned: it is outside the given paths, ignored or hidden\n"
    );
    let names = b"more/OtherTest.java\n.hidden/HiddenTest.java\n";
    let ran = piped(&project.path(""), names, &["src"]).ended(0);
    assert!(
        ran.stderr
            .starts_with("note: 2 of the given Java files were not scanned, more/OtherTest.java is the first"),
        "{}",
        ran.stderr
    );
}

#[test]
fn several_roots_share_what_is_given() {
    let project = project();
    let both = scan(&project, "more/OtherTest.java\nsrc/BaseTest.java\n", &["src", "more"]);
    assert_eq!(
        sorted(&both),
        ["shop.BaseTest#waits", "shop.HeirTest#waits", "shop.OtherTest#idles"]
    );
    assert_eq!(both["summary"]["given"], serde_json::json!({"files": 2, "others": 1}));
}

#[test]
fn a_look_at_some_files_keeps_the_rest_of_a_baseline() {
    let project = project();
    let known = ["scan", "--min-probability", "0", "--write-baseline", "known.json"];
    project.peeler(&known).ended(0);
    let before = project.read("known.json");
    assert_eq!(before.matches("\"test\":").count(), 4);
    let some = scan(&project, "src/HeirTest.java\n", &["--baseline", "known.json"]);
    assert_eq!(
        (&some["summary"]["known"], &some["summary"]["stale"]),
        (&2.into(), &0.into())
    );
    project.write("src/HeirTest.java", HEIR.replace("sleeps", "dozes"));
    let arguments = ["--baseline", "known.json", "--write-baseline", "known.json"];
    piped(&project.path(""), b"src/HeirTest.java\n", &arguments).ended(0);
    let after = project.read("known.json");
    assert!(
        after.contains("OtherTest#idles") && after.contains("HeirTest#dozes"),
        "{after}"
    );
    assert_eq!(
        after.matches("\"test\":").count(),
        5,
        "only a whole scan takes entries out: {after}"
    );
}

#[test]
fn a_look_at_changed_tests_makes_no_entry_of_a_baseline_stale() {
    let history = History::new();
    let folder = history.0.path();
    let run = |arguments: &[&str]| {
        let all = [&["scan", "--min-probability", "0", "--format", "json"], arguments].concat();
        Ran::of(peeler().args(all).current_dir(folder))
    };
    run(&["--write-baseline", "known.json"]).ended(0);
    history.edit("CartTest.java", "assertEquals(2,", "assertEquals(3,");
    let changed = run(&["--since", "HEAD", "--baseline", "known.json"]).json();
    assert_eq!(changed["summary"]["since"]["unchanged"], 3);
    assert_eq!(changed["summary"]["stale"], 0);
    // With both options, a test must be changed and in a named file.
    let names = b"src/test/java/shop/ClockTest.java\n";
    let both = piped(folder, names, &["--since", "HEAD", "--format", "json"]).json();
    assert_eq!(found(&both).len(), 0);
    assert_eq!(both["summary"]["given"]["others"], 3);
}
