//! End-to-end tests of `peeler confirm` with the real Maven on a small project of our own with two modules.
//!
//! Maven gets its plugins, JUnit and NonDex by name. The tests of the sample check themselves what Surefire would set.
#![cfg(unix)]

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use serde_json::Value;

use support::{Ran, own, peeler};

/// Only one Maven runs at a time, because two that download the same file disturb each other.
fn one_at_a_time() -> MutexGuard<'static, ()> {
    static MAVEN: Mutex<()> = Mutex::new(());
    MAVEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A copy of the sample in a git repository of its own, built once for all tests.
fn sample() -> &'static PathBuf {
    static SAMPLE: OnceLock<PathBuf> = OnceLock::new();
    SAMPLE.get_or_init(|| {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("maven-sample");
        let _ = std::fs::remove_dir_all(&root);
        let copied = Command::new("cp").arg("-r").arg(own("tests/maven")).arg(&root).status();
        assert!(copied.expect("cp starts").success());
        for arguments in [
            &["init", "-q"][..],
            &["add", "-A"],
            &["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "sample"],
        ] {
            git(&root, arguments);
        }
        let built = Ran::of(
            peeler()
                .arg("confirm")
                .arg(&root)
                .args(["--runs", "1", "--format", "json"]),
        )
        .ended(0);
        let report = built.json();
        let summary = &report["summary"];
        // The build excludes one class. All others check what the POM sets, so they pass only if it is taken over.
        assert_eq!(
            (&summary["stable"], &summary["failing"]),
            (&9.into(), &0.into()),
            "{report}"
        );
        assert!(built.stderr.contains("the build does not run them"), "{}", built.stderr);
        root
    })
}

fn git(root: &Path, arguments: &[&str]) -> String {
    let out = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(arguments)
        .output()
        .expect("git starts");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).into_owned()
}

/// The report of `peeler confirm --no-build` on the sample, with a log of its own.
fn confirmed(log: &str, arguments: &[&str]) -> Value {
    let log = Path::new(env!("CARGO_TARGET_TMPDIR")).join(log);
    let mut command = peeler();
    command
        .arg("confirm")
        .arg(sample())
        .args(["--no-build", "--fresh", "--format", "json", "--log"]);
    Ran::of(command.arg(log).args(arguments)).json()
}

fn entry<'r>(report: &'r Value, test: &str) -> &'r Value {
    let tests = report["tests"].as_array().expect("tests");
    tests
        .iter()
        .find(|it| it["test"] == test)
        .expect("the test is in the report")
}

#[test]
fn what_the_pom_says_about_test_jvms_is_taken_over_and_sources_stay_as_they_are() {
    let _one = one_at_a_time();
    let root = sample();
    assert_eq!(git(root, &["status", "--porcelain"]), "");
}

#[test]
fn unspecified_order_is_proven_by_nondex_and_the_line_that_makes_it_is_named() {
    let _one = one_at_a_time();
    let arguments = [
        "--test",
        "shelf.LabelsTest#isOneText",
        "--runs",
        "2",
        "--perturb",
        "nondex,zone",
    ];
    let report = confirmed("nondex.jsonl", &arguments);
    let labels = entry(&report, "shelf.LabelsTest#isOneText");
    assert_eq!(labels["kinds"], serde_json::json!(["unspecified"]), "{report}");
    let culprit = labels["culprit"].to_string();
    assert!(culprit.contains("shelf.Labels.text(Labels.java:"), "{culprit}");
    let stable = confirmed(
        "stable.jsonl",
        &["--test", "shelf.LabelsTest#isSorted", "--perturb", "nondex"],
    );
    assert_eq!(stable["summary"]["stable"], 1, "{stable}");
}

#[test]
fn a_scan_steers_the_runs_and_says_their_price_before() {
    let _one = one_at_a_time();
    let scan = Path::new(env!("CARGO_TARGET_TMPDIR")).join("maven-scan.json");
    let mut command = peeler();
    command
        .arg("scan")
        .arg(sample())
        .args(["--format", "json", "--all", "--exit-zero", "-o"]);
    Ran::of(command.arg(&scan)).ended(0);
    let log = Path::new(env!("CARGO_TARGET_TMPDIR")).join("steered.jsonl");
    let mut command = peeler();
    command
        .arg("confirm")
        .arg(sample())
        .args(["--no-build", "--fresh", "--format", "json", "--from"])
        .arg(&scan);
    let ran = Ran::of(command.args(["--budget", "2%", "--culprits", "0", "--log"]).arg(log)).ended(1);
    for said in [
        "tests once with unspecified behaviour shuffled by NonDex",
        "each under the changes that fit its rule",
        "everything for every test would take",
    ] {
        assert!(ran.stderr.contains(said), "{said}: {}", ran.stderr);
    }
    let report = ran.json();
    // A finding comes before the sweep.
    let labels = entry(&report, "shelf.LabelsTest#isOneText");
    assert_eq!(labels["kinds"], serde_json::json!(["unspecified"]), "{report}");
    let stages = labels["stages"].as_array().expect("stages");
    let names: Vec<&str> = stages.iter().filter_map(|it| it["stage"].as_str()).collect();
    assert_eq!(names, ["first", "perturbed", "again"], "{report}");
    let not_run = report["summary"]["not_run"].as_u64();
    assert!(not_run.is_some_and(|it| it > 1), "the budget is spent: {report}");
}

#[test]
fn a_module_is_built_with_what_it_needs_and_a_wrong_jdk_is_told() {
    let _one = one_at_a_time();
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("maven-sample-2");
    let _ = std::fs::remove_dir_all(&root);
    let copied = Command::new("cp").arg("-r").arg(own("tests/maven")).arg(&root).status();
    assert!(copied.expect("cp starts").success());
    let confirm = |arguments: &[&str]| {
        let mut command = peeler();
        command
            .arg("confirm")
            .arg(&root)
            .args(["--runs", "1", "--format", "json"]);
        Ran::of(command.args(arguments))
    };
    let newer = confirm(&["--build-arg=-Dmaven.compiler.release=99"]);
    newer.refused(&["needs JDK 99 or newer", "--java-home"]);
    let report = confirm(&["--module", "front"]).ended(0).json();
    assert_eq!(report["summary"]["stable"], 2, "{report}");
    confirm(&["--module", "attic"]).refused(&["attic"]);
}
