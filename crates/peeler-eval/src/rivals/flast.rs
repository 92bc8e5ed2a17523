//! FLAST (Bertolino, Cruciani, Miranda, Verdecchia: "Know your neighbor", ISTI-TR-2020/001): a test is as
//! flaky as the known tests that read like it.
//!
//! A test is the bag of its white-space separated tokens. A sparse random projection maps bags to
//! d = O(ln n / eps^2) dimensions, cosine distance finds the k = 7 nearest known tests, and each votes
//! with the inverse of its distance:
//!
//! ```text
//! distances  0.1 flaky   0.2 stable   0.4 stable
//! phi = 10   psi = 5 + 2.5            phi / (phi + psi) = 0.57: flaky at sigma 0.5, stable at 0.95
//! ```
//!
//! A neighbour at distance zero, a twin, has infinite weight: twins alone decide, and where they disagree
//! the share of flaky ones among them does.
//!
//! The row of a token in the projection depends on the seed and the token's text alone, so nothing has to
//! be fitted for it and a token never seen in training projects like any other. Its entries are 0 or
//! +-sqrt(1 / density) / sqrt(d); cosine ignores a common factor, so entries are kept as 0 and +-1 and
//! projected bags are whole numbers. The invariant this buys: dot products are exact, hence a twin is a twin
//! and not a distance below some tolerance, and the order of the training data changes no score.
//!
//! Projected bags stay sparse: at density 1 / sqrt(vocabulary) a token of a large corpus touches two or
//! three of a thousand dimensions, which the search in `neighbours.rs` lives on. The price of so sparse a matrix
//! is the paper's: some tokens touch no dimension at all, and tests that differ only in those are twins.
//!
//! Left out: approximate search, and any choice of k, eps or sigma by the data.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::Serialize;

use super::condensed::CondensedTests;
use super::neighbours::{Index, Neighbour, bag, position};
use super::projection::{Projection, project, target_dimension};
use peeler_features::TestFeatures;
use peeler_features::stored_hash;
use peeler_learning::predictor::{Model, Prediction, Predictor, Training, TrainingTest};
use rustc_hash::FxHashSet;

/// eps in the paper: how far the projection may distort distances.
const DISTORTION: f64 = 0.33;

/// FLAST with its threshold sigma.
#[derive(Debug, Clone, Copy)]
pub struct Flast {
    sigma: f64,
}

impl Default for Flast {
    /// The paper's sigma of 0.5, its setting for recall.
    fn default() -> Self {
        Self::with_sigma(0.5)
    }
}

impl Flast {
    /// FLAST that calls a test flaky if phi / (phi + psi) > sigma. The paper uses 0.5 for recall and 0.95 for
    /// precision.
    ///
    /// Scores are flaky from 0.5 on, whatever sigma is: the shares from 0 to sigma are stretched over 0 to
    /// just below 0.5, those above sigma over 0.5 to 1. Rankings stay as they are. At sigma 0.5 the score is
    /// the share itself, except that a tie, which the strict inequality of the paper calls stable, gets the
    /// largest score below 0.5.
    ///
    /// # Panics
    /// If `sigma` is not between 0 and 1.
    #[must_use]
    pub fn with_sigma(sigma: f64) -> Self {
        assert!((0.0..=1.0).contains(&sigma), "sigma is a share, not {sigma}");
        Self { sigma }
    }

    /// Learns as [`Predictor::fit`] does, and returns a model that can be asked for its size.
    #[must_use]
    pub fn learn(&self, training: &Training<'_>, seed: u64) -> KnownTests {
        let memory = Memory::of(training, seed);
        let projection = Projection {
            seed,
            dimensions: target_dimension(memory.tests.len(), DISTORTION),
            density: 1.0 / count(memory.vocabulary.len().max(1)).sqrt(),
        };
        KnownTests::new(memory, projection, self.sigma)
    }
}

impl Predictor for Flast {
    fn name(&self) -> &'static str {
        "flast"
    }

    fn fit(&self, training: &Training<'_>, seed: u64) -> Box<dyn Model> {
        Box::new(self.learn(training, seed))
    }
}

