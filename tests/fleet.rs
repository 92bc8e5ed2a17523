//! Tests of `peeler scan --repos` on generated repositories: records, limits, shards, kills and revisions.
#![cfg(target_os = "linux")]

mod fleets;
mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use fleets::{by_name, fleet, git, java, settled_all, statuses};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::Value;
use support::{Project, Ran, own, peeler};

#[test]
fn a_record_holds_the_findings_of_a_plain_scan() {
    let project = fleet(2);
    // A copy, because files of a plain scan are relative to the git repository around the original.
    let mut copy = std::process::Command::new("cp");
    copy.arg("-r").arg(own("corpus/samples")).arg(project.path("samples"));
    support::Ran::of(&mut copy).ended(0);
    project.write("list.txt", "r0\nr1\nsamples\n");
    let ran = project
        .peeler(&["scan", "--repos", "list.txt", "--all", "--jobs", "2"])
        .ended(0);
    assert!(ran.stderr.contains("3 repositories"), "{ran:?}");
    let found = by_name(&ran.stdout);
    for name in ["r0", "r1", "samples"] {
        let mut plain = support::peeler();
        plain.args(["scan", "--format", "json", "--all", "--no-cache"]);
        let plain = support::Ran::of(plain.current_dir(project.path(name))).json();
        let record = &found[name];
        assert_eq!(record["findings"], plain["findings"], "{name}");
        assert_eq!(record["tests"], plain["tests"], "{name}");
        assert_eq!(record["problems"], plain["problems"], "{name}");
        assert_eq!(record["tool"], plain["tool"], "{name}");
        for count in ["files", "tests", "findings", "suppressed"] {
            assert_eq!(record["counts"][count], plain["summary"][count], "{name} {count}");
        }
        assert_eq!(record["model"]["threshold"], plain["model"]["threshold"]);
        assert_eq!(record["status"], "scanned");
        assert!(record["error"].is_null() && record["commit"].is_null() && record["revision"].is_null());
        assert!(record["run"]["seconds"].as_f64() > Some(0.0) && record["run"]["peak_memory"].as_u64() > Some(0));
        assert!(!record["findings"].as_array().expect("a list").is_empty());
    }
}

#[test]
fn top_lists_tests_below_the_threshold_and_a_merge_does_not_count_them() {
    let project = fleet(1);
    let arguments = ["--top", "3", "--min-probability", "1", "--ignore", "ALL"];
    let scan = [&["scan", "--repos", "list.txt"], &arguments[..]].concat();
    let ran = project.peeler(&scan).ended(0);
    let record = &by_name(&ran.stdout)["r0"];
    let listed = record["findings"].as_array().expect("a list");
    assert!(!listed.is_empty(), "{record}");
    assert!(listed.iter().all(|it| it["below_threshold"] == true), "{record}");
    assert_eq!(record["counts"]["findings"], 0);

    project.write("fleet.jsonl", &ran.stdout);
    let merged = project
        .peeler(&["merge", "fleet.jsonl", "--format", "json"])
        .ended(0)
        .json();
    assert_eq!(merged["top"].as_array().map(Vec::len), Some(0), "{merged}");
}

#[test]
fn bad_repositories_are_records_and_stop_nothing() {
    let project = fleet(2);
    std::fs::create_dir(project.path("empty")).expect("a folder");
    project.write("settings/ATest.java", java("ATest"));
    project.write("settings/peeler.toml", "min-probability = 7");
    git(&project.path("r1"), &["init", "-q", "--bare", "broken.git"]);
    project.write("bent.git/HEAD", "ref: refs/heads/main\n");
    project.write("bent.git/objects/pack/pack-1.idx", "nonsense");
    project.write("bent.git/refs/heads/main", "1111111111111111111111111111111111111111\n");
    project.write(
        "list.txt",
        "missing\nr0\nempty\nr0\tmain\tno-git\nsettings\nr1/broken.git\nbent.git\nr1\n",
    );
    let ran = project.peeler(&["scan", "--repos", "list.txt", "--jobs", "1"]).ended(0);
    let expected = [
        ("bent.git", "failed"),
        ("empty", "no-java"),
        ("missing", "failed"),
        ("no-git", "failed"),
        ("r0", "scanned"),
        ("r1", "scanned"),
        ("r1/broken.git", "failed"),
        ("settings", "failed"),
    ];
    let statuses = statuses(&ran.stdout);
    let found: Vec<(&str, &str)> = statuses.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(found, expected);
    assert!(ran.stderr.contains("5 with an error"), "{ran:?}");
    let found = by_name(&ran.stdout);
    for (name, words) in [
        ("missing", "no such file or folder: missing"),
        ("no-git", "r0 is not a git repository"),
        ("settings", "min-probability is 7"),
        ("r1/broken.git", "no revision `HEAD`"),
    ] {
        let error = found[name]["error"].as_str().expect("an error");
        assert!(error.contains(words), "{error}");
    }
    assert!(found["empty"]["error"].is_null());
}

