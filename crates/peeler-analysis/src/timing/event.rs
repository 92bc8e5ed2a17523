//! Timing events of a method body, in program order: starts of work in other threads, sleeps, waits and assertions.

use crate::flows::flow::Site;
use crate::symbols::ids::{MethodId, TypeId};

use super::catalogue::LimitOutcome;

/// The kind of a timing event: a start of work, a sleep, a wait, an assertion and others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EventKind {
    /// The event is a sleep of the thread that runs the code, with its length in milliseconds if that is a constant.
    Sleep(Option<u64>),
    /// The event starts work in another thread while the caller goes on.
    Start,
    /// A function or an anonymous class in the code of a test starts work in another thread, when something runs it.
    StartInFunction,
    /// The event is code that goes on in another thread beside the caller, such as a task or a server. A later sleep
    /// may be meant to wait for it.
    Concurrent(Span),
    /// The caller waits, without a time limit, until other work is done: `thread.join()`.
    Wait,
    /// The event is a wait inside main code that a test calls, or a sleep until something expires. Work that was started
    /// before it is not reported, but sleeps before it still are.
    InnerWait,
    /// The caller waits until other work is done or a time limit is over: `latch.await(1, SECONDS)`.
    LimitedWait {
        millis: Option<u64>,
        reaction: Reaction,
    },
    Assertion(Oracle),
    /// The event is an assertion in code of another thread, where its failure does not reach the test.
    LostAssertion,
    /// The event is a change of an unsynchronised object by the task of another thread. `Turns` says whether the task
    /// runs in one thread or in several.
    TaskChange(Turns),
    Yield,
    Priority,
    /// The event is a call of `Object.wait()` outside a loop, which may return before its condition holds.
    NakedWait,
    /// The event is a loop that only reads a field that is not volatile, until another thread changes it.
    Spin,
    GarbageCollection,
    /// The body does something else after an assertion that nothing has happened.
    Act,
}

/// How long code in another thread goes on running beside its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Span {
    /// The code in the other thread is a task. It counts as running until the caller waits.
    Task,
    /// The code in the other thread belongs to a server, listener or timer, which runs until it is stopped.
    Service,
    /// A server, broker or client of a library is used. Whether other threads work for it is only known by its name.
    Library,
    /// A server, broker or client is there, but nothing is seen to make it work: it is made, or asked for something.
    Presence,
}

/// Whether a task runs in one thread, or in several at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turns {
    Once,
    /// The task is started in each turn of a loop. Whether the loop waits for the task is decided later.
    EachTurn,
    /// The task runs in several threads at the same time.
    Several,
}

/// What an assertion checks: that something has happened, or that nothing has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Oracle {
    /// The assertion checks that something has happened, such as `assertEquals(1, cart.size())`.
    Effect,
    /// The assertion checks that nothing has happened, such as `verify(mock, never())`, or that the test never comes to
    /// it, such as `fail()`.
    Absence,
    /// The assertion expects `false`, zero, `null` or emptiness of something that was never known to be otherwise. A
    /// sleep before it seldom waits for that: of nine such findings that were read one was right.
    Default,
    /// The assertion checks that something is there, such as `assertNotNull(cart)`, or what a method answers that is asked
    /// with arguments, such as `assertTrue(shop.accepts(order))`. Another assertion after it shows better what a sleep
    /// waits for.
    Vague,
}

/// What the caller does when a wait reaches its time limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reaction {
    /// The caller of a wait fails when the wait reaches its time limit, or checks the result of the wait.
    Noticed,
    /// The caller of a wait ignores its result, which tells whether the time limit was reached.
    Ignored,
    /// The caller runs what is limited itself, and fails if it takes longer: `assertTimeout(ofSeconds(1), task)`.
    Timed,
    /// The caller of a wait expects that nothing happens before its time limit.
    Expected,
    /// The caller of a wait goes on at the time limit, because the wait does not tell whether the limit was reached.
    Silent,
}

