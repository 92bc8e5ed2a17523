//! Hashes that are the same in every run, on every machine and with every compiler (xxh3).

use xxhash_rust::xxh3::xxh3_64;

/// The hash (xxh3) of a text, the same in every run and on every machine.
pub(crate) fn text_hash(text: &str) -> u64 {
    xxh3_64(text.as_bytes())
}

/// The hash (xxh3) of bytes, the same in every run and on every machine.
pub(crate) fn hash_bytes(bytes: &[u8]) -> u64 {
    xxh3_64(bytes)
}

/// Hashes sequences of texts and numbers. One hasher can hash many sequences, so that its buffer is allocated once.
#[derive(Debug, Default)]
pub(crate) struct StableHasher {
    bytes: Vec<u8>,
}

impl StableHasher {
    /// Adds a text to the sequence that is hashed.
    pub(crate) fn text(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        // This byte never occurs in UTF-8, so it separates the sequences `a`, `bc` and `ab`, `c`.
        self.bytes.push(0xff);
    }

    /// Adds a number to the sequence that is hashed.
    pub(crate) fn number(&mut self, number: impl Into<u64>) {
        self.bytes.extend_from_slice(&number.into().to_le_bytes());
    }

    /// The hash of the texts and numbers added since the last call of `finish`. The next sequence starts empty.
    pub(crate) fn finish(&mut self) -> u64 {
        let hash = xxh3_64(&self.bytes);
        self.bytes.clear();
        hash
    }
}

#[cfg(test)]
mod tests {
    use super::{StableHasher, text_hash};

    #[test]
    fn hashes_are_those_of_xxh3() {
        assert_eq!(text_hash(""), 0x2d06_8005_38d3_94c2);
    }

    #[test]
    fn texts_are_kept_apart_and_a_finished_sequence_is_forgotten() {
        let mut hasher = StableHasher::default();
        let mut hash = |texts: &[&str]| {
            for text in texts {
                hasher.text(text);
            }
            hasher.finish()
        };
        assert_ne!(hash(&["a", "bc"]), hash(&["ab", "c"]));
        assert_eq!(hash(&["a", "bc"]), hash(&["a", "bc"]));
    }
}
