//! Findings as text for a terminal.
//!
//! First comes a ranked list, then the source of the first findings with their flow underlined, then a summary line.
//! Without findings, the most probable tests are named. The text of `peeler explain` is in [`super::explained`].

use std::io::{self, Write};
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};

use super::shared_cause::{SharedCause, by_cause};
use super::style::Style;
use super::wording;
use crate::console::{self, Verbosity};
use crate::finding::{Excerpt, Finding, FoundBy, Region, Role, Scan, Summary, WitnessStep};

/// The maximum number of findings that a text report shows with their source.
const SHOWN: usize = 5;
/// The maximum number of places of a flow outside the test's own source that a text report shows for a finding.
const MAX_ELSEWHERE: usize = 4;

pub(crate) fn write(scan: &Scan, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let verbosity = console::verbosity();
    let causes = match verbosity {
        Verbosity::Verbose => scan.findings.iter().map(SharedCause::of_one).collect(),
        _ => by_cause(&scan.findings),
    };
    for cause in &causes {
        let finding = cause.first;
        write_line(finding, out)?;
        for words in [finding.inheritance(), cause.clause()].into_iter().flatten() {
            writeln!(out, "{INDENT}{}", visible(&words))?;
        }
        if let Some(words) = runs(finding, scan.model.threshold) {
            writeln!(out, "{INDENT}{words}")?;
        }
    }
    if !scan.findings.is_empty() && verbosity != Verbosity::Quiet {
        writeln!(out)?;
    }
    let shown = match verbosity {
        Verbosity::Quiet => 0,
        Verbosity::Normal => SHOWN,
        Verbosity::Verbose => usize::MAX,
    };
    let first = causes.iter().map(|it| it.first);
    for finding in first.filter(|it| !it.below_threshold).take(shown) {
        writeln!(out, "{}\n", excerpt(finding, style))?;
    }
    if verbosity == Verbosity::Quiet {
        return Ok(());
    }
    if !scan.likeliest.is_empty() {
        writeln!(
            out,
            "no rule found a test, and none reaches the threshold; the likeliest are:"
        )?;
        for finding in &scan.likeliest {
            write_line(finding, out)?;
        }
        if let Some(worth) = scan.model.worth_of_first() {
            writeln!(out, "{worth}")?;
        }
        writeln!(out)?;
    }
    for problem in &scan.problems {
        writeln!(out, "note: {}: {}", visible(&problem.file), visible(&problem.message))?;
    }
    if let Some(note) = no_tests_note(scan) {
        writeln!(out, "{note}")?;
    }
    if let Some(tuned) = &scan.model.tuned {
        writeln!(out, "{tuned}")?;
    }
    writeln!(out, "{}", summary(scan))
}

/// The note about a scan that found no test at all; `None` if it found tests or was not to look at all of them.
pub(crate) fn no_tests_note(scan: &Scan) -> Option<String> {
    let is_empty = scan.summary.tests == 0 && !leaves_out(&scan.summary);
    is_empty.then(|| {
        format!(
            "note: no tests were found; Peeler recognises JUnit 3, 4, 5 and TestNG tests written in Java. Is {} the \
             root of the repository?",
            visible(&scan.roots.join(", "))
        )
    })
}

/// The counts and the time of a scan, as the last line of a text report.
pub(crate) fn summary(scan: &Scan) -> String {
    let summary = &scan.summary;
    #[allow(clippy::cast_precision_loss)]
    let seconds = summary.milliseconds as f64 / 1e3;
    let given = match &summary.given {
        Some(given) => format!(
            " of {} ({} of others left out)",
            counted(given.files, "given file"),
            given.others
        ),
        None => String::new(),
    };
    let changed = match &summary.since {
        Some(since) => format!(
            " changed since {} ({} unchanged ones left out)",
            visible(&since.revision),
            since.unchanged
        ),
        None => String::new(),
    };
    format!(
        "{} among {}{given}{changed} in {}, {seconds:.1} s{}",
        findings(scan),
        counted(summary.tests, "test"),
        counted(summary.files, "Java file"),
        silence(summary)
    )
}

