//! Events of a body that matter for timing, in program order.

use crate::flows::flow::Site;
use crate::symbols::ids::{MethodId, TypeId};

use super::catalogue::LimitOutcome;

/// The kind of a timing event: a start of work, a sleep, a wait, an assertion and others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EventKind {
    /// A pause, with its length in milliseconds if that is a constant.
    Sleep(Option<u64>),
    /// The event starts work in another thread while the caller goes on.
    Start,
    /// Something is seen that goes on beside the caller, whether an assertion concerns it or not.
    Concurrent(Span),
    /// The caller waits until some work is done.
    Wait,
    /// The event is a wait inside main code. It makes started work harmless, but not a sleep of the test.
    InnerWait,
    /// The event is a wait of the caller until some work is done, or a time limit is over.
    LimitedWait {
        millis: Option<u64>,
        reaction: Reaction,
    },
    Assertion(Oracle),
    /// An assertion in the task of another thread, whose failure is lost.
    LostAssertion,
    /// The event is a change of an unsynchronised object by the task of another thread.
    TaskChange(Turns),
    Yield,
    Priority,
    /// `wait()` on a monitor outside a loop.
    NakedWait,
    /// The event is a loop that only reads a field that is not volatile, until another thread changes it.
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

/// What an assertion checks: that something has happened, or that nothing has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Oracle {
    /// The assertion checks that something has happened.
    Effect,
    /// The assertion checks that nothing has happened, or that the test does not come to this point.
    Absence,
}

/// What the caller does when a wait reaches its time limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reaction {
    /// The caller fails at the time limit, or checks the result of the wait.
    Noticed,
    /// The caller ignores the result of the wait, which tells that the time limit was reached.
    Ignored,
    /// The caller expects that nothing happens before the time limit.
    Expected,
    /// The caller goes on, because the wait does not tell whether its time limit was reached.
    Silent,
}

impl Reaction {
    /// The reaction to a reached time limit of a caller that uses the wait's result, or does not.
    pub(super) fn new(outcome: LimitOutcome, is_used: bool) -> Self {
        match (outcome, is_used) {
            (LimitOutcome::Throws, _) | (_, true) => Self::Noticed,
            (LimitOutcome::Returns | LimitOutcome::Value, false) => Self::Ignored,
            (LimitOutcome::Silent, false) => Self::Silent,
        }
    }
}

/// A timing event, such as a start of work, a sleep or a wait. It is described for the body that contains it or for one
/// of its callers.
#[derive(Debug, Clone)]
pub(super) struct Event<'r> {
    pub(super) kind: EventKind,
    pub(super) site: Site,
    /// The type that declares the code in which the timing event happens.
    pub(super) owner: TypeId,
    /// The calls through which a body reaches the timing event, outermost first; empty if the body contains the event
    /// itself.
    pub(super) steps: Vec<Site>,
    /// The variables that the timing event concerns; for an event that is reached through calls, variables of the
    /// caller.
    pub(super) names: Vec<&'r str>,
    /// The variables that started work changes or whose change a wait awaits, or the fields that a task changes or an
    /// assertion reads.
    pub(super) effects: Vec<&'r str>,
    pub(super) certainty: Certainty,
}

/// Whether a timing event happens in every run of the code that contains or calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Certainty {
    Always,
    /// The timing event is in a branch, a loop or a handler.
    Sometimes,
}

/// A timing-relevant part of a body: an event, a call or a loop.
#[derive(Debug)]
pub(super) enum Item<'r> {
    Event(Event<'r>),
    Call(CalledCode<'r>),
    Loop(LoopItems<'r>),
}

/// A call of repository code, as the timing analysis needs it.
#[derive(Debug)]
pub(super) struct CalledCode<'r> {
    /// The method bodies that the call may run.
    pub(super) callees: Vec<MethodId>,
    pub(super) site: Site,
    /// The variables among receiver and arguments of the call.
    pub(super) names: Vec<&'r str>,
    /// Variables that are changed by functions which the callee or its object was given.
    pub(super) effects: Vec<&'r str>,
    pub(super) receiver: CallReceiver,
    pub(super) certainty: Certainty,
    /// Whether the name of the called method says that it waits.
    pub(super) says_wait: bool,
    /// Whether the called method brings a service up or down.
    pub(super) is_lifecycle: bool,
    /// Whether an executor that the callee or its object was given runs tasks in the calling thread.
    pub(super) is_direct: bool,
    /// Whether the called method runs in another thread, by an annotation such as `@Async`.
    pub(super) is_asynchronous: bool,
}

/// The object on which repository code is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallReceiver {
    /// The code is called on the object of the caller, or on no object.
    Own,
    Other,
}

/// A loop with the timing-relevant parts of its condition and body.
#[derive(Debug)]
pub(super) struct LoopItems<'r> {
    pub(super) site: Site,
    /// Whether the loop ends when a condition holds that it asks for in each turn.
    pub(super) is_polling: bool,
    pub(super) owner: TypeId,
    pub(super) items: Vec<Item<'r>>,
}
