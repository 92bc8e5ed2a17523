//! Findings as text for a terminal.
//!
//! First comes a ranked list, then the source of the first findings with their witness path underlined, then a summary
//! line. Without findings, the most probable tests are named.

use std::io::{self, Write};
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::style::Style;
use crate::explanation::Explanation;
use crate::finding::{Finding, Path, Region, Role, RootCause, Scan, Summary};

/// The maximum number of findings with their source shown.
const SHOWN: usize = 5;

pub(crate) fn write(scan: &Scan, style: Style, out: &mut dyn Write) -> io::Result<()> {
    for finding in &scan.findings {
        write_line(finding, out)?;
        if let Some(words) = runs(finding, scan.model.threshold) {
            writeln!(out, "       {words}")?;
        }
    }
    if !scan.findings.is_empty() {
        writeln!(out)?;
    }
    for finding in scan.findings.iter().take(SHOWN) {
        writeln!(out, "{}\n", excerpt(finding, style))?;
    }
    if !scan.likeliest.is_empty() {
        writeln!(out, "no test reaches the threshold; the likeliest are:")?;
        for finding in &scan.likeliest {
            write_line(finding, out)?;
        }
        writeln!(out)?;
    }
    for problem in &scan.problems {
        writeln!(out, "note: {}: {}", visible(&problem.file), visible(&problem.message))?;
    }
    let summary = &scan.summary;
    if summary.tests == 0 && !leaves_out(summary) {
        writeln!(
            out,
            "note: no tests were found; Peeler recognises JUnit 3, 4, 5 and TestNG tests written in Java. Is {} the \
             root of the repository?",
            visible(&scan.roots.join(", "))
        )?;
    }
    let threshold = scan.model.threshold;
    let unsuspected = scan.findings.iter().filter(|it| it.is_unsuspected(threshold)).count();
    let findings = match summary.findings.saturating_sub(unsuspected) {
        0 => "no findings".to_owned(),
        count => counted(count, "finding"),
    };
    let proven = match unsuspected {
        0 => String::new(),
        count => format!(" and {count} below that runs proved flaky"),
    };
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
    writeln!(
        out,
        "{findings} at {:.0}% or more{proven} among {}{given}{changed} in {}, {seconds:.1} s{}",
        threshold * 100.0,
        counted(summary.tests, "test"),
        counted(summary.files, "Java file"),
        silence(summary)
    )
}

/// Writes a finding of the list: probability, test and place, then the reason on a second line.
fn write_line(finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "{:>4.0}%  {}  {}:{}\n       {}",
        finding.probability * 100.0,
        visible(finding.test.as_str()),
        visible(&finding.file),
        finding.line,
        visible(&finding.reason)
    )
}

