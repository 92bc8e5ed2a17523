//! Tests of the cache: a second scan reuses results that a change does not affect, and reports the same as a full scan.

mod support;

use serde_json::Value;
use support::{Project, found};

const TEST: &str = r#"package shop;
import org.junit.Test;
import static org.junit.Assert.assertEquals;
public class CartTest extends Base {
    Cart cart = new Cart();
    @Test public void counts() { cart.add("pear"); assertEquals(1, cart.count()); }
    @Test public void prints() { assertEquals("[]", cart.print(7)); }
}
"#;
const CLOCK_TEST: &str = r#"package shop;
import org.junit.Test;
import static org.junit.Assert.assertTrue;
public class ClockTest {
    @Test public void ticks() { assertTrue(new Clock().now() > 0); }
    @Test public void waits() throws Exception { Thread.sleep(10); assertTrue(System.nanoTime() > 0); }
}
"#;
const CART: &str = r#"package shop;
import java.util.*;
class Cart {
    private final Map<String, Integer> counts = new HashMap<>();
    void add(String name) { counts.merge(name, 1, Integer::sum); }
    int count() { return counts.size(); }
    String print(int width) { return Text.of(counts); }
}
"#;

fn project() -> Project {
    Project::of(&[
        ("src/shop/CartTest.java", TEST),
        ("src/shop/ClockTest.java", CLOCK_TEST),
        ("src/shop/Cart.java", CART),
        ("src/shop/Base.java", "package shop; public abstract class Base { }\n"),
        (
            "src/shop/Clock.java",
            "package shop; class Clock { long now() { return System.nanoTime(); } }\n",
        ),
        (
            "src/shop/Text.java",
            "package shop; class Text { static String of(Object it) { return it.toString(); } }\n",
        ),
        (
            "src/shop/Other.java",
            "package shop; class Other { int nothing() { return 0; } }\n",
        ),
    ])
}

const ALL: [&str; 8] = [
    "scan",
    "src",
    "--format",
    "json",
    "--all",
    "--min-probability",
    "0",
    "--exit-zero",
];

fn scan(project: &Project, more: &[&str]) -> Value {
    let mut scan = project.peeler(&[&ALL, more].concat()).ended(0).json();
    scan["summary"]["milliseconds"] = Value::Null;
    scan
}

fn cached(project: &Project) -> Value {
    scan(project, &["--cache-dir", "cache"])
}

/// The number of tests that a scan reuses after a change. Asserts that it reports the same as a scan without cache.
fn reused(project: &Project) -> u64 {
    let mut warm = cached(project);
    let reused = warm["summary"]["reused"].take().as_u64().expect("a count");
    let mut cold = scan(project, &["--no-cache"]);
    assert_eq!(cold["summary"]["reused"].take(), 0);
    assert_eq!(warm, cold);
    reused
}

/// The number of the four tests that are reused after a piece of a file was replaced.
fn reused_after(file: &str, from: &str, to: &str) -> u64 {
    let project = project();
    cached(&project);
    let path = format!("src/shop/{file}.java");
    let text = project.read(&path);
    assert!(text.contains(from), "{file} holds no {from:?}");
    project.write(&path, text.replacen(from, to, 1));
    reused(&project)
}

#[test]
fn without_a_change_everything_is_taken_over() {
    let project = project();
    assert_eq!(cached(&project)["summary"]["reused"], 0);
    assert_eq!(reused(&project), 4);
    let text = project
        .peeler(&["scan", "src", "--cache-dir", "cache", "--exit-zero"])
        .ended(0);
    assert!(text.stdout.contains("4 tests as in an earlier scan"), "{}", text.stdout);
}

#[test]
fn a_changed_test_concerns_its_class() {
    assert_eq!(reused_after("ClockTest", "sleep(10)", "sleep(20)"), 2);
    assert_eq!(reused_after("ClockTest", "package", "// moved\npackage"), 2);
}

#[test]
fn changed_code_under_test_concerns_those_that_rest_on_it() {
    assert_eq!(reused_after("Clock", "nanoTime", "currentTimeMillis"), 3);
    assert_eq!(reused_after("Text", "it.toString()", "\"\" + it"), 3);
    assert_eq!(reused_after("Other", "return 0", "return 1"), 4);
}

#[test]
fn a_supertype_that_vanishes_may_leave_a_class_with_other_tests() {
    let shelf =
        "package shop; class Shelf { @org.junit.Test public void holds() { org.junit.Assert.assertTrue(true); } }\n";
    let project = project();
    project.write("src/shop/Shelf.java", "package shop; class Shelf { }\n");
    project.write("src/other/Shelf.java", shelf);
    project.write("src/shop/Rack.java", "package shop; class Rack extends Shelf { }\n");
    let before = cached(&project)["summary"]["tests"].as_u64();
    std::fs::remove_file(project.path("src/shop/Shelf.java")).expect("the file is there");
    reused(&project);
    let after = cached(&project)["summary"]["tests"].as_u64();
    assert_eq!((before, after), (Some(5), Some(6)), "`Rack#holds` is new");
}

#[test]
fn a_changed_declaration_concerns_those_that_mention_it() {
    // No test depends on `Other`, but calls may now resolve to its new overload.
    let declared = "class Other { int nothing() { return 0; } long now() { return 0; }";
    assert_eq!(
        reused_after("Other", "class Other { int nothing() { return 0; }", declared),
        4
    );
    assert_eq!(
        reused_after("Clock", "long now()", "int now()"),
        2,
        "the file of two tests mentions it"
    );
    assert_eq!(reused_after("Other", "class Other {", "class Other extends Clock {"), 2);
}

