//! Compressed frames around bytes of the fuzzer.
//!
//! Mutated zstd data hardly ever decompresses. A frame of raw blocks lets the fuzzer mutate the content itself.

/// The largest raw block of zstd.
const BLOCK: usize = 128 << 10;

/// A zstd frame that holds the content in raw blocks.
#[must_use]
pub fn raw_frame(content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len()).unwrap_or(u32::MAX);
    // The magic number, one segment with four bytes of length, the length.
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0xa0];
    frame.extend(length.to_le_bytes());
    let mut blocks = content.chunks(BLOCK).peekable();
    if blocks.peek().is_none() {
        frame.extend([1, 0, 0]);
    }
    while let Some(block) = blocks.next() {
        let is_last = u32::from(blocks.peek().is_none());
        let head = u32::try_from(block.len()).unwrap_or(0) << 3 | is_last;
        frame.extend(&head.to_le_bytes()[..3]);
        frame.extend(block);
    }
    frame
}
