//! FLAST (Bertolino, Cruciani, Miranda, Verdecchia: "Know your neighbor", ISTI-TR-2020/001): a test is as flaky as the
//! known tests with similar tokens.
//!
//! A test is the bag of its white-space separated tokens. A sparse random projection maps the bags of n tests to
//! d = O(ln n / eps^2) dimensions. Distances then have a relative error of eps. The k = 7 nearest known tests by cosine
//! distance vote with the inverse of their distance. The votes of flaky tests sum up to phi, those of stable tests to
//! psi. The share of phi is compared with a threshold sigma:
//!
//! ```text
//! distances  0.1 flaky   0.2 stable   0.4 stable
//! phi = 10   psi = 5 + 2.5            phi / (phi + psi) = 0.57: flaky at sigma 0.5, stable at 0.95
//! ```
//!
//! A neighbour at distance zero, a twin, has infinite weight. If there are twins, the share of flaky ones among them
//! decides alone.
//!
//! The row of a token in the projection depends on the seed and the token's text alone. Nothing has to be fitted, and a
//! token that was not seen in training is projected like any other. Its entries are 0 or +-sqrt(1 / density) / sqrt(d).
//! Cosine ignores a common factor, so entries are stored as 0 and +-1, and projected bags are whole numbers.
//!
//! Invariant: dot products are exact. A twin is found without a tolerance, and the order of the training data changes
//! no score.
//!
//! Projected bags are sparse: at density 1 / sqrt(vocabulary) a token of a large corpus touches two or three of a
//! thousand dimensions. This makes the search in `neighbours.rs` fast. As in the paper, some tokens touch no dimension,
//! and tests that differ only in those are twins.
//!
//! Left out: approximate search, and any choice of k, eps or sigma by the data.

use peeler_learning::predictor::{Model, Predictor, Training};

use super::known_tests::{KnownTests, TrainingTests};
use super::projection::{Projection, target_dimension};

/// The relative error of distances that the random projection may cause, eps in the FLAST paper.
const DISTORTION: f64 = 0.33;

/// The rival FLAST, which judges a test by the known tests with similar tokens.
#[derive(Debug, Clone, Copy)]
pub struct Flast {
    sigma: f64,
}

impl Default for Flast {
    /// FLAST with a sigma of 0.5, the value of the paper for a high recall.
    fn default() -> Self {
        Self::with_sigma(0.5)
    }
}

impl Flast {
    /// FLAST that classifies a test as flaky if the share of flaky votes of its nearest known tests is above `sigma`.
    /// The paper uses 0.5 for a high recall and 0.95 for a high precision.
    ///
    /// A score of 0.5 or more means flaky for every sigma. Shares from 0 to sigma are mapped to scores from 0 to just
    /// below 0.5, shares above sigma to scores from 0.5 to 1. The order of tests is preserved. At sigma 0.5 the score
    /// is the share itself. A tie, which the paper classifies as stable, gets the largest score below 0.5.
    ///
    /// # Panics
    ///
    /// If `sigma` is not between 0 and 1.
    #[must_use]
    pub fn with_sigma(sigma: f64) -> Self {
        assert!((0.0..=1.0).contains(&sigma), "sigma is a share, not {sigma}");
        Self { sigma }
    }

    /// Learns from labelled tests, like [`Predictor::fit`], but returns the model as its own type, not as a trait
    /// object.
    #[must_use]
    pub fn learn(&self, training: &Training<'_>, seed: u64) -> KnownTests {
        let tests = TrainingTests::new(training, seed);
        let projection = Projection {
            seed,
            dimensions: target_dimension(tests.len(), DISTORTION),
            density: 1.0 / count(tests.vocabulary_size().max(1)).sqrt(),
        };
        KnownTests::new(tests, projection, self.sigma)
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

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of tests and tokens are far below 2^53"
)]
fn count(items: usize) -> f64 {
    items as f64
}

#[cfg(test)]
mod tests;
