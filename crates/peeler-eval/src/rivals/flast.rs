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

use peeler_learning::predictor::{Model, Predictor, Training};

use super::known_tests::{KnownTests, TrainingTests};
use super::projection::{Projection, target_dimension};

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
