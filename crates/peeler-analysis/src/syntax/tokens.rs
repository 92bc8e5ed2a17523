//! The tokens of Java, without white space and comments.
//!
//! ```java
//! int a = 1; // one       // int, a, =, 1, ;
//! ```
//!
//! Two texts with the same tokens are the same Java. Each character of punctuation is a token, so that `>>` and `> >`
//! have the same tokens. Only `++` and `--` stay together, because `- -a` is not `--a`.

use super::lexical::{is_word_part, trivia_or_literal_length};

/// The tokens of a piece of Java, without white space and comments.
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
