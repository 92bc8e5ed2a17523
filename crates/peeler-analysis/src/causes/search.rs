//! Where causes are looked for: the bodies of a test's own classes, its setup, and the code that these call.
//!
//! Calls are followed as `walk.rs` does: through resolved methods, the few implementations of abstract ones, and the
//! initialisers of constructed classes. A helper of the test's own classes is part of the test, no step away from it.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::CauseFinder;
use super::scan::Site;
use super::statics::{setup_and_teardown, static_writes, teardown};
use crate::cut::FEW_IMPLEMENTATIONS;
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
    pub(super) via: Vec<String>,
    /// Whether the way began where an assertion would notice another order.
    pub(super) sees_order: bool,
}

/// Whose static writes are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Statics {
    Look,
    Ignore,
}

struct Step<'i, 'r> {
    code: Code<'i, 'r>,
    depth: usize,
    /// What was called on the way. It has a name only where something is found.
    via: Vec<Called>,
    sees_order: bool,
}

pub(super) struct Search<'i, 'r> {
    finder: &'i CauseFinder<'i, 'r>,
    index: &'i Index<'r>,
    class: TypeId,
    deepest: usize,
    statics: Statics,
    restoring: Vec<&'r str>,
    teardown: Vec<&'r str>,
    pending: VecDeque<Step<'i, 'r>>,
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
            pending: VecDeque::new(),
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
            self.pending.push_back(Step {
                code: Code::Method(method, body),
                depth: 0,
                via: Vec::new(),
                sees_order: true,
            });
        }
        self.run()
    }

    /// What stands in the fields, initialisers, setup and teardown of the class, of what it inherits from and of the
    /// classes around it.
    pub(super) fn setup(mut self) -> Vec<Found> {
        for id in setup_types(self.index, self.class) {
            self.types.insert(id);
            self.initialise(id, 0, &[], true);
            for method in setup_methods(self.index, id) {
                self.method(method, 0, &[], true);
            }
        }
        self.run()
    }

    /// What stands in methods that the test calls, and below.
    pub(super) fn called(mut self, roots: impl IntoIterator<Item = Root>) -> Vec<Found> {
        for root in roots {
            match root.code {
                Called::Method(id) if !self.index.inherits(self.class, id.owner) => {
                    self.follow(id, 1, &[], root.sees_order);
                }
                Called::Method(_) => {}
                Called::Type(id) => self.construct(id, 1, &[], root.sees_order),
            }
        }
        self.run()
    }

    fn run(mut self) -> Vec<Found> {
        for _ in 0..MOST_BODIES {
            let Some(step) = self.pending.pop_front() else {
                break;
            };
            self.body(&step);
        }
        self.found.sort_by_key(|it| it.depth);
        self.found
    }

    fn body(&mut self, step: &Step<'i, 'r>) {
        let mut all: Vec<Arc<Site>> = Vec::new();
        if self.statics == Statics::Look {
            let frame = self.finder.orders().bare_frame_of(step.code);
            let body = step.code.body().get();
            let writes = static_writes(self.index, self.class, &frame, body, &self.restoring);
            all.extend(writes.into_iter().map(Arc::new));
        }
        all.extend_from_slice(&self.finder.sites(step.code, &self.teardown));
        let index = self.index;
        self.found.extend(all.into_iter().map(|site| Found {
            site,
            depth: step.depth,
            via: step.via.iter().map(|it| it.name(index)).collect(),
            sees_order: step.sees_order,
        }));
        let targets = step.code.targets(self.index);
        for (site, target) in step.code.body().get().calls.iter().zip(targets.iter()) {
            match *target {
                Target::Declared(id) => {
                    let is_own = self.index.inherits(self.class, id.owner);
                    let depth = if is_own { step.depth } else { step.depth + 1 };
                    self.follow(id, depth, &step.via, step.sees_order);
                }
                Target::Owner(id) if site.name == CONSTRUCTOR => {
                    self.construct(id, step.depth + 1, &step.via, step.sees_order);
                }
                _ => {}
            }
        }
    }

    fn follow(&mut self, id: MethodId, depth: usize, via: &[Called], sees_order: bool) {
        if depth > self.deepest {
            return;
        }
        self.method(id, depth, via, sees_order);
        if self.index.method(id).is_constructor && self.types.insert(id.owner) {
            let via = longer(via, Called::Method(id));
            self.initialise(id.owner, depth, &via, sees_order);
        }
    }

    fn construct(&mut self, id: TypeId, depth: usize, via: &[Called], sees_order: bool) {
        if depth <= self.deepest && self.types.insert(id) {
            let via = longer(via, Called::Type(id));
            self.initialise(id, depth, &via, sees_order);
        }
    }

    fn initialise(&mut self, id: TypeId, depth: usize, via: &[Called], sees_order: bool) {
        self.pending.extend(initialisers(self.index, id).map(|code| Step {
            code,
            depth,
            via: via.to_vec(),
            sees_order,
        }));
    }

    fn method(&mut self, id: MethodId, depth: usize, via: &[Called], sees_order: bool) {
        if !self.methods.insert(id) {
            return;
        }
        if let Some(body) = &self.index.method(id).code {
            self.pending.push_back(Step {
                code: Code::Method(id, body),
                depth,
                via: longer(via, Called::Method(id)),
                sees_order,
            });
        }
        for &implementation in self.index.implementations(id, FEW_IMPLEMENTATIONS).iter() {
            self.method(implementation, depth, via, sees_order);
        }
    }
}

/// Where a search in called code begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Root {
    pub(super) code: Called,
    pub(super) sees_order: bool,
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
    fn name(self, index: &Index<'_>) -> String {
        let (owner, name) = match self {
            Self::Type(id) => (id, CONSTRUCTOR),
            Self::Method(id) if index.method(id).is_constructor => (id.owner, CONSTRUCTOR),
            Self::Method(id) => (id.owner, index.method(id).name),
        };
        format!("{}#{name}", index.outline(owner).name)
    }
}

fn longer(via: &[Called], step: Called) -> Vec<Called> {
    via.iter().copied().chain([step]).collect()
}
