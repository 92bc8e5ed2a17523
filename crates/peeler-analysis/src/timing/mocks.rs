//! Finds calls on mocks, such as `verify(mock).run()`, whose real method bodies do not run.

use crate::syntax::body::{Call, Expression, ExpressionKind};

use super::assigned_mocks::MAKERS;
use super::scanned_body::{CodeKind, ScannedBody};
use super::variables::Values;

/// Whether calls on `object` do not run the real method bodies. This holds for mocks, for assertions, and for
/// expressions such as `verify(mock)`.
pub(super) fn is_replaced<'r>(body: &ScannedBody<'_, 'r>, values: &Values<'_, 'r>, object: &Expression<'r>) -> bool {
    match &object.kind {
        ExpressionKind::Call(call) => {
            matches!(
                call.name,
                "verify" | "when" | "given" | "mock" | "doReturn" | "doThrow" | "expect" | "then" | "should"
            ) || body.only_asserts(call)
                || call.receiver.as_ref().is_some_and(|it| is_replaced(body, values, it))
        }
        ExpressionKind::Name(name) => match values.iter().rev().find(|(it, _)| it == name) {
            Some((_, value)) => makes_mock(value),
            None => is_mock_field(body, name),
        },
        ExpressionKind::Field { object, name } if matches!(object.kind, ExpressionKind::This) => {
            is_mock_field(body, name)
        }
        _ => false,
    }
}

/// The arguments of a call whose timing counts. That of `when(lock.tryLock(1, SECONDS))` does not: the call inside only
/// says which calls a mock answers.
pub(super) fn run_arguments<'a, 'r>(call: &'a Call<'r>) -> &'a [Expression<'r>] {
    let is_stub = matches!(call.name, "when" | "given");
    let is_call = |it: &Expression<'r>| matches!(it.kind, ExpressionKind::Call(_));
    match call.arguments.as_slice() {
        [only] if is_stub && is_call(only) => &[],
        arguments => arguments,
    }
}

/// Whether a field holds a mock: by an annotation such as `@Mock`, or because its class assigns one to it, such as
/// `mock(Cart.class)`.
fn is_mock_field(body: &ScannedBody<'_, '_>, name: &str) -> bool {
    let index = body.index;
    let declared = index.field(body.owner, name);
    let Some((ancestor, field)) = declared.filter(|_| body.code == CodeKind::Test) else {
        return false;
    };
    let file = index.file_of(ancestor.id);
    let text = index.source(file).text();
    let before = &text[..field.at as usize];
    let declaration = before.rfind([';', '}', '{']).map_or(before, |it| &before[it..]);
    declaration.contains("@Mock") || body.mocks.of(file, text).contains(name)
}

/// Whether an expression creates a mock: `mock(Cart.class)`.
fn makes_mock(value: &Expression<'_>) -> bool {
    match &value.kind {
        ExpressionKind::Call(call) => MAKERS.contains(&call.name),
        _ => false,
    }
}
