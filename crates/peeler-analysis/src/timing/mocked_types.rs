//! The types of which a test class makes mocks. Code under test that gets such a mock does not start their real work.
//!
//! ```java
//! @Mock Consumer<String, String> consumer;   // `consumer.poll(..)` in the code under test asks no broker
//! ```

use crate::symbols::ids::TypeId;
use crate::symbols::index::Index;

use super::assigned_mocks::MAKERS;
use super::event::Event;

/// The names of types, without packages, of which the files of a test class make mocks.
pub(super) struct MockedTypes<'r>(Vec<&'r str>);

impl<'r> MockedTypes<'r> {
    /// Finds the mocked types in the files that declare a test class, its superclasses and enclosing classes.
    pub(super) fn of(index: &Index<'r>, types: &[TypeId]) -> Self {
        let mut files: Vec<_> = types.iter().map(|it| index.file_of(*it)).collect();
        files.dedup();
        let texts = files.into_iter().map(|it| index.source(it).text());
        Self(texts.flat_map(|it| made(it).chain(annotated(it))).collect())
    }

    /// Whether an event is a call on an object of a mocked type, or happens in a class of the repository that such a
    /// mock stands for.
    pub(super) fn replaces(&self, index: &Index<'_>, event: &Event<'_>) -> bool {
        let is_mocked = |name: &str| self.0.contains(&simple_name(name));
        let is_reached = !event.steps.is_empty();
        let stands_for = |id: TypeId| !index.is_library(id) && is_mocked(index.outline(id).name);
        !self.0.is_empty()
            && (event.object.is_some_and(is_mocked)
                || is_reached && index.ancestors(event.owner).iter().any(|it| stands_for(it.id)))
    }
}

fn simple_name(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// The types in calls such as `mock(Cart.class)` and `createMock("cart", Cart.class)`.
fn made(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices(".class").filter_map(|(at, _)| {
        let name = last_word(&text[..at]);
        let before = &text[..at - name.len()];
        let call = before.rfind('(').filter(|open| !before[*open..].contains([')', ';']))?;
        MAKERS.contains(&last_word(&before[..call])).then_some(name)
    })
}

/// The types of fields and parameters with an annotation such as `@Mock` or `@MockBean`.
fn annotated(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("@Mock").filter_map(|(at, _)| {
        let rest = text[at + 1..].trim_start_matches(is_word);
        let rest = match rest.strip_prefix('(') {
            Some(arguments) => arguments.split_once(')')?.1,
            None => rest,
        };
        let is_modifier = |it: &&str| matches!(*it, "private" | "protected" | "public" | "final" | "static");
        let declared = rest.split([';', ',', ')', '=', '{']).next()?;
        let mut words = declared.split_whitespace().skip_while(is_modifier);
        let type_text = words.next().filter(|it| !it.starts_with('@'))?;
        Some(simple_name(type_text.split('<').next()?))
    })
}

fn is_word(it: char) -> bool {
    it.is_alphanumeric() || it == '_'
}

/// The identifier that a text ends with; empty if it does not end with one.
fn last_word(text: &str) -> &str {
    let start = text.trim_end_matches(is_word).len();
    &text[start..]
}

#[cfg(test)]
mod tests {
    use super::{annotated, made};

    #[test]
    fn mocked_types_are_found_by_calls_and_annotations() {
        let text = r#"
            @Mock private Consumer<String, Order> consumer;
            @MockBean(name = "a") shop.Cart cart;
            @Mock
            Door door;
            @MockitoSettings(strictness = LENIENT) class A {}
            Lamp lamp = mock(Lamp.class);
            Bus bus = EasyMock.createNiceMock("bus", Bus.class);
            Tree tree = new Tree(Leaf.class);
            void test(@Mock Shelf shelf, @Mock final Box box) { list(mock(Pen.class), Ink.class); }
        "#;
        let of_annotations: Vec<&str> = annotated(text).collect();
        assert_eq!(of_annotations, ["Consumer", "Cart", "Door", "class", "Shelf", "Box"]);
        assert_eq!(made(text).collect::<Vec<_>>(), ["Lamp", "Bus", "Pen"]);
    }
}
