//! The methods of one Java source text, found without the rest of its repository.
//!
//! ```java
//! package shop;
//! class CartTest {
//!     // fails now and then
//!     @Ignore("flaky") @Test public void sums() { ... }
//! }
//! ```
//!
//! The method `sums` of the class `shop.CartTest` has one comment, two annotations and the range from `@Ignore` to `}`.
//!
//! Invariant: only declarations are parsed, so a text costs about as much as its outline. Left out: methods of anonymous
//! and local classes, and everything that needs another file, such as inherited tests.

use std::ops::Range;

use crate::discovery::TEST_ANNOTATIONS;
use crate::lifecycle::Phase;
use crate::syntax::declarations::{Annotation, MethodDeclaration, declarations};
use crate::syntax::marks::{Mark, marks};
use crate::syntax::outline::{Outline, outline};

/// One method of a Java source text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceMethod<'t> {
    /// The binary name of the class that declares the method, with its package: `shop.CartTest$Late`.
    pub class: String,
    /// The name of the method.
    pub name: &'t str,
    /// The annotations of the method, in the order of the source.
    pub annotations: Vec<SourceAnnotation<'t>>,
    /// The byte ranges of the comments above the method, among its modifiers and in its body, with their slashes and
    /// stars.
    pub comments: Vec<Range<usize>>,
    /// The byte range of the method, from its first modifier or annotation to the end of its body.
    pub range: Range<usize>,
    /// The byte range of the method body with its braces; empty if the method has no body.
    pub body: Range<usize>,
    /// Whether the method is a test, as far as its own file shows.
    pub is_test: bool,
}

/// An annotation of a method in a Java source text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceAnnotation<'t> {
    /// The simple name of the annotation.
    pub name: &'t str,
    /// The text between the parentheses of the annotation; empty if it has none.
    pub arguments: &'t str,
}

/// The methods of a Java source text, in the order of the text.
///
/// A method counts as a test if it has a test annotation, or if its name begins with `test` as in JUnit 3. Public
/// methods of a class with `@Test` count too, unless they set up or tear down.
#[must_use]
pub fn source_methods(text: &str) -> Vec<SourceMethod<'_>> {
    let outline = outline(text);
    let declared = declarations(text, &outline);
    let mut found = Vec::new();
    for (at, declaration) in declared.types.iter().enumerate() {
        let class = binary_name(&outline, at);
        let class_is_test = declaration.annotations.iter().any(|it| it.name == "Test");
        for method in declaration.methods.iter().filter(|it| !it.is_constructor) {
            let start = method.start as usize;
            let body = method.code.as_ref().map(|it| it.start as usize..it.end as usize);
            let end = body
                .as_ref()
                .map_or(method.at as usize + method.name.len(), |it| it.end);
            found.push(SourceMethod {
                class: class.clone(),
                name: method.name,
                annotations: method.annotations.iter().map(source_annotation).collect(),
                comments: Vec::new(),
                range: start..end,
                body: body.unwrap_or(end..end),
                is_test: is_test(method, class_is_test),
            });
        }
    }
    found.sort_by_key(|it| it.range.start);
    add_comments(text, &mut found);
    found
}

fn source_annotation<'t>(annotation: &Annotation<'t>) -> SourceAnnotation<'t> {
    SourceAnnotation {
        name: annotation.name,
        arguments: annotation.arguments,
    }
}

/// The binary name of the type with index `at` in an outline, with its package and enclosing types:
/// `shop.CartTest$Late`.
fn binary_name(outline: &Outline<&str>, at: usize) -> String {
    let mut names = Vec::new();
    let mut next = Some(at);
    while let Some(at) = next {
        names.push(outline.types[at].name);
        next = outline.types[at].enclosing.map(|it| it as usize);
    }
    names.reverse();
    let name = names.join("$");
    if outline.package.is_empty() {
        name
    } else {
        format!("{}.{name}", outline.package)
    }
}

