//! Reachability: the library calls that a test and its setup may make, directly or through the repository's code.
//!
//! Names of a project mean nothing in another one, but `Thread#sleep` three calls down means the same in every
//! repository. Each library call is listed once, with its smallest depth of calls. Module `walk` follows the calls.
//!
//! Invariant: the result for a test does not depend on which tests were analysed before. Left out: calls on receivers
//! of unknown type whose method the repository may declare itself.

use std::fmt;
use std::sync::{Arc, RwLock};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::discovery::DiscoveredTest;
use crate::lifecycle::setup_types;
use crate::symbols::index::{FileId, Index, MethodId, TypeId};
use crate::symbols::targets::Target;
use crate::syntax::outline::simple_name;
use crate::walk::{CallWalk, MAX_DEPTH, WalkLimits};

/// The library calls reachable from a test.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reachability<'r> {
    /// The code reachable from the body of the test, also through helper methods of its class.
    pub body: ReachableCode<'r>,
    /// The code reachable from fields, initialisers, setup and teardown of the test's class, its superclasses and
    /// enclosing classes. All tests of a class share this.
    pub setup: Arc<ReachableCode<'r>>,
}

/// The code reachable from the body of a test, or from its setup.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReachableCode<'r> {
    /// The library calls in the reachable code, each once. They are sorted by the depth of calls, then by name.
    pub calls: Vec<ReachedCall<'r>>,
    /// The number of reachable bodies of the repository's methods and initialisers, by depth of calls.
    pub bodies: [u32; MAX_DEPTH + 1],
    /// The number of method bodies that were not searched for library calls because there were too many.
    pub dropped_bodies: usize,
    /// The files of the repository that declare the reachable methods and the methods that they call, sorted.
    files: Vec<FileId>,
}

/// A library call with its depth. It is written `Type#method`, `Type#<init>`, or `#method` where the type is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReachedCall<'r> {
    /// The number of calls between the test and the method with this library call: zero in the test or setup itself.
    pub depth: usize,
    pub(crate) type_: &'r str,
    pub(crate) method: &'r str,
}

impl ReachedCall<'_> {
    /// Appends the call to `text`, written as `Type#method`.
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

/// Cache of the code that is reachable from the setups of classes, by class and maximum depth of calls.
pub(crate) type SetupReaches<'r> = RwLock<FxHashMap<(TypeId, usize), Arc<ReachableCode<'r>>>>;

/// The library calls reachable from a test. Calls into the repository's code are followed to a depth of `deepest`, at
/// most [`MAX_DEPTH`].
pub(crate) fn reach<'r>(
    index: &Index<'r>,
    setups: &SetupReaches<'r>,
    test: DiscoveredTest,
    deepest: usize,
) -> Reachability<'r> {
    let deepest = deepest.min(MAX_DEPTH);
    let declared_in = index.file_of(test.method.owner);
    let walk = CallWalk::of_test(index, test.class, test.method, WalkLimits::of_reachability(deepest));
    Reachability {
        body: ReachableCode::new(index, walk, [declared_in]),
        setup: setup_reach(index, setups, test.class, deepest),
    }
}

/// The code reachable from the setup of a class, following at most `deepest` nested calls.
fn setup_reach<'r>(
    index: &Index<'r>,
    setups: &SetupReaches<'r>,
    class: TypeId,
    deepest: usize,
) -> Arc<ReachableCode<'r>> {
    let asked = (class, deepest);
    let known = setups.read().expect("no holder panics").get(&asked).cloned();
    known.unwrap_or_else(|| {
        let around = setup_types(index, class);
        let around = around.iter().map(|it| index.file_of(*it));
        let walk = CallWalk::of_setup(index, class, WalkLimits::of_reachability(deepest));
        let code = Arc::new(ReachableCode::new(index, walk, around));
        let mut reaches = setups.write().expect("no holder panics");
        reaches.entry(asked).or_insert(code).clone()
    })
}

impl Reachability<'_> {
    /// The files of the repository that declare the methods reachable from the test and its setup, and the methods that
    /// these call, sorted.
    #[must_use]
    pub fn files(&self) -> Vec<FileId> {
        let mut files = [self.body.files.as_slice(), &self.setup.files].concat();
        files.sort_unstable();
        files.dedup();
        files
    }
}

impl<'r> ReachableCode<'r> {
    /// The library calls in the bodies that `walk` visits. The result also lists `files`, the files of these bodies,
    /// and the files of the methods that the bodies call.
    fn new(index: &Index<'r>, mut walk: CallWalk<'_, 'r>, files: impl IntoIterator<Item = FileId>) -> Self {
        let mut code = Self::default();
        let mut seen: FxHashSet<(&str, &str)> = FxHashSet::default();
        let mut files: Vec<FileId> = files.into_iter().collect();
        for body in walk.by_ref() {
            let depth = body.depth;
            code.bodies[depth] += 1;
            files.push(index.file_of(body.code.owner()));
            for (site, target) in body.calls() {
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
                    code.calls.push(ReachedCall { depth, type_, method });
                }
            }
        }
        code.dropped_bodies = walk.remaining_bodies();
        code.calls.sort_unstable();
        files.sort_unstable();
        files.dedup();
        files.retain(|it| index.is_repository_file(*it));
        code.files = files;
        code
    }
}
