//! Snapshots of whole draft issues, of their grouping, of their index, and of a scan as one Markdown document.

use super::super::{Grouping, drafts, index, inline};
use super::{
    Build, GRADLE, MAVEN, TEST_FILE, cause_in_the_test, cause_two_calls_away, drafted, in_file, no_cause, scan,
};
use crate::finding::{Finding, FoundBy, Problem, RerunStatus};

#[track_caller]
fn check(finding: Finding, build: Build, expected: &str) {
    let draft = drafted(vec![finding], Grouping::Test, build).remove(0);
    assert_eq!(draft.text, expected, "\n{}", draft.text);
}

#[test]
fn a_cause_in_the_test_is_told_with_its_code() {
    check(
        cause_in_the_test(),
        MAVEN,
        include_str!("../expected/cause-in-the-test.md"),
    );
}

#[test]
fn a_cause_two_calls_away_is_told_with_its_flow() {
    check(
        cause_two_calls_away(),
        GRADLE,
        include_str!("../expected/cause-two-calls-away.md"),
    );
}

#[test]
fn a_finding_without_a_cause_says_so() {
    check(no_cause(), MAVEN, include_str!("../expected/no-cause.md"));
}

#[test]
fn titles_name_the_test_and_the_cause() {
    let findings = vec![cause_in_the_test(), cause_two_calls_away(), no_cause()];
    let drafts = drafted(findings, Grouping::Test, MAVEN);
    let titles: Vec<&str> = drafts.iter().map(|it| it.title.as_str()).collect();
    assert_eq!(
        titles,
        [
            "Test is flaky: OrderTest$Late#isDueToday failed 7 of 100 runs",
            "Unproven: Test may be flaky: OrderTest#totals compares text made from an unordered collection",
            "Unproven: Test may be flaky: CartTest#merges, no cause found",
        ]
    );
}

#[test]
fn a_class_with_two_causes_tells_each_once() {
    let again = Finding {
        probability: 0.6,
        fingerprint: "000003".to_owned(),
        ..in_file(cause_in_the_test(), "dev.shop.OrderTest#sums", TEST_FILE)
    };
    let drafts = drafted(
        vec![cause_in_the_test(), cause_two_calls_away(), again],
        Grouping::Class,
        MAVEN,
    );
    let [draft] = drafts.as_slice() else {
        panic!("{drafts:?}");
    };
    assert_eq!(draft.title, "3 tests of OrderTest may be flaky");
    assert_eq!(draft.file_name, "001-order-test.md");
    for row in [
        "| `OrderTest#totals` | `orders/src/test/java/dev/shop/OrderTest.java:21` | 87 % | compares text made \
         from an unordered collection | not run |",
        "| `OrderTest$Late#isDueToday` | `orders/src/test/java/dev/shop/OrderTest.java:40` | 71 % | compares two \
         readings of the clock | failed 7 of 100 runs |",
    ] {
        assert!(draft.text.contains(row), "{}", draft.text);
    }
    let headings: Vec<&str> = draft.text.lines().filter(|it| it.starts_with("## ")).collect();
    assert_eq!(
        headings,
        [
            "## Cause 1: compares two readings of the clock",
            "## Cause 2: compares text made from an unordered collection"
        ]
    );
    assert_eq!(draft.text.matches("<!-- peeler:fingerprint ").count(), 3);
    assert!(
        draft.text.ends_with("Fingerprints: `77ab12`, `5f1c0a`, `000003`\n"),
        "{}",
        draft.text
    );
}

#[test]
fn tests_with_the_same_line_as_cause_share_a_draft() {
    let other = in_file(
        cause_two_calls_away(),
        "dev.shop.BillTest#isDue",
        "orders/src/test/java/dev/shop/BillTest.java",
    );
    let drafts = drafted(
        vec![cause_two_calls_away(), no_cause(), other, no_cause()],
        Grouping::Cause,
        MAVEN,
    );
    let names: Vec<&str> = drafts.iter().map(|it| it.file_name.as_str()).collect();
    assert_eq!(
        names,
        [
            "001-clock-order-118.md",
            "002-cart-test-merges.md",
            "003-cart-test-merges.md"
        ]
    );
    assert_eq!(
        drafts[0].title,
        "2 tests may be flaky: each compares two readings of the clock (Order.java, line 118)"
    );
    assert_eq!(drafts[0].text.matches("## What is suspected").count(), 1);
}

#[test]
fn large_groups_are_split_and_lose_nobody() {
    let findings = (0..120)
        .map(|at| in_file(no_cause(), &format!("ATest#t{at:03}"), "ATest.java"))
        .collect();
    let drafts = drafted(findings, Grouping::Class, MAVEN);
    let counts: Vec<usize> = drafts.iter().map(|it| it.findings).collect();
    assert_eq!(counts, [50, 50, 20]);
    assert_eq!(
        drafts[2].title,
        "Unproven: 20 tests of ATest may be flaky (part 3 of 3)"
    );
    assert!(drafts.iter().all(|it| it.text.len() < 65_536));
}

