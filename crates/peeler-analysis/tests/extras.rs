//! Additional assertions, and tests that are left out by file.

mod picture;

use std::fmt::Write as _;

use insta::assert_snapshot;
use peeler_analysis::{Analysis, AssertionRole, ExtraAssertion, Limits, OperandPosition};
use picture::{junit_test, repository};

const CHECKS: &str = "package t; public class Checks { public static void ensureSame(Object a, Object b) {} \
                      public static Checks that(Object a) { return null; } public void looksLike(Object b) {} \
                      public static void ensured(Object a) {} }";

fn extra(owner: &str, method: &str, role: AssertionRole) -> ExtraAssertion {
    ExtraAssertion {
        owner: owner.to_owned(),
        method: method.to_owned(),
        role,
        expected: OperandPosition::Unknown,
    }
}

/// The assertions and the edges of a test with this body, in a repository with a class `Checks`.
fn drawn(body: &str, extras: &[ExtraAssertion]) -> String {
    let test = junit_test(body);
    let repository = repository(&[("SampleTest.java", &test), ("Checks.java", CHECKS)]);
    let analysis = Analysis::new(&repository).with_assertions(extras);
    let mut out = String::new();
    analysis.extract(
        Limits::default(),
        |_| true,
        |traced| {
            let extraction = analysis.extraction(&traced);
            let mut out = String::new();
            for assertion in &extraction.assertions {
                let _ = writeln!(out, "{}: {}", assertion.family, assertion.text);
            }
            for edge in &extraction.edges {
                let (from, to) = (&extraction.nodes[edge.from], &extraction.nodes[edge.to]);
                let _ = writeln!(out, "{} -[{}]-> {}", from.text, edge.operation, to.text);
            }
            out
        },
        |it| out.push_str(&it),
    );
    out
}

#[test]
fn a_method_of_the_repository_asserts_when_it_is_added() {
    let body = "Object sum = make(); Checks.ensureSame(3, sum); Checks.ensured(sum);";
    let added = drawn(body, &[extra("t.Checks", "ensure*ame", AssertionRole::Call)]);
    assert_snapshot!(added, @"
    extra: Checks.ensureSame(3, sum)
    this -[make]-> sum
    sum -[Checks.ensureSame]-> sum
    sum -[Checks.ensureSame]-> 3
    ");
    let catalogued = drawn("Object sum = make(); assertEquals(3, sum); Checks.ensured(sum);", &[]);
    let renamed = catalogued.replace("assertEquals", "Checks.ensureSame");
    assert_eq!(added, renamed.replace("junit: ", "extra: "), "as one of the catalogue");
    let shipped = drawn(body, &[]);
    assert!(shipped.starts_with("implicit: "), "{shipped}");
}

#[test]
fn an_added_opener_judges_what_its_chain_says() {
    let body = "Checks.that(make()).looksLike(3);";
    let added = drawn(body, &[extra("Checks", "that", AssertionRole::Opener)]);
    assert!(
        added.starts_with("extra: Checks.that(make()).looksLike(3)\n"),
        "{added}"
    );
    assert!(added.contains("make() -[looksLike]-> 3"), "{added}");
}

#[test]
fn an_added_link_judges_what_stands_before_it() {
    let body = "Checks.that(make()).looksLike(3);";
    let added = drawn(body, &[extra("t.Checks", "looksLike", AssertionRole::Link)]);
    assert!(
        added.starts_with("extra: Checks.that(make()).looksLike(3)\n"),
        "{added}"
    );
}

#[test]
fn forgotten_tests_leave_their_files_to_others() {
    let base = "package t; import org.junit.*; public class BaseTest { static int one() { return 1; } \
                @Test public void inherited() { Assert.assertEquals(1, one()); } }";
    let heir = "package t; import org.junit.*; public class HeirTest extends BaseTest { \
                @Test public void own() { Assert.assertEquals(1, one()); } }";
    let repository = repository(&[("a/BaseTest.java", base), ("b/HeirTest.java", heir)]);
    let kept = |method: &str, class: &str| {
        let mut analysis = Analysis::new(&repository);
        let forgotten = analysis.keep_tests(|it| it.method.starts_with(method) && it.class.starts_with(class));
        let names: Vec<String> = analysis.test_cases().into_iter().map(|it| it.name.into()).collect();
        assert_eq!(names.len() + forgotten, 3);
        let mut called = Vec::new();
        analysis.extract(
            Limits::default(),
            |_| true,
            |it| analysis.extraction(&it).cut_methods.len(),
            |it| called.push(it),
        );
        assert!(called.iter().all(|it| *it == 1), "`one` is found as before");
        names
    };
    assert_eq!(
        kept("", ""),
        ["t.BaseTest#inherited", "t.HeirTest#inherited", "t.HeirTest#own"]
    );
    assert_eq!(kept("b", ""), ["t.HeirTest#own"]);
    assert_eq!(kept("", "b"), ["t.HeirTest#inherited", "t.HeirTest#own"]);
    assert_eq!(kept("a", "b"), ["t.HeirTest#inherited"]);
}
