//! Fields, setup, superclasses and helper methods in the graph of a test.

mod picture;

use insta::assert_snapshot;
use picture::edges_of_files;

#[test]
fn field_initialisers_and_setup_run_before_the_body() {
    let test = r#"
        package t;
        import static org.junit.Assert.*;
        import org.junit.*;
        public class StoreTest {
            private final Clock clock = Clock.fixed(5);
            private Store store;
            @Before public void open() { store = new Store(clock); }
            @Test public void test() { assertEquals(5, store.time()); }
        }"#;
    assert_snapshot!(edges_of_files(&[("StoreTest.java", test)]), @"
    *5@6 -[Clock.fixed]-> clock@6
    clock@6 -[new Store]-> store@8
    store@8 -[time]-> store.time()@9!
    store.time()@9! -[assertEquals]-> 5@9!
    ");
}

#[test]
fn setup_of_superclasses_comes_first_and_overrides_count_once() {
    let base = r#"
        package t;
        import org.junit.*;
        public abstract class Base {
            protected String name;
            @Before public void base() { name = "base"; }
            @Before public void shared() { name = "never"; }
        }"#;
    let test = r#"
        package t;
        import static org.junit.Assert.*;
        import org.junit.*;
        public class SubTest extends Base {
            @Override @Before public void shared() { name = name + "sub"; }
            @Test public void test() { assertEquals("basesub", name); }
        }"#;
    assert_snapshot!(edges_of_files(&[("Base.java", base), ("SubTest.java", test)]), @r#"
    *"base"@6 -[=]-> name@6
    name@6 -[+]-> name@6
    *"sub"@6 -[+]-> name@6
    name@6 -[assertEquals]-> name@7!
    name@7! -[assertEquals]-> "basesub"@7!
    "#);
}

#[test]
fn helpers_are_followed_with_their_arguments_and_results() {
    let test = r#"
        package t;
        import static org.junit.Assert.*;
        import org.junit.*;
        public class HelperTest {
            @Test public void test() { check(twice("a"), "aa"); }
            private String twice(String s) { return s + s; }
            private void check(String actual, String wanted) { assertEquals(wanted, actual); }
        }"#;
    assert_snapshot!(edges_of_files(&[("HelperTest.java", test)]), @r#"
    *"a"@6 -[twice CUT t.HelperTest#twice(String)]-> s@7
    *"a"@6 -[twice CUT t.HelperTest#twice(String)]-> twice("a")@6
    s@7 -[twice CUT t.HelperTest#twice(String)]-> twice("a")@6
    twice("a")@6 -[check CUT t.HelperTest#check(String,String)]-> actual@8
    *"aa"@6 -[check CUT t.HelperTest#check(String,String)]-> wanted@8
    actual@8 -[assertEquals]-> actual@8!
    wanted@8 -[assertEquals]-> wanted@8!
    actual@8! -[assertEquals]-> wanted@8!
    "#);
}

#[test]
fn the_override_of_the_concrete_class_is_followed() {
    let base = r#"
        package t;
        import static org.junit.Assert.*;
        import org.junit.*;
        public abstract class Contract {
            protected abstract Object make();
            @Test public void test() { assertNotNull(make()); }
        }"#;
    let test = r#"
        package t;
        public class ListContractTest extends Contract {
            protected Object make() { return new java.util.ArrayList<String>(); }
        }"#;
    assert_snapshot!(edges_of_files(&[("Contract.java", base), ("ListContractTest.java", test)]), @"
    *java.util.ArrayList@4 -[new java.util.ArrayList]-> new java.util.ArrayList<String>()@4
    new java.util.ArrayList<String>()@4 -[make CUT t.ListContractTest#make()]-> make()@7!
    make()@7! -[assertNotNull]-> assertNotNull(make())@7!
    ");
}

#[test]
fn recursion_ends() {
    let test = r#"
        package t;
        import static org.junit.Assert.*;
        import org.junit.*;
        public class RecursionTest {
            @Test public void test() { assertEquals(3, depth(3)); }
            int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
        }"#;
    assert_snapshot!(edges_of_files(&[("RecursionTest.java", test)]), @"
    *3@6 -[depth CUT t.RecursionTest#depth(int)]-> n@7
    n@7 -[depth CUT t.RecursionTest#depth(int)]-> depth(n - 1)@7
    *1@7 -[depth CUT t.RecursionTest#depth(int)]-> depth(n - 1)@7
    *3@6 -[depth CUT t.RecursionTest#depth(int)]-> depth(3)@6!
    n@7 -[depth CUT t.RecursionTest#depth(int)]-> depth(3)@6!
    *0@7 -[depth CUT t.RecursionTest#depth(int)]-> depth(3)@6!
    *0@7 -[depth CUT t.RecursionTest#depth(int)]-> depth(3)@6!
    *1@7 -[depth CUT t.RecursionTest#depth(int)]-> depth(3)@6!
    depth(n - 1)@7 -[depth CUT t.RecursionTest#depth(int)]-> depth(3)@6!
    depth(3)@6! -[assertEquals]-> 3@6!
    ");
}

#[test]
fn tests_of_one_class_do_not_share_their_paths() {
    // The original implementation gave all tests of a class the paths of the last one.
    let test = r#"
        package t;
        import static org.junit.Assert.*;
        import org.junit.*;
        public class TwoTest {
            int shared = 1;
            @Test public void first() { shared = 2; assertEquals(2, shared); }
            @Test public void second() { assertEquals(1, shared); }
        }"#;
    assert_snapshot!(edges_of_files(&[("TwoTest.java", test)]), @"
    *2@7 -[=]-> shared@7
    shared@7 -[assertEquals]-> shared@7!
    shared@7! -[assertEquals]-> 2@7!
    *1@6 -[=]-> shared@6
    shared@6 -[assertEquals]-> shared@8!
    shared@8! -[assertEquals]-> 1@8!
    ");
}

#[test]
fn a_nested_class_sees_the_setup_of_its_outer_class() {
    let test = r#"
        package t;
        import static org.junit.jupiter.api.Assertions.*;
        import org.junit.jupiter.api.*;
        class OuterTest {
            String name;
            @BeforeEach void outer() { name = "outer"; }
            @Nested class Inner { @Test void test() { assertEquals("outer", name); } }
        }"#;
    assert_snapshot!(edges_of_files(&[("OuterTest.java", test)]), @r#"
    *"outer"@7 -[=]-> name@7
    name@7 -[assertEquals]-> name@8!
    name@8! -[assertEquals]-> "outer"@8!
    "#);
}

#[test]
fn what_a_helper_changes_in_its_argument_is_changed_for_the_caller() {
    let test = r#"
        package t;
        import static org.junit.Assert.*;
        import java.util.*;
        import org.junit.*;
        public class FillTest {
            void fill(List<String> target) { target.add("v"); }
            @Test public void test() { List<String> list = new ArrayList<>(); fill(list); assertEquals(1, list.size()); }
        }"#;
    assert_snapshot!(edges_of_files(&[("FillTest.java", test)]), @r#"
    *ArrayList@8 -[new ArrayList]-> list@8
    list@8 -[fill CUT t.FillTest#fill(List)]-> target@7
    *"v"@7 -[add]-> target@7
    target@7 -[add]-> target.add("v")@7
    *"v"@7 -[add]-> target.add("v")@7
    list@8 -[size]-> list.size()@8!
    target@7 -[size]-> list.size()@8!
    list.size()@8! -[assertEquals]-> 1@8!
    target.add("v")@7 -[then]-> list.size()@8!
    "#);
}

#[test]
fn setup_and_teardown_are_not_what_a_test_is_judged_by() {
    let test = r#"
        package t;
        import org.junit.*;
        public class QuietTest {
            Server server;
            @Before public void setUp() { server = new Server(1); server.start(); Assert.assertNotNull(server); }
            @Test public void test() { Client client = server.connect("me"); }
            @After public void tearDown() { server.stop(2); }
        }"#;
    assert_snapshot!(edges_of_files(&[("QuietTest.java", test)]), @r#"
    *1@6 -[new Server]-> server@6
    server@6 -[start]-> server@6
    server@6 -[connect]-> client@7!
    *"me"@7 -[connect]-> client@7!
    "#);
}

#[test]
fn a_helper_with_a_value_that_nobody_uses_is_still_an_effect() {
    let test = r#"
        package t;
        import org.junit.*;
        public class DeployTest {
            Engine engine;
            String deploy(String file) { return engine.repo(file); }
            @Test public void test() { deploy("a.xml"); Assert.assertEquals(1, engine.count()); }
        }"#;
    assert_snapshot!(edges_of_files(&[("DeployTest.java", test)]), @r#"
    *"a.xml"@7 -[deploy CUT t.DeployTest#deploy(String)]-> file@6
    file@6 -[repo]-> engine@6
    *engine@6 -[repo]-> engine.repo(file)@6
    file@6 -[repo]-> engine.repo(file)@6
    *"a.xml"@7 -[deploy CUT t.DeployTest#deploy(String)]-> deploy("a.xml")@7
    engine.repo(file)@6 -[deploy CUT t.DeployTest#deploy(String)]-> deploy("a.xml")@7
    *engine@6 -[count]-> engine.count()@7!
    engine@6 -[count]-> engine.count()@7!
    engine.count()@7! -[Assert.assertEquals]-> 1@7!
    deploy("a.xml")@7 -[then]-> engine.count()@7!
    "#);
}
