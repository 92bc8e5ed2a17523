//! Commands whose files cannot be written: on a full disk, in a folder that is none, and in one that is read-only.
//!
//! `ulimit -f` stands in for a full disk: a file cannot grow beyond a number of blocks of 512 bytes. Nothing may be
//! half written, a file from before keeps its content, and the message names the file and a remedy.
#![cfg(unix)]

#[path = "../crates/peeler-rerun/tests/jvm/javac.rs"]
mod javac;
mod support;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use javac::compiled_sample;
use support::{BINARY, Project, Ran, build_sample_corpus, own, peeler, samples};

const SLEEPY: &str = "import org.junit.*; public class MadeTest { @Test public void waits() throws Exception {\n\
                      Thread.sleep(10); Assert.assertTrue(done()); }\n static boolean done() { return true; } }";

/// The corpus of the samples.
fn corpus() -> String {
    static CORPUS: OnceLock<PathBuf> = OnceLock::new();
    let corpus = CORPUS.get_or_init(|| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("full-disk.corpus");
        build_sample_corpus(&path);
        path
    });
    corpus.display().to_string()
}

/// A command whose files cannot have more than a number of blocks.
fn limited(blocks: u32, arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    // Writing beyond the limit is an error instead of a signal, as on a full disk.
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec {BINARY} \"$@\"");
    command.args(["-c", &script, "peeler"]).args(arguments);
    command.env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
    command
}

