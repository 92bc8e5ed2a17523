//! The tests of a snapshot as the partner reads them, and its past flaky tests in the form in which they were flaky.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use peeler_analysis::Analysis;
use peeler_features::{TestName, content_hash};
use peeler_mine::stripped_name;

use super::labels::{Label, LabelIndex};
use super::sources::StrippedSources;
use super::test_inputs::{TestInputs, class_hash, read};
use crate::scorer::Scorer;

/// The inputs of the tests of a snapshot, and those of its past flaky tests.
pub(crate) struct PastReading {
    /// The tests of the snapshot that were read.
    pub(crate) tests: Vec<TestInputs>,
    /// The hash of the class of every test of the snapshot, whether the test was read or not.
    pub(crate) classes: Vec<u64>,
    /// The paths of the Java files of the snapshot.
    pub(crate) files: Vec<String>,
    /// The past flaky tests by the index of their label, each in the form before it was marked or fixed. Of a test whose
    /// old form cannot be read, the form in the snapshot.
    pub(crate) past: BTreeMap<usize, TestInputs>,
}

/// How many tests of a snapshot are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All tests.
    Everything,
    /// All tests of classes with a label, and about this many tests of other classes.
    Sample(usize),
}

impl PastReading {
    /// Reads the tests of a snapshot in the clone at `path`, and the past flaky tests that `labels` name. A sample also
    /// has all tests of the classes of `others`.
    pub(crate) fn read(
        path: &Path,
        sources: &StrippedSources,
        labels: &[Label],
        others: &[Label],
        scorer: &dyn Scorer,
        extent: Extent,
    ) -> anyhow::Result<Self> {
        let repository = sources.repository();
        let analysis = Analysis::new(&repository);
        let labelled: HashSet<&str> = labels.iter().chain(others).map(|it| it.class.as_str()).collect();
        let share = match extent {
            Extent::Everything => u64::MAX,
            Extent::Sample(most) => sampling_share(most, analysis.len()),
        };
        let tests = read(&analysis, scorer, |name| {
            let class = stripped_name(name.split('#').next().unwrap_or(name));
            content_hash(class.as_bytes()) <= share || labelled.contains(&*class)
        })?;
        let mut past = BTreeMap::new();
        for (layer, shown) in sources.layers(path, labels)? {
            let wanted: BTreeMap<TestName, usize> = shown
                .iter()
                .map(|at| (TestName::new(&labels[*at].class, &labels[*at].method), *at))
                .collect();
            let analysis = Analysis::new(&layer);
            for found in read(&analysis, scorer, |name| wanted.contains_key(name))? {
                if let Some(label) = wanted.get(&found.test) {
                    past.insert(*label, found);
                }
            }
        }
        let index = LabelIndex::new(labels);
        for test in &tests {
            if let Some(label) = index.find(&test.test) {
                past.entry(label).or_insert_with(|| test.clone());
            }
        }
        let cases = analysis.test_cases();
        Ok(Self {
            classes: cases.iter().map(|it| class_hash(&it.name)).collect(),
            files: repository.files().iter().map(|it| it.path().to_owned()).collect(),
            tests,
            past,
        })
    }
}

/// The highest hash of a class that a sample of about `most` of `tests` tests takes.
fn sampling_share(most: usize, tests: usize) -> u64 {
    if tests <= most {
        return u64::MAX;
    }
    u64::MAX / tests as u64 * most as u64
}