#[test]
fn file_names_are_unique_and_safe() {
    let names = [
        "CON#nul",
        "a.B#c",
        "x.B#c",
        "a.b#C",
        "../../etc#passwd",
        "日本#語",
        "A#<b>:\"|?*\\",
        "B#c.",
    ];
    let findings = names.iter().map(|it| in_file(no_cause(), it, "B.java")).collect();
    let mut seen = std::collections::BTreeSet::new();
    for draft in drafted(findings, Grouping::Test, MAVEN) {
        let stem = draft.file_name.strip_suffix(".md").expect("a Markdown file");
        let is_safe = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '-';
        assert!(stem.chars().all(is_safe) && stem.len() < 80, "{}", draft.file_name);
        assert!(
            stem.starts_with(|it: char| it.is_ascii_digit()) && !stem.ends_with('-'),
            "{stem}"
        );
        assert!(seen.insert(draft.file_name.to_lowercase()), "{}", draft.file_name);
    }
}

#[test]
fn findings_below_the_probability_have_no_draft_and_the_index_counts_them() {
    let scan = scan(vec![cause_in_the_test(), cause_two_calls_away(), no_cause()]);
    let drafts = drafts(&scan, Grouping::Test, &MAVEN.layout(), 0.7);
    assert_eq!(drafts.len(), 2);
    let index = index(&scan, &drafts);
    assert!(
        index.contains("1 finding is not proven by runs or below the probability asked for, and is not drafted."),
        "{index}"
    );
    assert!(
        index.contains(
            r"| [002-order-test-totals.md](002-order-test-totals.md) | 1 | Unproven: Test may be flaky: OrderTest#totals"
        ),
        "{index}"
    );
}

#[test]
fn a_probability_that_is_no_number_is_below_every_threshold() {
    let nobody = Finding {
        probability: f32::NAN,
        ..no_cause()
    };
    assert_eq!(drafted(vec![nobody], Grouping::Test, MAVEN), []);
}

#[test]
fn nothing_found_is_said() {
    let mut scan = scan(Vec::new());
    let expected = "# Drafts of issues\n\npeeler 0.1.0 with the model `default` read `.`: 12 Java files and 40 tests. \
                    A test is a finding if a rule finds it, or from a probability of 50 % on; there is none.\n\nThere is nothing to draft.\n\n";
    assert_eq!(index(&scan, &[]), expected);
    assert!(inline(&scan).ends_with("No test is suspected.\n\n"));
    let problem = Problem {
        file: "a/<b>.java".to_owned(),
        message: "not UTF-8".to_owned(),
    };
    scan.problems = vec![problem; 25];
    let index = index(&scan, &[]);
    assert!(
        index.contains("- `a/<b>.java`: not UTF-8\n") && index.ends_with("- and 5 more\n"),
        "{index}"
    );
}

#[test]
fn a_scan_as_one_document_has_a_table_and_a_section_a_finding() {
    let text = inline(&scan(vec![cause_in_the_test(), cause_two_calls_away()]));
    assert!(
        text.contains("| `OrderTest#totals` | PLR101 | 87 % | compares text made from an unordered collection |\n"),
        "{text}"
    );
    assert!(text.contains("## `OrderTest$Late#isDueToday`\n"), "{text}");
    assert!(
        text.contains(
            "71 %. Runs: failed 7 of 100 runs; it changes under the same conditions. To see it fail again: `peeler"
        ),
        "{text}"
    );
    assert!(text.contains("1. source: `LocalDate.now()` ("), "{text}");
}

#[test]
fn an_inherited_test_says_where_its_method_stands() {
    let leaf = in_file(cause_in_the_test(), "dev.shop.LeafTest#totals", TEST_FILE);
    let text = drafted(vec![leaf], Grouping::Test, MAVEN).remove(0).text;
    assert!(
        text.contains("./mvnw -pl orders -Dtest='LeafTest#totals' test\n"),
        "{text}"
    );
    assert!(text.contains("where `LeafTest` is in another module"), "{text}");
}

#[test]
fn proofs_that_show_nothing_or_too_much_are_told_as_such() {
    let check = |showed, failures, expected: &str| {
        let mut finding = cause_two_calls_away();
        if let Some(proof) = &mut finding.proof {
            (proof.showed, proof.failures) = (showed, failures);
        }
        let draft = drafted(vec![finding], Grouping::Test, MAVEN).remove(0);
        assert!(
            draft.title.starts_with("Unproven: Test may be flaky"),
            "{}",
            draft.title
        );
        assert!(draft.text.contains(expected), "{}", draft.text);
    };
    let passed = "When it was run, there was no failure in 100 runs, which does not rule it out.";
    check(RerunStatus::NoFailure, 0, passed);
    let failed = "When it was run, it failed all 100 runs, so it may be broken rather than flaky.";
    check(RerunStatus::OnlyFailures, 100, failed);
}

#[test]
fn a_proven_test_below_the_threshold_is_drafted_first_and_says_so() {
    let mut proven = cause_two_calls_away();
    (proven.probability, proven.found_by) = (0.04, FoundBy::Neither);
    proven.rules.clear();
    let scan = scan(vec![cause_in_the_test(), proven]);
    let drafts = drafts(&scan, Grouping::Test, &MAVEN.layout(), 0.7);
    assert_eq!(
        drafts[0].title,
        "Test is flaky: OrderTest$Late#isDueToday failed 7 of 100 runs"
    );
    let text = &drafts[0].text;
    assert!(
        text.contains("did not suspect it: it puts the probability at 4 %, below its threshold of 50 %."),
        "{text}"
    );
    assert!(inline(&scan).contains("there are 2. Of these, 1 only because runs proved them flaky."));
}
