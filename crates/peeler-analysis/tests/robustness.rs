//! Arbitrary and hostile input: the analysis does not panic, ends in time, and gives the same result twice.

mod picture;

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use peeler_analysis::{Analysis, FlowFinder, Limits, Repository};
use proptest::prelude::*;

/// The whole result of the analysis for a file `XTest.java` with these bytes.
fn analyse(bytes: Vec<u8>) -> String {
    let repository = Repository::from_sources(vec![("XTest.java".to_owned(), bytes)]);
    let analysis = Analysis::new(&repository);
    let mut out = String::new();
    analysis.extract(
        Limits::default(),
        |_| true,
        |traced| {
            let extraction = analysis.extraction(&traced);
            format!(
                "{extraction:?}",
                extraction = (&extraction.case, &extraction.nodes, &extraction.paths)
            )
        },
        |drawn| out.push_str(&drawn),
    );
    let _ = write!(out, "{:?} {:?}", analysis.problems(), analysis.suppressions(|_| true));
    let _ = write!(out, " {:?}", analysis.digests(|_| true));
    out
}

/// Analyses within a generous time and returns the number of tests found.
fn survives(text: &str) -> usize {
    let started = Instant::now();
    let repository = Repository::from_sources(vec![("XTest.java".to_owned(), text.as_bytes().to_vec())]);
    let analysis = Analysis::new(&repository);
    analysis.extract(Limits::default(), |_| true, |_| (), |()| ());
    let _ = analysis.suppressions(|_| true);
    let _ = analysis.digests(|_| true);
    assert!(
        started.elapsed() < Duration::from_secs(60),
        "took {:?}",
        started.elapsed()
    );
    analysis.len()
}

/// A test class with a bit of everything, to be damaged.
const SEED: &str = r#"
package t;
import static org.junit.Assert.*;
import java.util.*;
import org.junit.*;
/** peeler:ignore
 * "quoted' */
public class XTest extends Base<String> implements Runnable {
    private static final Map<String, List<? extends Number>> MAP = new HashMap<>();
    @Rule public final Object rule = new Object() { int x = 1; void f() { x++; } };
    @Before public void setUp() throws Exception { MAP.put("a", Arrays.asList(1, 2)); }
    // peeler:ignore größer als "es" scheint
    /* and */ @SuppressWarnings({"peeler", "x"})
    @Test(expected = RuntimeException.class, timeout = 100) public void a() {
        for (int i = 0; i < 3; i++) { if (i % 2 == 0) continue; else break; }
        try (Reader r = open("x")) { r.read(); } catch (IOException | Error e) { fail(e.getMessage()); } finally { done(); }
        String s = switch (x) { case 1, 2 -> "a"; default -> { yield "b"; } };
        assertThat(MAP.get("a").stream().map(n -> n + 1).toArray()[0]).isEqualTo(2);
    }
    @Test public void b() { int[][] y = {{1}, {2}}; assertEquals(y[0][0], (long) y[1][0] >>> 2, 0.1f); label: do { y = null; } while (y != null); }
    enum Kind { A { int f() { return 1; } }, B(2); Kind(int... n) { this(); } }
    record Point(int x, int y) { Point { check(x); } }
    public void run() { synchronized (this) { throw new IllegalStateException("""
        text { block " """ + 'c' + '\'' ); } }
}
"#;

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..2_000)) {
        let first = analyse(bytes.clone());
        prop_assert_eq!(first, analyse(bytes));
    }

    #[test]
    fn arbitrarily_damaged_java_never_panics(
        damages in proptest::collection::vec((any::<prop::sample::Index>(), 0_u8..4, "[\\PC\\n]{0,6}"), 1..12)
    ) {
        let mut text: Vec<char> = SEED.chars().collect();
        for (place, kind, insert) in damages {
            if text.is_empty() { break; }
            let at = place.index(text.len());
            match kind {
                0 => { text.remove(at); }
                1 => { text.splice(at..at, insert.chars()); }
                2 => { text.truncate(at); }
                _ => { let end = (at + 40).min(text.len()); let copy = text[at..end].to_vec(); text.splice(at..at, copy); }
            }
        }
        let text: String = text.into_iter().collect();
        let first = analyse(text.clone().into_bytes());
        prop_assert_eq!(first, analyse(text.into_bytes()));
    }
}

