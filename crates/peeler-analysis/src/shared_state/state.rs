//! Shared states, which outlive a test, and what the body of a method does with them, step by step.
//!
//! ```java
//! Registry.add(a);                      // Access: Registry#entries is mutated
//! if (fast) Mode.set(FAST);             // Branch: two alternatives, one of them empty
//! service.run();                        // Call: the effects of run()
//! ```

use std::sync::Arc;

use smallvec::SmallVec;

use crate::symbols::ids::{MethodId, TypeId};

/// Identifies a shared state that code reads or writes, such as a static field or a system property.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum StateKey<'r> {
    /// The state is a static field, or a field of an enum with one constant: the class that declares it, and its name.
    Field(TypeId, &'r str),
    /// The state is a field of the object in a static field: type and name of the static field, then the field of the
    /// object.
    Part(TypeId, &'r str, &'r str),
    /// The state is an instance field of the object that a method runs on: the class that declares it, and its name.
    Own(TypeId, &'r str),
    /// The state is one entry of the map or array that another state holds.
    Entry(Arc<StateKey<'r>>, EntryKey),
    /// The state is the file that the argument at this position of the method denotes.
    FileOf(u8),
    /// The state is not a field, but for instance a system property, a file, a static mock or the stored data behind a
    /// bean. It is given by its id: `property:user.home`, `store:Order`.
    Named(Arc<str>),
}

/// The key of a map entry, or the index of an array element.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum EntryKey {
    Constant(Arc<str>),
    /// The key is the method's parameter at this position.
    Parameter(u8),
}

impl<'r> StateKey<'r> {
    /// The state that contains this one: the map of a map entry, or the static field of which this is a part. `None` if
    /// there is none.
    pub(super) fn whole(&self) -> Option<Self> {
        match self {
            Self::Part(owner, name, _) => Some(Self::Field(*owner, name)),
            Self::Entry(whole, _) => Some((**whole).clone()),
            _ => None,
        }
    }

    /// The state of the field `field` in the object that this state holds. Unless this state is a static field, the
    /// result is the state itself.
    pub(super) fn part(&self, field: &'r str) -> Self {
        match self {
            Self::Field(owner, name) => Self::Part(*owner, name, field),
            other => other.clone(),
        }
    }

    /// Translates this state of a called method to the state that its caller sees; `None` if the caller cannot see it.
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

/// What is known about an argument of a call that can affect shared states.
#[derive(Debug, Clone)]
pub(super) struct Argument<'r> {
    pub(super) value: Value,
    /// The argument as the key of a map entry; `None` if it is neither a constant nor a parameter.
    pub(super) key: Option<EntryKey>,
    /// The file that the argument denotes; `None` if it denotes no known file.
    pub(super) file: Option<StateKey<'r>>,
}

/// What a write does to a shared state: it restores an earlier value, takes something away, or
/// sets another value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    /// The write restores the initial value of the shared state, or a value that was read from it before.
    Restored,
    /// Something was added to the shared state and taken away again.
    Undone,
    /// The write takes something away from the shared state. That restores the state if an earlier write added the same
    /// thing.
    Removed,
    /// The write changes the shared state to another value.
    Changed,
    /// The value written is the method's parameter at this position.
    Parameter(u8),
}

/// How much of a shared state a write sets: nothing, as with `list.add(x)`, or all of it, as with an assignment. Later
/// reads of a state that is set do not depend on earlier tests.
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
    /// The code restores all shared states whose id begins with the given id: `property:` for all system properties.
    RestoreAll,
}

/// The object that a method is called on. It decides what the fields of that object are for the caller: its own fields,
/// parts of a shared state, or unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Receiver<'r> {
    /// The call is made on the same object as the calling code runs on.
    This,
    /// The call is made on the object that this shared state holds.
    State(StateKey<'r>),
    /// The call is to a static method or constructor, or on an unknown object.
    Other,
}

/// Code of the repository that a call runs: a method, or the initialisers of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Callee {
    Method(MethodId),
    /// The call runs the initial values of instance fields and the initialiser blocks of a type.
    Initialisers(TypeId),
}

/// A step in the body of a method that can affect shared states: a read or write, a call, or a branch.
#[derive(Debug)]
pub(super) enum Step<'r> {
    Access {
        key: StateKey<'r>,
        action: Action,
        start: u32,
        end: u32,
    },
    Call {
        /// The methods that the call may run; only one of them runs.
        callees: SmallVec<[Callee; 2]>,
        receiver: Receiver<'r>,
        arguments: Vec<Argument<'r>>,
        /// Shared states that a condition around the call found unset, as in `if (cache == null) fill();`. What the
        /// call assigns to them is computed once.
        guards: Vec<StateKey<'r>>,
        /// Whether the call is made where code restores things: in a `finally` block, or in the teardown of a JUnit
        /// rule.
        is_restoring: bool,
    },
    /// A step with several alternatives, such as the two branches of an `if`, of which one runs.
    Branch(Vec<Alternative<'r>>),
}

/// One alternative of a branching statement, such as the `else` of an `if`.
#[derive(Debug, Default)]
pub(super) struct Alternative<'r> {
    pub(super) steps: Vec<Step<'r>>,
    /// Whether the alternative ends with a `throw`, so that nothing runs after it.
    pub(super) throws: bool,
}
