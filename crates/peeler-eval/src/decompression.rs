//! Decompression of files with a bound on memory.
//!
//! Invariant: a small file never expands to gigabytes, whatever its bytes claim.

use std::io::{self, Read};

/// The number of bytes that one compressed byte may expand to. The rivals' models in the program expand less than 3
/// times.
const MOST_TIMES: u64 = 100;
/// The number of bytes that every file may expand to, however small it is.
const ALWAYS: u64 = 1 << 20;

/// Decompresses bytes that zstd compressed.
///
/// # Errors
///
/// When the bytes are no zstd frame, or expand to more than 100 times their number plus a mebibyte.
pub(crate) fn decompressed(packed: &[u8]) -> io::Result<Vec<u8>> {
    let most = (packed.len() as u64).saturating_mul(MOST_TIMES).saturating_add(ALWAYS);
    let mut bytes = Vec::new();
    zstd::Decoder::new(packed)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other("it expands to far more than its size"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::decompressed;

    #[test]
    fn a_file_that_expands_to_far_more_than_its_size_is_refused() {
        let packed = |length: usize| zstd::encode_all(vec![7_u8; length].as_slice(), 3).unwrap();
        assert_eq!(decompressed(&packed(1 << 20)).unwrap().len(), 1 << 20);
        let error = decompressed(&packed(1 << 26)).unwrap_err().to_string();
        assert_eq!(error, "it expands to far more than its size");
    }
}