impl Reaction {
    /// What a caller does when a wait reaches its time limit. `outcome` says what the wait itself does then, and
    /// `is_used` whether the caller uses its result.
    pub(super) fn new(outcome: LimitOutcome, is_used: bool) -> Self {
        match (outcome, is_used) {
            (LimitOutcome::Times, _) => Self::Timed,
            (LimitOutcome::Throws, _) | (_, true) => Self::Noticed,
            (LimitOutcome::Returns | LimitOutcome::Value, false) => Self::Ignored,
            (LimitOutcome::Silent, false) => Self::Silent,
        }
    }
}

/// A timing event of a method body, such as a start of work, a sleep or a wait. It happens in the body itself, or in a
/// method that the body calls.
#[derive(Debug, Clone)]
pub(super) struct Event<'r> {
    pub(super) kind: EventKind,
    pub(super) site: Site,
    /// The type that declares the code in which the timing event happens.
    pub(super) owner: TypeId,
    /// The calls through which a body reaches the timing event, outermost first; empty if the body contains the event
    /// itself.
    pub(super) steps: Vec<Site>,
    /// The variables that the timing event mentions, such as `latch` in `latch.await()`. If the event happens in a
    /// called method, they are variables of the caller.
    pub(super) names: Vec<&'r str>,
    /// For a start of work or a wait, the variables that the work changes. For a change by a task, the changed field of
    /// the object. For an assertion, the fields and variables that methods called by it mention.
    pub(super) effects: Vec<&'r str>,
    pub(super) certainty: Certainty,
    /// The library class on whose object the timing event is a call, if the event is about a server, broker, listener
    /// or timer and the class is known.
    pub(super) object: Option<&'r str>,
}

/// Whether a timing event happens in every run of the code that contains or calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Certainty {
    Always,
    /// The timing event is in a branch, a loop or a `catch` block, so that it may not happen.
    Sometimes,
}

/// A timing-relevant part of a body: an event, a call or a loop.
#[derive(Debug)]
pub(super) enum Item<'r> {
    Event(Event<'r>),
    Call(CalledCode<'r>),
    Loop(LoopItems<'r>),
}

/// A call of repository code: the methods that may run, and facts that matter for timing, such as whether its name says
/// that it waits.
#[derive(Debug)]
pub(super) struct CalledCode<'r> {
    /// The method bodies that the call may run.
    pub(super) callees: Vec<MethodId>,
    pub(super) site: Site,
    /// The variables that the call mentions, and those that its callbacks change. After `bus.on(seen::add)`, the call
    /// `bus.send(job)` has `bus`, `job` and `seen`.
    pub(super) names: Vec<&'r str>,
    /// The variables that callbacks of the call change: `seen` for `bus.run(seen::add)`. A callback is passed to the
    /// called method, or was passed earlier to its object.
    pub(super) effects: Vec<&'r str>,
    pub(super) receiver: CallReceiver,
    pub(super) certainty: Certainty,
    /// Whether the name of the called method says that it waits.
    pub(super) says_wait: bool,
    /// Whether the called method is a constructor or, by its name, starts or stops a service.
    pub(super) is_lifecycle: bool,
    /// Whether the called method, or its object when it was constructed, got an executor that runs tasks in the calling
    /// thread.
    pub(super) is_direct: bool,
    /// Whether the called method runs in another thread, by an annotation such as `@Async`.
    pub(super) is_asynchronous: bool,
}

/// The object on which repository code is called: that of the caller, or another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallReceiver {
    /// Repository code is called on the object of the caller, or on no object.
    Own,
    Other,
}

/// A loop with the timing-relevant parts of its condition and body.
#[derive(Debug)]
pub(super) struct LoopItems<'r> {
    pub(super) site: Site,
    /// Whether the loop waits: it checks a condition in each turn and ends when the condition holds.
    pub(super) is_polling: bool,
    pub(super) owner: TypeId,
    pub(super) items: Vec<Item<'r>>,
}
