//! The tests that `peeler confirm` may run, with their probabilities, run times and failure rates.
//!
//! Run times come from earlier runs, as in the CANNIER paper. The first run in a JVM also loads the test framework,
//! which takes longer than most tests. That extra time belongs to the JVM and not to the test that ran first.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use peeler_features::TestName;

use crate::evidence::{Event, runs};

/// A test that `peeler confirm` may run, with its probability and the results of earlier runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The name of the test that `peeler confirm` may run.
    pub test: TestName,
    /// The model's probability that the test is flaky, if a model scored the test.
    pub probability: Option<f64>,
    /// The mean seconds of the test's earlier runs that were not the first in their JVM; else of all its runs.
    ///
    /// `None` if it never ran.
    pub seconds: Option<f64>,
    /// The share of the test's earlier runs that failed; `None` if it never ran, always passed or always failed.
    pub failure_rate: Option<f64>,
}

/// The tests that `peeler confirm` may run, each with its probability, and its run time and failure rate in earlier
/// runs.
#[must_use]
pub fn candidates(tests: &[TestName], probabilities: &BTreeMap<TestName, f64>, events: &[Event]) -> Vec<Candidate> {
    let known = earlier_runs(events);
    let candidate = |test: &TestName| {
        let rate = known.get(test).map(EarlierRuns::failure_rate);
        Candidate {
            test: test.clone(),
            probability: probabilities.get(test).copied(),
            seconds: known.get(test).map(EarlierRuns::mean_seconds),
            // A rate of 0 or 1 may only mean that there were too few runs.
            failure_rate: rate.filter(|it| *it > 0.0 && *it < 1.0),
        }
    };
    tests.iter().map(candidate).collect()
}

/// The mean extra seconds of the first run in a JVM compared with later runs of the same test; 0 if no runs show it.
#[must_use]
pub fn warm_up(events: &[Event]) -> f64 {
    let known = earlier_runs(events);
    let extra = known.values().filter_map(EarlierRuns::extra_of_first_runs);
    let (extra, jvms) = extra.fold((0.0, 0), |(sum, count), (extra, runs)| (sum + extra, count + runs));
    (extra / f64::from(jvms.max(1))).max(0.0)
}

/// The failures and run times of a test in earlier runs without a changed environment.
#[derive(Debug, Default)]
struct EarlierRuns {
    failures: u32,
    /// The number and the total seconds of the test's runs that were the first in their JVM.
    first: RunTimes,
    /// The number and the total seconds of the test's runs that were not known to be the first in their JVM.
    later: RunTimes,
}

/// The number of some runs of a test and their total seconds.
#[derive(Debug, Default, Clone, Copy)]
struct RunTimes {
    runs: u32,
    seconds: f64,
}

impl EarlierRuns {
    fn failure_rate(&self) -> f64 {
        f64::from(self.failures) / f64::from(self.first.runs + self.later.runs)
    }

    /// The mean seconds of the test's runs that were not the first in their JVM; of the first ones if there are no
    /// others.
    fn mean_seconds(&self) -> f64 {
        let times = if self.later.runs > 0 { self.later } else { self.first };
        times.seconds / f64::from(times.runs)
    }

    /// The extra seconds of all first runs in a JVM compared with later runs of the test, and the number of first runs.
    ///
    /// `None` if the test has no first run or no later run.
    fn extra_of_first_runs(&self) -> Option<(f64, u32)> {
        let RunTimes { runs, seconds } = self.first;
        (runs > 0 && self.later.runs > 0).then(|| (seconds - f64::from(runs) * self.mean_seconds(), runs))
    }
}

/// The failures and run times of each test in the runs among `events`, without runs in changed environments.
fn earlier_runs(events: &[Event]) -> BTreeMap<&TestName, EarlierRuns> {
    let mut known: BTreeMap<&TestName, EarlierRuns> = BTreeMap::new();
    let mut jvms = BTreeSet::new();
    for run in runs(events) {
        // Runs of other programs have no JVM number, so it is unknown which were first.
        let is_first = run.jvm > 0 && jvms.insert(run.jvm);
        if !run.counts() || !run.perturbation.is_none() {
            continue;
        }
        let earlier = known.entry(&run.test).or_default();
        earlier.failures += u32::from(run.outcome.is_failure());
        let times = if is_first {
            &mut earlier.first
        } else {
            &mut earlier.later
        };
        times.runs += 1;
        times.seconds += Duration::from_millis(run.milliseconds).as_secs_f64();
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::{Outcome, Run, Stage};
    use crate::perturbation::Perturbation;

    fn passed(test: &str, jvm: u32, milliseconds: u64) -> Event {
        Event::Run(Run {
            test: test.parse().expect("a test"),
            stage: Stage::Repeat,
            jvm,
            perturbation: Perturbation::None,
            outcome: Outcome::Passed,
            milliseconds,
            failure: None,
        })
    }

    #[test]
    fn loading_a_framework_is_the_price_of_a_jvm_and_not_of_the_test_that_came_first() {
        let events = [
            passed("a.T#first", 1, 510),
            passed("a.T#first", 1, 10),
            passed("a.T#second", 1, 30),
            passed("a.T#first", 2, 710),
            passed("a.T#first", 2, 10),
            passed("a.T#alone", 3, 400),
        ];
        let tests = ["a.T#first", "a.T#second", "a.T#alone", "a.T#unknown"].map(|it| it.parse().expect("a test"));
        let known = candidates(&tests, &BTreeMap::new(), &events);
        let seconds: Vec<Option<f64>> = known.iter().map(|it| it.seconds).collect();
        assert_eq!(seconds, [Some(0.01), Some(0.03), Some(0.4), None]);
        // The extra is 500 ms in the first JVM and 700 ms in the second. The third has no comparable run.
        let extra = warm_up(&events);
        assert!((extra - 0.6).abs() < 1e-9, "{extra}");
        assert!(warm_up(&[]).abs() < 1e-9);
    }
}
