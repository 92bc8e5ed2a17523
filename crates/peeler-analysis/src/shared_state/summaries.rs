//! The effects of methods on shared states, including the code that they call. Each effect is computed once for all
//! tests.
//!
//! A summary has a depth: the number of nested calls that it follows. The summary of depth `n` is made of summaries of
//! depth `n - 1`, so that recursion ends. The result is the same whichever test needs it first.

use std::sync::{Arc, OnceLock};

use super::fields::Fields;
use super::frame::{Crossing, Frame};
use super::names::{Names, ReturnedStates};
use super::state::{Callee, Receiver, StateKey, Step};
use super::steps::{CodeKind, body_steps};
use crate::flows::flow::Site;
use crate::repository::is_test_file;
use crate::slots::Slots;
use crate::symbols::ids::{FileId, MethodId, TypeId};
use crate::symbols::index::Index;
use crate::syntax::declarations::LazyBody;
use crate::walk::{Code, initialisers};

/// The maximum number of nested calls that are followed from a test, in search of effects on shared states.
pub(super) const MAX_CALLS: usize = 6;

/// The effect of a method on shared states, and whether it would be the same if more nested calls were followed.
#[derive(Debug)]
pub(super) struct Summary<'r> {
    pub(super) frame: Frame<'r>,
    is_complete: bool,
}

