//! Tests of what people expect of a scan in everyday use: lists, disabled and inherited tests, options and formats.

mod support;

use roxmltree::Document;
use serde_json::{Value, json};
use support::{Project, Ran, found};

/// Three tests without a cause.
const PLAIN: &str = "package shop; import org.junit.*; public class CartTest {\n\
                     @Test public void adds() { Assert.assertEquals(3, 1 + 2); }\n\
                     @Test public void holds() { Assert.assertTrue(new java.util.ArrayList<String>().isEmpty()); }\n\
                     @Test public void names() { Assert.assertEquals(\"a\", \"A\".toLowerCase()); } }";

/// A test that compares the text of a `HashMap`.
const PRINTER: &str = "package shop; import org.junit.*; import java.util.*; public class NapTest {\n\
                       @Test public void naps() {\n\
                       Map<String, Integer> counts = new HashMap<>(); counts.put(\"a\", 1); counts.put(\"b\", 2);\n\
                       Assert.assertEquals(\"{a=1, b=2}\", counts.toString()); } }";

fn project() -> Project {
    Project::of(&[("src/CartTest.java", PLAIN), ("src/NapTest.java", PRINTER)])
}

#[test]
fn top_lists_as_many_tests_as_it_says_and_marks_those_below_the_threshold() {
    let project = project();
    let scan = |more: &[&str]| {
        let arguments = [&["scan", "--min-probability", "1", "--format", "json"], more].concat();
        project.peeler(&arguments)
    };
    let three = scan(&["--top", "3"]).ended(1).json();
    assert_eq!(found(&three).len(), 3);
    assert_eq!(found(&three)[0], "shop.NapTest#naps");
    assert_eq!(
        (&three["summary"]["findings"], &three["summary"]["below_threshold"]),
        (&json!(1), &json!(2))
    );
    let marks: Vec<&Value> = three["findings"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| &it["below_threshold"])
        .collect();
    assert_eq!(marks, [&Value::Null, &json!(true), &json!(true)]);
    let none = scan(&["--top", "2", "--ignore", "ALL"]).ended(0).json();
    assert_eq!((found(&none).len(), &none["summary"]["findings"]), (2, &json!(0)));
}

#[test]
fn every_format_lists_the_tests_of_top() {
    let project = project();
    let of = |format: &str| {
        let arguments = ["scan", "--min-probability", "1", "--top", "3", "--format", format];
        project.peeler(&arguments).ended(1).stdout
    };
    let text = of("text");
    assert_eq!(text.matches("below the threshold, no finding:").count(), 2, "{text}");
    assert!(text.contains("2 more tests are listed because of --top"), "{text}");
    let github = of("github");
    assert_eq!(
        (
            github.matches("::warning ").count(),
            github.matches("::notice ").count()
        ),
        (1, 2)
    );
    let sarif: Value = serde_json::from_str(&of("sarif")).expect("JSON");
    let levels: Vec<&Value> = sarif["runs"][0]["results"]
        .as_array()
        .expect("results")
        .iter()
        .map(|it| &it["level"])
        .collect();
    assert_eq!(levels, ["warning", "note", "note"]);
    let gitlab: Value = serde_json::from_str(&of("gitlab")).expect("JSON");
    assert_eq!(
        gitlab
            .as_array()
            .expect("entries")
            .iter()
            .filter(|it| it["severity"] == "info")
            .count(),
        2
    );
    let junit = of("junit");
    let document = Document::parse(&junit).expect("XML");
    let count = |name: &str| document.descendants().filter(|it| it.has_tag_name(name)).count();
    assert_eq!((count("testcase"), count("failure")), (3, 1), "{junit}");
    assert_eq!(
        of("jsonl")
            .lines()
            .filter(|it| it.contains("\"type\":\"finding\""))
            .count(),
        3
    );
    assert_eq!(of("markdown").matches("(below the threshold)").count(), 2);
    assert_eq!(of("html").matches("\"below_threshold\":true").count(), 2);
    let checkstyle = of("checkstyle");
    assert_eq!(checkstyle.matches("<error ").count(), 3, "{checkstyle}");
    let sonar: Value = serde_json::from_str(&of("sonar")).expect("JSON");
    assert_eq!(sonar["issues"].as_array().map(Vec::len), Some(3));
    assert_eq!(
        of("github-summary").lines().filter(|it| it.starts_with("| ")).count(),
        4
    );
}