/// The number of findings in words, by what found them: a rule, the network, both, or runs alone.
fn findings(scan: &Scan) -> String {
    let network = format!("the network ({:.0}% or more)", scan.model.threshold * 100.0);
    let listed: Vec<&Finding> = scan.findings.iter().filter(|it| !it.below_threshold).collect();
    let count = |by: FoundBy| listed.iter().filter(|it| it.found_by == by).count();
    let parts: Vec<String> = [
        (FoundBy::Rule, "by a rule".to_owned()),
        (FoundBy::Both, format!("by a rule and {network}")),
        (FoundBy::Network, format!("by {network}")),
        (FoundBy::Neither, "by runs alone".to_owned()),
    ]
    .into_iter()
    .filter_map(|(by, words)| Some(count(by)).filter(|it| *it > 0).map(|it| format!("{it} {words}")))
    .collect();
    match listed.len() {
        0 if no_tests_note(scan).is_some() => "no tests, so no findings,".to_owned(),
        0 => format!("no findings by rules or {network}"),
        all => format!("{}: {}", counted(all, "finding"), parts.join(", ")),
    }
}

/// The white space before the second line of a finding in a text report.
const INDENT: &str = "             ";

/// Writes a finding of a text report's list: rule, probability, test and place, then the reason on a second line.
fn write_line(finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
    let rule = finding.rules.first().map_or("-", |it| it.rule.id());
    writeln!(
        out,
        "{rule:>6} {:>4.0}%  {}  {}:{}\n{INDENT}{}",
        finding.probability * 100.0,
        visible(finding.test.as_str()),
        visible(&finding.file),
        finding.line,
        visible(&wording::reason(finding))
    )
}

/// The results of test runs for a finding, on one line; `None` if the test was not run.
fn runs(finding: &Finding, threshold: f32) -> Option<String> {
    let words = visible(&finding.proof.as_ref()?.words());
    Some(if finding.is_unsuspected(threshold) {
        format!("found by no rule and below the threshold, but proven by runs: {words}")
    } else if finding.is_proven() {
        format!("proven by runs: {words}")
    } else {
        format!("runs: {words}")
    })
}

pub(super) fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

/// Whether the scan left tests out: excluded by settings, unchanged since a revision, or in files that were not named.
fn leaves_out(summary: &Summary) -> bool {
    let unchanged = summary.since.as_ref().map_or(0, |it| it.unchanged);
    let others = summary.given.map_or(0, |it| it.others);
    summary.excluded + unchanged + others > 0
}

/// The end of a text report's summary line: `; 3 tests as in an earlier scan; 2 suppressed in the code`.
///
/// It counts reused tests, tests that are followed only in part, hidden findings, excluded files and stale baseline
/// entries.
fn silence(summary: &Summary) -> String {
    // The empty first part yields a separator before the next part.
    let mut parts = vec![String::new()];
    if summary.reused > 0 {
        parts.push(format!("{} as in an earlier scan", counted(summary.reused, "test")));
    }
    match summary.incomplete {
        0 => {}
        1 => parts.push("1 test reaches more code than is followed".to_owned()),
        tests => parts.push(format!("{tests} tests reach more code than is followed")),
    }
    match summary.below_threshold {
        0 => {}
        1 => parts.push("1 more test is listed because of --top".to_owned()),
        tests => parts.push(format!("{tests} more tests are listed because of --top")),
    }
    match summary.disabled {
        0 => {}
        1 => parts.push("1 disabled test left out".to_owned()),
        tests => parts.push(format!("{tests} disabled tests left out")),
    }
    if summary.suppressed > 0 {
        parts.push(format!("{} suppressed in the code", summary.suppressed));
    }
    if summary.known > 0 {
        parts.push(format!("{} known to the baseline", summary.known));
    }
    if summary.excluded > 0 {
        parts.push(format!("{} excluded by settings", counted(summary.excluded, "file")));
    }
    match summary.stale {
        0 => {}
        1 => parts.push("1 entry of the baseline is stale; --write-baseline writes it anew".to_owned()),
        stale => parts.push(format!(
            "{stale} entries of the baseline are stale; --write-baseline writes it anew"
        )),
    }
    parts.join("; ")
}

