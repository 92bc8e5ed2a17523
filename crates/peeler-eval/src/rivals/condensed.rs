//! FLAST in a few megabytes: a judge to be stored and shipped.
//!
//! It keeps every flaky test of its training data and [`STABLE_FOR_EACH_FLAKY`] stable ones for each, drawn by the
//! seed; of a test it keeps the projected bag and the label. Names, tokens and root causes stay behind, so nothing of
//! the sources it learned from can be read in it.
//!
//! This is not quite the FLAST of the score tables, which keeps all stable tests: with fewer of them near, flaky
//! neighbours weigh more. The shift of its calibration takes the changed share back; what the missing neighbours
//! would have told is lost.

use peeler_features::TestFeatures;
use peeler_features::stored_hash;
use peeler_learning::predictor::{Model, Prediction, Training, TrainingTest};
use serde::{Deserialize, Serialize};

use super::flast::Flast;
use super::neighbours::Index;
use super::projection::Projection;
use super::votes::{flaky_share, score};

/// Stable tests kept for each flaky one: as many as fit in three megabytes with the flaky ones of our corpora.
pub const STABLE_FOR_EACH_FLAKY: usize = 16;

/// Bounds of what is read from a file; real ones are far below.
const MOST_DIMENSIONS: u32 = 1 << 16;
const MOST_COORDINATE: i32 = 1 << 20;
const LEAST_DENSITY: f64 = 1e-9;

/// Known tests without anything that could be read.
#[derive(Debug)]
pub struct CondensedTests {
    index: Index,
    /// By position in the index.
    flaky: Vec<bool>,
    sigma: f64,
}

/// The form in a file. Coordinates of all tests follow each other, in columns, which compress well.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredTests {
    projection: Projection,
    sigma: f64,
    flaky: Vec<bool>,
    /// How many coordinates each test has.
    sizes: Vec<u32>,
    /// From each dimension to the next of the same test; from zero to the first.
    gaps: Vec<u32>,
    coordinates: Vec<i32>,
}

impl CondensedTests {
    /// Learns from all flaky tests and a part of the stable ones.
    #[must_use]
    pub fn learn(training: &Training<'_>, seed: u64) -> Self {
        let known = Flast::default().learn(&thinned(training, seed), seed);
        let sigma = known.sigma();
        let (index, flaky) = known.into_index();
        Self { index, flaky, sigma }
    }

    /// How many tests are kept, and how many of them are flaky.
    #[must_use]
    pub fn kept(&self) -> (usize, usize) {
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

    /// What is wrong with the stored form, in words, where something is.
    pub(super) fn from_stored(stored: StoredTests) -> Result<Self, String> {
        let Projection {
            dimensions, density, ..
        } = stored.projection;
        if dimensions == 0 || dimensions > MOST_DIMENSIONS || !(LEAST_DENSITY..=1.0).contains(&density) {
            return Err(format!("a projection to {dimensions} dimensions of density {density}"));
        }
        if !(0.0..=1.0).contains(&stored.sigma) {
            return Err(format!("a sigma of {}", stored.sigma));
        }
        let coordinates = stored.coordinates.len();
        let sizes: u64 = stored.sizes.iter().map(|it| u64::from(*it)).sum();
        if stored.sizes.len() != stored.flaky.len()
            || stored.gaps.len() != coordinates
            || sizes != u64::try_from(coordinates).unwrap_or(u64::MAX)
        {
            return Err("tests, labels and coordinates do not fit together".to_owned());
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
                    return Err(format!("a coordinate {coordinate} in dimension {dimension}"));
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

/// All flaky tests, and of the stable ones those whose hash with the seed is lowest, whatever their order.
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

/// The last steps of splitmix64. Hashes of names with a common beginning lie side by side; without this, tests of one
/// class would be drawn or left together.
fn scattered(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

#[cfg(test)]
mod tests;
