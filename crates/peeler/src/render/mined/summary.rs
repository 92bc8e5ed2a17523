//! Counts of the flaky tests of a git history: by year, folder, cause and evidence.
//!
//! Invariant: a test with several events counts once in each count, under its present name where that is known.

use std::collections::{BTreeMap, BTreeSet};

use peeler_mine::{Event, Evidence, Mined};
use serde::Serialize;

/// The maximum number of rows in the count by folder. If there are more folders, the last row counts all the rest.
const FOLDERS: usize = 12;

/// Counts of the flaky tests of a git history.
#[derive(Debug, Serialize)]
pub(crate) struct Summary {
    /// The number of different tests that were flaky.
    pub(crate) tests: usize,
    /// The number of flaky tests that the mined revision still contains.
    pub(crate) present: usize,
    /// The number of tests that were shown to be flaky more than once: by several commits, or by a commit and by runs.
    pub(crate) repeated: usize,
    /// The number of tests that were marked or fixed in each year, from the first to the last year without gaps.
    pub(crate) years: Vec<YearCount>,
    /// The number of flaky tests in each folder, the largest number first. The last row may count all other folders.
    pub(crate) folders: Vec<Count>,
    /// The number of tests for each cause of flakiness that their fixes show, such as `async_wait`, the largest number
    /// first.
    pub(crate) causes: Vec<Count>,
    /// The number of tests for each kind of evidence, named as in files: `A1` for an annotation.
    pub(crate) evidence: Vec<Count>,
}

/// One row of a table of counts: the name of a folder, cause or kind of evidence, and its number of tests.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Count {
    pub(crate) name: String,
    pub(crate) tests: usize,
}

/// The number of tests that were marked or fixed as flaky in one year.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct YearCount {
    pub(crate) year: String,
    /// The number of tests that an annotation or comment marked as flaky in this year.
    pub(crate) marked: usize,
    /// The number of tests that were fixed in this year, without those that were also marked in it.
    pub(crate) fixed: usize,
}

impl Summary {
    /// Counts the flaky tests of a mined history by year, folder, cause and evidence.
    pub(crate) fn of(mined: &Mined) -> Self {
        let mut fixes: BTreeMap<Name<'_>, BTreeSet<&str>> = BTreeMap::new();
        let mut years: BTreeMap<&str, [BTreeSet<Name<'_>>; 2]> = BTreeMap::new();
        let mut folders: BTreeMap<String, BTreeSet<Name<'_>>> = BTreeMap::new();
        let mut causes: BTreeMap<&str, BTreeSet<Name<'_>>> = BTreeMap::new();
        let mut evidence: BTreeMap<Evidence, BTreeSet<Name<'_>>> = BTreeMap::new();
        for event in &mined.events {
            let name = name(event);
            fixes.entry(name).or_default().insert(&event.fix);
            if let Some(year) = event.date.get(..4) {
                years.entry(year).or_default()[usize::from(!is_mark(event.evidence))].insert(name);
            }
            folders.entry(folder(name.0)).or_default().insert(name);
            for cause in &event.causes {
                causes.entry(cause).or_default().insert(name);
            }
            evidence.entry(event.evidence).or_default().insert(name);
        }
        let present: BTreeSet<Name<'_>> = mined.events.iter().filter(|it| it.today.is_some()).map(name).collect();
        let filled: Vec<YearCount> = all_years(&years)
            .into_iter()
            .map(|year| {
                let none = <[BTreeSet<Name<'_>>; 2]>::default();
                let [marked, fixed] = years.get(year.as_str()).unwrap_or(&none);
                YearCount {
                    year,
                    marked: marked.len(),
                    fixed: fixed.difference(marked).count(),
                }
            })
            .collect();
        let by_evidence = Evidence::ALL.iter().filter_map(|it| {
            Some(Count {
                name: it.name().to_owned(),
                tests: evidence.get(it)?.len(),
            })
        });
        Self {
            tests: fixes.len(),
            present: present.len(),
            repeated: fixes.values().filter(|it| it.len() > 1).count(),
            years: filled,
            folders: cut(counts(folders.iter().map(|(name, tests)| (name.clone(), tests.len())))),
            causes: counts(causes.iter().map(|(name, tests)| ((*name).to_owned(), tests.len()))),
            evidence: by_evidence.collect(),
        }
    }

    /// The number of years from the first to the last in which a test was marked or fixed, both included.
    pub(crate) fn span(&self) -> usize {
        self.years.len()
    }
}

/// Identity of a test: path, class and method. They are those of the mined revision if it still contains the test, else
/// those at the time of the event.
type Name<'e> = (&'e str, &'e str, &'e str);

fn name(event: &Event) -> Name<'_> {
    match &event.today {
        Some(today) => (&today.path, &today.class, &today.test),
        None => (&event.path, &event.class, &event.test),
    }
}

