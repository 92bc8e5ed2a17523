//! Finds calls on mocks, such as `verify(mock).run()`, whose real method bodies do not run.

use std::sync::OnceLock;

use rustc_hash::FxHashSet;

use crate::symbols::ids::FileId;
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

/// The variables and fields to which each file of a repository assigns a mock, such as `cart` for
/// `cart = mock(Cart.class)`. A file is read when it is first asked for.
pub(super) struct AssignedMocks<'r>(Vec<OnceLock<FxHashSet<&'r str>>>);

impl<'r> AssignedMocks<'r> {
    pub(super) fn new(files: usize) -> Self {
        Self((0..files).map(|_| OnceLock::new()).collect())
    }

    fn of(&self, file: FileId, text: &'r str) -> &FxHashSet<&'r str> {
        self.0[file.position()].get_or_init(|| assigned_mocks(text).collect())
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

/// The names to which a text assigns a value that calls a maker of mocks: `cart` for `cart = spied(mock(Cart.class));`.
fn assigned_mocks(text: &str) -> impl Iterator<Item = &str> {
    let calls = text.match_indices('(').map(|(at, _)| &text[..at]);
    let made = calls.filter(|before| MAKERS.contains(&last_word(before, char::is_alphanumeric)));
    made.flat_map(|before| {
        let statement = before.rfind(';').map_or(before, |it| &before[it + 1..]);
        let assigned = statement.match_indices('=').filter_map(|(at, _)| {
            let is_comparison = statement[at + 1..].starts_with('=');
            let name = last_word(statement[..at].trim_end(), |it| {
                it.is_alphanumeric() || it == '_' || it == '$'
            });
            (!is_comparison && !name.is_empty()).then_some(name)
        });
        assigned.collect::<Vec<_>>()
    })
}

/// The longest end of a text that has only characters of a word.
fn last_word(text: &str, is_part: impl Fn(char) -> bool) -> &str {
    text.rsplit(|it| !is_part(it)).next().unwrap_or(text)
}

/// Whether an expression creates a mock: `mock(Cart.class)`.
fn makes_mock(value: &Expression<'_>) -> bool {
    match &value.kind {
        ExpressionKind::Call(call) => MAKERS.contains(&call.name),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::assigned_mocks;

    #[test]
    fn a_mock_is_assigned_up_to_the_next_semicolon() {
        let names = |text| assigned_mocks(text).collect::<Vec<_>>();
        assert_eq!(names("Cart cart = mock(Cart.class);"), ["cart"]);
        assert_eq!(names("shelf = new Shelf(Mockito.mock(Cart.class))"), ["shelf"]);
        assert_eq!(names("a = 1; b = createMock(Cart.class); c = 2;"), ["b"]);
        assert_eq!(names("total == mock(Cart.class)"), [""; 0]);
        assert_eq!(names("cart = hammock(Cart.class)"), [""; 0]);
        assert_eq!(names("use(mock(Cart.class));"), [""; 0]);
    }
}
