//! What a test can set in motion: the library calls that it, its setup, and the repository's code behind
//! them may make.
//!
//! Names of a project say nothing elsewhere, but `Thread#sleep` three calls down means the same in every
//! repository. Calls are followed as `walk.rs` does; each library call is kept once, where it is nearest.
//!
//! Invariant: what is reached does not depend on the order in which tests are asked about. Left out: calls
//! on receivers of unknown type whose method the repository may declare itself.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::analysis::Analysis;
use crate::extraction::Extraction;
use crate::symbols::index::{FileId, Index, MethodId, TypeId};
use crate::symbols::targets::Target;
use crate::syntax::outline::simple_name;
use crate::walk::{MAX_DEPTH, Walk, setup_types};

/// Where the way to a reached call begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// The body of the test and helpers of its class.
    Body,
    /// Fields, initialisers, setup and teardown of the class, its superclasses and enclosing classes.
    Setup,
}

/// The library calls that a test may make.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reach {
    /// `Type#method`, `Type#<init>` or `#method` where the type is unknown; sorted, each once per origin.
    pub calls: Vec<ReachedCall>,
    /// By origin and depth, how many bodies of the repository are reached there.
    pub bodies: [[u32; MAX_DEPTH + 1]; 2],
    /// The files of the repository that declare what is run or called on the way, as places among its files, sorted.
    pub files: Vec<usize>,
}

/// A library call with its distance.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReachedCall {
    /// Where the way begins.
    pub origin: Origin,
    /// Zero in the test or setup itself, one in a method it calls, and so on.
    pub depth: usize,
    /// The call.
    pub call: Arc<str>,
}

impl Analysis<'_> {
    /// What a test can set in motion, up to `deepest` calls into the repository's code, at most [`MAX_DEPTH`].
    #[must_use]
    pub fn reach(&self, extraction: &Extraction<'_>, deepest: usize) -> Reach {
        let deepest = deepest.min(MAX_DEPTH);
        let index = self.index();
        let test = extraction.test;
        let mut reach = Reach::default();
        reach.add(index, Origin::Body, Walk::of_body(index, test, deepest));
        let setup = self.setup_reach(test.class, deepest);
        // Both are sorted, and the body comes first.
        reach.calls.extend_from_slice(&setup.calls);
        reach.bodies[Origin::Setup as usize] = setup.bodies[Origin::Setup as usize];
        reach.files.push(index.file_of(test.method.owner).0 as usize);
        reach.files.extend_from_slice(&setup.files);
        reach.files.sort_unstable();
        reach.files.dedup();
        reach
    }

    /// What the setup of a class sets in motion, the same for all of its tests.
    fn setup_reach(&self, class: TypeId, deepest: usize) -> Arc<Reach> {
        let asked = (class, deepest);
        let known = self
            .setup_reaches()
            .read()
            .expect("no holder panics")
            .get(&asked)
            .cloned();
        known.unwrap_or_else(|| {
            let index = self.index();
            let mut reach = Reach::default();
            reach.add(index, Origin::Setup, Walk::of_setup(index, class, deepest));
            let around = setup_types(index, class);
            reach
                .files
                .extend(around.iter().map(|it| index.file_of(*it).0 as usize));
            reach.files.sort_unstable();
            reach.files.dedup();
            let reach = Arc::new(reach);
            let mut reaches = self.setup_reaches().write().expect("no holder panics");
            reaches.entry(asked).or_insert(reach).clone()
        })
    }
}

impl Reach {
    /// Adds the library calls on a walk, each where it is nearest.
    fn add<'r>(&mut self, index: &Index<'r>, origin: Origin, walk: Walk<'_, 'r>) {
        let mut seen: FxHashSet<(&str, &str)> = FxHashSet::default();
        let mut files: FxHashSet<FileId> = FxHashSet::default();
        for step in walk {
            self.bodies[origin as usize][step.depth] += 1;
            files.insert(index.file_of(step.code.owner()));
            for (site, target) in step.calls() {
                let owner = match target {
                    Target::Declared(MethodId { owner, .. }) | Target::Owner(owner) => {
                        files.insert(index.file_of(owner));
                        continue;
                    }
                    Target::Library(id) => index.outline(id.owner).name,
                    Target::External(name) => simple_name(name),
                    Target::Unknown => "",
                };
                if seen.insert((owner, site.name)) {
                    let call = format!("{owner}#{}", site.name).into();
                    let depth = step.depth;
                    self.calls.push(ReachedCall { origin, depth, call });
                }
            }
        }
        self.calls.sort_unstable();
        let own = files.into_iter().filter(|it| index.is_repository_file(*it));
        self.files.extend(own.map(|it| it.0 as usize));
    }
}
