//! FLAST in a few megabytes: a judge to be stored and shipped.
//!
//! It keeps every flaky test of its training data and [`STABLE_FOR_EACH_FLAKY`] stable ones for each, drawn by the
//! seed; of a test it keeps the projected bag and the label. Names, tokens and root causes stay behind, so nothing of
//! the sources it learned from can be read in it.
//!
//! This is not quite the FLAST of the score tables, which keeps all stable tests: with fewer of them near, flaky
//! neighbours weigh more. The shift of its calibration takes the changed share back; what the missing neighbours
//! would have told is lost.

use serde::{Deserialize, Serialize};

use super::flast::{Flast, flaky_share, score};
use super::neighbours::Index;
use super::projection::Projection;
use peeler_features::TestFeatures;
use peeler_features::stored_hash;
use peeler_learning::predictor::{Model, Prediction, Training, TrainingTest};

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
    pub(super) fn new(index: Index, flaky: Vec<bool>, sigma: f64) -> Self {
        Self { index, flaky, sigma }
    }

    /// Learns from all flaky tests and a part of the stable ones.
    #[must_use]
    pub fn learn(training: &Training<'_>, seed: u64) -> Self {
        Flast::default().learn(&thinned(training, seed), seed).condensed()
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
        let index = Index::new(stored.projection, points.into_iter());
        Ok(Self::new(index, stored.flaky, stored.sigma))
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
mod tests {
    use super::super::tests::{Corpus, MadeTest};
    use super::{CondensedTests, Flast, StoredTests, thinned};
    use peeler_learning::predictor::{Model, Training};

    fn crowd() -> Corpus {
        let mut corpus = Corpus::new();
        for index in 0..100 {
            let text = format!("assert list{index} size map{} equals ( ) ;", index % 3);
            corpus = corpus.with(&format!("s.Stable#t{index:03}"), &text, false);
        }
        for index in 0..5 {
            let text = format!("Thread . sleep ( {index} ) ; latch . await ( ) ;");
            corpus = corpus.with(&format!("f.Flaky#t{index:02}"), &text, true);
        }
        corpus
    }

    #[test]
    fn all_flaky_tests_and_sixteen_stable_ones_for_each_are_kept_whatever_their_order() {
        let corpus = crowd();
        let names = |training: &Training<'_>| {
            let mut names: Vec<_> = thinned(training, 1)
                .tests
                .iter()
                .map(|it| it.features.name.to_string())
                .collect();
            names.sort();
            names
        };
        let kept = names(&corpus.training());
        assert_eq!(kept.len(), 5 + 80);
        assert_eq!(kept.iter().filter(|it| it.starts_with("f.Flaky")).count(), 5);
        assert_eq!(kept, names(&corpus.reversed()));
        assert_eq!(CondensedTests::learn(&corpus.training(), 1).kept(), (85, 5));
    }

    #[test]
    fn tests_of_one_class_are_drawn_one_by_one() {
        let mut corpus = Corpus::new();
        for class in 0..20 {
            for test in 0..8 {
                corpus = corpus.with(&format!("a.Class{class:02}Test#t{test}"), "assert", false);
            }
        }
        for index in 0..5 {
            corpus = corpus.with(&format!("a.Flaky#t{index}"), "sleep", true);
        }
        let kept = thinned(&corpus.training(), 1).tests;
        let of = |class: usize| {
            let name = format!("a.Class{class:02}Test#");
            kept.iter()
                .filter(|it| it.features.name.as_str().starts_with(&name))
                .count()
        };
        // Half of all stable tests are drawn; of a class hardly ever all or none.
        let divided = (0..20).filter(|class| (1..8).contains(&of(*class))).count();
        assert!(divided >= 18, "{divided} of 20");
    }

    #[test]
    fn another_seed_draws_other_stable_tests() {
        let corpus = crowd();
        let names = |seed| -> Vec<_> {
            let kept = thinned(&corpus.training(), seed).tests;
            kept.into_iter().map(|it| it.features.name.to_string()).collect()
        };
        assert_ne!(names(1), names(2));
    }

    #[test]
    fn it_judges_as_flast_with_the_same_tests_does_before_and_after_storing() {
        let corpus = crowd();
        let tests = [
            MadeTest::new("q.Q#a", "Thread . sleep ( 99 ) ; latch . await ( ) ;"),
            MadeTest::new("q.Q#b", "assert list3 sleep ( map1 ) ;"),
            MadeTest::new("q.Q#c", ""),
        ];
        let whole = Flast::default().learn(&thinned(&corpus.training(), 1), 1);
        let condensed = CondensedTests::learn(&corpus.training(), 1);
        let bytes = postcard::to_stdvec(&condensed.stored()).expect("plain data");
        let stored: StoredTests = postcard::from_bytes(&bytes).expect("what was written");
        let read = CondensedTests::from_stored(stored).expect("a whole form");
        for test in &tests {
            let test = &test.features();
            let score = whole.predict(test).score.to_bits();
            assert_eq!(condensed.predict(test).score.to_bits(), score);
            assert_eq!(read.predict(test).score.to_bits(), score);
        }
        assert_eq!(read.stored(), condensed.stored());
    }

    #[test]
    fn nothing_that_could_be_read_is_stored() {
        let bytes = postcard::to_stdvec(&CondensedTests::learn(&crowd().training(), 1).stored()).expect("plain data");
        for text in ["Thread", "sleep", "latch", "Flaky", "Stable", "assert"] {
            let found = bytes.windows(text.len()).any(|it| it == text.as_bytes());
            assert!(!found, "{text}");
        }
    }

    #[test]
    fn a_form_that_does_not_fit_together_is_refused() {
        let whole = || CondensedTests::learn(&crowd().training(), 1).stored();
        let refused = |spoil: &dyn Fn(&mut StoredTests), words: &str| {
            let mut stored = whole();
            spoil(&mut stored);
            let said = CondensedTests::from_stored(stored).expect_err(words);
            assert!(said.contains(words), "{said}");
        };
        assert!(CondensedTests::from_stored(whole()).is_ok());
        refused(&|it| it.projection.dimensions = 0, "to 0 dimensions");
        refused(&|it| it.projection.density = f64::NAN, "density NaN");
        refused(&|it| it.sigma = 2.0, "sigma of 2");
        refused(&|it| it.flaky.push(true), "do not fit together");
        refused(&|it| it.gaps.push(1), "do not fit together");
        refused(&|it| it.sizes[0] = u32::MAX, "do not fit together");
        refused(&|it| it.gaps[0] = u32::MAX, "dimension 4294967295");
        refused(&|it| it.coordinates[0] = i32::MIN, "coordinate -2147483648");
        refused(&|it| it.coordinates[0] = 0, "coordinate 0");
    }
}
