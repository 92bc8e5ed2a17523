//! `peeler pretrain`: vectors of sub-tokens and an encoder of bodies from Java sources.

mod support;

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use peeler_model::code2vec::Code2vec;
use serde_json::Value;
use support::{Project, Ran, peeler, samples};
use zip::CompressionMethod;
use zip::write::{SimpleFileOptions, ZipWriter};

/// Bytes of an archive with some files.
fn archive(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, text) in files {
        archive.start_file(*name, stored).expect("an entry");
        archive.write_all(text.as_bytes()).expect("its content");
    }
    archive.finish().expect("an archive").into_inner()
}

/// A class with methods whose names follow from their bodies.
fn class(name: &str) -> String {
    let methods = ["price", "total", "count", "tax"].map(|it| {
        format!(
            "int get_{it}() {{ return this.{it}; }} void set_{it}(int {name}) {{ this.{it} = {name}; }}
             boolean has_{it}() {{ return this.{it} != 0 && {name} > 1; }}"
        )
    });
    let methods = methods.concat();
    format!("class {name} {{ {methods} }}")
}

/// A folder with archives of three libraries.
fn sources() -> Project {
    let project = Project::empty();
    for name in ["Cart", "Order", "Shop"] {
        let text = class(name);
        let path = format!("acme/{name}.java");
        let files = [(path.as_str(), text.as_str()), ("README", "nothing")];
        project.write(
            &format!("jars/{}-1.2-sources.jar", name.to_lowercase()),
            archive(&files),
        );
    }
    project
}

/// Runs a training with a tiny network.
fn pretrain(project: &Project, arguments: &[&str]) -> Ran {
    let tiny = [
        "--width",
        "8",
        "--batch",
        "64",
        "--least-methods",
        "2",
        "--rate",
        "0.02",
        "--backend",
        "cpu",
    ];
    project.peeler(&[&["pretrain"], arguments, &tiny].concat())
}

fn description(folder: &Path) -> Value {
    let text = std::fs::read_to_string(folder.join("code2vec.json")).expect("a description");
    serde_json::from_str(&text).expect("JSON")
}

fn losses(folder: &Path) -> Vec<f64> {
    let epochs = description(folder)["epochs"].as_array().expect("epochs").clone();
    epochs.iter().map(|it| it["loss"].as_f64().expect("a loss")).collect()
}

#[test]
fn the_loss_falls_on_our_samples_and_is_the_same_every_time() {
    let project = Project::empty();
    let samples = samples();
    let samples = samples.to_str().expect("a path");
    for out in ["a", "b"] {
        let ran = pretrain(
            &project,
            &["--sources", samples, "--out", out, "--epochs", "3", "--seed", "3"],
        )
        .ended(0);
        assert!(ran.stderr.contains("held out: 1 libraries"), "{}", ran.stderr);
        assert!(ran.stderr.contains("methods/s"), "{}", ran.stderr);
        assert!(ran.stdout.starts_with(&format!("vectors in {out}: ")), "{}", ran.stdout);
    }
    let losses = losses(&project.path("a"));
    assert!(
        losses.len() == 3 && losses[1] < losses[0] && losses[2] < losses[1],
        "{losses:?}"
    );
    for file in ["code2vec.safetensors", "words.txt", "paths.txt"] {
        let [a, b] = ["a", "b"].map(|it| std::fs::read(project.path(it).join(file)).expect("a file"));
        assert_eq!(a, b, "{file}");
    }
}

#[test]
fn names_are_learned_and_what_was_read_can_be_loaded() {
    let project = sources();
    let ran = pretrain(&project, &["--sources", "jars", "--out", "vectors", "--epochs", "40"]).ended(0);
    assert!(
        ran.stderr.contains("3 libraries, 3 files, 36 methods"),
        "{}",
        ran.stderr
    );
    let folder = project.path("vectors");
    let (network, read) = Code2vec::load(&folder).expect("the vectors");
    let f1 = read
        .best_epoch()
        .and_then(|it| it.held_out)
        .expect("a held-out library")
        .f1();
    assert!(f1 > 0.6, "F1 {f1}: {}", ran.stderr);
    assert_eq!(
        (network.width(), network.vector("price").map(|it| it.len())),
        (8, Some(8))
    );
    assert_eq!(network.vector("nowhere"), None);
    assert_eq!(network.neighbours("price", 3).len(), 3);
    let card = std::fs::read_to_string(folder.join("README.md")).expect("a card");
    for line in [
        "| libraries | 3 |",
        "| distinct methods | ",
        "| sleep | no vector |",
        ", stored | ",
    ] {
        assert!(card.contains(line), "{card}");
    }
}

