//! Pairs of a flaky test and the same test after its fix. A predictor that understands the cause scores the flaky one
//! higher.

use std::collections::{BTreeMap, BTreeSet};

use peeler_features::TestFeatures;
use peeler_learning::metrics::{Interval, bootstrap_interval};
use peeler_learning::predictor::{KindLabels, Model, TrainingTest};
use serde::{Deserialize, Serialize};

use crate::corpus::{Corpus, TestRecord};

/// The number of resamples for the bootstrap interval.
const RESAMPLES: usize = 1_000;

impl Corpus {
    /// This corpus of tests before their fixes joined with that of tests after them. Tests that only one of the two
    /// contains are left out.
    #[must_use]
    pub fn with_fixed(&self, fixed: &Self) -> Self {
        let mut joined = self.clone();
        joined.merge(fixed);
        let paired: BTreeSet<usize> = joined.fix_pairs().into_iter().flat_map(<[usize; 2]>::from).collect();
        let mut at = 0;
        joined.selected(|test| {
            at += 1;
            paired.contains(&(at - 1)).then_some(test.flaky)
        })
    }

    /// The indices of each flaky test of this corpus and of a stable one with the same name in the same project.
    #[must_use]
    pub fn fix_pairs(&self) -> Vec<(usize, usize)> {
        let key = |test: &TestRecord| (test.project, test.features.name.clone());
        let fixed: BTreeMap<_, usize> = (0..self.tests.len())
            .filter(|at| !self.tests[*at].flaky)
            .map(|at| (key(&self.tests[at]), at))
            .collect();
        let flaky = (0..self.tests.len()).filter(|at| self.tests[*at].flaky);
        flaky
            .filter_map(|at| Some((at, *fixed.get(&key(&self.tests[at]))?)))
            .collect()
    }
}

/// The pairs of a corpus of fixes, with the evaluation's projects that their own ones are.
pub(crate) struct FixPairs<'c> {
    fixes: &'c Corpus,
    pairs: Vec<(usize, usize)>,
    /// The project of each pair in the corpus of the evaluation; `None` if it is not there.
    projects: Vec<Option<u32>>,
    /// What is known about each test of the corpus of fixes for each kind of flakiness.
    kinds: Vec<KindLabels>,
    /// A number above those of all projects of the evaluation.
    first_outside: u32,
}

/// The scores of a test before and after its fix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ScoredPair {
    /// The project of the test in the corpus of fixes.
    project: u32,
    before: f32,
    after: f32,
}

impl<'c> FixPairs<'c> {
    /// The pairs in a corpus of fixes, for an evaluation on `corpus`.
    pub(crate) fn new(fixes: &'c Corpus, corpus: &Corpus) -> Self {
        let pairs = fixes.fix_pairs();
        let place = |name: &String| corpus.projects.iter().position(|it| it == name);
        let places: Vec<Option<u32>> = fixes
            .projects
            .iter()
            .map(|name| place(name).and_then(|it| u32::try_from(it).ok()))
            .collect();
        let projects = pairs
            .iter()
            .map(|(flaky, _)| places[fixes.tests[*flaky].project as usize])
            .collect();
        Self {
            fixes,
            pairs,
            projects,
            kinds: fixes.kind_labels(),
            first_outside: u32::try_from(corpus.projects.len()).unwrap_or(u32::MAX / 2),
        }
    }