#[test]
fn type_parameters_that_do_not_end_do_no_harm() {
    for broken in [
        "a<\u{1e026}{}",
        "a<\u{1e026}",
        "a<\u{1e026};",
        "a<\u{1e026}<b>{}",
        "a<",
        "a<{}",
    ] {
        survives(&format!("class {broken}"));
        survives(&format!("class a extends {broken}"));
    }
}

#[test]
fn a_hundred_thousand_parentheses_do_no_harm() {
    let deep = format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(
        survives(&picture::junit_test(&format!("int x = {deep}; assertEquals(1, x);"))),
        1
    );
    survives(&picture::junit_test(&format!("int x = {}", "(".repeat(100_000))));
    survives(&picture::junit_test(&"{".repeat(100_000)));
    survives(&"class A {".repeat(20_000));
}

#[test]
fn deep_chains_calls_and_concatenations_do_no_harm() {
    let chain = ".a(1)".repeat(20_000);
    assert_eq!(
        survives(&picture::junit_test(&format!("Object x = b{chain}; assertNotNull(x);"))),
        1
    );
    let sum = "\"a\" + ".repeat(20_000);
    assert_eq!(
        survives(&picture::junit_test(&format!(
            "String x = {sum} \"b\"; assertNotNull(x);"
        ))),
        1
    );
    let nested = format!("{}1{}", "f(".repeat(20_000), ")".repeat(20_000));
    survives(&picture::junit_test(&format!("int x = {nested}; assertEquals(1, x);")));
    let ifs = "if (a) x = 1; else ".repeat(5_000);
    survives(&picture::junit_test(&format!(
        "int x = 0; {ifs} x = 2; assertEquals(1, x);"
    )));
    let types = format!("{}int{}", "List<".repeat(5_000), ">".repeat(5_000));
    survives(&picture::junit_test(&format!("{types} x = null; assertNull(x);")));
}

/// A test class with `n` members, each made from its number.
fn class_of(n: usize, member: impl Fn(usize) -> String) -> String {
    let members: String = (0..n).map(member).collect();
    format!(
        "import static org.junit.Assert.*; import org.junit.*; public class XTest {{ static int shared; {members} }}"
    )
}

#[test]
fn many_tests_with_setup_circles_and_shared_state_end_in_time() {
    let setups = class_of(1_000, |at| {
        format!(
            "int f{at}; @Before public void s{at}() {{ f{at} = {at}; }} @Test public void t{at}() {{ assertEquals({at}, f{at}); }}\n"
        )
    });
    assert_eq!(survives(&setups), 1_000);
    let circle = class_of(2_000, |at| {
        let next = (at + 1) % 2_000;
        format!(
            "@Test public void t{at}() {{ assertEquals(1, h{at}(2)); }} int h{at}(int x) {{ return h{next}(x); }}\n"
        )
    });
    assert_eq!(survives(&circle), 2_000);
    let users = class_of(4_000, |at| {
        format!("@Test public void t{at}() {{ shared = {at}; assertEquals({at}, shared); }}\n")
    });
    assert_eq!(survives(&users), 4_000);
}

#[test]
fn a_line_of_ten_megabytes_does_no_harm() {
    let literal = "x".repeat(10 << 20);
    assert_eq!(
        survives(&picture::junit_test(&format!("assertEquals(\"{literal}\", y);"))),
        1
    );
    let garbage = "@ % ] ) ".repeat(10 << 17);
    survives(&picture::junit_test(&garbage));
}

#[test]
fn byte_order_marks_carriage_returns_and_latin_1_are_read() {
    let test = picture::junit_test("int x = 1;\r\nassertEquals(1, x);\r\n").replace('\n', "\r\n");
    let mut marked = b"\xef\xbb\xbf".to_vec();
    marked.extend(test.as_bytes());
    assert!(analyse(marked).contains("SampleTest#test"));
    let mut latin = test.into_bytes();
    latin.extend(b"// caf\xe9\n");
    assert!(analyse(latin).contains("SampleTest#test"));
}

