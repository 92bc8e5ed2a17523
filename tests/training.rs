//! `peeler train`, as a user runs it: from a corpus to a model, interrupted and continued, and what is refused.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const CONFIG: &str = r#"
name = "tiny"
embedding = 8
edge = 8
tuple = 8
hidden = 8
head = 8
training_paths = 4
batch = 32
epochs = 3
"#;

fn peeler() -> Command {
    Command::new(env!("CARGO_BIN_EXE_peeler"))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the output is UTF-8")
}

/// A folder with a corpus of the samples and a configuration that trains in seconds.
struct Workplace {
    folder: tempfile::TempDir,
}

impl Workplace {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let output = peeler()
            .args(["corpus", "build", "--layout", "csv", "--labels"])
            .arg(root.join("corpus/samples-labels.csv"))
            .arg("--sources")
            .arg(root.join("corpus"))
            .arg("-o")
            .arg(folder.path().join("samples.corpus"))
            .output()
            .expect("the binary starts");
        assert!(output.status.success(), "{}", text(&output.stderr));
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

    fn train(&self, out: &str, more: &[&str]) -> Output {
        self.command(out, more).output().expect("the binary starts")
    }

    fn weights(&self, out: &str) -> Vec<u8> {
        std::fs::read(self.path(out).join("weights.safetensors")).expect("weights")
    }
}

#[test]
fn a_model_is_trained_and_an_interrupted_run_ends_with_the_same() {
    let workplace = Workplace::new();
    let whole = workplace.train("whole", &[]);
    let said = text(&whole.stderr);
    assert!(whole.status.success(), "{said}");
    assert!(
        said.contains("scout  1 epoch  1") && said.contains("validation AP"),
        "{said}"
    );
    assert!(said.contains("member 1 epoch  1"), "{said}");
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
    // A run so short may have ended before the signal came; then there is nothing to resume.
    if status.code() == Some(130) {
        let resumed = workplace.train("stopped", &["--resume"]);
        assert!(resumed.status.success(), "{}", text(&resumed.stderr));
    }
    assert_eq!(workplace.weights("whole"), workplace.weights("stopped"));
}

#[test]
fn several_scouts_hold_every_test_out_once() {
    let workplace = Workplace::new();
    let trained = workplace.train("three", &["--scouts", "3"]);
    let said = text(&trained.stderr);
    assert!(trained.status.success(), "{said}");
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

#[test]
fn what_cannot_be_trained_is_refused_with_the_remedy() {
    let workplace = Workplace::new();
    let refused = |out: &str, more: &[&str], expected: &[&str]| {
        let output = workplace.train(out, more);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        for part in expected {
            assert!(said.contains(part), "{part} is not in {said}");
        }
    };
    refused(
        "new",
        &["--resume"],
        &["nothing to resume", "checkpoint.peeler", "--resume"],
    );
    refused("new", &["--epochs", "0"], &["--epochs 0", "at least 1"]);
    std::fs::write(workplace.path("alone.toml"), "members = 0").expect("a file");
    let alone = workplace.path("alone.toml");
    let output = peeler()
        .args(["train", "--scouts", "2", "--out"])
        .arg(workplace.path("new"))
        .arg("--config")
        .arg(alone)
        .arg("--corpus")
        .arg(workplace.path("samples.corpus"))
        .output()
        .expect("the binary starts");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("--scouts 2") && said.contains("omit --scouts"), "{said}");
    #[cfg(not(feature = "wgpu"))]
    {
        let output = peeler()
            .args([
                "eval",
                "--split",
                "class",
                "--model",
                "peeler",
                "--backend",
                "wgpu",
                "--corpus",
            ])
            .arg(workplace.path("samples.corpus"))
            .output()
            .expect("the binary starts");
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2));
        assert!(said.contains("--features wgpu"), "{said}");
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

/// Each ablation is another network, and an unknown one is refused.
#[test]
fn networks_are_evaluated_without_what_is_taken_from_them() {
    let workplace = Workplace::new();
    let eval = |more: &[&str]| -> Output {
        let mut command = peeler();
        command.args([
            "eval", "--split", "class", "--folds", "2", "--model", "peeler", "--corpus",
        ]);
        command.arg(workplace.path("samples.corpus"));
        command.arg("--config").arg(workplace.path("tiny.toml"));
        command.args(more).output().expect("the binary starts")
    };
    let figures = |more: &[&str]| -> (String, Vec<String>) {
        let output = eval(more);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let table = text(&output.stdout);
        let row = table.lines().last().expect("a row");
        let mut cells = row.split_whitespace().map(str::to_owned);
        (cells.next().expect("a name"), cells.collect())
    };
    let (name, whole) = figures(&[]);
    assert_eq!(name, "peeler-tiny");
    for what in ["inner", "cut", "context", "reach", "paths", "causes", "regression"] {
        let (name, without) = figures(&["--ablate", what]);
        assert_eq!(name, format!("peeler-tiny-no-{what}"));
        assert_ne!(without, whole, "{what} makes no difference");
    }
    assert_eq!(
        figures(&["--ablate", "causes", "regression"]).0,
        "peeler-tiny-no-causes-no-regression"
    );
    let refused = eval(&["--ablate", "pretrained"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        text(&refused.stderr).contains("--embeddings"),
        "{}",
        text(&refused.stderr)
    );
}
