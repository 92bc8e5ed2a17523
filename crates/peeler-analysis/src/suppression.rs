//! Comments and annotations in Java code that suppress findings about a test.
//!
//! ```java
//! // peeler:ignore port is reserved by CI
//! @Test void listens() {}
//!
//! @Test @SuppressWarnings({"unchecked", "peeler"}) void casts() {}
//! ```
//!
//! A suppression applies to a method, or to all tests of a class and its nested classes. For an inherited test the
//! class that runs it counts too. A comment belongs to a declaration when it is in the lines directly before it, among
//! its annotations and modifiers, or in the line of its name. One of its lines has to start with `peeler:ignore`.
//!
//! Invariant: only comments and annotations suppress. Strings never do, nor does a comment that follows other code on
//! the line before.

use std::ops::Range;

use peeler_features::TestName;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::discovery::DiscoveredTest;
use crate::repository::narrow;
use crate::symbols::ids::{FileId, TypeId};
use crate::symbols::index::Index;
use crate::syntax::declarations::Annotation;
use crate::syntax::marks::{Mark, marks};
use crate::test_case::test_name;

/// The text with which a suppressing comment starts.
const COMMENT: &str = "peeler:ignore";
/// The number of bytes before and after a name that are searched for comments in its line. Lines of generated code can
/// be very long.
const LONGEST_LINE: usize = 4096;
/// The argument of `@SuppressWarnings` that suppresses.
const WARNING: &str = "\"peeler\"";

/// A suppressed test, with the comment or annotation that suppresses it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suppression {
    /// The name of the test.
    pub test: TestName,
    /// The file of the comment or annotation, relative to the root.
    pub file: String,
    /// The line of the comment or annotation.
    pub line: u32,
    /// The text after `peeler:ignore` in the comment.
    pub reason: Option<String>,
}

/// The suppressions of the tests for whose names `wanted` is true, in the order of the tests. If several modules have a
/// test of the same name, the first one counts for all.
pub(crate) fn suppressions(
    index: &Index<'_>,
    tests: &[DiscoveredTest],
    wanted: impl Fn(&str) -> bool,
) -> Vec<Suppression> {
    let mut search = Search {
        index,
        files: FxHashMap::default(),
    };
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    for test in tests {
        let name = test_name(index, *test);
        if !wanted(name.as_str()) || !seen.insert(name.clone()) {
            continue;
        }
        found.extend(search.suppression(*test, name));
    }
    found
}

/// A search for suppressions. Comments and strings of a file are located once, and only if it contains `peeler`.
struct Search<'i, 'r> {
    index: &'i Index<'r>,
    files: FxHashMap<FileId, Option<Vec<Mark>>>,
}

/// A suppressing comment or annotation: its position, and the reason it gives.
struct Marker {
    file: FileId,
    at: u32,
    reason: Option<String>,
}

impl Search<'_, '_> {
    fn suppression(&mut self, test: DiscoveredTest, name: TestName) -> Option<Suppression> {
        let marker = self.nearest(test)?;
        let source = self.index.source(marker.file);
        Some(Suppression {
            test: name,
            file: source.path().to_owned(),
            line: source.line(marker.at),
            reason: marker.reason,
        })
    }

    /// The nearest marker of a test: that of the method, then those of its classes from the inside out.
    fn nearest(&mut self, test: DiscoveredTest) -> Option<Marker> {
        let index = self.index;
        let owner = test.method.owner;
        if !index.is_library(owner) {
            let method = index.method(test.method);
            let found = self.marker(index.file_of(owner), &method.annotations, method.at);
            if found.is_some() {
                return found;
            }
        }
        let around = |id: TypeId| std::iter::successors(Some(id), |id| index.enclosing(*id));
        around(owner)
            .chain(around(test.class))
            .filter(|id| !index.is_library(*id))
            .find_map(|id| {
                let annotations = &index.declaration(id).annotations;
                self.marker(index.file_of(id), annotations, index.outline(id).name_at)
            })
    }

