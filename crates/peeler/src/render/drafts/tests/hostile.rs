//! Unit tests of draft issues whose every text contains hostile Markdown, such as tags and mentions, from Java sources.

use peeler_analysis::CauseKind;
use peeler_features::TestName;

use super::super::{Grouping, drafts, index, inline};
use super::{MAVEN, cause_in_the_test, lines, scan, step, with_lines};
use crate::finding::{Proof, RerunStatus, Role, RootCause};

#[test]
fn text_from_java_stays_text() {
    let evil = "x``` @everyone <img src=x onerror=alert(1)> #1 --> [a](javascript:b) | `c|d` \n# h\n\u{202e}";
    let mut finding = with_lines(cause_in_the_test(), lines(&["````", "</details> @everyone"]));
    // The name of a test contains neither blanks nor a second `#`; any other character is possible.
    finding.test = TestName::new(evil, evil);
    finding.file = evil.to_owned();
    finding.reason = evil.to_owned();
    finding.fingerprint = evil.to_owned();
    finding.source.file = evil.to_owned();
    finding.witness = vec![step(Role::Source, evil, 1, evil)];
    finding.root_cause = Some(RootCause {
        kind: CauseKind::Network,
        title: evil.to_owned(),
        what: evil.to_owned(),
        file: evil.to_owned(),
        line: 1,
        text: evil.to_owned(),
        advice: evil.to_owned(),
    });
    finding.rules[0].name = evil.to_owned();
    finding.proof = Some(Proof {
        showed: RerunStatus::Flaky,
        runs: 2,
        failures: 1,
        how: Some(evil.to_owned()),
        failure: Some(evil.to_owned()),
        command: Some(evil.to_owned()),
    });
    let scan = scan(vec![finding.clone(), finding]);
    for grouping in [Grouping::Test, Grouping::Class, Grouping::Cause] {
        for draft in drafts(&scan, grouping, &MAVEN.layout(), 0.0) {
            assert!(!draft.title.contains(['\n', '\u{202e}']));
            assert_harmless(&draft.text);
        }
    }
    assert_harmless(&inline(&scan));
    assert_harmless(&index(&scan, &drafts(&scan, Grouping::Test, &MAVEN.layout(), 0.0)));
}

/// Asserts that a Markdown text has no tag, mention, issue reference, link or unexpected heading outside of code.
#[track_caller]
fn assert_harmless(markdown: &str) {
    let mut fence: Option<&str> = None;
    for line in markdown.lines() {
        let ticks = &line[..line.len() - line.trim_start_matches('`').len()];
        match fence {
            Some(open) => {
                if line == open {
                    fence = None;
                }
                continue;
            }
            None if ticks.len() >= 3 && !line[ticks.len()..].contains('`') => {
                fence = Some(ticks);
                continue;
            }
            None => {}
        }
        let is_ours = line.starts_with("<!-- peeler:fingerprint ") && line.matches("-->").count() == 1;
        let prose = without_spans(line);
        let evils = ["@everyone", "<img", "</details", " #1", "](javascript", "-->"];
        for evil in evils.iter().filter(|_| !is_ours) {
            let found = prose.match_indices(evil).any(|(at, _)| !prose[..at].ends_with('\\'));
            assert!(!found, "{evil} in {line}\n{markdown}");
        }
        assert_ne!(line, "# h");
    }
    assert_eq!(fence, None, "an open fence\n{markdown}");
}

/// A line without its code spans, as Markdown viewers parse them.
fn without_spans(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(start) = rest.find('`') {
        let (before, from) = rest.split_at(start);
        out.push_str(before);
        let ticks = from.len() - from.trim_start_matches('`').len();
        if before.ends_with('\\') {
            rest = &from[1..];
            continue;
        }
        let close = spans_end(&from[ticks..], ticks);
        rest = close.map_or(&from[ticks..], |end| &from[ticks + end..]);
    }
    out + rest
}

/// Finds the end of a Markdown code span. `text` starts after its opening backticks, and `ticks` is their number.
/// Returns the index after the closing backticks; `None` if there are none.
fn spans_end(text: &str, ticks: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(start) = text[at..].find('`') {
        let from = at + start;
        let run = text[from..].len() - text[from..].trim_start_matches('`').len();
        at = from + run;
        if run == ticks {
            return Some(at);
        }
    }
    None
}
