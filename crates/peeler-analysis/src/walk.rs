//! The way from a test, or from its setup, through the bodies of the repository that it can run.
//!
//! Calls are followed through resolved methods, the few implementations of abstract ones, and the initialisers of
//! constructed classes, level by level. A helper of the test's own classes is part of the test, no step away from it.
//!
//! Invariant: every body is met once, the nearest first, and none lies deeper than asked for. What a shorter walk meets is
//! what a longer one meets first.

use rustc_hash::FxHashSet;

use crate::discovery::DiscoveredTest;
use crate::repository::narrow;
use crate::surroundings::is_setup;
use crate::symbols::index::{Index, MethodId, TypeId};
use crate::symbols::resolve::{code_targets, method_targets};
use crate::symbols::targets::Target;
use crate::syntax::body::{CONSTRUCTOR, CallSite};
use crate::syntax::declarations::LazyBody;

/// Calls are followed this far into the repository's code at most.
pub use peeler_features::MAX_DEPTH;
/// At most this many bodies are looked into on one walk; the nearest come first.
const MOST_BODIES: usize = 600;

/// A body of the repository: of a method, or of a field or initialiser of a type.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Code<'i, 'r> {
    Method(MethodId, &'i LazyBody<'r>),
    Initialiser(TypeId, &'i LazyBody<'r>),
}

impl<'i, 'r> Code<'i, 'r> {
    /// The type that declares it.
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

    /// What its calls resolve to.
    pub(crate) fn targets<'t>(&self, index: &'t Index<'r>) -> &'t [Target<'r>] {
        match self {
            Self::Method(id, _) => method_targets(index, *id),
            Self::Initialiser(id, body) => code_targets(index, *id, body),
        }
    }
}

/// A body that was met.
pub(crate) struct Step<'i, 'r> {
    pub(crate) code: Code<'i, 'r>,
    /// Zero in the test or setup itself, one in a method it calls, and so on.
    pub(crate) depth: usize,
    targets: &'i [Target<'r>],
}

impl<'r> Step<'_, 'r> {
    /// The calls of the body with what they resolve to.
    pub(crate) fn calls(&self) -> impl Iterator<Item = (&CallSite<'r>, Target<'r>)> {
        let sites: &[CallSite<'r>] = if self.targets.is_empty() {
            &[]
        } else {
            &self.code.body().get().calls
        };
        sites.iter().zip(self.targets.iter().copied())
    }
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

/// The bodies on the way, nearest first.
pub(crate) struct Walk<'i, 'r> {
    index: &'i Index<'r>,
    class: TypeId,
    deepest: usize,
    /// How many levels have begun.
    levels: usize,
    /// The bodies of the current level and how many of them were met, then those of the next.
    level: Vec<Code<'i, 'r>>,
    met: usize,
    next: Vec<Code<'i, 'r>>,
    methods: FxHashSet<MethodId>,
    types: FxHashSet<TypeId>,
    bodies: usize,
}

impl<'i, 'r> Walk<'i, 'r> {
    /// From the body of a test and the helpers of its class.
    pub(crate) fn of_body(index: &'i Index<'r>, test: DiscoveredTest, deepest: usize) -> Self {
        let mut walk = Self::new(index, test.class, deepest);
        walk.method(test.method);
        walk
    }

    /// From the fields, initialisers, setup and teardown of a class, its superclasses and enclosing classes.
    pub(crate) fn of_setup(index: &'i Index<'r>, class: TypeId, deepest: usize) -> Self {
        let mut walk = Self::new(index, class, deepest);
        for id in setup_types(index, class) {
            walk.types.insert(id);
            walk.initialisers(id);
            for method in setup_methods(index, id) {
                walk.method(method);
            }
        }
        walk
    }

    fn new(index: &'i Index<'r>, class: TypeId, deepest: usize) -> Self {
        Self {
            index,
            class,
            deepest,
            levels: 0,
            level: Vec::new(),
            met: 0,
            next: Vec::new(),
            methods: FxHashSet::default(),
            types: FxHashSet::default(),
            bodies: 0,
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
        for &implementation in self.index.implementations(id) {
            self.method(implementation);
        }
    }

    /// Goes into a method of the repository that the current body leads to, or the test itself before the first.
    pub(crate) fn follow(&mut self, id: MethodId) {
        // A helper of the test's own classes is part of the test.
        if self.index.inherits(self.class, id.owner) && self.methods.insert(id) {
            if let Some(code) = &self.index.method(id).code {
                let level = if self.levels == 0 {
                    &mut self.next
                } else {
                    &mut self.level
                };
                level.push(Code::Method(id, code));
            }
            return;
        }
        if self.levels > self.deepest {
            return;
        }
        self.method(id);
        if self.index.method(id).is_constructor && self.types.insert(id.owner) {
            self.initialisers(id.owner);
        }
    }

    fn next_code(&mut self) -> Option<Code<'i, 'r>> {
        while self.met == self.level.len() {
            if self.levels > self.deepest {
                return None;
            }
            self.levels += 1;
            self.met = 0;
            self.level = std::mem::take(&mut self.next);
        }
        self.met += 1;
        Some(self.level[self.met - 1])
    }
}

impl<'i, 'r> Iterator for Walk<'i, 'r> {
    type Item = Step<'i, 'r>;

    fn next(&mut self) -> Option<Step<'i, 'r>> {
        if self.bodies == MOST_BODIES {
            return None;
        }
        let code = self.next_code()?;
        self.bodies += 1;
        let targets = match code {
            // Getters, setters and constants are half of what is met.
            _ if !code.body().may_call() => &[],
            Code::Method(id, _) => method_targets(self.index, id),
            Code::Initialiser(id, body) => code_targets(self.index, id, body),
        };
        let step = Step {
            code,
            depth: self.levels - 1,
            targets,
        };
        for (site, target) in step.calls() {
            match target {
                Target::Declared(id) => self.follow(id),
                Target::Owner(id) if site.name == CONSTRUCTOR && self.types.insert(id) => self.initialisers(id),
                _ => {}
            }
        }
        Some(step)
    }
}
