//! The test dependency graph, construct by construct.

mod picture;

use std::fmt::Write as _;

use insta::assert_snapshot;
use peeler_analysis::Limits;
use picture::{draw, edges_of_body, edges_of_files, junit_test};

const TOOLS: &str = "package t; class Tool { static Tool load(String a, Object b, Object c) { return null; } }";

#[test]
fn the_papers_example_has_its_five_nodes_and_edges() {
    let test = "package t; import org.junit.*; public class SampleTest { Object item; Object[] array; \
                Object get(Object it) { throw new Error(); }\n\
                @Test public void test() { Tool tool = Tool.load(\"string\", get(item), array[10]);\n\
                Assert.assertNotNull(tool); } }";
    assert_snapshot!(edges_of_files(&[("SampleTest.java", test), ("Tool.java", TOOLS)]), @r#"
    *item@2 -[get CUT t.SampleTest#get(Object)]-> get(item)@2
    *"string"@2 -[Tool.load CUT t.Tool#load(String,Object,Object)]-> tool@2
    get(item)@2 -[Tool.load CUT t.Tool#load(String,Object,Object)]-> tool@2
    *item@2 -[Tool.load CUT t.Tool#load(String,Object,Object)]-> tool@2
    *array@2 -[Tool.load CUT t.Tool#load(String,Object,Object)]-> tool@2
    tool@2 -[Assert.assertNotNull]-> tool@3!
    "#);
}

#[test]
fn figure_2_of_the_paper() {
    assert_snapshot!(edges_of_body(
        r#"String content = fetch("url");
        RequestMeta requestMeta = RequestMeta.fromJSON(content);
        content = requestMeta.toJSON();
        Asserter.assertEquals("testName", content);"#
    ), @r#"
    *"url"@1 -[fetch]-> content@1
    content@1 -[RequestMeta.fromJSON]-> requestMeta@2
    requestMeta@2 -[toJSON]-> content@3
    content@3 -[Asserter.assertEquals]-> content@4!
    content@4! -[Asserter.assertEquals]-> "testName"@4!
    "#);
}

#[test]
fn a_reassigned_variable_forgets_its_first_value() {
    assert_snapshot!(edges_of_body(
        r#"int x = 1;
        x = 2;
        assertEquals(2, x);"#
    ), @"
    *2@2 -[=]-> x@2
    x@2 -[assertEquals]-> x@3!
    x@3! -[assertEquals]-> 2@3!
    ");
}

#[test]
fn a_compound_assignment_keeps_the_old_value() {
    assert_snapshot!(edges_of_body(
        r#"int x = 1;
        x += 2;
        x++;
        assertTrue(x > 3);"#
    ), @"
    *1@1 -[=]-> x@1
    x@1 -[+=]-> x@2
    *2@2 -[+=]-> x@2
    x@2 -[++]-> x@3
    x@3 -[assertTrue]-> x@4!
    x@4! -[>]-> 3@4!
    ");
}

#[test]
fn definitions_of_both_branches_are_joined() {
    assert_snapshot!(edges_of_body(
        r#"int x = 1;
        if (flag()) { x = 2; } else { x = 3; }
        assertEquals(2, x);"#
    ), @"
    *2@2 -[=]-> x@2
    *this@2 -[if]-> x@2
    *3@2 -[=]-> x@2
    *this@2 -[if]-> x@2
    x@2 -[assertEquals]-> x@3!
    x@2 -[assertEquals]-> x@3!
    x@3! -[assertEquals]-> 2@3!
    ");
}

#[test]
fn what_a_loop_carries_around_flows_back() {
    assert_snapshot!(edges_of_body(
        r#"String a = "one", b = "two";
        while (more()) {
            b = join(a);
            a = split(b);
        }
        assertEquals("x", a);"#
    ), @r#"
    *"one"@1 -[=]-> a@1
    a@1 -[join]-> b@3
    b@3 -[split]-> a@4
    a@4 -[join]-> b@3
    a@1 -[assertEquals]-> a@6!
    a@4 -[assertEquals]-> a@6!
    a@6! -[assertEquals]-> "x"@6!
    "#);
}

#[test]
fn an_argument_flows_into_the_receiver() {
    assert_snapshot!(edges_of_body(
        r#"List<String> list = new ArrayList<>();
        list.add("pen");
        assertEquals(1, list.size());"#
    ), @r#"
    *ArrayList@1 -[new ArrayList]-> list@1
    *"pen"@2 -[add]-> list@2
    list@1 -[add]-> list.add("pen")@2
    *"pen"@2 -[add]-> list.add("pen")@2
    list@1 -[size]-> list.size()@3!
    list@2 -[size]-> list.size()@3!
    list.size()@3! -[assertEquals]-> 1@3!
    list.add("pen")@2 -[then]-> list.size()@3!
    "#);
}

#[test]
fn a_call_without_arguments_stays_visible_on_its_receiver() {
    assert_snapshot!(edges_of_body(
        r#"Server server = new Server(8080);
        server.start();
        assertTrue(server.isUp());"#
    ), @"
    *8080@1 -[new Server]-> server@1
    server@1 -[start]-> server@2
    server@1 -[start]-> server.start()@2
    server@2 -[isUp]-> server.isUp()@3!
    server.isUp()@3! -[assertTrue]-> assertTrue(server.isUp())@3!
    server.start()@2 -[then]-> server.isUp()@3!
    ");
}

#[test]
fn a_chain_of_calls_is_a_chain_of_nodes() {
    assert_snapshot!(edges_of_body(
        r#"assertEquals("pen", shop.cart(7).items().get(0));"#
    ), @r#"
    *shop@1 -[cart]-> shop.cart(7)@1
    *7@1 -[cart]-> shop.cart(7)@1
    shop.cart(7)@1 -[items]-> shop.cart(7).items()@1
    shop.cart(7).items()@1 -[get]-> shop.cart(7).items().get(0)@1!
    *0@1 -[get]-> shop.cart(7).items().get(0)@1!
    shop.cart(7).items().get(0)@1! -[assertEquals]-> "pen"@1!
    "#);
}

#[test]
fn field_and_array_access_carry_data() {
    assert_snapshot!(edges_of_body(
        r#"Point p = make();
        int[] a = {p.x, 2};
        a[1] = 5;
        p.y = 6;
        assertEquals(a[0], p.y);"#
    ), @"
    *this@1 -[make]-> p@1
    p@1 -[x]-> p.x@2
    p.x@2 -[new[]]-> a@2
    *2@2 -[new[]]-> a@2
    *5@3 -[[]=]-> a@3
    *6@4 -[y]-> p@4
    p@1 -[y]-> p.y@5!
    p@4 -[y]-> p.y@5!
    a@2 -[[]]-> a[0]@5!
    a@3 -[[]]-> a[0]@5!
    p.y@5! -[assertEquals]-> a[0]@5!
    ");
}

#[test]
fn operators_casts_ternaries_and_concatenation_carry_data() {
    assert_snapshot!(edges_of_body(
        r#"long t = (long) size() * 2;
        String s = t > 3 ? "many" + t : "few";
        boolean b = !s.isEmpty();
        assertTrue(b);"#
    ), @r#"
    *this@1 -[size]-> size()@1
    size()@1 -[*]-> t@1
    *2@1 -[*]-> t@1
    t@1 -[?:]-> s@2
    *3@2 -[?:]-> s@2
    *"many"@2 -[?:]-> s@2
    *"few"@2 -[?:]-> s@2
    s@2 -[isEmpty]-> s.isEmpty()@3
    s.isEmpty()@3 -[!]-> b@3
    b@3 -[assertTrue]-> b@4!
    "#);
}

#[test]
fn lambdas_and_method_references_carry_data() {
    assert_snapshot!(edges_of_body(
        r#"List<String> out = new ArrayList<>();
        names.forEach(name -> out.add(name.trim()));
        names.stream().map(String::length).forEach(out::add);
        assertEquals(2, out.size());"#
    ), @"
    *ArrayList@1 -[new ArrayList]-> out@1
    *names@2 -[forEach]-> name@2
    name@2 -[trim]-> name.trim()@2
    name.trim()@2 -[add]-> out@2
    out@1 -[add]-> out.add(name.trim())@2
    name.trim()@2 -[add]-> out.add(name.trim())@2
    out.add(name.trim())@2 -[forEach]-> names@2
    *names@2 -[forEach]-> names.forEach(name -> out.add(name.trim()))@2
    out.add(name.trim())@2 -[forEach]-> names.forEach(name -> out.add(name.trim()))@2
    *names@2 -[stream]-> names.stream()@3
    names@2 -[stream]-> names.stream()@3
    names.stream()@3 -[map]-> names.stream().map(String::length)@3
    *String@3 -[map]-> names.stream().map(String::length)@3
    names.stream().map(String::length)@3 -[add]-> out@3
    names.stream().map(String::length)@3 -[forEach]-> names.stream().map(String::length).forEach(out::add)@3
    out@1 -[forEach]-> names.stream().map(String::length).forEach(out::add)@3
    out@2 -[forEach]-> names.stream().map(String::length).forEach(out::add)@3
    out@1 -[size]-> out.size()@4!
    out@2 -[size]-> out.size()@4!
    out@3 -[size]-> out.size()@4!
    out.size()@4! -[assertEquals]-> 2@4!
    names.forEach(name -> out.add(name.trim()))@2 -[then]-> out.size()@4!
    names.stream().map(String::length).forEach(out::add)@3 -[then]-> out.size()@4!
    ");
}

#[test]
fn anonymous_classes_carry_data() {
    assert_snapshot!(edges_of_body(
        r#"final StringBuilder log = new StringBuilder();
        Runnable task = new Runnable() { public void run() { log.append("ran"); } };
        task.run();
        assertEquals("ran", log.toString());"#
    ), @r#"
    *StringBuilder@1 -[new StringBuilder]-> log@1
    *"ran"@2 -[append]-> log@2
    log@1 -[append]-> log.append("ran")@2
    *"ran"@2 -[append]-> log.append("ran")@2
    log.append("ran")@2 -[new Runnable]-> task@2
    task@2 -[run]-> task.run()@3
    log@1 -[toString]-> log.toString()@4!
    log@2 -[toString]-> log.toString()@4!
    log.toString()@4! -[assertEquals]-> "ran"@4!
    log.append("ran")@2 -[then]-> log.toString()@4!
    task.run()@3 -[then]-> log.toString()@4!
    "#);
}

#[test]
fn switch_expressions_and_patterns_carry_data() {
    assert_snapshot!(edges_of_body(
        r#"Object o = load();
        String s = switch (o) { case Integer i -> "int" + i; default -> "none"; };
        if (o instanceof String text) { s = text; }
        assertEquals("none", s);"#
    ), @r#"
    *this@1 -[load]-> o@1
    o@1 -[switch]-> i@2
    o@1 -[switch]-> s@2
    *"int"@2 -[+]-> s@2
    i@2 -[+]-> s@2
    *"none"@2 -[=]-> s@2
    o@1 -[instanceof]-> text@3
    text@3 -[=]-> s@3
    s@2 -[assertEquals]-> s@4!
    s@3 -[assertEquals]-> s@4!
    s@4! -[assertEquals]-> "none"@4!
    "#);
}

#[test]
fn try_with_resources_and_catch_carry_data() {
    assert_snapshot!(edges_of_body(
        r#"try (Reader r = open("file")) {
            r.read();
            fail("no error");
        } catch (IllegalStateException e) {
            assertEquals("closed", e.getMessage());
        }"#
    ), @r#"
    *"file"@1 -[open]-> r@1
    r@1 -[read]-> r.read()@2
    *"no error"@3! -[fail]-> fail("no error")@3!
    r@1 -[then]-> fail("no error")@3!
    r.read()@2 -[then]-> fail("no error")@3!
    r@1 -[catch]-> e@4
    r.read()@2 -[catch]-> e@4
    e@4 -[getMessage]-> e.getMessage()@5!
    e.getMessage()@5! -[assertEquals]-> "closed"@5!
    r.read()@2 -[then]-> e.getMessage()@5!
    "#);
}

#[test]
fn the_elements_of_an_iteration_come_from_its_source() {
    assert_snapshot!(edges_of_body(
        r#"for (String name : Arrays.asList("a", "b")) {
            assertNotNull(name);
        }"#
    ), @r#"
    *"a"@1 -[Arrays.asList]-> name@1
    *"b"@1 -[Arrays.asList]-> name@1
    name@1 -[assertNotNull]-> name@2!
    "#);
}

#[test]
fn a_source_without_input_starts_at_its_type() {
    assert_snapshot!(edges_of_body(
        r#"long start = System.currentTimeMillis();
        Object made = new Object();
        assertEquals(made, start);"#
    ), @"
    *System@1 -[System.currentTimeMillis]-> start@1
    *Object@2 -[new Object]-> made@2
    start@1 -[assertEquals]-> start@3!
    made@2 -[assertEquals]-> made@3!
    start@3! -[assertEquals]-> made@3!
    ");
}

#[test]
fn an_effect_before_an_assertion_is_ordered_before_it() {
    assert_snapshot!(edges_of_body(
        r#"Thread.sleep(100);
        assertEquals(1, counter);"#
    ), @"
    *100@1 -[Thread.sleep]-> Thread.sleep(100)@1
    *counter@2 -[assertEquals]-> counter@2!
    counter@2! -[assertEquals]-> 1@2!
    Thread.sleep(100)@1 -[then]-> counter@2!
    ");
}

#[test]
fn a_static_constant_is_one_variable() {
    assert_snapshot!(edges_of_body(
        r#"int a = Limits.MAX;
        assertEquals(Limits.MAX, a);"#
    ), @"
    *Limits.MAX@1 -[=]-> a@1
    a@1 -[assertEquals]-> a@2!
    *Limits.MAX@1 -[assertEquals]-> Limits.MAX@2!
    a@2! -[assertEquals]-> Limits.MAX@2!
    ");
}

#[test]
fn stubbing_puts_the_value_into_the_mock() {
    assert_snapshot!(edges_of_body(
        r#"Clock clock = mock(Clock.class);
        when(clock.millis()).thenReturn(42L);
        assertEquals(42L, clock.millis());"#
    ), @"
    *Clock.class@1 -[mock]-> clock@1
    clock@1 -[millis]-> clock.millis()@2
    clock.millis()@2 -[when]-> when(clock.millis())@2
    when(clock.millis())@2 -[thenReturn]-> clock@2
    *42L@2 -[thenReturn]-> clock@2
    clock@1 -[millis]-> clock.millis()@3!
    clock@2 -[millis]-> clock.millis()@3!
    clock.millis()@3! -[assertEquals]-> 42L@3!
    ");
}

#[test]
fn there_is_no_null_hub_and_no_self_loop() {
    // The original implementation joined unrelated calls in one `null` node and produced self-loops.
    let edges = edges_of_body(
        r#"a.reset(null);
        b.reset(null);
        b = b;
        assertEquals(a, b);"#,
    );
    assert_snapshot!(edges, @"
    *null@1 -[reset]-> a@1
    *a@1 -[reset]-> a.reset(null)@1
    *null@1 -[reset]-> a.reset(null)@1
    *null@2 -[reset]-> b@2
    *b@2 -[reset]-> b.reset(null)@2
    *null@2 -[reset]-> b.reset(null)@2
    *b@2 -[=]-> b@3
    b@2 -[=]-> b@3
    b@3 -[assertEquals]-> b@4!
    *a@1 -[assertEquals]-> a@4!
    a@1 -[assertEquals]-> a@4!
    b@4! -[assertEquals]-> a@4!
    a.reset(null)@1 -[then]-> b@4!
    b.reset(null)@2 -[then]-> b@4!
    ");
}

#[test]
fn a_returned_call_keeps_its_operation() {
    let test = "package t; import org.junit.*; public class ClockTest { long now() { return System.nanoTime(); }\n\
                @Test public void test() { Assert.assertEquals(5L, now()); } }";
    assert_snapshot!(edges_of_files(&[("ClockTest.java", test)]), @"
    *System@1 -[System.nanoTime]-> System.nanoTime()@1
    System.nanoTime()@1 -[now CUT t.ClockTest#now()]-> now()@2!
    now()@2! -[Assert.assertEquals]-> 5L@2!
    ");
}

#[test]
fn what_an_inner_scope_declares_is_gone_outside() {
    assert_snapshot!(edges_of_body(
        r#"String key = "outer";
        Runnable r = new Runnable() { String seen = "inner"; public void run() { } void go(String key) { } };
        names.forEach(key2 -> use(key2));
        { String other = "block"; }
        assertEquals(key, other);"#
    ), @r#"
    *"outer"@1 -[=]-> key@1
    *names@3 -[forEach]-> key2@3
    key2@3 -[use]-> use(key2)@3
    *names@3 -[forEach]-> names.forEach(key2 -> use(key2))@3
    use(key2)@3 -[forEach]-> names.forEach(key2 -> use(key2))@3
    *other@5 -[assertEquals]-> other@5!
    key@1 -[assertEquals]-> key@5!
    other@5! -[assertEquals]-> key@5!
    names.forEach(key2 -> use(key2))@3 -[then]-> other@5!
    "#);
}

#[test]
fn a_constant_of_a_type_is_an_object_with_a_history() {
    assert_snapshot!(edges_of_body(
        r#"Registry.INSTANCE.put("k");
        assertEquals("k", Registry.INSTANCE.take());"#
    ), @r#"
    *"k"@1 -[put]-> Registry.INSTANCE@1
    *Registry.INSTANCE@1 -[put]-> Registry.INSTANCE.put("k")@1
    *"k"@1 -[put]-> Registry.INSTANCE.put("k")@1
    *Registry.INSTANCE@1 -[take]-> Registry.INSTANCE.take()@2!
    Registry.INSTANCE@1 -[take]-> Registry.INSTANCE.take()@2!
    Registry.INSTANCE.take()@2! -[assertEquals]-> "k"@2!
    Registry.INSTANCE.put("k")@1 -[then]-> Registry.INSTANCE.take()@2!
    "#);
}

#[test]
fn a_static_field_is_one_variable_with_and_without_its_class() {
    let test = "package t; import org.junit.*; public class CountTest { static int total;\n\
                @Test public void test() { CountTest.total = 4; total++; Assert.assertEquals(5, total); } }";
    assert_snapshot!(edges_of_files(&[("CountTest.java", test)]), @"
    *4@2 -[=]-> total@2
    total@2 -[++]-> total@2
    total@2 -[Assert.assertEquals]-> total@2!
    total@2! -[Assert.assertEquals]-> 5@2!
    ");
}

#[test]
fn a_catch_may_begin_anywhere_in_its_try() {
    assert_snapshot!(edges_of_body(
        r#"String s = "before";
        try { s = System.getenv("X"); } catch (IllegalStateException e) { s = "first"; } catch (RuntimeException e) { s = "second"; }
        assertEquals("x", s);"#
    ), @r#"
    *"X"@2 -[System.getenv]-> s@2
    *"first"@2 -[=]-> s@2
    *"second"@2 -[=]-> s@2
    s@2 -[assertEquals]-> s@3!
    s@2 -[assertEquals]-> s@3!
    s@2 -[assertEquals]-> s@3!
    s@3! -[assertEquals]-> "x"@3!
    "#);
}

#[test]
fn what_was_thrown_is_known_after_many_effects() {
    assert_snapshot!(edges_of_body(
        r#"a.one(); a.two(); a.three(); a.four(); a.five(); a.six(); a.seven();
        try { box.send("3"); } catch (RuntimeException e) { assertEquals("m", e.getMessage()); }"#
    ).lines().filter(|line| line.contains("catch") || line.contains("send")).collect::<Vec<_>>().join("\n"), @r#"
    *box@2 -[send]-> box.send("3")@2
    *"3"@2 -[send]-> box.send("3")@2
    box.send("3")@2 -[catch]-> e@2
    box.send("3")@2 -[then]-> e.getMessage()@2!
    "#);
}

#[test]
fn a_yield_in_a_block_and_a_default_count() {
    assert_snapshot!(edges_of_body(
        r#"int x = 0;
        switch (kind) { case 1: x = 1; break; default: x = 2; }
        int y = switch (kind) { case 1 -> { yield x; } default -> 3; };
        assertEquals(1, y);"#
    ), @"
    *1@2 -[=]-> x@2
    *2@2 -[=]-> x@2
    *kind@2 -[switch]-> y@3
    x@2 -[=]-> y@3
    x@2 -[=]-> y@3
    *3@3 -[=]-> y@3
    y@3 -[assertEquals]-> y@4!
    y@4! -[assertEquals]-> 1@4!
    ");
}

#[test]
fn a_flag_set_under_a_condition_depends_on_it() {
    assert_snapshot!(edges_of_body(
        r#"boolean found = false;
        for (String h : headers) { if (h.equals("X")) { found = true; } }
        assertTrue(found);"#
    ), @r#"
    *false@1 -[=]-> found@1
    *headers@2 -[for]-> h@2
    *true@2 -[=]-> found@2
    h@2 -[if]-> found@2
    *"X"@2 -[if]-> found@2
    found@1 -[assertTrue]-> found@3!
    found@2 -[assertTrue]-> found@3!
    "#);
}

#[test]
fn static_helpers_of_the_jdk_fill_their_argument() {
    assert_snapshot!(edges_of_body(
        r#"List<String> list = load();
        Collections.sort(list);
        assertEquals("a", list.get(0));"#
    ), @r#"
    *this@1 -[load]-> list@1
    list@1 -[Collections.sort]-> list@2
    list@1 -[Collections.sort]-> Collections.sort(list)@2
    list@2 -[get]-> list.get(0)@3!
    *0@3 -[get]-> list.get(0)@3!
    list.get(0)@3! -[assertEquals]-> "a"@3!
    Collections.sort(list)@2 -[then]-> list.get(0)@3!
    "#);
}

/// The problems and the number of dropped nodes of the only test of a file, and the texts of its `ASSERT` nodes.
fn omissions(test: &str) -> String {
    let test = [("src/test/SampleTest.java", test)];
    draw(&test, Limits::default(), |extraction| {
        let asserted = extraction.nodes.iter().filter(|it| it.assert);
        let asserted: Vec<&str> = asserted.map(|it| it.text.as_ref()).collect();
        format!(
            "{:?}\ndropped nodes {}\nasserted {}",
            extraction.problems,
            extraction.dropped_nodes,
            asserted.join(", ")
        )
    })
}

#[test]
fn a_full_graph_keeps_later_assertions_off_unrelated_nodes() {
    let mut body = String::from("String first = \"unrelated\"; assertEquals(2, size(\"seen\"));\n");
    for at in 0..10_000 {
        let _ = writeln!(body, "int v{at} = {at};");
    }
    body.push_str("for (int i = 0; i < 2; i++) { assertEquals(\"late\", last(\"later\")); }");
    assert_snapshot!(omissions(&junit_test(&body)), @r#"
    ["the graph is larger than 20000 nodes and was cut off"]
    dropped nodes 14
    asserted size("seen"), 2
    "#);
}

#[test]
fn a_test_with_very_many_branches_is_cut_off_and_still_judged() {
    let mut body = String::from("int x = 3, y = 4; assertEquals(2, size(\"seen\"));\n");
    for _ in 0..3_000 {
        body.push_str("if (x > y) { x = y; } else { y = x + 1; } while (x < y) { x++; }\n");
    }
    assert_snapshot!(omissions(&junit_test(&body)), @r#"
    ["the graph has more than 60000 edges and was cut off"]
    dropped nodes 0
    asserted size("seen"), 2
    "#);
}

#[test]
fn copies_of_very_many_variables_in_branches_are_limited() {
    let mut body = String::from("int x = 3; assertEquals(2, size(\"seen\"));\n");
    for at in 0..2_000 {
        let _ = writeln!(body, "int v{at} = {at}; if (x > {at}) {{ x = v{at}; }}");
    }
    assert_snapshot!(omissions(&junit_test(&body)), @r#"
    ["the test has too many branches; data of all of them was mixed"]
    dropped nodes 0
    asserted size("seen"), 2
    "#);
}

#[test]
fn statements_of_a_body_beyond_a_limit_are_left_out_and_reported() {
    let mut body = String::from("int x = 3; assertEquals(2, size(\"seen\"));\n");
    for at in 0..80_000 {
        let _ = writeln!(body, "x = {at}; // This line is rather long.");
    }
    body.push_str("assertEquals(4, size(\"unseen\"));\n");
    let text = omissions(&junit_test(&body));
    assert!(
        text.contains("the body is longer than 2 MB; statements at its end were left out"),
        "{text}"
    );
    assert!(!text.contains("syntax errors"), "{text}");
    assert!(
        text.contains("asserted size(\"seen\"), 2") && !text.contains("unseen"),
        "{text}"
    );
}

#[test]
fn setup_methods_beyond_a_limit_are_reported() {
    let mut members = String::new();
    for at in 0..150 {
        let _ = writeln!(members, "int f{at}; @Before public void s{at}() {{ f{at} = {at}; }}");
    }
    let test = format!(
        "package t; import static org.junit.Assert.*; import org.junit.*; public class SampleTest {{ \
         {members} @Test public void test() {{ assertEquals(1, f0); }} }}"
    );
    assert_snapshot!(omissions(&test), @r#"
    ["only the first setup methods and constructors of a class are followed; it has too many"]
    dropped nodes 0
    asserted f0, 1
    "#);
}

#[test]
fn helpers_beyond_a_limit_are_reported() {
    let chain = |length: usize| {
        let mut helpers = String::new();
        for at in 0..length {
            let _ = writeln!(helpers, "void h{at}(int x) {{ h{}(x); }}", at + 1);
        }
        format!(
            "package t; import static org.junit.Assert.*; import org.junit.Test; public class SampleTest {{ \
             {helpers} void h{length}(int x) {{ assertEquals(1, x); }} @Test public void test() {{ h0(1); }} }}"
        )
    };
    assert_snapshot!(omissions(&chain(3)), @"
    []
    dropped nodes 0
    asserted x, 1
    ");
    assert_snapshot!(omissions(&chain(4)), @r#"
    ["helpers that are nested deeper than 4 calls were not followed"]
    dropped nodes 0
    asserted h4(x)
    "#);
    let mut body = String::new();
    for at in 0..800 {
        let _ = writeln!(body, "int v{at} = {at};");
    }
    let test = junit_test(&format!(
        "{body} check(1);\n}} void check(int x) {{ assertEquals(1, x);"
    ));
    assert_snapshot!(omissions(&test), @r#"
    ["helpers that are called after the graph had 1500 nodes were not followed"]
    dropped nodes 0
    asserted 1, check(1)
    "#);
}
