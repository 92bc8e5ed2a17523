//! Lengths of white space, comments and literals in Java text, and the bytes of identifiers.

/// Whether a byte can begin a Java identifier. All bytes of non-ASCII characters can.
pub(super) fn is_word_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// Whether a byte can be part of a Java identifier. All bytes of non-ASCII characters can.
pub(super) fn is_word_part(byte: u8) -> bool {
    is_word_start(byte) || byte.is_ascii_digit()
}

/// The length in bytes of the white-space character, comment or literal at the start of `rest`; zero if there is none.
pub(super) fn trivia_or_literal_length(rest: &[u8]) -> usize {
    match rest {
        [b' ' | b'\t' | b'\n' | b'\r' | b'\x0c', ..] => 1,
        [b'/', b'/', ..] => memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
        [b'/', b'*', tail @ ..] => memchr::memmem::find(tail, b"*/").map_or(rest.len(), |end| end + 4),
        [b'"', b'"', b'"', tail @ ..] => 3 + text_block_length(tail),
        [b'"', tail @ ..] => 1 + quoted_length(tail, b'"'),
        [b'\'', tail @ ..] => 1 + quoted_length(tail, b'\''),
        _ => 0,
    }
}

/// The length in bytes of a string or character literal after its opening quote. The literal ends at the end of its
/// line at the latest, so that a stray quote affects one line only.
pub(super) fn quoted_length(tail: &[u8], quote: u8) -> usize {
    let mut at = 0;
    while let Some(&byte) = tail.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' => return at,
            _ if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    tail.len()
}

/// The length in bytes of a Java text block (`"""`) after its opening quotes.
pub(super) fn text_block_length(tail: &[u8]) -> usize {
    let mut at = 0;
    while let Some(offset) = memchr::memchr2(b'"', b'\\', &tail[at..]) {
        at += offset;
        if tail[at] == b'\\' {
            at = (at + 2).min(tail.len());
        } else if tail[at..].starts_with(b"\"\"\"") {
            return at + 3;
        } else {
            at += 1;
        }
    }
    tail.len()
}
