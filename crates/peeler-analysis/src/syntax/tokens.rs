//! The tokens of Java, without white space and comments, and what their beginnings look like to a scanner of bytes.
//!
//! ```java
//! int a = 1; // one       // int, a, =, 1, ;
//! ```
//!
//! Two texts with the same tokens are the same Java. Punctuation comes character by character, so that `>>` and `> >`
//! are alike; only `++` and `--` stay together, because `- -a` is not `--a`.

/// The tokens of a piece of Java.
pub(crate) fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = bytes.get(at..).filter(|it| !it.is_empty())?;
            let skipped = trivia_or_literal_length(rest);
            let is_token = skipped == 0 || matches!(rest[0], b'"' | b'\'');
            let length = match rest {
                _ if skipped > 0 => skipped,
                [first, ..] if is_word_part(*first) => rest.iter().take_while(|byte| is_word_part(**byte)).count(),
                [b'+', b'+', ..] | [b'-', b'-', ..] => 2,
                _ => 1,
            };
            let start = at;
            at += length;
            if is_token {
                return Some(&text[start..at]);
            }
        }
    })
}

/// The length of one run of white space, one comment or one literal; zero where there is none.
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

pub(super) fn is_word_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

pub(super) fn is_word_part(byte: u8) -> bool {
    is_word_start(byte) || byte.is_ascii_digit()
}

/// Length of a string or character literal behind its opening quote. It ends with its line at the
/// latest, so that a stray quote costs one line and not the file.
fn quoted_length(tail: &[u8], quote: u8) -> usize {
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

fn text_block_length(tail: &[u8]) -> usize {
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

#[cfg(test)]
mod tests {
    use super::tokens;

    fn check(text: &str) -> String {
        tokens(text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn white_space_and_comments_are_no_tokens() {
        let written = check("@Test void f(){a=\"x // y\"+'\\''; /* b */ c++; // d\n}");
        assert_eq!(written, "@ Test void f ( ) { a = \"x // y\" + '\\'' ; c ++ ; }");
        assert_eq!(
            written,
            check(" @Test\n void f ( ) { a = \"x // y\" + '\\'';\r\n c++; }")
        );
    }

    #[test]
    fn closing_angles_are_alike_and_signs_are_not() {
        assert_eq!(check("Map<A, List<B>> m"), check("Map<A,List<B> > m"));
        assert_ne!(check("a = - -b"), check("a = --b"));
    }

    #[test]
    fn a_text_block_is_one_token() {
        assert_eq!(tokens("f(\"\"\"\n  /* no \"comment\" */\n\"\"\");").count(), 5);
    }

    #[test]
    fn broken_text_ends() {
        for text in ["\"", "'\\", "/*", "/", "\"\"\"\\", "\u{e9}\"\\\u{e9}", "a\u{2028}b"] {
            assert!(tokens(text).count() <= text.len(), "{text:?}");
        }
    }
}
