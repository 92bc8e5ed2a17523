//! Follows tests through later commits to their names at the mined revision.
//!
//! ```text
//! CartTest#sums  --file renamed-->  BasketTest#sums  --method renamed-->  BasketTest#addsUp
//! ```
//!
//! A file is found again because a commit renames it. A method is found again because the commit that removes it adds
//! a method with a similar body.
//!
//! Invariant: a test that the mined revision contains under its old path and name is not followed. Left out: tests that
//! disappear in one commit and come back in another.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use git2::{Oid, Repository, Tree};
use peeler_analysis::{SourceMethod, source_methods};
use rustc_hash::FxHashMap;

use crate::event::{Event, TestLocation};
use crate::objects::Objects;
use crate::similarity::similarity;

/// The maximum number of renames of one test that are followed.
const MOST_STEPS: usize = 40;
/// The minimum share of equal lines at which an old and a new method body count as one method that was renamed.
const LEAST_SIMILARITY: f64 = 0.6;

/// A change of a test file by one commit.
#[derive(Debug, Clone)]
pub(crate) struct FileChange {
    /// The index of the commit that changes the file, in a list of all commits with parents before children.
    pub(crate) position: usize,
    pub(crate) path: String,
    /// The id of the file's content before the commit; `None` if the commit adds the file.
    pub(crate) old: Option<Oid>,
    /// The id of the file's content after the commit; `None` if the commit deletes the file.
    pub(crate) new: Option<Oid>,
    /// The path and content id of the file under its new name; `None` if the commit does not rename the file.
    pub(crate) renamed_to: Option<(String, Oid)>,
}

/// All changes of test files by the commits of a repository, to be looked up by path or by commit.
pub(crate) struct FileHistory<'h> {
    by_path: FxHashMap<&'h str, Vec<&'h FileChange>>,
    by_commit: FxHashMap<usize, Vec<&'h FileChange>>,
}

impl<'h> FileHistory<'h> {
    /// Groups changes of test files by path and by commit. `changes` has to be in the order of the commits.
    pub(crate) fn new(changes: &'h [FileChange]) -> Self {
        let mut history = Self {
            by_path: FxHashMap::default(),
            by_commit: FxHashMap::default(),
        };
        for change in changes {
            history.by_path.entry(&change.path).or_default().push(change);
            history.by_commit.entry(change.position).or_default().push(change);
        }
        history
    }
}

/// Where a test is after some commit: its file, nested classes and method name. A test is followed from place to place
/// until the mined revision.
struct Place {
    path: String,
    /// The nested classes around the method, joined by `$`: `Late` for `CartTest$Late`; empty in a top-level class.
    nested: String,
    test: String,
    position: usize,
}

/// Finds out where tests of older commits are at the mined revision, by following renames of files and methods.
pub(crate) struct Follower<'g, 'h> {
    objects: Objects<'g>,
    tree: Tree<'g>,
    history: &'h FileHistory<'h>,
    /// A cache of file contents that were read. It is emptied when it is full.
    texts: RefCell<FxHashMap<Oid, Rc<str>>>,
}

impl<'g, 'h> Follower<'g, 'h> {
    /// Opens a follower that finds tests of older commits in the commit `tip`.
    pub(crate) fn open(
        repository: &'g Repository,
        tip: Oid,
        history: &'h FileHistory<'h>,
    ) -> Result<Self, git2::Error> {
        Ok(Self {
            objects: Objects::open(repository)?,
            tree: repository.find_commit(tip)?.tree()?,
            history,
            texts: RefCell::default(),
        })
    }

    /// Where the test of an event is at the mined revision; `None` if it is no longer there. `position` is the index of
    /// the commit that marked or fixed the test.
    pub(crate) fn today(&self, event: &Event, position: usize) -> Option<TestLocation> {
        let nested = event.class.split_once('$').map_or("", |(_, nested)| nested);
        let mut place = Place {
            path: event.path.clone(),
            nested: nested.to_owned(),
            test: event.test.clone(),
            position,
        };
        for _ in 0..MOST_STEPS {
            if let Some(found) = self.at_revision(&place) {
                return Some(found);
            }
            place = self.step(&place)?;
        }
        None
    }

    /// Looks a test up at the mined revision under a known path and name; `None` if it is not there.
    fn at_revision(&self, place: &Place) -> Option<TestLocation> {
        let entry = self.tree.get_path(Path::new(&place.path)).ok()?;
        let text = self.text(entry.id())?;
        if !mentions(&text, &place.test) {
            return None;
        }
        let methods = source_methods(&text);
        let method = find(&methods, &place.nested, &place.test)?;
        Some(TestLocation {
            path: place.path.clone(),
            class: method.class.clone(),
            test: method.name.to_owned(),
        })
    }