#[test]
fn files_that_come_and_go_concern_those_that_mention_their_types() {
    let project = project();
    cached(&project);
    project.write("src/shop/Unheard.java", "package shop; class Unheard { }");
    assert_eq!(reused(&project), 4);
    project.write(
        "src/shop/Thread.java",
        "package shop; class Thread { static void sleep(long it) { } }",
    );
    assert_eq!(reused(&project), 2, "ClockTest mentions Thread");
    std::fs::remove_file(project.path("src/shop/Text.java")).unwrap();
    assert_eq!(
        reused(&project),
        2,
        "Cart, which the tests of the cart rest on, mentions Text"
    );
}

#[test]
fn tests_appear_and_disappear() {
    let project = project();
    cached(&project);
    let inherited = "package shop; public abstract class Base {\n@org.junit.Test public void inherited() { org.junit.Assert.assertTrue(true); }\n}\n";
    project.write("src/shop/Base.java", inherited);
    assert_eq!(reused(&project), 2);
    assert!(found(&cached(&project)).contains(&"shop.CartTest#inherited"));
    project.write(
        "src/shop/CartTest.java",
        TEST.replace("@Test public void counts", "public void counts"),
    );
    reused(&project);
    assert!(!found(&cached(&project)).contains(&"shop.CartTest#counts"));
}

#[test]
fn a_repository_annotation_may_make_tests_of_anything() {
    let project = project();
    cached(&project);
    project.write(
        "src/shop/Fast.java",
        "package shop; @org.junit.Test public @interface Fast { }",
    );
    assert_eq!(reused(&project), 0);
}

#[test]
fn a_test_by_an_annotation_of_the_repository_stays_one() {
    let project = project();
    project.write(
        "src/shop/Fast.java",
        "package shop; @org.junit.Test public @interface Fast { }",
    );
    let test = |nanos: &str| {
        format!(
            "package shop; class FastTest {{ @Fast void f() {{ org.junit.Assert.assertTrue(System.nanoTime() > {nanos}); }} }}"
        )
    };
    project.write("src/shop/FastTest.java", test("0"));
    assert!(found(&cached(&project)).contains(&"shop.FastTest#f"));
    project.write("src/shop/FastTest.java", test("1"));
    assert_eq!(reused(&project), 4);
    assert!(found(&cached(&project)).contains(&"shop.FastTest#f"));
}

#[test]
fn a_lower_threshold_looks_at_more_tests() {
    let project = project();
    let strict = [
        "scan",
        "src",
        "--cache-dir",
        "cache",
        "--min-probability",
        "1",
        "--exit-zero",
    ];
    project.peeler(&strict).ended(0);
    assert_eq!(reused(&project), 4);
    let first = scan(&project, &["--cache-dir", "cache", "--top", "1"]);
    assert_eq!(found(&first).len(), 1);
    assert_eq!(
        first["findings"][0]["source"],
        scan(&project, &["--no-cache"])["findings"][0]["source"]
    );
}

#[test]
fn suppression_is_read_anew_with_its_file() {
    let project = project();
    cached(&project);
    let silent = CLOCK_TEST.replace(
        "@Test public void ticks",
        "// peeler:ignore\n    @Test public void ticks",
    );
    project.write("src/shop/ClockTest.java", silent);
    assert_eq!(reused(&project), 2);
    assert_eq!(cached(&project)["summary"]["suppressed"], 1);
}

#[test]
fn a_damaged_memory_is_no_memory() {
    let project = project();
    cached(&project);
    let files: Vec<_> = std::fs::read_dir(project.path("cache"))
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    assert_eq!(files.len(), 1, "{files:?}");
    let whole = std::fs::read(&files[0]).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    for damaged in [&whole[..whole.len() / 2], &whole[..3], &[], &flipped] {
        std::fs::write(&files[0], damaged).unwrap();
        assert_eq!(cached(&project)["summary"]["reused"], 0);
        assert_eq!(reused(&project), 4, "the next scan keeps its results again");
    }
}

#[test]
fn a_folder_that_cannot_be_written_costs_a_warning() {
    let project = project();
    project.write("file", "in the way");
    let ran = project
        .peeler(&["scan", "src", "--cache-dir", "file/cache", "--exit-zero"])
        .ended(0);
    for word in ["warning", "file/cache", "--no-cache"] {
        assert!(ran.stderr.contains(word), "{}", ran.stderr);
    }
}

#[test]
fn results_are_in_the_users_cache_folder_unless_nothing_is_to_be_kept() {
    let project = project();
    let run = |arguments: &[&str]| {
        let mut command = support::peeler();
        command
            .args(arguments)
            .current_dir(project.path(""))
            .env("XDG_CACHE_HOME", project.path("user"));
        support::Ran::of(&mut command).ended(0);
        std::fs::read_dir(project.path("user/peeler")).map_or(0, Iterator::count)
    };
    assert_eq!(run(&["scan", "src", "--exit-zero", "--no-cache"]), 0);
    assert_eq!(run(&["scan", "src", "--exit-zero"]), 1);
    assert_eq!(run(&["scan", "src/shop", "--exit-zero"]), 2, "another root has its own");
}

#[test]
fn runs_side_by_side_do_each_other_no_harm() {
    let project = project();
    let expected = scan(&project, &["--no-cache"]);
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..6).map(|_| scope.spawn(|| cached(&project))).collect();
        for run in runs {
            let mut said = run.join().unwrap();
            said["summary"]["reused"] = Value::from(0);
            assert_eq!(said, expected);
        }
    });
    let left = std::fs::read_dir(project.path("cache")).unwrap().count();
    assert_eq!(left, 1, "nothing unfinished stays");
}
