//! Tests of scans of several paths: one report, with files relative to the git root or the working directory.

mod support;

use serde_json::Value;
use support::{Project, found};

/// The source of a test that sleeps and one that calls a clock of the repository.
const TEST: &str = "package shop; import org.junit.*; public class OrderTest {\n\
                    @Test public void waits() throws Exception { Thread.sleep(10); Assert.assertTrue(new Order().isDone()); }\n\
                    @Test public void ticks() { Assert.assertEquals(1L, new Order().now()); } }";
const CODE: &str = "package shop; public class Order { boolean isDone() { return true; }\n\
                    long now() { return System.nanoTime(); } }";

/// A project of two services with the same tests.
fn services() -> Project {
    Project::of(&[
        ("a/src/OrderTest.java", TEST),
        ("a/src/Order.java", CODE),
        ("b/src/OrderTest.java", TEST),
        ("b/src/Order.java", CODE),
    ])
}

/// Collects every text under a key `file` in a JSON document.
fn files(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                if let ("file", Some(file)) = (name.as_str(), value.as_str()) {
                    out.push(file.to_owned());
                }
                files(value, out);
            }
        }
        Value::Array(values) => values.iter().for_each(|it| files(it, out)),
        _ => {}
    }
}

fn places(scan: &Value) -> Vec<String> {
    let findings = scan["findings"].as_array().expect("findings").iter();
    findings
        .map(|it| {
            let (test, file) = (
                it["test"].as_str().expect("a test"),
                it["file"].as_str().expect("a file"),
            );
            format!("{} {file}", test.rsplit('#').next().expect("a method"))
        })
        .collect()
}

