//! Tests of the evidence classes and of what is dropped, each on a small git history.

mod made;

use made::{CART, History, MAIN, cart, test};

/// The events of a history in which one commit replaces the members of a test class.
fn after(message: &str, old: &str, new: &str) -> Vec<String> {
    let mut history = History::of(&[(CART, &cart(old)), (MAIN, "class Cart {}")]);
    history.commit(message, &[(CART, &cart(new))]);
    history.events()
}

fn sums(body: &str) -> String {
    test("sumsAllItems", body)
}

const NOTHING: [&str; 0] = [];

#[test]
fn a1_an_annotation_is_new_on_the_method() {
    let old = sums("a();");
    let new = format!("@Ignore(\"flaky\")\n{old}{}", test("other", "b();"));
    assert_eq!(after("Work", &old, &new), ["A1 shop.CartTest#sumsAllItems marker-only"]);
    let retried = old.replace("@Test", "@RetryingTest(3)");
    assert_eq!(
        after("Work", &old, &retried),
        ["A1 shop.CartTest#sumsAllItems retry/marker"]
    );
}

#[test]
fn a2_a_comment_is_new_at_the_method() {
    let old = sums("a();");
    let above = format!("    // this test is flaky\n{old}");
    assert_eq!(
        after("Work", &old, &above),
        ["A2 shop.CartTest#sumsAllItems marker-only"]
    );
    let inside = sums("a(); // wait, or the test is flaky\n        Thread.sleep(10);");
    assert_eq!(
        after("Work", &old, &inside),
        ["A2 shop.CartTest#sumsAllItems async_wait"]
    );
}

#[test]
fn b1_the_message_names_the_test() {
    let others = test("printsOne", "p();");
    let old = format!("{}{others}", sums("a();"));
    let new = format!("{}{}", sums("await().until(done);"), others.replace("p();", "q();"));
    let named = ["B1 shop.CartTest#sumsAllItems async_wait"];
    assert_eq!(after("Fix flaky sumsAllItems", &old, &new), named);
    assert_eq!(
        after("Work\n\nFixes the flaky test CartTest.sumsAllItems too.", &old, &new),
        named
    );
}

#[test]
fn b1_a_sentence_about_flakiness_counts_more_than_others() {
    let both = |body: &str| format!("{}{}", sums(body), test("printsAllItems", body));
    let message = "Fix tests\n\nsumsAllItems is flaky. Also simplify printsAllItems.";
    let found = after(message, &both("a();"), &both("b();"));
    assert_eq!(found, ["B1 shop.CartTest#sumsAllItems other"]);
}

#[test]
fn b1_the_message_names_a_test_whose_helper_changes() {
    let old = format!("{}    void help() {{ a(); }}\n", sums("help();"));
    let new = old.replace("a();", "Thread.sleep(10);");
    let found = after("Fix flaky sumsAllItems", &old, &new);
    assert_eq!(found, ["B1 shop.CartTest#sumsAllItems async_wait"]);
    assert_eq!(after("Fix flaky CartTest", &old, &new), NOTHING);
}

#[test]
fn b2_the_subject_speaks_and_few_tests_change() {
    let found = after("Fix flaky test", &sums("a();"), &sums("b();"));
    assert_eq!(found, ["B2 shop.CartTest#sumsAllItems other"]);
    let found = after("Deflake CartTest", &sums("a();"), &sums("b();"));
    assert_eq!(found, ["B2 shop.CartTest#sumsAllItems other"]);
}

#[test]
fn b3a_the_body_of_the_message_speaks() {
    let found = after(
        "Wait longer\n\nThe test failed intermittently.",
        &sums("a();"),
        &sums("b();"),
    );
    assert_eq!(found, ["B3a shop.CartTest#sumsAllItems other"]);
}

#[test]
fn b3b_main_code_changes_too() {
    let mut history = History::of(&[(CART, &cart(&sums("a();"))), (MAIN, "class Cart {}")]);
    let files = [(CART, cart(&sums("b();"))), (MAIN, "class Cart { int a; }".to_owned())];
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    history.commit("Fix flaky test", &files);
    assert_eq!(history.events(), ["B3b shop.CartTest#sumsAllItems other"]);
    // A message that speaks in its body alone may be about the main code.
    let files = [(CART, cart(&sums("c();"))), (MAIN, "class Cart { int b; }".to_owned())];
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    history.commit("Work\n\nCalls fail intermittently.", &files);
    assert_eq!(history.events().len(), 1);
}

