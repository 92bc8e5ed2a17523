//! Escapes text of a repository for Markdown: prose, code spans, table cells and code blocks.
//!
//! ```java
//! String s = "``` @everyone <img src=x> #1";   // stays what it is: text in a code block
//! ```
//!
//! Invariant: viewers show any text as text. It opens no block, tag, link or image, ends no fence, mentions no person
//! and links no issue. Spans and prose are one line.
//!
//! Left out: code in blocks keeps characters that change the direction of writing; code hosts warn of them.

use std::fmt::Write as _;

/// A zero-width space as an HTML entity. It is invisible and stops code hosts from linking mentions and issue numbers.
const BREAK: &str = "&#8203;";

/// Escapes text that fills a heading or a table cell, so that nothing in it is markup.
pub(crate) fn plain(text: &str) -> String {
    let text = one_line(text);
    match text.split_once('$') {
        // A single `$`, as in the name of a nested class, starts no formula. Left unescaped, titles stay readable.
        Some((before, after)) if !after.contains('$') => format!("{}${}", escaped(before), escaped(after)),
        _ => escaped(&text),
    }
}

/// Escapes text as prose, so that nothing in it is markup except pairs of backticks, which make code spans.
pub(super) fn prose(text: &str) -> String {
    let text = one_line(text);
    let parts: Vec<&str> = text.split('`').collect();
    let is_paired = parts.len() % 2 == 1 && parts.iter().skip(1).step_by(2).all(|it| !it.trim().is_empty());
    if !is_paired {
        return escaped(&text);
    }
    let mut out = String::new();
    for (at, part) in parts.iter().enumerate() {
        if at % 2 == 0 {
            out.push_str(&escaped(part));
        } else {
            out.push_str(&span(part));
        }
    }
    out
}

/// Escapes text as prose and ends it with a full stop if it has none.
pub(super) fn sentence(text: &str) -> String {
    let text = text.trim();
    let end = if text.ends_with(['.', '!', '?', '…']) {
        ""
    } else {
        "."
    };
    format!("{}{end}", prose(text))
}

