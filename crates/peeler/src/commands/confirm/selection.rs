//! Selects the tests that `peeler confirm` runs: named tests, those of a scan, or all.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::bail;
use peeler_analysis::{Analysis, Repository};
use peeler_features::TestName;
use peeler_learning::track_record::TrackRecord;
use peeler_rerun::steering::Steering;

use super::super::lookup::{find_test, require_tests};
use super::super::report::read_scan;
use super::arguments::ConfirmArgs;
use super::steering::steering;

/// The tests that `peeler confirm` was asked to run, among all tests of the project.
#[derive(Debug)]
pub(super) struct Selection {
    /// All tests of the project in the order of their files, then named tests that the project's sources do not
    /// contain.
    pub(super) suite: Vec<TestName>,
    /// The tests that `peeler confirm` was asked to run, in the order of `suite`.
    pub(super) chosen: Vec<TestName>,
    /// The probability that a test is flaky, for each test of the scan that `--from` names.
    pub(super) probabilities: BTreeMap<TestName, f64>,
    /// Counts of held-out tests by the probability that the model gave them, from the scan that `--from` names. Empty
    /// without `--from`, or if the scan does not contain them.
    pub(super) track_record: TrackRecord,
    /// Whether `peeler confirm` was asked to run all tests of the project.
    pub(super) is_whole: bool,
    /// What fits each test of the scan that `--from` names; `None` if that does not choose the runs.
    pub(super) steering: Option<Steering>,
}

impl Selection {
    pub(super) fn of(arguments: &ConfirmArgs) -> anyhow::Result<Self> {
        let repository = Repository::open(&arguments.path)?;
        let analysis = Analysis::new(&repository);
        let suite = distinct(
            analysis
                .test_cases()
                .iter()
                .filter_map(|it| it.name.as_str().parse().ok()),
        );
        let mut probabilities = BTreeMap::new();
        if let Some(path) = &arguments.from {
            let scan = read_scan(path)?;
            let findings = scan.findings.iter().map(|it| (&it.test, it.probability));
            let tests = scan.tests.iter().flatten().map(|it| (&it.test, it.probability));
            for (test, probability) in findings.chain(tests) {
                probabilities.insert(test.as_str().parse::<TestName>()?, f64::from(probability));
            }
            if probabilities.is_empty() {
                bail!(
                    "{} contains no test; create it with `peeler scan --format json --all`",
                    path.display()
                );
            }
            let named: Vec<TestName> = probabilities.keys().cloned().collect();
            return Ok(Self {
                steering: arguments.is_steered().then(|| steering(&scan)).transpose()?,
                track_record: scan.model.track_record,
                ..Self::among(suite, &named, probabilities)
            });
        }
        if arguments.test.is_empty() {
            require_tests(&analysis, &repository, &arguments.path)?;
            return Ok(Self {
                chosen: suite.clone(),
                suite,
                probabilities,
                track_record: TrackRecord::default(),
                is_whole: true,
                steering: None,
            });
        }
        let mut named = parsed(&arguments.test)?;
        // With a class path, sources may be elsewhere or in another language.
        if arguments.classpath.is_none() {
            for unknown in named.iter_mut().filter(|it| !suite.contains(it)) {
                *unknown = find_test(&analysis, unknown.as_ref(), &arguments.path)?;
            }
        }
        Ok(Self::among(suite, &named, probabilities))
    }

    /// Selects the tests of `named` in the order of `suite`. Tests that `suite` does not contain come last.
    fn among(mut suite: Vec<TestName>, named: &[TestName], probabilities: BTreeMap<TestName, f64>) -> Self {
        let known: BTreeSet<TestName> = suite.iter().cloned().collect();
        suite.extend(named.iter().filter(|it| !known.contains(*it)).cloned());
        let wanted: BTreeSet<&TestName> = named.iter().collect();
        Self {
            chosen: suite.iter().filter(|it| wanted.contains(it)).cloned().collect(),
            suite,
            probabilities,
            track_record: TrackRecord::default(),
            is_whole: false,
            steering: None,
        }
    }
}

pub(super) fn parsed(tests: &[String]) -> anyhow::Result<Vec<TestName>> {
    let tests: Result<Vec<TestName>, _> = tests.iter().map(|it| it.parse()).collect();
    Ok(distinct(tests?))
}

/// Removes duplicate tests and keeps the order.
fn distinct(tests: impl IntoIterator<Item = TestName>) -> Vec<TestName> {
    let mut seen = BTreeSet::new();
    tests.into_iter().filter(|it| seen.insert(it.clone())).collect()
}
