//! Shared code of the benchmarks: selection of repositories and corpora, and comparison with javac.

pub mod agreement;

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use peeler_analysis::Limits;
use peeler_eval::build::build_corpus;
use peeler_eval::corpus::Corpus;
use peeler_eval::labels::{Layout, read_labels};

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
