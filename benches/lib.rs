//! Shared code of the benchmarks: selection of repositories and corpora, bare parsing, and comparison with
//! javac.

pub mod agreement;
pub mod shapes;

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::{Duration, Instant};

use peeler_analysis::{Limits, Repository};
use peeler_eval::build::build_corpus;
use peeler_eval::corpus::Corpus;
use peeler_eval::labels::{Layout, read_labels};
use rayon::prelude::*;

/// The folders to measure: those below the folder given on the command line, or the samples.
///
/// # Errors
///
/// When the given folder cannot be listed or is empty.
pub fn repositories(given: Option<&Path>) -> anyhow::Result<Vec<PathBuf>> {
    let Some(root) = given else {
        let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/samples");
        return Ok(vec![samples]);
    };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root)? {
        let path = entry?.path();
        if path.is_dir() {
            found.push(path);
        }
    }
    found.sort();
    anyhow::ensure!(!found.is_empty(), "no repositories below {}", root.display());
    Ok(found)
}

/// The corpus of the samples.
///
/// # Errors
///
/// When the corpus cannot be built.
pub fn sample_corpus() -> anyhow::Result<Corpus> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus");
    let labels = read_labels(
        File::open(folder.join("samples-labels.csv"))?,
        Layout::Csv,
        &BTreeMap::new(),
    )?;
    Ok(build_corpus(&labels, &folder, Limits::default(), |_| ())?.0)
}

/// The run time of a process and its peak memory, if the system reports it.
///
/// # Errors
///
/// When the process fails.
pub fn finished(mut child: Child) -> anyhow::Result<(Duration, u64)> {
    let started = Instant::now();
    let status = PathBuf::from(format!("/proc/{}/status", child.id()));
    let mut peak = 0;
    loop {
        if let Some(ended) = child.try_wait()? {
            anyhow::ensure!(ended.success(), "the command failed");
            return Ok((started.elapsed(), peak));
        }
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let held = text.lines().find_map(|it| it.strip_prefix("VmHWM:"));
        let kilobytes = held.and_then(|it| it.split_whitespace().next()?.parse::<u64>().ok());
        peak = peak.max(kilobytes.unwrap_or(0) * 1024);
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The time to parse every file with a plain tree-sitter parser, on all cores.
///
/// # Panics
///
/// When the grammar does not fit the parser.
#[must_use]
pub fn bare_parse(repository: &Repository) -> Duration {
    let language: tree_sitter::Language = tree_sitter_java::LANGUAGE.into();
    let started = Instant::now();
    let nodes: usize = repository
        .files()
        .par_iter()
        .map_init(
            || {
                let mut parser = tree_sitter::Parser::new();
                parser.set_language(&language).expect("the grammar fits");
                parser
            },
            |parser, file| {
                parser
                    .parse(file.text(), None)
                    .map_or(0, |tree| tree.root_node().child_count() as usize)
            },
        )
        .sum();
    std::hint::black_box(nodes);
    started.elapsed()
}