/// The source of a test with the places of its flow underlined, and with the reason and advice of its finding.
pub(super) fn excerpt(finding: &Finding, style: Style) -> String {
    let lines = finding.source.lines.iter().map(|it| format!("{}\n", visible(it)));
    let text: String = lines.collect();
    let path = visible(&finding.source.file);
    let mut marks = Marks::default();
    let mut elsewhere: Vec<(&WitnessStep, AnnotationKind, String)> = Vec::new();
    // Steps inside the source or the assertion are not marked.
    let ends = finding.witness.iter().filter(|it| it.role != Role::Step);
    let steps = finding.witness.iter().filter(|it| it.role == Role::Step);
    for step in ends.chain(steps) {
        let (kind, label) = match (step.role, &finding.root_cause) {
            (Role::Source, Some(cause)) => (AnnotationKind::Primary, visible(&cause.what)),
            (Role::Source, None) => (AnnotationKind::Primary, "it begins here".to_owned()),
            (Role::Step, _) => (AnnotationKind::Context, "passes here".to_owned()),
            (Role::Assertion, _) => (AnnotationKind::Primary, "and is noticed".to_owned()),
        };
        if let Some(span) = span(&finding.source, &step.region, &text) {
            marks.add(span, kind, label);
        } else {
            let is_same = |it: &WitnessStep| it.region.file == step.region.file && it.region.line == step.region.line;
            if !elsewhere.iter().any(|(known, ..)| is_same(known)) {
                elsewhere.push((step, kind, label));
            }
        }
    }
    elsewhere.truncate(MAX_ELSEWHERE);
    if let (true, Some(span)) = (marks.0.is_empty(), name_span(finding, &text)) {
        marks.add(span, AnnotationKind::Primary, "this test".to_owned());
    }
    let annotations = marks
        .0
        .iter()
        .map(|(span, kind, label)| kind.span(span.clone()).label(label));
    let snippet = Snippet::source(&text)
        .line_start(finding.source.first_line as usize)
        .path(&*path)
        .annotations(annotations);
    let title = title(finding);
    let rule = finding.rules.first().map(|it| it.rule.id());
    let level = if is_no_finding(finding) {
        Level::NOTE
    } else {
        Level::WARNING
    };
    let level = level.primary_title(&*title);
    let mut group = Group::with_title(match rule {
        Some(rule) => level.id(rule),
        None => level,
    });
    // A finding without details has no source.
    if !text.is_empty() {
        group = group.element(snippet);
    }
    for (step, kind, label) in elsewhere {
        group = group.element(place_snippet(step, kind, label));
    }
    let reason = visible(&finding.reason);
    group = group.element(Level::NOTE.message(&*reason));
    if let Some(cause) = &finding.root_cause {
        group = group.element(Level::HELP.message(&*cause.advice));
    }
    let again = finding.proof.as_ref().and_then(|it| it.command.as_ref());
    let again = again.map(|it| format!("see it fail again: {}", visible(it)));
    if let Some(again) = &again {
        group = group.element(Level::HELP.message(&**again));
    }
    let renderer = match style {
        Style::Coloured => Renderer::styled(),
        Style::Plain => Renderer::plain(),
    };
    renderer.render(&[group])
}

/// A place of a flow outside of the test method: its source lines with the place underlined. Without source lines it
/// is the text of the place alone.
fn place_snippet<'s>(step: &WitnessStep, kind: AnnotationKind, label: String) -> Snippet<'s, Annotation<'s>> {
    let path = visible(&step.region.file);
    if let Some(source) = &step.source {
        let lines = source.lines.iter().map(|it| format!("{}\n", visible(it)));
        let text: String = lines.collect();
        if let Some(span) = span(source, &step.region, &text) {
            let snippet = Snippet::source(text).line_start(source.first_line as usize).path(path);
            return snippet.annotation(kind.span(span).label(label));
        }
    }
    let text = visible(&step.text);
    let mark = kind.span(0..text.len()).label(label);
    Snippet::source(text)
        .line_start(step.region.line as usize)
        .path(path)
        .annotation(mark)
}

/// Whether neither a rule nor the network nor runs say that the test is flaky. `peeler explain` shows such tests too.
fn is_no_finding(finding: &Finding) -> bool {
    finding.found_by == FoundBy::Neither && !finding.is_proven()
}

/// The title of a finding in a text report, with test, cause and probability. An example is
/// `shop.CartTest#prints may be flaky: it compares text made from an unordered collection (network: 2%)`.
fn title(finding: &Finding) -> String {
    let test = visible(finding.test.as_str());
    let verb = if finding.is_proven() { "is" } else { "may be" };
    let what = finding
        .root_cause
        .as_ref()
        .map(|it| format!(": it {}", visible(&it.title)));
    let network = format!("network: {:.0}%", finding.probability * 100.0);
    format!("{test} {verb} flaky{} ({network})", what.unwrap_or_default())
}

