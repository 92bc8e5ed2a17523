//! Random number generators that depend only on a seed and a purpose, which is a number.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// The random number generator for this seed and purpose. Generators of one seed with different purposes are
/// independent.
pub(crate) fn random_stream(seed: u64, purpose: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(purpose);
    random
}
