//! Snapshots of the whole output of `scan` on one synthetic repository, in every format, with some of the rules.
//!
//! Any change of the output is seen here. After a wanted change run `INSTA_UPDATE=always cargo test --test snapshots`
//! and read the difference. Versions and times are replaced, and numbers are rounded to two places; everything else is
//! unchanged.

mod support;

use support::Project;

const CART_TEST: &str = r#"package shop;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Before;
import org.junit.Test;

public class CartTest {
    private Cart cart;

    @Before public void fill() {
        cart = new Cart();
        cart.add("pear");
        cart.add("fig");
    }

    @Test public void prints() {
        assertEquals("[pear, fig]", cart.print());
    }

    @Test public void waits() throws Exception {
        Thread.sleep(50);
        assertTrue(cart.isSent());
    }

    @Test public void counts() {
        assertEquals(2, cart.size());
    }

    // peeler:ignore the clock is a fake one
    @Test public void expires() {
        assertTrue(System.currentTimeMillis() > cart.created());
    }
}
"#;

const CART: &str = r#"package shop;

import java.util.HashSet;
import java.util.Set;

class Cart {
    private final Set<String> names = new HashSet<>();
    private final long created = System.currentTimeMillis();
    private volatile boolean sent;

    void add(String name) { names.add(name); }
    int size() { return names.size(); }
    long created() { return created; }
    boolean isSent() { return sent; }
    String print() { return names.toString(); }
}
"#;

/// A class with a syntax error, whose test is found nevertheless.
const BROKEN_TEST: &str = r#"package shop;

public class BrokenTest {
    @org.junit.Test public void reads() { org.junit.Assert.assertEquals("root", System.getenv("USER")); }
    int = ;
}
"#;

fn project() -> Project {
    Project::of(&[
        ("src/main/shop/Cart.java", CART),
        ("src/test/shop/CartTest.java", CART_TEST),
        ("src/test/shop/BrokenTest.java", BROKEN_TEST),
    ])
}

/// Exit status, standard output and messages of a scan. `redact` is applied to the output.
fn scan(project: &Project, arguments: &[&str], redact: impl Fn(&str) -> String) -> String {
    let ran = project.peeler(&[&["scan", "--no-cache", "--select", "PLR1,PLR3"], arguments].concat());
    let folder = project.path("").canonicalize().expect("a folder").display().to_string();
    assert!(
        !ran.stdout.contains(folder.trim_end_matches('/')),
        "no path of the machine: {ran:?}"
    );
    let code = ran.code.expect("an exit status");
    let mut shown = format!("exit status {code}\n\n{}", redact(&ran.stdout));
    if !ran.stderr.is_empty() {
        shown.push_str("\n--- standard error\n");
        shown.push_str(&ran.stderr);
    }
    shown
}

/// Text with the time of the scan replaced: `0.5 s` becomes `[time] s`.
fn without_time(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let is_unit = |word: &str| ["s"].contains(&word.trim_end_matches([';', ',', '.', '\n']));
    let replaced = words.iter().enumerate().map(|(at, word)| {
        let is_time = word.parse::<f64>().is_ok() && words.get(at + 1).is_some_and(|it| is_unit(it));
        if is_time { "[time]" } else { word }
    });
    replaced.collect::<Vec<_>>().join(" ")
}

/// JSON without versions, times and the bins of the track record, and with rounded numbers.
fn redacted(text: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let indent = &line[..line.len() - line.trim_start().len()];
        let (key, value) = line.split_once(": ").unwrap_or(("", line));
        let (value, comma) = value.strip_suffix(',').map_or((value, ""), |it| (it, ","));
        let is_of_program = out.last().is_some_and(|it| it.ends_with("\"name\": \"peeler\","));
        let value = match key.trim() {
            "\"milliseconds\"" => "\"[milliseconds]\"".to_owned(),
            "\"version\"" if is_of_program => "\"[version]\"".to_owned(),
            "\"markdown\"" if value.starts_with("\"# PLR") => "\"[page of the rule]\"".to_owned(),
            "\"track_record\"" => {
                assert!(lines.by_ref().any(|it| it == format!("{indent}]")), "the bins end");
                "[...]".to_owned()
            }
            _ if value.contains('.') => match value.trim().parse::<f64>() {
                Ok(number) => format!("{number:.2}"),
                Err(_) => value.to_owned(),
            },
            _ => value.to_owned(),
        };
        let colon = if key.is_empty() { "" } else { ": " };
        out.push(format!("{key}{colon}{value}{comma}"));
    }
    out.join("\n")
}

#[test]
fn text() {
    let every = ["--min-probability", "0"];
    insta::assert_snapshot!("text", scan(&project(), &every, without_time));
}

#[test]
fn text_without_findings() {
    let none = ["--min-probability", "1", "--ignore", "ALL"];
    insta::assert_snapshot!("text_without_findings", scan(&project(), &none, without_time));
}

#[test]
fn text_beside_a_baseline() {
    let project = project();
    let write = [
        "scan",
        "--select",
        "PLR1,PLR3",
        "--min-probability",
        "0",
        "--top",
        "2",
        "--write-baseline",
        "known.json",
    ];
    project.peeler(&write).ended(0);
    let known = ["--min-probability", "0", "--baseline", "known.json"];
    insta::assert_snapshot!("text_beside_a_baseline", scan(&project, &known, without_time));
}

#[test]
fn json() {
    let every = ["--min-probability", "0", "--all", "--format", "json"];
    insta::assert_snapshot!("json", scan(&project(), &every, redacted));
}

#[test]
fn sarif() {
    let every = ["--min-probability", "0", "--format", "sarif"];
    insta::assert_snapshot!("sarif", scan(&project(), &every, redacted));
}

#[test]
fn github() {
    let every = ["--min-probability", "0", "--format", "github"];
    insta::assert_snapshot!("github", scan(&project(), &every, str::to_owned));
}
