//! The outline of a file in a form that can be stored: names are byte ranges of the text.
//!
//! Together with the text of the file it becomes an outline again, much faster than by another pass over all bytes.

use serde::{Deserialize, Serialize};

use super::outline::{Import, Outline, TypeOutline};
use crate::text_range::TextRange;

/// The outline of a file, with byte ranges instead of names. It is valid only for the text that it was made from.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct StoredOutline(Outline<TextRange>);

impl StoredOutline {
    /// The storable form of an outline of `text`.
    pub(crate) fn new(outline: &Outline<&str>, text: &str) -> Self {
        // Only an empty name can lie outside the text.
        let range = |name: &&str| Some(TextRange::of_slice(text, name).unwrap_or(TextRange::empty(0)));
        Self(named(outline, range).expect("every name has a range"))
    }

    /// The outline with its names again, as slices of `text`; `None` if the stored ranges do not fit the text.
    pub(crate) fn of<'r>(&self, text: &'r str) -> Option<Outline<&'r str>> {
        let outline = named(&self.0, |range| range.slice(text))?;
        let mut elided_before = 0;
        let is_elided_in_order = outline.elided.iter().all(|it| {
            let follows = it.start >= elided_before;
            elided_before = it.end;
            follows && text.get(it.start as usize..it.end as usize).is_some()
        });
        let mut types = outline.types.iter().enumerate();
        let is_enclosed = types.all(|(at, it)| it.enclosing.is_none_or(|outer| (outer as usize) < at));
        (is_elided_in_order && is_enclosed).then_some(outline)
    }
}

/// An outline with each name replaced by the result of `name`; `None` if that is `None` for one of them.
fn named<A, B>(outline: &Outline<A>, name: impl Fn(&A) -> Option<B>) -> Option<Outline<B>> {
    let names = |all: &[A]| all.iter().map(&name).collect::<Option<Vec<B>>>();
    let import = |it: &Import<A>| {
        Some(Import {
            path: name(&it.path)?,
            name: name(&it.name)?,
            is_static: it.is_static,
            is_wildcard: it.is_wildcard,
        })
    };
    let declared = |it: &TypeOutline<A>| {
        Some(TypeOutline {
            name: name(&it.name)?,
            name_at: it.name_at,
            kind: it.kind,
            enclosing: it.enclosing,
            type_parameters: name(&it.type_parameters)?,
            supertypes: names(&it.supertypes)?,
            extended: it.extended,
            is_abstract: it.is_abstract,
        })
    };
    Some(Outline {
        package: name(&outline.package)?,
        imports: outline.imports.iter().map(import).collect::<Option<_>>()?,
        types: outline.types.iter().map(declared).collect::<Option<_>>()?,
        annotations: names(&outline.annotations)?,
        elided: outline.elided.clone(),
        balanced: outline.balanced,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::outline::outline;

    #[test]
    fn beside_its_text_it_is_the_outline_again() {
        let texts = [
            "package shop; import java.util.*; import static a.B.c; @Old class Cart<T> extends Basket<T> implements Sized \
             { int a = 1; @Test void f() { g(); } enum Kind { A } record Point(int x) {} }",
            "class Ä extends Ö { void ü() { \"ß\".length(); } }",
            "class Broken { void f() { ",
            "@interface Marker {}",
            "",
        ];
        for text in texts {
            let made = outline(text);
            let kept = StoredOutline::new(&made, text);
            assert_eq!(kept.of(text), Some(made), "{text}");
        }
    }

    #[test]
    fn beside_a_text_that_cannot_be_its_own_it_is_nothing() {
        let text = "package shop; class Cart { void f() { g(); } }";
        let kept = StoredOutline::new(&outline(text), text);
        assert_eq!(kept.of(&text[..20]), None);
        assert_eq!(kept.of(&text.replace("shop", "xyzä")), None);
    }
}
