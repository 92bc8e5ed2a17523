//! `peeler scan`, as a user runs it on our own Java project.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn peeler() -> Command {
    Command::new(env!("CARGO_BIN_EXE_peeler"))
}

fn samples() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/samples")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the output is UTF-8")
}

/// The output of a scan of the samples.
fn scan(arguments: &[&str]) -> Output {
    let output = peeler().arg("scan").arg(samples()).args(arguments).output();
    output.expect("the binary starts")
}

fn json(arguments: &[&str]) -> Value {
    let output = scan(&[&["--format", "json"], arguments].concat());
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Java in a folder of its own.
fn repository(source: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("MadeTest.java"), source).expect("a file");
    folder
}

#[test]
fn findings_are_ranked_and_have_a_reason_a_path_and_a_line_that_sums_up() {
    let output = scan(&["--min-probability", "0", "--top", "3"]);
    assert_eq!(output.status.code(), Some(1));
    let shown = text(&output.stdout);
    assert!(!shown.contains('\u{1b}'), "no colours in a pipe");
    assert_eq!(shown.matches(" may be flaky (").count(), 3, "{shown}");
    assert!(
        shown.contains("3 findings at 0% or more among 342 tests in 170 Java files"),
        "{shown}"
    );
}

#[test]
fn exit_status_says_whether_there_are_findings() {
    let some = ["--min-probability", "0", "--top", "1"];
    assert_eq!(scan(&some).status.code(), Some(1));
    assert_eq!(scan(&[&some[..], &["--exit-zero"]].concat()).status.code(), Some(0));
    let nothing = scan(&["--min-probability", "1"]);
    assert_eq!(nothing.status.code(), Some(0));
    assert!(
        text(&nothing.stdout).starts_with("no findings at 100% or more"),
        "{}",
        text(&nothing.stdout)
    );
}