/// The training data as FLAST has to keep it: from this and nothing else the model can be rebuilt.
#[derive(Debug, Serialize)]
struct Memory {
    seed: u64,
    /// Fingerprints of all tokens, ascending. Bags refer to them by position.
    vocabulary: Vec<u64>,
    categories: Vec<String>,
    /// In the order of their names. Equally distant tests rank in this order, not in that of the corpus.
    tests: Vec<KnownTest>,
}

#[derive(Debug, Serialize)]
struct KnownTest {
    name: String,
    flaky: bool,
    category: Option<u32>,
    /// Positions in the vocabulary with multiplicities.
    bag: Vec<(u32, u32)>,
}

impl Memory {
    fn of(training: &Training<'_>, seed: u64) -> Self {
        let mut tests: Vec<&TrainingTest<'_>> = training.tests.iter().collect();
        tests.sort_by_key(|it| (it.features.name, it.project, it.label.flaky, it.label.category));

        let fingerprint = |token: &str| stored_hash(token.as_bytes());
        let distinct: FxHashSet<u64> = tests
            .iter()
            .flat_map(|it| it.features.tokens.iter())
            .map(fingerprint)
            .collect();
        let mut vocabulary: Vec<u64> = distinct.into_iter().collect();
        vocabulary.sort_unstable();
        let position_of = |token: &str| {
            let fingerprint = fingerprint(token);
            position(vocabulary.partition_point(|&other| other < fingerprint))
        };

        let mut categories: Vec<String> = tests
            .iter()
            .filter_map(|it| it.label.category.map(str::to_owned))
            .collect();
        categories.sort_unstable();
        categories.dedup();

        let tests = tests
            .into_iter()
            .map(|it| KnownTest {
                name: it.features.name.to_string(),
                flaky: it.label.flaky,
                category: it
                    .label
                    .category
                    .map(|category| position(categories.partition_point(|other| other.as_str() < category))),
                bag: bag(it.features.tokens.iter().map(position_of)),
            })
            .collect();
        Self {
            seed,
            vocabulary,
            categories,
            tests,
        }
    }
}

/// What FLAST has learned: the known tests, and an index of what they project to.
#[derive(Debug)]
pub struct KnownTests {
    memory: Memory,
    index: Index,
    sigma: f64,
}

impl KnownTests {
    fn new(memory: Memory, projection: Projection, sigma: f64) -> Self {
        let rows: Vec<_> = memory.vocabulary.iter().map(|&token| projection.row(token)).collect();
        let projected = memory.tests.iter().map(|test| {
            let tokens = test.bag.iter();
            project(tokens.map(|&(token, multiplicity)| (rows[token as usize].as_slice(), multiplicity)))
        });
        Self {
            index: Index::new(projection, projected),
            memory,
            sigma,
        }
    }

    /// The same judge without names, bags and root causes.
    pub(super) fn condensed(self) -> CondensedTests {
        let flaky = self.memory.tests.iter().map(|it| it.flaky).collect();
        CondensedTests::new(self.index, flaky, self.sigma)
    }

    /// The bytes that the model takes when stored: seed, fingerprints of the vocabulary, and of each test
    /// its name, label, root cause and bag of token positions and multiplicities, as postcard writes them,
    /// without compression. The projection is not part of it, for the seed and the fingerprints give it back.
    ///
    /// # Panics
    /// Never: postcard can write every such value.
    #[must_use]
    pub fn storage_bytes(&self) -> usize {
        postcard::to_stdvec(&self.memory)
            .expect("plain vectors can be written")
            .len()
    }

    /// The most frequent root cause among the neighbours; of equally frequent ones that of the nearest.
    fn category(&self, neighbours: &[Neighbour]) -> Option<String> {
        let mut votes = BTreeMap::<u32, (usize, usize)>::new();
        for (rank, neighbour) in neighbours.iter().enumerate() {
            let test = &self.memory.tests[neighbour.test];
            if let Some(category) = test.category.filter(|_| test.flaky) {
                votes.entry(category).or_insert((0, rank)).0 += 1;
            }
        }
        let winner = votes
            .into_iter()
            .max_by(|(_, (votes, rank)), (_, (other_votes, other_rank))| {
                votes.cmp(other_votes).then(other_rank.cmp(rank))
            })?;
        Some(self.memory.categories[winner.0 as usize].clone())
    }
}

