//! `peeler corpus build --layout mined`: a corpus of snapshots, labelled by the later history of git clones.

use std::path::Path;

use anyhow::bail;
use peeler_analysis::Limits;
use peeler_eval::build::{BuildReport, build_from_snapshots};
use peeler_eval::corpus::Corpus;
use peeler_eval::labels::project_of;
use peeler_mine::Request;

use crate::clones::{self, Clone};
use crate::progress;
use crate::tuning::mined_snapshots::mined_snapshots;

/// Builds a corpus from the clones in a folder, except those that the file `keep_out` names. A clone that cannot be
/// read, or that has too few labels, is left out with a note.
pub(super) fn build(sources: &Path, keep_out: Option<&Path>) -> anyhow::Result<(Corpus, BuildReport)> {
    let found = clones::clones(&[sources.to_owned()], keep_out)?;
    let names: Vec<String> = found.iter().map(|it| project_of(&it.name)).collect();
    let bar = progress::bar("mining", found.len());
    let mut next = found.iter();
    let built = build_from_snapshots(&names, Limits::default(), |_| {
        bar.inc(1);
        let Some(Clone { path, name }) = next.next() else {
            return Ok(Vec::new());
        };
        let request = Request {
            repository: Some(name.clone()),
            ..Request::default()
        };
        let mined = peeler_mine::mine(path, &request, &|_, _| {}).map_err(anyhow::Error::from);
        Ok(mined
            .and_then(|mined| mined_snapshots(path, &mined))
            .unwrap_or_else(|error| {
                eprintln!("note: {name} is left out: {error:#}");
                Vec::new()
            }))
    });
    bar.finish_and_clear();
    let built: anyhow::Result<(Corpus, BuildReport)> = built;
    let (corpus, report) = built?;
    if corpus.projects.is_empty() {
        bail!(
            "no clone below {} has enough tests that were marked or fixed as flaky; give clones with long histories",
            sources.display()
        );
    }
    Ok((corpus, report))
}
