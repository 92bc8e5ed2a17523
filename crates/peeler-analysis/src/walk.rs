//! Walks from a test, its setup or any method through the bodies of the repository that it can run.
//!
//! Calls are followed through resolved methods, the few implementations of abstract ones, and the initialisers of
//! constructed classes. The depth of a body is the number of calls between the test and the body. A helper of the
//! test's own classes is part of the test and has the depth of its caller.
//!
//! Invariant: every body is met once, and none lies deeper than asked for. If two breadth-first walks from one start
//! differ only in their limits, one of them visits a prefix of what the other visits. A walk that stops at its limit
//! says how many bodies it left out.

use rustc_hash::FxHashSet;

use crate::lifecycle::{setup_methods, setup_types};
use crate::repository::narrow;
use crate::symbols::index::{Index, MethodId, TypeId};
use crate::symbols::resolve::{code_targets, method_targets};
use crate::symbols::targets::Target;
use crate::syntax::body::{CONSTRUCTOR, CallSite};
use crate::syntax::declarations::LazyBody;

/// The maximum number of nested calls that are followed from a test into the repository's code.
pub use peeler_features::MAX_DEPTH;

/// The maximum number of bodies that are visited together by the walks over the calls of all methods of a class. With
/// very many methods, each walk visits fewer bodies.
const MAX_CLASS_VISITS: usize = 1_000_000;
/// The number of bodies that a walk over the calls of a test may always visit, even if the test class has very many
/// methods.
const MIN_BODIES: usize = 20;

/// A body of the repository: of a method, or of a field or initialiser of a type.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Code<'i, 'r> {
    Method(MethodId, &'i LazyBody<'r>),
    Initialiser(TypeId, &'i LazyBody<'r>),
}

impl<'i, 'r> Code<'i, 'r> {
    /// The type that declares the method, field or initialiser of the body.
    pub(crate) fn owner(&self) -> TypeId {
        match self {
            Self::Method(id, _) => id.owner,
            Self::Initialiser(id, _) => *id,
        }
    }

    pub(crate) fn body(&self) -> &'i LazyBody<'r> {
        match self {
            Self::Method(_, body) | Self::Initialiser(_, body) => body,
        }
    }

    /// The targets of the calls in the body.
    pub(crate) fn targets<'t>(&self, index: &'t Index<'r>) -> &'t [Target<'r>] {
        match self {
            Self::Method(id, _) => method_targets(index, *id),
            Self::Initialiser(id, body) => code_targets(index, *id, body),
        }
    }
}

/// Code of the repository that a call runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Callee {
    Method(MethodId),
    /// The implicit constructor of a class that declares no constructor.
    ImplicitConstructor(TypeId),
}

impl Callee {
    /// The name of the callee: `Type#method`, or `Type#<init>` for a constructor.
    pub(crate) fn name(self, index: &Index<'_>) -> String {
        let (owner, name) = match self {
            Self::ImplicitConstructor(id) => (id, CONSTRUCTOR),
            Self::Method(id) if index.method(id).is_constructor => (id.owner, CONSTRUCTOR),
            Self::Method(id) => (id.owner, index.method(id).name),
        };
        format!("{}#{name}", index.outline(owner).name)
    }
}

/// Limits of a walk over the bodies that a test can run, and its order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WalkLimits {
    /// The maximum number of calls between a test and the bodies that are visited.
    pub(crate) depth: usize,
    /// The maximum number of visited bodies among those that a test can run. Further bodies are only counted.
    pub(crate) bodies: usize,
    pub(crate) order: WalkOrder,
    pub(crate) helpers: HelperCalls,
}

/// The order in which the bodies that a test can run are visited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WalkOrder {
    /// Breadth-first: all bodies at one number of calls from the test are visited before those further away.
    ByDepth,
    /// Bodies are visited in the order in which the walk finds calls of them, whatever their number of calls from the
    /// test.
    ByCall,
}

/// The way in which calls of methods of the test's own classes are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HelperCalls {
    /// Calls of methods of the test's own classes are followed into the declared body only.
    Declared,
    /// Calls of methods of the test's own classes are followed into the declared body, its implementations, and the
    /// initialisers of a constructed class.
    WithImplementations,
}

impl WalkLimits {
    /// Limits for the search for library calls that a test can reach.
    pub(crate) fn of_reachability(depth: usize) -> Self {
        Self {
            depth,
            bodies: 600,
            order: WalkOrder::ByDepth,
            helpers: HelperCalls::Declared,
        }
    }

    /// Limits for the search for causes of nondeterminism in code that a test can reach.
    pub(crate) fn of_causes(depth: usize) -> Self {
        Self {
            depth,
            bodies: 400,
            order: WalkOrder::ByCall,
            helpers: HelperCalls::WithImplementations,
        }
    }
}

