//! The seams of the house: which crate may know what.

use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The names a manifest depends on, outside tests.
fn dependencies(manifest: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join(manifest)).expect("the manifest");
    let start = text.find("\n[dependencies]\n").expect("dependencies");
    let section = &text[start + 1..];
    let end = section[1..].find("\n[").map_or(section.len(), |at| at + 1);
    section[..end]
        .lines()
        .skip(1)
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(rust_files(&path));
        } else if path.extension().is_some_and(|it| it == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn the_command_line_knows_no_parser_and_the_crates_below_no_command_line() {
    let analysis = dependencies("crates/peeler-analysis/Cargo.toml");
    let binary = dependencies("Cargo.toml");
    for forbidden in ["clap", "anyhow", "indicatif", "burn", "serde_json", "git2"] {
        assert!(
            !analysis.iter().any(|it| it == forbidden),
            "peeler-analysis depends on {forbidden}"
        );
    }
    let evaluation = dependencies("crates/peeler-eval/Cargo.toml");
    for forbidden in [
        "clap",
        "anyhow",
        "indicatif",
        "serde_json",
        "tree-sitter",
        "burn",
        "git2",
    ] {
        assert!(
            !evaluation.iter().any(|it| it == forbidden),
            "peeler-eval depends on {forbidden}"
        );
    }
    let model = dependencies("crates/peeler-model/Cargo.toml");
    for forbidden in ["clap", "anyhow", "indicatif", "tree-sitter", "peeler-analysis", "git2"] {
        assert!(
            !model.iter().any(|it| it == forbidden),
            "peeler-model depends on {forbidden}"
        );
    }
    let rerun = dependencies("crates/peeler-rerun/Cargo.toml");
    for forbidden in [
        "clap",
        "anyhow",
        "indicatif",
        "tree-sitter",
        "peeler-analysis",
        "peeler-model",
        "burn",
    ] {
        assert!(
            !rerun.iter().any(|it| it == forbidden),
            "peeler-rerun depends on {forbidden}"
        );
    }
    for forbidden in ["tree-sitter", "tree-sitter-java", "rayon", "ignore", "burn"] {
        assert!(
            !binary.iter().any(|it| it == forbidden),
            "peeler depends on {forbidden}"
        );
    }
}

#[test]
fn only_the_syntax_room_knows_tree_sitter_and_only_the_repository_reads_files() {
    for file in rust_files(&root().join("crates/peeler-analysis/src")) {
        let text = std::fs::read_to_string(&file).expect("a source file");
        let name = file.to_string_lossy().replace('\\', "/");
        if !name.contains("/syntax/") {
            assert!(!text.contains("tree_sitter"), "{name} knows tree-sitter");
        }
        if !name.ends_with("/repository.rs") {
            assert!(
                !text.contains("std::fs") && !text.contains("File::"),
                "{name} reads files"
            );
        }
    }
}

#[test]
fn only_confirm_runs_anything() {
    for file in rust_files(&root().join("crates")) {
        let name = file.to_string_lossy().replace('\\', "/");
        if name.contains("/peeler-rerun/") || name.contains("/tests/") {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("a source file");
        assert!(!text.contains("process::Command"), "{name} starts processes");
        if !name.contains("/commands/confirm") {
            assert!(!text.contains("peeler_rerun::jvm"), "{name} starts JVMs");
        }
    }
}

#[test]
fn one_idea_a_file() {
    let mut long: Vec<String> = Vec::new();
    for folder in ["crates", "benches", "tests"] {
        for file in rust_files(&root().join(folder)) {
            let lines = std::fs::read_to_string(&file).expect("a source file").lines().count();
            if lines > 700 {
                long.push(format!("{} has {lines} lines", file.display()));
            }
        }
    }
    assert!(long.is_empty(), "{long:?}");
}