#[test]
fn odd_folders_and_links_are_survived() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    std::fs::create_dir_all(root.join("handlebars.java/src")).expect("a folder named like a file");
    std::fs::write(
        root.join("handlebars.java/src/ATest.java"),
        picture::junit_test("assertTrue(true);"),
    )
    .expect("a file");
    std::fs::create_dir_all(root.join(".hidden")).expect("a folder");
    std::fs::write(root.join(".hidden/B.java"), "class B {}").expect("a file");
    std::fs::write(root.join(".gitignore"), "generated/\n").expect("a file");
    std::fs::create_dir_all(root.join("generated")).expect("a folder");
    std::fs::write(root.join("generated/C.java"), "class C {}").expect("a file");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(root, root.join("handlebars.java/loop")).expect("a link");
        std::os::unix::fs::symlink(root.join("missing"), root.join("Dangling.java")).expect("a link");
    }
    let repository = Repository::open(root).expect("it opens");
    let paths: Vec<_> = repository.files().iter().map(|it| it.path().to_owned()).collect();
    assert_eq!(paths, ["handlebars.java/src/ATest.java"]);
}

#[test]
fn imports_beyond_a_limit_are_left_out_and_reported() {
    let mut imports = String::new();
    for at in 0..2_500 {
        let _ = writeln!(imports, "import static a.b.C.m{at};");
    }
    let text = format!(
        "package a; {imports} import org.junit.Test; public class MadeTest {{ @Test public void works() {{ }} }}"
    );
    let repository = Repository::from_sources(vec![("MadeTest.java".to_owned(), text.into_bytes())]);
    let analysis = Analysis::new(&repository);
    assert_eq!(analysis.test_cases().len(), 1);
    let problems: Vec<String> = analysis.problems().iter().map(ToString::to_string).collect();
    assert_eq!(problems, ["MadeTest.java: only the first 2000 imports were read"]);
}

/// Looks for flows in all tests of a file within a limit of time. Returns the number of tests that were not followed to
/// their end.
#[track_caller]
fn incomplete_within(limit: Duration, text: &str) -> usize {
    let started = Instant::now();
    let repository = Repository::from_sources(vec![("XTest.java".to_owned(), text.as_bytes().to_vec())]);
    let analysis = Analysis::new(&repository);
    let finder = FlowFinder::new(&analysis);
    let mut incomplete = 0;
    analysis.extract(
        Limits::default(),
        |_| true,
        |traced| usize::from(finder.flows(&traced).is_incomplete),
        |it| incomplete += it,
    );
    let took = started.elapsed();
    assert!(took < limit, "took {took:?}");
    incomplete
}

#[test]
fn tasks_without_statements_take_no_time() {
    let text = "import org.junit.Test; public class XTest { @Test public void t() throws Exception { \
                Thread one = new Thread(() -> { }); one.start(); one.join(); \
                Thread two = new Thread(() -> { return; }); two.start(); two.join(); } }";
    assert_eq!(incomplete_within(Duration::from_secs(5), text), 0);
}

/// Maps of maps, 24 deep, that two branches fill separately. A join that visits all of them takes 2^24 steps.
#[test]
fn deeply_nested_maps_of_two_branches_are_joined_in_time() {
    let filled = |name: &str| {
        let mut fills = format!("Map<String, Object> {name}0 = new HashMap<>();");
        for at in 1..=24 {
            let below = at - 1;
            let _ = write!(
                fills,
                "Map<String, Object> {name}{at} = new HashMap<>(); {name}{at}.put(\"x\", {name}{below}); \
                 {name}{at}.put(\"y\", {name}{below});"
            );
        }
        format!("{fills} all = {name}24;")
    };
    let text = format!(
        "import java.util.*; import org.junit.Test; import static org.junit.Assert.*; public class XTest {{ \
         boolean big; @Test public void t() {{ Map<String, Object> all; if (big) {{ {} }} else {{ {} }} \
         assertEquals(2, all.size()); }} }}",
        filled("a"),
        filled("b")
    );
    incomplete_within(Duration::from_secs(10), &text);
}

#[test]
fn helpers_that_call_all_later_ones_end_in_time() {
    let helpers = class_of(200, |at| {
        let mut sum = String::new();
        for later in at + 1..200 {
            let _ = write!(sum, "h{later}(x) + ");
        }
        format!("int h{at}(int x) {{ return {sum}x; }} ")
    });
    let text = helpers.replace(
        "static int shared;",
        "@Test public void t() { assertEquals(1, h0(2)); }",
    );
    incomplete_within(Duration::from_secs(20), &text);
}

#[test]
fn a_long_chain_without_an_assertion_ends_in_time() {
    let mut sums = String::new();
    for at in 0..20_000 {
        let _ = writeln!(sums, "x = x + {at};");
    }
    let text = format!("import org.junit.Test; public class XTest {{ @Test public void t() {{ int x = 0; {sums} }} }}");
    incomplete_within(Duration::from_secs(20), &text);
}
