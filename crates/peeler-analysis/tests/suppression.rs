//! Comments and annotations that suppress findings about tests.

mod picture;

use peeler_analysis::{Analysis, Suppression, SuppressionScope};
use peeler_features::Rule;
use picture::repository;

fn suppressions(files: &[(&str, &str)]) -> Vec<Suppression> {
    let repository = repository(files);
    Analysis::new(&repository).suppressions(|_| true)
}

/// The suppressed methods of one class, with the line that says so, the rules and the reason.
fn check(source: &str) -> Vec<String> {
    let source = format!("package t; import org.junit.*;\n{source}");
    let shown = |it: Suppression| {
        let reason = it.reason.map(|it| format!(" ({it})")).unwrap_or_default();
        let rules = match it.scope {
            SuppressionScope::Everything => String::new(),
            SuppressionScope::Rules(rules) => {
                format!(" [{}]", rules.into_iter().map(Rule::id).collect::<Vec<_>>().join(" "))
            }
        };
        let test = it.test.as_str().replace("t.MadeTest", "");
        format!("{test} {}{rules}{reason}", it.line)
    };
    suppressions(&[("MadeTest.java", &source)])
        .into_iter()
        .map(shown)
        .collect()
}

/// One test with `before` in the lines before its annotations.
fn before(before: &str) -> Vec<String> {
    check(&format!("class MadeTest {{\n{before}\n@Test\npublic void a() {{}}\n}}"))
}

#[test]
fn a_comment_in_the_lines_before_a_test_silences_it_and_gives_a_reason() {
    assert_eq!(before("// peeler:ignore"), ["#a 3"]);
    assert_eq!(
        before("//peeler:ignore port is reserved by CI"),
        ["#a 3 (port is reserved by CI)"]
    );
    assert_eq!(before("// peeler:ignore: see #12"), ["#a 3 (see #12)"]);
    assert_eq!(
        before("// peeler:ignore slow\n// and more\n/* about it */"),
        ["#a 3 (slow)"]
    );
}

#[test]
fn block_comments_silence_too() {
    assert_eq!(
        before("/* peeler:ignore the clock is ours */"),
        ["#a 3 (the clock is ours)"]
    );
    assert_eq!(
        before("/**\n * Listens.\n *\n * peeler:ignore port\n */"),
        ["#a 3 (port)"]
    );
    assert_eq!(before("/*peeler:ignore*/"), ["#a 3"]);
    assert_eq!(before("/**\r\n * peeler:ignore port\r\n */\r"), ["#a 3 (port)"]);
}

#[test]
fn a_comment_among_the_annotations_or_in_the_line_of_the_name_silences() {
    assert_eq!(
        check("class MadeTest {\n@Test // peeler:ignore\npublic void a() {}\n}"),
        ["#a 3"]
    );
    assert_eq!(
        check("class MadeTest {\n@Test\n// peeler:ignore\npublic void a() {}\n}"),
        ["#a 4"]
    );
    assert_eq!(
        check("class MadeTest {\n@Test public void a() { // peeler:ignore here\nf(); }\n@Test public void b() {}\n}"),
        ["#a 3 (here)"]
    );
}

#[test]
fn other_words_and_other_places_do_nothing() {
    for text in [
        "// peeler:ignored",
        "// peeler:ignore-file",
        "// peeler: ignore",
        "// see peeler:ignore",
        "// peeler:ignore\n",
        "int x = 1; // peeler:ignore",
        "int x = 1; /* peeler:ignore */",
        "String s = \"// peeler:ignore\";",
        "String s = \"\"\"\n// peeler:ignore\n\"\"\";",
        "@SuppressWarnings(\"peeler\") int x = 1;",
        "// peeler:ignore\nint x = 1;",
        "void f() {\n// peeler:ignore\n}",
    ] {
        assert_eq!(before(text), Vec::<String>::new(), "{text}");
    }
    let inside = "class MadeTest {\n@Test public void a() {\n// peeler:ignore\nf();\n}\n@Test public void b() {}\n}";
    assert_eq!(check(inside), Vec::<String>::new());
    let name = "class MadeTest {\n@Test public void a() { f(\"// peeler:ignore\"); }\n}";
    assert_eq!(check(name), Vec::<String>::new());
}

#[test]
fn a_comment_speaks_for_the_next_declaration_only() {
    let source = "class MadeTest {\n// peeler:ignore\n@Test public void a() {}\n@Test public void b() {}\n\
                  // peeler:ignore\nvoid helper() {}\n@Test public void c() {}\n}";
    assert_eq!(check(source), ["#a 3"]);
}