#[test]
fn an_output_file_leaves_a_summary_on_standard_error_and_quiet_nothing() {
    let project = project();
    let run = |more: &[&str]| {
        project
            .peeler(&[&["scan", "-o", "scan.json", "--format", "json"], more].concat())
            .ended(1)
    };
    let said = run(&[]);
    assert_eq!(said.stdout, "");
    assert!(
        said.stderr.starts_with("1 finding: 1 by a rule") && said.stderr.contains(" among 4 tests in 2 Java files"),
        "{said:?}"
    );
    assert!(said.stderr.trim_end().ends_with("; written to scan.json"), "{said:?}");
    assert_eq!(run(&["-q"]).stderr, "");
    let more = run(&["-v"]).stderr;
    assert!(more.contains("settings none") && more.contains("4 tests"), "{more}");
    let quiet = project.peeler(&["scan", "--quiet"]).ended(1).stdout;
    assert_eq!(quiet.lines().count(), 2, "{quiet}");
}

#[test]
fn a_folder_without_tests_is_told_apart_from_one_without_findings() {
    let empty = Project::of(&[("Main.java", "public class Main { void run() {} }")]);
    for format in ["text", "json", "github", "html"] {
        let ran = empty.peeler(&["scan", "--format", format]).ended(0);
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert!(said.contains("no tests were found"), "{format}: {said}");
    }
    let clean = Project::of(&[("CartTest.java", PLAIN)]);
    for format in ["text", "json"] {
        let ran = clean
            .peeler(&["scan", "--format", format, "--min-probability", "1"])
            .ended(0);
        assert!(!format!("{}{}", ran.stdout, ran.stderr).contains("no tests"), "{ran:?}");
    }
    let scan = clean
        .peeler(&["scan", "--format", "json", "--min-probability", "1"])
        .json();
    assert_eq!(scan["likeliest"].as_array().map(Vec::len), Some(3));
}

#[test]
fn disabled_tests_are_listed_only_on_request() {
    let project = Project::of(&[
        (
            "OldTest.java",
            "import org.junit.*; @Ignore public class OldTest { @Test public void a() { Assert.assertTrue(true); } }",
        ),
        (
            "NewTest.java",
            "import org.junit.jupiter.api.*; class NewTest {\n\
             @Disabled(\"later\") @Test void b() { Assertions.assertTrue(true); }\n\
             @Test void c() { Assertions.assertTrue(true); } }",
        ),
        (
            "GroupTest.java",
            "import org.testng.annotations.*; import static org.testng.Assert.*; public class GroupTest {\n\
             @Test(enabled = false) public void d() { assertTrue(true); } }",
        ),
    ]);
    let scan = project.scan(&[]);
    assert_eq!(found(&scan), ["NewTest#c"]);
    assert_eq!(
        (&scan["summary"]["disabled"], &scan["summary"]["tests"]),
        (&json!(3), &json!(4))
    );
    assert_eq!(found(&project.scan(&["--include-disabled"])).len(), 4);
    // The second scan reads its tests from the cache.
    assert_eq!(found(&project.scan(&[])), ["NewTest#c"]);
}