#[test]
fn each_event_has_its_fix_and_the_parent_where_the_test_was_flaky() {
    let mut history = History::of(&[(CART, &cart(&sums("a();")))]);
    let parent = history.commit("Work", &[("README.md", "text")]);
    let fix = history.commit("Fix flaky test", &[(CART, &cart(&sums("b();")))]);
    let mined = history.mined();
    let event = &mined.events[0];
    assert_eq!(
        (event.commit.clone(), event.fix.clone()),
        (parent.to_string(), fix.to_string())
    );
    assert_eq!((event.date.as_str(), event.path.as_str()), ("2020-01-04", CART));
    assert_eq!((mined.commits, mined.first_day.as_str()), (3, "2020-01-02"));
    assert!(event.certainty > 0.5 && event.certainty < 1.0);
}

#[test]
fn reverts_and_unmarking_commits_are_dropped() {
    assert_eq!(
        after("Revert \"Fix flaky test\"", &sums("a();"), &sums("b();")),
        NOTHING
    );
    assert_eq!(after("Re-enable flaky test", &sums("a();"), &sums("b();")), NOTHING);
    let marked = format!("@Ignore(\"flaky\")\n{}", sums("a();"));
    assert_eq!(after("CartTest was flaky", &marked, &sums("a();")), NOTHING);
}

#[test]
fn words_of_the_domain_are_dropped() {
    assert_eq!(after("Add SnowflakeId to tests", &sums("a();"), &sums("b();")), NOTHING);
    assert_eq!(after("Test FlakeId", &sums("a();"), &sums("b();")), NOTHING);
    assert_eq!(
        after("Work", &sums("a();"), &sums("a(); // simulate a flaky server")),
        NOTHING
    );
}

#[test]
fn a_commit_that_names_another_test_is_dropped() {
    assert_eq!(after("Fix flaky OrderTest", &sums("a();"), &sums("b();")), NOTHING);
    assert_eq!(after("Fix flaky testOther", &sums("a();"), &sums("b();")), NOTHING);
}

#[test]
fn a_commit_that_changes_many_tests_is_dropped_unless_it_names_them() {
    let all = |body: &str| -> String { (0..5).map(|it| test(&format!("testNumber{it}"), body)).collect() };
    assert_eq!(after("Fix flaky tests", &all("a();"), &all("b();")), NOTHING);
    let named = after("Fix flaky testNumber3", &all("a();"), &all("b();"));
    assert_eq!(named, ["B1 shop.CartTest#testNumber3 other"]);
}

#[test]
fn bulk_markers_are_dropped() {
    let all = |mark: &str| -> String {
        let tests: Vec<String> = (0..30).map(|it| test(&format!("testNumber{it}"), "a();")).collect();
        format!("{mark}{}", tests.join(mark))
    };
    assert_eq!(after("Work", &all(""), &all("@Ignore(\"flaky\")\n")), NOTHING);
}

#[test]
fn awaits_fix_needs_a_word_of_flakiness() {
    let old = sums("a();");
    assert_eq!(
        after("Work", &old, &format!("@AwaitsFix(bugUrl = \"SHOP-1\")\n{old}")),
        NOTHING
    );
    let flaky = format!("@AwaitsFix(bugUrl = \"flaky, SHOP-1\")\n{old}");
    assert_eq!(
        after("Work", &old, &flaky),
        ["A1 shop.CartTest#sumsAllItems marker-only"]
    );
}

#[test]
fn new_tests_and_layout_are_no_events() {
    let old = sums("a();");
    assert_eq!(
        after("Fix flaky test", &old, &format!("{old}{}", test("more", "b();"))),
        NOTHING
    );
    assert_eq!(after("Fix flaky test", &old, &old.replace("    ", "\t")), NOTHING);
    let marked = format!("{old}@Ignore(\"flaky\")\n{}", test("more", "b();"));
    assert_eq!(after("Work", &old, &marked), NOTHING);
}
