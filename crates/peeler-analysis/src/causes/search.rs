//! Where causes are looked for: the bodies of a test's own classes, its setup, and the code that these call.
//!
//! Calls are followed as `walk.rs` does: through resolved methods, the few implementations of abstract ones, and the
//! initialisers of constructed classes. A helper of the test's own classes is part of the test, no step away from it.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::CauseFinder;
use super::scan::Site;
use super::statics::{setup_and_teardown, static_writes, teardown};
use crate::symbols::index::{Index, MethodId, TypeId};
use crate::symbols::targets::Target;
use crate::syntax::body::CONSTRUCTOR;
use crate::walk::{Code, initialisers, setup_methods, setup_types};

/// At most this many bodies are looked into in one search; the nearest come first.
const MOST_BODIES: usize = 400;

/// A site with the way to it.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) site: Arc<Site>,
    /// How many calls away from the test's own classes.
    pub(super) depth: usize,
    /// What was called on the way.
    pub(super) via: Vec<Called>,
    /// Where the way began among what was asked about; zero for a test and its setup.
    pub(super) root: usize,
}

/// Whose static writes are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Statics {
    Look,
    Ignore,
}

/// A body to look into.
#[derive(Clone, Copy)]
struct Step<'i, 'r> {
    code: Code<'i, 'r>,
    depth: usize,
    way: Way,
}

/// How a search came to a body: where it began, the step, by its place, whose code called it, and what was called. The last
/// two are none in the test itself and its setup.
#[derive(Debug, Clone, Copy, Default)]
struct Way {
    root: usize,
    from: Option<usize>,
    called: Option<Called>,
}

impl Way {
    fn through(self, called: Called) -> Self {
        Self {
            called: Some(called),
            ..self
        }
    }
}

pub(super) struct Search<'i, 'r> {
    finder: &'i CauseFinder<'i, 'r>,
    index: &'i Index<'r>,
    class: TypeId,
    deepest: usize,
    statics: Statics,
    restoring: Vec<&'r str>,
    teardown: Vec<&'r str>,
    /// In the order in which they are looked into.
    steps: Vec<Step<'i, 'r>>,
    methods: FxHashSet<MethodId>,
    types: FxHashSet<TypeId>,
    found: Vec<Found>,
}

impl<'i, 'r> Search<'i, 'r> {
    /// A search for tests of `class` that goes `deepest` calls into other code.
    pub(super) fn new(finder: &'i CauseFinder<'i, 'r>, class: TypeId, deepest: usize) -> Self {
        let index = finder.analysis.index();
        Self {
            finder,
            index,
            class,
            deepest,
            statics: Statics::Ignore,
            restoring: Vec::new(),
            teardown: teardown(index, class),
            steps: Vec::new(),
            methods: FxHashSet::default(),
            types: FxHashSet::default(),
            found: Vec::new(),
        }
    }

    /// What stands in a test and the helpers of its classes.
    pub(super) fn test(mut self, method: MethodId) -> Vec<Found> {
        self.statics = Statics::Look;
        self.restoring = setup_and_teardown(self.index, self.class);
        self.methods.insert(method);
        if let Some(body) = &self.index.method(method).code {
            self.steps.push(Step {
                code: Code::Method(method, body),
                depth: 0,
                way: Way::default(),
            });
        }
        self.run()
    }

    /// What stands in the fields, initialisers, setup and teardown of the class, of what it inherits from and of the
    /// classes around it.
    pub(super) fn setup(mut self) -> Vec<Found> {
        for id in setup_types(self.index, self.class) {
            self.types.insert(id);
            self.initialise(id, 0, Way::default());
            for method in setup_methods(self.index, id) {
                self.method(method, 0, Way::default());
            }
        }
        self.run()
    }

