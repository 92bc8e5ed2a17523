//! What the benchmarks share: which repositories to measure, and comparing with javac.

pub mod agreement;

use std::path::{Path, PathBuf};

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
