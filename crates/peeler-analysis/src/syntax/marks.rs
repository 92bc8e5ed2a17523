//! The positions of comments, string literals and brackets in Java text.
//!
//! A syntax tree does not tell which declaration a comment belongs to. The positions of comments and brackets in the
//! text do.
//!
//! ```java
//! // a comment
//! @SuppressWarnings("a text") void f() {
//! ```
//!
//! The marks of this text are the comment, `(`, the literal `"a text"`, `)`, `(`, `)` and `{`.
//!
//! Invariant: there are no marks inside a comment or a literal.

use std::ops::Range;

use super::lexical::{quoted_length, text_block_length};

/// A comment, string literal or bracket in Java text, with its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Mark {
    /// A comment, with its slashes and stars.
    Comment(Range<usize>),
    /// A string literal, with its quotes. Text blocks and character literals are not marked.
    Text(Range<usize>),
    /// One of `( ) { } ;`, with its offset.
    Bracket(u8, usize),
}

impl Mark {
    /// The byte offset at which the comment, literal or bracket starts.
    pub(crate) fn start(&self) -> usize {
        match self {
            Self::Comment(range) | Self::Text(range) => range.start,
            Self::Bracket(_, at) => *at,
        }
    }
}

/// The byte ranges of the comments of Java text, with their slashes and stars, in order.
#[must_use]
pub fn comments(text: &str) -> Vec<Range<usize>> {
    let comment = |mark| match mark {
        Mark::Comment(range) => Some(range),
        Mark::Text(_) | Mark::Bracket(..) => None,
    };
    marks(text).into_iter().filter_map(comment).collect()
}

/// The comments, string literals and brackets of Java text, in order.
pub(crate) fn marks(text: &str) -> Vec<Mark> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let rest = &bytes[at..];
        let mut length = 1;
        match rest {
            [b'/', b'/', ..] => {
                length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                found.push(Mark::Comment(at..at + length));
            }
            [b'/', b'*', tail @ ..] => {
                length = memchr::memmem::find(tail, b"*/").map_or(rest.len(), |end| end + 4);
                found.push(Mark::Comment(at..at + length));
            }
            [b'"', b'"', b'"', tail @ ..] => length = 3 + text_block_length(tail),
            [b'"', tail @ ..] => {
                length = 1 + quoted_length(tail, b'"');
                found.push(Mark::Text(at..at + length));
            }
            [b'\'', tail @ ..] => length = 1 + quoted_length(tail, b'\''),
            [b'(' | b')' | b'{' | b'}' | b';', ..] => found.push(Mark::Bracket(byte, at)),
            _ => {}
        }
        at += length;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Mark, marks};

    fn check(text: &str) -> Vec<String> {
        let shown = |mark| match mark {
            Mark::Comment(range) => format!("comment {}", &text[range]),
            Mark::Text(range) => format!("text {}", &text[range]),
            Mark::Bracket(byte, at) => format!("{} {at}", char::from(byte)),
        };
        marks(text).into_iter().map(shown).collect()
    }

    #[test]
    fn comments_strings_and_brackets_are_told_apart() {
        let text = "f(\"// no \\\" { \"); // yes \"\n/* ; */ char c = '\"'; String s = \"\"\"\n // \" ;\n\"\"\";";
        assert_eq!(
            check(text),
            [
                "( 1",
                "text \"// no \\\" { \"",
                ") 15",
                "; 16",
                "comment // yes \"",
                "comment /* ; */",
                "; 47",
                "; 75",
            ]
        );
    }

    #[test]
    fn what_never_ends_ends_with_the_text() {
        assert_eq!(check("/* open"), ["comment /* open"]);
        assert_eq!(check("\"open \\"), ["text \"open \\"]);
        assert_eq!(check("\"\"\" open \\").len(), 0);
        assert_eq!(check("'\\").len(), 0);
    }
}
