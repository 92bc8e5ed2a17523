//! What a test can set in motion: the library calls that it, its setup, and the repository's code behind
//! them may make.
//!
//! Names of a project say nothing elsewhere, but `Thread#sleep` three calls down means the same in every
//! repository. Calls are followed through resolved methods, the few implementations of abstract ones, and
//! the initialisers of constructed classes; each library call is kept once, where it is nearest.
//!
//! Invariant: what is reached does not depend on the order in which tests are asked about. Left out: calls
//! on receivers of unknown type whose method the repository may declare itself.

use rustc_hash::FxHashSet;

use crate::analysis::Analysis;
use crate::cut::FEW_IMPLEMENTATIONS;
use crate::extraction::Extraction;
use crate::repository::narrow;
use crate::surroundings::is_setup;
use crate::symbols::index::{Index, MethodId, Targets, TypeId};
use crate::symbols::resolve::{code_targets, method_targets};
use crate::symbols::targets::Target;
use crate::syntax::body::{CONSTRUCTOR, CallSite};
use crate::syntax::declarations::LazyBody;
use crate::syntax::outline::simple_name;

/// Calls are followed this far into the repository's code.
pub const REACH_DEPTH: usize = 3;
/// At most this many bodies are looked into from one test; the nearest come first.
const MOST_BODIES: usize = 600;

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
    pub bodies: [[u32; REACH_DEPTH + 1]; 2],
}

/// A library call with its distance.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReachedCall {
    /// Where the way begins.
    pub origin: Origin,
    /// Zero in the test or setup itself, one in a method it calls, and so on.
    pub depth: usize,
    /// The call.
    pub call: String,
}

impl Analysis<'_> {
    /// What a test can set in motion.
    #[must_use]
    pub fn reach(&self, extraction: &Extraction<'_>) -> Reach {
        let index = self.index();
        let test = extraction.test;
        let mut reach = Reach::default();
        let mut walk = Walk::new(index, test.class, Origin::Body, &mut reach);
        walk.method(test.method);
        walk.run();
        let mut walk = Walk::new(index, test.class, Origin::Setup, &mut reach);
        walk.setup_of(test.class);
        walk.run();
        reach.calls.sort_unstable();
        reach
    }
}

/// A body of the repository: of a method, or of a field or initialiser of a type.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Code<'i, 'r> {
    Method(MethodId, &'i LazyBody<'r>),
    Initialiser(TypeId, &'i LazyBody<'r>),
}

/// A class, the classes around it, and what these inherit from in the repository, each once.
pub(crate) fn setup_types(index: &Index<'_>, class: TypeId) -> Vec<TypeId> {
    let mut types = Vec::new();
    let mut around = Some(class);
    while let Some(outer) = around {
        for ancestor in index.ancestors(outer) {
            if !index.is_library(ancestor.id) && !types.contains(&ancestor.id) {
                types.push(ancestor.id);
            }
        }
        around = index.enclosing(outer);
    }
    types
}

/// The values of the fields and the initialisers of a type.
pub(crate) fn initialisers<'i, 'r>(index: &'i Index<'r>, id: TypeId) -> impl Iterator<Item = Code<'i, 'r>> {
    let declared = index.declaration(id);
    let fields = declared.fields.iter().map(|it| &it.code);
    let blocks = declared.initialisers.iter().map(|it| &it.code);
    fields.chain(blocks).map(move |it| Code::Initialiser(id, it))
}

/// The methods of a type that run before or after its tests, and its constructors.
pub(crate) fn setup_methods<'i>(index: &'i Index<'_>, id: TypeId) -> impl Iterator<Item = MethodId> + 'i {
    let methods = index.declaration(id).methods.iter().enumerate();
    methods
        .filter(|(_, method)| is_setup(method) || method.is_constructor)
        .map(move |(at, _)| MethodId {
            owner: id,
            index: narrow(at),
        })
}

struct Walk<'i, 'r, 'o> {
    index: &'i Index<'r>,
    class: TypeId,
    origin: Origin,
    out: &'o mut Reach,
    /// The bodies of the current depth, then those of the next.
    level: Vec<Code<'i, 'r>>,
    next: Vec<Code<'i, 'r>>,
    methods: FxHashSet<MethodId>,
    types: FxHashSet<TypeId>,
    calls: FxHashSet<String>,
    bodies: usize,
}

impl<'i, 'r, 'o> Walk<'i, 'r, 'o> {
    fn new(index: &'i Index<'r>, class: TypeId, origin: Origin, out: &'o mut Reach) -> Self {
        Self {
            index,
            class,
            origin,
            out,
            level: Vec::new(),
            next: Vec::new(),
            methods: FxHashSet::default(),
            types: FxHashSet::default(),
            calls: FxHashSet::default(),
            bodies: 0,
        }
    }

    fn setup_of(&mut self, class: TypeId) {
        for id in setup_types(self.index, class) {
            self.types.insert(id);
            self.initialisers(id);
            for method in setup_methods(self.index, id) {
                self.method(method);
            }
        }
    }

    fn initialisers(&mut self, id: TypeId) {
        self.next.extend(initialisers(self.index, id));
    }

    fn method(&mut self, id: MethodId) {
        if !self.methods.insert(id) {
            return;
        }
        if let Some(code) = &self.index.method(id).code {
            self.next.push(Code::Method(id, code));
        }
        for &implementation in self.index.implementations(id, FEW_IMPLEMENTATIONS).iter() {
            self.method(implementation);
        }
    }

    fn run(&mut self) {
        for depth in 0..=REACH_DEPTH {
            self.level = std::mem::take(&mut self.next);
            let mut at = 0;
            while let Some(&code) = self.level.get(at) {
                at += 1;
                if self.bodies == MOST_BODIES {
                    return;
                }
                self.bodies += 1;
                self.out.bodies[self.origin as usize][depth] += 1;
                self.body(code, depth);
            }
        }
    }

    fn body(&mut self, code: Code<'i, 'r>, depth: usize) {
        let (body, targets): (_, Targets<'r>) = match code {
            Code::Method(id, body) => (body, method_targets(self.index, id)),
            Code::Initialiser(id, body) => (body, code_targets(self.index, id, body)),
        };
        for (site, target) in body.get().calls.iter().zip(targets.iter()) {
            self.call(site, *target, depth);
        }
    }

    fn call(&mut self, site: &CallSite<'r>, target: Target<'r>, depth: usize) {
        let owner = match target {
            Target::Declared(id) => {
                self.follow(id);
                return;
            }
            Target::Owner(id) => {
                if site.name == CONSTRUCTOR && self.types.insert(id) {
                    self.initialisers(id);
                }
                return;
            }
            Target::Library(id) => self.index.outline(id.owner).name,
            Target::External(name) => simple_name(name),
            Target::Unknown => "",
        };
        let call = format!("{owner}#{}", site.name);
        if self.calls.insert(call.clone()) {
            let origin = self.origin;
            self.out.calls.push(ReachedCall { origin, depth, call });
        }
    }

    fn follow(&mut self, id: MethodId) {
        // A helper of the test's own classes is part of the test.
        if self.index.inherits(self.class, id.owner) && self.methods.insert(id) {
            if let Some(code) = &self.index.method(id).code {
                self.level.push(Code::Method(id, code));
            }
            return;
        }
        self.method(id);
        if self.index.method(id).is_constructor && self.types.insert(id.owner) {
            self.initialisers(id.owner);
        }
    }
}
