//! Mines the history of a repository together with the runs of its tests, and tells the user what is missing.

use std::collections::BTreeSet;
use std::path::Path;

use peeler_features::TestName;
use peeler_mine::{Evidence, Mined, Request, RunLabel};

use crate::progress;
use crate::proof::ProofArgs;

/// Mines the whole history of `HEAD`, with the tests that runs showed to be flaky.
pub(crate) fn mined(path: &Path, runs: &ProofArgs) -> anyhow::Result<Mined> {
    let request = Request {
        runs: run_labels(runs)?,
        ..Request::default()
    };
    mine(path, &request)
}

/// The labels of tests that both passed and failed in the runs that the options name.
pub(crate) fn run_labels(runs: &ProofArgs) -> anyhow::Result<Vec<RunLabel>> {
    let runs = runs.flaky_tests()?;
    let labels = |tests: &BTreeSet<TestName>, evidence| -> Vec<RunLabel> {
        let label = |it: &TestName| RunLabel {
            class: it.class().to_owned(),
            test: it.method().to_owned(),
            evidence,
        };
        tests.iter().map(label).collect()
    };
    Ok([
        labels(&runs.proven, Evidence::Proven),
        labels(&runs.history, Evidence::History),
    ]
    .concat())
}

/// Mines a history with a progress bar. Notes on standard error say if commits are missing.
pub(crate) fn mine(path: &Path, request: &Request) -> anyhow::Result<Mined> {
    let bar = progress::bar("reading commits", 0);
    let mined = peeler_mine::mine(path, request, &|read, total| {
        bar.set_length(total as u64);
        bar.set_position(read as u64);
    });
    bar.finish_and_clear();
    let mined = mined?;
    if mined.is_shallow {
        eprintln!(
            "note: the clone is shallow, so its history is cut at {}; `git fetch --unshallow` fetches the rest",
            mined.first_day
        );
    }
    if mined.unreadable_commits > 0 {
        eprintln!(
            "note: {} commits could not be read and were left out; `git fsck` says what is missing or broken",
            mined.unreadable_commits
        );
    }
    Ok(mined)
}
