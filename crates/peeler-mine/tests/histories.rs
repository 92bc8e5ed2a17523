//! Tests of whole histories: renames, merges, cut and broken histories, and the same result every time.

mod made;

use made::{CART, History, cart, test};
use peeler_mine::{Evidence, MineError, Request, RunLabel, TestLocation, mine};

const LONG: &str = "one();\n        two();\n        three();\n        four();\n        five();";

fn sums(body: &str) -> String {
    test("sumsAllItems", body)
}

/// A history whose second commit fixes a flaky test.
fn fixed() -> History {
    let mut history = History::of(&[(CART, &cart(&sums(LONG)))]);
    history.commit(
        "Fix flaky test",
        &[(CART, &cart(&sums(&format!("zero();\n        {LONG}"))))],
    );
    history
}

fn today(history: &History) -> Vec<Option<TestLocation>> {
    history.mined().events.into_iter().map(|it| it.today).collect()
}

fn location(path: &str, class: &str, test: &str) -> TestLocation {
    TestLocation {
        path: path.to_owned(),
        class: class.to_owned(),
        test: test.to_owned(),
    }
}

#[test]
fn a_test_that_stays_has_its_old_name() {
    assert_eq!(today(&fixed()), [Some(location(CART, "shop.CartTest", "sumsAllItems"))]);
}

#[test]
fn files_classes_and_methods_are_followed() {
    let mut history = fixed();
    let basket = "core/src/test/java/shop/BasketTest.java";
    let text = cart(&sums(LONG)).replace("CartTest", "BasketTest");
    history.commit("Rename the class", &[(CART, ""), (basket, &text)]);
    assert_eq!(
        today(&history),
        [Some(location(basket, "shop.BasketTest", "sumsAllItems"))]
    );
    let text = text.replace("sumsAllItems", "addsUp").replace("two()", "zwei()");
    history.commit("Rename the method", &[(basket, &text)]);
    assert_eq!(today(&history), [Some(location(basket, "shop.BasketTest", "addsUp"))]);
    let moved = "core/src/integrationTest/java/shop/BasketTest.java";
    history.commit("Move", &[(basket, ""), (moved, &text)]);
    assert_eq!(today(&history), [Some(location(moved, "shop.BasketTest", "addsUp"))]);
}

#[test]
fn a_method_that_moves_to_another_class_is_followed() {
    let mut history = fixed();
    let other = "core/src/test/java/shop/SumsTest.java";
    let text = cart(&sums(LONG)).replace("CartTest", "SumsTest");
    let rest = cart(&test("prints", "p();"));
    history.commit("Split", &[(CART, &rest), (other, &text)]);
    assert_eq!(
        today(&history),
        [Some(location(other, "shop.SumsTest", "sumsAllItems"))]
    );
}

#[test]
fn a_deleted_test_is_gone() {
    let mut history = fixed();
    history.commit(
        "Delete",
        &[(CART, &cart(&test("another", "completely();\n different();")))],
    );
    assert_eq!(today(&history), [None]);
}

#[test]
fn a_fix_that_renames_the_file_is_an_event_of_the_old_path() {
    let mut history = History::of(&[(CART, &cart(&sums(LONG)))]);
    let basket = "core/src/test/java/shop/BasketTest.java";
    let text = cart(&sums(&format!("zero();\n        {LONG}"))).replace("CartTest", "BasketTest");
    history.commit("Fix flaky CartTest", &[(CART, ""), (basket, &text)]);
    let mined = history.mined();
    assert_eq!(mined.events.len(), 1);
    assert_eq!(
        (mined.events[0].path.as_str(), mined.events[0].class.as_str()),
        (CART, "shop.CartTest")
    );
    assert_eq!(
        mined.events[0].today,
        Some(location(basket, "shop.BasketTest", "sumsAllItems"))
    );
}

#[test]
fn a_merge_is_leapt_over_and_its_branch_is_read() {
    let mut history = History::of(&[(CART, &cart(&sums("a();")))]);
    let start = history.last();
    let fix = history.commit("Fix flaky test", &[(CART, &cart(&sums("b();")))]);
    let main = history.commit_after("Work", &[(CART, &cart(&sums("a();"))), ("README.md", "text")], &[start]);
    let merge = [(CART, cart(&sums("b();")))];
    let merge: Vec<(&str, &str)> = merge.iter().map(|(path, text)| (*path, text.as_str())).collect();
    history.commit_after("Merge: fix flaky test", &merge, &[main, fix]);
    let mined = history.mined();
    let fixes: Vec<&str> = mined.events.iter().map(|it| it.fix.as_str()).collect();
    assert_eq!(fixes, [fix.to_string()]);
    assert_eq!((mined.commits, mined.merges), (4, 1));
}

