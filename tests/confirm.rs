//! End-to-end tests of `peeler confirm`: the binary, real JVMs, our own sample shop.
//!
//! The results of the stages are tested in `crates/peeler-rerun/tests`. These tests cover the command line, its files,
//! and the state after the program is killed.
#![cfg(unix)]

#[path = "../crates/peeler-rerun/tests/jvm/javac.rs"]
mod javac;
mod support;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use javac::{compiled_sample, copy, jars};
use support::{Ran, build_sample_corpus, own, peeler, shell};

/// The root and the class path of the compiled sample.
fn sample() -> &'static (PathBuf, String) {
    static SAMPLE: OnceLock<(PathBuf, String)> = OnceLock::new();
    SAMPLE.get_or_init(|| {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("confirm-sample");
        let classpath = compiled_sample(&own("crates/peeler-rerun/tests/project"), &root);
        (root, classpath)
    })
}

/// A temporary folder for the log of a test, and one for `Chance`.
struct Place {
    folder: tempfile::TempDir,
    // In the project, because test JVMs can write nowhere else. Scans skip hidden folders.
    chance: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let hidden = sample().0.join(".chance");
        std::fs::create_dir_all(&hidden).expect("a folder");
        Self {
            folder: tempfile::tempdir().expect("a folder"),
            chance: tempfile::tempdir_in(hidden).expect("a folder"),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The file in which `Chance` counts the runs of a test.
    fn counter(&self, name: &str) -> PathBuf {
        self.chance.path().join(format!("{name}.runs"))
    }

    /// The `confirm` command on the sample, with a log of its own.
    fn confirm(&self, arguments: &[&str]) -> Command {
        let (root, classpath) = sample();
        let mut command = peeler();
        command.arg("confirm").arg(root).args(["--classpath", classpath]);
        command.arg(format!("--jvm-arg=-Dsample.dir={}", self.chance.path().display()));
        command.arg("--log").arg(self.path("log.jsonl")).args(arguments);
        command
    }

    fn ran(&self, arguments: &[&str]) -> Ran {
        Ran::of(&mut self.confirm(arguments))
    }

    fn log(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.path("log.jsonl")).unwrap_or_default();
        text.lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect()
    }

    fn runs_of(&self, test: &str) -> usize {
        self.log().iter().filter(|it| it["test"] == test).count()
    }
}

fn entry<'a>(report: &'a Value, test: &str) -> &'a Value {
    let tests = report["tests"].as_array().expect("tests");
    tests.iter().find(|it| it["test"] == test).unwrap_or(&Value::Null)
}

