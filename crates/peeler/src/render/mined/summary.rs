//! Counts of the flaky tests of a git history: by year, folder, cause and evidence.
//!
//! Invariant: a test with several events counts once in each count, under its present name where that is known.

use std::collections::{BTreeMap, BTreeSet};

use peeler_mine::{Event, Evidence, Mined};
use serde::Serialize;

/// The maximum number of folders that are counted; the others are one row together.
const FOLDERS: usize = 12;

/// Counts of the flaky tests of a git history.
#[derive(Debug, Serialize)]
pub(crate) struct Summary {
    /// The number of different tests.
    pub(crate) tests: usize,
    /// The number of tests that the mined revision still contains.
    pub(crate) present: usize,
    /// The number of tests with events of several commits.
    pub(crate) repeated: usize,
    /// Tests by year of their events.
    pub(crate) years: Vec<YearCount>,
    /// Tests by folder, the most first.
    pub(crate) folders: Vec<Count>,
    /// Tests by what fixed them, the most first.
    pub(crate) causes: Vec<Count>,
    /// Tests by kind of evidence.
    pub(crate) evidence: Vec<Count>,
}

/// A number of tests with a name.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Count {
    pub(crate) name: String,
    pub(crate) tests: usize,
}

/// The tests of a year.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct YearCount {
    pub(crate) year: String,
    /// Tests that were marked by an annotation or comment.
    pub(crate) marked: usize,
    /// Tests that were fixed, and not marked in the same year.
    pub(crate) fixed: usize,
}

impl Summary {
    /// The counts of a mined history.
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

    /// The number of years from the first to the last one with an event.
    pub(crate) fn span(&self) -> usize {
        self.years.len()
    }
}

/// Identity of a test: path, class and method, at the mined revision where the test is there.
type Name<'e> = (&'e str, &'e str, &'e str);

fn name(event: &Event) -> Name<'_> {
    match &event.today {
        Some(today) => (&today.path, &today.class, &today.test),
        None => (&event.path, &event.class, &event.test),
    }
}

/// Whether an event marks a test, without a fix.
pub(crate) fn is_mark(evidence: Evidence) -> bool {
    matches!(evidence, Evidence::Annotation | Evidence::Comment)
}

/// The folder of a file that people know: that of its module, or the first component of its path.
fn folder(path: &str) -> String {
    let module = path.split_once("/src/").map_or(path, |(module, _)| module);
    match module.split_once('/') {
        _ if module != path && !module.is_empty() => format!("{module}/"),
        Some((first, _)) => format!("{first}/"),
        None => "./".to_owned(),
    }
}

/// All years from the first to the last one.
fn all_years<T>(years: &BTreeMap<&str, T>) -> Vec<String> {
    let number = |it: &&str| it.parse::<u32>().ok();
    let first = years.keys().find_map(number);
    let last = years.keys().rev().find_map(number);
    match (first, last) {
        (Some(first), Some(last)) => (first..=last).map(|it| it.to_string()).collect(),
        _ => Vec::new(),
    }
}

/// Counts, the most first, then by name.
fn counts(counted: impl Iterator<Item = (String, usize)>) -> Vec<Count> {
    let mut counts: Vec<Count> = counted.map(|(name, tests)| Count { name, tests }).collect();
    counts.sort_by(|a, b| b.tests.cmp(&a.tests).then_with(|| a.name.cmp(&b.name)));
    counts
}

/// The first counts, and all others as one.
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

/// A cause in words, for people.
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