#[test]
fn json_holds_everything_that_reports_need() {
    let scan = json(&["--min-probability", "0", "--top", "20"]);
    assert_eq!(scan["version"], 1);
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
        let witness = finding["witness"].as_array().expect("a witness");
        assert!(witness.is_empty() || witness[witness.len() - 1]["role"] == "assertion");
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
fn the_cause_is_named_where_the_catalogue_knows_it() {
    let source = r#"
        import static org.junit.Assert.assertEquals;
        import java.util.*;
        import org.junit.Test;
        public class MadeTest {
            @Test public void printsInOrder() {
                Map<String, Integer> counts = new HashMap<>();
                counts.put("a", 1);
                counts.put("b", 2);
                assertEquals("{a=1, b=2}", counts.toString());
            }
        }"#;
    let folder = repository(source);
    let output = peeler()
        .args(["scan", "--format", "json", "--min-probability", "0"])
        .arg(folder.path())
        .output()
        .expect("the binary starts");
    let scan: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let finding = &scan["findings"][0];
    assert_eq!(finding["test"], "MadeTest#printsInOrder");
    assert_eq!(finding["root_cause"]["kind"], "unordered-collection");
    assert_eq!(finding["root_cause"]["line"], 10);
}

#[test]
fn a_fingerprint_stays_when_lines_move() {
    let source = "import org.junit.*; public class MadeTest { @Test public void waits() throws Exception {\n\
                  Thread.sleep(10); Assert.assertTrue(done()); }\n static boolean done() { return true; } }";
    let fingerprint = |source: &str| {
        let folder = repository(source);
        let output = peeler()
            .args(["scan", "--format", "json", "--min-probability", "0"])
            .arg(folder.path())
            .output()
            .expect("the binary starts");
        let scan: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        scan["findings"][0]["fingerprint"].clone()
    };
    assert!(fingerprint(source).is_string());
    assert_eq!(fingerprint(source), fingerprint(&format!("\n\n// moved\n{source}")));
}

#[test]
fn the_page_holds_hostile_text_as_data_only() {
    let source = "import org.junit.*; public class MadeTest { @Test public void compares() {\n\
                  Assert.assertEquals(\"</script><script>alert(1)</script>\", System.getenv(\"X\")); } }";
    let folder = repository(source);
    let page = folder.path().join("report.html");
    let output = peeler()
        .args(["scan", "--format", "html", "--min-probability", "0", "-o"])
        .arg(&page)
        .arg(folder.path())
        .output()
        .expect("the binary starts");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let page = std::fs::read_to_string(page).expect("a page");
    assert!(!page.contains("<script>alert"), "hostile text is markup");
    assert!(page.contains("\\u003c/script\\u003e\\u003cscript\\u003ealert(1)"));
}

#[test]
fn text_of_a_repository_cannot_steer_a_terminal() {
    let source = "import org.junit.*; public class MadeTest { @Test public void compares() {\n\
                  Assert.assertEquals(\"\u{1b}[2J\u{202e}\", System.getenv(\"X\")); } }";
    let folder = repository(source);
    let output = peeler()
        .args(["scan", "--min-probability", "0"])
        .arg(folder.path())
        .output()
        .expect("the binary starts");
    let shown = text(&output.stdout);
    assert!(shown.contains("MadeTest#compares"), "{shown}");
    assert!(!shown.contains(['\u{1b}', '\u{202e}']), "{shown}");
}

#[test]
fn a_broken_file_is_noted_and_stops_nothing() {
    let folder = repository(
        "import org.junit.*; public class MadeTest { @Test public void works() { Assert.assertTrue(true); } }",
    );
    std::fs::write(folder.path().join("Broken.java"), [0xff, 0xfe, 0x00]).expect("a file");
    std::fs::write(folder.path().join("Half.java"), "class Half { void (((").expect("a file");
    let output = peeler()
        .args(["scan", "--min-probability", "0"])
        .arg(folder.path())
        .output()
        .expect("the binary starts");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(
        text(&output.stdout).contains("1 finding at"),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn what_is_wrong_is_said_with_a_remedy() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let said = |arguments: &[&str]| {
        let output = peeler().arg("scan").args(arguments).current_dir(folder.path()).output();
        let output = output.expect("the binary starts");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        text(&output.stderr)
    };
    assert!(said(&["nowhere"]).contains("no such file or folder: nowhere"));
    assert!(said(&["."]).contains("no Java files below ."));
    let samples = samples().display().to_string();
    assert!(said(&[&samples, "--model", "nomodel"]).contains("nomodel"));
    assert!(said(&[&samples, "--min-probability", "2"]).contains("between 0 and 1"));
    assert!(said(&[&samples, "-o", "no/such/file"]).contains("no/such/file"));
    assert!(said(&[&samples, "--backend", "abacus"]).contains("no backend `abacus`"));
}

#[test]
fn one_test_is_explained_whatever_its_probability() {
    let explain = |test: &str| {
        let output = peeler().arg("explain").arg(samples()).args(["--test", test]).output();
        output.expect("the binary starts")
    };
    let output = explain("dev.waybill.storage.cache.TtlCacheTest#entryIsGoneWhenItHasExpired");
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    for part in [
        "Thread.sleep(50)",
        "of 342 tests by probability",
        "strongest contextual paths",
        "assertThat",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let output = explain("dev.waybill.storage.cache.TtlCacheTest#nothing");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("did you mean"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn every_format_is_what_it_says() {
    let of = |format: &str| {
        let output = scan(&["--format", format, "--min-probability", "0", "--top", "2"]);
        assert_eq!(output.status.code(), Some(1), "{format}: {}", text(&output.stderr));
        text(&output.stdout)
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
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    let written = peeler()
        .args(["scan", "--format", "json", "--min-probability", "0", "--top", "4", "-o"])
        .arg(path("scan.json"))
        .arg(samples())
        .status()
        .expect("the binary starts");
    assert_eq!(written.code(), Some(1));
    let report = |arguments: &[&str]| {
        let output = peeler()
            .args(["report", "scan.json"])
            .args(arguments)
            .current_dir(folder.path())
            .output();
        output.expect("the binary starts")
    };
    let output = report(&["--out", "drafts", "--min-probability", "0"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let index = std::fs::read_to_string(path("drafts/index.md")).expect("an index");
    let mut drafts = 0;
    for entry in std::fs::read_dir(path("drafts")).expect("a folder") {
        let entry = entry.expect("an entry").path();
        let name = entry.file_name().expect("a name").to_string_lossy().into_owned();
        if name == "index.md" {
            continue;
        }
        drafts += 1;
        assert!(index.contains(&name), "{name} is in the index");
        let draft = std::fs::read_to_string(entry).expect("a draft");
        for part in [
            "# Test may be flaky: ",
            "## How to reproduce",
            "mvn",
            "peeler:fingerprint",
            "```java",
        ] {
            assert!(draft.contains(part), "{part} in {name}");
        }
    }
    assert_eq!(drafts, 4);
    // Old drafts would stay among new ones.
    let output = report(&["--out", "drafts", "--min-probability", "0"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("not empty"), "{}", text(&output.stderr));
    let output = report(&["--out", "none", "--min-probability", "1"]);
    assert!(
        text(&output.stderr).contains("4 of 4 findings are below 1"),
        "{}",
        text(&output.stderr)
    );
    let output = report(&["--format", "html", "--out", "report.html", "--min-probability", "0"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(
        std::fs::read_to_string(path("report.html"))
            .expect("a page")
            .starts_with("<!DOCTYPE html>")
    );
}

#[test]
fn what_is_no_scan_makes_no_report() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let said = |content: &str| {
        std::fs::write(folder.path().join("scan.json"), content).expect("a file");
        let output = peeler()
            .args(["report", "scan.json", "--out", "drafts"])
            .current_dir(folder.path())
            .output()
            .expect("the binary starts");
        assert_eq!(output.status.code(), Some(2));
        text(&output.stderr)
    };
    for content in ["", "[]", "{\"version\": 1}", "{}"] {
        assert!(
            said(content).contains("scan.json is not the JSON of a scan"),
            "{content}"
        );
    }
    assert!(said("{\"version\": 9}").contains("version 9"));
}