impl Model for KnownTests {
    /// The root cause is that of the flaky neighbours, if any, even where the stable ones prevail.
    fn predict(&self, test: &TestFeatures<'_>) -> Prediction {
        let neighbours = self.index.neighbours(test);
        let votes = neighbours
            .iter()
            .map(|neighbour| (neighbour.distance, self.memory.tests[neighbour.test].flaky));
        Prediction {
            score: score(flaky_share(votes), self.sigma),
            category: self.category(&neighbours),
            neighbours: neighbours
                .iter()
                .map(|neighbour| self.memory.tests[neighbour.test].name.clone())
                .collect(),
        }
    }
}

/// phi / (phi + psi) of neighbours given as distance and whether they are flaky; 0 without neighbours.
pub(super) fn flaky_share(neighbours: impl Iterator<Item = (f64, bool)> + Clone) -> f64 {
    let is_twin = |&(distance, _): &(f64, bool)| distance.total_cmp(&0.0) != Ordering::Greater;
    let share = |votes: &mut dyn Iterator<Item = (f64, bool)>| {
        let (mut phi, mut psi) = (0.0, 0.0);
        for (weight, flaky) in votes {
            *(if flaky { &mut phi } else { &mut psi }) += weight;
        }
        if phi > 0.0 { phi / (phi + psi) } else { 0.0 }
    };
    if neighbours.clone().any(|neighbour| is_twin(&neighbour)) {
        share(&mut neighbours.filter(is_twin).map(|(_, flaky)| (1.0, flaky)))
    } else {
        share(&mut neighbours.map(|(distance, flaky)| (1.0 / distance, flaky)))
    }
}

/// The share on the scale of [`Prediction::score`]; see [`Flast::with_sigma`].
#[expect(clippy::cast_possible_truncation, reason = "scores are single precision")]
pub(super) fn score(share: f64, sigma: f64) -> f32 {
    if share > sigma {
        (0.5 + 0.5 * (share - sigma) / (1.0 - sigma)) as f32
    } else if share > 0.0 {
        ((0.5 * share / sigma) as f32).min(0.5_f32.next_down())
    } else {
        0.0
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of tests and tokens are far below 2^53"
)]
fn count(items: usize) -> f64 {
    items as f64
}

#[cfg(test)]
mod tests {
    use super::super::projection::{Projection, target_dimension};
    use super::super::tests::{Corpus, MadeTest};
    use super::{Flast, flaky_share, score};
    use peeler_features::{TestFeatures, stored_hash};
    use peeler_learning::predictor::{Model, Prediction};

    fn predict(corpus: &Corpus, test: &MadeTest, seed: u64) -> Prediction {
        Flast::default()
            .learn(&corpus.training(), seed)
            .predict(&test.features())
    }

    fn crowd() -> Corpus {
        let mut corpus = Corpus::new();
        for index in 0..20 {
            let text = format!("assert list{index} size map{} equals ( ) ;", index % 3);
            corpus = corpus.with(&format!("s.Stable#t{index:02}"), &text, false);
        }
        for index in 0..5 {
            let text = format!("Thread . sleep ( {index} ) ; latch . await ( ) ;");
            corpus = corpus.with(&format!("f.Flaky#t{index:02}"), &text, true);
        }
        corpus
    }

    #[test]
    fn dimensions_are_those_of_scikit_learn() {
        assert_eq!(target_dimension(1_000_000, 0.5), 663);
        assert_eq!(target_dimension(1_000_000, 0.1), 11_841);
        assert_eq!(target_dimension(1_703, 0.33), 700);
        assert_eq!(target_dimension(0, 0.33), target_dimension(2, 0.33));
    }