#[test]
fn a_method_that_many_classes_inherit_is_one_finding_with_all_its_places() {
    let base = PRINTER.replace("class NapTest", "abstract class BaseTest");
    let project = Project::of(&[("BaseTest.java", &base)]);
    for at in 1..=17 {
        let class = format!("package shop; public class Heir{at:02}Test extends BaseTest {{}}");
        project.write(&format!("Heir{at:02}Test.java"), class);
    }
    let scan = project.scan(&[]);
    assert_eq!(scan["summary"]["findings"], 1);
    assert_eq!(scan["summary"]["tests"], 17);
    let inherited = scan["findings"][0]["inherited_by"].as_array().expect("places");
    assert_eq!(inherited.len(), 16);
    let text = project.peeler(&["scan"]).ended(1).stdout;
    assert!(text.contains("the same method runs in 16 other classes: "), "{text}");
    // A baseline knows all of them, and a new class is a new finding.
    project.peeler(&["scan", "--write-baseline", "known.json"]).ended(0);
    assert_eq!(project.read("known.json").matches("\"test\"").count(), 17);
    project.peeler(&["scan", "--baseline", "known.json"]).ended(0);
    project.write(
        "Heir18Test.java",
        "package shop; public class Heir18Test extends BaseTest {}",
    );
    let new = project.scan(&["--baseline", "known.json"]);
    assert_eq!(found(&new), ["shop.Heir18Test#naps"]);
}

#[test]
fn tests_with_one_cause_in_their_setup_are_shown_as_one() {
    let tests = ["a", "b", "c", "d", "e"].map(|it| format!("@Test public void {it}() {{ assertNotNull(socket); }}"));
    let class = format!(
        "import java.net.ServerSocket; import org.junit.*; import static org.junit.Assert.*; public class PortTest {{\n\
         ServerSocket socket;\n@Before public void open() throws Exception {{ socket = new ServerSocket(8080); }}\n\
         {} }}",
        tests.join("\n")
    );
    let project = Project::of(&[("PortTest.java", &class)]);
    assert_eq!(found(&project.scan(&[])).len(), 5);
    let shared = "the same place is the reason in another 4 tests: PortTest#";
    let text = project.peeler(&["scan"]).ended(1).stdout;
    assert_eq!(text.lines().filter(|it| it.starts_with("PLR401")).count(), 1, "{text}");
    assert!(text.contains(shared) && text.contains(" and 1 more\n"), "{text}");
    assert_eq!(text.matches("warning[").count(), 1, "{text}");
    assert!(text.contains("5 findings"), "{text}");
    let page = project.peeler(&["scan", "--format", "github-summary"]).ended(1).stdout;
    assert_eq!(page.matches("| PLR401 |").count(), 1, "{page}");
    assert!(
        page.contains("the same place is the reason in another 4 tests"),
        "{page}"
    );
    let all = project.peeler(&["scan", "-v"]).ended(1).stdout;
    assert_eq!(all.matches("warning[").count(), 5, "{all}");
}

#[test]
fn explain_accepts_simple_class_names_and_suggests_the_nearest() {
    let project = project();
    for arguments in [&["explain", "NapTest#naps"][..], &["explain", ".", "--test", "naps"]] {
        let explained = project.peeler(arguments).ended(0).stdout;
        assert!(explained.contains("shop.NapTest#naps"), "{explained}");
    }
    for (wrong, right) in [
        ("NapTest#nap", "did you mean shop.NapTest#naps?"),
        ("NappTest#naps", "did you mean shop.NapTest#naps?"),
        ("NapTest", "did you mean shop.NapTest#naps?"),
        ("shop.CartTest#add", "did you mean shop.CartTest#adds?"),
    ] {
        project.peeler(&["explain", wrong]).refused(&[right]);
    }
    project.write("other/NapTest.java", PRINTER.replace("package shop", "package other"));
    project.peeler(&["explain", "NapTest#naps"]).refused(&[
        "several tests are called NapTest#naps",
        "other.NapTest#naps or shop.NapTest#naps",
    ]);
    let method = project.peeler(&["explain", ".", "--test", "naps"]);
    method.refused(&["several tests are called naps"]);
}