#[test]
fn suppress_warnings_silences_alone_and_in_a_list() {
    assert_eq!(before("@SuppressWarnings(\"peeler\")"), ["#a 3"]);
    assert_eq!(before("@SuppressWarnings({\"unchecked\", \"peeler\"})"), ["#a 3"]);
    assert_eq!(before("@java.lang.SuppressWarnings(value = {\"peeler\"})"), ["#a 3"]);
    for text in [
        "@SuppressWarnings(\"unchecked\")",
        "@SuppressWarnings(\"peelers\")",
        "@SuppressWarnings(/* \"peeler\" */ \"unchecked\")",
        "@DisplayName(\"peeler\")",
    ] {
        assert_eq!(before(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_comment_that_names_rules_silences_these_alone() {
    assert_eq!(before("// peeler:ignore PLR201"), ["#a 3 [PLR201]"]);
    assert_eq!(
        before("// peeler:ignore PLR201, fixed-port: the machine is ours"),
        ["#a 3 [PLR201 PLR401] (the machine is ours)"]
    );
    assert_eq!(
        before("// peeler:ignore plr4 - in a container"),
        ["#a 3 [PLR401 PLR402 PLR403 PLR404] (in a container)"]
    );
    assert_eq!(
        before("// peeler:ignore PLR999 typo"),
        ["#a 3 [] (typo)"],
        "not everything"
    );
    assert_eq!(
        before("// peeler:ignore order does not matter"),
        ["#a 3 (order does not matter)"],
        "a family is a plain word"
    );
}

#[test]
fn an_annotation_that_names_rules_silences_these_alone() {
    assert_eq!(before("@SuppressWarnings(\"peeler:PLR201\")"), ["#a 3 [PLR201]"]);
    assert_eq!(
        before("@SuppressWarnings({\"unchecked\", \"peeler:fixed-port\", \"peeler:PLR201\"})"),
        ["#a 3 [PLR201 PLR401]"]
    );
    assert_eq!(before("@SuppressWarnings(\"peeler:PLR999\")"), ["#a 3 []"]);
    assert_eq!(before("@SuppressWarnings({\"peeler:PLR201\", \"peeler\"})"), ["#a 3"]);
}

#[test]
fn rules_of_the_method_and_of_its_classes_add_up_until_everything_is_silent() {
    let source = "// peeler:ignore PLR301\nclass MadeTest {\n// peeler:ignore PLR201\n@Test public void a() {}\n}";
    assert_eq!(check(source), ["#a 4 [PLR201]", "#a 2 [PLR301]"]);
    let whole = source.replace(" PLR201", "");
    assert_eq!(check(&whole), ["#a 4"], "nothing is left for the class to silence");
}

#[test]
fn annotations_with_braces_do_not_end_the_way_back_to_the_comment() {
    assert_eq!(before("// peeler:ignore\n@Tags({@Tag(\"a;\"), @Tag(\"b\")})"), ["#a 3"]);
}

#[test]
fn a_class_speaks_for_its_tests_and_for_the_classes_inside() {
    let nested = "class MadeTest {\n@Test public void a() {}\n@Nested class Inner {\n@Test public void b() {} } }";
    assert_eq!(check(&format!("// peeler:ignore\n{nested}")), ["#a 2", "$Inner#b 2"]);
    assert_eq!(
        check(&format!("@SuppressWarnings(\"peeler\")\npublic {nested}")),
        ["#a 2", "$Inner#b 2"]
    );
    let inner = nested.replace("@Nested", "// peeler:ignore inner\n@Nested");
    assert_eq!(check(&inner), ["$Inner#b 4 (inner)"]);
}

#[test]
fn an_inherited_test_listens_to_its_method_its_class_and_the_class_that_runs_it() {
    let base = "package t; import org.junit.*; abstract class Base { @Test public void a() {} }";
    let one = ("OneTest.java", "package t; class OneTest extends Base {}");
    let silent = (
        "TwoTest.java",
        "package t;\n// peeler:ignore\nclass TwoTest extends Base {}",
    );
    let of = |base: &str| -> Vec<String> {
        let found = suppressions(&[("Base.java", base), one, silent]);
        found.into_iter().map(|it| format!("{} {}", it.test, it.file)).collect()
    };
    assert_eq!(of(base), ["t.TwoTest#a TwoTest.java"]);
    assert_eq!(
        of(&base.replace("@Test", "@SuppressWarnings(\"peeler\") @Test")),
        ["t.OneTest#a Base.java", "t.TwoTest#a Base.java"]
    );
}

#[test]
fn of_two_modules_with_the_same_test_the_first_speaks() {
    let plain = "package t; import org.junit.*; class MadeTest {\n@Test public void a() {} }";
    let silent = plain.replace("@Test", "// peeler:ignore\n@Test");
    assert_eq!(
        suppressions(&[("a/MadeTest.java", &silent), ("b/MadeTest.java", plain)]).len(),
        1
    );
    assert_eq!(
        suppressions(&[("a/MadeTest.java", plain), ("b/MadeTest.java", &silent)]).len(),
        0
    );
}

#[test]
fn broken_java_is_no_reason_to_fail() {
    for text in [
        "class MadeTest { // peeler:ignore",
        "\"peeler:ignore \\",
        "/* peeler:ignore",
        "))))) peeler:ignore {{{",
    ] {
        let source = format!("class MadeTest {{ @org.junit.Test public void a() {{}} }}\n{text}");
        suppressions(&[("MadeTest.java", &source)]);
    }
}
