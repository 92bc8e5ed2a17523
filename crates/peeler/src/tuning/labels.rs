//! Labels of a repository's own past: tests of which a commit or runs showed that they were flaky.
//!
//! Invariant: the past of a snapshot holds only labels whose evidence the snapshot contains. A label with an older
//! date that was merged later is not among them.

use std::collections::{HashMap, HashSet};

use peeler_features::TestName;
use peeler_mine::{Event, Mined, Snapshot, stripped_name};

/// A test with its first evidence of flakiness.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Label {
    /// The binary name of the test's class, without words such as `flaky`.
    pub(crate) class: String,
    /// The name of the test's method, without words such as `flaky`.
    pub(crate) method: String,
    /// The day of the evidence, as `2026-11-17`; empty if runs are the evidence.
    pub(crate) date: String,
    /// The commit at which the test was flaky: the parent of the commit that marked or fixed it.
    pub(crate) commit: String,
    /// The path of the test's file at that commit.
    pub(crate) path: String,
    /// The causes of flakiness that the changed lines suggest, such as `async_wait`.
    pub(crate) causes: Vec<String>,
}

impl Label {
    fn of(event: &Event) -> Self {
        Self {
            class: stripped_name(&event.class).into_owned(),
            method: stripped_name(&event.test).into_owned(),
            date: event.date.clone(),
            commit: event.commit.clone(),
            path: event.path.clone(),
            causes: event.causes.clone(),
        }
    }

    /// The class without its package, and the method: what stays if a class moves to another package.
    fn simple(&self) -> (&str, &str) {
        (simple_class(&self.class), &self.method)
    }
}

/// The labels of a repository, split by what a snapshot of its history knew.
#[derive(Debug, Default)]
pub(crate) struct LabelSplit {
    /// The labels that the snapshot knew, oldest first, each test once.
    pub(crate) past: Vec<Label>,
    /// The labels whose evidence came after the snapshot, within the time limit, oldest first, each test once.
    pub(crate) later: Vec<Label>,
    /// Labels about which nothing may be said: they were written before the snapshot and merged later, or they came
    /// after the time limit, or runs without a date are their evidence.
    pub(crate) unknown: Vec<Label>,
}

impl LabelSplit {
    /// Splits the labels of a history at a snapshot of `day`. Labels from the day `end` on are unknown.
    pub(crate) fn at(mined: &Mined, snapshot: &Snapshot, day: &str, end: &str) -> Self {
        let mut split = Self::default();
        for event in &mined.events {
            let is_known = snapshot.contains(&event.fix);
            let is_before = event.date.as_str() < day;
            let side = match (event.fix.is_empty(), is_known, is_before) {
                (false, true, true) => &mut split.past,
                (false, false, false) if event.date.as_str() < end => &mut split.later,
                _ => &mut split.unknown,
            };
            side.push(Label::of(event));
        }
        for side in [&mut split.past, &mut split.later] {
            *side = first_of_each(std::mem::take(side));
        }
        split
    }

    /// All labels of a history as one past, which the newest commit knows.
    pub(crate) fn whole(mined: &Mined) -> Self {
        Self {
            past: first_of_each(mined.events.iter().map(Label::of).collect()),
            ..Self::default()
        }
    }

    /// The newest `most` labels of the past.
    pub(crate) fn newest(&self, most: usize) -> &[Label] {
        &self.past[self.past.len().saturating_sub(most)..]
    }
}

/// The days of all dated labels of a history, oldest first.
pub(crate) fn label_days(mined: &Mined) -> Vec<String> {
    let labels = LabelSplit::whole(mined).past.into_iter();
    let mut days: Vec<String> = labels.map(|it| it.date).filter(|it| !it.is_empty()).collect();
    days.sort_unstable();
    days
}

/// The first label of each test.
fn first_of_each(labels: Vec<Label>) -> Vec<Label> {
    let mut known = HashSet::new();
    let is_first = |it: &Label| known.insert((simple_class(&it.class).to_owned(), it.method.clone()));
    let mut labels = labels;
    labels.retain(is_first);
    labels
}

/// The name of a class without its package: `CartTest$Late` for `shop.CartTest$Late`.
fn simple_class(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
}

/// Finds the tests of a snapshot that labels are about.
pub(crate) struct LabelIndex<'l> {
    by_name: HashMap<(&'l str, &'l str), usize>,
    by_simple_name: HashMap<(&'l str, &'l str), usize>,
}

impl<'l> LabelIndex<'l> {
    pub(crate) fn new(labels: &'l [Label]) -> Self {
        let numbered = || labels.iter().enumerate();
        Self {
            by_name: numbered()
                .map(|(at, it)| ((it.class.as_str(), it.method.as_str()), at))
                .collect(),
            by_simple_name: numbered().map(|(at, it)| (it.simple(), at)).collect(),
        }
    }