/// Ranges of a test's source to underline, each with its kind and label. Two ranges overlap only if one contains the
/// other and one of them is [`AnnotationKind::Primary`].
#[derive(Default)]
struct Marks(Vec<(Range<usize>, AnnotationKind, String)>);

impl Marks {
    /// Adds a range to underline, unless it overlaps an earlier one. A range of kind [`AnnotationKind::Primary`] may
    /// contain an earlier one or lie inside it.
    fn add(&mut self, span: Range<usize>, kind: AnnotationKind, label: String) {
        let is_inside = |one: &Range<usize>, other: &Range<usize>| other.start <= one.start && one.end <= other.end;
        let is_free = |(taken, ..): &(Range<usize>, _, _)| {
            let is_apart = taken.end <= span.start || span.end <= taken.start;
            let is_nested = *taken != span && (is_inside(taken, &span) || is_inside(&span, taken));
            is_apart || is_nested && matches!(kind, AnnotationKind::Primary)
        };
        if self.0.iter().all(is_free) {
            self.0.push((span, kind, label));
        }
    }
}

/// The range of the test method's name in `text`, the source excerpt of a finding. `None` if the line of the test does
/// not contain the name.
fn name_span(finding: &Finding, text: &str) -> Option<Range<usize>> {
    let line = line_range(finding, finding.line, text)?;
    let name = finding.test.method();
    let start = line.start + text[line.clone()].find(name)?;
    Some(start..start + name.len())
}

/// The range of a source line in `text`, the source excerpt of a finding, without its line break. `None` if the excerpt
/// does not contain the line and its line break.
fn line_range(finding: &Finding, line: u32, text: &str) -> Option<Range<usize>> {
    let number = line.checked_sub(finding.source.first_line)? as usize;
    let mut start = 0;
    for _ in 0..number {
        start += text[start..].find('\n')? + 1;
    }
    let length = text[start..].find('\n')?;
    Some(start..start + length)
}

/// The range of a place on a flow in `text`, the text of an excerpt. `None` if the place is in another file or in other
/// lines. A place that ends behind the excerpt ends with it.
fn span(excerpt: &Excerpt, region: &Region, text: &str) -> Option<Range<usize>> {
    if region.file != excerpt.file {
        return None;
    }
    let offset = |line: u32, column: u32| {
        let number = line.checked_sub(excerpt.first_line)? as usize;
        let mut start = 0;
        for _ in 0..number {
            start += text[start..].find('\n')? + 1;
        }
        let own = text[start..].split('\n').next()?;
        let inside = own
            .char_indices()
            .nth(column.checked_sub(1)? as usize)
            .map_or(own.len(), |(at, _)| at);
        Some(start + inside)
    };
    let start = offset(region.line, region.column)?;
    let end = offset(region.end_line, region.end_column)?;
    (start < end).then_some(start..end)
}

/// Text of a repository with control characters, which a terminal would obey, replaced by U+FFFD. The number of
/// characters stays.
pub(super) fn visible(text: &str) -> String {
    let shown = |it: char| match it {
        '\t' => ' ',
        _ if it.is_control() || is_direction(it) => '\u{FFFD}',
        _ => it,
    };
    text.chars().map(shown).collect()
}

/// Whether a character changes the direction of writing, from left to right or back.
fn is_direction(character: char) -> bool {
    matches!(character, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::super::made::{scan, written};
    use super::*;
    use crate::finding::Excerpt;

    #[test]
    fn a_place_without_a_column_is_shown_apart_from_the_source_of_the_test() {
        let mut scan = scan();
        let plain = |scan: &Scan| written(|scan, out| write(scan, Style::Plain, out), scan);
        let Excerpt { file, first_line, .. } = scan.findings[0].source.clone();
        scan.findings[0].witness[0].region = Region {
            file,
            line: first_line,
            column: 1,
            end_line: first_line,
            end_column: 5,
        };
        let underlined = plain(&scan);
        scan.findings[0].witness[0].region.column = 0;
        let listed = plain(&scan);
        assert_ne!(underlined, listed);
        for text in [underlined, listed] {
            assert_eq!(text.matches(" reads the time of day").count(), 1, "{text}");
        }
    }
}
