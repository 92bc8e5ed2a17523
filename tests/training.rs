//! End-to-end tests of `peeler train`: from a corpus to a model, interrupted and continued, and refused input.

mod support;

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use support::{Ran, build_sample_corpus, own, peeler, samples};

const CONFIG: &str = r#"
name = "tiny"
inputs = ["paths", "words", "context", "reach", "measures", "causes", "flows"]
embedding = 8
edge = 8
tuple = 8
hidden = 8
head = 8
training_paths = 4
batch = 32
epochs = 3
"#;

/// A folder with a corpus of the samples and a configuration that trains in seconds.
struct Workplace {
    folder: tempfile::TempDir,
}

impl Workplace {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        build_sample_corpus(&folder.path().join("samples.corpus"));
        std::fs::write(folder.path().join("tiny.toml"), CONFIG).expect("a configuration");
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, out: &str, more: &[&str]) -> Command {
        let mut command = peeler();
        command
            .arg("train")
            .arg("--corpus")
            .arg(self.path("samples.corpus"))
            .arg("--config")
            .arg(self.path("tiny.toml"))
            .arg("--out")
            .arg(self.path(out))
            .args(["--backend", "cpu"])
            .args(more);
        command
    }

    fn train(&self, out: &str, more: &[&str]) -> Ran {
        Ran::of(&mut self.command(out, more))
    }

    fn weights(&self, out: &str) -> Vec<u8> {
        std::fs::read(self.path(out).join("weights.safetensors")).expect("weights")
    }
}

#[test]
fn a_model_is_trained_and_an_interrupted_run_ends_with_the_same() {
    let workplace = Workplace::new();
    let said = workplace.train("whole", &[]).ended(0).stderr;
    assert!(
        said.contains("scout  1 epoch  1") && said.contains("validation AP"),
        "{said}"
    );
    assert!(said.contains("member 1 epoch  1"), "{said}");
    let lines = said.lines().filter(|it| it.contains(" epoch "));
    for line in lines {
        assert!(
            line.contains(" steps/s  waits: batches ") && line.ends_with('%'),
            "{line}"
        );
    }
    for name in [
        "model.json",
        "config.toml",
        "vocabulary.json",
        "weights.safetensors",
        "metrics.json",
        "README.md",
    ] {
        assert!(workplace.path("whole").join(name).is_file(), "{name}");
    }
    assert!(!workplace.path("whole").join("checkpoint.peeler").exists());

    let mut running = workplace
        .command("stopped", &[])
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary starts");
    let checkpoint = workplace.path("stopped").join("checkpoint.peeler");
    let started = Instant::now();
    while !checkpoint.exists() && started.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let interrupted = Command::new("kill").args(["-INT", &running.id().to_string()]).status();
    assert!(interrupted.expect("kill starts").success());
    let status = running.wait().expect("it ends");
    // A run this short may have ended before the signal came; then there is nothing to resume.
    assert!(matches!(status.code(), Some(0 | 130)), "{status}");
    if checkpoint.exists() {
        workplace.train("stopped", &["--resume"]).ended(0);
    }
    assert_eq!(workplace.weights("whole"), workplace.weights("stopped"));
}

#[test]
fn several_scouts_hold_every_test_out_once() {
    let workplace = Workplace::new();
    let said = workplace.train("three", &["--scouts", "3"]).ended(0).stderr;
    assert!(
        said.contains("scout  3 epoch  1") && !said.contains("scout  4"),
        "{said}"
    );
    let model = std::fs::read(workplace.path("three/model.json")).expect("a description");
    let model: serde_json::Value = serde_json::from_slice(&model).expect("JSON");
    let bins = model["track_record"].as_array().expect("a track record").iter();
    let tests = |bin: &serde_json::Value| bin["stable"].as_u64().unwrap_or(0) + bin["flaky"].as_u64().unwrap_or(0);
    assert_eq!(bins.map(tests).sum::<u64>(), 342);
    let card = std::fs::read_to_string(workplace.path("three/README.md")).expect("a card");
    assert!(card.contains("- Reported from 0."), "{card}");
}

