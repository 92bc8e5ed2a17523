//! Finds the tests that differ between the text of a Java file before a commit and its text after it.
//!
//! Invariant: a test does not differ if only its white space changes. Changed comments count only if they begin or
//! cease to mark the test as flaky.

use std::collections::BTreeMap;
use std::ops::Range;

use peeler_analysis::{SourceMethod, source_methods};
use rustc_hash::FxHashMap;

use crate::markers::{Marker, marker};
use crate::rules::MarkerRules;

/// A test in the old text of a Java file, and how it or its file differs in the new text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TestChange {
    pub(crate) class: String,
    pub(crate) test: String,
    pub(crate) kind: ChangeKind,
    pub(crate) marker_before: Option<Marker>,
    pub(crate) marker_after: Option<Marker>,
    /// The trimmed lines of the new test method that the old one does not have. If only the rest of the file changed,
    /// such lines of the whole file.
    pub(crate) added: Vec<String>,
    /// The trimmed lines of the old test method that the new one does not have. If only the rest of the file changed,
    /// such lines of the whole file.
    pub(crate) removed: Vec<String>,
}

/// What differs in a test between the old and the new text of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChangeKind {
    /// The code in the body of the test method differs.
    Changed,
    /// The body of the test method is the same, but its annotations or other code before the body differ.
    Annotations,
    /// Only comments or white space of the test method differ.
    Comments,
    /// The new text of the file does not contain the test method.
    Deleted,
    /// The test method is the same, but other lines of its file differ.
    Surroundings,
}

/// The tests in the old text of a Java file that differ in the new text or are missing there. For a deleted file, `new`
/// is empty.
pub(crate) fn changed_tests(rules: &MarkerRules, old: &str, new: &str) -> Vec<TestChange> {
    let before = source_methods(old);
    let after = source_methods(new);
    let present: BTreeMap<Key<'_>, &SourceMethod<'_>> = keyed(&after).collect();
    let mut found = Vec::new();
    for (key, method) in keyed(&before).filter(|(_, it)| it.is_test) {
        let old_text = &old[method.range.clone()];
        let Some(now) = present.get(&key) else {
            found.push(TestChange {
                class: method.class.clone(),
                test: method.name.to_owned(),
                kind: ChangeKind::Deleted,
                marker_before: marker(rules, old, method),
                marker_after: None,
                added: Vec::new(),
                removed: lines(old_text),
            });
            continue;
        };
        let new_text = &new[now.range.clone()];
        if old_text == new_text && comments(old, method).eq(comments(new, now)) {
            continue;
        }
        let kind = if code(old, method, method.body.clone()) != code(new, now, now.body.clone()) {
            ChangeKind::Changed
        } else if code(old, method, method.range.clone()) != code(new, now, now.range.clone()) {
            ChangeKind::Annotations
        } else {
            ChangeKind::Comments
        };
        let (old_lines, new_lines) = (lines(old_text), lines(new_text));
        let change = TestChange {
            class: method.class.clone(),
            test: method.name.to_owned(),
            kind,
            marker_before: marker(rules, old, method),
            marker_after: marker(rules, new, now),
            added: without(&new_lines, &old_lines),
            removed: without(&old_lines, &new_lines),
        };
        let is_layout = kind == ChangeKind::Comments && change.marker_before == change.marker_after;
        if !is_layout {
            found.push(change);
        }
    }
    found
}

/// The tests that are the same in the old and the new text of a Java file. Only those are returned for whose class and
/// method `is_wanted` is true. Their added and removed lines are those of the whole file.
pub(crate) fn unchanged_tests(
    rules: &MarkerRules,
    old: &str,
    new: &str,
    is_wanted: impl Fn(&str, &str) -> bool,
) -> Vec<TestChange> {
    let before = source_methods(old);
    if !before.iter().any(|it| it.is_test && is_wanted(&it.class, it.name)) {
        return Vec::new();
    }
    let after = source_methods(new);
    let present: BTreeMap<Key<'_>, &SourceMethod<'_>> = keyed(&after).collect();
    let (old_lines, new_lines) = (lines(old), lines(new));
    let is_code = |it: &String| !it.starts_with("import ");
    let added: Vec<String> = without(&new_lines, &old_lines).into_iter().filter(is_code).collect();
    let removed: Vec<String> = without(&old_lines, &new_lines).into_iter().filter(is_code).collect();
    let is_same = |key: &Key<'_>, it: &SourceMethod<'_>| {
        let now = present.get(key).map(|now| &new[now.range.clone()]);
        now == Some(&old[it.range.clone()])
    };
    keyed(&before)
        .filter(|(key, it)| it.is_test && is_wanted(&it.class, it.name) && is_same(key, it))
        .map(|(_, method)| {
            let marker = marker(rules, old, method);
            TestChange {
                class: method.class.clone(),
                test: method.name.to_owned(),
                kind: ChangeKind::Surroundings,
                marker_before: marker,
                marker_after: marker,
                added: added.clone(),
                removed: removed.clone(),
            }
        })
        .collect()
}

