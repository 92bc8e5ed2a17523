//! Hashes of bytes that are the same on every machine.
//!
//! New code uses [`content_hash`]. Rows of vocabularies, projections of FLAST and fingerprints in baselines are
//! computed with [`stored_hash`], because stored files depend on its values.

use xxhash_rust::xxh3::xxh3_64;

/// XXH3 of some bytes, for checksums, cache keys and fingerprints of content.
#[must_use]
pub fn content_hash(bytes: &[u8]) -> u64 {
    xxh3_64(bytes)
}

/// FNV-1a of some bytes. Its values never change, because trained models and baselines depend on them.
#[must_use]
pub fn stored_hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::{content_hash, stored_hash};

    #[test]
    fn hashes_are_those_of_earlier_versions() {
        assert_eq!(stored_hash(b"await"), 0x030a_d89d_85a5_364d);
        assert_eq!(content_hash(b""), 0x2d06_8005_38d3_94c2);
    }
}