fn is_test(method: &MethodDeclaration<'_>, class_is_test: bool) -> bool {
    if method.is_static || method.code.is_none() {
        return false;
    }
    let annotations = &method.annotations;
    // Libraries that repeat or retry tests have annotations such as `@RepeatedIfExceptionsTest`.
    let is_marked = annotations
        .iter()
        .any(|it| TEST_ANNOTATIONS.contains(&it.name) || it.name.ends_with("Test"));
    let is_void = method.return_type == "void" && method.is_public;
    let by_name = is_void && method.name.starts_with("test") && method.parameters.is_empty();
    let is_configuration = annotations.iter().any(|it| {
        Phase::of_annotation(it.name).is_some() || matches!(it.name, "DataProvider" | "Factory" | "Override")
    });
    is_marked || by_name && !is_configuration || class_is_test && is_void && !is_configuration
}

/// Gives every method the comments between the end of the member before it and its own end.
fn add_comments(text: &str, methods: &mut [SourceMethod<'_>]) {
    let mut at = 0;
    let mut above: Vec<Range<usize>> = Vec::new();
    let mut last_member_end = 0;
    for mark in marks(text) {
        while let Some(passed) = methods.get(at).filter(|it| it.range.end <= mark.start()) {
            last_member_end = passed.range.end;
            at += 1;
            above.clear();
        }
        let Some(method) = methods.get_mut(at) else { return };
        let is_inside = method.range.contains(&mark.start());
        match mark {
            Mark::Comment(range) if is_inside => {
                method.comments.append(&mut above);
                method.comments.push(range);
            }
            // A comment on the line where a member ends is about that member.
            Mark::Comment(range) if text[last_member_end..range.start].contains('\n') => above.push(range),
            _ if is_inside => method.comments.append(&mut above),
            Mark::Bracket(b'{' | b'}' | b';', end) => {
                last_member_end = end;
                above.clear();
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::source_methods;

    fn check(text: &str) -> Vec<String> {
        source_methods(text)
            .into_iter()
            .map(|it| {
                let kind = if it.is_test { "test" } else { "other" };
                let annotations: Vec<String> = it
                    .annotations
                    .iter()
                    .map(|it| format!("@{}({})", it.name, it.arguments))
                    .collect();
                format!(
                    "{kind} {}#{} {} {}",
                    it.class,
                    it.name,
                    annotations.join(" "),
                    it.comments
                        .iter()
                        .map(|it| &text[it.clone()])
                        .collect::<Vec<_>>()
                        .join(" ")
                )
            })
            .collect()
    }

    #[test]
    fn comments_above_and_inside_belong_to_their_method() {
        let text = "package shop;\n/** class */ class CartTest {\n int a = 1; // field\n // above\n @Ignore(\"x\") @Test // \
                    beside\n void sums() { /* in */ }\n // next\n void help() {} // after\n}";
        assert_eq!(
            check(text),
            [
                "test shop.CartTest#sums @Ignore(\"x\") @Test() // above // beside /* in */",
                "other shop.CartTest#help  // next",
            ]
        );
    }

    #[test]
    fn tests_are_annotated_or_named_or_of_an_annotated_class() {
        let text = "@Test class A extends B { public void sums() {} @BeforeMethod public void open() {} void own() {}
            static class In { public void testOld() {} @ParameterizedTest void each(int a) {} abstract void none(); } }";
        assert_eq!(
            check(text),
            [
                "test A#sums  ",
                "other A#open @BeforeMethod() ",
                "other A#own  ",
                "test A$In#testOld  ",
                "test A$In#each @ParameterizedTest() ",
                "other A$In#none  ",
            ]
        );
    }

    #[test]
    fn broken_text_yields_what_can_be_read() {
        assert!(source_methods("class {{{ void @ ").is_empty());
        assert_eq!(check("class A { @Test void a() { "), ["test A#a @Test() "]);
    }
}
