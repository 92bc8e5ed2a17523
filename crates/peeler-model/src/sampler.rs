//! Random choice of the tests of a training batch.
//!
//! Tests of small projects can be drawn more often, so that no project dominates. Stable tests can be drawn from the
//! projects of the flaky tests. Names that only identify a project are then no evidence for a label.

use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;

use peeler_features::Dataset;

/// A set of training tests, with the probability of drawing each for a batch.
pub(crate) struct Sampler {
    /// The indices in the dataset of the tests that can be drawn for a batch.
    pub(crate) tests: Vec<usize>,
    is_balanced: bool,
    /// Cumulative drawing weights: for each test the sum of its own weight and those of all tests before it.
    sums: Vec<f64>,
    by_project: FxHashMap<u32, Vec<usize>>,
}

impl Sampler {
    /// A sampler of the tests with these indices. With a `balance` of 0, tests are drawn uniformly; with 1, projects
    /// are.
    pub(crate) fn new(tests: Vec<usize>, dataset: &Dataset, balance: f32) -> Self {
        let project = |at: &usize| dataset.tests[*at].project;
        let mut by_project: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for at in &tests {
            by_project.entry(project(at)).or_default().push(*at);
        }
        let mut sum = 0.0;
        let sums = tests
            .iter()
            .map(|at| {
                #[allow(clippy::cast_precision_loss)]
                let count = by_project[&project(at)].len() as f64;
                sum += count.powf(-f64::from(balance));
                sum
            })
            .collect();
        Self {
            tests,
            is_balanced: balance > 0.0,
            sums,
            by_project,
        }
    }

    /// The index of each test, with the probability of drawing it.
    pub(crate) fn shares(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let total = self.sums.last().copied().unwrap_or(1.0);
        let before = std::iter::once(0.0).chain(self.sums.iter().copied());
        let own = self
            .sums
            .iter()
            .zip(before)
            .map(move |(sum, before)| (sum - before) / total);
        self.tests.iter().copied().zip(own)
    }

    /// A random sequence of as many tests as the sampler has.
    ///
    /// It is a permutation of them, or drawn with replacement if projects are balanced.
    pub(crate) fn order(&self, random: &mut ChaCha8Rng) -> Vec<usize> {
        if self.is_balanced {
            return self.tests.iter().filter_map(|_| self.draw(random)).collect();
        }
        let mut order = self.tests.clone();
        order.shuffle(random);
        order
    }

    fn draw(&self, random: &mut ChaCha8Rng) -> Option<usize> {
        let total = *self.sums.last()?;
        let drawn = random.random::<f64>() * total;
        let at = self.sums.partition_point(|sum| *sum <= drawn).min(self.tests.len() - 1);
        Some(self.tests[at])
    }

    /// The index of a test that is drawn at random; `None` if the sampler has no tests.
    ///
    /// With probability `share` the test is drawn from those of `project`, if there are any. Otherwise it is drawn from
    /// all tests.
    pub(crate) fn draw_beside(&self, project: u32, share: f32, random: &mut ChaCha8Rng) -> Option<usize> {
        let is_beside = share > 0.0 && random.random::<f32>() < share;
        match self.by_project.get(&project) {
            Some(own) if is_beside => Some(own[random.random_range(0..own.len())]),
            _ => self.draw(random),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Sampler;
    use crate::random::random_stream;
    use peeler_features::{Dataset, EncodedTest, MEASURES};

    /// A dataset with ninety tests of one project and ten of another.
    fn dataset() -> Dataset {
        let test = |at: usize| EncodedTest {
            project: u32::from(at >= 90),
            words: Vec::new(),
            context: Vec::new(),
            calls: Vec::new(),
            causes: Vec::new(),
            flows: Vec::new(),
            oracles: Vec::new(),
            measures: [0.0; MEASURES],
            paths: Vec::new(),
        };
        Dataset {
            tests: (0..100).map(test).collect(),
            ..Dataset::default()
        }
    }

    #[test]
    fn projects_are_evened_out_as_far_as_asked() {
        let dataset = dataset();
        for (balance, expected) in [(0.0, 100.0), (0.5, 250.0), (1.0, 500.0)] {
            let sampler = Sampler::new((0..100).collect(), &dataset, balance);
            let mut random = random_stream(1, 1);
            let drawn: Vec<usize> = (0..10).flat_map(|_| sampler.order(&mut random)).collect();
            assert_eq!(drawn.len(), 1_000);
            let of_the_small: f64 = drawn.iter().map(|at| f64::from(u8::from(*at >= 90))).sum();
            assert!((of_the_small - expected).abs() < 60.0, "{balance}: {of_the_small}");
        }
    }

    #[test]
    fn shares_add_up_to_one_and_are_higher_in_small_projects() {
        let shares: Vec<(usize, f64)> = Sampler::new((0..100).collect(), &dataset(), 1.0).shares().collect();
        assert!((shares.iter().map(|it| it.1).sum::<f64>() - 1.0).abs() < 1e-12);
        assert!((shares[0].1 - 0.5 / 90.0).abs() < 1e-9, "{}", shares[0].1);
        assert!((shares[99].1 - 0.5 / 10.0).abs() < 1e-9, "{}", shares[99].1);
    }

    #[test]
    fn without_balance_every_test_comes_once() {
        let sampler = Sampler::new((0..100).collect(), &dataset(), 0.0);
        let mut order = sampler.order(&mut random_stream(1, 1));
        assert_ne!(order, (0..100).collect::<Vec<_>>());
        order.sort_unstable();
        assert_eq!(order, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn companions_come_from_the_same_project_as_often_as_asked() {
        let dataset = dataset();
        let sampler = Sampler::new((0..100).collect(), &dataset, 0.0);
        for (share, least, most) in [(0.0, 50, 150), (0.5, 450, 650), (1.0, 1_000, 1_000)] {
            let mut random = random_stream(1, 1);
            let of_the_small = (0..1_000)
                .filter_map(|_| sampler.draw_beside(1, share, &mut random))
                .filter(|at| *at >= 90)
                .count();
            assert!((least..=most).contains(&of_the_small), "{share}: {of_the_small}");
            assert!(
                sampler.draw_beside(7, share, &mut random).is_some(),
                "a project without such tests"
            );
        }
    }
}
