//! Takes out of a Java source everything that says that a test was called flaky, before anything is learned from it.
//!
//! ```java
//! // flaky on CI
//! @Ignore("SHOP-1") @Test void sumsFlaky() { ... }
//! ```
//!
//! becomes `@Test void sumsxxxxx() { ... }`, with spaces in place of the rest.
//!
//! Invariants: lines and offsets stay the same. Stripping a text twice changes nothing. A name gets the same new name
//! wherever it is written, so calls still lead to their declarations.

use std::borrow::Cow;
use std::ops::Range;

use peeler_analysis::comments;

use crate::rules::{MarkerRules, Rules};

/// A Java source without comments, without annotations that disable, group, repeat or mark tests as flaky, without
/// imports of such annotations, and without words such as `flaky` in names.
///
/// Spaces take the place of comments and annotations, and `x` that of the letters of words. Line ends stay.
#[must_use]
pub fn stripped(source: &str) -> String {
    let rules = Rules::built_in();
    let mut bytes = source.as_bytes().to_vec();
    for comment in comments(source) {
        blank(&mut bytes, comment);
    }
    let without_comments = String::from_utf8_lossy(&bytes).into_owned();
    for annotation in marking_annotations(&rules.markers, &without_comments) {
        blank(&mut bytes, annotation);
    }
    for import in marking_imports(&rules.markers, &without_comments) {
        blank(&mut bytes, import);
    }
    let text = String::from_utf8_lossy(&bytes);
    stripped_name(&text).into_owned()
}

/// A name of a class, method or folder as [`stripped`] writes it in sources.
#[must_use]
pub fn stripped_name(name: &str) -> Cow<'_, str> {
    let words = &Rules::built_in().stripping.words;
    let Some(mut found) = words.find_at(name.as_bytes(), 0) else {
        return Cow::Borrowed(name);
    };
    let mut bytes = name.as_bytes().to_vec();
    loop {
        for byte in &mut bytes[found.clone()] {
            if byte.is_ascii_alphabetic() {
                *byte = b'x';
            }
        }
        match words.find_at(name.as_bytes(), found.end) {
            Some(next) if !next.is_empty() => found = next,
            _ => return Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
        }
    }
}

