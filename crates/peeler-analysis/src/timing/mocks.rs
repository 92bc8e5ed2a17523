//! Finds calls on mocks, such as `verify(mock).run()`, whose real method bodies do not run.

use crate::syntax::body::{Expression, ExpressionKind};

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

/// Methods of mocking libraries that make a mock.
pub(super) const MAKERS: [&str; 6] = [
    "mock",
    "createMock",
    "createNiceMock",
    "createStrictMock",
    "niceMock",
    "strictMock",
];

/// Whether a field holds a mock: by an annotation such as `@Mock`, or because its class assigns one to it, such as
/// `mock(Cart.class)`.
fn is_mock_field(body: &ScannedBody<'_, '_>, name: &str) -> bool {
    let index = body.index;
    let declared = index.field(body.owner, name);
    let Some((ancestor, field)) = declared.filter(|_| body.code == CodeKind::Test) else {
        return false;
    };
    let text = index.source(index.file_of(ancestor.id)).text();
    let before = &text[..field.at as usize];
    let declaration = before.rfind([';', '}', '{']).map_or(before, |it| &before[it..]);
    declaration.contains("@Mock") || assigned_texts(text, name).any(makes_mock_text)
}

/// The texts that a file assigns to a variable or field, each up to its semicolon.
fn assigned_texts<'t>(text: &'t str, name: &str) -> impl Iterator<Item = &'t str> {
    text.match_indices(name).filter_map(move |(at, _)| {
        let is_part = text[..at].ends_with(|it: char| it.is_alphanumeric() || it == '_');
        let value = text[at + name.len()..].trim_start().strip_prefix('=')?;
        let value = value.split(';').next().unwrap_or(value);
        (!is_part && !value.starts_with('=')).then_some(value)
    })
}

/// Whether the text of a value calls a method that makes a mock.
fn makes_mock_text(value: &str) -> bool {
    let is_maker = |before: &str| {
        let word = before.rsplit(|it: char| !it.is_alphanumeric()).next();
        word.is_some_and(|it| MAKERS.contains(&it))
    };
    value.match_indices('(').any(|(at, _)| is_maker(&value[..at]))
}

/// Whether an expression creates a mock: `mock(Cart.class)`.
fn makes_mock(value: &Expression<'_>) -> bool {
    match &value.kind {
        ExpressionKind::Call(call) => MAKERS.contains(&call.name),
        _ => false,
    }
}
