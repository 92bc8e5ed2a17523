//! Comments and annotations in Java code that suppress findings about a test.
//!
//! ```java
//! // peeler:ignore port is reserved by CI
//! @Test void listens() {}
//!
//! @Test @SuppressWarnings({"unchecked", "peeler"}) void casts() {}
//!
//! // peeler:ignore PLR201, fixed-port the machine is ours
//! @Test void waits() {}
//!
//! @Test @SuppressWarnings("peeler:PLR201") void sleeps() {}
//! ```
//!
//! A suppression that names rules does not affect other rules. Rules are named as in [`RuleSelector`]. An unknown id
//! suppresses nothing.
//!
//! A suppression applies to a method, or to all tests of a class and its nested classes. For an inherited test,
//! suppressions of the class that runs it count too. A comment belongs to a declaration if it is directly before it,
//! among its annotations and modifiers, or in the line of its name. One line of the comment has to start with
//! `peeler:ignore`.
//!
//! Invariant: only comments and annotations suppress findings. A string never does, nor does a comment after other code
//! on the line before.

use std::ops::Range;

use peeler_features::{Rule, RuleSelector, TestName};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::discovery::DiscoveredTest;
use crate::repository::narrow;
use crate::symbols::ids::{FileId, TypeId};
use crate::symbols::index::Index;
use crate::syntax::declarations::Annotation;
use crate::syntax::marks::{Mark, marks};
use crate::test_case::test_name;

/// The text with which a comment starts that suppresses findings about a test.
const COMMENT: &str = "peeler:ignore";
/// How many bytes of a line are searched for comments before and after the name of a declaration. Lines of generated
/// code can be very long.
const LONGEST_LINE: usize = 4096;
/// The argument of `@SuppressWarnings` that suppresses all findings of Peeler.
const WARNING: &str = "peeler";
/// The start of an argument of `@SuppressWarnings` that suppresses some rules: `peeler:PLR201`.
const WARNING_RULES: &str = "peeler:";

/// A suppressed test, with the comment or annotation that suppresses it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suppression {
    /// The name of the suppressed test.
    pub test: TestName,
    /// The file of the comment or annotation that suppresses findings about the test, relative to the root of the
    /// repository.
    pub file: String,
    /// The line of the comment or annotation that suppresses findings about the test, counted from one.
    pub line: u32,
    /// The reason that a comment gives after `peeler:ignore` and the names of rules. `None` for an annotation, or a
    /// comment without a reason.
    pub reason: Option<String>,
    /// The findings about the test that the comment or annotation suppresses: all, or those of some rules.
    pub scope: SuppressionScope,
}

/// The findings about a test that a comment or annotation suppresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SuppressionScope {
    /// Every finding about the test is suppressed.
    Everything,
    /// Findings by these rules are suppressed. The rules are sorted by id. The list is empty if the named rules do not
    /// exist.
    Rules(Vec<Rule>),
}

impl SuppressionScope {
    /// The suppression of all rules that `selectors` name, such as `PLR201` or the prefix `PLR2`.
    fn of(selectors: &[RuleSelector]) -> Self {
        let mut rules: Vec<Rule> = selectors.iter().flat_map(RuleSelector::rules).collect();
        rules.sort_unstable();
        rules.dedup();
        Self::Rules(rules)
    }
}

/// The suppressions of the tests for whose names `wanted` is true, in the order of the tests. Those of one test go from
/// its method outwards and end with the first that suppresses everything. If several modules have a test of the same
/// name, only the first is read.
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
        found.extend(search.suppressions(*test, &name));
    }
    found
}

/// A search for comments and annotations that suppress findings. Comments and strings of a file are located once, and
/// only if the file contains `peeler`.
struct Search<'i, 'r> {
    index: &'i Index<'r>,
    files: FxHashMap<FileId, Option<Vec<Mark>>>,
}

/// A comment or annotation that suppresses findings: its position, what it suppresses, and the reason it gives.
struct Marker {
    file: FileId,
    at: u32,
    reason: Option<String>,
    scope: SuppressionScope,
}

impl Search<'_, '_> {
    fn suppressions(&mut self, test: DiscoveredTest, name: &TestName) -> Vec<Suppression> {
        let markers = self.markers_of(test).into_iter();
        let suppression = |marker: Marker| {
            let source = self.index.source(marker.file);
            Suppression {
                test: name.clone(),
                file: source.path().to_owned(),
                line: source.line(marker.at),
                reason: marker.reason,
                scope: marker.scope,
            }
        };
        markers.map(suppression).collect()
    }

    /// The suppressing comments and annotations of a test: those of the method, then of its classes from the inside
    /// out. The list ends with the first one that suppresses everything.
    fn markers_of(&mut self, test: DiscoveredTest) -> Vec<Marker> {
        let index = self.index;
        let owner = test.method.owner;
        let mut found = Vec::new();
        if !index.is_library(owner) {
            let method = index.method(test.method);
            self.add_markers(index.file_of(owner), &method.annotations, method.at, &mut found);
        }
        let around = |id: TypeId| std::iter::successors(Some(id), |id| index.enclosing(*id));
        let mut seen = FxHashSet::default();
        for id in around(owner).chain(around(test.class)) {
            if !index.is_library(id) && seen.insert(id) {
                let annotations = &index.declaration(id).annotations;
                self.add_markers(index.file_of(id), annotations, index.outline(id).name_at, &mut found);
            }
        }
        let whole = found.iter().position(|it| it.scope == SuppressionScope::Everything);
        found.truncate(whole.map_or(found.len(), |it| it + 1));
        found
    }