    /// The tests of all pairs of the projects that `is_chosen` accepts, to learn from. `is_chosen` gets `None` for
    /// projects that are not in the corpus of the evaluation.
    pub(crate) fn to_learn(&self, is_chosen: impl Fn(Option<u32>) -> bool) -> Vec<TrainingTest<'c>> {
        let chosen = self.pairs.iter().zip(&self.projects);
        let chosen = chosen.filter(|(_, project)| is_chosen(**project));
        let test = |(fix, at, project): (usize, usize, Option<u32>)| {
            let mut test = self.fixes.training_test(&self.fixes.tests[at]);
            test.label.kinds = self.kinds[at];
            test.fix = u32::try_from(fix).ok();
            // Projects outside of the evaluation get numbers behind all others.
            test.project = project.unwrap_or(test.project + self.first_outside);
            test
        };
        chosen
            .enumerate()
            .flat_map(|(fix, ((flaky, fixed), project))| [(fix, *flaky, *project), (fix, *fixed, *project)])
            .map(test)
            .collect()
    }

    /// Scores the pairs of the projects that `is_unseen` accepts, with a model that has not learned from these.
    /// `is_unseen` gets `None` for projects that are not in the corpus of the evaluation.
    pub(crate) fn scored(&self, model: &dyn Model, is_unseen: impl Fn(Option<u32>) -> bool) -> Vec<ScoredPair> {
        let chosen = self.pairs.iter().zip(&self.projects);
        let chosen: Vec<(usize, usize)> = chosen
            .filter(|(_, project)| is_unseen(**project))
            .map(|(pair, _)| *pair)
            .collect();
        let features: Vec<TestFeatures<'_>> = chosen
            .iter()
            .flat_map(|(flaky, fixed)| [flaky, fixed])
            .map(|at| self.fixes.features(&self.fixes.tests[*at]))
            .collect();
        let predictions = model.predict_all(&features.iter().collect::<Vec<_>>());
        let scored = |((flaky, _), both): (&(usize, usize), &[_])| -> ScoredPair {
            let score = |it: &peeler_learning::predictor::Prediction| it.score;
            ScoredPair {
                project: self.fixes.tests[*flaky].project,
                before: score(&both[0]),
                after: score(&both[1]),
            }
        };
        chosen.iter().zip(predictions.chunks_exact(2)).map(scored).collect()
    }
}

/// How often a predictor scores a flaky test higher than the same test after its fix. Chance is 0.5.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FixScore {
    /// The number of pairs of a flaky test and the same test after its fix.
    pub pairs: usize,
    /// The number of pairs in which the flaky test has the higher score.
    pub higher: usize,
    /// The number of pairs in which both tests have the same score.
    pub equal: usize,
    /// The number of projects with pairs.
    pub projects: usize,
    /// The share of a project's pairs in which the flaky test has the higher score, averaged over projects. A pair of
    /// equal scores counts half.
    pub share: f64,
    /// The 95% bootstrap interval of `share`; projects are resampled.
    pub interval: Interval,
}

impl FixScore {
    /// The figures of scored pairs.
    pub(crate) fn new(pairs: &[ScoredPair], seed: u64) -> Self {
        let mut by_project: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for pair in pairs {
            by_project.entry(pair.project).or_default().push(pair.worth());
        }
        let shares: Vec<f64> = by_project.values().map(|own| mean(own.iter().copied())).collect();
        Self {
            pairs: pairs.len(),
            higher: pairs.iter().filter(|it| it.before > it.after).count(),
            equal: pairs.iter().filter(|it| it.before.total_cmp(&it.after).is_eq()).count(),
            projects: shares.len(),
            share: mean(shares.iter().copied()),
            interval: bootstrap_interval(shares.len(), RESAMPLES, seed, |chosen| {
                mean(chosen.iter().map(|at| shares[*at]))
            }),
        }
    }
}

impl ScoredPair {
    /// 1 if the flaky test has the higher score, 0.5 if both have the same.
    fn worth(&self) -> f64 {
        match self.before.total_cmp(&self.after) {
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 1.0,
        }
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), it| (sum + it, count + 1));
    sum / f64::from(count.max(1))
}

#[cfg(test)]
mod tests {
    use super::{FixScore, ScoredPair};

    #[test]
    fn projects_count_alike_and_equal_scores_count_half() {
        let pair = |project, before, after| ScoredPair { project, before, after };
        let pairs = [
            pair(0, 0.9, 0.1),
            pair(0, 0.8, 0.1),
            pair(0, 0.1, 0.2),
            pair(0, 0.3, 0.3),
            pair(1, 0.1, 0.2),
        ];
        let score = FixScore::new(&pairs, 1);
        assert_eq!((score.pairs, score.higher, score.equal, score.projects), (5, 2, 1, 2));
        assert!((score.share - 0.3125).abs() < 1e-9, "{}", score.share);
        assert!(
            score.interval.low < 0.01 && score.interval.high > 0.62,
            "{:?}",
            score.interval
        );
    }
}