#[test]
fn a_shared_helper_is_the_same_cause_in_every_test_with_its_own_line_and_column() {
    let helper = "package shop;\nclass Clocks {\n    static String stamp() {\n        return String.valueOf(System.nanoTime());\n    }\n}\n";
    let test = "package shop; import org.junit.*; public class StampTest {\n\
                Clocks clocks;\n\
                @Test public void one() { Assert.assertEquals(\"1\", Clocks.stamp()); }\n\
                @Test public void two() { String at = Clocks.stamp(); Assert.assertEquals(\"2\", at); }\n\
                @Test public void six() { Assert.assertEquals(\"6\", same()); }\n\
                String same() { return Clocks.stamp(); } }";
    let project = Project::of(&[("Clocks.java", helper), ("StampTest.java", test)]);
    let scan = project.scan(&[]);
    let findings = scan["findings"].as_array().expect("findings");
    assert_eq!(findings.len(), 3);
    for finding in findings {
        let cause = &finding["root_cause"];
        assert_eq!(
            (&cause["file"], &cause["line"]),
            (&json!("Clocks.java"), &json!(4)),
            "{finding}"
        );
        let source = &finding["witness"][0]["source"];
        assert_eq!(source["lines"][2], "        return String.valueOf(System.nanoTime());");
    }
    let text = project.peeler(&["explain", "StampTest#two"]).ended(0).stdout;
    assert!(text.contains("Clocks.java:4:31"), "{text}");
    assert!(
        text.contains("4 |         return String.valueOf(System.nanoTime());"),
        "{text}"
    );
    for words in ["and is asserted", "code under test"] {
        assert!(!text.contains(words), "{words}: {text}");
    }
}

#[test]
fn advice_fits_the_api() {
    let project = Project::java(
        "import org.junit.*; import java.util.*; public class MadeTest {\n\
         @Test public void tells() { Assert.assertEquals(\"a\", UUID.randomUUID().toString()); } }",
    );
    let scan = project.scan(&["--select", "ALL"]);
    let advice = scan["findings"][0]["root_cause"]["advice"].as_str().expect("advice");
    assert!(!advice.contains("seed"), "{advice}");
    let project = Project::java(
        "import org.junit.*; public class MadeTest {\n\
         @Test public void draws() { Assert.assertEquals(0.5, Math.random(), 0.1); } }",
    );
    let scan = project.scan(&["--select", "ALL"]);
    let advice = scan["findings"][0]["root_cause"]["advice"].as_str().expect("advice");
    assert!(advice.contains("takes no seed"), "{advice}");
}

#[test]
fn junit_results_do_not_take_the_place_of_real_ones() {
    let junit = project()
        .peeler(&["scan", "--format", "junit", "--all"])
        .ended(1)
        .stdout;
    let document = Document::parse(&junit).expect("XML");
    for node in document.descendants() {
        let name = node.attribute("classname");
        assert!(name.is_none_or(|it| it.starts_with("peeler.")), "{name:?}");
    }
    assert!(junit.contains("classname=\"peeler.shop.NapTest\""), "{junit}");
}

#[test]
fn a_drawn_graph_fits_a_screen() {
    let svg = project()
        .peeler(&["graph", ".", "--test", "NapTest#naps", "--format", "svg"])
        .ended(0)
        .stdout;
    let document = Document::parse(&svg).expect("XML");
    let root = document.root_element();
    assert_eq!(root.attribute("width"), Some("100%"));
    assert!(
        root.attribute("viewBox").is_some_and(|it| it.starts_with("0 0 ")),
        "{svg}"
    );
    assert!(root.attribute("style").is_some_and(|it| it.contains("100vh")), "{svg}");
    let step = |at: u32| format!("int v{at} = size({at}); assertEquals({at}, v{at});\n");
    let steps = (0..18).map(step).collect::<Vec<String>>().concat();
    let long = Project::java(&format!(
        "import static org.junit.Assert.*; public class MadeTest {{ int size(int of) {{ return of; }}\n\
         @org.junit.Test public void counts() {{ {steps} }} }}"
    ));
    let draw = |more: &[&str]| {
        let arguments = ["graph", ".", "--test", "MadeTest#counts", "--format", "svg"];
        long.peeler(&[&arguments[..], more].concat()).ended(0)
    };
    let (part, whole) = (draw(&[]), draw(&["--whole"]));
    assert!(
        part.stderr
            .contains(" nodes, those of the first paths; --whole draws all of them"),
        "{part:?}"
    );
    assert!(part.stdout.len() < whole.stdout.len() && whole.stderr.is_empty());
}

