//! Contextual paths: simple, bounded, deterministic, diverse, cut at the START side.

mod picture;

use insta::assert_snapshot;
use peeler_analysis::Limits;
use picture::paths_of_body;

#[test]
fn every_assertion_and_every_source_is_seen() {
    assert_snapshot!(paths_of_body(
        r#"Cart cart = new Cart("me", 7);
        assertEquals(7, cart.size());
        assertEquals("me", cart.owner());"#,
        Limits::default()
    ), @r#"
    *"me"@1 -[new Cart]-> cart@1 -[size]-> cart.size()@2! -[assertEquals]-> 7@2!
    *7@1 -[new Cart]-> cart@1 -[owner]-> cart.owner()@3! -[assertEquals]-> "me"@3!
    *7@1 -[new Cart]-> cart@1 -[size]-> cart.size()@2! -[assertEquals]-> 7@2!
    *"me"@1 -[new Cart]-> cart@1 -[owner]-> cart.owner()@3! -[assertEquals]-> "me"@3!
    "#);
}

#[test]
fn with_few_places_assertions_come_before_permutations() {
    assert_snapshot!(paths_of_body(
        r#"Cart cart = new Cart("me", 7);
        assertEquals(7, cart.size());
        assertEquals("me", cart.owner());"#,
        Limits { paths: 2, elements: 20 }
    ), @r#"
    *"me"@1 -[new Cart]-> cart@1 -[size]-> cart.size()@2! -[assertEquals]-> 7@2!
    *7@1 -[new Cart]-> cart@1 -[owner]-> cart.owner()@3! -[assertEquals]-> "me"@3!
    dropped 2
    "#);
}

#[test]
fn a_long_path_loses_its_start_and_keeps_its_assertion() {
    assert_snapshot!(paths_of_body(
        r#"int a = parse("1");
        int b = inc(a);
        int c = inc(b);
        int d = inc(c);
        assertEquals(4, d);"#,
        Limits { paths: 10, elements: 5 }
    ), @"d@4 -[assertEquals]-> d@5! -[assertEquals]-> 4@5!");
}

#[test]
fn a_loop_turns_once() {
    assert_snapshot!(paths_of_body(
        r#"String s = "a";
        while (more()) { s = next(s); }
        assertEquals("b", s);"#,
        Limits::default()
    ), @r#"
    *"a"@1 -[=]-> s@1 -[next]-> s@2 -[assertEquals]-> s@3! -[assertEquals]-> "b"@3!
    *"a"@1 -[=]-> s@1 -[assertEquals]-> s@3! -[assertEquals]-> "b"@3!
    "#);
}

#[test]
fn exponentially_many_paths_are_counted_and_not_walked() {
    // Thirty diamonds: a billion paths.
    let mut body = String::from("int x = start(1);\n");
    for _ in 0..30 {
        body.push_str("if (flag()) { x = left(x); } else { x = right(x); }\n");
    }
    body.push_str("assertEquals(1, x);");
    let drawn = paths_of_body(&body, Limits::default());
    let kept = drawn.lines().filter(|line| line.ends_with('!')).count();
    assert!(kept <= 100, "{kept} paths");
    let dropped = drawn.lines().last().unwrap_or_default().to_owned();
    assert_snapshot!(dropped, @"dropped 1073741808");
}
