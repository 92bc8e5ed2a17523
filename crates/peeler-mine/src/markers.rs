//! Markers: annotations and comments at a test that say that it is flaky.
//!
//! ```java
//! @Ignore("flaky") @Test void sums() {}              // an annotation with a reason
//! @Test(groups = "quarantine") void prints() {}      // a group
//! @RetryingTest(3) void waits() {}                   // a retry
//! @Test void sends() { /* sometimes fails */ }       // a comment
//! ```

use peeler_analysis::SourceMethod;

use crate::rules::MarkerRules;

/// What marks a test method as flaky, the strongest evidence first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Marker {
    /// An annotation such as `@Flaky` marks the method. A comment beside an annotation that disables the test counts
    /// too.
    Annotation,
    /// A comment above the method, or between its modifiers, says that the test is flaky.
    Comment,
    /// A comment in the body of the method says that the test is flaky.
    CommentInBody,
}

/// The strongest marker that calls a test method flaky; `None` if nothing does. `text` is the whole file.
///
/// An annotation is stronger than a comment, and a comment above the method is stronger than one in its body.
pub(crate) fn marker(rules: &MarkerRules, text: &str, method: &SourceMethod<'_>) -> Option<Marker> {
    let is_disabled = method
        .annotations
        .iter()
        .any(|it| rules.disabling.is_match(it.name) || it.name == "Test" && is_off(it.arguments));
    let is_marked = method.annotations.iter().any(|it| {
        let is_named = rules.name.is_match(it.name) && !rules.not_name.is_match(it.name);
        let has_reason = rules.disabling.is_match(it.name) && rules.reason.is_match(it.arguments);
        let is_grouped = rules.grouping.is_match(it.name) && rules.group.is_match(group_of(it.name, it.arguments));
        let is_retried = rules.retrying.is_match(it.name) || rules.retry_argument.is_match(it.arguments);
        is_named || has_reason || is_grouped || is_retried
    });
    let mut found = is_marked.then_some(Marker::Annotation);
    for comment in &method.comments {
        let in_body = comment.start >= method.body.start;
        let is_beside = !in_body && comment.start >= method.range.start;
        let comment = &text[comment.clone()];
        let kind = if is_beside && is_disabled && rules.reason.is_match(comment) {
            Marker::Annotation
        } else if !rules.comment.is_match(comment) || rules.not_comment.is_match(comment) {
            continue;
        } else if in_body {
            Marker::CommentInBody
        } else {
            Marker::Comment
        };
        found = Some(found.map_or(kind, |it: Marker| it.min(kind)));
    }
    found
}

/// Whether the arguments of `@Test` contain `enabled = false`, so that TestNG does not run the test.
fn is_off(arguments: &str) -> bool {
    let plain: String = arguments.chars().filter(|it| !it.is_whitespace()).collect();
    plain.contains("enabled=false")
}

/// The part of an annotation's arguments that names test groups: `groups = "slow"` in
/// `@Test(groups = "slow", timeOut = 1)`. Of annotations other than `@Test`, all arguments are returned.
fn group_of<'t>(name: &str, arguments: &'t str) -> &'t str {
    if name != "Test" {
        return arguments;
    }
    let Some(at) = arguments.find("groups") else { return "" };
    let rest = &arguments[at..];
    let end = match (rest.find('}'), rest.find(',')) {
        (Some(end), _) if rest.contains('{') => end,
        (_, Some(end)) => end,
        _ => rest.len(),
    };
    &rest[..end]
}

#[cfg(test)]
mod tests {
    use peeler_analysis::source_methods;

    use super::{Marker, marker};
    use crate::rules::Rules;

    fn check(member: &str) -> Option<Marker> {
        let rules = Rules::built_in();
        let text = format!("class CartTest {{\n{member}\n}}");
        let methods = source_methods(&text);
        assert_eq!(methods.len(), 1, "{member}");
        marker(&rules.markers, &text, &methods[0])
    }

    #[test]
    fn annotations_mark_a_test() {
        for marked in [
            "@Flaky @Test void a() {}",
            "@FlakyTest(\"SHOP-1\") void a() {}",
            "@Ignore(\"flaky on CI\") @Test void a() {}",
            "@Disabled(\"fails randomly, SHOP-1\") @Test void a() {}",
            "@Category(FlakyTest.class) @Test void a() {}",
            "@Category({Slow.class, FlakyTest.class}) @Test void a() {}",
            "@Tag(\"flaky\") @Test void a() {}",
            "@Test(groups = {\"slow\", \"quarantine\"}, timeOut = 1) void a() {}",
            "@Test(groups = \"flaky\") void a() {}",
            "@Test(retryAnalyzer = Again.class) void a() {}",
            "@RetryingTest(3) void a() {}",
            "@RepeatedIfExceptionsTest(repeats = 3) void a() {}",
            "@BadApple(bugUrl = \"x\") public void testA() {}",
            "@RandomlyFails(\"x\") @Test void a() {}",
            "@Ignore // race between two threads\n @Test void a() {}",
            "@AwaitsFix(bugUrl = \"flaky\") public void testA() {}",
        ] {
            assert_eq!(check(marked), Some(Marker::Annotation), "{marked}");
        }
    }

    #[test]
    fn comments_mark_a_test() {
        assert_eq!(check("// this test is flaky\n@Test void a() {}"), Some(Marker::Comment));
        assert_eq!(
            check("@Test void a() { // avoid flakiness\n }"),
            Some(Marker::CommentInBody)
        );
    }

    #[test]
    fn other_reasons_groups_and_words_of_the_domain_mark_nothing() {
        for plain in [
            "@Ignore(\"not implemented\") @Test void a() {}",
            "@AwaitsFix(bugUrl = \"SHOP-1\") public void testA() {}",
            "@Test(groups = \"slow\", dataProvider = \"flaky\") void a() {}",
            "@Test void a() { // a snowflake id\n }",
            "@Test void a() { // simulate a flaky server\n }",
            "@Category(Slow.class) @Test void retriesRaces() {}",
        ] {
            assert_eq!(check(plain), None, "{plain}");
        }
    }
}