/// A body that a test, its setup or given methods can run, as a walk over their calls visits it.
pub(crate) struct ReachedBody<'i, 'r> {
    pub(crate) code: Code<'i, 'r>,
    /// The number of calls between the test and the body: zero in the test or setup itself.
    pub(crate) depth: usize,
    /// The index, among the methods at which the walk started, of the one that leads to the body. Zero if the walk
    /// started at a test or its setup.
    pub(crate) root: usize,
    /// Whether the body may contain calls, decided by a search of its source.
    pub(crate) may_call: bool,
    visit: u32,
    targets: &'i [Target<'r>],
}

impl<'r> ReachedBody<'_, 'r> {
    /// The calls of the body with their targets.
    pub(crate) fn calls(&self) -> impl Iterator<Item = (&CallSite<'r>, Target<'r>)> {
        let sites: &[CallSite<'r>] = if self.targets.is_empty() {
            &[]
        } else {
            &self.code.body().get().calls
        };
        sites.iter().zip(self.targets.iter().copied())
    }
}

/// The field values and initialiser blocks of a type.
pub(crate) fn initialisers<'i, 'r>(index: &'i Index<'r>, id: TypeId) -> impl Iterator<Item = Code<'i, 'r>> {
    let declared = index.declaration(id);
    let fields = declared.fields.iter().map(|it| &it.code);
    let blocks = declared.initialisers.iter().map(|it| &it.code);
    fields.chain(blocks).map(move |it| Code::Initialiser(id, it))
}

/// A body that a walk over the calls of a test has visited or will visit, with its caller.
#[derive(Clone, Copy)]
struct Waiting<'i, 'r> {
    code: Code<'i, 'r>,
    caller: Caller,
    callee: Option<Callee>,
}

/// How a walk over the calls of a test comes to a body: where it started, the calling body, and the depth.
#[derive(Clone, Copy)]
struct Caller {
    root: u32,
    /// The position of the calling body among the visited bodies; `None` if a walk starts with the called body.
    visit: Option<u32>,
    depth: u32,
}

impl Caller {
    const START: Self = Self {
        root: 0,
        visit: None,
        depth: 0,
    };
}

/// An iterator over the bodies that a test, its setup or given methods can run.
pub(crate) struct CallWalk<'i, 'r> {
    index: &'i Index<'r>,
    class: TypeId,
    limits: WalkLimits,
    /// The bodies that the walk has visited, followed by the queue of bodies to visit, in order.
    bodies: Vec<Waiting<'i, 'r>>,
    visited: usize,
    /// Bodies that are more calls away from the test than the body now visited. A breadth-first walk visits them after
    /// all known bodies that are nearer.
    deeper: Vec<Waiting<'i, 'r>>,
    methods: FxHashSet<MethodId>,
    types: FxHashSet<TypeId>,
}

impl<'i, 'r> CallWalk<'i, 'r> {
    /// A walk over the bodies that a method of a test class can run, starting with its own body.
    pub(crate) fn of_test(index: &'i Index<'r>, class: TypeId, method: MethodId, limits: WalkLimits) -> Self {
        let mut walk = Self::new(index, class, limits);
        walk.methods.insert(method);
        if let Some(body) = &index.method(method).code {
            walk.add(Code::Method(method, body), Caller::START, None);
        }
        walk
    }

    /// A walk over the bodies that run for the setup of a class. It starts with fields, initialisers, setup and
    /// teardown of the class, its superclasses and enclosing classes.
    pub(crate) fn of_setup(index: &'i Index<'r>, class: TypeId, limits: WalkLimits) -> Self {
        let mut walk = Self::new(index, class, limits);
        for id in setup_types(index, class) {
            walk.types.insert(id);
            walk.initialisers(id, Caller::START, None);
            for method in setup_methods(index, id) {
                walk.method(method, Caller::START);
            }
        }
        walk
    }

    /// A walk over the bodies that `callees` can run. A test of `class` calls these callees itself; callees that are
    /// methods of the test's own classes are left out.
    pub(crate) fn of_callees(index: &'i Index<'r>, class: TypeId, callees: &[Callee], limits: WalkLimits) -> Self {
        let mut walk = Self::new(index, class, limits);
        for (root, callee) in callees.iter().enumerate() {
            let caller = Caller {
                root: narrow(root),
                visit: None,
                depth: 1,
            };
            match *callee {
                Callee::Method(id) if index.inherits(class, id.owner) => {}
                Callee::Method(id) => walk.call(id, caller),
                Callee::ImplicitConstructor(id) => walk.construct(id, caller),
            }
        }
        walk
    }

    fn new(index: &'i Index<'r>, class: TypeId, limits: WalkLimits) -> Self {
        let methods = index.declaration(class).methods.len();
        let most = (MAX_CLASS_VISITS / methods.max(1)).max(MIN_BODIES);
        Self {
            index,
            class,
            limits: WalkLimits {
                bodies: limits.bodies.min(most),
                ..limits
            },
            bodies: Vec::new(),
            visited: 0,
            deeper: Vec::new(),
            methods: FxHashSet::default(),
            types: FxHashSet::default(),
        }
    }

