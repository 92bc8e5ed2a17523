//! The names to which the files of a repository assign mocks: `cart` for `cart = mock(Cart.class)`.

use std::sync::OnceLock;

use rustc_hash::FxHashSet;

use crate::symbols::ids::FileId;

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

    pub(super) fn of(&self, file: FileId, text: &'r str) -> &FxHashSet<&'r str> {
        self.0[file.position()].get_or_init(|| assigned_mocks(text).collect())
    }
}

/// The names to which a text assigns a value that calls a maker of mocks: `cart` for `cart = spied(mock(Cart.class));`.
fn assigned_mocks(text: &str) -> impl Iterator<Item = &str> {
    text.split(';').flat_map(|statement| {
        let calls = statement.match_indices('(').map(|(at, _)| &statement[..at]);
        let mut made = calls.filter(|it| MAKERS.contains(&last_word(it, char::is_alphanumeric)));
        let before = made.next_back().unwrap_or_default();
        before.match_indices('=').filter_map(move |(at, _)| {
            let is_comparison = before[at + 1..].starts_with('=');
            let name = last_word(before[..at].trim_end(), |it| {
                it.is_alphanumeric() || it == '_' || it == '$'
            });
            (!is_comparison && !name.is_empty()).then_some(name)
        })
    })
}

/// The longest end of a text that has only characters of a word.
fn last_word(text: &str, is_part: impl Fn(char) -> bool) -> &str {
    text.rsplit(|it| !is_part(it)).next().unwrap_or(text)
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
        assert_eq!(
            names("a = b = mock(Cart.class), c = mock(Shelf.class), d = 1;"),
            ["a", "b", "c"]
        );
    }
}
