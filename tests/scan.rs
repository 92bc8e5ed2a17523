//! End-to-end tests of `peeler scan` on our own Java project.

mod support;

use std::fmt::Write as _;

use serde_json::Value;

use support::{Project, Ran, peeler, samples};

/// The source of two tests that sleep.
const SLEEPY: &str = "import org.junit.*; public class MadeTest {\n\
                      @Test public void first() throws Exception { Thread.sleep(10); Assert.assertTrue(done()); }\n\
                      @Test public void second() throws Exception { Thread.sleep(20); Assert.assertTrue(done()); }\n\
                      static boolean done() { return true; } }";

/// A scan of the samples.
fn scan(arguments: &[&str]) -> Ran {
    Ran::of(peeler().arg("scan").arg(samples()).args(arguments))
}

fn json(arguments: &[&str]) -> Value {
    scan(&[&["--format", "json"], arguments].concat()).json()
}

#[test]
fn findings_are_ranked_and_have_a_reason_a_path_and_a_line_that_sums_up() {
    let shown = scan(&["--min-probability", "0", "--top", "3"]).ended(1).stdout;
    assert!(!shown.contains('\u{1b}'), "no colours in a pipe");
    assert_eq!(shown.matches(" may be flaky").count(), 3, "{shown}");
    let closing = shown.lines().last().expect("a closing line");
    assert!(
        closing.starts_with("3 findings: ") && closing.contains(" among 342 tests in 170 Java files"),
        "{closing}"
    );
}

#[test]
fn exit_status_says_whether_there_are_findings() {
    let project = Project::java(SLEEPY);
    let scan = |arguments: &[&str]| project.peeler(&[&["scan"], arguments].concat());
    scan(&["--min-probability", "0"]).ended(1);
    scan(&["--min-probability", "0", "--exit-zero"]).ended(0);
    let nothing = scan(&["--min-probability", "1", "--ignore", "ALL"]).ended(0).stdout;
    assert!(
        nothing.contains("\nno findings by rules or the network (100% or more)"),
        "{nothing}"
    );
}

#[test]
fn what_a_user_ignores_everywhere_is_scanned() {
    let project = Project::java(SLEEPY);
    let user = Project::of(&[
        ("git/ignore", "*.java"),
        (".gitconfig", "[core]\nexcludesFile = ~/git/ignore"),
    ]);
    let mut command = peeler();
    command
        .args(["scan", "--exit-zero", "--format", "json", "--all"])
        .current_dir(project.path(""))
        .envs([("HOME", user.path("")), ("XDG_CONFIG_HOME", user.path(""))]);
    assert_eq!(Ran::of(&mut command).ended(0).json()["summary"]["tests"], 2);
}