/// Replaces the bytes of a range by spaces, except line ends.
fn blank(bytes: &mut [u8], range: Range<usize>) {
    for byte in &mut bytes[range] {
        if !matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
}

/// The byte ranges of annotations, with their arguments, that disable, group, repeat or mark tests as flaky. Of a
/// `@Test` with such arguments, only the arguments. The text has no comments.
fn marking_annotations(rules: &MarkerRules, text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    for at in memchr_iter(bytes, b'@') {
        let name_end = bytes[at + 1..]
            .iter()
            .position(|it| !(it.is_ascii_alphanumeric() || matches!(it, b'_' | b'.' | b'$')))
            .map_or(bytes.len(), |length| at + 1 + length);
        let name = text[at + 1..name_end].rsplit('.').next().unwrap_or_default();
        if name.is_empty() || name == "interface" {
            continue;
        }
        let arguments = arguments(bytes, name_end);
        let written = &text[arguments.clone()];
        let is_named = rules.name.is_match(name) && !rules.not_name.is_match(name);
        if is_named || rules.disabling.is_match(name) || rules.retrying.is_match(name) {
            found.push(at..arguments.end.max(name_end));
        } else if rules.grouping.is_match(name)
            && (rules.group.is_match(written) || rules.retry_argument.is_match(written))
        {
            found.push(if name == "Test" { arguments } else { at..arguments.end });
        }
    }
    found
}

/// The byte ranges of imports of annotations that disable or repeat tests. The text has no comments.
fn marking_imports(rules: &MarkerRules, text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (at, keyword) in text.match_indices("import") {
        let is_start = text[..at].trim_end().is_empty() || text[..at].trim_end().ends_with(';');
        let behind = &text[at + keyword.len()..];
        let Some(end) = behind.find(';').filter(|_| is_start) else {
            continue;
        };
        let name = behind[..end].trim().rsplit('.').next().unwrap_or_default();
        if rules.disabling.is_match(name) || rules.retrying.is_match(name) {
            found.push(at..at + keyword.len() + end + 1);
        }
    }
    found
}

fn memchr_iter(bytes: &[u8], wanted: u8) -> impl Iterator<Item = usize> {
    let places = bytes.iter().enumerate().filter(move |(_, it)| **it == wanted);
    places.map(|(at, _)| at)
}

/// The byte range of the parentheses behind the name of an annotation; empty if it has none.
fn arguments(bytes: &[u8], name_end: usize) -> Range<usize> {
    let blanks = bytes[name_end..]
        .iter()
        .take_while(|it| it.is_ascii_whitespace())
        .count();
    let start = name_end + blanks;
    if bytes.get(start) != Some(&b'(') {
        return name_end..name_end;
    }
    let (mut depth, mut in_text, mut at) = (0_usize, false, start);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' if in_text => at += 1,
            b'"' => in_text = !in_text,
            b'(' if !in_text => depth += 1,
            b')' if !in_text => {
                depth -= 1;
                if depth == 0 {
                    return start..at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    name_end..name_end
}

#[cfg(test)]
mod tests {
    use super::{stripped, stripped_name};

    /// The words of a stripped source, with one space between.
    fn check(source: &str) -> String {
        let result = stripped(source);
        assert_eq!(result.len(), source.len(), "offsets stay: {result}");
        assert_eq!(stripped(&result), result, "a second time changes nothing");
        result.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn annotations_that_mark_or_disable_are_gone() {
        for marker in [
            "@Ignore",
            "@Ignore(\"SHOP-1: (see CI)\")",
            "@org.junit.Ignore(\"flaky\")",
            "@Disabled",
            "@Flaky",
            "@Retry(3)",
            "@RetryingTest(3)",
            "@Category(FlakyTest.class)",
            "@Category({Slow.class, FlakyTests.class})",
            "@Tag(\"flaky\")",
            "@BadApple(bugUrl = \"x\")",
        ] {
            let source = format!("class A {{ {marker} @Test void a() {{ go(); }} }}");
            assert_eq!(check(&source), "class A { @Test void a() { go(); } }", "{marker}");
        }
        let grouped = "@Test(groups = {\"slow\", \"flaky\"}) void a() {}";
        assert_eq!(check(grouped), "@Test void a() {}");
        assert_eq!(
            check("@Category(Slow.class) void a() {}"),
            "@Category(Slow.class) void a() {}"
        );
    }

    #[test]
    fn imports_of_such_annotations_are_gone_and_others_stay() {
        let source = "package shop;\nimport org.junit.Ignore; import org.junit.Test;\nimport org.junit.jupiter.api.Disabled;\n\
                      import java.util.List; class A { void a() { important(\"import a.Ignore;\"); } }";
        assert_eq!(
            check(source),
            "package shop; import org.junit.Test; import java.util.List; class A { void a() { important(\"import a.Ignore;\"); } }"
        );
    }

    #[test]
    fn comments_are_gone_and_texts_stay() {
        let source = "// flaky\nvoid a() { /* sometimes fails */ log(\"// no comment\"); } // race";
        assert_eq!(check(source), "void a() { log(\"// no comment\"); }");
        assert_eq!(stripped("a(); // b\n/* c\n d */ e();").matches('\n').count(), 2);
    }

    #[test]
    fn words_leave_names_and_texts() {
        let source =
            "import shop.FlakyRule; class FlakyCartTest { RetryRule rule; void testIsFlaky() { fail(\"sporadic\"); } }";
        assert_eq!(
            check(source),
            "import shop.xxxxxRule; class xxxxxCartTest { xxxxxxxxx rule; void testIsxxxxx() { fail(\"xxxxxxxx\"); } }"
        );
        assert_eq!(stripped_name("testFlakiness"), "testxxxxxxxxx");
        for kept in ["SnowflakeTest", "FlakeIdGeneratorTest", "retryPolicy", "testRetries"] {
            assert_eq!(stripped_name(kept), kept);
        }
    }

    #[test]
    fn broken_text_is_stripped_without_panic() {
        for text in ["@Ignore(", "@", "@Test(groups = \"flaky", "\u{e9}@Flaky\u{e9} /* open"] {
            let _ = stripped(text);
        }
    }
}