    /// Where a test is after the next commit that renames its file or removes its method. `None` if there is no such
    /// commit, or if no similar method replaces the test.
    fn step(&self, place: &Place) -> Option<Place> {
        let changes = self.history.by_path.get(place.path.as_str())?;
        let later = &changes[changes.partition_point(|it| it.position < place.position)..];
        let is_end = |it: &FileChange| it.renamed_to.is_some() || self.loses(it, &place.test);
        // Most methods stay until they go for good, so that a binary search finds the end. Branches may differ.
        let keeps = |it: &&FileChange| it.renamed_to.is_none() && self.has(it.new, &place.test);
        let likely = later.get(later.partition_point(keeps)).filter(|it| is_end(it));
        let change = likely.or_else(|| later.iter().find(|it| is_end(it)))?;
        let old = change.old?;
        let Some((to, new)) = &change.renamed_to else {
            return self.successor(change, old, place);
        };
        let test = if self.has(Some(*new), &place.test) {
            place.test.clone()
        } else {
            self.renamed_method(old, *new, place)?.1
        };
        Some(Place {
            path: to.clone(),
            nested: place.nested.clone(),
            test,
            position: change.position + 1,
        })
    }

    /// Whether a change of a file removes the method `test` from it.
    fn loses(&self, change: &FileChange, test: &str) -> bool {
        self.has(change.old, test) && !self.has(change.new, test)
    }

    /// Whether a file content contains a method name followed by `(`, as a declaration of it would. False for `None`.
    fn has(&self, id: Option<Oid>, test: &str) -> bool {
        id.and_then(|it| self.text(it)).is_some_and(|it| mentions(&it, test))
    }

    /// Where a removed method is after the commit that removed it. It has a new name in its file, or its old name in
    /// another file. `None` if no similar method is found.
    fn successor(&self, change: &FileChange, old: Oid, place: &Place) -> Option<Place> {
        if let Some(new) = change.new
            && let Some((nested, test)) = self.renamed_method(old, new, place)
        {
            return Some(Place {
                path: place.path.clone(),
                nested,
                test,
                position: change.position + 1,
            });
        }
        let before = self.text(old)?;
        let before_methods = source_methods(&before);
        let lost = find(&before_methods, &place.nested, &place.test)?;
        let others = self.history.by_commit.get(&change.position)?;
        for other in others.iter().filter(|it| it.path != place.path) {
            if !self.has(other.new, &place.test) || self.has(other.old, &place.test) {
                continue;
            }
            let text = self.text(other.new?)?;
            let methods = source_methods(&text);
            let Some(method) = methods.iter().find(|it| it.name == place.test) else {
                continue;
            };
            if similarity(&before[lost.body.clone()], &text[method.body.clone()]) >= LEAST_SIMILARITY {
                return Some(Place {
                    path: other.path.clone(),
                    nested: method.class.split_once('$').map_or("", |(_, it)| it).to_owned(),
                    test: place.test.clone(),
                    position: change.position + 1,
                });
            }
        }
        None
    }

    /// The nested classes and the name of the new test method whose body is most similar to a removed method. `None` if
    /// none is similar enough.
    fn renamed_method(&self, old: Oid, new: Oid, place: &Place) -> Option<(String, String)> {
        let (before, after) = (self.text(old)?, self.text(new)?);
        let (old_methods, new_methods) = (source_methods(&before), source_methods(&after));
        let lost = find(&old_methods, &place.nested, &place.test)?;
        let body = &before[lost.body.clone()];
        let mut best: Option<(f64, &SourceMethod<'_>)> = None;
        for method in new_methods.iter().filter(|it| it.is_test) {
            if old_methods.iter().any(|it| it.name == method.name) {
                continue;
            }
            let likeness = similarity(body, &after[method.body.clone()]);
            if likeness >= LEAST_SIMILARITY && best.is_none_or(|(most, _)| likeness > most) {
                best = Some((likeness, method));
            }
        }
        best.map(|(_, it)| {
            let nested = it.class.split_once('$').map_or("", |(_, nested)| nested);
            (nested.to_owned(), it.name.to_owned())
        })
    }

    fn text(&self, id: Oid) -> Option<Rc<str>> {
        const MOST_TEXTS: usize = 200;
        if let Some(known) = self.texts.borrow().get(&id) {
            return Some(Rc::clone(known));
        }
        let text: Rc<str> = self.objects.text(id).ok()?.into();
        let mut texts = self.texts.borrow_mut();
        if texts.len() >= MOST_TEXTS {
            texts.clear();
        }
        texts.insert(id, Rc::clone(&text));
        Some(text)
    }
}

/// The test method with the name `test`, preferably one in the nested classes `nested`; `None` if no test method has
/// that name.
fn find<'m, 't>(methods: &'m [SourceMethod<'t>], nested: &str, test: &str) -> Option<&'m SourceMethod<'t>> {
    let mut named = methods.iter().filter(|it| it.name == test && it.is_test);
    let in_place = |it: &&SourceMethod<'_>| it.class.split_once('$').map_or("", |(_, nested)| nested) == nested;
    named.clone().find(in_place).or_else(|| named.next())
}

/// Whether a text contains a name after white space and before `(`, as every declaration of a method does.
fn mentions(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let is_start = text[..at].chars().next_back().is_some_and(char::is_whitespace);
        is_start && text[at + name.len()..].trim_start().starts_with('(')
    })
}
