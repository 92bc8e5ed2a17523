//! Tests of the recognition of assertions.

mod picture;

use insta::assert_snapshot;
use picture::{assertions_of_body, assertions_of_files, edges_of_body, edges_of_files};

#[test]
fn a_fluent_chain_is_one_assertion_from_actual_to_expected() {
    assert_snapshot!(edges_of_body(r#"assertThat(cart.items()).hasSize(2).contains("pen");"#), @r#"
    *cart@1 -[items]-> cart.items()@1!
    cart.items()@1! -[hasSize]-> 2@1!
    cart.items()@1! -[contains]-> "pen"@1!
    "#);
}

#[test]
fn a_chain_without_operands_is_part_of_the_judgement() {
    assert_snapshot!(edges_of_body(r#"Object x = make(); assertThat(x).isNotNull();"#), @"
    *this@1 -[make]-> x@1
    x@1 -[assertThat.isNotNull]-> x@1!
    ");
}

#[test]
fn verify_fail_and_assert_statements_are_assertions() {
    assert_snapshot!(assertions_of_body(
        r#"verify(mock).send("x");
        verify(mock, times(2)).send(any());
        assert mock != null : "message";
        if (mock == null) fail("gone");"#
    ), @r#"
    1 unowned: verify(mock).send("x")
    2 unowned: verify(mock, times(2)).send(any())
    3 assert: mock != null
    4 junit: fail("gone")
    "#);
}

#[test]
fn logging_login_and_catalog_are_none() {
    // The original implementation took these for assertions, and missed `fail` and `verify`.
    assert_snapshot!(assertions_of_body(
        r#"log.info("assertion");
        login("user");
        catalog.verifyLater();
        asserter.run();
        failover();
        assertTrue(true);"#
    ), @"6 junit: assertTrue(true)");
}

#[test]
fn messages_and_tolerances_are_not_judged() {
    assert_snapshot!(edges_of_body(
        r#"double d = measure();
        assertEquals("too slow", 1.5, d, 0.1);
        assertTrue("up", ready);"#
    ), @"
    *this@1 -[measure]-> d@1
    d@1 -[assertEquals]-> d@2!
    d@2! -[assertEquals]-> 1.5@2!
    *ready@3 -[assertTrue]-> ready@3!
    ");
}

#[test]
fn a_literal_is_expected_wherever_it_stands() {
    assert_snapshot!(edges_of_body(
        r#"int n = count();
        assertEquals(n, 3);
        assertTrue(4 < n);"#
    ), @"
    *this@1 -[count]-> n@1
    n@1 -[assertEquals]-> n@2!
    n@2! -[assertEquals]-> 3@2!
    n@1 -[assertTrue]-> n@3!
    n@3! -[<]-> 4@3!
    ");
}

#[test]
fn a_test_without_assertion_is_judged_by_its_effects() {
    let body = r#"Server server = new Server(80);
        server.start();"#;
    assert_snapshot!(assertions_of_body(body), @"1 implicit: test");
    assert_snapshot!(edges_of_body(body), @"
    *80@1 -[new Server]-> server@1
    server@1 -[start]-> server.start()@2!
    ");
}

#[test]
fn an_expected_exception_is_an_assertion_about_the_effects() {
    let test = "package t; import org.junit.*; public class ExpectTest {\n\
                @Test(expected = IllegalStateException.class) public void test() { new Pool(0).take(\"x\"); } }";
    assert_snapshot!(assertions_of_files(&[("ExpectTest.java", test)]), @"2 expected: IllegalStateException.class");
    assert_snapshot!(edges_of_files(&[("ExpectTest.java", test)]), @r#"
    *0@2 -[new Pool]-> new Pool(0)@2
    new Pool(0)@2 -[take]-> new Pool(0).take("x")@2!
    *"x"@2 -[take]-> new Pool(0).take("x")@2!
    new Pool(0).take("x")@2! -[expected]-> IllegalStateException.class@2!
    "#);
}

#[test]
fn assert_throws_judges_what_its_lambda_does() {
    assert_snapshot!(edges_of_body(
        r#"Exception e = assertThrows(IllegalStateException.class, () -> pool.take("x"));
        assertEquals("empty", e.getMessage());"#
    ), @r#"
    *pool@1 -[take]-> pool.take("x")@1
    *"x"@1 -[take]-> pool.take("x")@1
    pool.take("x")@1 -[assertThrows]-> () -> pool.take("x")@1!
    () -> pool.take("x")@1! -[assertThrows]-> IllegalStateException.class@1!
    () -> pool.take("x")@1! -[assertThrows]-> e@1
    IllegalStateException.class@1! -[assertThrows]-> e@1
    e@1 -[getMessage]-> e.getMessage()@2!
    e.getMessage()@2! -[assertEquals]-> "empty"@2!
    "#);
}

#[test]
fn own_helpers_count_by_the_assertions_inside_or_by_their_name() {
    let helper = "package t; public class Checks { public static void assertOrdered(Object list) { } }";
    let test = r#"package t; import org.junit.*; public class OwnTest {
        @Test public void test() { assertGood("a"); Checks.assertOrdered("b"); }
        void assertGood(String s) { Assert.assertFalse(s.isEmpty()); } }"#;
    assert_snapshot!(assertions_of_files(&[("Checks.java", helper), ("OwnTest.java", test)]), @r#"
    3 junit: Assert.assertFalse(s.isEmpty())
    2 own: Checks.assertOrdered("b")
    "#);
}

#[test]
fn links_of_other_libraries_judge_what_stands_before_them() {
    assert_snapshot!(edges_of_body(
        r#"mvc.perform(get("/carts")).andExpect(status().isOk());
        StepVerifier.create(flux).expectNext("a").verifyComplete();
        await().atMost(5, SECONDS).until(() -> queue.isEmpty());"#
    ), @r#"
    *"/carts"@1 -[get]-> get("/carts")@1
    *mvc@1 -[perform]-> mvc.perform(get("/carts"))@1!
    get("/carts")@1 -[perform]-> mvc.perform(get("/carts"))@1!
    *this@1 -[status]-> status()@1
    status()@1 -[isOk]-> status().isOk()@1!
    mvc.perform(get("/carts"))@1! -[andExpect]-> status().isOk()@1!
    *flux@2 -[StepVerifier.create]-> StepVerifier.create(flux)@2!
    StepVerifier.create(flux)@2! -[expectNext]-> "a"@2!
    *queue@3 -[isEmpty]-> queue.isEmpty()@3
    queue.isEmpty()@3 -[until]-> () -> queue.isEmpty()@3!
    () -> queue.isEmpty()@3! -[await]-> await().atMost(5, SECONDS).until(() -> queue.isEmpty())@3!
    "#);
}

#[test]
fn a_matcher_is_the_expected_side() {
    assert_snapshot!(edges_of_body(r#"assertThat(box.status(), equalTo("x"));"#), @r#"
    *box@1 -[status]-> box.status()@1!
    *"x"@1 -[equalTo]-> equalTo("x")@1!
    box.status()@1! -[assertThat]-> equalTo("x")@1!
    "#);
}

#[test]
fn a_message_need_not_be_a_literal() {
    let junit4 = r#"assertTrue(text, took < 5);
        assertEquals(describe(), 1, took);
        assertEquals("name", got, "bob");
        assertEquals(1.5, rate, 0.1);"#;
    assert_snapshot!(edges_of_body(junit4), @r#"
    *took@1 -[assertTrue]-> took@1!
    took@1! -[<]-> 5@1!
    *took@1 -[assertEquals]-> took@2!
    took@2! -[assertEquals]-> 1@2!
    *got@3 -[assertEquals]-> got@3!
    got@3! -[assertEquals]-> "bob"@3!
    *rate@4 -[assertEquals]-> rate@4!
    rate@4! -[assertEquals]-> 1.5@4!
    "#);
    let jupiter = "package t; import static org.junit.jupiter.api.Assertions.*; import org.junit.jupiter.api.Test; class JTest {\n\
                   @Test void test() { assertEquals(\"b\", result, why); assertTrue(ok, why); } }";
    assert_snapshot!(edges_of_files(&[("JTest.java", jupiter)]), @r#"
    *result@2 -[assertEquals]-> result@2!
    result@2! -[assertEquals]-> "b"@2!
    *ok@2 -[assertTrue]-> ok@2!
    "#);
}

#[test]
fn every_link_of_an_own_fluent_assertion_judges() {
    let response = "package t; public class Response { Response assertCode(int c) { return this; } Response assertBody(String b) { return this; } }";
    let test = "package t; import org.junit.*; public class WebTest { Response response;\n\
                @Test public void test() { response.assertCode(200).assertBody(\"C\"); } }";
    assert_snapshot!(edges_of_files(&[("Response.java", response), ("WebTest.java", test)]), @r#"
    *response@2 -[assertCode CUT t.Response#assertCode(int)]-> response@2!
    response@2! -[assertCode CUT t.Response#assertCode(int)]-> 200@2!
    *response@2 -[assertCode CUT t.Response#assertCode(int)]-> response.assertCode(200)@2!
    200@2! -[assertCode CUT t.Response#assertCode(int)]-> response.assertCode(200)@2!
    response.assertCode(200)@2! -[assertBody CUT t.Response#assertBody(String)]-> "C"@2!
    "#);
}

#[test]
fn a_failure_is_about_what_should_have_thrown_and_its_condition() {
    assert_snapshot!(edges_of_body(
        r#"try { Box b = new Box(null); fail(); } catch (RuntimeException e) { }
        if (clock.elapsed() > 100) fail("slow");
        if (other.count() != 3) throw new AssertionError("bad");"#
    ), @r#"
    *null@1 -[new Box]-> b@1
    b@1 -[then]-> fail()@1!
    *clock@2 -[elapsed]-> clock.elapsed()@2
    *"slow"@2! -[fail]-> fail("slow")@2!
    b@1 -[then]-> fail("slow")@2!
    clock.elapsed()@2 -[if]-> fail("slow")@2!
    *100@2 -[if]-> fail("slow")@2!
    *other@3 -[count]-> other.count()@3
    *"bad"@3 -[new AssertionError]-> new AssertionError("bad")@3!
    b@1 -[then]-> new AssertionError("bad")@3!
    other.count()@3 -[if]-> new AssertionError("bad")@3!
    *3@3 -[if]-> new AssertionError("bad")@3!
    "#);
}

#[test]
fn an_expected_exception_rule_judges_what_follows() {
    assert_snapshot!(edges_of_files(&[("RuleTest.java", "package t; import org.junit.*; import org.junit.rules.ExpectedException; public class RuleTest {\n\
        @Rule public ExpectedException thrown = ExpectedException.none();\n\
        @Test public void test() { thrown.expect(IllegalStateException.class); make(\"x\"); } }")]), @r#"
    *"x"@3 -[make]-> make("x")@3!
    make("x")@3! -[expect]-> IllegalStateException.class@3!
    "#);
}

#[test]
fn assertions_in_lambdas_of_one_expression_count() {
    assert_snapshot!(assertions_of_body(
        r#"names.forEach(name -> assertThat(name).isEqualTo("a"));
        retry(() -> verify(mock).go(3));"#
    ), @r#"
    1 junit: assertThat(name).isEqualTo("a")
    2 unowned: verify(mock).go(3)
    "#);
}

#[test]
fn inherited_and_imported_assertions_do_not_hide_each_other() {
    let test = "package t; import static org.assertj.core.api.Assertions.*; import static org.easymock.EasyMock.*;\n\
                public class MixTest extends junit.framework.TestCase {\n\
                public void testIt() { assertEquals(1, n()); assertThat(n()).isEqualTo(1); verify(mock); } }";
    assert_snapshot!(assertions_of_files(&[("MixTest.java", test)]), @"
    3 unowned: assertEquals(1, n())
    3 unowned: assertThat(n()).isEqualTo(1)
    3 unowned: verify(mock)
    ");
}

#[test]
fn a_check_of_the_repository_is_known_by_its_body() {
    let helper = "package t; import org.junit.Assert; public class Checks {\n\
                  public static void checkOrder(Object list) { Assert.assertNotNull(list); }\n\
                  public static void checkIn(Object guest) { } }";
    let test = "package t; import org.junit.*; public class BodyTest { @Test public void test() { Checks.checkOrder(\"b\"); Checks.checkIn(\"c\"); } }";
    assert_snapshot!(assertions_of_files(&[("Checks.java", helper), ("BodyTest.java", test)]), @r#"1 own: Checks.checkOrder("b")"#);
}

#[test]
fn the_word_expected_in_another_annotation_is_no_assertion() {
    let test = "package t; import org.junit.*; public class IgnoreTest { @Ignore(\"not as expected = later\") @Test public void test() { run(1); } }";
    assert_snapshot!(assertions_of_files(&[("IgnoreTest.java", test)]), @"1 implicit: test");
}
