//! Finds the tests that one commit marks as flaky, and the flaky tests that it fixes. Each of them is an event.
//!
//! Markers, such as a new `@Ignore("flaky")`, are looked for in every commit. Only files that gain a line with a word
//! such as `flaky` are parsed for them. Fixes are looked for only in commits whose message speaks of flakiness.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use git2::Oid;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::causes::{causes, is_known};
use crate::changed_tests::{ChangeKind, TestChange, changed_tests, unchanged_tests};
use crate::date::day_of;
use crate::event::{Event, Evidence};
use crate::history::HistoryCommit;
use crate::markers::Marker;
use crate::message::{self, Message, Naming, Words};
use crate::objects::Objects;
use crate::renames::Rename;
use crate::rules::Rules;
use crate::tree_changes::TreeChanges;

/// The maximum number of changed test files of a commit. In commits that change more, no fixed tests are looked for.
const MOST_FILES_OF_A_FIX: usize = 60;
/// The maximum number of git blobs for which the lines with words such as `flaky` are cached.
const MOST_CACHED: usize = 400_000;

/// The sorted hashes of the lines of a git blob that contain a word such as `flaky`, and so may mark a test as flaky.
type MarkerLines = Rc<[u64]>;

/// Reads commits and finds the tests that they mark as flaky, and the flaky tests that they fix.
pub(crate) struct EventReader<'r> {
    rules: &'r Rules,
    marker_lines: FxHashMap<Oid, MarkerLines>,
}

/// A commit that is searched for tests that it marks as flaky or fixes. It has its parent, message, changed files and
/// renamed files.
pub(crate) struct ReadCommit<'c> {
    pub(crate) commit: &'c HistoryCommit,
    pub(crate) parent: Oid,
    pub(crate) message: &'c str,
    pub(crate) changes: &'c TreeChanges,
    pub(crate) renames: &'c [Rename],
}

impl<'r> EventReader<'r> {
    /// A reader that decides by `rules` which tests a commit marks as flaky and which flaky tests it fixes.
    pub(crate) fn new(rules: &'r Rules) -> Self {
        Self {
            rules,
            marker_lines: FxHashMap::default(),
        }
    }

    /// The tests that a commit marks as flaky, and the flaky tests that it fixes. Each test is returned once, with the
    /// strongest evidence that the commit gives. The commit must not be a merge.
    pub(crate) fn events(&mut self, objects: &Objects<'_>, read: &ReadCommit<'_>) -> Result<Vec<Event>, git2::Error> {
        let mut events = self.marked(objects, read)?;
        if let Some(message) = message::read(&self.rules.message, read.message) {
            events.extend(self.fixed(objects, read, &message)?);
        }
        events.sort_by(|a, b| (&a.path, &a.class, &a.test, a.evidence).cmp(&(&b.path, &b.class, &b.test, b.evidence)));
        events.dedup_by(|b, a| (&a.path, &a.class, &a.test) == (&b.path, &b.class, &b.test));
        Ok(events)
    }

    /// The tests that a commit marks as flaky by an annotation or comment. Files and commits that mark very many tests
    /// are left out.
    fn marked(&mut self, objects: &Objects<'_>, read: &ReadCommit<'_>) -> Result<Vec<Event>, git2::Error> {
        let limits = &self.rules.limits;
        let mut events = Vec::new();
        for file in &read.changes.tests {
            let (Some(old), Some(new)) = (file.old, file.new) else {
                continue;
            };
            let after = self.marker_lines(objects, new)?;
            if after.is_empty() {
                continue;
            }
            let before = self.marker_lines(objects, old)?;
            if after.iter().all(|it| before.binary_search(it).is_ok()) {
                continue;
            }
            let changes = changed_tests(&self.rules.markers, &objects.text(old)?, &objects.text(new)?);
            let marked: Vec<&TestChange> = changes.iter().filter(|it| is_newly_marked(it)).collect();
            if marked.len() <= limits.marked_in_file {
                let marks = marked.into_iter().map(|it| self.marked_event(read, &file.path, it));
                events.extend(marks);
            }
        }
        if events.len() > limits.marked_in_commit {
            events.clear();
        }
        Ok(events)
    }

    fn marked_event(&self, read: &ReadCommit<'_>, path: &str, change: &TestChange) -> Event {
        let (evidence, less) = match change.marker_after {
            Some(Marker::Annotation) => (Evidence::Annotation, 0.0),
            Some(Marker::CommentInBody) => (Evidence::Comment, self.rules.certainty.comment_in_body),
            _ => (Evidence::Comment, 0.0),
        };
        self.event(read, path, change, evidence, less)
    }