#[test]
fn stdin_files_counts_what_a_scan_counts() {
    let project = project();
    // A module with a copy of a test, which a scan counts once.
    project.write("copy/NapTest.java", PRINTER);
    let whole = project.scan(&[]);
    let mut command = support::peeler();
    command.args(["scan", "--format", "json", "--min-probability", "0", "--stdin-files"]);
    let piped = |names: &str, command: &mut std::process::Command| {
        Ran::piped(
            command.current_dir(project.path("")),
            std::time::Duration::ZERO,
            names.as_bytes(),
        )
        .json()
    };
    let all = piped("src/CartTest.java\nsrc/NapTest.java\ncopy/NapTest.java\n", &mut command);
    for field in ["files", "tests", "findings"] {
        assert_eq!(all["summary"][field], whole["summary"][field], "{field}");
    }
    let some = piped("src/CartTest.java\n", &mut command);
    let sum = some["summary"]["tests"]
        .as_u64()
        .zip(some["summary"]["given"]["others"].as_u64());
    assert_eq!(
        sum.map(|(tests, others)| tests + others),
        whole["summary"]["tests"].as_u64()
    );
}

#[test]
fn statistics_count_findings_by_rule() {
    let project = project();
    let text = project.peeler(&["scan", "--statistics"]).ended(1).stdout;
    assert_eq!(text, "1  PLR101  unordered-text-compared\n");
    let counts = project
        .peeler(&["scan", "--statistics", "--format", "json"])
        .ended(1)
        .json();
    assert_eq!(
        counts,
        json!([{"rule": "PLR101", "name": "unordered-text-compared", "findings": 1}])
    );
    project
        .peeler(&["scan", "--statistics", "--format", "sarif"])
        .refused(&["text and json only"]);
}

#[test]
fn colours_and_threads_are_chosen_by_options() {
    let project = project();
    let run = |more: &[&str]| {
        project
            .peeler(&[&["scan", "--no-cache"], more].concat())
            .ended(1)
            .stdout
    };
    assert!(run(&["--color", "always"]).contains("\u{1b}["));
    assert!(!run(&["--color", "never"]).contains("\u{1b}["));
    assert!(!run(&["--color", "auto"]).contains("\u{1b}["), "a pipe is no terminal");
    let without_time = |text: String| {
        text.lines()
            .filter(|it| !it.contains(" s"))
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert_eq!(without_time(run(&["--jobs", "1"])), without_time(run(&["-j", "3"])));
}

#[test]
fn init_writes_settings_and_ci_jobs_and_overwrites_nothing() {
    let project = project();
    let said = project.peeler(&["init"]).ended(0).stderr;
    assert!(said.contains("wrote ./peeler.toml"), "{said}");
    let text = project.read("peeler.toml");
    assert!(text.lines().all(|it| it.is_empty() || it.starts_with('#')), "{text}");
    assert_eq!(found(&project.scan(&[])).len(), 4, "the file changes nothing");
    project
        .peeler(&["init"])
        .refused(&["peeler.toml exists already", "--force"]);
    project.write("peeler.toml", "min-probability = 0.9\n");
    for (service, file) in [
        ("github", ".github/workflows/flaky-tests.yml"),
        ("gitlab", ".gitlab/flaky-tests.yml"),
        ("jenkins", "flaky-tests.Jenkinsfile"),
    ] {
        let said = project.peeler(&["init", "--ci", service]).ended(0).stderr;
        assert!(said.contains("kept ./peeler.toml") && said.contains(file), "{said}");
        assert!(project.read(file).contains("peeler scan ."), "{service}");
    }
    assert_eq!(project.read("peeler.toml"), "min-probability = 0.9\n");
    project.peeler(&["init", "--force"]).ended(0);
    assert_eq!(project.read("peeler.toml"), text);
}