    /// What stands in methods that the test calls, and below.
    pub(super) fn called(mut self, roots: &[Called]) -> Vec<Found> {
        for (root, code) in roots.iter().enumerate() {
            let way = Way { root, ..Way::default() };
            match *code {
                Called::Method(id) if self.index.inherits(self.class, id.owner) => {}
                Called::Method(id) => self.follow(id, 1, way),
                Called::Type(id) => self.construct(id, 1, way),
            }
        }
        self.run()
    }

    fn run(mut self) -> Vec<Found> {
        for at in 0..MOST_BODIES {
            if at == self.steps.len() {
                break;
            }
            self.body(at);
        }
        self.found.sort_by_key(|it| it.depth);
        self.found
    }

    fn body(&mut self, at: usize) {
        let Step { code, depth, way } = self.steps[at];
        let looks_at_statics = self.statics == Statics::Look;
        // Getters, setters and constants are half of what is met. They have no calls, and all but static state is found by calls.
        if !looks_at_statics && !code.body().may_call() {
            return;
        }
        let mut all: Vec<Arc<Site>> = Vec::new();
        if looks_at_statics {
            let frame = self.finder.orders().bare_frame_of(code);
            let writes = static_writes(self.index, self.class, &frame, code.body().get(), &self.restoring);
            all.extend(writes.into_iter().map(Arc::new));
        }
        all.extend_from_slice(&self.finder.sites(code, &self.teardown));
        for site in all {
            let via = self.via(at);
            self.found.push(Found {
                site,
                depth,
                via,
                root: way.root,
            });
        }
        let way = Way {
            root: way.root,
            from: Some(at),
            called: None,
        };
        let targets = code.targets(self.index);
        for (site, target) in code.body().get().calls.iter().zip(targets.iter()) {
            match *target {
                Target::Declared(id) => {
                    let is_own = self.index.inherits(self.class, id.owner);
                    self.follow(id, if is_own { depth } else { depth + 1 }, way);
                }
                Target::Owner(id) if site.name == CONSTRUCTOR => self.construct(id, depth + 1, way),
                _ => {}
            }
        }
    }

    /// What was called on the way to a step.
    fn via(&self, at: usize) -> Vec<Called> {
        let mut via = Vec::new();
        let mut next = Some(at);
        while let Some(at) = next {
            let way = self.steps[at].way;
            via.extend(way.called);
            next = way.from;
        }
        via.reverse();
        via
    }

    fn follow(&mut self, id: MethodId, depth: usize, way: Way) {
        if depth > self.deepest {
            return;
        }
        self.method(id, depth, way);
        if self.index.method(id).is_constructor && self.types.insert(id.owner) {
            self.initialise(id.owner, depth, way.through(Called::Method(id)));
        }
    }

    fn construct(&mut self, id: TypeId, depth: usize, way: Way) {
        if depth <= self.deepest && self.types.insert(id) {
            self.initialise(id, depth, way.through(Called::Type(id)));
        }
    }

    fn initialise(&mut self, id: TypeId, depth: usize, way: Way) {
        let all = initialisers(self.index, id);
        self.steps.extend(all.map(|code| Step { code, depth, way }));
    }

    fn method(&mut self, id: MethodId, depth: usize, way: Way) {
        if !self.methods.insert(id) {
            return;
        }
        if let Some(body) = &self.index.method(id).code {
            self.steps.push(Step {
                code: Code::Method(id, body),
                depth,
                way: way.through(Called::Method(id)),
            });
        }
        for &implementation in self.index.implementations(id) {
            self.method(implementation, depth, way);
        }
    }
}

/// Something of the repository that is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Called {
    Method(MethodId),
    /// A constructor that nobody wrote.
    Type(TypeId),
}

impl Called {
    /// `Type#method`.
    pub(super) fn name(self, index: &Index<'_>) -> String {
        let (owner, name) = match self {
            Self::Type(id) => (id, CONSTRUCTOR),
            Self::Method(id) if index.method(id).is_constructor => (id.owner, CONSTRUCTOR),
            Self::Method(id) => (id.owner, index.method(id).name),
        };
        format!("{}#{name}", index.outline(owner).name)
    }
}