#[test]
fn several_paths_are_one_report_whose_files_begin_with_their_root() {
    let project = services();
    project.write("b/src/Broken.java", [b'/', b'/', 0xff, b'\n']);
    let scan = project.scan(&["a", "./b/", "--all", "--ignore", "ALL"]);
    assert_eq!(scan["roots"], serde_json::json!(["a", "./b/"]));
    let summary = &scan["summary"];
    assert_eq!(
        (&summary["files"], &summary["tests"], &summary["findings"]),
        (&5.into(), &4.into(), &4.into())
    );
    assert_eq!(scan["tests"].as_array().map(Vec::len), Some(4));
    let mut places = places(&scan);
    let probabilities: Vec<f64> = scan["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .filter_map(|it| it["probability"].as_f64())
        .collect();
    assert!(probabilities.is_sorted_by(|a, b| a >= b), "{probabilities:?}");
    places.sort_unstable();
    assert_eq!(
        places,
        [
            "ticks a/src/OrderTest.java",
            "ticks b/src/OrderTest.java",
            "waits a/src/OrderTest.java",
            "waits b/src/OrderTest.java"
        ]
    );
    let mut named = Vec::new();
    files(&scan, &mut named);
    assert!(
        named.contains(&"b/src/Broken.java".to_owned()),
        "problems too: {named:?}"
    );
    for file in named {
        assert!(project.path(&file).is_file(), "{file} is not found from here");
    }
}

#[test]
fn reports_of_services_point_to_real_files() {
    let project = services();
    let of = |format: &str| {
        let arguments = ["scan", "a", "b", "--format", format, "--min-probability", "0"];
        project.peeler(&arguments).ended(1).stdout
    };
    let sarif: Value = serde_json::from_str(&of("sarif")).expect("JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let mut uris: Vec<&str> = results
        .iter()
        .filter_map(|it| it["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str())
        .collect();
    uris.sort_unstable();
    let (a, b) = ("a/src/OrderTest.java", "b/src/OrderTest.java");
    assert_eq!(uris, [a, a, b, b]);
    let github = of("github");
    assert_eq!(github.matches(&format!("::warning file={b},")).count(), 2, "{github}");
    let gitlab: Value = serde_json::from_str(&of("gitlab")).expect("JSON");
    let entries = gitlab.as_array().expect("entries");
    let mut fingerprints: Vec<&str> = entries.iter().filter_map(|it| it["fingerprint"].as_str()).collect();
    fingerprints.sort_unstable();
    fingerprints.dedup();
    assert_eq!(
        fingerprints.len(),
        4,
        "GitLab drops entries of one fingerprint: {gitlab}"
    );
    let shown = of("text");
    assert!(
        shown.contains("  shop.OrderTest#waits  b/src/OrderTest.java:2"),
        "{shown}"
    );
    assert!(shown.contains("--> b/src/OrderTest.java:"), "{shown}");
    assert!(
        shown.contains("\n4 findings: ") && shown.contains(" among 4 tests in 4 Java files,"),
        "{shown}"
    );
    let junit = of("junit");
    assert_eq!(junit.matches("file=\"a/src/OrderTest.java\"").count(), 2, "{junit}");
}

#[test]
fn a_path_outside_of_the_working_directory_is_a_whole_address() {
    let project = services();
    let elsewhere = Project::of(&[
        ("src/ClockTest.java", &TEST.replace("OrderTest", "ClockTest")),
        ("src/Order.java", CODE),
    ]);
    let folder = elsewhere
        .path("")
        .canonicalize()
        .expect("a folder")
        .display()
        .to_string();
    let here = project
        .path("a")
        .canonicalize()
        .expect("a folder")
        .display()
        .to_string();
    let arguments = [
        "scan",
        &here,
        &folder,
        "--format",
        "sarif",
        "--min-probability",
        "0",
        "--exit-zero",
    ];
    let sarif = project.peeler(&arguments).ended(0).json();
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let mut locations: Vec<&Value> = results
        .iter()
        .map(|it| &it["locations"][0]["physicalLocation"]["artifactLocation"])
        .collect();
    locations.sort_by_key(|it| it["uri"].to_string());
    assert_eq!(
        locations[0]["uri"], "a/src/OrderTest.java",
        "what lies below is relative"
    );
    assert_eq!(locations[0]["uriBaseId"], "%SRCROOT%");
    assert_eq!(locations[2]["uri"], format!("file://{folder}/src/ClockTest.java"));
    assert_eq!(locations[2].get("uriBaseId"), None);
}

#[test]
fn one_path_is_relative_to_the_working_directory_outside_of_git() {
    let project = services();
    for path in ["a", "./a", "a/src", "a/src/OrderTest.java"] {
        let scan = project.scan(&[path]);
        assert_eq!(scan["findings"][0]["file"], "a/src/OrderTest.java", "{path}");
    }
}

#[test]
fn paths_are_relative_to_the_git_root_wherever_the_scan_starts() {
    let project = services();
    project.write("shop/.git/HEAD", "ref: refs/heads/main\n");
    for (folder, name) in [("a", "OrderTest"), ("b", "BillTest")] {
        let test = TEST.replace("OrderTest", name);
        project.write(&format!("shop/{folder}/src/{name}.java"), test);
        project.write(&format!("shop/{folder}/src/Order.java"), CODE);
    }
    let annotated = |here: &str, paths: &[&str]| {
        let options = [
            "--format",
            "github",
            "--min-probability",
            "0",
            "--exit-zero",
            "--no-cache",
        ];
        let mut command = support::peeler();
        command
            .current_dir(project.path(here))
            .arg("scan")
            .args(paths)
            .args(options);
        let shown = support::Ran::of(&mut command).ended(0).stdout;
        let mut files: Vec<String> = shown
            .lines()
            .map(|it| {
                it["::warning file=".len()..]
                    .split(',')
                    .next()
                    .expect("a file")
                    .to_owned()
            })
            .collect();
        files.sort_unstable();
        files.dedup();
        files
    };
    let (a, b) = ("a/src/OrderTest.java", "b/src/BillTest.java");
    assert_eq!(annotated("", &["shop/a"]), [a]);
    assert_eq!(annotated("shop", &["a"]), [a]);
    assert_eq!(annotated("shop/a", &["."]), [a]);
    assert_eq!(annotated("shop/a/src", &["OrderTest.java"]), [a]);
    assert_eq!(annotated("shop/b", &[".", "../a"]), [a, b]);
    assert_eq!(annotated("shop", &["."]), [a, b]);
    let mut command = support::peeler();
    command.current_dir(project.path("shop/a"));
    let explained = support::Ran::of(command.args(["explain", "shop.OrderTest#waits"]))
        .ended(0)
        .stdout;
    assert!(explained.contains("--> a/src/OrderTest.java:"), "{explained}");
}

#[test]
fn one_path_has_no_fields_of_several() {
    let project = services();
    let scan = project.scan(&["a"]);
    assert_eq!(scan["findings"][0]["neighbours"][0].get("file"), None);
    for field in ["excluded", "given", "since"] {
        assert_eq!(scan["summary"].get(field), None, "{field}");
    }
}

#[test]
fn files_are_roots_too_and_code_of_one_root_is_none_of_another() {
    let project = services();
    let scan = project.scan(&["a/src/OrderTest.java", "b"]);
    let mut names = places(&scan);
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "ticks a/src/OrderTest.java",
            "ticks b/src/OrderTest.java",
            "waits a/src/OrderTest.java",
            "waits b/src/OrderTest.java"
        ]
    );
    let calls = |file: &str| {
        let mut findings = scan["findings"].as_array().expect("findings").iter();
        let finding = findings.find(|it| it["file"] == file && it["test"] == "shop.OrderTest#ticks");
        finding.expect("a finding")["graph"]
            .to_string()
            .contains("shop.Order#now")
    };
    assert!(calls("b/src/OrderTest.java") && !calls("a/src/OrderTest.java"));
}

#[test]
fn top_counts_over_all_roots_and_the_first_are_the_most_probable() {
    let project = services();
    project.write("b/src/OrderTest.java", TEST.replace("OrderTest", "BillTest"));
    let all = project.scan(&["a", "b"]);
    let first = project.scan(&["a", "b", "--top", "3"]);
    assert_eq!(found(&first), found(&all)[..3]);
    assert_eq!(first["summary"]["findings"], 3);
}

#[test]
fn a_baseline_of_several_roots_silences_each_of_them() {
    let project = services();
    let every = ["scan", "a", "b", "--min-probability", "0"];
    let run = |more: &[&str], code: i32| project.peeler(&[&every[..], more].concat()).ended(code);
    let said = run(&["--write-baseline", "known.json"], 0).stderr;
    assert!(said.contains("wrote 4 known findings to known.json"), "{said}");
    let line = run(&["--baseline", "known.json"], 0).stdout;
    assert!(line.trim_end().ends_with("; 4 known to the baseline"), "{line}");
    // One baseline entry hides one finding, so the copy in the third service is new.
    project.write("c/src/OrderTest.java", TEST);
    project.write("c/src/Order.java", CODE);
    let third = project.scan(&["a", "b", "c", "--baseline", "known.json"]);
    let mut new = places(&third);
    new.sort_unstable();
    assert_eq!(new, ["ticks c/src/OrderTest.java", "waits c/src/OrderTest.java"]);
    assert_eq!(
        (&third["summary"]["known"], &third["summary"]["stale"]),
        (&4.into(), &0.into())
    );
    std::fs::remove_file(project.path("b/src/OrderTest.java")).expect("a file");
    let fewer = project.scan(&["a", "b", "--baseline", "known.json"]);
    assert_eq!(
        (&fewer["summary"]["known"], &fewer["summary"]["stale"]),
        (&2.into(), &2.into())
    );
}

#[test]
fn every_root_has_the_settings_above_it() {
    let project = services();
    project.write(
        "a/peeler.toml",
        "exclude = [\"OrderTest.java\"]\nmin-probability = 1.0\n",
    );
    project.write("b/peeler.toml", "min-probability = 0.0\n");
    let scan = project.peeler(&["scan", "a", "b", "--format", "json"]).ended(1).json();
    assert_eq!(places(&scan).len(), 2);
    assert!(places(&scan).iter().all(|it| it.ends_with(" b/src/OrderTest.java")));
    assert_eq!(scan["summary"]["excluded"], 1);
    assert_eq!(scan["model"]["threshold"], 0.0, "the lowest");
}

#[test]
fn paths_that_overlap_or_hold_nothing_are_refused_with_the_remedy() {
    let project = services();
    project.write("empty/notes.txt", "");
    let refuses = |arguments: &[&str], words: &[&str]| project.peeler(&[&["scan"], arguments].concat()).refused(words);
    refuses(&["a", "a/src"], &["a/src is inside a", "pass only one of them"]);
    refuses(&["a/src", "b", "."], &["a/src is inside .", "pass only one of them"]);
    refuses(&["a", "./a"], &["is inside", "pass only one of them"]);
    refuses(&["a", "nowhere"], &["no such file or folder: nowhere", "give the root"]);
    refuses(&["a", "empty"], &["no Java files below empty", "give the root"]);
}