/// The names of the files in the folder of a project, sorted.
fn names(project: &Project) -> Vec<String> {
    let entries = project.path(".").read_dir().expect("a folder").flatten();
    let mut names: Vec<String> = entries
        .map(|it| it.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Every command that writes a file, without the file, which is the last argument.
fn writers() -> Vec<Vec<String>> {
    let (corpus, samples) = (corpus(), samples().display().to_string());
    let labels = own("corpus/samples-labels.csv").display().to_string();
    let sources = own("corpus").display().to_string();
    let lines = [
        vec![
            "scan",
            "MadeTest.java",
            "--no-cache",
            "--exit-zero",
            "--format",
            "json",
            "-o",
        ],
        vec!["scan", "MadeTest.java", "--no-cache", "--exit-zero", "--write-baseline"],
        vec!["report", "scan.json", "--format", "sarif", "-o"],
        vec!["extract", "MadeTest.java", "-o"],
        vec!["extract", &samples, "--stats", "--cut-methods"],
        vec![
            "corpus",
            "build",
            "--layout",
            "csv",
            "--labels",
            &labels,
            "--sources",
            &sources,
            "-o",
        ],
        vec!["corpus", "export", &corpus, "-o"],
        vec![
            "eval",
            "--model",
            "vocabulary",
            "--split",
            "class",
            "--corpus",
            &corpus,
            "--json",
        ],
        vec![
            "eval",
            "--model",
            "vocabulary",
            "--split",
            "class",
            "--corpus",
            &corpus,
            "--html",
        ],
    ];
    let owned = |line: Vec<&str>| line.into_iter().map(str::to_owned).collect();
    lines.into_iter().map(owned).collect()
}

/// A project with a test, its scan, and a file from before.
fn project() -> Project {
    let project = Project::java(SLEEPY);
    let scan = ["scan", "--no-cache", "--format", "json", "--min-probability", "0"];
    let scan = project.peeler(&scan).ended(1).stdout;
    project.write("scan.json", scan);
    project.write("file", "from before");
    project
}

#[test]
fn a_full_disk_leaves_every_file_as_it_was() {
    let project = project();
    let before = names(&project);
    for writer in writers() {
        let arguments: Vec<&str> = writer.iter().map(String::as_str).chain(["file"]).collect();
        let ran = Ran::of(limited(0, &arguments).current_dir(project.path(".")));
        assert_eq!(project.read("file"), "from before", "{arguments:?}");
        ran.refused(&["cannot write ", "file: ", "make room"]);
        assert_eq!(names(&project), before, "{arguments:?} left something behind");
    }
}

#[test]
fn a_folder_of_drafts_is_complete_or_not_there() {
    let project = project();
    let before = names(&project);
    let report = ["report", "scan.json", "--unproven", "--min-probability", "0", "-o"];
    let drafts = |folder| Ran::of(limited(2, &[&report[..], &[folder]].concat()).current_dir(project.path(".")));
    drafts("drafts").refused(&["cannot write drafts: ", "make room"]);
    assert_eq!(names(&project), before);
    std::fs::create_dir(project.path("empty")).expect("a folder");
    drafts("empty").refused(&["cannot write empty: ", "make room"]);
    assert_eq!(project.path("empty").read_dir().expect("a folder").count(), 0);
    project
        .peeler(&[&report[..], &["file/drafts"]].concat())
        .refused(&["file/drafts", "a part of the path is a file"]);
}

#[test]
fn a_place_that_cannot_be_written_is_named_with_a_remedy() {
    let project = project();
    let before = names(&project);
    for writer in writers() {
        for place in ["file/new", "missing/new"] {
            let arguments: Vec<&str> = writer.iter().map(String::as_str).chain([place]).collect();
            project
                .peeler(&arguments)
                .refused(&["cannot write ", &format!("{place}: "), "does the folder exist?"]);
        }
    }
    // Permissions do not bind the user root.
    std::fs::create_dir(project.path("locked")).expect("a folder");
    project.write("locked/file", "from before");
    let locked = std::fs::Permissions::from_mode(0o555);
    std::fs::set_permissions(project.path("locked"), locked).expect("our folder");
    if std::fs::write(project.path("locked/other"), "").is_err() {
        let scan = ["scan", "--no-cache", "--exit-zero", "-o", "locked/file"];
        project
            .peeler(&scan)
            .refused(&["cannot write locked/file: ", "choose a folder that you may write to"]);
        assert_eq!(project.read("locked/file"), "from before");
    }
    let open = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(project.path("locked"), open).expect("our folder");
    std::fs::remove_dir_all(project.path("locked")).expect("our folder");
    assert_eq!(names(&project), before);
}

#[test]
fn output_to_a_full_device_fails_and_devices_stay_devices() {
    let project = project();
    let scan = |rest: &str| {
        let mut shell = Command::new("sh");
        shell.args([
            "-c",
            &format!("exec {BINARY} scan --no-cache --exit-zero --format json {rest}"),
        ]);
        Ran::of(shell.current_dir(project.path(".")))
    };
    scan("> /dev/full").refused(&["cannot write to standard output", "No space left"]);
    scan("-o /dev/full").refused(&["cannot write /dev/full: ", "make room"]);
    assert!(scan("-o /dev/stdout").ended(0).json()["findings"].is_array());
    assert!(!std::fs::metadata("/dev/full").expect("a device").is_file());
}

#[test]
fn a_training_without_room_keeps_its_last_epoch_and_goes_on_later() {
    let project = Project::empty();
    let config =
        "embedding = 4\nedge = 4\ntuple = 4\nhidden = 4\nhead = 4\ntraining_paths = 2\nbatch = 64\nepochs = 2\n";
    project.write("tiny.toml", config);
    let corpus = corpus();
    let train = [
        "train",
        "--backend",
        "cpu",
        "--config",
        "tiny.toml",
        "--corpus",
        &corpus,
        "--out",
    ];
    let weights = |model: &str| std::fs::read(project.path(model).join("weights.safetensors")).expect("weights");
    project.peeler(&[&train[..], &["whole"]].concat()).ended(0);

    let none = Ran::of(limited(0, &[&train[..], &["m"]].concat()).current_dir(project.path(".")));
    none.refused(&["cannot write m/checkpoint.peeler: ", "make room", "--resume"]);
    assert_eq!(project.path("m").read_dir().expect("a folder").count(), 0);
    // Checkpoints grow, so there is a disk that has room for the first one only.
    let mut blocks = 64;
    while !project.path("m/checkpoint.peeler").exists() {
        let half = Ran::of(limited(blocks, &[&train[..], &["m"]].concat()).current_dir(project.path(".")));
        half.refused(&["cannot write m/", "make room", "--resume"]);
        blocks += blocks / 4;
    }
    project.write("m/checkpoint.peeler.dead.unfinished", "of a killed program");
    project.peeler(&[&train[..], &["m", "--resume"]].concat()).ended(0);
    assert_eq!(weights("m"), weights("whole"));
    let count = |model: &str| project.path(model).read_dir().expect("a folder").count();
    assert_eq!(count("m"), count("whole"), "nothing else stays");

    project.write("r/README.md", "from before");
    let rival = ["train", "--rival", "vocabulary", "--corpus", &corpus, "--out", "r"];
    Ran::of(limited(0, &rival).current_dir(project.path("."))).refused(&["cannot write r/README.md: ", "make room"]);
    assert_eq!(project.read("r/README.md"), "from before");
    assert_eq!(count("r"), 1);
}

/// Runs `confirm` on the sample shop, with files of at most some blocks.
fn confirm(project: &Project, blocks: &str, more: &[&str]) -> Ran {
    static SAMPLE: OnceLock<(PathBuf, String)> = OnceLock::new();
    let (root, classpath) = SAMPLE.get_or_init(|| {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("full-disk-sample");
        let classpath = compiled_sample(&own("crates/peeler-rerun/tests/project"), &root);
        (root, classpath)
    });
    let mut command = Command::new("sh");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec {BINARY} confirm \"$@\"");
    command
        .args(["-c", &script, "peeler"])
        .arg(root)
        .args(["--classpath", classpath]);
    // The JVM has files of its own, which would be too long.
    command.args([
        "--jvm-arg=-XX:-UsePerfData",
        "--test",
        "shop.StableTest#adds",
        "--keep-going",
    ]);
    Ran::of(command.args(more).current_dir(project.path(".")))
}

/// The number of runs in a log whose lines are all complete.
fn runs(project: &Project) -> usize {
    let text = project.read("log.jsonl");
    assert!(text.ends_with('\n'), "half a line: {text}");
    let lines = text
        .lines()
        .map(|it| serde_json::from_str::<serde_json::Value>(it).expect("a whole line"));
    lines.filter(|it| it["event"] == "run").count()
}

#[test]
fn runs_that_were_recorded_before_the_disk_was_full_stay_and_none_is_made_twice() {
    let project = Project::empty();
    let log = ["--runs", "30", "--log", "log.jsonl"];
    confirm(&project, "unlimited", &["--runs", "1", "--log", "log.jsonl"]).ended(0);
    let words = [
        "cannot write the log log.jsonl: ",
        "make room",
        "--log",
        "the same command continues",
    ];
    confirm(&project, "4", &log).refused(&words);
    let kept = runs(&project);
    assert!((2..30).contains(&kept), "{kept}");
    let text = project.read("log.jsonl");
    confirm(&project, "0", &[&log[..], &["--fresh"]].concat()).refused(&words[..3]);
    assert_eq!(
        project.read("log.jsonl"),
        text,
        "--fresh discards nothing that it cannot replace"
    );
    // The report cannot be written, but the runs are recorded.
    let report = [&log[..], &["-o", "file/report"]].concat();
    project.write("file", "from before");
    confirm(&project, "unlimited", &report).refused(&["all runs are recorded in log.jsonl", "file/report"]);
    assert_eq!(runs(&project), 30);
    assert!(project.read("log.jsonl").starts_with(&text));
    confirm(&project, "unlimited", &log).ended(0);
    assert_eq!(runs(&project), 30, "nothing is run again");
}

#[test]
fn evidence_goes_to_a_file_or_nothing_is_run() {
    let project = Project::empty();
    project.write("file", "from before");
    for log in ["file/log.jsonl", "missing/log.jsonl", "/proc/log.jsonl"] {
        let refused = confirm(&project, "unlimited", &["--log", log]);
        refused.refused(&[&format!("cannot write the log {log}: "), "--log"]);
    }
    confirm(&project, "unlimited", &["--log", "/dev/full"]).refused(&["the log /dev/full is not a file"]);
    let replay = Ran::of(peeler().args(["confirm", "--classpath", "x", "--replay", "/dev/zero"]));
    replay.refused(&["the log /dev/zero is not a file"]);
}
