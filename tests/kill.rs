//! Programs killed with the signal KILL at random moments, the same ones in every run, and continued.
//!
//! What was reported is there afterwards, nothing is half written, nothing is done twice, no process stays, and the next
//! run deletes what a killed one left. `PEELER_KILLS=100 cargo test --test kill` kills more often; it takes minutes.
#![cfg(target_os = "linux")]

#[path = "../crates/peeler-rerun/tests/jvm/javac.rs"]
mod javac;
mod support;

use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::Value;

use javac::compiled_sample;
use support::{Ran, build_sample_corpus, own, peeler};

/// The number of kills of each command.
fn kills() -> usize {
    let asked = std::env::var("PEELER_KILLS").ok();
    asked.map_or(5, |it| it.parse().expect("PEELER_KILLS is a number"))
}

/// Pauses before a kill, the same ones in every run.
fn pauses(longest: u64) -> Vec<Duration> {
    let mut runner = TestRunner::deterministic();
    let mut pause = || (0..longest).new_tree(&mut runner).expect("a number").current();
    (0..kills()).map(|_| Duration::from_millis(pause())).collect()
}

/// Starts a command, kills it after a pause, and returns what it said on standard error. `None` if it ended before.
fn killed(command: &mut Command, pause: Duration) -> Option<String> {
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    std::thread::sleep(pause);
    let has_ended = child.try_wait().expect("a status").is_some();
    let mark = format!("PEELER_RUN={}-", child.id());
    child.kill().expect("it is ours");
    until("everybody has gone", || marked(&mark).is_empty());
    (!has_ended).then(|| said(&mut child))
}

fn said(child: &mut Child) -> String {
    let mut said = String::new();
    let mut stream = child.stderr.take().expect("a stream");
    stream.read_to_string(&mut said).expect("text");
    child.wait().expect("it has ended");
    said
}

fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(20);
    while !condition() {
        assert!(Instant::now() < end, "never: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
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

/// The names of the files in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .map(|it| it.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// The complete lines of a log.
fn whole_lines(log: &Path) -> String {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    let end = text.rfind('\n').map_or(0, |it| it + 1);
    text[..end].to_owned()
}

#[test]
fn a_killed_confirmation_loses_nothing_and_repeats_nothing() {
    const TESTS: [&str; 3] = [
        "shop.StableTest#adds",
        "shop.DrawTest#drawsTheSameCard",
        "shop.legacy.LedgerTest#neverCloses",
    ];
    let place = tempfile::tempdir().expect("a folder");
    let path = |name: &str| place.path().join(name);
    let (root, temporary) = (path("sample"), path("tmp"));
    let classpath = compiled_sample(&own("crates/peeler-rerun/tests/project"), &root);
    std::fs::create_dir(&temporary).expect("a folder");
    let confirm = || {
        let mut command = peeler();
        command
            .arg("confirm")
            .arg(&root)
            .args(["--classpath", &classpath, "--keep-going", "--runs", "40"]);
        command
            .args(["--format", "json", "--c-imm", "0", "--c-end", "0", "--c-new", "0"])
            .arg("-o");
        command
            .arg(path("report.json"))
            .arg(format!("--jvm-arg=-Dsample.dir={}", root.display()));
        for test in TESTS {
            command.args(["--test", test]);
        }
        command.env("TMPDIR", &temporary);
        command
    };
    let log = root.join(".peeler/evidence.jsonl");
    let mut recorded = String::new();
    for pause in pauses(2500) {
        killed(&mut confirm(), pause);
        let lines = whole_lines(&log);
        assert!(lines.starts_with(&recorded), "a recorded run is lost");
        assert!(
            lines.lines().all(|it| serde_json::from_str::<Value>(it).is_ok()),
            "half a line: {lines}"
        );
        if let Ok(report) = std::fs::read(path("report.json")) {
            serde_json::from_slice::<Value>(&report).expect("a whole report");
        }
        recorded = lines;
    }
    let ran = Ran::of(&mut confirm());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let lines = whole_lines(&log);
    assert!(lines.starts_with(&recorded), "a recorded run is lost");
    let events: Vec<Value> = lines
        .lines()
        .map(|it| serde_json::from_str(it).expect("an event"))
        .collect();
    for test in TESTS {
        assert_eq!(events.iter().filter(|it| it["test"] == test).count(), 40, "{test}");
    }
    assert_eq!(names(&temporary), [""; 0], "the last run deletes what was left");
    let kept = names(&root.join(".peeler"));
    let is_expected =
        |it: &String| it.starts_with("runner-") || [".gitignore", "evidence.jsonl", "project.json"].contains(&&**it);
    assert!(kept.iter().all(is_expected), "{kept:?}");
}

#[test]
fn a_killed_build_leaves_no_process() {
    let place = tempfile::tempdir().expect("a folder");
    let root = place.path();
    std::fs::write(root.join("pom.xml"), "").expect("a file");
    std::fs::write(
        root.join("ATest.java"),
        "class ATest { @org.junit.Test public void t() {} }",
    )
    .expect("a file");
    // A process in a session of its own, and one whose parent has ended.
    let script = "#!/bin/sh\nsleep 1000 & setsid sleep 1000 & (sleep 1000 &) ; wait\n";
    std::fs::write(root.join("mvnw"), script).expect("a file");
    std::fs::set_permissions(root.join("mvnw"), std::fs::Permissions::from_mode(0o755)).expect("our file");
    let mut command = peeler();
    command
        .arg("confirm")
        .arg(root)
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mark = format!("PEELER_RUN={}-", child.id());
    until("the build is under way", || marked(&mark).len() >= 4);
    child.kill().expect("it is ours");
    said(&mut child);
    until("everybody has gone", || marked(&mark).is_empty());
}

#[test]
fn what_a_test_has_started_ends_after_a_kill() {
    let place = tempfile::tempdir().expect("a folder");
    let root = place.path().join("sample");
    let classpath = compiled_sample(&own("crates/peeler-rerun/tests/project"), &root);
    let mut command = peeler();
    command
        .arg("confirm")
        .arg(&root)
        .args(["--classpath", &classpath, "--timeout", "100s"]);
    command.args(["--test", "shop.faults.FaultTest#hangsWithChildren"]);
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mark = format!("PEELER_RUN={}-", child.id());
    until("the test hangs", || {
        marked(&mark).len() >= 4 && !marked_ids(&mark, "java").is_empty()
    });
    // Even if the JVM cannot help any more, because it is stopped.
    let java = marked_ids(&mark, "java");
    for id in &java {
        let stopped = Command::new("kill").args(["-STOP", id]).status().expect("kill");
        assert!(stopped.success());
    }
    child.kill().expect("it is ours");
    said(&mut child);
    until("everybody has gone", || marked(&mark).is_empty());
}

/// The ids of live processes of a program that have a mark in their environment.
fn marked_ids(mark: &str, program: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").expect("processes").flatten() {
        let read = |name: &str| std::fs::read(entry.path().join(name)).unwrap_or_default();
        let is_marked = read("environ")
            .split(|&byte| byte == 0)
            .any(|it| it.starts_with(mark.as_bytes()));
        if is_marked && String::from_utf8_lossy(&read("comm")).trim() == program {
            found.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    found
}

#[test]
fn a_killed_training_keeps_every_reported_epoch_and_ends_with_the_same_model() {
    const CONFIG: &str = "embedding = 4\nedge = 4\ntuple = 4\nhidden = 4\nhead = 4\ntraining_paths = 2\nbatch = 64\n\
                          epochs = 3\n";
    let place = tempfile::tempdir().expect("a folder");
    let path = |name: &str| -> PathBuf { place.path().join(name) };
    build_sample_corpus(&path("samples.corpus"));
    std::fs::write(path("tiny.toml"), CONFIG).expect("a file");
    let train = |out: &str| {
        let mut command = peeler();
        command
            .args(["train", "--backend", "cpu", "--corpus"])
            .arg(path("samples.corpus"));
        command
            .arg("--config")
            .arg(path("tiny.toml"))
            .arg("--out")
            .arg(path(out));
        if path(out).join("checkpoint.peeler").exists() {
            command.arg("--resume");
        }
        command
    };
    let started = Instant::now();
    Ran::of(&mut train("whole")).ended(0);
    let longest = u64::try_from(started.elapsed().as_millis()).expect("a moment").max(2);
    // As if an earlier program had been killed while it wrote.
    std::fs::create_dir(path("killed")).expect("a folder");
    std::fs::write(path("killed/checkpoint.peeler.dead.unfinished"), "half").expect("a file");
    let mut reported = 0;
    for pause in pauses(longest) {
        if path("killed/model.json").exists() && !path("killed/checkpoint.peeler").exists() {
            break;
        }
        let Some(said) = killed(&mut train("killed"), pause) else {
            continue;
        };
        let resumed = said
            .lines()
            .find_map(|it| it.strip_prefix("resumed after ")?.split(' ').next()?.parse().ok());
        let epochs = said.lines().filter(|it| it.contains(" epoch ")).count();
        // Without a word about what it resumed, it was killed before it trained, or it was the first.
        let is_kept = resumed.map_or(reported == 0 || epochs == 0, |it| it >= reported);
        assert!(is_kept, "{reported} were reported: {said}");
        reported = reported.max(resumed.unwrap_or(0) + epochs);
    }
    if path("killed/checkpoint.peeler").exists() || !path("killed/model.json").exists() {
        Ran::of(&mut train("killed")).ended(0);
    }
    let weights = |out: &str| std::fs::read(path(out).join("weights.safetensors")).expect("weights");
    assert_eq!(weights("killed"), weights("whole"));
    assert_eq!(names(&path("killed")), names(&path("whole")));
}
