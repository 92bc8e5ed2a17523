//! Snapshots of a repository with labels from its later history, for corpora.
//!
//! Invariant: a snapshot has no label whose evidence came before it, and its sources have no markers.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use peeler_analysis::{Analysis, Repository, TestCase, source_methods};
use peeler_eval::build::LabelledSnapshot;
use peeler_eval::labels::{KnownLabel, ProjectLabels};
use peeler_mine::{Mined, date, snapshot};

use super::candidates::{Candidates, Siblings, SizedTest, files_at};
use super::labels::{LabelIndex, LabelSplit, label_days};
use super::sources::StrippedSources;

/// The maximum number of snapshots of one repository.
const MOST_SNAPSHOTS: usize = 3;
/// The minimum number of positives for each snapshot.
const LEAST_POSITIVES: usize = 5;
/// The number of seconds in a year.
const YEAR: i64 = 365 * 86_400;
/// The cause of a label that makes its test an order-dependent one, if it is the only cause.
const STATE: &str = "state/cleanup";

/// One to three snapshots of the repository at `path`, oldest first. Empty if it has too few labels.
pub(crate) fn mined_snapshots(path: &Path, mined: &Mined) -> anyhow::Result<Vec<LabelledSnapshot>> {
    let mut snapshots = Vec::new();
    for day in days(mined) {
        if let Some(labelled) = labelled(path, mined, &day)? {
            snapshots.push(labelled);
        }
    }
    Ok(snapshots)
}

/// The days of the snapshots: the history of labels is cut into equal parts, and each part starts with a snapshot.
fn days(mined: &Mined) -> Vec<String> {
    let days = label_days(mined);
    let count = MOST_SNAPSHOTS.min(days.len() / (4 * LEAST_POSITIVES)).max(1);
    let mut chosen: Vec<String> = (0..count)
        .filter_map(|at| days.get(days.len() * (2 * at + 1) / (2 * count + 2)).cloned())
        .collect();
    chosen.dedup();
    chosen
}

/// The snapshot at the start of a day with its labels; `None` if it has too few positives.
fn labelled(path: &Path, mined: &Mined, day: &str) -> anyhow::Result<Option<LabelledSnapshot>> {
    let Some(now) = date::start_of(day) else {
        return Ok(None);
    };
    let Some(snapshot) = snapshot(path, Some(&mined.revision), day)? else {
        return Ok(None);
    };
    let split = LabelSplit::at(mined, &snapshot, day, &date::day_of(now + 3 * YEAR));
    let repository = StrippedSources::at(path, &snapshot.commit)?.repository();
    let cases = Analysis::new(&repository).test_cases();
    let sized = sized(&repository, &cases);
    let alive = files_at(path, mined, now + 2 * YEAR)?;
    let candidates = Candidates::choose(&sized, &split, &alive, Siblings::OfAllLabels);
    if candidates.positives() < LEAST_POSITIVES {
        return Ok(None);
    }
    let index = LabelIndex::new(&split.later);
    let label = |at: &usize| {
        let label = index.find(sized[*at].test).filter(|_| candidates.is_positive[*at]);
        let known = KnownLabel {
            flaky: label.is_some(),
            category: label.map(|it| category(&split.later[it].causes).to_owned()),
            runs: None,
            rows: 1,
        };
        (sized[*at].test.clone(), known)
    };
    let labels = ProjectLabels {
        tests: candidates.judged.iter().map(label).collect(),
        ..ProjectLabels::default()
    };
    drop(sized);
    Ok(Some((labels, repository)))
}

/// The category of a label by its causes: `OD` (order-dependent) if shared state is the only one, else `NOD`.
fn category(causes: &[String]) -> &'static str {
    if causes.iter().all(|it| it == STATE) && !causes.is_empty() {
        "OD"
    } else {
        "NOD"
    }
}

/// The tests of a repository with the number of lines of their methods. An inherited test counts as one line.
fn sized<'t>(repository: &'t Repository, cases: &'t [TestCase]) -> Vec<SizedTest<'t>> {
    let mut by_file: BTreeMap<&str, HashMap<(String, &str), u32>> = BTreeMap::new();
    for file in repository.files() {
        let methods = source_methods(file.text()).into_iter().map(|it| {
            let lines = file.text()[it.range.clone()].lines().count();
            ((it.class, it.name), u32::try_from(lines).unwrap_or(u32::MAX))
        });
        by_file.insert(file.path(), methods.collect());
    }
    let sized = |case: &'t TestCase| {
        let methods = by_file.get(case.file.as_str());
        let key = (case.name.class().to_owned(), case.name.method());
        SizedTest {
            test: &case.name,
            file: &case.file,
            lines: methods.and_then(|it| it.get(&key)).copied().unwrap_or(1),
        }
    };
    cases.iter().map(sized).collect()
}