    /// The flaky tests that a commit fixes, according to its message: those that the message names, or else all that
    /// the commit changes. Empty if it changes too many.
    fn fixed(
        &self,
        objects: &Objects<'_>,
        read: &ReadCommit<'_>,
        message: &Message,
    ) -> Result<Vec<Event>, git2::Error> {
        let renamed: FxHashSet<&str> = read.renames.iter().flat_map(|it| [it.from.as_str(), &it.to]).collect();
        let same = read
            .changes
            .tests
            .iter()
            .filter(|it| !renamed.contains(it.path.as_str()));
        let pairs = same.filter_map(|it| Some((it.path.as_str(), it.old?, it.new)));
        let moved = read.renames.iter().map(|it| (it.from.as_str(), it.old, Some(it.new)));
        let files: Vec<(&str, Oid, Option<Oid>)> = pairs.chain(moved).collect();
        if files.len() > MOST_FILES_OF_A_FIX {
            return Ok(Vec::new());
        }
        let names = |class: &str, test: &str| message.names(&self.rules.limits, class, test);
        let mut changed: Vec<(&str, TestChange)> = Vec::new();
        let mut unchanged: Vec<(&str, TestChange)> = Vec::new();
        for (path, old, new) in files {
            let new = new.map(|it| objects.text(it)).transpose()?.unwrap_or_default();
            let old = objects.text(old)?;
            let changes = changed_tests(&self.rules.markers, &old, &new);
            let kept = changes
                .into_iter()
                .filter(|it| it.kind != ChangeKind::Comments && !is_unmarked(it));
            changed.extend(kept.map(|it| (path, it)));
            let is_named = |class: &str, test: &str| names(class, test) == Naming::Method;
            let others = unchanged_tests(&self.rules.markers, &old, &new, is_named);
            unchanged.extend(others.into_iter().map(|it| (path, it)));
        }
        let words = message.in_subject.max(message.in_body);
        let with = |naming: Naming| -> Vec<&(&str, TestChange)> {
            let is_so = |it: &&(&str, TestChange)| names(&it.1.class, &it.1.test) == naming;
            changed.iter().filter(is_so).collect()
        };
        let mut named = with(Naming::Method);
        let mut less = 0.0;
        if named.is_empty() && !unchanged.is_empty() {
            // A helper or the setup of a named test may be what was wrong.
            named.extend(&unchanged);
            less = self.rules.certainty.untouched_test;
        }
        if named.is_empty() {
            named = with(Naming::Mention);
        }
        if !named.is_empty() {
            less += self.less(words, named.len());
            let events = named
                .into_iter()
                .map(|(path, it)| self.event(read, path, it, Evidence::Named, less));
            return Ok(events.collect());
        }
        let evidence = match (message.in_subject, read.changes.changes_main_code) {
            (Words::None, true) => return Ok(Vec::new()),
            (Words::None, false) => Evidence::Body,
            (_, true) => Evidence::SubjectWithMainCode,
            (_, false) => Evidence::Subject,
        };
        if changed.len() > self.rules.limits.changed_tests {
            return Ok(Vec::new());
        }
        changed.retain(|(_, it)| names(&it.class, &it.test) != Naming::Others);
        let less = self.less(words, changed.len());
        let events = changed
            .iter()
            .map(|(path, it)| self.event(read, path, it, evidence, less));
        Ok(events.collect())
    }

    fn less(&self, words: Words, tests: usize) -> f64 {
        let certainty = &self.rules.certainty;
        let weak = if words == Words::Weak {
            certainty.weak_words
        } else {
            0.0
        };
        weak + if tests > 1 { certainty.several_tests } else { 0.0 }
    }

    fn event(&self, read: &ReadCommit<'_>, path: &str, change: &TestChange, evidence: Evidence, less: f64) -> Event {
        let causes = causes(&self.rules.cause, change);
        let certainty = &self.rules.certainty;
        let more = if is_known(&causes) { certainty.known_cause } else { 0.0 };
        let sum = (certainty.of(evidence) + less + more).clamp(0.05, 0.99);
        Event {
            commit: read.parent.to_string(),
            path: path.to_owned(),
            class: change.class.clone(),
            test: change.test.clone(),
            fix: read.commit.id.to_string(),
            date: day_of(read.commit.seconds),
            evidence,
            causes,
            certainty: (sum * 100.0).round() / 100.0,
            subject: read
                .message
                .trim_start()
                .lines()
                .next()
                .unwrap_or_default()
                .trim()
                .to_owned(),
            today: None,
        }
    }

    /// The sorted hashes of the lines of a git blob that contain a word such as `flaky`.
    fn marker_lines(&mut self, objects: &Objects<'_>, id: Oid) -> Result<MarkerLines, git2::Error> {
        if let Some(known) = self.marker_lines.get(&id) {
            return Ok(Rc::clone(known));
        }
        let pattern = &self.rules.markers.line;
        let lines: MarkerLines = objects.with_blob(id, |bytes| {
            let mut found = Vec::new();
            let mut at = 0;
            while let Some(hit) = pattern.find_at(bytes, at) {
                let start = bytes[..hit.start]
                    .iter()
                    .rposition(|it| *it == b'\n')
                    .map_or(0, |it| it + 1);
                let length = bytes[hit.end..].iter().position(|it| *it == b'\n');
                let end = length.map_or(bytes.len(), |it| hit.end + it);
                let mut hasher = FxHasher::default();
                bytes[start..end].trim_ascii().hash(&mut hasher);
                found.push(hasher.finish());
                at = end;
            }
            found.sort_unstable();
            found.dedup();
            found.into()
        })?;
        if self.marker_lines.len() > MOST_CACHED {
            self.marker_lines.clear();
        }
        self.marker_lines.insert(id, Rc::clone(&lines));
        Ok(lines)
    }
}

/// Whether a change adds the first marker of a test, an annotation or comment which says that it is flaky. An
/// annotation also counts if only a comment marked the test before.
fn is_newly_marked(change: &TestChange) -> bool {
    match (change.marker_before, change.marker_after) {
        (None, Some(_)) => true,
        (Some(before), Some(Marker::Annotation)) => before != Marker::Annotation,
        _ => false,
    }
}

/// Whether a change only takes away annotations that disabled a test or marked it as flaky, such as `@Ignore`.
fn is_unmarked(change: &TestChange) -> bool {
    let switches_off = |lines: &[String]| {
        let text = lines.join(" ");
        text.contains("@Ignore") || text.contains("@Disabled") || text.contains("enabled = false")
    };
    let is_freed = change.marker_before.is_some() && change.marker_after.is_none()
        || switches_off(&change.removed) && !switches_off(&change.added);
    change.kind == ChangeKind::Annotations && is_freed
}