#[test]
fn files_contain_frequent_words_and_no_source() {
    let project = sources();
    let secret = "class Plan { int zanzibarLaunch() { return code(\"attack at dawn\", 7); } }";
    project.write("more/Plan.java", secret);
    pretrain(
        &project,
        &["--sources", "jars", "more", "--out", "vectors", "--epochs", "1"],
    )
    .ended(0);
    let folder = project.path("vectors");
    for entry in std::fs::read_dir(&folder).expect("files") {
        let path = entry.expect("an entry").path();
        let bytes = std::fs::read(&path).expect("a file");
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        for word in ["zanzibar", "dawn", "acme", "this.price", "get_price", ".java", "more"] {
            assert!(!text.contains(word), "{word} in {}", path.display());
        }
    }
    let words = std::fs::read_to_string(folder.join("words.txt")).expect("words");
    assert!(words.lines().any(|it| it == "price"), "{words}");
    assert!(
        words.lines().skip(1).all(|it| it.chars().all(char::is_alphanumeric)),
        "{words}"
    );
}

#[test]
fn a_corrupted_archive_is_named_with_a_remedy() {
    let project = sources();
    let bytes = std::fs::read(project.path("jars/cart-1.2-sources.jar")).expect("an archive");
    project.write("jars/broken-1-sources.jar", &bytes[..bytes.len() / 2]);
    pretrain(&project, &["--sources", "jars", "--out", "vectors"]).refused(&[
        "broken-1-sources.jar",
        "corrupted",
        "download it again",
    ]);
    assert!(!project.path("vectors").exists());
    pretrain(&project, &["--sources", "nowhere", "--out", "vectors"]).refused(&["nowhere", "no folder"]);
}

#[test]
fn broken_files_and_entries_are_counted_and_stop_nothing() {
    let project = sources();
    let text = class("Other");
    let mut bytes = archive(&[("A.java", "class A { int a() { return a + } }"), ("Other.java", &text)]);
    let at = bytes
        .windows(11)
        .position(|it| it == b"class Other")
        .expect("the stored text");
    // The checksum of the entry is wrong now.
    bytes[at + 6] = b'o';
    project.write("jars/other-1-sources.jar", bytes);
    let ran = pretrain(&project, &["--sources", "jars", "--out", "vectors", "--epochs", "1"]).ended(0);
    assert!(
        ran.stderr.contains("1 methods with syntax errors (in 1 files)"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("note: 1 files in archives could not be read"),
        "{}",
        ran.stderr
    );
}

#[test]
fn listed_projects_are_not_read() {
    let project = sources();
    project.write("keep-out.txt", "# judged on\nacme/cart\nother/thing\n");
    let arguments = [
        "--sources",
        "jars",
        "--out",
        "vectors",
        "--epochs",
        "1",
        "--keep-out",
        "keep-out.txt",
    ];
    let ran = pretrain(&project, &arguments).ended(0);
    assert!(
        ran.stderr.contains("1 libraries left out by --keep-out: cart\n"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("\n2 libraries, 2 files"), "{}", ran.stderr);
    assert_eq!(description(&project.path("vectors"))["data"]["kept_out_libraries"], 1);
}

#[test]
fn an_interrupted_training_stores_its_best_epoch() {
    let project = sources();
    let mut running = peeler()
        .args(["pretrain", "--backend", "cpu", "--width", "8", "--least-methods", "2"])
        .args(["--epochs", "1000000", "--out"])
        .arg(project.path("vectors"))
        .arg("--sources")
        .arg(project.path("jars"))
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut lines = BufReader::new(running.stderr.take().expect("an output")).lines();
    let is_epoch = |line: &std::io::Result<String>| line.as_ref().is_ok_and(|it| it.starts_with("epoch  2"));
    assert!(lines.by_ref().any(|line| is_epoch(&line)), "two epochs");
    let interrupted = Command::new("kill").args(["-INT", &running.id().to_string()]).status();
    assert!(interrupted.expect("kill starts").success());
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    assert_eq!(running.wait().expect("an end").code(), Some(130), "{rest:?}");
    assert!(
        rest.last().is_some_and(|it| it.contains("contains the best of ")),
        "{rest:?}"
    );
    let (_, read) = Code2vec::load(&project.path("vectors")).expect("the vectors");
    assert!(read.epochs.len() >= 2, "{}", read.epochs.len());
}

#[test]
fn what_cannot_be_learned_or_written_is_refused() {
    let project = sources();
    let few = ["--sources", "jars", "--out", "vectors", "--least-methods", "900"];
    project
        .peeler(&[&["pretrain"], &few[..]].concat())
        .refused(&["nothing to learn from", "more sources"]);
    let wide = ["--sources", "jars", "--out", "vectors", "--width", "9000"];
    project
        .peeler(&[&["pretrain"], &wide[..]].concat())
        .refused(&["no room", "--width"]);
    assert!(!project.path("vectors").exists());
    pretrain(&project, &["--sources", "jars", "--out", "vectors", "--epochs", "1"]).ended(0);
    pretrain(&project, &["--sources", "jars", "--out", "vectors"]).refused(&["vectors", "already contains"]);
    let bad = ["--sources", "jars", "--out", "other", "--rate", "0"];
    project.peeler(&[&["pretrain"], &bad[..]].concat()).refused(&["--rate"]);
    let cuda = ["pretrain", "--sources", "jars", "--out", "other", "--backend", "cuda"];
    project
        .peeler(&cuda)
        .refused(&["the cuda backend cannot do this", "--backend wgpu"]);
}