    #[test]
    fn rows_are_as_dense_as_asked_and_signs_are_even() {
        let projection = Projection {
            seed: 5,
            dimensions: 900,
            density: 0.02,
        };
        let rows: Vec<_> = (0..2_000)
            .map(|token| projection.row(stored_hash(format!("t{token}").as_bytes())))
            .collect();
        let entries: usize = rows.iter().map(Vec::len).sum();
        assert!((35_000..37_000).contains(&entries), "{entries} of 36000 expected");
        let sum: i64 = rows.iter().flatten().map(|&(_, sign)| sign).sum();
        assert!(sum.abs() < 1_000, "signs sum up to {sum}");
        assert!(rows.iter().all(|row| row.is_sorted_by(|a, b| a.0 < b.0)));
    }

    #[test]
    fn a_projection_of_density_one_fills_every_dimension() {
        let projection = Projection {
            seed: 5,
            dimensions: 9,
            density: 1.0,
        };
        assert_eq!(projection.row(1).len(), 9);
    }

    #[test]
    fn neighbours_vote_with_the_inverse_of_their_distance() {
        let share = flaky_share([(0.1, true), (0.2, false), (0.4, false)].into_iter());
        assert!((share - 10.0 / 17.5).abs() < 1e-12);
        assert!(score(share, 0.5) > 0.5);
        assert!(score(share, 0.95) < 0.5);
    }

