//! Guesses why a test was flaky from the lines that a commit changes in it: a new `await()` suggests `async_wait`.

use crate::changed_tests::{ChangeKind, TestChange};
use crate::rules::CauseRule;

/// The causes of flakiness that the changed lines of a test suggest, such as `async_wait`. If they suggest none, one
/// name such as `deleted`, `marker-only` or `other`.
pub(crate) fn causes(rules: &[CauseRule], change: &TestChange) -> Vec<String> {
    if change.kind == ChangeKind::Deleted {
        return vec!["deleted".to_owned()];
    }
    if matches!(change.kind, ChangeKind::Annotations | ChangeKind::Comments) {
        let is_retried = rules
            .iter()
            .any(|rule| rule.name == "retry/marker" && shows(rule, change));
        let name = if is_retried { "retry/marker" } else { "marker-only" };
        return vec![name.to_owned()];
    }
    let shown = rules.iter().filter(|rule| shows(rule, change));
    let found: Vec<String> = shown.map(|rule| rule.name.clone()).collect();
    if found.is_empty() {
        vec!["other".to_owned()]
    } else {
        found
    }
}

/// Whether one of these names is a real cause of flakiness, such as `async_wait`. Names such as `other`, `deleted` or
/// `marker-only` only say how a commit changed the test.
pub(crate) fn is_known(causes: &[String]) -> bool {
    let says_nothing = ["other", "marker-only", "deleted", "disabled", "retry/marker"];
    causes.iter().any(|it| !says_nothing.contains(&it.as_str()))
}

fn shows(rule: &CauseRule, change: &TestChange) -> bool {
    let is_code = |it: &&String| !it.starts_with("//") && !it.starts_with('*') && !it.starts_with("/*");
    let mut added = change.added.iter().filter(is_code);
    let mut removed = change.removed.iter().filter(is_code);
    added.any(|it| rule.added.is_match(it) || rule.either.is_match(it)) || removed.any(|it| rule.either.is_match(it))
}

#[cfg(test)]
mod tests {
    use super::causes;
    use crate::changed_tests::changed_tests;
    use crate::rules::Rules;

    fn check(old: &str, new: &str) -> String {
        let rules = Rules::built_in();
        let class = |body: &str| format!("class A {{ @Test void a() {{\n{body}\n}} }}");
        let changes = changed_tests(&rules.markers, &class(old), &class(new));
        causes(&rules.cause, &changes[0]).join("|")
    }

    #[test]
    fn a_change_shows_its_cause() {
        assert_eq!(
            check("Thread.sleep(10);", "Awaitility.await().until(this::done);"),
            "async_wait"
        );
        assert_eq!(check("new HashMap<>();", "new LinkedHashMap<>();"), "unordered");
        assert_eq!(check("int count = 0;", "AtomicInteger count;"), "concurrency");
        assert_eq!(check("ask();", "ask(); server.close();"), "state/cleanup");
        assert_eq!(check("new Date();", "day;"), "time");
        assert_eq!(check("a();", "b();"), "other");
    }

    #[test]
    fn markers_alone_show_no_cause() {
        let rules = Rules::built_in();
        let old = "class A { @Test void a() {} }";
        let check = |new: &str| {
            let changes = changed_tests(&rules.markers, old, new);
            causes(&rules.cause, &changes[0]).join("|")
        };
        assert_eq!(check("class A { @Ignore @Test void a() {} }"), "marker-only");
        assert_eq!(check("class A { @Retry(3) @Test void a() {} }"), "retry/marker");
        assert_eq!(check("class A {}"), "deleted");
    }
}
