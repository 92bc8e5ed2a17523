//! Digests of tests: which changes of code change which digests.

use std::collections::BTreeMap;

use peeler_analysis::{Analysis, Repository};
use peeler_features::TestName;

type Files<'a> = &'a [(&'a str, &'a str)];

fn digests(files: Files<'_>) -> BTreeMap<TestName, u64> {
    let sources = files
        .iter()
        .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
    let repository = Repository::from_sources(sources.collect());
    Analysis::new(&repository).digests(|_| true)
}

/// The methods of the tests that differ after `from` has become `to`, or are new.
fn affected(files: Files<'_>, from: &str, to: &str) -> Vec<String> {
    assert!(files.iter().any(|(_, text)| text.contains(from)), "{from} is somewhere");
    let changed: Vec<String> = files.iter().map(|(_, text)| text.replace(from, to)).collect();
    let after: Vec<(&str, &str)> = files
        .iter()
        .zip(&changed)
        .map(|((path, _), it)| (*path, &**it))
        .collect();
    differing(files, &after)
}

fn differing(before: Files<'_>, after: Files<'_>) -> Vec<String> {
    let before = digests(before);
    let differs = |(name, digest): &(TestName, u64)| before.get(name) != Some(digest);
    let methods = digests(after).into_iter().filter(differs);
    methods.map(|(name, _)| name.method().to_owned()).collect()
}

const NOTHING: [&str; 0] = [];

const SHOP: Files<'static> = &[
    (
        "test/shop/CartTest.java",
        r#"
package shop;
import static org.junit.Assert.assertEquals;
import java.util.HashMap;
import org.junit.*;
public class CartTest extends ShopTest {
    private Cart cart = new Cart(new HashMap<>());
    @Before public void fill() { cart.add("pear", 2); }
    @Test public void sums() { assertEquals(2, cart.total()); }
    @Test public void names() { check(cart.names()); }
    @Test public void opens() { assertEquals(1, shop.open()); }
    private void check(String names) { assertEquals("pear", names); }
}
"#,
    ),
    (
        "test/shop/ShopTest.java",
        r#"
package shop;
public abstract class ShopTest {
    protected Shop shop = new Shop();
    protected int spare() { return 5; }
}
"#,
    ),
    (
        "test/shop/ClockTest.java",
        r#"
package shop;
import org.junit.*;
public class ClockTest {
    @Test public void ticks() { Assert.assertTrue(new Clock().now() > 0); }
}
"#,
    ),
    (
        "main/shop/Cart.java",
        r#"
package shop;
import java.util.Map;
public class Cart {
    private final Map<String, Integer> items;
    public Cart(Map<String, Integer> items) { this.items = items; }
    public void add(String name, int count) { items.put(name, count); }
    public int total() { return sum(); }
    private int sum() { return Sums.of(items.values()); }
    public String names() { return items.keySet().toString(); }
}
"#,
    ),
    (
        "main/shop/Sums.java",
        r#"
package shop;
import java.util.Collection;
class Sums { static int of(Collection<Integer> all) { int sum = 0; for (int it : all) sum += it; return sum; } }
"#,
    ),
    (
        "main/shop/Shop.java",
        "package shop;\npublic class Shop { public int open() { return 1; } public int shut() { return 0; } }",
    ),
    (
        "main/shop/Clock.java",
        "package shop;\npublic class Clock { static final long START = 1; long now() { return System.nanoTime(); } }",
    ),
];

#[test]
fn the_body_of_a_test_and_its_annotations_are_its_own() {
    assert_eq!(affected(SHOP, "assertEquals(2,", "assertEquals(3,"), ["sums"]);
    assert_eq!(
        affected(SHOP, "@Test public void sums", "@Test(timeout = 5) public void sums"),
        ["sums"]
    );
}

#[test]
fn a_helper_counts_for_those_that_call_it() {
    assert_eq!(
        affected(SHOP, "assertEquals(\"pear\"", "assertEquals(\"plum\""),
        ["names"]
    );
    assert_eq!(affected(SHOP, "return 5;", "return 6;"), NOTHING);
}

