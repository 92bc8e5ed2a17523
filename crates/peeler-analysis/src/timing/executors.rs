//! The threads in which an executor runs its tasks.

use crate::syntax::body::{Call, Expression, ExpressionKind, Lambda, Statement};

use super::catalogue::TimingCatalogue;
use super::duration::last_name;
use super::scanned_body::ScannedBody;
use super::variables::{Values, value_of};

/// The maximum number of variables and wrapping calls that are followed to the expression that creates an executor.
const MAX_STEPS: u8 = 3;

/// The threads in which an executor runs its tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Threads {
    /// The executor runs tasks in the thread that submits them.
    Caller,
    /// The executor runs tasks one after the other in a single other thread.
    One,
    Several,
    Unknown,
}

/// The threads in which a call that starts work runs its tasks.
pub(super) fn threads_of_start<'b, 'r>(
    scanned: &ScannedBody<'b, 'r>,
    values: &Values<'b, 'r>,
    call: &Call<'r>,
) -> Threads {
    match call.name {
        "start" | "startVirtualThread" => return Threads::Several,
        _ if call.name.ends_with("Async") => {
            let given = call.arguments.get(1);
            return given.map_or(Threads::Several, |it| threads(scanned, values, it, MAX_STEPS));
        }
        _ => {}
    }
    let receiver = call.receiver.as_ref();
    receiver.map_or(Threads::Unknown, |it| threads(scanned, values, it, MAX_STEPS))
}

/// Whether an object was constructed with an executor that runs tasks in the calling thread.
pub(super) fn has_direct_executor<'b, 'r>(
    scanned: &ScannedBody<'b, 'r>,
    values: &Values<'b, 'r>,
    object: &Expression<'r>,
) -> bool {
    let is_given = |value: &Expression<'r>| match &value.kind {
        ExpressionKind::New(new) => is_any_direct(scanned, values, &new.arguments),
        _ => false,
    };
    match &object.kind {
        ExpressionKind::Name(name) => value_of(scanned, values, name).is_some_and(is_given),
        ExpressionKind::Field { object, name } if matches!(object.kind, ExpressionKind::This) => {
            value_of(scanned, values, name).is_some_and(is_given)
        }
        _ => is_given(object),
    }
}

/// Whether one of a call's arguments is an executor that runs tasks in the calling thread.
pub(super) fn is_any_direct<'b, 'r>(
    scanned: &ScannedBody<'b, 'r>,
    values: &Values<'b, 'r>,
    arguments: &[Expression<'r>],
) -> bool {
    arguments
        .iter()
        .any(|it| threads(scanned, values, it, MAX_STEPS) == Threads::Caller)
}

fn threads<'b, 'r>(
    scanned: &ScannedBody<'b, 'r>,
    values: &Values<'b, 'r>,
    executor: &Expression<'r>,
    steps: u8,
) -> Threads {
    let Some(steps) = steps.checked_sub(1) else {
        return Threads::Unknown;
    };
    let names = &TimingCatalogue::shipped().names;
    match &executor.kind {
        ExpressionKind::MethodReference { object, name } if *name == "run" => match last_name(object) {
            Some("Runnable") => Threads::Caller,
            _ => Threads::Unknown,
        },
        ExpressionKind::Lambda(lambda) if runs_parameter(lambda) => Threads::Caller,
        ExpressionKind::Name(name) => match value_of(scanned, values, name) {
            Some(value) => threads(scanned, values, value, steps),
            None => Threads::Unknown,
        },
        ExpressionKind::Field { object, name } if matches!(object.kind, ExpressionKind::This) => {
            match value_of(scanned, values, name) {
                Some(value) => threads(scanned, values, value, steps),
                None => Threads::Unknown,
            }
        }
        ExpressionKind::Call(call) if names.is_direct_executor(call.name) => Threads::Caller,
        ExpressionKind::Call(call) if call.receiver.as_ref().and_then(last_name) == Some("Executors") => {
            let has_one = call.arguments.first().is_some_and(|it| is_one(scanned, it));
            let is_sized = matches!(
                call.name,
                "newFixedThreadPool" | "newScheduledThreadPool" | "newWorkStealingPool"
            );
            if call.name.contains("SingleThread") || (is_sized && has_one) {
                Threads::One
            } else {
                Threads::Several
            }
        }
        ExpressionKind::Call(call) => match call.arguments.first() {
            Some(wrapped) if call.name.ends_with("ecorator") => threads(scanned, values, wrapped, steps),
            _ if call.name == "commonPool" => Threads::Several,
            _ => Threads::Unknown,
        },
        ExpressionKind::New(new) if names.is_direct_executor(new.type_text) => Threads::Caller,
        ExpressionKind::New(new) if matches!(new.type_text, "ThreadPoolExecutor" | "ForkJoinPool") => {
            match new.arguments.first() {
                Some(size) if is_one(scanned, size) => Threads::One,
                _ => Threads::Several,
            }
        }
        _ => Threads::Unknown,
    }
}

/// Whether a lambda only runs the task that it is given: `task -> task.run()`.
fn runs_parameter(lambda: &Lambda<'_>) -> bool {
    let [parameter] = lambda.parameters.as_slice() else {
        return false;
    };
    let [Statement::Return(Some(value)) | Statement::Expression(value)] = lambda.body.as_slice() else {
        return false;
    };
    match &value.kind {
        ExpressionKind::Call(call) => {
            call.name == "run" && call.receiver.as_ref().and_then(last_name) == Some(parameter.name)
        }
        _ => false,
    }
}

fn is_one(scanned: &ScannedBody<'_, '_>, size: &Expression<'_>) -> bool {
    let text = scanned.index.source(scanned.file).text();
    text.get(size.start as usize..size.end as usize) == Some("1")
}

/// Whether an expression creates an executor: `Executors.newCachedThreadPool()`.
pub(super) fn makes_executor(value: &Expression<'_>) -> bool {
    match &value.kind {
        ExpressionKind::Call(call) => {
            let is_factory = call.receiver.as_ref().and_then(last_name) == Some("Executors");
            is_factory && call.name.starts_with("new")
        }
        ExpressionKind::New(new) => new.type_text.contains("Executor") || new.type_text.contains("ForkJoinPool"),
        _ => false,
    }
}
