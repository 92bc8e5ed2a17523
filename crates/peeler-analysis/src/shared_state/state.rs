//! States that outlive a test, and what a body does with them, in order.
//!
//! ```java
//! Registry.add(a);                      // Access: Registry#entries is mutated
//! if (fast) Mode.set(FAST);             // Branch: two alternatives, one of them empty
//! service.run();                        // Call: the effects of run()
//! ```

use std::sync::Arc;

use smallvec::SmallVec;

use crate::symbols::ids::{MethodId, TypeId};

/// A shared state that code reads or writes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum StateKey<'r> {
    /// The state is a static field, or a field of a singleton.
    Field(TypeId, &'r str),
    /// The state is a field of the object that a static field holds: type and name of the static field, name of the
    /// field.
    Part(TypeId, &'r str, &'r str),
    /// The state is an instance field of the object that a method runs on.
    Own(TypeId, &'r str),
    /// The state is one entry of the map or array that another state holds.
    Entry(Arc<StateKey<'r>>, EntryKey),
    /// The state is the file that the argument at this position of the method denotes.
    FileOf(u8),
    /// The state is outside the repository, or a store behind a bean. It has an id: `property:user.home`.
    Named(Arc<str>),
}

/// The key of an entry of a map, or the index of an element.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum EntryKey {
    Constant(Arc<str>),
    /// The key is the argument at this position of the method.
    Parameter(u8),
}

impl<'r> StateKey<'r> {
    /// The state that contains this one: the map of a map entry, or the static field whose object has this field.
    pub(super) fn whole(&self) -> Option<Self> {
        match self {
            Self::Part(owner, name, _) => Some(Self::Field(*owner, name)),
            Self::Entry(whole, _) => Some((**whole).clone()),
            _ => None,
        }
    }

    /// The state for a field of the object that this state holds. Unless this state is a static field, the result is
    /// the state itself.
    pub(super) fn part(&self, field: &'r str) -> Self {
        match self {
            Self::Field(owner, name) => Self::Part(*owner, name, field),
            other => other.clone(),
        }
    }

    /// This state of a called method in terms of its caller; `None` if the caller cannot see it.
    ///
    /// `own` translates fields of the object that the method is called on.
    pub(super) fn seen_by_caller(
        &self,
        arguments: &[Argument<'r>],
        own: &dyn Fn(&Self, &'r str) -> Option<Self>,
    ) -> Option<Self> {
        match self {
            Self::Own(_, field) => own(self, field),
            Self::Entry(whole, key) => {
                let whole = whole.seen_by_caller(arguments, own)?;
                let key = match key {
                    EntryKey::Constant(_) => key.clone(),
                    EntryKey::Parameter(at) => arguments.get(*at as usize)?.key.clone()?,
                };
                Some(Self::Entry(Arc::new(whole), key))
            }
            Self::FileOf(at) => arguments.get(*at as usize)?.file.clone(),
            other => Some(other.clone()),
        }
    }
}

/// An argument of a call, as far as shared states depend on it.
#[derive(Debug, Clone)]
pub(super) struct Argument<'r> {
    pub(super) value: Value,
    /// The key of a map entry that the argument stands for; `None` if it is not known.
    pub(super) key: Option<EntryKey>,
    /// The file that the argument denotes; `None` if it denotes none.
    pub(super) file: Option<StateKey<'r>>,
}

/// The value that a write leaves in a shared state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    /// The written value is the one at the start, or one that was read from the state before.
    Restored,
    /// The write added something to the state and took it away again.
    Undone,
    /// The write took something away. It restores the state if an earlier write added that thing.
    Removed,
    /// The written value differs from the one before.
    Changed,
    /// The written value is the argument at this position.
    Parameter(u8),
}

/// The part of a state that a write determines, so that a later read does not depend on the past.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Extent {
    Nothing,
    Whole,
}

/// What code does with a shared state: read, write or restore it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    Read,
    Write(Value, Extent),
    /// The code restores all states whose id begins with the id of the named state.
    RestoreAll,
}

/// The object that a method is called on, as far as shared states need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Receiver<'r> {
    /// The call is made on the object that the calling code runs on.
    This,
    /// The call is made on the object that a state holds.
    State(StateKey<'r>),
    /// The call is of a static method, or on a new or unknown object.
    Other,
}

/// Code of the repository that a call runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Callee {
    Method(MethodId),
    /// The call runs the instance fields and initialisers of a type.
    Initialisers(TypeId),
}

/// A step of a body that matters for shared states.
#[derive(Debug)]
pub(super) enum Step<'r> {
    Access {
        key: StateKey<'r>,
        action: Action,
        start: u32,
        end: u32,
    },
    Call {
        /// The code that the call may run; one of the callees runs.
        callees: SmallVec<[Callee; 2]>,
        receiver: Receiver<'r>,
        arguments: Vec<Argument<'r>>,
        /// Shared states that a condition around the call found unset. What the call assigns to them is computed once.
        guards: Vec<StateKey<'r>>,
        /// Whether the call stands where code restores things: in a `finally`, or in the teardown of a rule.
        is_restoring: bool,
    },
    /// A step with several alternatives, of which one runs.
    Branch(Vec<Alternative<'r>>),
}

/// One alternative of a branch of code.
#[derive(Debug, Default)]
pub(super) struct Alternative<'r> {
    pub(super) steps: Vec<Step<'r>>,
    /// Whether the alternative of a branch throws, so that nothing runs after it.
    pub(super) throws: bool,
}
