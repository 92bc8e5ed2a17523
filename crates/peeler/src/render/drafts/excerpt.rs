//! The code of a test in a draft issue. Long tests are cut to the lines around the places of their flow.
//!
//! Invariant: the text says which lines are shown and how many are missing. Left out: code of other files.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::markdown::{block, count, shortened, span};
use crate::finding::Finding;

/// The maximum number of lines of a test that a draft issue shows completely.
const MAX_LINES: usize = 40;
/// The number of lines of a long test that a draft issue shows before and after each line of the test's flow.
const AROUND: usize = 2;
/// The maximum number of characters of a source line in a draft issue.
const MAX_LINE: usize = 300;

/// The code of a test for a draft issue, introduced by its line numbers; empty if the finding has no source.
pub(super) fn excerpt(finding: &Finding) -> String {
    let source = &finding.source;
    let all = source.lines.len();
    let mut shown = 0;
    let mut out = String::new();
    for (first, end) in pieces(finding) {
        let lines: Vec<String> = source.lines[first..end]
            .iter()
            .map(|it| shortened(it, MAX_LINE))
            .collect();
        shown += lines.len();
        let _ = writeln!(
            out,
            "{} of {}:\n\n{}",
            lines_named(source.first_line, first, end),
            span(&source.file),
            block("java", &lines)
        );
    }
    if shown < all {
        let _ = writeln!(
            out,
            "{} of the test are not shown.\n",
            capital(&count(all - shown, "more line"))
        );
    }
    if source.lines.iter().any(|it| it.chars().count() > MAX_LINE) {
        let _ = writeln!(out, "Lines of more than {MAX_LINE} characters are cut.\n");
    }
    out
}

/// The ranges of source lines that a draft issue shows, as half-open pairs of indices into the lines of the finding's
/// source.
fn pieces(finding: &Finding) -> Vec<(usize, usize)> {
    let source = &finding.source;
    let all = source.lines.len();
    if all == 0 {
        return Vec::new();
    }
    if all <= MAX_LINES {
        return vec![(0, all)];
    }
    let place = |line: u32| {
        line.checked_sub(source.first_line)
            .and_then(|it| usize::try_from(it).ok())
    };
    let steps = finding
        .witness
        .iter()
        .filter(|it| it.region.file == source.file)
        .map(|it| it.region.line);
    let cause = finding
        .root_cause
        .iter()
        .filter(|it| it.file == source.file)
        .map(|it| it.line);
    let mut wanted: BTreeSet<usize> = BTreeSet::new();
    for line in steps
        .chain(cause)
        .chain([finding.line])
        .filter_map(place)
        .filter(|it| *it < all)
    {
        wanted.extend(line.saturating_sub(AROUND)..all.min(line + AROUND + 1));
    }
    if wanted.is_empty() {
        return vec![(0, MAX_LINES)];
    }
    let mut out: Vec<(usize, usize)> = Vec::new();
    for line in wanted {
        match out.last_mut() {
            // The mark for a gap of one line would be as long as the line.
            Some((_, end)) if line <= *end + 1 => *end = line + 1,
            _ => out.push((line, line + 1)),
        }
    }
    out
}

fn lines_named(first_line: u32, first: usize, end: usize) -> String {
    let line = |place: usize| first_line as usize + place;
    if end - first == 1 {
        format!("Line {}", line(first))
    } else {
        format!("Lines {} to {}", line(first), line(end - 1))
    }
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|it| it.to_ascii_uppercase());
    first.into_iter().chain(characters).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{cause_in_the_test, with_lines};
    use super::excerpt;

    #[test]
    fn a_short_test_is_shown_whole() {
        let text = excerpt(&cause_in_the_test());
        assert!(text.starts_with("Lines 20 to 27 of `orders/src/test/java/dev/shop/OrderTest.java`:\n\n```java\n"));
        assert!(!text.contains("not shown"), "{text}");
    }

    #[test]
    fn a_long_test_is_cut_to_its_witness() {
        let lines = (0..100).map(|it| format!("line{};", it + 20)).collect();
        let text = excerpt(&with_lines(cause_in_the_test(), lines));
        assert!(text.contains("Lines 20 to 28 of"), "{text}");
        assert!(text.contains("line28;\n```"), "{text}");
        assert!(!text.contains("line29;"), "{text}");
        assert!(text.contains("91 more lines of the test are not shown."), "{text}");
    }

    #[test]
    fn endless_lines_are_cut_and_that_is_said() {
        let text = excerpt(&with_lines(cause_in_the_test(), vec!["x".repeat(1000)]));
        assert!(text.len() < 600, "{text}");
        assert!(text.contains("Lines of more than 300 characters are cut."), "{text}");
    }

    #[test]
    fn without_source_there_is_no_excerpt() {
        assert_eq!(excerpt(&with_lines(cause_in_the_test(), Vec::new())), "");
    }
}
