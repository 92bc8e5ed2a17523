//! Positions for reports: regions of files in lines and columns, and the source lines of a test.
//!
//! Lines and columns count from one. Columns count characters. The end column is the one after the last character.

use crate::discovery::DiscoveredTest;
use crate::extraction::Extraction;
use crate::repository::{SourceFile, narrow};
use crate::symbols::index::Index;

/// A region of a source file, in lines and columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place<'i> {
    /// The file of the region, relative to the root of the repository.
    pub file: &'i str,
    /// The line where the region starts.
    pub line: u32,
    /// The column where the region starts.
    pub column: u32,
    /// The line where the region ends.
    pub end_line: u32,
    /// The column after the last character of the region.
    pub end_column: u32,
}

/// The source lines of a test method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestSource<'i> {
    /// The file of the test, relative to the root of the repository.
    pub file: &'i str,
    /// The number of the first line of the test in its file, counted from one.
    pub first_line: u32,
    /// The lines of the test, from the annotations of its method to its closing brace.
    pub lines: Vec<&'i str>,
}

/// The region of a source file that a node of a test's dependency graph stands for.
pub(crate) fn node_place<'r>(index: &Index<'r>, extraction: &Extraction<'_>, node: usize) -> Place<'r> {
    let span = extraction.node_spans[node];
    region(index.source(span.file), span.start, span.end)
}

/// The region of a file between two byte offsets, in lines and columns.
pub(crate) fn region(source: &SourceFile, start: u32, end: u32) -> Place<'_> {
    Place {
        file: source.path(),
        line: source.line(start),
        column: column(source, start),
        end_line: source.line(end.saturating_sub(1).max(start)),
        end_column: column(source, end),
    }
}

/// The source lines of a test. For a test that a library declares, the line of the class that inherits the test.
pub(crate) fn test_source<'r>(index: &Index<'r>, test: DiscoveredTest) -> TestSource<'r> {
    let (class, method) = (test.class, test.method);
    let (file, at, end) = if index.is_library(method.owner) {
        let at = index.outline(class).name_at;
        (index.file_of(class), at, at)
    } else {
        let declared = index.method(method);
        let end = declared.code.as_ref().map_or(declared.at, |code| code.end);
        (index.file_of(method.owner), declared.at, end)
    };
    let source = index.source(file);
    let text = source.text();
    let line_start = |offset: usize| memchr::memrchr(b'\n', &text.as_bytes()[..offset]).map_or(0, |it| it + 1);
    let mut start = line_start(at as usize);
    while start > 0 {
        let before = line_start(start - 1);
        if !is_annotation(text[before..start].trim()) {
            break;
        }
        start = before;
    }
    let last = end.saturating_sub(1).max(at) as usize;
    let end = memchr::memchr(b'\n', &text.as_bytes()[last..]).map_or(text.len(), |it| last + it + 1);
    TestSource {
        file: source.path(),
        first_line: source.line(narrow(start)),
        lines: text[start..end].lines().collect(),
    }
}

/// Whether a line consists of annotations alone. A line such as `@Test public void one() { }` does not count: it is a
/// whole member.
fn is_annotation(line: &str) -> bool {
    line.starts_with('@') && !line.ends_with(['{', '}', ';'])
}

/// The column of a byte offset in its line, counted from one in characters.
fn column(source: &SourceFile, offset: u32) -> u32 {
    let before = source.text().get(..offset as usize).unwrap_or_default();
    let line = before.rfind('\n').map_or(before, |at| &before[at + 1..]);
    u32::try_from(line.chars().count() + 1).unwrap_or(u32::MAX)
}