/// The cache entry of one body: its steps, and its effects on shared states by depth of calls.
#[derive(Debug)]
struct BodyEntry<'r> {
    steps: Vec<Step<'r>>,
    by_depth: [OnceLock<Arc<Summary<'r>>>; MAX_CALLS + 1],
    /// The effect of the body on shared states with all its calls followed, and the depth of calls that this took. The
    /// effect holds for this depth and all larger ones.
    complete: OnceLock<(usize, Arc<Summary<'r>>)>,
}

/// Cache of the effects of methods and initialisers on shared states.
pub(super) struct Summaries<'i, 'r> {
    pub(super) fields: Fields<'i, 'r>,
    returned: ReturnedStates<'r>,
    bodies: Vec<Slots<BodyEntry<'r>>>,
}

impl<'i, 'r> Summaries<'i, 'r> {
    pub(super) fn new(index: &'i Index<'r>) -> Self {
        Self {
            fields: Fields::new(index),
            returned: ReturnedStates::default(),
            bodies: index.files().map(|_| Slots::default()).collect(),
        }
    }

    fn index(&self) -> &'i Index<'r> {
        self.fields.index
    }

    /// The effect of a method on shared states when at most `depth` nested calls are followed.
    pub(super) fn method(&self, id: MethodId, depth: usize) -> Arc<Summary<'r>> {
        match &self.index().method(id).code {
            Some(code) => self.body(Code::Method(id, code), depth),
            None => Arc::new(Summary {
                frame: Frame::default(),
                is_complete: true,
            }),
        }
    }

    /// The effect of the instance fields and initialiser blocks of a type on shared states. At most `depth` nested
    /// calls are followed.
    pub(super) fn initialisers(&self, id: TypeId, depth: usize) -> Summary<'r> {
        let mut frame = Frame::default();
        let mut is_complete = true;
        for code in self.instance_initialisers(id) {
            let summary = self.body(code, depth);
            is_complete &= summary.is_complete;
            frame.call(&summary.frame, &same_object());
        }
        Summary { frame, is_complete }
    }

    fn instance_initialisers(&self, id: TypeId) -> impl Iterator<Item = Code<'i, 'r>> {
        let declared = self.index().declaration(id);
        let fields = declared.fields.iter().map(|it| it.is_static);
        let blocks = declared.initialisers.iter().map(|it| it.is_static);
        let codes = initialisers(self.index(), id).zip(fields.chain(blocks));
        codes.filter(|(_, is_static)| !is_static).map(|(code, _)| code)
    }

    /// The effect of a method body or initialiser on shared states when at most `depth` nested calls are followed.
    pub(super) fn body(&self, code: Code<'i, 'r>, depth: usize) -> Arc<Summary<'r>> {
        let file = self.index().file_of(code.owner());
        let entry = self.entry(code, file);
        if let Some((_, complete)) = entry.complete.get().filter(|it| it.0 <= depth) {
            return complete.clone();
        }
        let summary = entry.by_depth[depth].get_or_init(|| {
            let mut is_complete = true;
            let mut frame = self.run(&entry.steps, file, depth, code.owner(), &mut is_complete);
            frame.shorten();
            Arc::new(Summary { frame, is_complete })
        });
        if summary.is_complete {
            // The summary is the same whichever depth sets it.
            let _ = entry.complete.set((depth, summary.clone()));
        }
        summary.clone()
    }

    fn entry(&self, code: Code<'i, 'r>, file: FileId) -> &BodyEntry<'r> {
        let body: &LazyBody<'r> = code.body();
        let slot = self.index().slot_of(&self.bodies[file.position()], file, body);
        slot.get_or_init(|| BodyEntry {
            steps: self.steps(code, file),
            by_depth: std::array::from_fn(|_| OnceLock::new()),
            complete: OnceLock::new(),
        })
    }

    fn steps(&self, code: Code<'i, 'r>, file: FileId) -> Vec<Step<'r>> {
        let index = self.index();
        let parameters = match code {
            Code::Method(id, _) => index.method(id).parameters.as_slice(),
            Code::Initialiser(..) => &[],
        };
        let targets = if code.body().may_call() {
            code.targets(index)
        } else {
            &[]
        };
        let names = parameters.iter().map(|it| it.name);
        let names = Names::new(&self.fields, &self.returned, code.owner(), targets, names);
        let kind = if is_test_file(index.source(file).path()) {
            CodeKind::Test
        } else {
            CodeKind::Main
        };
        body_steps(names, kind, code.body().get())
    }

    /// The effect of the steps of a body on shared states, one step after the other. `is_complete` becomes false if a
    /// call was too deep to follow.
    fn run(&self, steps: &[Step<'r>], file: FileId, depth: usize, owner: TypeId, is_complete: &mut bool) -> Frame<'r> {
        let mut frame = Frame::default();
        for step in steps {
            match step {
                Step::Access {
                    key,
                    action,
                    start,
                    end,
                } => {
                    let (start, end) = (*start, *end);
                    frame.access(key, *action, Site { file, start, end }, 0);
                }
                Step::Branch(alternatives) => {
                    let frames = alternatives.iter().map(|it| {
                        let frame = self.run(&it.steps, file, depth, owner, is_complete);
                        (frame, it.throws)
                    });
                    let either = Frame::either(frames.collect());
                    frame.call(&either, &same_object());
                }
                Step::Call {
                    callees,
                    receiver,
                    arguments,
                    is_restoring,
                    guards,
                } => {
                    let Some(depth) = depth.checked_sub(1) else {
                        *is_complete = false;
                        continue;
                    };
                    let called: Vec<_> = callees.iter().map(|it| self.callee(*it, depth)).collect();
                    *is_complete &= called.iter().all(|it| it.is_complete);
                    let own = |key: &StateKey<'r>, field: &'r str| match receiver {
                        Receiver::State(state) => Some(state.part(field)),
                        Receiver::Other => None,
                        Receiver::This => Some(key.clone()),
                    };
                    let rename = |key: &StateKey<'r>| key.seen_by_caller(arguments, &own);
                    // A helper of the same object is part of the code that calls it.
                    let crossed = u8::from(*receiver != Receiver::This && !self.is_helper(owner, callees));
                    let crossing = Crossing {
                        rename: &rename,
                        arguments: Some(arguments),
                        guards,
                        is_restoring: *is_restoring,
                        depth: crossed,
                    };
                    if let [only] = called.as_slice() {
                        frame.call(&only.frame, &crossing);
                    } else {
                        let frames = called.iter().map(|it| it.frame.clone()).collect();
                        frame.call(&Frame::in_doubt(frames), &crossing);
                    }
                }
            }
        }
        frame
    }

    fn is_helper(&self, owner: TypeId, callees: &[Callee]) -> bool {
        callees.iter().all(|it| match it {
            Callee::Method(id) => self.index().inherits(owner, id.owner),
            Callee::Initialisers(_) => false,
        })
    }

    fn callee(&self, callee: Callee, depth: usize) -> Arc<Summary<'r>> {
        match callee {
            Callee::Method(id) => self.method(id, depth),
            Callee::Initialisers(id) => Arc::new(self.initialisers(id, depth)),
        }
    }
}

/// The translation of effects on shared states for called code that runs on the same object as its caller: nothing
/// changes.
pub(super) fn same_object<'a, 'r>() -> Crossing<'a, 'r> {
    Crossing {
        rename: &|key| Some(key.clone()),
        arguments: None,
        guards: &[],
        is_restoring: false,
        depth: 0,
    }
}
