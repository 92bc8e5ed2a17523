//! What a model's ranking was worth on held-out projects, project by project.
//!
//! Counts over the tests of all projects together are carried by the few projects with most flaky tests. A user scans
//! one project, so every held-out project counts once here.
//!
//! Invariant: the record describes whole projects that the model had not seen.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::metrics::{Interval, bootstrap_interval_of};

/// The number of tests at the top of a project's ranking whose flaky ones are counted.
pub const FIRST: usize = 10;
/// The share of flaky tests among the reported tests of a project that a reporting threshold has to ensure.
///
/// The lower end of a 90% interval over projects has to reach it.
const WANTED_PRECISION: f64 = 0.5;
/// The minimum number of held-out projects with a reported test.
const ENOUGH_PROJECTS: usize = 10;
/// The confidence of intervals, in thousandths: 90%.
const CONFIDENCE: usize = 900;
const RESAMPLES: usize = 1_000;
const SEED: u64 = 1;

/// The results of a model on held-out projects; empty if no whole projects were held out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ProjectRecord {
    /// The lowest probability from which on the model may report tests by itself; `None` if there is none.
    ///
    /// From it on, at least half of the reported tests of a project were flaky: on average over projects, and at the
    /// lower end of a 90% interval.
    pub threshold: Option<f32>,
    /// The results for each held-out project.
    pub projects: Vec<ProjectOutcome>,
}

/// The results of a model on one held-out project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectOutcome {
    /// The index of the project among the projects that the model learned from.
    pub project: u32,
    /// The number of held-out tests of the project.
    pub tests: u32,
    /// The number of flaky tests among the held-out tests of the project.
    pub flaky: u32,
    /// The number of flaky tests among the [`FIRST`] most probable tests of the project.
    pub flaky_of_first: u32,
    /// The number of tests of the project at or above the threshold; 0 if the record has no threshold.
    pub reported: u32,
    /// The number of flaky tests at or above the threshold; 0 if the record has no threshold.
    pub reported_flaky: u32,
}

/// A held-out test: its project, its calibrated probability and its label.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeldOutTest {
    /// The index of the test's project among the projects that the model learned from.
    pub project: u32,
    /// The probability that the model gave the test.
    pub probability: f32,
    /// Whether the test is flaky.
    pub flaky: bool,
}

/// A mean over projects with its 90% interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The number of projects that the mean is taken over.
    pub projects: usize,
    /// The mean over projects.
    pub mean: f64,
    /// The 90% bootstrap interval of the mean; projects are resampled.
    pub interval: Interval,
}

impl Estimate {
    /// The mean of one value for each project; `None` without projects.
    fn of(values: &[f64]) -> Option<Self> {
        (!values.is_empty()).then(|| Self {
            projects: values.len(),
            mean: mean(values),
            interval: bootstrap_interval_of(CONFIDENCE, values.len(), RESAMPLES, SEED, |chosen| {
                mean(&chosen.iter().map(|at| values[*at]).collect::<Vec<_>>())
            }),
        })
    }
}

impl ProjectRecord {
    /// The record of held-out tests.
    #[must_use]
    pub fn new(tests: &[HeldOutTest]) -> Self {
        let mut by_project: BTreeMap<u32, Vec<(f32, bool)>> = BTreeMap::new();
        for test in tests {
            let own = by_project.entry(test.project).or_default();
            own.push((test.probability, test.flaky));
        }
        for own in by_project.values_mut() {
            // Of equally probable tests the stable ones come first, so that no tie is counted in favour of the model.
            own.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        }
        let threshold = lowest_threshold(&by_project);
        let projects = by_project.iter().map(|(&project, own)| {
            let reported = own.iter().take_while(|it| threshold.is_some_and(|least| it.0 >= least));
            ProjectOutcome {
                project,
                tests: count(own.iter()),
                flaky: count(own.iter().filter(|it| it.1)),
                flaky_of_first: count(own.iter().take(FIRST).filter(|it| it.1)),
                reported: count(reported.clone()),
                reported_flaky: count(reported.filter(|it| it.1)),
            }
        });
        Self {
            threshold,
            projects: projects.collect(),
        }
    }

