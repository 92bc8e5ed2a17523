//! Tests of `peeler merge` and of Parquet outputs, on generated repositories.
#![cfg(target_os = "linux")]

mod fleets;
mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::process::Stdio;
use std::time::{Duration, Instant};

use fleets::{by_name, fleet, java, settled_all};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::Value;
use support::{Project, Ran, own, peeler};

/// A fleet of six repositories of two owners and one that is missing, scanned in two shards.
fn scanned() -> Project {
    let project = Project::empty();
    for (name, class) in [
        ("a/one", "One"),
        ("a/two", "Two"),
        ("a/three", "Three"),
        ("b/four", "Four"),
        ("b/five", "Five"),
    ] {
        project.write(&format!("{name}/{class}Test.java"), java(&format!("{class}Test")));
    }
    project.write(
        "b/quiet/QuietTest.java",
        "import org.junit.*; public class QuietTest { @Test public void t() { Assert.assertTrue(true); } }",
    );
    project.write(
        "list.txt",
        "a/one\na/two\na/three\nb/four\nb/five\nb/quiet\nb/missing\n",
    );
    for shard in ["0", "1"] {
        let (shard, out) = (format!("{shard}/2"), format!("out{shard}.jsonl"));
        project
            .peeler(&["scan", "--repos", "list.txt", "--shard", &shard, "-o", &out])
            .ended(0);
    }
    project
}

fn merged(project: &Project, arguments: &[&str]) -> Value {
    project
        .peeler(&[&["merge", "--format", "json"], arguments].concat())
        .ended(0)
        .json()
}

#[test]
fn a_merge_counts_every_repository_once() {
    let project = scanned();
    let report = merged(&project, &["out0.jsonl", "out1.jsonl"]);
    assert_eq!(report["totals"]["repositories"], 7);
    assert_eq!(report["totals"]["statuses"]["scanned"], 6);
    assert_eq!(report["totals"]["statuses"]["failed"], 1);
    let all = [project.read("out0.jsonl"), project.read("out1.jsonl")].concat();
    let records = by_name(&all);
    let findings: u64 = records
        .values()
        .map(|it| it["counts"]["findings"].as_u64().expect("a number"))
        .sum();
    assert!(findings >= 5);
    assert_eq!(report["totals"]["findings"], findings);
    let sum = |list: &str| -> u64 {
        let rows = report[list].as_array().expect("a list").iter();
        rows.map(|it| it["findings"].as_u64().expect("a number")).sum()
    };
    assert_eq!((sum("rules"), sum("owners")), (findings, findings));
    let names = |list: &str, key: &str| -> Vec<String> {
        let rows = report[list].as_array().expect("a list").iter();
        rows.map(|it| it[key].as_str().expect("a text").to_owned()).collect()
    };
    assert_eq!(names("owners", "owner"), ["a", "b"]);
    assert_eq!(
        names("repositories", "name"),
        records.keys().cloned().collect::<Vec<_>>()
    );
    let top = names("top", "repository");
    assert_eq!(top.iter().collect::<BTreeSet<_>>().len(), 5, "{top:?}");
    // The order of outputs, and repeated ones, change nothing.
    assert_eq!(merged(&project, &["out1.jsonl", "out0.jsonl", "out1.jsonl"]), report);
    assert_eq!(
        merged(&project, &["."]),
        report,
        "a folder stands for the outputs in it"
    );
    assert_eq!(
        merged(&project, &["--top", "2", "."])["top"].as_array().map(Vec::len),
        Some(2)
    );
}