#[test]
fn a_dry_run_says_what_would_be_run_and_runs_nothing() {
    let place = Place::new();
    let dry = [
        "--dry-run",
        "--perturb",
        "order,zone",
        "--test",
        "shop.DrawTest#drawsTheSameCard",
    ];
    let said = place.ran(&dry).ended(0).stderr;
    for expected in [
        "runs 1 tests up to 10 times",
        "shuffles all",
        "time zone Pacific/Kiritimati",
        "nothing was run",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    assert!(place.log().is_empty() && !place.counter("draw").exists());
}

#[test]
fn proof_is_reported_replayed_and_learnt_from() {
    let place = Place::new();
    let labels = place.path("labels.csv");
    let tests = [
        "shop.DrawTest#drawsTheSameCard",
        "shop.StableTest#adds",
        "shop.legacy.LedgerTest#neverCloses",
    ];
    let mut arguments = vec!["--format", "json", "--runs", "4", "--project", "shop", "--write-labels"];
    let labels_path = labels.display().to_string();
    arguments.push(&labels_path);
    for test in &tests {
        arguments.extend(["--test", test]);
    }
    let report = place.ran(&arguments).ended(1).json();
    let flaky = entry(&report, tests[0]);
    assert_eq!(
        (&flaky["status"], &flaky["shown_by"]),
        (&json!("flaky"), &json!("rerun"))
    );
    assert_eq!(
        (&flaky["proof"]["runs"], &flaky["proof"]["failures"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(entry(&report, tests[1])["status"], "stable");
    assert_eq!(entry(&report, tests[2])["status"], "failing");

    // The command of the proof is run as by a shell. `Chance` starts again.
    std::fs::remove_file(place.counter("draw")).expect("a counter");
    let command = flaky["proof"]["command"].as_str().expect("a command");
    let again = Ran::of(&mut shell(command)).ended(1).stdout;
    assert!(
        again.contains("failed again alone in a new JVM; passed again"),
        "{again}"
    );

    // The labels can be read into a corpus.
    let sources = place.path("sources");
    std::fs::create_dir(&sources).expect("a folder");
    copy(&sample().0.join("src"), &sources.join("shop/src"));
    let mut build = peeler();
    build
        .args(["corpus", "build", "--layout", "csv", "--labels"])
        .arg(&labels);
    build
        .arg("--sources")
        .arg(&sources)
        .arg("--output")
        .arg(place.path("made.corpus"));
    Ran::of(&mut build).ended(0);
}

#[test]
fn the_same_command_goes_on_after_a_kill_and_no_process_is_left() {
    for signal in ["-TERM", "-INT", "-KILL"] {
        let place = Place::new();
        let tests = [
            "--test",
            "shop.StableTest#adds",
            "--test",
            "shop.faults.FaultTest#hangsWithChildren",
            "--runs",
            "1",
        ];
        let mut child = place
            .confirm(&[&tests[..], &["--timeout", "100s"]].concat())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mark = format!("PEELER_RUN={}-", child.id());
        // The processes are the JVM, a shell and two sleeping commands.
        until("the test hangs", || marked(&mark).len() >= 4);
        let killed = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status()
            .expect("kill");
        assert!(killed.success());
        let (status, said) = ended(&mut child);
        if signal == "-KILL" {
            // Peeler is gone, so the JVM has to notice and end all processes.
            until("everybody has gone", || marked(&mark).is_empty());
        } else {
            assert_eq!(status, Some(2), "{said}");
            assert!(
                said.contains("interrupted; all finished runs are recorded in"),
                "{said}"
            );
            assert_eq!(marked(&mark), [""; 0], "{signal}");
        }
        assert_eq!(place.runs_of("shop.StableTest#adds"), 1);
        let short = ["--timeout", "1s", "--c-imm", "0", "--c-end", "0", "--c-new", "0"];
        let report = place.ran(&[&tests[..], &short].concat()).ended(0).stdout;
        assert_eq!(place.runs_of("shop.StableTest#adds"), 1, "it is not run again");
        assert!(report.contains("first failure: killed after 1 s"), "{report}");
    }
}

#[test]
fn a_build_that_is_interrupted_leaves_no_process() {
    let place = Place::new();
    let project = place.path("project");
    std::fs::create_dir_all(project.join("src/test/java")).expect("a folder");
    let source = "public class SlowTest { @org.junit.Test public void t() {} }";
    std::fs::write(project.join("src/test/java/SlowTest.java"), source).expect("a file");
    std::fs::write(project.join("pom.xml"), "").expect("a file");
    std::fs::write(
        project.join("mvnw"),
        "#!/bin/sh\nsleep 1000 & setsid sleep 1000 & wait\n",
    )
    .expect("a file");
    std::fs::set_permissions(project.join("mvnw"), std::fs::Permissions::from_mode(0o755)).expect("a mode");
    let mut child = peeler()
        .arg("confirm")
        .arg(&project)
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mark = format!("PEELER_RUN={}-", child.id());
    until("the build is under way", || marked(&mark).len() >= 3);
    Command::new("kill")
        .args(["-TERM", &child.id().to_string()])
        .status()
        .expect("kill");
    let (status, said) = ended(&mut child);
    assert_eq!(status, Some(2), "{said}");
    assert_eq!(marked(&mark), [""; 0]);
}

#[test]
fn a_scan_steers_which_tests_are_run() {
    let place = Place::new();
    let scan = place.path("scan.json");
    let mut command = peeler();
    command
        .arg("scan")
        .arg(&sample().0)
        .args(["--format", "json", "--all", "--exit-zero", "-o"]);
    Ran::of(command.arg(&scan)).ended(0);
    // The model is unsure of three tests, and sure of all others.
    let mut judged: Value = serde_json::from_slice(&std::fs::read(&scan).expect("a scan")).expect("JSON");
    let unsure = [
        "shop.DrawTest#drawsOftenTheSameCard",
        "shop.CartTest#startsEmpty",
        "shop.BasketTest#fillsTheCart",
    ];
    judged["findings"] = json!([]);
    for test in judged["tests"].as_array_mut().expect("tests") {
        let is_unsure = unsure.iter().any(|it| test["test"] == *it);
        test["probability"] = json!(if is_unsure { 0.5 } else { 0.01 });
    }
    std::fs::write(&scan, judged.to_string()).expect("a scan");
    let scan = scan.display().to_string();
    let steered = place.ran(&[
        "--from",
        &scan,
        "--omega-lower",
        "0.07",
        "--omega-upper",
        "1.01",
        "--format",
        "json",
        "--runs",
        "6",
    ]);
    let steered = steered.ended(1);
    let report = steered.json();
    assert_eq!(report["summary"]["flaky"], 2, "{report}");
    let sure = entry(&report, "shop.StableTest#adds");
    assert_eq!(
        (&sure["status"], &sure["prediction"]),
        (&json!("not-run"), &json!("stable"))
    );
    let ran: std::collections::BTreeSet<String> = place
        .log()
        .iter()
        .filter_map(|it| it["test"].as_str().map(str::to_owned))
        .collect();
    assert_eq!(ran, unsure.iter().map(|it| (*it).to_owned()).collect());
    assert!(steered.stderr.contains("skips"), "{steered:?}");
}

/// Writes a head of the built-in model to a folder, with a track record that is right below 0.2 and from 0.6 on, random in
/// between.
fn model_with_a_record(folder: &Path) {
    copy(&own("models/default/id"), folder);
    let path = folder.join("model.json");
    let mut model: Value = serde_json::from_slice(&std::fs::read(&path).expect("a model")).expect("JSON");
    model["track_record"] = json!([
        {"thousandths": 10, "stable": 900, "flaky": 0},
        {"thousandths": 200, "stable": 20, "flaky": 20},
        {"thousandths": 600, "stable": 0, "flaky": 60},
    ]);
    std::fs::write(path, model.to_string()).expect("a model");
}

#[test]
fn the_track_record_of_the_model_that_made_a_scan_chooses_where_it_is_sure() {
    let place = Place::new();
    let (model, path) = (place.path("model"), place.path("scan.json"));
    model_with_a_record(&model);
    let mut command = peeler();
    command
        .arg("scan")
        .arg(&sample().0)
        .args(["--format", "json", "--all", "--exit-zero", "--model"]);
    command.arg(&model).arg("-o").arg(&path);
    Ran::of(&mut command).ended(0);
    let scan = path.display().to_string();
    let said = |more: &[&str]| {
        let dry = [&["--from", &scan, "--unsure", "--dry-run"], more].concat();
        place.ran(&dry).ended(0).stderr
    };
    let balanced = said(&[]);
    for expected in [
        "tests below 0.2, which the model takes as stable",
        "at or above 0.21, which it takes as flaky",
        "a balance of cost and proof, by the model's predictions for 1000 held-out tests, 80 of them flaky",
    ] {
        assert!(balanced.contains(expected), "{expected}: {balanced}");
    }
    let poor = said(&["--budget", "0s"]);
    assert!(
        poor.contains("the best within the budget, by the model's predictions") && poor.contains("expects 0 runs"),
        "{poor}"
    );
    let given = said(&["--omega-lower", "0.5", "--omega-upper", "0.9"]);
    assert!(given.contains("thresholds: those given"), "{given}");

    // A scan without a track record, as from older models.
    let mut without: Value = serde_json::from_slice(&std::fs::read(&path).expect("a scan")).expect("JSON");
    let removed = without["model"]
        .as_object_mut()
        .and_then(|it| it.remove("track_record"));
    assert!(removed.is_some());
    std::fs::write(&path, without.to_string()).expect("a scan");
    assert!(said(&[]).contains("below 0.07"), "{}", said(&[]));
    assert!(
        said(&[]).contains("nothing is known about this model's errors"),
        "{}",
        said(&[])
    );
}

#[test]
fn labelled_predictions_choose_where_the_model_is_sure() {
    let place = Place::new();
    let (scan, corpus, evaluation) = (place.path("scan.json"), place.path("s.corpus"), place.path("eval.json"));
    let mut scanned = peeler();
    scanned.arg("scan").arg(&sample().0);
    scanned.args(["--format", "json", "--all", "--exit-zero", "-o"]);
    Ran::of(scanned.arg(&scan)).ended(0);
    build_sample_corpus(&corpus);
    let mut evaluated = peeler();
    evaluated.args(["eval", "--model", "vocabulary", "--split", "class", "--corpus"]);
    Ran::of(evaluated.arg(&corpus).arg("--json").arg(&evaluation)).ended(0);
    let [scan, evaluation] = [scan, evaluation].map(|it| it.display().to_string());
    let said = |more: &[&str]| {
        let arguments = [&["--from", &scan, "--validation", &evaluation, "--dry-run"], more].concat();
        place.ran(&arguments).ended(0).stderr
    };
    // No budget, no run: the cheapest point of the front.
    assert!(
        said(&["--budget", "0s"]).contains("expects 0 runs"),
        "{}",
        said(&["--budget", "0s"])
    );
    assert!(said(&[]).contains("tests below"), "{}", said(&[]));
    place
        .ran(&["--from", &scan, "--validation", &scan, "--dry-run"])
        .refused(&["create it with `peeler eval --json`"]);
}

#[test]
fn reports_of_earlier_builds_are_evidence() {
    let place = Place::new();
    let reports = place.path("reports");
    std::fs::create_dir(&reports).expect("a folder");
    let xml = r#"<testsuite><testcase name="adds" classname="shop.StableTest"><flakyFailure>late</flakyFailure></testcase></testsuite>"#;
    std::fs::write(reports.join("TEST-shop.xml"), xml).expect("a report");
    let reports = reports.display().to_string();
    let arguments = [
        "--history",
        &reports,
        "--test",
        "shop.StableTest#adds",
        "--runs",
        "1",
        "--format",
        "junit",
    ];
    let document = place.ran(&arguments).ended(1).stdout;
    let document = roxmltree::Document::parse(&document).expect("XML");
    let failure = document
        .descendants()
        .find(|it| it.has_tag_name("failure"))
        .expect("a failure");
    assert_eq!(
        failure.attribute("message"),
        Some("failed 1 of 3 runs; it changes under the same conditions")
    );
}

#[test]
fn what_cannot_be_run_names_the_place_and_the_remedy() {
    let place = Place::new();
    let nowhere = place.path("nowhere").display().to_string();
    place
        .ran(&["--java-home", &nowhere])
        .refused(&[&nowhere, "install a JDK"]);

    let confirm = |root: &Path| Ran::of(peeler().arg("confirm").arg(root));
    let project = place.path("project");
    std::fs::create_dir_all(project.join("src/test/java")).expect("a folder");
    let source = "public class BrokenTest { @org.junit.Test public void t() { int no = \"number\"; } }";
    std::fs::write(project.join("src/test/java/BrokenTest.java"), source).expect("a file");
    confirm(&project).refused(&["--classpath"]);

    std::fs::write(project.join("pom.xml"), "").expect("a file");
    let junit = &jars(&["junit4"])[0];
    let script = format!(
        "#!/bin/sh\nexec javac -cp {} -d target src/test/java/BrokenTest.java\n",
        junit.display()
    );
    std::fs::write(project.join("mvnw"), script).expect("a file");
    std::fs::set_permissions(project.join("mvnw"), std::fs::Permissions::from_mode(0o755)).expect("a mode");
    confirm(&project).refused(&["builds with:", "incompatible types", "the tests must compile first"]);
}

fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !condition() {
        assert!(Instant::now() < end, "never: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn ended(child: &mut Child) -> (Option<i32>, String) {
    let mut said = String::new();
    if let Some(mut stream) = child.stderr.take() {
        let _ = std::io::Read::read_to_string(&mut stream, &mut said);
    }
    (child.wait().expect("it ends").code(), said)
}

/// The command lines of live processes that have a mark in their environment.
fn marked(mark: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").expect("processes").flatten() {
        let read = |name: &str| std::fs::read(entry.path().join(name)).unwrap_or_default();
        if read("environ")
            .split(|&byte| byte == 0)
            .any(|it| it.starts_with(mark.as_bytes()))
        {
            found.push(String::from_utf8_lossy(&read("cmdline")).replace('\0', " "));
        }
    }
    found
}

#[test]
fn a_sandbox_is_used_where_there_is_one_and_missed_where_there_is_none() {
    const INSIDE: &str = "test JVMs have no network but loopback";
    let adds = ["--test", "shop.StableTest#adds", "--runs", "1"];
    let here = Place::new().ran(&adds).ended(0).stderr;
    let has_one = here.contains(INSIDE);
    assert_ne!(has_one, here.contains("note: tests run without a sandbox"), "{here}");
    let off = Place::new().ran(&[&adds[..], &["--sandbox", "off"]].concat()).ended(0);
    assert!(
        !off.stderr.contains("sandbox") && !off.stderr.contains(INSIDE),
        "{off:?}"
    );

    // A search path with a JDK alone has no program that makes a sandbox.
    let place = Place::new();
    let bin = place.path("bin");
    std::fs::create_dir(&bin).expect("a folder");
    for program in ["java", "javac"] {
        let path = std::env::var_os("PATH").expect("a search path");
        let mut found = std::env::split_paths(&path).map(|it| it.join(program));
        let real = found.find(|it| it.is_file()).expect("a JDK");
        std::os::unix::fs::symlink(real, bin.join(program)).expect("a link");
    }
    let without = |more: &[&str]| Ran::of(place.confirm(&[&adds, more].concat()).env("PATH", &bin));
    let noted = without(&[]).ended(0).stderr;
    assert!(noted.contains("note: tests run without a sandbox"), "{noted}");
    assert!(
        noted.contains("install bubblewrap") || noted.contains("need Linux"),
        "{noted}"
    );
    without(&["--sandbox", "on", "--dry-run"]).refused(&["--sandbox on"]);
    // Outcomes with and without a sandbox are not mixed.
    if has_one {
        place.ran(&adds).refused(&["--sandbox", "--fresh"]);
    }
}

#[test]
fn the_command_of_a_proof_repeats_the_choice_of_a_sandbox() {
    let place = Place::new();
    let draw = [
        "--test",
        "shop.DrawTest#drawsTheSameCard",
        "--format",
        "json",
        "--runs",
        "4",
    ];
    let report = place.ran(&[&draw[..], &["--sandbox", "off"]].concat()).ended(1).json();
    let proof = &entry(&report, "shop.DrawTest#drawsTheSameCard")["proof"];
    let command = proof["command"].as_str().expect("a command");
    assert!(command.contains("--sandbox=off"), "{command}");
}