    /// The index of the label about a test. A class that moved to another package is the same class.
    pub(crate) fn find(&self, test: &TestName) -> Option<usize> {
        let (class, method) = (test.class(), test.method());
        let by_name = self.by_name.get(&(class, method));
        let found = by_name.or_else(|| self.by_simple_name.get(&(simple_class(class), method)));
        found.copied()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use git2::{Oid, Repository, Signature, Time};
    use peeler_mine::{Request, date, mine, snapshot};

    use super::{Label, LabelSplit};

    /// Commits a version of the test class `name` on a day, on top of some parents. Returns the commit.
    fn commit(repository: &Repository, name: &str, body: &str, message: &str, day: &str, parents: &[Oid]) -> Oid {
        let path = format!("src/test/java/shop/{name}.java");
        let text = format!("package shop; class {name} {{ @Test public void works() {{ {body} }} }}");
        let blob = repository.blob(text.as_bytes()).expect("a blob");
        let parents: Vec<_> = parents
            .iter()
            .map(|it| repository.find_commit(*it).expect("a commit"))
            .collect();
        let mut index = git2::Index::new().expect("an index");
        for parent in &parents {
            let tree = parent.tree().expect("a tree");
            let mut known = git2::Index::new().expect("an index");
            known.read_tree(&tree).expect("a tree");
            known.iter().for_each(|it| index.add(&it).expect("an entry"));
        }
        let entry = git2::IndexEntry {
            ctime: git2::IndexTime::new(0, 0),
            mtime: git2::IndexTime::new(0, 0),
            dev: 0,
            ino: 0,
            mode: 0o100_644,
            uid: 0,
            gid: 0,
            file_size: 0,
            id: blob,
            flags: 0,
            flags_extended: 0,
            path: path.into_bytes(),
        };
        index.add(&entry).expect("an entry");
        let tree = index.write_tree_to(repository).expect("a tree");
        let tree = repository.find_tree(tree).expect("a tree");
        let seconds = date::start_of(day).expect("a day");
        let author = Signature::new("a", "a@b", &Time::new(seconds, 0)).expect("a name");
        let parents: Vec<_> = parents.iter().collect();
        let commit = repository.commit(None, &author, &author, message, &tree, &parents);
        commit.expect("a commit")
    }

    fn names(labels: &[Label]) -> Vec<&str> {
        labels.iter().map(|it| it.class.as_str()).collect()
    }

    #[test]
    fn a_label_that_the_snapshot_did_not_know_never_reaches_the_past_whatever_its_date() {
        let folder = tempfile::tempdir().expect("a folder");
        let repository = Repository::init_bare(folder.path()).expect("a repository");
        let mut line = Vec::new();
        for name in ["KnownTest", "ForgedTest", "LaterTest", "SkewedTest", "FarTest"] {
            let parents: Vec<Oid> = line.last().copied().into_iter().collect();
            line.push(commit(&repository, name, "a();", "start", "2018-01-01", &parents));
        }
        let start = line[4];
        let known = commit(
            &repository,
            "KnownTest",
            "b();",
            "Fix flaky KnownTest",
            "2018-06-01",
            &[start],
        );
        // Its date is after the split, but it is an ancestor of the snapshot: a clock was wrong.
        let skewed = commit(
            &repository,
            "SkewedTest",
            "b();",
            "Fix flaky SkewedTest",
            "2019-08-01",
            &[known],
        );
        let last = commit(&repository, "OtherTest", "a();", "more", "2018-12-01", &[skewed]);
        // Its date is before the split, but it was merged later.
        let forged = commit(
            &repository,
            "ForgedTest",
            "b();",
            "Fix flaky ForgedTest",
            "2018-03-01",
            &[start],
        );
        let merge = commit(&repository, "MoreTest", "a();", "Merge", "2019-06-01", &[last, forged]);
        let later = commit(
            &repository,
            "LaterTest",
            "b();",
            "Fix flaky LaterTest",
            "2020-01-01",
            &[merge],
        );
        let far = commit(
            &repository,
            "FarTest",
            "b();",
            "Fix flaky FarTest",
            "2025-01-01",
            &[later],
        );
        repository
            .reference("refs/heads/main", far, true, "")
            .expect("a branch");
        repository.set_head("refs/heads/main").expect("a head");

        let path: &Path = folder.path();
        let mined = mine(path, &Request::default(), &|_, _| {}).expect("it is mined");
        assert_eq!(mined.events.len(), 5);
        let known = snapshot(path, None, "2019-01-01")
            .expect("it is read")
            .expect("a commit is older");
        assert_eq!(known.commit, last.to_string());
        let split = LabelSplit::at(&mined, &known, "2019-01-01", "2022-01-01");
        assert_eq!(names(&split.past), ["shop.KnownTest"]);
        assert_eq!(names(&split.later), ["shop.LaterTest"]);
        let mut unknown = names(&split.unknown);
        unknown.sort_unstable();
        assert_eq!(unknown, ["shop.FarTest", "shop.ForgedTest", "shop.SkewedTest"]);
        assert_eq!(LabelSplit::whole(&mined).past.len(), 5);
    }
}
