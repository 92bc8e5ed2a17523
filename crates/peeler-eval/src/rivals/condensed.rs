//! A small form of FLAST that can be stored and shipped.
//!
//! The model keeps every flaky test of its training data. For each of them it keeps [`STABLE_FOR_EACH_FLAKY`] stable
//! tests, drawn at random from a seed. Of a test it keeps the label, and the bag of tokens after a random projection.
//! It holds no names, tokens or root causes, so the sources cannot be read in it.
//!
//! The FLAST that evaluations compare keeps all stable tests. With fewer stable tests, flaky neighbours weigh more. The
//! calibration corrects this by a shift of the logits. The information of the missing neighbours is lost.

use peeler_features::TestFeatures;
use peeler_features::stored_hash;
use peeler_learning::predictor::{Model, Prediction, Training, TrainingTest};
use serde::{Deserialize, Serialize};

use super::flast::Flast;
use super::invalid_model::InvalidModel;
use super::neighbours::Index;
use super::projection::Projection;
use super::votes::{flaky_share, score};

/// The number of stable tests that a small FLAST model keeps for each flaky one, so that it takes about three
/// megabytes.
pub const STABLE_FOR_EACH_FLAKY: usize = 16;

/// The maximum number of dimensions of a random projection that is read from a file.
const MOST_DIMENSIONS: u32 = 1 << 16;
/// The largest absolute value of a coordinate of a projected test that is read from a file.
const MOST_COORDINATE: i32 = 1 << 20;
/// The lowest share of non-zero entries of a random projection that is read from a file.
const LEAST_DENSITY: f64 = 1e-9;

/// The tests that a small FLAST model knows: their bags of tokens after a random projection, and their labels.
#[derive(Debug)]
pub struct CondensedTests {
    index: Index,
    /// Whether each test that the model knows is flaky, in the order of the nearest-neighbour index `index`.
    flaky: Vec<bool>,
    sigma: f64,
}

/// The stored form of a small FLAST model. The coordinates of all tests are stored in columns, which compress well.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredTests {
    projection: Projection,
    sigma: f64,
    flaky: Vec<bool>,
    /// The number of non-zero coordinates of each projected test.
    sizes: Vec<u32>,
    /// The difference between the dimension of each coordinate and the previous dimension of the same test. Dimensions
    /// 2, 5 and 9 are stored as 2, 3 and 4.
    gaps: Vec<u32>,
    coordinates: Vec<i32>,
}

impl CondensedTests {
    /// Learns a small FLAST model from all flaky tests and a part of the stable ones.
    #[must_use]
    pub fn learn(training: &Training<'_>, seed: u64) -> Self {
        let known = Flast::default().learn(&thinned(training, seed), seed);
        let sigma = known.sigma();
        let (index, flaky) = known.into_index();
        Self { index, flaky, sigma }
    }

    /// The number of tests that the model knows, and of flaky tests among them.
    #[must_use]
    pub fn tests(&self) -> (usize, usize) {
        let flaky = self.flaky.iter().filter(|it| **it).count();
        (self.flaky.len(), flaky)
    }

    pub(super) fn stored(&self) -> StoredTests {
        let points = self.index.points();
        let mut stored = StoredTests {
            projection: self.index.projection,
            sigma: self.sigma,
            flaky: self.flaky.clone(),
            sizes: points
                .iter()
                .map(|it| u32::try_from(it.len()).expect("no more than dimensions"))
                .collect(),
            gaps: Vec::new(),
            coordinates: Vec::new(),
        };
        for point in &points {
            let mut before = 0;
            for &(dimension, coordinate) in point {
                stored.gaps.push(dimension - before);
                stored
                    .coordinates
                    .push(coordinate.clamp(-MOST_COORDINATE, MOST_COORDINATE));
                before = dimension;
            }
        }
        stored
    }

    /// The FLAST model of a stored form, or the reason why the form is invalid.
    pub(super) fn from_stored(stored: StoredTests) -> Result<Self, InvalidModel> {
        let Projection {
            dimensions, density, ..
        } = stored.projection;
        if dimensions == 0 || dimensions > MOST_DIMENSIONS || !(LEAST_DENSITY..=1.0).contains(&density) {
            return Err(InvalidModel::Projection { dimensions, density });
        }
        if !(0.0..=1.0).contains(&stored.sigma) {
            return Err(InvalidModel::Sigma(stored.sigma));
        }
        let coordinates = stored.coordinates.len();
        let sizes: u64 = stored.sizes.iter().map(|it| u64::from(*it)).sum();
        if stored.sizes.len() != stored.flaky.len()
            || stored.gaps.len() != coordinates
            || sizes != u64::try_from(coordinates).unwrap_or(u64::MAX)
        {
            return Err(InvalidModel::Lengths);
        }
        let mut entries = stored.gaps.iter().zip(&stored.coordinates);
        let mut points = Vec::with_capacity(stored.sizes.len());
        for size in &stored.sizes {
            let mut point: Vec<(u32, i64)> = Vec::new();
            for (gap, coordinate) in entries.by_ref().take(*size as usize) {
                let before = point.last().map_or(0, |(dimension, _)| *dimension);
                let dimension = before.saturating_add(*gap);
                let repeats = !point.is_empty() && *gap == 0;
                let fits = (-MOST_COORDINATE..=MOST_COORDINATE).contains(coordinate) && *coordinate != 0;
                if repeats || dimension >= dimensions || !fits {
                    return Err(InvalidModel::Coordinate {
                        coordinate: *coordinate,
                        dimension,
                    });
                }
                point.push((dimension, i64::from(*coordinate)));
            }
            points.push(point);
        }
        Ok(Self {
            index: Index::new(stored.projection, points.into_iter()),
            flaky: stored.flaky,
            sigma: stored.sigma,
        })
    }
}

impl Model for CondensedTests {
    fn predict(&self, test: &TestFeatures<'_>) -> Prediction {
        let neighbours = self.index.neighbours(test);
        let votes = neighbours.iter().map(|it| (it.distance, self.flaky[it.test]));
        Prediction::of(score(flaky_share(votes), self.sigma))
    }
}

/// The training data of a small FLAST model: all flaky tests, and the stable tests with the lowest hashes of seed and
/// name.
fn thinned<'c>(training: &Training<'c>, seed: u64) -> Training<'c> {
    let flaky = training.tests.iter().filter(|it| it.label.flaky).count();
    let lot = |test: &TrainingTest<'_>| {
        let name = format!("{seed} {} {}", test.project, test.features.name);
        scattered(stored_hash(name.as_bytes()))
    };
    let mut lots: Vec<u64> = training.tests.iter().filter(|it| !it.label.flaky).map(lot).collect();
    lots.sort_unstable();
    let last = lots.get(flaky * STABLE_FOR_EACH_FLAKY).copied();
    let is_kept = |test: &&TrainingTest<'_>| test.label.flaky || last.is_none_or(|last| lot(test) < last);
    Training {
        tests: training.tests.iter().filter(is_kept).cloned().collect(),
    }
}

/// A hash mixed by the last steps of splitmix64.
///
/// FNV hashes of names with a common prefix are close. Without mixing, the tests of a class would be drawn together.
fn scattered(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

#[cfg(test)]
mod tests;
