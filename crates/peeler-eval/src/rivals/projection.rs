//! Sparse random projection without a stored matrix.
//!
//! The row of a token follows from its text and a seed. Nothing has to be fitted, and unseen tokens are projected like
//! seen ones.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// The number of dimensions of a random projection that keeps distances among `tests` points, up to a factor of 1 +-
/// `distortion`.
///
/// This is the bound of Johnson and Lindenstrauss as scikit-learn computes it. Fewer than two points count as two.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a positive number in the thousands, rounded down as scikit-learn does"
)]
pub(super) fn target_dimension(tests: usize, distortion: f64) -> u32 {
    let bound = 4.0 * count(tests.max(2)).ln() / (distortion.powi(2) / 2.0 - distortion.powi(3) / 3.0);
    bound as u32
}

/// A sparse random projection of bags of tokens. Its matrix is computed row by row when needed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Projection {
    pub(super) seed: u64,
    pub(super) dimensions: u32,
    /// The share of entries of the projection matrix that are not zero.
    pub(super) density: f64,
}

impl Projection {
    /// The non-zero entries of a token's row of the projection matrix, as dimension and sign. `token` is the hash of
    /// its text.
    pub(super) fn row(&self, token: u64) -> Vec<(u32, i64)> {
        let mut random = ChaCha8Rng::seed_from_u64(token ^ self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let log_of_zero = (1.0 - self.density).ln();
        let mut row = Vec::new();
        let mut dimension = 0_u32;
        loop {
            // Each entry is non-zero with probability `density`, so the gap between non-zero entries has a geometric
            // distribution. One draw per gap replaces one draw per entry.
            let uniform = 1.0 - random.random::<f64>();
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "never negative, and saturates far beyond the last dimension"
            )]
            let gap = (uniform.ln() / log_of_zero) as u32;
            dimension = dimension.saturating_add(gap);
            if dimension >= self.dimensions {
                return row;
            }
            row.push((dimension, if random.random::<bool>() { 1 } else { -1 }));
            dimension += 1;
        }
    }
}

/// The projection of a bag of tokens: the sum of their rows times their multiplicities, as non-zero coordinates by
/// dimension.
pub(super) fn project<'r>(rows: impl Iterator<Item = (&'r [(u32, i64)], u32)>) -> Vec<(u32, i64)> {
    let mut terms: Vec<(u32, i64)> = Vec::new();
    for (row, multiplicity) in rows {
        terms.extend(
            row.iter()
                .map(|&(dimension, sign)| (dimension, sign * i64::from(multiplicity))),
        );
    }
    terms.sort_unstable_by_key(|&(dimension, _)| dimension);
    terms.dedup_by(|next, sum| {
        let same = next.0 == sum.0;
        if same {
            sum.1 += next.1;
        }
        same
    });
    terms.retain(|&(_, coordinate)| coordinate != 0);
    terms
}

pub(super) fn squared_length(projected: &[(u32, i64)]) -> i64 {
    projected.iter().map(|&(_, coordinate)| coordinate * coordinate).sum()
}

#[expect(clippy::cast_precision_loss, reason = "counts of tests are far below 2^53")]
fn count(items: usize) -> f64 {
    items as f64
}
