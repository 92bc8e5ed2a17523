//! What a test can set in motion: the library calls that it, its setup, and the repository's code behind
//! them may make.
//!
//! Names of a project say nothing elsewhere, but `Thread#sleep` three calls down means the same in every
//! repository. Calls are followed as `walk.rs` does; each library call is kept once, where it is nearest.
//!
//! Invariant: what is reached does not depend on the order in which tests are asked about. Left out: calls
//! on receivers of unknown type whose method the repository may declare itself.

use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::analysis::Analysis;
use crate::symbols::index::{FileId, Index, MethodId, TypeId};
use crate::symbols::targets::Target;
use crate::syntax::outline::simple_name;
use crate::traced::TracedTest;
use crate::walk::{MAX_DEPTH, Walk, setup_types};

/// What a test can set in motion.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reach<'r> {
    /// From its body and the helpers of its class,
    pub body: Way<'r>,
    /// and from fields, initialisers, setup and teardown of the class, its superclasses and enclosing classes: the same for
    /// all tests of a class.
    pub setup: Arc<Way<'r>>,
}

/// What can be set in motion from one beginning.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Way<'r> {
    /// The library calls, the nearest first and then by name; each once.
    pub calls: Vec<ReachedCall<'r>>,
    /// By depth, how many bodies of the repository are reached there.
    pub bodies: [u32; MAX_DEPTH + 1],
    /// The files of the repository that declare what is run or called on the way, as places among its files, sorted.
    files: Vec<usize>,
}

/// A library call with its distance. It is written `Type#method`, `Type#<init>` or `#method` where the type is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReachedCall<'r> {
    /// Zero in the test or setup itself, one in a method it calls, and so on.
    pub depth: usize,
    pub(crate) type_: &'r str,
    pub(crate) method: &'r str,
}

impl ReachedCall<'_> {
    /// Writes it behind a text.
    pub fn append_to(&self, text: &mut String) {
        text.push_str(self.type_);
        text.push('#');
        text.push_str(self.method);
    }
}

impl fmt::Display for ReachedCall<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}#{}", self.type_, self.method)
    }
}

impl<'r> Analysis<'r> {
    /// What a test can set in motion, up to `deepest` calls into the repository's code, at most [`MAX_DEPTH`].
    #[must_use]
    pub fn reach(&self, traced: &TracedTest<'_>, deepest: usize) -> Reach<'r> {
        let deepest = deepest.min(MAX_DEPTH);
        let index = self.index();
        let test = traced.test;
        let declared_in = index.file_of(test.method.owner);
        Reach {
            body: Way::new(index, Walk::of_body(index, test, deepest), [declared_in]),
            setup: self.setup_reach(test.class, deepest),
        }
    }

    /// What the setup of a class sets in motion.
    fn setup_reach(&self, class: TypeId, deepest: usize) -> Arc<Way<'r>> {
        let asked = (class, deepest);
        let known = self
            .setup_reaches()
            .read()
            .expect("no holder panics")
            .get(&asked)
            .cloned();
        known.unwrap_or_else(|| {
            let index = self.index();
            let around = setup_types(index, class);
            let around = around.iter().map(|it| index.file_of(*it));
            let way = Arc::new(Way::new(index, Walk::of_setup(index, class, deepest), around));
            let mut reaches = self.setup_reaches().write().expect("no holder panics");
            reaches.entry(asked).or_insert(way).clone()
        })
    }
}

impl Reach<'_> {
    /// The files of the repository that declare what is run or called on the way, as places among its files, sorted.
    #[must_use]
    pub fn files(&self) -> Vec<usize> {
        let mut files = [self.body.files.as_slice(), &self.setup.files].concat();
        files.sort_unstable();
        files.dedup();
        files
    }
}

impl<'r> Way<'r> {
    /// What is met on a walk: library calls, each where it is nearest, and files beside those in which it begins.
    fn new(index: &Index<'r>, walk: Walk<'_, 'r>, files: impl IntoIterator<Item = FileId>) -> Self {
        let mut way = Self::default();
        let mut seen: FxHashSet<(&str, &str)> = FxHashSet::default();
        let mut files: Vec<FileId> = files.into_iter().collect();
        for step in walk {
            let depth = step.depth;
            way.bodies[depth] += 1;
            files.push(index.file_of(step.code.owner()));
            for (site, target) in step.calls() {
                let type_ = match target {
                    Target::Declared(MethodId { owner, .. }) | Target::Owner(owner) => {
                        files.push(index.file_of(owner));
                        continue;
                    }
                    Target::Library(id) => index.outline(id.owner).name,
                    Target::External(name) => simple_name(name),
                    Target::Unknown => "",
                };
                let method = site.name;
                if seen.insert((type_, method)) {
                    way.calls.push(ReachedCall { depth, type_, method });
                }
            }
        }
        way.calls.sort_unstable();
        files.sort_unstable();
        files.dedup();
        let own = files.into_iter().filter(|it| index.is_repository_file(*it));
        way.files = own.map(|it| it.0 as usize).collect();
        way
    }
}