/// Tests that a sample is learned from without being held out, and that a project cannot be both.
#[test]
fn samples_are_learned_from_and_never_judged_by() {
    let workplace = Workplace::new();
    let labels = std::fs::read_to_string(own("corpus/samples-labels.csv")).expect("labels");
    let (header, rows) = labels.split_once('\n').expect("a header");
    let sample: Vec<&str> = rows.lines().step_by(3).collect();
    let renamed = sample.join("\n").replace("samples,", "twins,");
    std::fs::write(workplace.path("sample.csv"), format!("{header}\n{renamed}\n")).expect("a file");
    let sources = workplace.path("sources");
    std::fs::create_dir(&sources).expect("a folder");
    std::os::unix::fs::symlink(samples(), sources.join("twins")).expect("a link");
    let mut build = peeler();
    build.args(["corpus", "build", "--layout", "csv", "--labels"]);
    build.arg(workplace.path("sample.csv")).arg("--sources").arg(&sources);
    build.arg("-o").arg(workplace.path("sample.corpus"));
    Ran::of(&mut build).ended(0);

    let sampled = workplace.path("sample.corpus");
    let sampled = sampled.to_str().expect("UTF-8");
    workplace.train("with", &["--learn-only", sampled]).ended(0);
    workplace.train("without", &[]).ended(0);
    assert_ne!(workplace.weights("with"), workplace.weights("without"));
    let described = |name: &str| -> serde_json::Value {
        let model = std::fs::read(workplace.path(name).join("model.json")).expect("a description");
        serde_json::from_slice(&model).expect("JSON")
    };
    let (with, without) = (described("with"), described("without"));
    let held_out = |model: &serde_json::Value| -> u64 {
        let bins = model["track_record"].as_array().expect("a track record").iter();
        let counts = bins.flat_map(|it| [&it["stable"], &it["flaky"]]);
        counts.filter_map(serde_json::Value::as_u64).sum()
    };
    assert_eq!(held_out(&with), held_out(&without));
    let card = std::fs::read_to_string(workplace.path("with/README.md")).expect("a card");
    let samples = format!("{} of the tests are samples", sample.len());
    assert!(card.contains(&samples), "{card}");

    let judged = workplace.path("samples.corpus");
    let judged = judged.to_str().expect("UTF-8");
    workplace
        .train("both", &["--learn-only", judged])
        .refused(&["samples is in", "samples.corpus", "leave it out"]);
}

#[test]
fn what_cannot_be_trained_is_refused_with_the_remedy() {
    let workplace = Workplace::new();
    let refused = |out: &str, more: &[&str], words: &[&str]| workplace.train(out, more).refused(words);
    refused(
        "new",
        &["--resume"],
        &["nothing to resume", "checkpoint.peeler", "--resume"],
    );
    refused("new", &["--epochs", "0"], &["--epochs 0", "at least 1"]);
    std::fs::write(workplace.path("alone.toml"), "members = 0").expect("a file");
    let alone = workplace.path("alone.toml");
    let mut scouts = peeler();
    scouts
        .args(["train", "--scouts", "2", "--out"])
        .arg(workplace.path("new"));
    scouts.arg("--config").arg(alone);
    scouts.arg("--corpus").arg(workplace.path("samples.corpus"));
    Ran::of(&mut scouts).refused(&["--scouts 2", "omit --scouts"]);
    #[cfg(not(feature = "wgpu"))]
    {
        let mut eval = peeler();
        eval.args(["eval", "--split", "class", "--model", "peeler", "--backend", "wgpu"]);
        eval.arg("--corpus").arg(workplace.path("samples.corpus"));
        Ran::of(&mut eval).refused(&["--features wgpu"]);
    }
    std::fs::create_dir_all(workplace.path("old")).expect("a folder");
    std::fs::write(workplace.path("old/model.json"), "{}").expect("a file");
    refused("old", &[], &["already contains a model"]);
    std::fs::create_dir_all(workplace.path("broken")).expect("a folder");
    std::fs::write(workplace.path("broken/checkpoint.peeler"), "PEEL").expect("a file");
    refused("broken", &[], &["interrupted run", "--resume"]);
    refused(
        "broken",
        &["--resume"],
        &["cannot resume from", "checkpoint.peeler", "delete it"],
    );
    std::fs::write(workplace.path("tiny.toml"), "hiden = 8").expect("a file");
    refused("new", &[], &["tiny.toml", "hiden"]);
}