#[test]
fn code_under_test_counts_for_those_that_reach_it() {
    assert_eq!(affected(SHOP, "keySet()", "entrySet()"), ["names"]);
    assert_eq!(affected(SHOP, "sum += it", "sum = sum + it"), ["sums"]);
    assert_eq!(
        affected(SHOP, "System.nanoTime()", "System.currentTimeMillis()"),
        ["ticks"]
    );
    assert_eq!(affected(SHOP, "return 0;", "return 2;"), NOTHING);
    // A constructor runs before every test of the class.
    assert_eq!(
        affected(SHOP, "this.items = items;", "this.items = null;"),
        ["names", "opens", "sums"]
    );
}

#[test]
fn setup_and_fields_count_for_the_class_also_in_a_superclass() {
    let all = ["names", "opens", "sums"];
    assert_eq!(affected(SHOP, "cart.add(\"pear\", 2)", "cart.add(\"pear\", 3)"), all);
    assert_eq!(affected(SHOP, "shop = new Shop();", "shop;"), all);
    assert_eq!(
        affected(SHOP, "extends ShopTest", "extends ShopTest implements Runnable"),
        all
    );
    assert_eq!(
        affected(SHOP, "public class ClockTest", "@Ignore public class ClockTest"),
        ["ticks"]
    );
}

#[test]
fn comments_white_space_and_moved_files_are_nothing() {
    assert_eq!(affected(SHOP, "{ ", "{\n\n    /* more */ "), NOTHING);
    assert_eq!(affected(SHOP, "\n", "\r\n"), NOTHING);
    let test = "import org.junit.*; class ATest { @Test void prints() { String a = \"\"\"\n  one\n  two\"\"\"; } }";
    assert_eq!(affected(&[("ATest.java", test)], "\n", "\r\n"), NOTHING);
    assert_eq!(affected(&[("ATest.java", test)], "  two", " two"), ["prints"]);
    let moved: Vec<(&str, &str)> = SHOP
        .iter()
        .map(|(path, text)| (path.trim_start_matches("main/"), *text))
        .collect();
    assert_eq!(differing(SHOP, &moved), NOTHING);
}

#[test]
fn other_members_may_come_and_go() {
    assert_eq!(
        affected(
            SHOP,
            "public int total()",
            "public int size() { return 0; } public int total()"
        ),
        NOTHING
    );
    assert_eq!(affected(SHOP, "public int shut() { return 0; }", ""), NOTHING);
    assert_eq!(affected(SHOP, "void ticks()", "void tocks()"), ["tocks"]);
}

#[test]
fn an_import_counts_through_the_names_it_gives_a_meaning_to() {
    let all = ["names", "opens", "sums"];
    assert_eq!(
        affected(
            SHOP,
            "import java.util.HashMap;",
            "import java.util.HashMap;\nimport java.util.List;"
        ),
        NOTHING
    );
    assert_eq!(
        affected(SHOP, "import java.util.HashMap;", "import com.other.HashMap;"),
        all
    );
    assert_eq!(
        affected(SHOP, "import java.util.HashMap;", "import java.util.*;"),
        NOTHING
    );
    // No test of the class but `opens` and `sums` calls it itself, and `names` does through its helper.
    assert_eq!(
        affected(SHOP, "org.junit.Assert.assertEquals", "com.other.Assert.assertEquals"),
        all
    );
    assert_eq!(
        affected(
            SHOP,
            "package shop;\nimport org.junit.*;",
            "package shop;\nimport org.testng.*;"
        ),
        ["ticks"]
    );
}

