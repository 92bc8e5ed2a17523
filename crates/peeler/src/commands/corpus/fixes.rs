//! `peeler corpus build --layout fixes`: flaky tests before and after the pull requests that fixed them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;

use anyhow::{Context, bail};
use peeler_analysis::Limits;
use peeler_eval::build::{BuildReport, LabelledSnapshot, build_from_snapshots};
use peeler_eval::corpus::Corpus;
use peeler_eval::labels::{AcceptedFix, KnownLabel, ProjectLabels, project_of, read_fixes};
use peeler_features::TestName;
use peeler_mine::{MergedChange, pull_requests};

use crate::clones::{self, Clone};
use crate::progress;
use crate::tuning::sources::StrippedSources;

/// The reason why a fixed test is missing in the corpus: its pull request is not named in the history.
const NO_COMMIT: &str = "no commit names its pull request";

/// One clone with the fixes that its history contains.
struct FixedProject {
    clone: Clone,
    /// The changes that fixed tests, each with the fixes. A test is in the first of its changes only.
    changes: Vec<(MergedChange, Vec<AcceptedFix>)>,
}

/// The two states of a fixed test.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

/// Builds a corpus of the tests that the file `labels` lists as fixed, each before and after its fix, from the clones
/// in a folder. Clones that the file `keep_out` names are left out.
pub(super) fn build(labels: &Path, sources: &Path, keep_out: Option<&Path>) -> anyhow::Result<(Corpus, BuildReport)> {
    let file = File::open(labels).with_context(|| format!("cannot read {}; does it exist?", labels.display()))?;
    let mut fixes: BTreeMap<String, Vec<AcceptedFix>> = BTreeMap::new();
    for (repository, own) in read_fixes(file).with_context(|| labels.display().to_string())? {
        fixes.entry(repository.to_lowercase()).or_default().extend(own);
    }
    let mut lost = Vec::new();
    let mut projects = Vec::new();
    for clone in clones::clones(&[sources.to_owned()], keep_out)? {
        let Some(own) = fixes.remove(&clone.name.to_lowercase()) else {
            continue;
        };
        match pull_requests(&clone.path) {
            Ok(known) => {
                let (changes, missing) = changes(own, &known);
                lost.extend(missing.iter().map(|test| format!("{} {test}", clone.name)));
                projects.push(FixedProject { clone, changes });
            }
            Err(error) => eprintln!("note: {} is left out: {error}", clone.name),
        }
    }
    projects.retain(|it| !it.changes.is_empty());
    if projects.is_empty() {
        bail!(
            "no clone below {} contains a fix that {} lists; name the clones owner+name, with their whole history",
            sources.display(),
            labels.display()
        );
    }
    let (before, mut report) = side(&projects, Side::Before);
    let (after, _) = side(&projects, Side::After);
    report.rows += lost.len();
    report.lost.entry(NO_COMMIT).or_default().extend(lost);
    Ok((before.with_fixed(&after), report))
}

/// The changes that fixed tests, oldest number first, and the tests whose pull requests are not known.
fn changes(
    mut fixes: Vec<AcceptedFix>,
    known: &BTreeMap<u64, MergedChange>,
) -> (Vec<(MergedChange, Vec<AcceptedFix>)>, Vec<TestName>) {
    fixes.sort_by_key(|it| it.pull_request);
    let mut by_number: BTreeMap<u64, (MergedChange, Vec<AcceptedFix>)> = BTreeMap::new();
    let (mut found, mut missing) = (BTreeSet::new(), Vec::new());
    for fix in fixes {
        match known.get(&fix.pull_request) {
            Some(change) if found.insert(fix.test.clone()) => {
                let own = by_number
                    .entry(fix.pull_request)
                    .or_insert_with(|| (change.clone(), Vec::new()));
                own.1.push(fix);
            }
            Some(_) => {}
            None => missing.push(fix.test),
        }
    }
    missing.retain(|it| !found.contains(it));
    (by_number.into_values().collect(), missing)
}

/// A corpus of the fixed tests of all projects, on one side of their fixes.
fn side(projects: &[FixedProject], side: Side) -> (Corpus, BuildReport) {
    let names: Vec<String> = projects.iter().map(|it| project_of(&it.clone.name)).collect();
    let bar = progress::bar(if side == Side::Before { "before" } else { "after" }, projects.len());
    let mut next = projects.iter();
    let built = build_from_snapshots(&names, Limits::default(), |_| {
        bar.inc(1);
        let snapshots = next.next().into_iter().flat_map(|project| {
            let changes = project.changes.iter();
            changes.filter_map(
                |(change, fixes)| match snapshot(&project.clone.path, change, fixes, side) {
                    Ok(snapshot) => Some(snapshot),
                    Err(error) => {
                        eprintln!("note: a fix of {} is left out: {error:#}", project.clone.name);
                        None
                    }
                },
            )
        });
        Ok::<_, std::convert::Infallible>(snapshots.collect())
    });
    bar.finish_and_clear();
    match built {
        Ok(built) => built,
        Err(never) => match never {},
    }
}

/// The sources on one side of a change, with the labels of the tests that it fixed.
fn snapshot(path: &Path, change: &MergedChange, fixes: &[AcceptedFix], side: Side) -> anyhow::Result<LabelledSnapshot> {
    let commit = match side {
        Side::Before => &change.before,
        Side::After => &change.after,
    };
    let repository = StrippedSources::at(path, commit)?.repository();
    let label = |fix: &AcceptedFix| {
        let known = KnownLabel {
            flaky: side == Side::Before,
            category: (side == Side::Before && !fix.category.is_empty()).then(|| fix.category.clone()),
            runs: None,
            rows: 1,
        };
        (fix.test.clone(), known)
    };
    let labels = ProjectLabels {
        tests: fixes.iter().map(label).collect(),
        ..ProjectLabels::default()
    };
    Ok((labels, repository))
}