#[test]
fn where_nothing_reaches_the_threshold_people_are_told_what_comes_nearest() {
    let cache = tempfile::tempdir().expect("a folder");
    let cached = ["--cache-dir", cache.path().to_str().expect("a path"), "--ignore", "ALL"];
    let nearest = |arguments: &[&str]| -> Vec<String> {
        let shown = scan(&[&["--min-probability", "1"], arguments].concat()).ended(0).stdout;
        let lines = shown
            .lines()
            .skip_while(|it| *it != "no rule found a test, and none reaches the threshold; the likeliest are:");
        lines
            .skip(1)
            .take_while(|it| !it.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let cold = nearest(&cached);
    let first = json(&["--min-probability", "0", "--top", "3", "--ignore", "ALL"]);
    let (worth, tests) = cold.split_last().expect("lines");
    assert!(
        worth.starts_with("of the first 10 tests of a project outside the model's training, "),
        "{worth}"
    );
    assert_eq!(tests.len(), 6, "three tests with their reasons: {cold:?}");
    for (lines, finding) in tests.chunks(2).zip(first["findings"].as_array().expect("findings")) {
        assert!(
            lines[0].contains(finding["test"].as_str().expect("a name")),
            "{lines:?}"
        );
        assert_eq!(lines[1].trim(), finding["reason"], "{lines:?}");
    }
    assert_eq!(nearest(&cached), cold, "also from the cache");
    let none = json(&["--min-probability", "1", "--ignore", "ALL"]);
    assert_eq!(none["findings"], serde_json::json!([]));
    assert!(
        !scan(&["--min-probability", "0", "--top", "1"])
            .ended(1)
            .stdout
            .contains("likeliest")
    );
}

#[test]
fn a_test_that_reaches_more_code_than_is_followed_is_counted() {
    let (mut calls, mut methods) = (String::new(), String::new());
    for it in 0..700 {
        let _ = write!(calls, "m{it}(); ");
        let _ = writeln!(methods, "static void m{it}() {{ x.y(); }}");
    }
    let project = Project::java(&format!(
        "import org.junit.*; public class MadeTest {{\n\
         @Test public void runs() {{ Assert.assertTrue(Made.all()); }}\n\
         @Test public void counts() {{ Assert.assertEquals(2, 1 + 1); }} }}\n\
         class Made {{ static X x; static boolean all() {{ {calls}return true; }}\n{methods}}}"
    ));
    let json = ["scan", "--cache-dir", "cache", "--exit-zero", "--format", "json"];
    for start in ["cold", "warm"] {
        assert_eq!(project.peeler(&json).json()["summary"]["incomplete"], 1, "{start}");
    }
    let text = project.peeler(&["scan", "--no-cache", "--exit-zero"]).stdout;
    assert!(text.contains("1 test reaches more code than is followed"), "{text}");
}

#[test]
fn nothing_is_said_to_come_nearest_where_a_silenced_test_reaches_the_threshold() {
    let project = Project::java(
        "import org.junit.*; public class MadeTest {\n\
         @SuppressWarnings(\"peeler\") @Test public void sleeps() throws Exception { Thread.sleep(10); Assert.assertTrue(a()); }\n\
         @Test public void counts() { Assert.assertEquals(2, 1 + 1); }\n\
         static boolean a() { return true; } }",
    );
    let all = project
        .peeler(&["scan", "--all", "--exit-zero", "--format", "json"])
        .json();
    let of = |name: &str| {
        let tests = all["tests"].as_array().expect("tests");
        let test = tests.iter().find(|it| it["test"] == name).expect("the test");
        test["probability"].as_f64().expect("a number")
    };
    let (silenced, other) = (of("MadeTest#sleeps"), of("MadeTest#counts"));
    assert!(other < silenced, "{other} {silenced}");
    let between = format!("{}", f64::midpoint(other, silenced));
    let said = project.peeler(&["scan", "--min-probability", &between]).ended(0).stdout;
    assert!(
        said.contains("1 suppressed in the code") && !said.contains("likeliest"),
        "{said}"
    );
}

#[test]
fn json_holds_everything_that_reports_need() {
    let scan = json(&["--min-probability", "0", "--top", "20", "--ignore", "ALL"]);
    assert_eq!(scan["version"], 3);
    assert_eq!(scan["summary"]["findings"], 20);
    assert_eq!(scan["summary"]["tests"], 342);
    let findings = scan["findings"].as_array().expect("findings");
    let probabilities: Vec<f64> = findings
        .iter()
        .map(|it| it["probability"].as_f64().expect("a number"))
        .collect();
    assert!(probabilities.is_sorted_by(|a, b| a >= b), "{probabilities:?}");
    for finding in findings {
        let name = finding["test"].as_str().expect("a name");
        let method = name.rsplit('#').next().expect("a method");
        let first = finding["source"]["first_line"].as_u64().expect("a line");
        let own = usize::try_from(finding["line"].as_u64().expect("a line") - first).expect("a small number");
        let line = finding["source"]["lines"][own].as_str().expect("a line");
        assert!(line.contains(method), "{name}: {line}");
        assert_eq!(finding["fingerprint"].as_str().expect("a fingerprint").len(), 16);
        let nodes = finding["graph"]["nodes"].as_array().expect("nodes").len();
        for path in finding["paths"].as_array().expect("paths") {
            let places = path["nodes"].as_array().expect("nodes");
            assert!(places.iter().all(|it| it.as_u64().is_some_and(|it| it < nodes as u64)));
        }
        assert_eq!(finding["found_by"], "network");
        assert_eq!(
            (&finding["rules"], &finding["root_cause"]),
            (&serde_json::json!([]), &Value::Null)
        );
        let reason = finding["reason"].as_str().expect("a reason");
        assert!(reason.starts_with("no cause found; "), "{reason}");
    }
    assert!(scan.get("tests").is_none());
}

#[test]
fn all_gives_every_test_its_probability() {
    let scan = json(&["--all"]);
    let tests = scan["tests"].as_array().expect("tests");
    assert_eq!(tests.len(), 342);
    assert!(
        tests
            .iter()
            .all(|it| it["probability"].as_f64().is_some_and(|it| (0.0..=1.0).contains(&it)))
    );
}

#[test]
fn a_fingerprint_stays_when_lines_move() {
    let source = "import org.junit.*; public class MadeTest { @Test public void waits() throws Exception {\n\
                  Thread.sleep(10); Assert.assertTrue(done()); }\n static boolean done() { return true; } }";
    let fingerprint = |source: &str| Project::java(source).scan(&[])["findings"][0]["fingerprint"].clone();
    assert!(fingerprint(source).is_string());
    assert_eq!(fingerprint(source), fingerprint(&format!("\n\n// moved\n{source}")));
}

#[test]
fn the_page_holds_hostile_text_as_data_only() {
    let source = "import org.junit.*; public class MadeTest { @Test public void compares() {\n\
                  Assert.assertEquals(\"</script><script>alert(1)</script>\", System.getenv(\"X\")); } }";
    let project = Project::java(source);
    let arguments = [
        "scan",
        "--format",
        "html",
        "--min-probability",
        "0",
        "-o",
        "report.html",
    ];
    project.peeler(&arguments).ended(1);
    let page = project.read("report.html");
    assert!(!page.contains("<script>alert"), "hostile text is markup");
    assert!(page.contains("\\u003c/script\\u003e\\u003cscript\\u003ealert(1)"));
}

#[test]
fn text_of_a_repository_cannot_steer_a_terminal() {
    let source = "import org.junit.*; public class MadeTest { @Test public void compares() {\n\
                  Assert.assertEquals(\"\u{1b}[2J\u{202e}\", System.getenv(\"X\")); } }";
    let shown = Project::java(source)
        .peeler(&["scan", "--min-probability", "0"])
        .ended(1)
        .stdout;
    assert!(shown.contains("MadeTest#compares"), "{shown}");
    assert!(!shown.contains(['\u{1b}', '\u{202e}']), "{shown}");
}

#[test]
fn a_broken_file_is_noted_and_stops_nothing() {
    let project = Project::java(
        "import org.junit.*; public class MadeTest { @Test public void works() { Assert.assertTrue(true); } }",
    );
    project.write("Broken.java", [0xff, 0xfe, 0x00]);
    project.write("Half.java", "class Half { void (((");
    let shown = project.peeler(&["scan", "--min-probability", "0"]).ended(1).stdout;
    assert!(shown.contains("\n1 finding: "), "{shown}");
}

#[test]
fn one_test_is_explained_whatever_its_probability() {
    let explain = |test: &str| Ran::of(peeler().arg("explain").arg(samples()).args(["--test", test]));
    let likely = "dev.waybill.orders.OrderServiceTest$OnAGivenClock#printsCountsByStatus";
    let unlikely = "dev.waybill.storage.cache.TtlCacheTest#entryIsGoneWhenItHasExpired";
    for (test, parts) in [
        (
            likely,
            [
                "countByStatus().toString()",
                "paths of the dependency graph",
                "assertEquals",
            ],
        ),
        (
            unlikely,
            ["Thread.sleep(50)", "which do not explain the probability", "assertThat"],
        ),
    ] {
        let shown = explain(test).ended(0).stdout;
        for part in parts.into_iter().chain(["of 342 tests; "]) {
            assert!(shown.contains(part), "{part}: {shown}");
        }
    }
    explain("dev.waybill.storage.cache.TtlCacheTest#nothing").refused(&["did you mean"]);
}

#[test]
fn every_format_is_what_it_says() {
    let project = Project::java(SLEEPY);
    let of = |format: &str| {
        let arguments = ["scan", "--format", format, "--min-probability", "0"];
        project.peeler(&arguments).ended(1).stdout
    };
    let lines = of("jsonl");
    let kinds: Vec<Value> = lines
        .lines()
        .map(|it| serde_json::from_str(it).expect("JSON"))
        .collect();
    assert_eq!(kinds.iter().filter(|it| it["type"] == "finding").count(), 2);
    assert_eq!(kinds[kinds.len() - 1]["type"], "summary");
    let sarif: Value = serde_json::from_str(&of("sarif")).expect("JSON");
    assert_eq!(sarif["runs"][0]["results"].as_array().map(Vec::len), Some(2));
    assert!(of("junit").contains("<testsuites"));
    assert_eq!(
        of("github")
            .lines()
            .filter(|it| it.starts_with("::warning file="))
            .count(),
        2
    );
    let gitlab: Value = serde_json::from_str(&of("gitlab")).expect("JSON");
    assert_eq!(gitlab.as_array().map(Vec::len), Some(2));
}

#[test]
fn a_scan_of_yesterday_becomes_drafts_and_pages() {
    let project = Project::empty();
    let samples = samples().display().to_string();
    let few = [
        "scan",
        &samples,
        "--format",
        "json",
        "--min-probability",
        "0",
        "--ignore",
        "ALL",
        "--top",
        "4",
    ];
    project.peeler(&[&few[..], &["-o", "scan.json"]].concat()).ended(1);
    let report = |arguments: &[&str]| project.peeler(&[&["report", "scan.json"], arguments].concat());
    report(&["--unproven", "--out", "drafts", "--min-probability", "0"]).ended(0);
    let index = project.read("drafts/index.md");
    let mut drafts = 0;
    for entry in std::fs::read_dir(project.path("drafts")).expect("a folder") {
        let entry = entry.expect("an entry").path();
        let name = entry.file_name().expect("a name").to_string_lossy().into_owned();
        if name == "index.md" {
            continue;
        }
        drafts += 1;
        assert!(index.contains(&name), "{name} is in the index");
        let draft = std::fs::read_to_string(entry).expect("a draft");
        for part in [
            "# Unproven: Test may be flaky: ",
            "## How to reproduce",
            "mvn",
            "peeler:fingerprint",
            "```java",
        ] {
            assert!(draft.contains(part), "{part} in {name}");
        }
    }
    assert_eq!(drafts, 4);
    // A folder that is not empty is refused, because old drafts would stay among new ones.
    report(&["--unproven", "--out", "drafts", "--min-probability", "0"]).refused(&["not empty"]);
    let said = report(&["--out", "none", "--min-probability", "1"]).ended(0).stderr;
    assert!(said.contains("4 of 4 findings are below 1"), "{said}");
    report(&["--format", "html", "--out", "report.html", "--min-probability", "0"]).ended(0);
    assert!(project.read("report.html").starts_with("<!DOCTYPE html>"));
}

#[test]
fn what_is_no_scan_makes_no_report() {
    let project = Project::empty();
    let refuses = |content: &str, words: &[&str]| {
        project.write("scan.json", content);
        project
            .peeler(&["report", "scan.json", "--out", "drafts"])
            .refused(words);
    };
    for content in ["", "[]", "{\"version\": 3}", "{}"] {
        refuses(
            content,
            &["scan.json is not the JSON of a scan", "peeler scan --format json"],
        );
    }
    refuses(
        "{\"version\": 3, \"model\": {\"threshold\": 1e39}}",
        &["scan.json is not the JSON of a scan", "a number in it is too large"],
    );
    for version in [1, 9] {
        let words = format!("scan.json has format version {version}");
        refuses(&format!("{{\"version\": {version}}}"), &[&words, "scan again"]);
    }
}
