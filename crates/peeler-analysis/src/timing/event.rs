//! Events of a body that matter for timing, in program order.

use crate::flows::flow::Site;
use crate::symbols::ids::{MethodId, TypeId};

use super::catalogue::LimitOutcome;

/// What happens at an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EventKind {
    /// A pause, with its length in milliseconds if that is a constant.
    Sleep(Option<u64>),
    /// Work begins that goes on while the caller goes on.
    Start,
    /// Something is seen that goes on beside the caller, whether an assertion concerns it or not.
    Concurrent(Span),
    /// The caller waits until some work is done.
    Wait,
    /// Code under test waits; this settles its own work, but not the sleep of a test.
    InnerWait,
    /// The caller waits until some work is done, or a limit is over.
    LimitedWait {
        millis: Option<u64>,
        reaction: Reaction,
    },
    Assertion(Oracle),
    /// An assertion in the task of another thread, whose failure is lost.
    LostAssertion,
    /// The task of another thread changes an object that is not made for it.
    TaskChange(Turns),
    Yield,
    Priority,
    /// `wait()` on a monitor outside a loop.
    NakedWait,
    /// A loop that only reads a plain field.
    Spin,
    GarbageCollection,
}

/// How long something goes on beside the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Span {
    /// A task, until a wait.
    Task,
    /// A server, listener or timer, until it is stopped.
    Service,
}

/// How many threads run a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turns {
    Once,
    /// The task is started in each turn of the innermost loop, which may wait for it.
    EachTurn,
    /// The task runs in several threads at the same time.
    Several,
}

/// What an assertion asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Oracle {
    /// Something has happened.
    Effect,
    /// Nothing has happened, or the test must not come here.
    Absence,
}

/// What the caller does when a limited wait reaches its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reaction {
    /// The caller fails or checks the result.
    Noticed,
    /// The caller goes on, although the result tells.
    Ignored,
    /// The caller expects that nothing happens before the limit.
    Expected,
    /// The caller goes on, because the wait cannot tell.
    Silent,
}

impl Reaction {
    /// The reaction of a caller that uses the result, or does not.
    pub(super) fn new(outcome: LimitOutcome, is_used: bool) -> Self {
        match (outcome, is_used) {
            (LimitOutcome::Throws, _) | (_, true) => Self::Noticed,
            (LimitOutcome::Returns | LimitOutcome::Value, false) => Self::Ignored,
            (LimitOutcome::Silent, false) => Self::Silent,
        }
    }
}

/// An event in the frame of some body: its own, or a body that calls it directly or indirectly.
#[derive(Debug, Clone)]
pub(super) struct Event<'r> {
    pub(super) kind: EventKind,
    pub(super) site: Site,
    /// The type that declares the body of the event.
    pub(super) owner: TypeId,
    /// The calls from the frame to the body of the event, outermost first.
    pub(super) steps: Vec<Site>,
    /// The variables of the frame that the event concerns.
    pub(super) names: Vec<&'r str>,
    /// The variables of the frame that work changes, or whose change a wait awaits.
    pub(super) effects: Vec<&'r str>,
    pub(super) certainty: Certainty,
}

/// Whether an event happens whenever its frame runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Certainty {
    Always,
    /// The event is in a branch, a loop or a handler.
    Sometimes,
}

/// A part of a body, before calls are replaced by the events of the called bodies.
#[derive(Debug)]
pub(super) enum Item<'r> {
    Event(Event<'r>),
    Call(CalledCode<'r>),
    Loop(LoopItems<'r>),
}

/// A call of repository code.
#[derive(Debug)]
pub(super) struct CalledCode<'r> {
    /// The bodies that may run.
    pub(super) callees: Vec<MethodId>,
    pub(super) site: Site,
    /// The variables among receiver and arguments.
    pub(super) names: Vec<&'r str>,
    /// The variables that functions change which the callee or its object was given.
    pub(super) effects: Vec<&'r str>,
    pub(super) receiver: CallReceiver,
    pub(super) certainty: Certainty,
    /// Whether the name of the method says that it waits.
    pub(super) says_wait: bool,
    /// Whether the method brings a service up or down.
    pub(super) is_lifecycle: bool,
    /// Whether an executor that the callee or its object was given runs tasks in the calling thread.
    pub(super) is_direct: bool,
    /// Whether the method runs in another thread, by an annotation.
    pub(super) is_asynchronous: bool,
}

/// The object on which repository code is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallReceiver {
    /// The same object, or no object.
    Own,
    Other,
}

/// A loop with the parts of its condition and body.
#[derive(Debug)]
pub(super) struct LoopItems<'r> {
    pub(super) site: Site,
    /// Whether the loop ends when something holds.
    pub(super) is_polling: bool,
    pub(super) owner: TypeId,
    pub(super) items: Vec<Item<'r>>,
}