    /// The number of flaky tests among the [`FIRST`] most probable tests of a held-out project.
    ///
    /// Only projects with a flaky test and more than [`FIRST`] tests count. `None` if there is no such project.
    #[must_use]
    pub fn flaky_among_first(&self) -> Option<Estimate> {
        let ranked = self
            .projects
            .iter()
            .filter(|it| it.flaky > 0 && it.tests as usize > FIRST);
        let values: Vec<f64> = ranked.map(|it| f64::from(it.flaky_of_first)).collect();
        Estimate::of(&values)
    }

    /// The share of flaky tests among the tests of a held-out project at or above the threshold.
    ///
    /// Only projects with such a test count. `None` without a threshold.
    #[must_use]
    pub fn precision(&self) -> Option<Estimate> {
        let reported = self.projects.iter().filter(|it| it.reported > 0);
        let values: Vec<f64> = reported
            .map(|it| f64::from(it.reported_flaky) / f64::from(it.reported))
            .collect();
        Estimate::of(&values)
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / f64::from(count(values.iter()).max(1))
}

fn count<T>(tests: impl Iterator<Item = T>) -> u32 {
    tests.fold(0, |count, _| count + 1)
}

/// The lowest hundredth that ensures [`WANTED_PRECISION`] in [`ENOUGH_PROJECTS`] projects, for tests sorted by falling
/// probability.
fn lowest_threshold(by_project: &BTreeMap<u32, Vec<(f32, bool)>>) -> Option<f32> {
    let precision = |own: &Vec<(f32, bool)>, threshold: f32| {
        let reported = own.iter().take_while(|it| it.0 >= threshold);
        let (all, flaky) = (count(reported.clone()), count(reported.filter(|it| it.1)));
        (all > 0).then(|| f64::from(flaky) / f64::from(all))
    };
    let ensures = |threshold: &f32| {
        let values: Vec<f64> = by_project.values().filter_map(|it| precision(it, *threshold)).collect();
        values.len() >= ENOUGH_PROJECTS
            && mean(&values) >= WANTED_PRECISION
            && Estimate::of(&values).is_some_and(|it| it.interval.low >= WANTED_PRECISION)
    };
    (1_u8..=99).map(|it| f32::from(it) / 100.0).find(ensures)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Projects of 20 tests. The first test of a project is flaky; its probability is 0.9 in `sure` of them, else 0.2.
    /// All other tests have the probability 0.3.
    fn held_out(projects: u32, sure: u32) -> Vec<HeldOutTest> {
        let test = |project: u32, at: u32| HeldOutTest {
            project,
            probability: match at {
                0 if project < sure => 0.9,
                0 => 0.2,
                _ => 0.3,
            },
            flaky: at == 0,
        };
        (0..projects)
            .flat_map(|project| (0..20).map(move |at| test(project, at)))
            .collect()
    }

    #[test]
    fn a_threshold_is_the_lowest_that_is_precise_in_enough_projects() {
        let record = ProjectRecord::new(&held_out(20, 12));
        assert_eq!(record.threshold, Some(0.31));
        let precision = record.precision().expect("12 projects have reports");
        assert_eq!((precision.projects, precision.mean), (12, 1.0));
        assert_eq!(record.projects[0].reported_flaky, 1);
        assert_eq!(ProjectRecord::new(&held_out(20, 9)).threshold, None, "too few projects");
    }

    #[test]
    fn a_mean_above_a_half_is_not_enough_if_projects_differ() {
        let mut tests = held_out(20, 12);
        // In five projects of the twelve the report is wrong.
        for test in tests.iter_mut().filter(|it| it.project < 5) {
            test.flaky = false;
        }
        let record = ProjectRecord::new(&tests);
        assert_eq!(record.threshold, None);
        assert!(record.precision().is_none());
    }

    #[test]
    fn every_project_counts_once_and_ties_count_against_the_model() {
        let mut tests = held_out(4, 2);
        let ranked = ProjectRecord::new(&tests).flaky_among_first().expect("four projects");
        assert_eq!((ranked.projects, ranked.mean), (4, 0.5));
        assert!(ranked.interval.low < 0.5 && ranked.interval.high > 0.5);
        for test in &mut tests {
            test.probability = 0.3;
        }
        let tied = ProjectRecord::new(&tests).flaky_among_first().expect("four projects");
        assert!(tied.mean.abs() < 1e-12);
        assert_eq!(ProjectRecord::new(&[]), ProjectRecord::default());
    }
}