    /// The number of known bodies that the walk has not visited yet. After the end of a walk these are the bodies
    /// beyond its limit.
    pub(crate) fn remaining_bodies(&self) -> usize {
        self.bodies.len() - self.visited + self.deeper.len()
    }

    /// The chain of callees that leads to a body, outermost first. The last callee is the body itself.
    pub(crate) fn callees_to(&self, body: &ReachedBody<'i, 'r>) -> Vec<Callee> {
        let mut callees = Vec::new();
        let mut next = Some(body.visit);
        while let Some(visit) = next {
            let Waiting { caller, callee, .. } = self.bodies[visit as usize];
            callees.extend(callee);
            next = caller.visit;
        }
        callees.reverse();
        callees
    }

    /// Adds to the walk a method of the repository that the current body calls. Before the first body, the test is
    /// taken as the caller.
    pub(crate) fn follow(&mut self, id: MethodId) {
        let caller = self.visited.checked_sub(1).map(|visit| {
            let current = self.bodies[visit].caller;
            Caller {
                visit: Some(narrow(visit)),
                ..current
            }
        });
        self.follow_from(id, caller);
    }

    /// Adds a method that the current body calls to the bodies to visit. `current` describes that body, and is `None`
    /// before the first body.
    fn follow_from(&mut self, id: MethodId, current: Option<Caller>) {
        let same_depth = current.unwrap_or(Caller::START);
        let next_depth = Caller {
            depth: current.map_or(0, |it| it.depth + 1),
            ..same_depth
        };
        // A helper of the test's own classes is part of the test.
        let is_helper = self.index.inherits(self.class, id.owner);
        match self.limits.helpers {
            HelperCalls::Declared if is_helper && self.methods.insert(id) => {
                if let Some(body) = &self.index.method(id).code {
                    self.add(Code::Method(id, body), same_depth, Some(Callee::Method(id)));
                }
            }
            HelperCalls::WithImplementations if is_helper => self.call(id, same_depth),
            _ => self.call(id, next_depth),
        }
    }

    /// Adds a method to the walk, with its implementations and, for a constructor, the initialisers of its class.
    fn call(&mut self, id: MethodId, caller: Caller) {
        if caller.depth as usize > self.limits.depth {
            return;
        }
        self.method(id, caller);
        if self.index.method(id).is_constructor && self.types.insert(id.owner) {
            self.initialisers(id.owner, caller, Some(Callee::Method(id)));
        }
    }

    /// For `new Cart()` of a class without a declared constructor, adds the field values and initialiser blocks of the
    /// class to the walk.
    fn construct(&mut self, id: TypeId, caller: Caller) {
        if caller.depth as usize <= self.limits.depth && self.types.insert(id) {
            self.initialisers(id, caller, Some(Callee::ImplicitConstructor(id)));
        }
    }

    fn initialisers(&mut self, id: TypeId, caller: Caller, callee: Option<Callee>) {
        for code in initialisers(self.index, id) {
            self.add(code, caller, callee);
        }
    }

    fn method(&mut self, id: MethodId, caller: Caller) {
        if !self.methods.insert(id) {
            return;
        }
        if let Some(body) = &self.index.method(id).code {
            self.add(Code::Method(id, body), caller, Some(Callee::Method(id)));
        }
        for &implementation in self.index.implementations(id) {
            self.method(implementation, caller);
        }
    }

    fn add(&mut self, code: Code<'i, 'r>, caller: Caller, callee: Option<Callee>) {
        let current = self.visited.checked_sub(1).map(|at| self.bodies[at].caller.depth);
        let is_deeper = current.is_some_and(|it| it < caller.depth);
        let list = if is_deeper && self.limits.order == WalkOrder::ByDepth {
            &mut self.deeper
        } else {
            &mut self.bodies
        };
        list.push(Waiting { code, caller, callee });
    }
}

impl<'i, 'r> Iterator for CallWalk<'i, 'r> {
    type Item = ReachedBody<'i, 'r>;

    fn next(&mut self) -> Option<ReachedBody<'i, 'r>> {
        if self.visited == self.limits.bodies {
            return None;
        }
        if self.visited == self.bodies.len() {
            self.bodies.append(&mut self.deeper);
        }
        let Waiting { code, caller, .. } = *self.bodies.get(self.visited)?;
        let visit = narrow(self.visited);
        self.visited += 1;
        // Half of all bodies are getters, setters and constants, which contain no calls.
        let may_call = code.body().may_call();
        let targets = if may_call { code.targets(self.index) } else { &[] };
        let body = ReachedBody {
            code,
            depth: caller.depth as usize,
            root: caller.root as usize,
            may_call,
            visit,
            targets,
        };
        let caller = Caller {
            visit: Some(visit),
            ..caller
        };
        for (site, target) in body.calls() {
            match target {
                Target::Declared(id) => self.follow_from(id, Some(caller)),
                Target::Owner(id) if site.name == CONSTRUCTOR => {
                    let depth = caller.depth + 1;
                    self.construct(id, Caller { depth, ..caller });
                }
                _ => {}
            }
        }
        Some(body)
    }
}