#[test]
fn a_shallow_history_is_cut_and_read() {
    let mut history = fixed();
    let cut = history.commit("Work", &[("README.md", "text")]);
    history.commit("Fix flaky test again", &[(CART, &cart(&sums("x();")))]);
    std::fs::write(history.repository().path().join("shallow"), format!("{cut}\n")).expect("a file");
    let parent = history.repository().find_commit(cut).expect("a commit").parent_id(0);
    remove(&history, parent.expect("a parent"));
    let mined = history.mined();
    assert!(mined.is_shallow);
    assert_eq!((mined.commits, mined.unreadable_commits, mined.events.len()), (2, 0, 1));
}

#[test]
fn a_broken_history_is_read_as_far_as_it_goes() {
    let mut history = fixed();
    let broken = history.commit("Work", &[(CART, &cart(&sums("x();")))]);
    history.commit("Fix flaky test again", &[(CART, &cart(&sums("y();")))]);
    let tree = history.repository().find_commit(broken).expect("a commit").tree_id();
    remove(&history, tree);
    let mined = history.mined();
    assert!(mined.unreadable_commits > 0, "{mined:?}");
    assert_eq!(mined.commits, 4);
}

#[test]
fn a_missing_parent_is_counted() {
    let mut history = fixed();
    let middle = history.last();
    history.commit("Fix flaky test again", &[(CART, &cart(&sums("y();")))]);
    remove(&history, middle);
    let mined = history.mined();
    assert_eq!((mined.commits, mined.unreadable_commits), (1, 1));
}

/// Deletes the file of an object.
fn remove(history: &History, id: git2::Oid) {
    let id = id.to_string();
    let file = history.path().join("objects").join(&id[..2]).join(&id[2..]);
    std::fs::remove_file(file).expect("a loose object");
}

#[test]
fn what_cannot_be_mined_is_refused_with_a_reason() {
    let refused = |path: &std::path::Path, request: &Request| mine(path, request, &|_, _| {}).expect_err("a refusal");
    let none = Request::default();
    let empty = History::empty();
    assert!(matches!(refused(empty.path(), &none), MineError::Empty(_)));
    let folder = tempfile::tempdir().expect("a folder");
    assert!(matches!(refused(folder.path(), &none), MineError::NoRepository(_)));
    assert!(matches!(
        refused(&folder.path().join("missing"), &none),
        MineError::NoFolder(_)
    ));
    let unknown = Request {
        revision: Some("nowhere".to_owned()),
        ..Request::default()
    };
    assert!(matches!(
        refused(fixed().path(), &unknown),
        MineError::NoRevision { .. }
    ));
}

#[test]
fn a_revision_and_days_choose_commits() {
    let mut history = fixed();
    let first = history.last();
    history.commit("Fix flaky test again", &[(CART, &cart(&sums("y();")))]);
    let with = |change: fn(&mut Request)| {
        let mut request = Request::default();
        change(&mut request);
        history.mined_by(&request).events.len()
    };
    assert_eq!(with(|_| {}), 2);
    assert_eq!(with(|it| it.since = peeler_mine::date::start_of("2020-01-04")), 1);
    assert_eq!(with(|it| it.until = peeler_mine::date::start_of("2020-01-04")), 1);
    assert_eq!(with(|it| it.revision = Some("main~1".to_owned())), 1);
    assert_eq!(history.mined().events[0].fix, first.to_string());
}

#[test]
fn any_number_of_threads_gives_the_same_result() {
    let mut history = fixed();
    for number in 0..1_200 {
        let text = cart(&sums(&format!("call{number}();")));
        let message = if number % 100 == 0 { "Fix flaky test" } else { "Work" };
        history.commit(message, &[(CART, &text)]);
    }
    let with = |threads: usize| {
        history.mined_by(&Request {
            threads,
            ..Request::default()
        })
    };
    let one = with(1);
    assert_eq!(one.events.len(), 13);
    assert_eq!(one, with(4));
    assert_eq!(one, with(4));
}

#[test]
fn runs_become_events_of_their_own_class() {
    let history = fixed();
    let label = |class: &str, evidence| RunLabel {
        class: class.to_owned(),
        test: "sumsAllItems".to_owned(),
        evidence,
    };
    let request = Request {
        runs: vec![
            label("shop.CartTest", Evidence::History),
            label("shop.CartTest", Evidence::Proven),
            label("shop.GoneTest", Evidence::History),
        ],
        ..Request::default()
    };
    let mined = history.mined_by(&request);
    let runs: Vec<(&str, &str, &str)> = mined
        .events
        .iter()
        .filter(|it| it.fix.is_empty())
        .map(|it| (it.evidence.name(), it.class.as_str(), it.path.as_str()))
        .collect();
    assert_eq!(
        runs,
        [("history", "shop.GoneTest", ""), ("proven", "shop.CartTest", CART)]
    );
}
