//! Small git histories, made in a temporary folder for one test.

// Every test file compiles this module separately and uses only a part of it.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::path::Path;

use git2::{Oid, Repository, Signature, Time};
use peeler_mine::{Mined, Request, mine};
use tempfile::TempDir;

/// A bare git repository whose commits are written one after the other.
pub(crate) struct History {
    folder: TempDir,
    repository: Repository,
    /// The files of the last commit.
    files: BTreeMap<String, String>,
    last: Option<Oid>,
    /// The day of the last commit since 2020-01-01.
    day: i64,
}

impl History {
    /// A history without a commit.
    pub(crate) fn empty() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let repository = Repository::init_bare(folder.path()).expect("a repository");
        Self {
            folder,
            repository,
            files: BTreeMap::new(),
            last: None,
            day: 0,
        }
    }

    /// A history with one commit.
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let mut history = Self::empty();
        history.commit("start", files);
        history
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn repository(&self) -> &Repository {
        &self.repository
    }

    /// Commits new texts of files. An empty text deletes the file.
    pub(crate) fn commit(&mut self, message: &str, files: &[(&str, &str)]) -> Oid {
        let parents: Vec<Oid> = self.last.into_iter().collect();
        self.commit_after(message, files, &parents)
    }

    /// Commits new texts of files on top of the given parents.
    pub(crate) fn commit_after(&mut self, message: &str, files: &[(&str, &str)], parents: &[Oid]) -> Oid {
        for (path, text) in files {
            if text.is_empty() {
                self.files.remove(*path);
            } else {
                self.files.insert((*path).to_owned(), (*text).to_owned());
            }
        }
        self.day += 1;
        let tree = self.tree();
        let time = Time::new(1_577_836_800 + 86_400 * self.day, 0);
        let author = Signature::new("a", "a@b", &time).expect("a name");
        let tree = self.repository.find_tree(tree).expect("a tree");
        let parents: Vec<_> = parents
            .iter()
            .map(|it| self.repository.find_commit(*it).expect("a parent"))
            .collect();
        let parents: Vec<_> = parents.iter().collect();
        let id = self.repository.commit(None, &author, &author, message, &tree, &parents);
        let id = id.expect("a commit");
        self.repository
            .reference("refs/heads/main", id, true, "made")
            .expect("a branch");
        self.repository.set_head("refs/heads/main").expect("a head");
        self.last = Some(id);
        id
    }

    /// The last commit.
    pub(crate) fn last(&self) -> Oid {
        self.last.expect("a commit")
    }

    fn tree(&self) -> Oid {
        let mut update = git2::build::TreeUpdateBuilder::new();
        for (path, text) in &self.files {
            let blob = self.repository.blob(text.as_bytes()).expect("a blob");
            update.upsert(path.as_str(), blob, git2::FileMode::Blob);
        }
        let empty = self
            .repository
            .treebuilder(None)
            .and_then(|it| it.write())
            .expect("a tree");
        let empty = self.repository.find_tree(empty).expect("a tree");
        update.create_updated(&self.repository, &empty).expect("a tree")
    }

    /// Mines the history.
    pub(crate) fn mined(&self) -> Mined {
        self.mined_by(&Request::default())
    }

    pub(crate) fn mined_by(&self, request: &Request) -> Mined {
        mine(self.path(), request, &|_, _| {}).expect("a mined history")
    }

    /// The events as `evidence class#test causes`.
    pub(crate) fn events(&self) -> Vec<String> {
        let shown = |it: &peeler_mine::Event| {
            format!(
                "{} {}#{} {}",
                it.evidence.name(),
                it.class,
                it.test,
                it.causes.join("|")
            )
        };
        self.mined().events.iter().map(shown).collect()
    }
}

/// The path of the test class `shop.CartTest`.
pub(crate) const CART: &str = "core/src/test/java/shop/CartTest.java";
/// The path of a class of main code.
pub(crate) const MAIN: &str = "core/src/main/java/shop/Cart.java";

/// The class `shop.CartTest` with these members.
pub(crate) fn cart(members: &str) -> String {
    format!("package shop;\nimport org.junit.*;\npublic class CartTest {{\n{members}\n}}\n")
}

/// A test with this body.
pub(crate) fn test(name: &str, body: &str) -> String {
    format!("    @Test\n    public void {name}() {{\n        {body}\n    }}\n")
}