/// Tests that each ablation gives another network, and that an unknown one is refused.
#[test]
fn networks_are_evaluated_without_what_is_taken_from_them() {
    let workplace = Workplace::new();
    let eval = |more: &[&str]| -> Ran {
        let mut command = peeler();
        command.args([
            "eval", "--split", "class", "--folds", "2", "--model", "peeler", "--corpus",
        ]);
        command.arg(workplace.path("samples.corpus"));
        command.arg("--config").arg(workplace.path("tiny.toml"));
        Ran::of(command.args(more))
    };
    let figures = |more: &[&str]| -> (String, Vec<String>) {
        let table = eval(more).ended(0).stdout;
        let row = table.lines().last().expect("a row");
        let mut cells = row.split_whitespace().map(str::to_owned);
        (cells.next().expect("a name"), cells.collect())
    };
    let (name, whole) = figures(&[]);
    assert_eq!(name, "peeler-tiny");
    for what in [
        "inner",
        "cut",
        "context",
        "reach",
        "paths",
        "causes",
        "flows",
        "regression",
    ] {
        let (name, without) = figures(&["--ablate", what]);
        assert_eq!(name, format!("peeler-tiny-no-{what}"));
        assert_ne!(without, whole, "{what} makes no difference");
    }
    assert_eq!(
        figures(&["--ablate", "causes", "regression"]).0,
        "peeler-tiny-no-causes-no-regression"
    );
    eval(&["--ablate", "pretrained"]).refused(&["--embeddings"]);
}

/// Tests that vectors of `peeler pretrain` are where training begins, that they can be frozen, and that wrong ones are
/// refused.
#[test]
fn networks_begin_with_vectors_of_pretraining() {
    let workplace = Workplace::new();
    let (vectors, damaged) = (workplace.path("vectors"), workplace.path("damaged"));
    let pretrain = |out: &PathBuf, width: &str| {
        let mut command = peeler();
        command
            .arg("pretrain")
            .arg("--sources")
            .arg(samples())
            .arg("--out")
            .arg(out);
        command.args([
            "--backend",
            "cpu",
            "--epochs",
            "1",
            "--contexts",
            "10",
            "--width",
            width,
        ]);
        Ran::of(&mut command).ended(0);
    };
    pretrain(&vectors, "8");
    pretrain(&damaged, "8");
    std::fs::write(damaged.join("words.txt"), "sleep\n").expect("a file");
    let with = |out: &str, folder: &PathBuf, more: &[&str]| {
        let folder = folder.to_str().expect("a path in UTF-8");
        workplace.train(out, &[&["--epochs", "1", "--embeddings", folder], more].concat())
    };
    with("further", &vectors, &[]).ended(0);
    with("frozen", &vectors, &["--freeze-embeddings"]).ended(0);
    workplace.train("scratch", &["--epochs", "1"]).ended(0);
    let weights = ["further", "frozen", "scratch"].map(|it| workplace.weights(it));
    assert!(weights[0] != weights[1] && weights[0] != weights[2] && weights[1] != weights[2]);

    with("damaged-run", &damaged, &[]).refused(&["words.txt", "damaged", "peeler pretrain"]);
    with("missing-run", &workplace.path("nowhere"), &[]).refused(&["cannot read", "nowhere"]);
    let wide = workplace.path("wide");
    pretrain(&wide, "4");
    with("wide-run", &wide, &[]).refused(&["width 4", "needs 8", "embedding"]);
    workplace
        .train("alone", &["--freeze-embeddings"])
        .refused(&["--embeddings"]);
}