    /// Adds the suppressing comments and annotations of a declaration to `found`. `annotations` are those of the
    /// declaration, and `name_at` is the offset of its name.
    fn add_markers(&mut self, file: FileId, annotations: &[Annotation<'_>], name_at: u32, found: &mut Vec<Marker>) {
        let source = self.index.source(file);
        // Very few files contain the word, and searching for it is much cheaper than locating comments.
        let known = self.files.entry(file).or_insert_with(|| {
            let says = memchr::memmem::find(source.text().as_bytes(), b"peeler").is_some();
            says.then(|| marks(source.text()))
        });
        let Some(marks) = known.as_ref() else {
            return;
        };
        found.extend(annotations.iter().filter_map(|annotation| {
            Some(Marker {
                file,
                at: annotation.at,
                reason: None,
                scope: annotated_scope(annotation)?,
            })
        }));
        for comment in comments_of(source.text(), marks, name_at as usize) {
            if let Some(words) = words_after(&source.text()[comment.clone()]) {
                let (scope, reason) = commented_scope(words);
                found.push(Marker {
                    file,
                    at: narrow(comment.start),
                    reason: (!reason.is_empty()).then(|| reason.to_owned()),
                    scope,
                });
            }
        }
    }
}

/// What `@SuppressWarnings("peeler")` or `@SuppressWarnings("peeler:PLR201")` suppresses; `None` for all other
/// annotations.
fn annotated_scope(annotation: &Annotation<'_>) -> Option<SuppressionScope> {
    if annotation.name != "SuppressWarnings" {
        return None;
    }
    let text = annotation.arguments;
    let mut selectors = Vec::new();
    let mut names_rules = false;
    for mark in marks(text) {
        let Mark::Text(range) = mark else {
            continue;
        };
        let argument = text[range].trim_matches('"');
        if argument == WARNING {
            return Some(SuppressionScope::Everything);
        }
        if let Some(name) = argument.strip_prefix(WARNING_RULES) {
            names_rules = true;
            selectors.extend(RuleSelector::parse(name.trim()));
        }
    }
    names_rules.then(|| SuppressionScope::of(&selectors))
}

/// What a comment suppresses, and the reason it gives; `words` is its text after `peeler:ignore`. If the text starts
/// with names of rules, only those rules are suppressed.
fn commented_scope(words: &str) -> (SuppressionScope, &str) {
    let is_between = |it: char| it.is_whitespace() || matches!(it, ',' | ':' | ';');
    let mut selectors = Vec::new();
    let mut names_rules = false;
    let mut rest = words;
    loop {
        let end = rest.find(is_between).unwrap_or(rest.len());
        let word = &rest[..end];
        // Families have names that are plain words, so only ids and names of rules count here.
        let selector = RuleSelector::parse(word);
        let selector = selector.filter(|it| matches!(it, RuleSelector::Rule(_) | RuleSelector::Prefix(_)));
        if selector.is_none() && !RuleSelector::is_like_id(word) {
            break;
        }
        names_rules = true;
        selectors.extend(selector);
        rest = rest[end..].trim_start_matches(is_between);
    }
    if names_rules {
        let reason = rest.trim_start_matches(|it: char| it.is_whitespace() || it == '-');
        (SuppressionScope::of(&selectors), reason)
    } else {
        (SuppressionScope::Everything, words)
    }
}

/// The comments that belong to the declaration whose name is at the offset `name_at`.
fn comments_of<'m>(text: &str, marks: &'m [Mark], name_at: usize) -> Vec<&'m Range<usize>> {
    let header = header(marks, name_at);
    let of_header = attached(text, comments(marks, header.clone()), &header);
    let of_line = comments(marks, line_around(text.as_bytes(), name_at));
    let mut all: Vec<&Range<usize>> = of_header.into_iter().chain(of_line).collect();
    // A comment between the annotations and the name may be part of both.
    all.sort_by_key(|it| it.start);
    all.dedup();
    all
}

/// The range from the end of the previous declaration to the name at the offset `name_at`.
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

/// The comments of a file that start in a range of bytes.
fn comments<'m>(marks: &'m [Mark], range: Range<usize>) -> Vec<&'m Range<usize>> {
    let first = marks.partition_point(|it| it.start() < range.start);
    let behind = marks.partition_point(|it| it.start() < range.end);
    let of = |mark: &'m Mark| match mark {
        Mark::Comment(range) => Some(range),
        _ => None,
    };
    marks[first..behind].iter().filter_map(of).collect()
}

/// The comments that belong to a declaration: those among its modifiers and annotations, and those in lines directly
/// before. `header` is the range from the previous declaration to the name.
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

/// The range of the line around the byte offset `at`, at most [`LONGEST_LINE`] bytes to either side.
fn line_around(bytes: &[u8], at: usize) -> Range<usize> {
    let first = at.saturating_sub(LONGEST_LINE);
    let last = at.saturating_add(LONGEST_LINE).min(bytes.len());
    let start = memchr::memrchr(b'\n', &bytes[first..at]).map_or(first, |end| first + end + 1);
    let end = memchr::memchr(b'\n', &bytes[at..last]).map_or(last, |length| at + length);
    start..end
}

/// The text after `peeler:ignore` in a comment; `None` if the comment suppresses nothing. `peeler:ignored` suppresses
/// nothing.
fn words_after(comment: &str) -> Option<&str> {
    let inside = comment.strip_suffix("*/").unwrap_or(comment);
    inside.lines().find_map(|line| {
        let rest = line.trim_start_matches(['/', '*', ' ', '\t']).strip_prefix(COMMENT)?;
        let is_longer = rest.starts_with(|it: char| it.is_alphanumeric() || matches!(it, '_' | '-'));
        let words = rest.trim_matches(|it: char| it.is_whitespace() || matches!(it, ':' | ',' | '-' | '*'));
        (!is_longer).then_some(words)
    })
}
