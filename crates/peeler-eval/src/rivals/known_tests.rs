//! The model of FLAST: the tests of the training data, and an index of their projected bags of tokens.

use std::collections::BTreeMap;

use peeler_features::{TestFeatures, stored_hash};
use peeler_learning::predictor::{Model, Prediction, Training, TrainingTest};
use rustc_hash::FxHashSet;
use serde::Serialize;

use super::neighbours::{Index, Neighbour, bag, position};
use super::projection::{Projection, project};
use super::votes::{flaky_share, score};

/// The training data that FLAST has to store. Its model can be rebuilt from them alone.
#[derive(Debug, Serialize)]
pub(super) struct TrainingTests {
    seed: u64,
    /// The hashes of all tokens of the training tests, ascending. The bag of tokens of a test refers to them by
    /// position.
    vocabulary: Vec<u64>,
    categories: Vec<String>,
    /// The training tests, sorted by name. Equally distant tests rank in this order.
    tests: Vec<KnownTest>,
}

/// A training test as FLAST stores it: name, label, root cause and bag of tokens.
#[derive(Debug, Serialize)]
struct KnownTest {
    name: String,
    flaky: bool,
    category: Option<u32>,
    /// The tokens of the test as positions in the vocabulary, with multiplicities.
    bag: Vec<(u32, u32)>,
}

impl TrainingTests {
    pub(super) fn new(training: &Training<'_>, seed: u64) -> Self {
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

    /// The number of tests in the training data.
    pub(super) fn len(&self) -> usize {
        self.tests.len()
    }

    /// The number of distinct tokens of all training tests.
    pub(super) fn vocabulary_size(&self) -> usize {
        self.vocabulary.len()
    }
}

/// The model of FLAST: the known tests and an index of their projected bags of tokens.
#[derive(Debug)]
pub struct KnownTests {
    known: TrainingTests,
    pub(super) index: Index,
    sigma: f64,
}

impl KnownTests {
    pub(super) fn new(known: TrainingTests, projection: Projection, sigma: f64) -> Self {
        let rows: Vec<_> = known.vocabulary.iter().map(|&token| projection.row(token)).collect();
        let projected = known.tests.iter().map(|test| {
            let tokens = test.bag.iter();
            project(tokens.map(|&(token, multiplicity)| (rows[token as usize].as_slice(), multiplicity)))
        });
        Self {
            index: Index::new(projection, projected),
            known,
            sigma,
        }
    }

    /// The index of the known tests, and whether each of them is flaky. Names, bags of tokens and root causes are
    /// dropped.
    pub(super) fn into_index(self) -> (Index, Vec<bool>) {
        let flaky = self.known.tests.iter().map(|it| it.flaky).collect();
        (self.index, flaky)
    }

    /// The share of flaky votes above which FLAST classifies a test as flaky.
    pub(super) fn sigma(&self) -> f64 {
        self.sigma
    }

    /// The number of bytes of the stored model, as postcard writes it without compression.
    ///
    /// The stored data are the seed, the hashes of the vocabulary, and the name, label, root cause and bag of each
    /// test. The projection follows from the seed and the hashes, so it is not stored.
    ///
    /// # Panics
    /// Never: postcard can write every such value.
    #[must_use]
    pub fn storage_bytes(&self) -> usize {
        postcard::to_stdvec(&self.known)
            .expect("plain vectors can be written")
            .len()
    }

    /// The most frequent root cause among the flaky neighbours of a test; of equally frequent ones, that of the
    /// nearest. `None` if no flaky neighbour has a known root cause.
    fn category(&self, neighbours: &[Neighbour]) -> Option<String> {
        let mut votes = BTreeMap::<u32, (usize, usize)>::new();
        for (rank, neighbour) in neighbours.iter().enumerate() {
            let test = &self.known.tests[neighbour.test];
            if let Some(category) = test.category.filter(|_| test.flaky) {
                votes.entry(category).or_insert((0, rank)).0 += 1;
            }
        }
        let winner = votes
            .into_iter()
            .max_by(|(_, (votes, rank)), (_, (other_votes, other_rank))| {
                votes.cmp(other_votes).then(other_rank.cmp(rank))
            })?;
        Some(self.known.categories[winner.0 as usize].clone())
    }
}

impl Model for KnownTests {
    /// The prediction from the nearest known tests. Its root cause comes from the flaky tests among these, even if most
    /// are stable.
    fn predict(&self, test: &TestFeatures<'_>) -> Prediction {
        let neighbours = self.index.neighbours(test);
        let votes = neighbours
            .iter()
            .map(|neighbour| (neighbour.distance, self.known.tests[neighbour.test].flaky));
        Prediction {
            score: score(flaky_share(votes), self.sigma),
            category: self.category(&neighbours),
            neighbours: neighbours
                .iter()
                .map(|neighbour| self.known.tests[neighbour.test].name.clone())
                .collect(),
        }
    }
}