    /// The marker of the declaration with these annotations and with its name at `name_at`.
    fn marker(&mut self, file: FileId, annotations: &[Annotation<'_>], name_at: u32) -> Option<Marker> {
        let source = self.index.source(file);
        // Very few files contain the word, and searching for it is much cheaper than locating comments.
        let known = self.files.entry(file).or_insert_with(|| {
            let says = memchr::memmem::find(source.text().as_bytes(), b"peeler").is_some();
            says.then(|| marks(source.text()))
        });
        let marks = known.as_ref()?;
        if let Some(annotation) = annotations.iter().find(|it| names_peeler(it)) {
            let at = annotation.at;
            return Some(Marker { file, at, reason: None });
        }
        let (comment, words) = comments_of(source.text(), marks, name_at as usize)
            .into_iter()
            .find_map(|it| Some((it.start, words_after(&source.text()[it.clone()])?)))?;
        Some(Marker {
            file,
            at: narrow(comment),
            reason: (!words.is_empty()).then(|| words.to_owned()),
        })
    }
}

/// Whether an annotation is `@SuppressWarnings("peeler")`.
fn names_peeler(annotation: &Annotation<'_>) -> bool {
    let text = annotation.arguments;
    annotation.name == "SuppressWarnings"
        && marks(text)
            .iter()
            .any(|mark| matches!(mark, Mark::Text(range) if &text[range.clone()] == WARNING))
}

/// The comments that belong to the declaration whose name is at `name_at`.
fn comments_of<'m>(text: &str, marks: &'m [Mark], name_at: usize) -> Vec<&'m Range<usize>> {
    let header = header(marks, name_at);
    let of_header = attached(text, comments(marks, header.clone()), &header);
    let of_line = comments(marks, line_around(text.as_bytes(), name_at));
    of_header.into_iter().chain(of_line).collect()
}

/// The range from the end of the previous declaration to the name at `name_at`.
fn header(marks: &[Mark], name_at: usize) -> Range<usize> {
    let before = &marks[..marks.partition_point(|it| it.start() < name_at)];
    let mut depth = 0_usize;
    for mark in before.iter().rev() {
        match *mark {
            // Braces inside the arguments of annotations do not end a declaration.
            Mark::Bracket(b')', _) => depth += 1,
            Mark::Bracket(b'(', _) => depth = depth.saturating_sub(1),
            Mark::Bracket(_, at) if depth == 0 => return at + 1..name_at,
            _ => {}
        }
    }
    0..name_at
}

/// The comments that start in a range.
fn comments<'m>(marks: &'m [Mark], range: Range<usize>) -> Vec<&'m Range<usize>> {
    let first = marks.partition_point(|it| it.start() < range.start);
    let behind = marks.partition_point(|it| it.start() < range.end);
    let of = |mark: &'m Mark| match mark {
        Mark::Comment(range) => Some(range),
        _ => None,
    };
    marks[first..behind].iter().filter_map(of).collect()
}

/// The comments of a header that are among its code, or in lines of their own directly before it.
fn attached<'m>(text: &str, mut comments: Vec<&'m Range<usize>>, header: &Range<usize>) -> Vec<&'m Range<usize>> {
    // In broken code the parser may find a name inside a comment.
    comments.retain(|it| it.end <= header.end);
    let mut at = header.start;
    let mut leading = 0;
    for comment in &comments {
        if !text[at..comment.start].trim().is_empty() {
            break;
        }
        at = comment.end;
        leading += 1;
    }
    let mut below = header.end - text[at..header.end].trim_start().len();
    let mut gone = 0;
    for (place, comment) in comments[..leading].iter().enumerate().rev() {
        let before = text[..comment.start].trim_end_matches([' ', '\t']);
        let is_alone = before.is_empty() || before.ends_with('\n');
        let follows = text[comment.end..below].matches('\n').count() <= 1;
        if !(is_alone && follows) {
            gone = place + 1;
            break;
        }
        below = comment.start;
    }
    comments.drain(..gone);
    comments
}

/// The range of the line at an offset, at most [`LONGEST_LINE`] bytes to either side.
fn line_around(bytes: &[u8], at: usize) -> Range<usize> {
    let first = at.saturating_sub(LONGEST_LINE);
    let last = at.saturating_add(LONGEST_LINE).min(bytes.len());
    let start = memchr::memrchr(b'\n', &bytes[first..at]).map_or(first, |end| first + end + 1);
    let end = memchr::memchr(b'\n', &bytes[at..last]).map_or(last, |length| at + length);
    start..end
}

/// The text after `peeler:ignore` in a comment; `None` if the comment does not suppress. `peeler:ignored` does not.
fn words_after(comment: &str) -> Option<&str> {
    let inside = comment.strip_suffix("*/").unwrap_or(comment);
    inside.lines().find_map(|line| {
        let rest = line.trim_start_matches(['/', '*', ' ', '\t']).strip_prefix(COMMENT)?;
        let is_longer = rest.starts_with(|it: char| it.is_alphanumeric() || matches!(it, '_' | '-'));
        let words = rest.trim_matches(|it: char| it.is_whitespace() || matches!(it, ':' | ',' | '-' | '*'));
        (!is_longer).then_some(words)
    })
}
