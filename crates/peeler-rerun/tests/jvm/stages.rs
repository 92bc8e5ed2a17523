//! Tests of RERUN, POSTPONE, FORK and INTERSECT, each with a test that only this stage can prove flaky.

use peeler_rerun::evidence::{Outcome, Stage};
use peeler_rerun::intersect::Changes;
use peeler_rerun::stages::{Completion, RerunCounts, run_stages};
use peeler_rerun::verdict::{Dependence, Status};

use crate::javac::JUNIT4;
use crate::sample::{Bench, Sample, name, names, outcomes, verdict};

/// A suite with a test for every stage, in an order in which each shows its flakiness.
const SUITE: [&str; 9] = [
    "shop.DrawTest#drawsTheSameCard",
    "shop.TillTest#opens",
    "shop.PortTest#listens",
    "shop.BasketTest#fillsTheCart",
    "shop.CartTest#startsEmpty",
    "shop.RateTest#convertsAtTodaysRate",
    "shop.TaxTest#roundsUp",
    "shop.StableTest#adds",
    "shop.TillTest#closes",
];

#[test]
fn each_stage_proves_a_test_that_those_before_it_cannot_and_a_bug_stays_a_bug() {
    let changes = Changes::since(Sample::shared().root(), "before").expect("git knows");
    assert!(changes.classes.contains("shop.Tax"), "{changes:?}");
    let counts = RerunCounts {
        threshold: Some(1.0),
        ..RerunCounts::default()
    };
    let bench = Bench::new();
    let (events, course) = bench.act(|it| run_stages(it, &names(&SUITE), &counts, Some(&changes)));
    assert_eq!(course.expect("it runs"), Completion::Complete);
    for (test, stage) in [
        ("shop.DrawTest#drawsTheSameCard", Stage::Rerun),
        ("shop.PortTest#listens", Stage::Postpone),
        ("shop.CartTest#startsEmpty", Stage::Fork),
        ("shop.RateTest#convertsAtTodaysRate", Stage::Intersect),
    ] {
        let verdict = verdict(&events, test);
        assert_eq!(
            (verdict.status, verdict.shown_by),
            (Status::Flaky, Some(stage)),
            "{verdict:?}"
        );
    }
    assert_eq!(
        verdict(&events, "shop.CartTest#startsEmpty").depends_on,
        Some(Dependence::State)
    );
    let bug = verdict(&events, "shop.TaxTest#roundsUp");
    assert_eq!((bug.status, bug.failures), (Status::Failing, 7), "{bug:?}");
    let text = bug.failure.and_then(|it| it.failure).expect("a failure text");
    assert!(text.contains("expected: <8> but was: <7>"), "{text}");
    assert_eq!(verdict(&events, "shop.StableTest#adds").status, Status::Stable);
}

#[test]
fn by_the_papers_threshold_a_broken_suite_is_not_worth_more_than_rerun() {
    let suite = names(&["shop.TaxTest#roundsUp", "shop.StableTest#adds"]);
    let (events, course) = Bench::new().act(|it| run_stages(it, &suite, &RerunCounts::default(), None));
    assert_eq!(
        course.expect("it runs"),
        Completion::TooManyFailures { failures: 1, tests: 2 }
    );
    assert_eq!(outcomes(&events, "shop.TaxTest#roundsUp"), [Outcome::Failed; 3]);
}

#[test]
fn junit_5_tests_of_every_kind_are_run() {
    let tests = [
        ("shop.StableTest#isPositive", Outcome::Passed),
        ("shop.StableTest#isSmall", Outcome::Failed),
        ("shop.StableTest#repeats", Outcome::Passed),
        ("shop.StableTest#isOff", Outcome::Skipped),
        ("shop.StableTest#assumes", Outcome::Skipped),
        ("shop.StableTest$Inner#isNested", Outcome::Passed),
        ("shop.StableTest#noSuchTest", Outcome::Missing),
        ("shop.NoSuchTest#t", Outcome::Missing),
    ];
    // JUnit 4 is on the class path beside the platform, without an engine for it.
    let legacy = [("shop.legacy.LedgerTest#balances", Outcome::Passed)];
    check_outcomes(&Bench::new(), &[&tests[..], &legacy].concat());
}

#[test]
fn junit_4_tests_are_run_where_the_platform_is_absent() {
    let tests = [
        ("shop.legacy.LedgerTest#balances", Outcome::Passed),
        ("shop.legacy.LedgerTest#neverCloses", Outcome::Failed),
        ("shop.legacy.LedgerTest#isOff", Outcome::Skipped),
        ("shop.legacy.LedgerTest#noSuchTest", Outcome::Missing),
    ];
    check_outcomes(&Bench::with(&JUNIT4), &tests);
}

#[test]
fn a_random_junit_4_test_is_proven_flaky() {
    let test = "shop.legacy.LedgerTest#closesInTime";
    let bench = Bench::with(&JUNIT4);
    let (events, course) = bench.act(|it| run_stages(it, &names(&[test]), &RerunCounts::default(), None));
    course.expect("it runs");
    assert_eq!(verdict(&events, test).shown_by, Some(Stage::Rerun));
}

fn check_outcomes(bench: &Bench, expected: &[(&str, Outcome)]) {
    let (events, result) = bench.act(|it| {
        for (test, _) in expected {
            it.run(&name(test), Stage::First)?;
        }
        Ok(())
    });
    result.expect("it runs");
    for (test, outcome) in expected {
        assert_eq!(outcomes(&events, test), [*outcome], "{test}");
    }
}