#[test]
fn records_fit_the_committed_schema() {
    let project = scanned();
    let text = std::fs::read_to_string(own("docs/fleet-record.schema.json")).expect("a schema");
    let schema = jsonschema::validator_for(&serde_json::from_str(&text).expect("JSON")).expect("a schema");
    let all = project
        .peeler(&["scan", "--repos", "list.txt", "--all"])
        .ended(0)
        .stdout;
    for record in by_name(&all).into_values() {
        let errors: Vec<String> = schema
            .iter_errors(&record)
            .map(|it| format!("{}: {it}", it.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{errors:?}");
        for (place, wrong) in [("/status", "done"), ("/type", "fleet"), ("/counts/tests", "many")] {
            let mut broken = record.clone();
            *broken.pointer_mut(place).expect("a field") = Value::from(wrong);
            assert!(!schema.is_valid(&broken), "{place}");
        }
    }
}

#[test]
fn results_win_over_errors_and_different_results_are_refused() {
    let project = scanned();
    project.write("b/missing/LateTest.java", java("LateTest"));
    project
        .peeler(&["scan", "--repos", "list.txt", "-o", "again.jsonl"])
        .ended(0);
    for order in [
        ["out0.jsonl", "out1.jsonl", "again.jsonl"],
        ["again.jsonl", "out1.jsonl", "out0.jsonl"],
    ] {
        let report = merged(&project, &order);
        assert_eq!(report["totals"]["statuses"]["scanned"], 7, "{order:?}");
        assert_eq!(report["totals"]["statuses"]["failed"], Value::Null);
        let joined = project
            .peeler(&[&["merge", "--format", "jsonl"], &order[..]].concat())
            .ended(0);
        let expected = settled_all(&project.read("again.jsonl"));
        assert_eq!(
            settled_all(&joined.stdout),
            expected,
            "each repository once, with its results"
        );
    }
    project.write("a/one/MoreTest.java", java("MoreTest"));
    project.write("one.txt", "a/one\n");
    project
        .peeler(&["scan", "--repos", "one.txt", "-o", "one.jsonl"])
        .ended(0);
    project
        .peeler(&["merge", "again.jsonl", "one.jsonl"])
        .refused(&["different results for `a/one`", "--allow-mixed"]);
    let mixed = merged(&project, &["--allow-mixed", "again.jsonl", "one.jsonl"]);
    assert_eq!(
        mixed["repositories"],
        merged(&project, &["again.jsonl"])["repositories"],
        "the first is kept"
    );
}

#[test]
fn outputs_of_other_models_or_options_are_refused() {
    let project = scanned();
    project
        .peeler(&["scan", "--repos", "list.txt", "-o", "flast.jsonl", "--model", "flast"])
        .ended(0);
    project
        .peeler(&["merge", "out0.jsonl", "flast.jsonl"])
        .refused(&["flast.jsonl", "another model", "--allow-mixed"]);
    project
        .peeler(&["scan", "--repos", "list.txt", "-o", "some.jsonl", "--ignore", "PLR1"])
        .ended(0);
    project
        .peeler(&["merge", "out0.jsonl", "some.jsonl"])
        .refused(&["some.jsonl", "another options"]);
    let older = project.read("out0.jsonl").replace(
        &format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION")),
        "\"version\":\"0.0.1\"",
    );
    project.write("older.jsonl", older);
    project
        .peeler(&["merge", "older.jsonl", "out1.jsonl"])
        .refused(&["out1.jsonl", "another version"]);
    let mixed = merged(&project, &["--allow-mixed", "out0.jsonl", "flast.jsonl"]);
    assert_eq!(mixed["origins"].as_array().map(Vec::len), Some(2));
    project
        .peeler(&["merge", "nowhere.jsonl"])
        .refused(&["nowhere.jsonl", "peeler scan --repos"]);
    project.write("other.jsonl", "{}\n");
    project
        .peeler(&["merge", "other.jsonl"])
        .refused(&["other.jsonl:1", "is not a record"]);
}

#[test]
fn a_trend_names_new_and_gone_findings() {
    let project = scanned();
    project
        .peeler(&[
            "merge",
            "out0.jsonl",
            "out1.jsonl",
            "--format",
            "json",
            "-o",
            "before.json",
        ])
        .ended(0);
    project.write("a/one/OneTest.java", java("NewTest"));
    std::fs::remove_file(project.path("a/two/TwoTest.java")).expect("our file");
    project.write("a/two/Nothing.java", "class Nothing {}");
    project.write("c/six/SixTest.java", java("SixTest"));
    project.write("list.txt", "a/one\na/two\nb/four\nb/five\nb/quiet\nb/missing\nc/six\n");
    project
        .peeler(&["scan", "--repos", "list.txt", "-o", "now.jsonl"])
        .ended(0);
    let trend = merged(&project, &["now.jsonl", "--against", "before.json"])["trend"].clone();
    let changed = |name: &str| {
        let rows = trend["repositories"].as_array().expect("a list");
        let row = rows.iter().find(|it| it["name"] == name);
        row.map(|it| {
            (
                it["new_findings"].as_u64() > Some(0),
                it["gone_findings"].as_u64() > Some(0),
            )
        })
    };
    assert_eq!(
        changed("a/one"),
        Some((true, true)),
        "another class is another finding: {trend}"
    );
    assert_eq!(changed("a/two"), Some((false, true)));
    assert_eq!(changed("b/four"), None);
    assert_eq!(trend["added"], serde_json::json!(["c/six"]));
    assert_eq!(trend["removed"], serde_json::json!(["a/three"]));
    let text = project
        .peeler(&["merge", "now.jsonl", "--against", "before.json"])
        .ended(0)
        .stdout;
    assert!(
        text.contains("Since the earlier report") && text.contains("1 added, 1 removed"),
        "{text}"
    );
    project
        .peeler(&["merge", "now.jsonl", "--against", "list.txt"])
        .refused(&["list.txt", "--format json"]);
}

#[test]
fn the_page_shows_all_repositories_and_no_markup_of_theirs() {
    let project = scanned();
    project.write("list.txt", "a/one\nb/missing\t\t<script>alert(1)</script>\n");
    project
        .peeler(&["scan", "--repos", "list.txt", "-o", "hostile.jsonl"])
        .ended(0);
    project
        .peeler(&[
            "merge",
            "out0.jsonl",
            "out1.jsonl",
            "hostile.jsonl",
            "--format",
            "html",
            "-o",
            "fleet.html",
        ])
        .ended(0);
    let page = project.read("fleet.html");
    for name in [
        "a/one",
        "a/two",
        "a/three",
        "b/four",
        "b/five",
        "b/quiet",
        "b/missing",
        "PLR101",
    ] {
        assert!(page.contains(&format!("<td>{name}</td>")), "{name}: {page}");
    }
    assert!(!page.contains("<script") && page.contains("&lt;script&gt;"), "{page}");
    let inner = page
        .split_once("<main>")
        .and_then(|(_, it)| it.split_once("</main>"))
        .expect("content")
        .0;
    roxmltree::Document::parse(&format!("<main>{inner}</main>")).expect("every element is closed");
}

#[test]
fn parquet_holds_the_records_of_json_lines() {
    let project = scanned();
    for shard in ["0/2", "1/2"] {
        let arguments = [
            "scan",
            "--repos",
            "list.txt",
            "--output-format",
            "parquet",
            "-o",
            "table",
            "--all",
            "--shard",
            shard,
        ];
        project.peeler(&arguments).ended(0);
    }
    let names: BTreeSet<String> = std::fs::read_dir(project.path("table"))
        .expect("a folder")
        .map(|it| it.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    let expected = ["part-00000-of-00002-00000.parquet", "part-00001-of-00002-00000.parquet"];
    assert_eq!(names.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    let lines = project
        .peeler(&["scan", "--repos", "list.txt", "--all"])
        .ended(0)
        .stdout;
    let joined = project.peeler(&["merge", "table", "--format", "jsonl"]).ended(0).stdout;
    assert_eq!(settled_all(&joined), settled_all(&lines));
    project
        .peeler(&[
            "scan", "--repos", "list.txt", "--format", "parquet", "-o", "table", "--all", "--shard", "0/2",
        ])
        .refused(&["table", "--resume"]);
    // Back and forth: what a merge writes as Parquet is the same again.
    project
        .peeler(&["merge", "table", "--format", "parquet", "-o", "one-table"])
        .ended(0);
    let again = project
        .peeler(&["merge", "one-table", "--format", "jsonl"])
        .ended(0)
        .stdout;
    assert_eq!(by_name(&again), by_name(&joined));
    project
        .peeler(&["scan", "--repos", "list.txt", "--format", "parquet"])
        .refused(&["--output"]);
}

#[test]
fn a_killed_parquet_scan_loses_nothing_and_repeats_nothing() {
    let kills = std::env::var("PEELER_KILLS").map_or(5, |it| it.parse().expect("PEELER_KILLS is a number"));
    let project = fleet(30);
    let scan = || {
        let mut command = peeler();
        command.args([
            "scan", "--repos", "list.txt", "--jobs", "2", "--format", "parquet", "-o", "table", "--resume",
        ]);
        command.current_dir(project.path("."));
        command
    };
    let started = Instant::now();
    let mut alone = peeler();
    alone
        .args(["scan", "--repos", "list.txt", "--jobs", "2"])
        .current_dir(project.path("."));
    let expected = settled_all(&Ran::of(&mut alone).ended(0).stdout);
    let longest = u64::try_from(started.elapsed().as_millis()).expect("a moment").max(2);
    let mut runner = TestRunner::deterministic();
    for _ in 0..kills {
        let pause = (0..longest).new_tree(&mut runner).expect("a number").current();
        let mut child = scan()
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        std::thread::sleep(Duration::from_millis(pause));
        child.kill().expect("it is ours");
        child.wait().expect("an end");
    }
    Ran::of(&mut scan()).ended(0);
    let joined =
        |project: &Project| settled_all(&project.peeler(&["merge", "table", "--format", "jsonl"]).ended(0).stdout);
    assert_eq!(joined(&project), expected);
    // As if the kill came between a part and the end of its unfinished lines.
    let lines = project.peeler(&["merge", "table", "--format", "jsonl"]).ended(0).stdout;
    project.write("table/_unfinished-00000-of-00001.jsonl", lines);
    let again = Ran::of(&mut scan()).ended(0);
    assert!(again.stderr.contains("held 30"), "{again:?}");
    let left: Vec<String> = std::fs::read_dir(project.path("table"))
        .expect("a folder")
        .map(|it| it.expect("an entry").file_name().into_string().expect("UTF-8"))
        .filter(|it| !it.ends_with(".parquet"))
        .collect();
    assert_eq!(left, [""; 0]);
    let rows: BTreeMap<String, Value> = joined(&project);
    assert_eq!(rows, expected);
}
