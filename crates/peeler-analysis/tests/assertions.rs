//! What counts as an assertion, and what does not.

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
    // The original took these for assertions, and missed `fail` and `verify`.
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
    server@1 -[start]-> server@2!
    ");
}

#[test]
fn an_expected_exception_is_an_assertion_about_the_effects() {
    let test = "package t; import org.junit.*; public class ExpectTest {\n\
                @Test(expected = IllegalStateException.class) public void test() { new Pool(0).take(\"x\"); } }";
    assert_snapshot!(assertions_of_files(&[("ExpectTest.java", test)]), @"2 expected: expected = IllegalStateException.class");
    assert_snapshot!(edges_of_files(&[("ExpectTest.java", test)]), @r#"
    *0@2 -[new Pool]-> new Pool(0)@2
    new Pool(0)@2 -[take]-> new Pool(0).take("x")@2!
    *"x"@2 -[take]-> new Pool(0).take("x")@2!
    "#);
}

#[test]
fn assert_throws_judges_what_its_lambda_does() {
    assert_snapshot!(edges_of_body(
        r#"Exception e = assertThrows(IllegalStateException.class, () -> pool.take("x"));
        assertEquals("empty", e.getMessage());"#
    ), @r#"
    *pool@1 -[take]-> () -> pool.take("x")@1!
    *"x"@1 -[take]-> () -> pool.take("x")@1!
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
    *SECONDS@3 -[atMost]-> SECONDS@3!
    *queue@3 -[isEmpty]-> () -> queue.isEmpty()@3!
    "#);
}
