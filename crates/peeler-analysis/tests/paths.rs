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

#[test]
fn paths_over_loops_do_not_lower_the_count_of_dropped_paths() {
    // Three diamonds make eight paths to the first assertion; two lead to the second without the loop's edge.
    let diamond = "if (flag()) { x = left(x); } else { x = right(x); }\n";
    let body = format!(
        "int x = start(1);\n {diamond} {diamond} {diamond} assertEquals(1, x);
        String a = \"a\"; String b = \"b\";
        while (more()) {{ a = next(b); b = other(\"z\"); }}
        assertEquals(\"c\", a);"
    );
    let drawn = paths_of_body(&body, Limits::default());
    let kept: Vec<&str> = drawn.lines().filter(|line| line.ends_with('!')).collect();
    let over_the_loop = kept.iter().filter(|line| line.starts_with("*\"z\"")).count();
    assert_eq!(over_the_loop, 1, "{drawn}");
    let dropped = 8 + 2 - (kept.len() - over_the_loop);
    assert!(dropped > 0);
    assert_eq!(
        drawn.lines().last(),
        Some(format!("dropped {dropped}").as_str()),
        "{drawn}"
    );
}

#[test]
fn paths_to_more_assertions_than_are_searched_are_counted() {
    let body = (0..500)
        .map(|at| format!("assertEquals({at}, size({at}));\n"))
        .collect::<Vec<_>>()
        .concat();
    let drawn = paths_of_body(&body, Limits::default());
    let kept = drawn.lines().filter(|line| line.ends_with('!')).count();
    assert_eq!(kept, 100);
    let dropped = drawn.lines().last().unwrap_or_default().to_owned();
    assert_snapshot!(dropped, @"dropped 400");
}