    #[test]
    fn twins_decide_by_their_own_share() {
        let share = |neighbours: &[(f64, bool)]| flaky_share(neighbours.iter().copied());
        assert!((share(&[(0.0, true), (1e-9, false), (1e-9, false)]) - 1.0).abs() < 1e-12);
        assert!(share(&[(0.0, false), (1e-9, true)]).abs() < 1e-12);
        let disagreeing = share(&[(0.0, false), (0.0, true), (0.0, true), (1e-9, false)]);
        assert!((disagreeing - 2.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn a_tie_is_stable_as_the_strict_inequality_of_the_paper_says() {
        assert_eq!(score(0.5, 0.5).to_bits(), 0.5_f32.next_down().to_bits());
        assert!(score(0.500_001, 0.5) >= 0.5);
        assert!(score(0.95, 0.95) < 0.5);
        assert!(score(0.950_001, 0.95) >= 0.5);
    }

    #[test]
    fn every_sigma_keeps_the_ranking() {
        for sigma in [0.0, 0.3, 0.5, 0.95, 1.0] {
            let scores: Vec<f32> = (0..=100_u32)
                .map(|share| score(f64::from(share) / 100.0, sigma))
                .collect();
            assert!(scores.is_sorted(), "at {sigma}");
            assert!(scores[0].to_bits() == 0 && scores[100] <= 1.0, "at {sigma}");
        }
    }

    #[test]
    fn a_test_that_reads_like_a_flaky_twin_is_flaky() {
        let corpus = crowd().with("z.Lone#flaky", "read socket ( port ) ;", true);
        let twin = MadeTest::new("q.Q#q", "( port ) ; read socket");
        let prediction = predict(&corpus, &twin, 1);
        assert_eq!(prediction.score.to_bits(), 1.0_f32.to_bits());
        assert_eq!(prediction.neighbours[0], "z.Lone#flaky");
        assert_eq!(prediction.neighbours.len(), 7);
    }

    #[test]
    fn a_bag_twice_as_full_is_a_twin_too() {
        let corpus = crowd().with("z.Lone#flaky", "read socket ;", true);
        let doubled = MadeTest::new("q.Q#q", "read socket ; read socket ;");
        assert_eq!(predict(&corpus, &doubled, 1).score.to_bits(), 1.0_f32.to_bits());
    }

    #[test]
    fn neighbours_of_a_similar_test_are_the_similar_tests() {
        let corpus = crowd();
        let sleeper = MadeTest::new("q.Q#q", "Thread . sleep ( 99 ) ; latch . await ( ) ;");
        let prediction = predict(&corpus, &sleeper, 1);
        assert!(
            prediction.neighbours[..5]
                .iter()
                .all(|name| name.starts_with("f.Flaky"))
        );
        assert!(prediction.score > 0.5);
        let lister = MadeTest::new("q.Q#q", "assert list99 size map1 equals ( ) ;");
        assert!(predict(&corpus, &lister, 1).score < 0.5);
    }

    #[test]
    fn distances_are_those_of_a_naive_linear_search() {
        let corpus = crowd();
        let sample = MadeTest::new("q.Q#q", "Thread . sleep ( list3 size ) ; ; unheard");
        let model = Flast::default().learn(&corpus.training(), 1);
        let dense = |test: &TestFeatures<'_>| {
            let mut point = vec![0_i32; model.index.projection.dimensions as usize];
            for token in test.tokens.iter() {
                for (dimension, sign) in model.index.projection.row(stored_hash(token.as_bytes())) {
                    point[dimension as usize] += if sign > 0 { 1 } else { -1 };
                }
            }
            point.into_iter().map(f64::from).collect::<Vec<f64>>()
        };
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let point = dense(&sample.features());
        let mut naive: Vec<f64> = corpus
            .training()
            .tests
            .iter()
            .map(|other| {
                let other = dense(&other.features);
                1.0 - product(&point, &other) / (product(&point, &point) * product(&other, &other)).sqrt()
            })
            .collect();
        naive.sort_by(f64::total_cmp);
        let found = model.index.neighbours(&sample.features());
        assert_eq!(found.len(), 7);
        for (neighbour, distance) in found.iter().zip(naive) {
            assert!((neighbour.distance - distance).abs() < 1e-12);
        }
    }

    #[test]
    fn unseen_and_missing_tokens_do_not_panic() {
        let corpus = crowd();
        let unseen = MadeTest::new("q.Q#q", "nobody wrote this before");
        assert_eq!(predict(&corpus, &unseen, 1).neighbours.len(), 7);
        let empty = MadeTest::new("q.Q#q", "");
        assert_eq!(predict(&corpus, &empty, 1), Prediction::of(0.0));
    }

    #[test]
    fn the_root_cause_is_that_of_most_flaky_neighbours() {
        let corpus = Corpus::new()
            .with("a.A#a", "open socket port now", true)
            .caused_by("network")
            .with("a.A#b", "open socket port sleep latch", true)
            .caused_by("async wait")
            .with("a.A#c", "open socket sleep latch await", true)
            .caused_by("async wait")
            .with("a.A#d", "open socket assert", false)
            .caused_by("network");
        let sample = MadeTest::new("q.Q#q", "open socket port now");
        assert_eq!(predict(&corpus, &sample, 1).category.as_deref(), Some("async wait"));
    }

    #[test]
    fn of_equally_frequent_root_causes_the_nearest_wins() {
        let corpus = Corpus::new()
            .with("a.A#a", "open socket port now", true)
            .caused_by("network")
            .with("a.A#b", "sleep latch await", true)
            .caused_by("async wait");
        let first = MadeTest::new("q.Q#q", "open socket port now");
        let second = MadeTest::new("q.Q#q", "sleep latch await");
        assert_eq!(predict(&corpus, &first, 1).category.as_deref(), Some("network"));
        assert_eq!(predict(&corpus, &second, 1).category.as_deref(), Some("async wait"));
    }

    #[test]
    fn the_same_seed_gives_the_same_scores_and_another_seed_another_projection() {
        let corpus = crowd();
        let sample = MadeTest::new("q.Q#q", "Thread . sleep ( list3 size ) ;");
        let once = predict(&corpus, &sample, 3);
        assert_eq!(once, predict(&corpus, &sample, 3));
        assert_ne!(once.score.to_bits(), predict(&corpus, &sample, 4).score.to_bits());
    }

    #[test]
    fn storage_grows_with_the_tests_kept() {
        let small = Flast::default().learn(&Corpus::new().training(), 1).storage_bytes();
        let large = Flast::default().learn(&crowd().training(), 1).storage_bytes();
        assert!(small < 10 && large > 25 * 20, "{small} and {large} bytes");
    }
}