#[test]
fn a_revision_has_the_findings_of_its_checkout() {
    let project = Project::empty();
    let files = [
        ("w/src/test/ATest.java", java("ATest")),
        ("w/target/BTest.java", java("BTest")),
        ("w/module/pom.xml", String::new()),
        ("w/module/build/CTest.java", java("CTest")),
        ("w/module/src/build/DTest.java", java("DTest")),
        ("w/.hidden/ETest.java", java("ETest")),
        ("w/ignored/FTest.java", java("FTest")),
        ("w/.gitignore", "ignored/\n*Draft.java\n!KeptDraft.java\n".to_owned()),
        ("w/src/GDraft.java", java("GDraft")),
        ("w/src/KeptDraft.java", java("KeptDraft")),
        ("w/src/.ignore", "HTest.java\n".to_owned()),
        ("w/src/HTest.java", java("HTest")),
        ("w/peeler.toml", "exclude = [\"module/src/build/\"]\n".to_owned()),
        ("w/not-utf8.java", "// \u{e9}\n".to_owned()),
    ];
    for (path, text) in &files {
        project.write(path, text);
    }
    let tree = project.path("w");
    project.write("w/src/latin/Latin.java", b"class Latin { String s = \"\xe9\"; }");
    std::os::unix::fs::symlink("../src/test/ATest.java", tree.join("module/Linked.java")).expect("a link");
    std::os::unix::fs::symlink("Linked.java", tree.join("module/Twice.java")).expect("a link");
    std::os::unix::fs::symlink("nowhere.java", tree.join("module/Nowhere.java")).expect("a link");
    std::os::unix::fs::symlink("src", tree.join("folder")).expect("a link");
    std::os::unix::fs::symlink("folder/test/ATest.java", tree.join("ByFolder.java")).expect("a link");
    git(&tree, &["init", "-q"]);
    git(&tree, &["add", "-f", "."]);
    git(&tree, &["commit", "-qm", "one"]);
    git(&tree, &["tag", "v1"]);
    project.write("w/src/test/LaterTest.java", java("LaterTest"));
    git(&tree, &["add", "."]);
    git(&tree, &["commit", "-qm", "two"]);
    let second = git(&tree, &["rev-parse", "HEAD"]);
    git(&project.path("."), &["clone", "-q", "--bare", "w", "bare.git"]);
    git(&project.path("."), &["clone", "-q", "-b", "v1", "w", "old"]);
    project.write("w/src/test/DirtyTest.java", "class DirtyTest { uncommitted");
    project.write(
        "list.txt",
        "bare.git\nbare.git\tv1\tbare-v1\nw\tHEAD\tw-head\nw\tv1\tw-v1\nold\nold\tHEAD\told-head\n",
    );
    let ran = project.peeler(&["scan", "--repos", "list.txt", "--all"]).ended(0);
    let found = by_name(&ran.stdout);
    git(&tree, &["clean", "-qfd"]);
    for (root, names) in [
        ("w", vec!["bare.git", "w-head"]),
        ("old", vec!["bare-v1", "w-v1", "old", "old-head"]),
    ] {
        let plain = project
            .peeler(&["scan", root, "--format", "json", "--all", "--no-cache"])
            .json();
        assert!(plain["summary"]["tests"].as_u64() > Some(3), "{plain}");
        for name in names {
            assert_eq!(found[name]["status"], "scanned", "{}", found[name]);
            assert_eq!(found[name]["tests"], plain["tests"], "{name}");
            assert_eq!(found[name]["findings"], plain["findings"], "{name}");
            assert_eq!(found[name]["problems"], plain["problems"], "{name}");
            for count in ["files", "excluded"] {
                assert_eq!(found[name]["counts"][count], plain["summary"][count], "{name} {count}");
            }
        }
    }
    assert_eq!(found["bare.git"]["commit"], second.trim());
    assert_eq!(found["w-head"]["commit"], second.trim());
    assert!(found["old"]["commit"].is_null(), "its folder was read");
    assert_eq!(found["bare-v1"]["revision"], "v1");
}