/// Whether the evidence is that a commit marked a test by an annotation or comment. All other evidence comes from fixes
/// and runs.
pub(crate) fn is_mark(evidence: Evidence) -> bool {
    matches!(evidence, Evidence::Annotation | Evidence::Comment)
}

/// The folder under which a test file is counted: its module `server/core/` for `server/core/src/test/java/ATest.java`,
/// or else the first folder of the path.
fn folder(path: &str) -> String {
    let module = path.split_once("/src/").map_or(path, |(module, _)| module);
    match module.split_once('/') {
        _ if module != path && !module.is_empty() => format!("{module}/"),
        Some((first, _)) => format!("{first}/"),
        None => "./".to_owned(),
    }
}

/// All years from the first to the last key of the map, also those that the map lacks.
fn all_years<T>(years: &BTreeMap<&str, T>) -> Vec<String> {
    let number = |it: &&str| it.parse::<u32>().ok();
    let first = years.keys().find_map(number);
    let last = years.keys().rev().find_map(number);
    match (first, last) {
        (Some(first), Some(last)) => (first..=last).map(|it| it.to_string()).collect(),
        _ => Vec::new(),
    }
}

/// Rows of a table of counts, the largest number of tests first. Equal numbers are sorted by name.
fn counts(counted: impl Iterator<Item = (String, usize)>) -> Vec<Count> {
    let mut counts: Vec<Count> = counted.map(|(name, tests)| Count { name, tests }).collect();
    counts.sort_by(|a, b| b.tests.cmp(&a.tests).then_with(|| a.name.cmp(&b.name)));
    counts
}

/// Shortens the count by folder to twelve rows. If there are more, the last row adds up all folders that are cut off.
fn cut(mut counts: Vec<Count>) -> Vec<Count> {
    if counts.len() > FOLDERS {
        let others = counts.split_off(FOLDERS - 1);
        counts.push(Count {
            name: format!("{} other folders", others.len()),
            tests: others.iter().map(|it| it.tests).sum(),
        });
    }
    counts
}

/// What a reader is told about the cause of flakiness: `random values` for `random`. Unknown names are returned as they
/// are.
pub(crate) fn cause_words(cause: &str) -> &str {
    match cause {
        "async_wait" => "waits for asynchronous work",
        "timeout" => "other time limits",
        "concurrency" => "synchronised threads",
        "state/cleanup" => "cleaned up state",
        "time" => "clocks and dates",
        "random" => "random values",
        "unordered" => "order of collections",
        "port" => "ports and addresses",
        "file/io" => "files",
        "env/locale" => "environment, locale, system",
        "retry/marker" => "retries",
        "disabled" => "switched off",
        "deleted" => "deleted",
        "marker-only" => "only marked",
        "other" => "the change does not tell",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::folder;

    #[test]
    fn a_folder_is_that_of_the_module() {
        assert_eq!(folder("broker/src/test/java/a/ATest.java"), "broker/");
        assert_eq!(folder("server/core/src/test/java/a/ATest.java"), "server/core/");
        assert_eq!(folder("src/test/java/a/ATest.java"), "src/");
        assert_eq!(folder("ATest.java"), "./");
    }
}