/// The results of a finding's runs, on one line.
fn runs(finding: &Finding, threshold: f32) -> Option<String> {
    let words = visible(&finding.proof.as_ref()?.words());
    Some(if finding.is_unsuspected(threshold) {
        format!("below the threshold, but proven by runs: {words}")
    } else if finding.is_proven() {
        format!("proven by runs: {words}")
    } else {
        format!("runs: {words}")
    })
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

/// Whether the scan may have left tests out.
fn leaves_out(summary: &Summary) -> bool {
    let unchanged = summary.since.as_ref().map_or(0, |it| it.unchanged);
    let others = summary.given.map_or(0, |it| it.others);
    summary.excluded + unchanged + others > 0
}

/// The end of the summary line: reused, incomplete, suppressed, known and excluded tests, and stale entries of the
/// baseline.
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

/// Writes everything about one test, for `peeler explain`.
pub(crate) fn explain(explanation: &Explanation, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let finding = &explanation.finding;
    writeln!(out, "{}\n", excerpt(finding, style))?;
    writeln!(
        out,
        "{:.1}%, place {} of {} tests by probability; findings begin at {:.1}%",
        finding.probability * 100.0,
        explanation.rank,
        explanation.tests,
        explanation.threshold * 100.0
    )?;
    if let Some(asked) = &explanation.suppression {
        let reason = asked.reason.as_ref().map(|it| format!(": {}", visible(it)));
        writeln!(
            out,
            "scans do not report it, as requested in {}:{}{}",
            visible(&asked.file),
            asked.line,
            reason.unwrap_or_default()
        )?;
    }
    if let Some(settings) = &explanation.excluded_by {
        writeln!(out, "scans do not report it: {} excludes its file", visible(settings))?;
    }
    match finding.paths.first().map(|it| it.attention) {
        None => {}
        Some(None) => writeln!(out, "\nfirst contextual paths, which the model did not weigh:")?,
        Some(Some(_)) => writeln!(out, "\nstrongest contextual paths, by the attention they got:")?,
    }
    for path in &finding.paths {
        let way = way(path, finding);
        match path.attention {
            Some(attention) => writeln!(out, "{:>6.1}%  {way}", attention * 100.0)?,
            None => writeln!(out, "  {way}")?,
        }
    }
    Ok(())
}

/// A path on one line: node, operation, node, ...
fn way(path: &Path, finding: &Finding) -> String {
    use std::fmt::Write as _;

    let mut way = String::new();
    for (at, &node) in path.nodes.iter().enumerate() {
        let node = &finding.graph.nodes[node];
        let _ = write!(way, "{} @{}", visible(&node.text), node.line);
        if let Some(&edge) = path.edges.get(at) {
            let edge = &finding.graph.edges[edge];
            let cut = edge
                .cut
                .as_ref()
                .map_or_else(String::new, |it| format!(" in {}", visible(it)));
            let _ = write!(way, " -[{}{cut}]-> ", visible(&edge.operation));
        }
    }
    way
}

/// The source of a test with its cause and its witness underlined.
fn excerpt(finding: &Finding, style: Style) -> String {
    let lines = finding.source.lines.iter().map(|it| format!("{}\n", visible(it)));
    let text: String = lines.collect();
    let path = visible(&finding.source.file);
    let mut marks = Marks::default();
    let own_cause = finding
        .root_cause
        .as_ref()
        .and_then(|it| cause_span(finding, it, &text));
    if let Some(span) = &own_cause {
        marks.add(span.clone(), AnnotationKind::Primary, "this can come out differently");
    }
    for step in &finding.witness {
        if let Some(span) = span(finding, &step.region, &text) {
            let (kind, label) = match step.role {
                Role::Source => (AnnotationKind::Context, "data begins here"),
                Role::Step => (AnnotationKind::Context, "passes here"),
                Role::CodeUnderTest => (AnnotationKind::Context, "comes out of the code under test"),
                Role::Assertion => (AnnotationKind::Primary, "and is asserted"),
            };
            marks.add(span, kind, label);
        }
    }
    if let (true, Some(span)) = (marks.0.is_empty(), name_span(finding, &text)) {
        marks.add(span, AnnotationKind::Primary, "this test");
    }
    let annotations = marks
        .0
        .into_iter()
        .map(|(span, kind, label)| kind.span(span).label(label));
    let snippet = Snippet::source(&text)
        .line_start(finding.source.first_line as usize)
        .path(&*path)
        .annotations(annotations);
    let verb = if finding.is_proven() { "is" } else { "may be" };
    let title = format!(
        "{} {verb} flaky ({:.0}%)",
        visible(finding.test.as_str()),
        finding.probability * 100.0
    );
    let mut group = Group::with_title(Level::WARNING.primary_title(&*title));
    // A finding without details has no source.
    if !text.is_empty() {
        group = group.element(snippet);
    }
    let elsewhere = finding.root_cause.as_ref().filter(|_| own_cause.is_none());
    let elsewhere = elsewhere.map(|it| (visible(&it.text), visible(&it.file), it.line));
    if let Some((text, file, line)) = &elsewhere {
        let mark = AnnotationKind::Primary
            .span(0..text.len())
            .label("this can come out differently");
        let snippet = Snippet::source(text).line_start(*line as usize).path(file);
        group = group.element(snippet.annotation(mark));
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

/// Ranges to underline, which do not overlap.
#[derive(Default)]
struct Marks(Vec<(Range<usize>, AnnotationKind, &'static str)>);

impl Marks {
    /// Adds a mark unless it overlaps another one.
    fn add(&mut self, span: Range<usize>, kind: AnnotationKind, label: &'static str) {
        let is_free = |(taken, ..): &(Range<usize>, _, _)| taken.end <= span.start || span.end <= taken.start;
        if self.0.iter().all(is_free) {
            self.0.push((span, kind, label));
        }
    }
}

/// The range of a cause in the text of the excerpt.
fn cause_span(finding: &Finding, cause: &RootCause, text: &str) -> Option<Range<usize>> {
    if cause.file != finding.source.file {
        return None;
    }
    let line = line_range(finding, cause.line, text)?;
    let wanted = visible(&cause.text);
    let start = line.start + text[line.clone()].find(&wanted)?;
    Some(start..start + wanted.len())
}

/// The range of the test's name in the text of the excerpt.
fn name_span(finding: &Finding, text: &str) -> Option<Range<usize>> {
    let line = line_range(finding, finding.line, text)?;
    let name = finding.test.method();
    let start = line.start + text[line.clone()].find(name)?;
    Some(start..start + name.len())
}

/// The range of a line in the text of the excerpt, without its line break.
fn line_range(finding: &Finding, line: u32, text: &str) -> Option<Range<usize>> {
    let number = line.checked_sub(finding.source.first_line)? as usize;
    let mut start = 0;
    for _ in 0..number {
        start += text[start..].find('\n')? + 1;
    }
    let length = text[start..].find('\n')?;
    Some(start..start + length)
}

/// The range of a region in the text of the excerpt; `None` if it is in another file or in other lines.
fn span(finding: &Finding, region: &Region, text: &str) -> Option<Range<usize>> {
    if region.file != finding.source.file {
        return None;
    }
    let offset = |line: u32, column: u32| {
        let number = line.checked_sub(finding.source.first_line)? as usize;
        let mut start = 0;
        for _ in 0..number {
            start += text[start..].find('\n')? + 1;
        }
        let own = text[start..].split('\n').next()?;
        let inside = own
            .char_indices()
            .nth(column as usize - 1)
            .map_or(own.len(), |(at, _)| at);
        Some(start + inside)
    };
    let start = offset(region.line, region.column)?;
    let end = offset(region.end_line, region.end_column)?;
    (start < end).then_some(start..end)
}

/// Text of a repository without control characters, which a terminal would obey. The number of characters stays.
fn visible(text: &str) -> String {
    let shown = |it: char| match it {
        '\t' => ' ',
        _ if it.is_control() || is_direction(it) => '\u{FFFD}',
        _ => it,
    };
    text.chars().map(shown).collect()
}

/// Whether a character changes the direction of text.
fn is_direction(character: char) -> bool {
    matches!(character, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}