#[test]
fn shards_divide_a_list_and_jobs_do_not_change_records() {
    let project = fleet(12);
    let whole = project.peeler(&["scan", "--repos", "list.txt", "--jobs", "1"]).ended(0);
    let whole = settled_all(&whole.stdout);
    assert_eq!(whole.len(), 12);
    let mut together = BTreeMap::new();
    for shard in ["0/3", "1/3", "2/3"] {
        let part = project
            .peeler(&["scan", "--repos", "list.txt", "--shard", shard, "--jobs", "3"])
            .ended(0);
        for (name, record) in settled_all(&part.stdout) {
            assert!(together.insert(name, record).is_none());
        }
    }
    assert_eq!(together, whole);
    let dry = project
        .peeler(&["scan", "--repos", "list.txt", "--shard", "1/3", "--dry-run"])
        .ended(0);
    let part = project
        .peeler(&["scan", "--repos", "list.txt", "--shard", "1/3"])
        .ended(0);
    let names: BTreeSet<String> = dry.stdout.lines().map(str::to_owned).collect();
    assert_eq!(
        names,
        by_name(&part.stdout).into_keys().collect(),
        "a dry run names the shard"
    );
    project
        .peeler(&["scan", "--repos", "list.txt", "--shard", "3/3"])
        .refused(&["no shard 3 of 3"]);
}

#[test]
fn a_pipe_gets_each_record_before_the_list_ends() {
    let project = fleet(2);
    let mut scan = PipedScan::start(&project, &[]);
    for name in ["r0", "r1"] {
        assert_eq!(scan.next(name)["name"], name);
    }
    scan.end();
}

#[test]
fn a_reader_that_leaves_ends_the_scan_although_the_list_stays_open() {
    let project = fleet(2);
    let mut command = peeler();
    command
        .args(["scan", "--repos", "-", "--jobs", "2"])
        .current_dir(project.path("."));
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("an input");
    drop(child.stdout.take());
    writeln!(input, "r0\nr1").expect("it reads");
    let end = Instant::now() + Duration::from_secs(30);
    while child.try_wait().expect("a status").is_none() {
        assert!(Instant::now() < end, "it waits for more lines");
        std::thread::sleep(Duration::from_millis(10));
    }
    drop(input);
}

#[test]
fn a_memory_limit_ends_one_repository_and_not_the_others() {
    let project = fleet(3);
    let file = project.path("wide/WideTest.java");
    project.write("wide/WideTest.java", "");
    std::fs::File::options()
        .write(true)
        .open(file)
        .and_then(|it| it.set_len(1 << 30))
        .expect("a sparse file");
    project.write("wide.txt", "r0\nwide\nr1\nr2\n");
    let ran = project
        .peeler(&["scan", "--repos", "wide.txt", "--jobs", "1", "--memory-limit", "300M"])
        .ended(0);
    let expected = [
        ("r0", "scanned"),
        ("r1", "scanned"),
        ("r2", "scanned"),
        ("wide", "over-memory"),
    ];
    let expected: BTreeMap<_, _> = expected.map(|(a, b)| (a.to_owned(), b.to_owned())).into();
    assert_eq!(statuses(&ran.stdout), expected);
}

#[test]
fn a_time_limit_ends_one_repository_and_not_the_others() {
    let project = fleet(3);
    let mut scan = PipedScan::start(&project, &["--time-limit", "5s"]);
    assert_eq!(scan.next("r0")["status"], "scanned");
    // A stopped worker never ends its scan, however fast the machine is.
    scan.signal_workers("-STOP");
    assert_eq!(scan.next("r1")["status"], "over-time");
    assert_eq!(scan.next("r2")["status"], "scanned", "a new worker scans it");
    scan.end();
}

#[test]
fn a_worker_that_dies_costs_one_repository() {
    let project = fleet(3);
    let mut scan = PipedScan::start(&project, &[]);
    assert_eq!(scan.next("r0")["status"], "scanned");
    scan.signal_workers("-KILL");
    assert_eq!(scan.next("r1")["status"], "scanned", "a new worker scans it");
    assert_eq!(scan.next("r2")["status"], "scanned");
    scan.end();
}