/// A Markdown code span with this text, on one line.
pub(super) fn span(text: &str) -> String {
    let text = one_line(text);
    if text.is_empty() {
        return "(nothing)".to_owned();
    }
    let fence = "`".repeat(longest_run(&text) + 1);
    // A backtick at the start or end of the text would join the fence.
    let pad = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A Markdown code span for a table cell, with `|` escaped, because it ends a cell even within code.
pub(crate) fn cell(text: &str) -> String {
    span(text).replace('|', "\\|")
}

/// A fenced Markdown code block. The fence is longer than any run of backticks in the lines.
pub(super) fn block(language: &str, lines: &[impl AsRef<str>]) -> String {
    let longest = lines.iter().map(|it| longest_run(it.as_ref())).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    let mut out = format!("{fence}{language}\n");
    for line in lines {
        let _ = writeln!(out, "{}", line.as_ref());
    }
    out.push_str(&fence);
    out.push('\n');
    out
}

/// A text on one line, without control characters and without characters that change the direction of writing.
pub(super) fn one_line(text: &str) -> String {
    let shown: String = text
        .chars()
        .map(|character| match character {
            '\u{2028}' | '\u{2029}' => ' ',
            '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' => '\u{fffd}',
            _ if character.is_control() => ' ',
            _ => character,
        })
        .collect();
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The first `most` characters of a text, with an ellipsis if it was longer.
pub(super) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// A probability in percent, with `under 1 %` and `over 99 %` as the extremes.
pub(super) fn percent(probability: f32) -> String {
    let percent = probability * 100.0;
    if percent > 99.0 {
        "over 99 %".to_owned()
    } else if percent >= 1.0 {
        format!("{percent:.0} %")
    } else {
        "under 1 %".to_owned()
    }
}

/// A number followed by a noun in singular or plural: `1 test`, `2 tests`.
pub(super) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Lower-case words joined by dashes, for file names: `orderTest#totals` becomes `order-test-totals`.
pub(super) fn slug(text: &str, most: usize) -> String {
    let mut out = String::new();
    let mut before = None;
    for character in text.chars() {
        if character.is_ascii_alphanumeric() {
            let starts_word = character.is_ascii_uppercase() && before.is_some_and(|it: char| !it.is_ascii_uppercase());
            if starts_word && !out.ends_with('-') {
                out.push('-');
            }
            out.push(character.to_ascii_lowercase());
        } else if !out.ends_with('-') {
            out.push('-');
        }
        before = Some(character);
    }
    out.truncate(out.len().min(most + usize::from(out.starts_with('-'))));
    out.trim_matches('-').to_owned()
}

/// The length of the longest run of backticks in a text.
fn longest_run(text: &str) -> usize {
    text.split(|it| it != '`').map(str::len).max().unwrap_or(0)
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for (at, character) in text.char_indices() {
        let rest = &text[at + character.len_utf8()..];
        let before = &text[..at];
        match character {
            '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '|' | '~' | '&' | '!' => {
                out.push('\\');
                out.push(character);
            }
            // Within a word these two characters are not markup. Left unescaped, titles stay readable.
            '_' | '#' if before.ends_with(is_letter) && rest.starts_with(is_letter) => out.push(character),
            '_' => out.push_str("\\_"),
            '#' => {
                out.push_str("\\#");
                out.push_str(BREAK);
            }
            '@' => {
                out.push('@');
                out.push_str(BREAK);
            }
            // Code hosts render formulas between two `$`, even if one of them is in code.
            '$' => out.push_str("&#36;"),
            // A colon starts a link (`://`) or encloses the name of an emoji (`:name:`).
            ':' if rest.starts_with("//") || word(rest).contains(':') => {
                out.push(':');
                out.push_str(BREAK);
            }
            '.' if ends_with_word(before, "www") => {
                out.push_str(BREAK);
                out.push('.');
            }
            '-' if ends_with_word(before, "gh") && rest.starts_with(|it: char| it.is_ascii_digit()) => {
                out.push('-');
                out.push_str(BREAK);
            }
            // At the start of a line these characters open lists and headings.
            '-' | '+' | '=' if before.trim().is_empty() => {
                out.push('\\');
                out.push(character);
            }
            '.' | ')' if !before.is_empty() && before.bytes().all(|it| it.is_ascii_digit()) => {
                out.push('\\');
                out.push(character);
            }
            _ => out.push(character),
        }
    }
    out
}

fn is_letter(character: char) -> bool {
    character.is_alphabetic()
}

/// The beginning of a text up to its first blank.
fn word(text: &str) -> &str {
    text.split(' ').next().unwrap_or(text)
}

fn ends_with_word(text: &str, word: &str) -> bool {
    text.len() >= word.len()
        && text.is_char_boundary(text.len() - word.len())
        && text[text.len() - word.len()..].eq_ignore_ascii_case(word)
}

#[cfg(test)]
mod tests {
    use super::{block, cell, percent, plain, prose, sentence, shortened, slug, span};

    #[test]
    fn prose_shows_markup_as_text() {
        assert_eq!(
            prose("a *b* _c_ [d](e) <f> | ~g~"),
            r"a \*b\* \_c\_ \[d\](e) \<f\> \| \~g\~"
        );
        assert_eq!(prose("![x](y) &lt; \\"), r"\!\[x\](y) \&lt; \\");
        assert_eq!(prose("costs $1$"), "costs &#36;1&#36;");
    }

    #[test]
    fn prose_neither_mentions_nor_links() {
        assert_eq!(
            prose("@everyone, see #123 and a/b#4"),
            r"@&#8203;everyone, see \#&#8203;123 and a/b\#&#8203;4"
        );
        assert_eq!(
            prose("GH-12 http://x.y www.z.org"),
            "GH-&#8203;12 http:&#8203;//x.y www&#8203;.z.org"
        );
        assert_eq!(prose("see :+1: and a:b"), "see :&#8203;+1: and a:b");
    }

    #[test]
    fn prose_opens_no_block_and_stays_on_its_line() {
        assert_eq!(prose("# a\n\n- b\r\u{2028}c"), r"\#&#8203; a - b c");
        assert_eq!(prose("- a"), r"\- a");
        assert_eq!(prose("1. a"), r"1\. a");
        assert_eq!(prose("=== a"), r"\=== a");
        assert_eq!(prose("\u{202e}a"), "\u{fffd}a");
    }

    #[test]
    fn names_of_tests_stay_readable() {
        assert_eq!(plain("Order$Late#is_due_today: it"), "Order$Late#is_due_today: it");
        assert_eq!(plain("A$B$C"), "A&#36;B&#36;C");
        assert_eq!(prose("_a_"), r"\_a\_");
        assert_eq!(prose("A#1"), r"A\#&#8203;1");
    }

    #[test]
    fn pairs_of_backticks_in_prose_are_code() {
        assert_eq!(prose("`a_b` reaches `c()`"), "`a_b` reaches `c()`");
        assert_eq!(plain("`a|b`"), r"\`a\|b\`");
        assert_eq!(prose("one ` of them"), r"one \` of them");
        assert_eq!(prose("``` x"), r"\`\`\` x");
    }

    #[test]
    fn a_sentence_has_one_end() {
        assert_eq!(sentence("it ends."), "it ends.");
        assert_eq!(sentence("it does not end "), "it does not end.");
    }

    #[test]
    fn spans_and_blocks_have_longer_fences_than_their_text() {
        assert_eq!(span("a"), "`a`");
        assert_eq!(span("a``b"), "```a``b```");
        assert_eq!(span("`a"), "`` `a ``");
        assert_eq!(span("a\n@b #1"), "`a @b #1`");
        assert_eq!(span(""), "(nothing)");
        assert_eq!(cell("a || b"), r"`a \|\| b`");
        assert_eq!(block("java", &["```", "x"]), "````java\n```\nx\n````\n");
        assert_eq!(block("java", &["x"]), "```java\nx\n```\n");
    }

    #[test]
    fn chances_are_never_certain() {
        assert_eq!(percent(0.9999), "over 99 %");
        assert_eq!(percent(0.874), "87 %");
        assert_eq!(percent(0.0), "under 1 %");
        assert_eq!(percent(f32::NAN), "under 1 %");
    }

    #[test]
    fn slugs_hold_letters_digits_and_single_dashes() {
        assert_eq!(slug("OrderTest#totalsIn2Ways", 60), "order-test-totals-in2-ways");
        assert_eq!(slug("../..\\a:b*?\u{e9}", 60), "a-b");
        assert_eq!(slug("JSONWriterTest", 60), "jsonwriter-test");
        assert_eq!(slug("\u{65e5}\u{672c}", 60), "");
        assert_eq!(slug(&"a".repeat(100), 60).len(), 60);
    }

    #[test]
    fn shortening_keeps_whole_characters() {
        assert_eq!(shortened("äöü", 2), "äö…");
        assert_eq!(shortened("äöü", 3), "äöü");
    }
}