/// Identifies a method in a file even if its top-level class is renamed. The parts are the nested class, the method
/// name, and a number that tells overloads apart: `("Late", "sums", 1)`.
type Key<'t> = (&'t str, &'t str, usize);

fn keyed<'t, 'm>(methods: &'m [SourceMethod<'t>]) -> impl Iterator<Item = (Key<'m>, &'m SourceMethod<'t>)> {
    let mut counts: FxHashMap<(&'m str, &'m str), usize> = FxHashMap::default();
    methods.iter().map(move |it| {
        let nested = it.class.split_once('$').map_or("", |(_, nested)| nested);
        let count = counts.entry((nested, it.name)).or_default();
        *count += 1;
        ((nested, it.name, *count), it)
    })
}

fn comments<'t>(text: &'t str, method: &SourceMethod<'_>) -> impl Iterator<Item = &'t str> {
    method.comments.iter().map(|it| &text[it.clone()])
}

/// The code in the byte range `part` of a method, without comments and white space.
fn code(text: &str, method: &SourceMethod<'_>, part: Range<usize>) -> String {
    let mut plain = String::with_capacity(part.len());
    let mut at = part.start;
    for comment in &method.comments {
        if comment.start >= at && comment.start < part.end {
            plain.push_str(&text[at..comment.start]);
            at = comment.end.min(part.end);
        }
    }
    plain.push_str(&text[at..part.end]);
    plain.retain(|it| !it.is_whitespace());
    plain
}

fn lines(text: &str) -> Vec<String> {
    let trimmed = text.lines().map(str::trim).filter(|it| !it.is_empty());
    trimmed.map(str::to_owned).collect()
}

/// Those of `lines` that `others` does not contain. Repeated lines are counted: of two equal lines, one is returned if
/// `others` has only one.
fn without(lines: &[String], others: &[String]) -> Vec<String> {
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    for line in others {
        *counts.entry(line).or_default() += 1;
    }
    let is_missing = |it: &&String| match counts.get_mut(it.as_str()) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    lines.iter().filter(is_missing).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::{ChangeKind, changed_tests};
    use crate::rules::Rules;

    fn check(old: &str, new: &str) -> Vec<String> {
        let rules = Rules::built_in();
        changed_tests(&rules.markers, old, new)
            .into_iter()
            .map(|it| {
                format!(
                    "{}#{} {:?} +{:?} -{:?}",
                    it.class, it.test, it.kind, it.added, it.removed
                )
            })
            .collect()
    }

    #[test]
    fn tests_change_are_deleted_and_stay() {
        let old =
            "class A { @Test void a() { one(); }\n @Test void b() {}\n @Test void c() { two(); } void d() { x(); } }";
        let new = "class A { @Test void a() {\n one();\n }\n @Test void c() { three(); } void d() { y(); } }";
        assert_eq!(
            check(old, new),
            [
                "A#b Deleted +[] -[\"@Test void b() {}\"]",
                "A#c Changed +[\"@Test void c() { three(); }\"] -[\"@Test void c() { two(); }\"]",
            ]
        );
    }

    #[test]
    fn annotations_and_renamed_classes_are_told_apart_from_code() {
        let rules = Rules::built_in();
        let changes = changed_tests(
            &rules.markers,
            "class A { @Test void a() {} @Test void b() { x(); } }",
            "class B { @Ignore @Test void a() {} @Test void b() { /* why */ x(); } }",
        );
        assert_eq!(changes.len(), 1);
        assert_eq!(
            (changes[0].test.as_str(), changes[0].kind),
            ("a", ChangeKind::Annotations)
        );
    }
}