/// A scan with one worker that gets its list and gives its records line by line.
struct PipedScan {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl PipedScan {
    fn start(project: &Project, options: &[&str]) -> Self {
        let mut child = peeler()
            .args(["scan", "--repos", "-", "--jobs", "1"])
            .args(options)
            .current_dir(project.path("."))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        Self {
            input: child.stdin.take().expect("an input"),
            output: BufReader::new(child.stdout.take().expect("an output")),
            child,
        }
    }

    fn next(&mut self, name: &str) -> Value {
        writeln!(self.input, "{name}").expect("it reads");
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a line");
        serde_json::from_str(&line).expect("a record")
    }

    fn signal_workers(&self, signal: &str) {
        for worker in workers(self.child.id()) {
            let sent = Command::new("kill").args([signal, &worker]).status().expect("kill");
            assert!(sent.success());
        }
    }

    fn end(mut self) {
        drop(self.input);
        assert!(self.child.wait().expect("an end").success());
    }
}

/// The ids of the processes that a process started.
fn workers(parent: u32) -> Vec<String> {
    let path = format!("/proc/{parent}/task");
    let mut found = Vec::new();
    for task in std::fs::read_dir(path).into_iter().flatten().flatten() {
        let children = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
        found.extend(children.split_whitespace().map(str::to_owned));
    }
    found
}

#[test]
fn an_output_is_continued_only_by_the_same_scan() {
    let project = fleet(3);
    let scan = |arguments: &[&str]| {
        let all = ["scan", "--repos", "list.txt", "-o", "out.jsonl"];
        project.peeler(&[&all, arguments].concat())
    };
    scan(&["--shard", "0/2"]).ended(0);
    let before = project.read("out.jsonl");
    scan(&[]).refused(&["out.jsonl exists", "--resume"]);
    scan(&["--resume", "--min-probability", "0.1"]).refused(&["another options", "out.jsonl"]);
    scan(&["--resume", "--model", "flast"]).refused(&["another model"]);
    assert_eq!(project.read("out.jsonl"), before);
    project.write("moved.txt", "r0\tmain\nr1\tmain\nr2\tmain\n");
    project
        .peeler(&["scan", "--repos", "moved.txt", "-o", "out.jsonl", "--resume"])
        .refused(&["the output holds", "revision"]);
    let ran = scan(&["--resume"]).ended(0);
    assert!(
        project.read("out.jsonl").starts_with(&before),
        "nothing is written anew"
    );
    assert_eq!(by_name(&project.read("out.jsonl")).len(), 3, "{ran:?}");
    let again = scan(&["--resume"]).ended(0);
    assert!(
        again.stderr.contains("0 repositories") && again.stderr.contains("held 3"),
        "{again:?}"
    );
}

#[test]
fn an_output_has_one_writer() {
    let project = fleet(1);
    let mut command = peeler();
    command
        .args(["scan", "--repos", "-", "-o", "out.jsonl"])
        .current_dir(project.path("."));
    let mut child = command
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let end = Instant::now() + Duration::from_secs(20);
    while !project.path("out.jsonl").exists() {
        assert!(Instant::now() < end, "it opens its output");
        std::thread::sleep(Duration::from_millis(5));
    }
    // The lock follows the opening at once.
    std::thread::sleep(Duration::from_millis(100));
    project
        .peeler(&["scan", "--repos", "list.txt", "-o", "out.jsonl", "--resume"])
        .refused(&["another program is writing out.jsonl"]);
    drop(child.stdin.take());
    assert!(child.wait().expect("an end").success());
    project
        .peeler(&["scan", "--repos", "list.txt", "-o", "out.jsonl", "--resume"])
        .ended(0);
}

#[test]
fn a_torn_line_is_cut_off_and_redone() {
    let project = fleet(4);
    let scan = |arguments: &[&str]| {
        let all = ["scan", "--repos", "list.txt", "-o", "out.jsonl", "--jobs", "1"];
        project.peeler(&[&all, arguments].concat())
    };
    scan(&[]).ended(0);
    let whole = project.read("out.jsonl");
    let expected = settled_all(&whole);
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    for kept in [0, 1, 3] {
        let torn = lines[kept];
        for length in [1, torn.len() / 2, torn.len() - 2, torn.len() - 1] {
            let head: String = lines[..kept].concat();
            project.write("out.jsonl", format!("{head}{}", &torn[..length]));
            scan(&["--resume"]).ended(0);
            let text = project.read("out.jsonl");
            assert!(text.starts_with(&head));
            assert_eq!(settled_all(&text), expected, "{kept} lines and {length} bytes");
        }
    }
    // What a crash of the machine may leave.
    project.write("out.jsonl", format!("{}{}", lines[0], "\0".repeat(5000)));
    scan(&["--resume"]).ended(0);
    assert_eq!(settled_all(&project.read("out.jsonl")), expected);
    // Damage in the middle is no torn end.
    project.write("out.jsonl", format!("{}{{\"half\n{}", lines[0], lines[1]));
    scan(&["--resume"]).refused(&["line 2 of out.jsonl is damaged"]);
    project.write("out.jsonl", "{\"other\":1}\n");
    scan(&["--resume"]).refused(&["is no output of"]);
    assert_eq!(project.read("out.jsonl"), "{\"other\":1}\n");
}

#[test]
fn a_killed_fleet_scan_loses_nothing_and_repeats_nothing() {
    const REPOSITORIES: usize = 40;
    let kills = std::env::var("PEELER_KILLS").map_or(10, |it| it.parse().expect("PEELER_KILLS is a number"));
    let project = fleet(REPOSITORIES);
    let names: BTreeSet<String> = (0..REPOSITORIES).map(|it| format!("r{it}")).collect();
    let scan = || {
        let mut command = peeler();
        command.args([
            "scan",
            "--repos",
            "list.txt",
            "--jobs",
            "2",
            "-o",
            "out.jsonl",
            "--resume",
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
    let mut recorded = String::new();
    let mut cut = 0;
    for _ in 0..kills {
        let pause = (0..longest).new_tree(&mut runner).expect("a number").current();
        let mut child = scan()
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        std::thread::sleep(Duration::from_millis(pause));
        let left = workers(child.id());
        cut += usize::from(child.try_wait().expect("a status").is_none());
        child.kill().expect("it is ours");
        child.wait().expect("an end");
        let end = Instant::now() + Duration::from_secs(20);
        while left.iter().any(|it| Path::new("/proc").join(it).exists()) {
            assert!(Instant::now() < end, "a worker outlives the command");
            std::thread::sleep(Duration::from_millis(5));
        }
        let text = std::fs::read_to_string(project.path("out.jsonl")).unwrap_or_default();
        let whole = &text[..text.rfind('\n').map_or(0, |it| it + 1)];
        assert!(whole.starts_with(&recorded), "a record is lost");
        by_name(whole);
        recorded = whole.to_owned();
        if by_name(whole).len() == names.len() {
            // All is done; begin anew, so that every kill meets a scan at work.
            std::fs::remove_file(project.path("out.jsonl")).expect("our file");
            recorded.clear();
        }
    }
    assert!(cut > kills / 2, "{cut} of {kills} kills met a running scan");
    Ran::of(&mut scan()).ended(0);
    let text = project.read("out.jsonl");
    assert!(text.starts_with(&recorded), "a record is lost");
    assert_eq!(settled_all(&text), expected);
    assert_eq!(expected.keys().cloned().collect::<BTreeSet<_>>(), names);
}

#[test]
fn wrong_options_and_lists_are_refused_with_a_remedy() {
    let project = fleet(1);
    project.write("twice.txt", "r0\tv1\nr0\tv2\n");
    let refused = |arguments: &[&str], words: &[&str]| {
        project.peeler(&[&["scan"], arguments].concat()).refused(words);
    };
    refused(&["--repos", "nowhere.txt"], &["nowhere.txt", "path a line"]);
    refused(&["--repos", "twice.txt"], &["twice.txt:2", "third field"]);
    refused(
        &["--repos", "list.txt", "--format", "sarif"],
        &["jsonl and parquet", "peeler merge"],
    );
    refused(&["--repos", "list.txt", "r0"], &["cannot be used with"]);
    refused(&["--repos", "list.txt", "--since", "HEAD"], &["cannot be used with"]);
    refused(&["--repos", "list.txt", "--resume"], &["--output"]);
    refused(&["--repos", "list.txt", "--memory-limit", "much"], &["800M"]);
    refused(&["--repos", "list.txt", "--model", "nowhere"], &["nowhere", "worker"]);
    refused(&["--format", "parquet", "r0"], &["--repos"]);
    refused(&["--shard", "0/2", "r0"], &["--repos"]);
}