#[test]
fn a_wildcard_import_counts_only_where_something_is_unknown() {
    let test = "import org.junit.Test;\nimport static org.a.Checks.*;\nimport static org.b.Marks.*;\n\
                class ATest {\n  @Test void asks() { holds(1); }\n  @Test void compares() { assert 1 == 1; } }";
    assert_eq!(
        affected(&[("ATest.java", test)], "org.b.Marks", "org.c.Marks"),
        ["asks"]
    );
    let test = "import org.junit.*;\nclass ATest {\n  @Test void asks() {} }";
    let files: Files<'_> = &[("ATest.java", test), ("shop/Cart.java", "package shop; class Cart {}")];
    for known in ["java.io.*", "shop.*", "shop.Cart.*", "static shop.Cart.*"] {
        let more = format!("import {known};\nclass ATest");
        assert_eq!(affected(files, "class ATest", &more), NOTHING, "{known}");
    }
    assert_eq!(
        affected(files, "class ATest", "import org.testng.*;\nclass ATest"),
        ["asks"]
    );
}

#[test]
fn a_call_that_means_another_method_is_another_call() {
    let files: Files<'_> = &[
        (
            "ATest.java",
            "import org.junit.*; class ATest { @Test void asks() { new A().get('a'); } @Test void rests() {} }",
        ),
        ("A.java", "class A { int get(int a) { return 1; } }"),
    ];
    assert_eq!(
        affected(files, "class A {", "class A { int get(char a) { return 2; }"),
        ["asks"]
    );
}

#[test]
fn an_implementation_of_what_is_abstract_counts() {
    let files: Files<'_> = &[
        (
            "ATest.java",
            "import org.junit.*; class ATest { Store store; @Test void loads() { store.load(); } @Test void rests() {} }",
        ),
        ("Store.java", "interface Store { void load(); }"),
        (
            "DiskStore.java",
            "class DiskStore implements Store { public void load() { read(); } void read() {} }",
        ),
    ];
    assert_eq!(affected(files, "void read() {}", "void read() { sleep(); }"), ["loads"]);
}

#[test]
fn the_override_that_an_inherited_test_runs_is_part_of_it() {
    let files: Files<'_> = &[
        (
            "Contract.java",
            "import org.junit.*; abstract class Contract { abstract int make(); @Test public void makes() { make(); } @Test public void rests() {} }",
        ),
        (
            "ATest.java",
            "class ATest extends Contract { int make() { return 1; } }",
        ),
    ];
    assert_eq!(affected(files, "return 1;", "return 2;"), ["makes"]);
}

#[test]
fn methods_that_are_handed_on_by_reference_or_by_name_count() {
    let files: Files<'_> = &[(
        "ATest.java",
        r#"
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.*;
class ATest {
    @Test void refers() { Stream.of(1).forEach(this::check); }
    @Test void makes() { Stream.of(1).map(ATest::made); }
    @ParameterizedTest @MethodSource("cases") void takes(int a) {}
    @ParameterizedTest @MethodSource void draws(int a) {}
    @Test void rests() {}
    void check(int a) { assert a == 1; }
    static int made(int a) { return a + 2; }
    static Stream<Integer> cases() { return Stream.of(3); }
    static Stream<Integer> draws() { return Stream.of(4); }
}"#,
    )];
    assert_eq!(affected(files, "a == 1", "a != 1"), ["refers"]);
    assert_eq!(affected(files, "a + 2", "a - 2"), ["makes"]);
    assert_eq!(affected(files, "Stream.of(3)", "Stream.of(5)"), ["takes"]);
    assert_eq!(affected(files, "Stream.of(4)", "Stream.of(5)"), ["draws"]);
}

#[test]
fn recursion_ends_and_counts() {
    let files: Files<'_> = &[
        (
            "ATest.java",
            "import org.junit.*; class ATest { @Test void turns() { new A().f(1); } @Test void rests() {} }",
        ),
        (
            "A.java",
            "class A { void f(int a) { g(a); } void g(int a) { f(a - 1); } }",
        ),
    ];
    assert_eq!(affected(files, "f(a - 1)", "f(a - 2)"), ["turns"]);
}

#[test]
fn only_wanted_tests_have_a_digest() {
    let sources = SHOP
        .iter()
        .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
    let repository = Repository::from_sources(sources.collect());
    let found = Analysis::new(&repository).digests(|name| name.ends_with("#sums"));
    assert_eq!(found.into_keys().collect::<Vec<_>>(), ["shop.CartTest#sums"]);
}
