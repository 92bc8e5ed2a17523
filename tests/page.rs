//! Tests of the HTML report in a browser.

mod browser;
mod support;

use browser::Browser;
use serde_json::{Value, json};
use support::Project;

/// Tests with causes of several kinds.
const SOURCE: &str = r#"package shop;
import static org.junit.Assert.*;
import java.util.*;
import org.junit.Test;
public class OrderTest {
    @Test public void waits() throws Exception {
        Thread.sleep(50);
        assertTrue(done());
    }
    @Test public void printsInOrder() {
        Map<String, Integer> counts = new HashMap<>();
        counts.put("a", 1);
        counts.put("b", 2);
        assertEquals("{a=1, b=2}", counts.toString());
    }
    @Test public void isOfToday() {
        long now = System.currentTimeMillis();
        assertEquals(now, System.currentTimeMillis());
    }
    @Test public void draws() {
        assertNotEquals(new Random().nextInt(), 4);
    }
    static boolean done() { return true; }
}
"#;

/// Source text that would run as a script if the page did not escape it.
const HOSTILE: &str = "package shop;
import org.junit.*;
public class HostileTest {
    @Test public void compares() {
        // </script><svg onload=window.ran=1>
        String text = \"<script>window.ran=1;alert(1)</script></script><img src=x onerror=window.ran=1> `${window.ran=1}` \u{2028}window.ran=1\u{2029}\";
        Assert.assertEquals(text, System.getenv(\"</script><script>window.ran=1;alert(1)</script><!--\"));
    }
}
";

/// JavaScript that measures the contrast of all texts with their background. It returns the number of texts, and those
/// below 4.5, the limit for accessibility.
const CONTRAST: &str = r"
    const parse = (c) => { const m = c.match(/[\d.]+/g).map(Number); return m.length < 4 ? [...m, 1] : m; };
    const channel = (v) => (v / 255 <= .03928 ? v / 255 / 12.92 : ((v / 255 + .055) / 1.055) ** 2.4);
    const light = ([r, g, b]) => .2126 * channel(r) + .7152 * channel(g) + .0722 * channel(b);
    const bad = []; let seen = 0;
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const element = walk.currentNode.parentElement;
        if (!walk.currentNode.data.trim() || element.closest('script, title') || !element.getClientRects().length) continue;
        const node = element.closest('.canvas .node');
        let behind = node && parse(getComputedStyle(node.querySelector('rect')).fill);
        for (let at = element; at && !behind; at = at.parentElement) {
            const colour = parse(getComputedStyle(at).backgroundColor);
            if (colour[3] === 1) behind = colour;
        }
        const style = getComputedStyle(element);
        const [a, b] = [light(parse(element.closest('.canvas') ? style.fill : style.color)), light(behind ?? [255, 255, 255])];
        const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
        seen += 1;
        if (ratio < 4.5) bad.push([walk.currentNode.data, ratio]);
    }
    return { seen, bad };";

/// A browser that shows the report of some files, in which every test is a finding.
fn report(files: &[(&str, &str)]) -> (Browser, Project) {
    report_with(files, &[])
}

/// A browser that shows the report of a scan with additional options.
fn report_with(files: &[(&str, &str)], options: &[&str]) -> (Browser, Project) {
    let project = Project::of(files);
    let html = [
        "scan",
        "--format",
        "html",
        "--min-probability",
        "0",
        "-o",
        "report.html",
    ];
    project.peeler(&[&html, options].concat()).ended(1);
    let mut browser = Browser::start();
    browser.open(&project.path("report.html"));
    (browser, project)
}

/// The methods in the rows of the table, in their order.
fn rows(browser: &mut Browser) -> Vec<String> {
    let names = browser.js("return [...document.querySelectorAll('#rows a')].map((a) => a.textContent.split('#')[1])");
    serde_json::from_value(names).expect("a list of names")
}

/// Opens the detail view of a test through its link.
fn show(browser: &mut Browser, method: &str) {
    browser.js(&format!(
        "[...document.querySelectorAll('#rows a')].find((a) => a.textContent.endsWith('#{method}')).click()"
    ));
    browser.until(&format!(
        "return document.querySelector('#test-view h1')?.textContent.endsWith('#{method}') ?? false"
    ));
}

#[test]
fn filters_narrow_the_rows_and_headers_sort_them() {
    let (mut page, _project) = report(&[("OrderTest.java", SOURCE)]);
    assert_eq!(rows(&mut page).len(), 4);
    page.js("document.querySelector('.col-probability button').click()");
    let ranked = rows(&mut page);
    let figures = page.js("return [...document.querySelectorAll('#rows .figure')].map((it) => Number(it.textContent))");
    let figures: Vec<f64> = serde_json::from_value(figures).expect("numbers");
    assert!(figures.is_sorted_by(|a, b| a >= b), "{figures:?}");

    page.js("document.getElementById('query').focus()");
    page.insert("WAITS");
    assert_eq!(rows(&mut page), ["waits"]);
    assert_eq!(
        page.js("return document.getElementById('status').textContent"),
        "1 of 4 findings shown."
    );
    page.insert(" nothing like it");
    assert_eq!(rows(&mut page).len(), 0);
    page.js("document.getElementById('clear').click()");
    assert_eq!(rows(&mut page), ranked);
    page.js("[...document.querySelectorAll('#chips button')].find((it) => it.textContent.includes('clock-compared')).click()");
    assert_eq!(rows(&mut page), ["isOfToday"]);
    page.js("document.getElementById('clear').click()");

    let sort = "document.querySelector('.col-test button').click()";
    page.js(sort);
    assert_eq!(rows(&mut page), ["draws", "isOfToday", "printsInOrder", "waits"]);
    assert_eq!(
        page.js("return document.querySelector('.col-test').ariaSort"),
        "ascending"
    );
    page.js(sort);
    assert_eq!(rows(&mut page), ["waits", "printsInOrder", "isOfToday", "draws"]);
    page.assert_quiet();
}

#[test]
fn what_runs_showed_is_on_the_list_and_in_the_view_of_a_test() {
    let project = Project::of(&[("OrderTest.java", SOURCE)]);
    let run = |method: &str, outcome: &str| {
        let test = format!("shop.OrderTest#{method}");
        let failure = "<img src=x onerror=window.ran=1>";
        let run = json!({"event": "run", "test": test, "stage": "repeat", "jvm": 1, "outcome": outcome, "milliseconds": 1, "failure": failure});
        format!("{run}\n")
    };
    let runs = [run("draws", "passed"), run("draws", "failed"), run("waits", "passed")];
    project.write("log.jsonl", runs.concat());
    let all = [
        "scan",
        "--min-probability",
        "0",
        "--format",
        "html",
        "--proof",
        "log.jsonl",
        "-o",
        "report.html",
    ];
    project.peeler(&all).ended(1);
    let mut page = Browser::start();
    page.open(&project.path("report.html"));
    let strong = page.js("return [...document.querySelectorAll('#rows strong')].map((it) => it.textContent)");
    assert_eq!(
        strong,
        json!(["failed 1 of 2 runs; it changes under the same conditions. "])
    );
    let told = "return [...document.querySelectorAll('#test-view section')].at(-2).innerText";
    show(&mut page, "draws");
    let draws = page.js(told);
    for expected in [
        "What runs showed",
        "failed 1 of 2 runs",
        "The first failure: <img src=x onerror=window.ran=1>",
        "peeler confirm . --replay log.jsonl --test 'shop.OrderTest#draws'",
    ] {
        assert!(
            draws.as_str().is_some_and(|it| it.contains(expected)),
            "{expected}: {draws}"
        );
    }
    page.js("location.hash = '#/'");
    show(&mut page, "waits");
    let waits = page.js(told);
    assert!(
        waits
            .as_str()
            .is_some_and(|it| it.contains("no failure in 1 run, which does not rule it out.")),
        "{waits}"
    );
    assert_eq!(page.js("return window.ran ?? null"), Value::Null);
    page.assert_quiet();
}

#[test]
fn the_view_of_a_test_shows_its_source_its_cause_and_its_graph() {
    let (mut page, _project) = report(&[("OrderTest.java", SOURCE)]);
    show(&mut page, "printsInOrder");
    let source = page.js("return document.querySelector('.listing').innerText");
    assert!(
        source.as_str().is_some_and(|it| it.contains("counts.put(\"b\", 2);")),
        "{source}"
    );
    let cause = page.js("return document.querySelector('.cause').innerText");
    assert!(
        cause
            .as_str()
            .is_some_and(|it| it.contains("PLR101 unordered-text-compared") && it.contains("line 11")),
        "{cause}"
    );
    page.js("document.querySelector('details.graph').open = true");
    page.until("return document.querySelectorAll('svg.canvas .node').length > 0");
    let drawn = page.js(
        "const texts = [...document.querySelectorAll('svg.canvas .node text')].map((it) => it.textContent);
         const box = document.querySelector('svg.canvas > g').getBoundingClientRect();
         return { texts, edges: document.querySelectorAll('svg.canvas .edge path').length,
                  chosen: document.querySelectorAll('svg.canvas .node.on-path').length, wide: box.width > 100, high: box.height > 20 }",
    );
    let texts: Vec<String> = serde_json::from_value(drawn["texts"].clone()).expect("texts");
    assert!(texts.iter().any(|it| it == "counts"), "{texts:?}");
    assert!(
        drawn["edges"].as_u64() >= Some(2) && drawn["chosen"].as_u64() >= Some(2),
        "{drawn}"
    );
    assert_eq!(
        (&drawn["wide"], &drawn["high"]),
        (&json!(true), &json!(true)),
        "{drawn}"
    );

    page.js("history.back()");
    page.until("return !document.getElementById('list-view').hidden");
    assert_eq!(rows(&mut page).len(), 4);
    page.assert_quiet();
}

#[test]
fn the_view_of_a_test_claims_no_attention_where_the_model_weighs_no_paths() {
    let (mut page, _project) = report_with(&[("OrderTest.java", SOURCE)], &["--model", "vocabulary"]);
    show(&mut page, "printsInOrder");
    page.js("document.querySelector('details.graph').open = true");
    let shown = page.js("return document.querySelector('#test-view').innerText");
    let shown = shown.as_str().expect("text");
    for words in ["attention", "Attention", "strongest", "NaN", "undefined"] {
        assert!(!shown.contains(words), "{words}: {shown}");
    }
    assert!(shown.contains("not why it is a finding"), "{shown}");
    page.assert_quiet();
}

#[test]
fn hostile_text_stays_text_in_the_list_and_in_the_view_of_its_test() {
    let file = "<img src=x onerror=window.ran=1>/HostileTest.java";
    let (mut page, _project) = report(&[(file, HOSTILE)]);
    let clean = |page: &mut Browser| {
        let found = page.js("const all = [...document.querySelectorAll('*')];
             return { ran: 'ran' in window, scripts: document.scripts.length,
                      images: document.querySelectorAll('img, iframe, object, embed, base').length,
                      handlers: all.filter((it) => it.getAttributeNames().some((name) => name.startsWith('on'))).length,
                      links: [...document.links].every((it) => it.getAttribute('href').startsWith('#/')) }");
        assert_eq!(
            found,
            json!({"ran": false, "scripts": 2, "images": 0, "handlers": 0, "links": true})
        );
    };
    clean(&mut page);
    let list = page.js("return document.getElementById('rows').textContent");
    assert!(
        list.as_str()
            .is_some_and(|it| it.contains("<img src=x onerror=window.ran=1>/")),
        "{list}"
    );
    show(&mut page, "compares");
    clean(&mut page);
    let source = page.js("return document.querySelector('.listing').innerText");
    for part in [
        "\"<script>window.ran=1;alert(1)</script></script><img src=x onerror=window.ran=1>",
        "`${window.ran=1}`",
        "⟨U+2028⟩window.ran=1⟨U+2029⟩",
        "// </script><svg onload=window.ran=1>",
    ] {
        assert!(source.as_str().is_some_and(|it| it.contains(part)), "{part}: {source}");
    }
    // Images are fetched and handlers run with a short delay.
    std::thread::sleep(std::time::Duration::from_millis(300));
    clean(&mut page);
    page.assert_quiet();
}

#[test]
fn both_colour_schemes_are_legible() {
    let (mut page, project) = report(&[("OrderTest.java", SOURCE)]);
    let mut backgrounds = Vec::new();
    for scheme in ["light", "dark"] {
        page.prefer(scheme);
        page.open(&project.path("report.html"));
        assert_eq!(page.js("return document.documentElement.dataset.theme"), scheme);
        backgrounds.push(page.js("return getComputedStyle(document.body).backgroundColor"));
        let legible = |page: &mut Browser, least: u64| {
            let found = page.js(CONTRAST);
            assert_eq!(found["bad"], json!([]), "{scheme}");
            assert!(found["seen"].as_u64() > Some(least), "{scheme}: {found}");
        };
        legible(&mut page, 30);
        show(&mut page, "printsInOrder");
        legible(&mut page, 50);
    }
    assert_ne!(backgrounds[0], backgrounds[1]);
    page.js("document.getElementById('theme').click()");
    assert_eq!(
        page.js("return document.documentElement.dataset.theme"),
        "light",
        "a reader may choose the other"
    );
    page.assert_quiet();
}

/// The elements that the tabulator key reaches, in order, until it returns to the first.
fn tab_stops(page: &mut Browser) -> Vec<String> {
    let mut stops: Vec<String> = Vec::new();
    loop {
        page.press("Tab", 9, "");
        let stop = page.js("const it = document.activeElement;
             return it === document.body ? null
                 : it.id || (it.tagName === 'BUTTON' ? it.textContent : it.getAttribute('class')) || it.type");
        match stop {
            Value::String(stop) if stops.len() < 60 => stops.push(stop),
            _ => return stops,
        }
    }
}

#[test]
fn everything_is_reached_by_keyboard() {
    let (mut page, _project) = report(&[("OrderTest.java", SOURCE)]);
    let stops = tab_stops(&mut page);
    for wanted in ["skip", "theme", "query", "minimum", "Probability", "Reason", "mono"] {
        assert!(stops.iter().any(|it| it == wanted), "{wanted}: {stops:?}");
    }
    assert_eq!(
        stops.iter().filter(|it| *it == "mono").count(),
        4,
        "every row: {stops:?}"
    );
    page.js("document.querySelector('.col-test button').focus()");
    page.press("Enter", 13, "\r");
    assert_eq!(rows(&mut page)[0], "draws");
    page.js("[...document.querySelectorAll('#rows a')].find((it) => it.textContent.includes('printsInOrder')).focus()");
    page.press("Enter", 13, "\r");
    page.until("return document.activeElement.tagName === 'H1'");
    page.js("document.querySelector('details.graph').open = true");
    page.until("return document.querySelectorAll('svg.canvas .node').length > 0");
    page.js("document.querySelector('#test-view h1').focus()");

    let stops = tab_stops(&mut page);
    for wanted in ["listing", "canvas", "Fit", "Copy as Markdown"] {
        assert!(stops.iter().any(|it| it.contains(wanted)), "{wanted}: {stops:?}");
    }
    page.js("document.querySelector('.canvas').focus()");
    let view = "return document.querySelector('.canvas > g').getAttribute('transform')";
    let first = page.js(view);
    page.press("+", 187, "+");
    let nearer = page.js(view);
    page.press("ArrowRight", 39, "");
    let moved = page.js(view);
    assert!(first != nearer && nearer != moved, "{first} {nearer} {moved}");
    page.press("0", 48, "0");
    assert_eq!(page.js(view), first);
    page.assert_quiet();
}

#[test]
fn a_report_without_new_findings_says_why_it_is_empty() {
    let project = Project::of(&[("OrderTest.java", SOURCE)]);
    project
        .peeler(&["scan", "--min-probability", "0", "--write-baseline", "known.json"])
        .ended(0);
    let html = [
        "scan",
        "--format",
        "html",
        "--min-probability",
        "0",
        "-o",
        "report.html",
    ];
    project
        .peeler(&[&html[..], &["--baseline", "known.json"]].concat())
        .ended(0);
    let mut page = Browser::start();
    page.open(&project.path("report.html"));
    let said = page.js("return document.querySelector('.empty').innerText");
    assert!(
        said.as_str().is_some_and(|it| it.contains("the baseline knows 4")),
        "{said}"
    );
    page.assert_quiet();
}

#[test]
fn tests_of_one_name_in_two_roots_have_views_of_their_own() {
    let project = Project::of(&[("a/OrderTest.java", SOURCE), ("b/OrderTest.java", SOURCE)]);
    let html = [
        "scan",
        "a",
        "b",
        "--format",
        "html",
        "--min-probability",
        "0",
        "-o",
        "report.html",
    ];
    project.peeler(&html).ended(1);
    let mut page = Browser::start();
    page.open(&project.path("report.html"));
    let links = page.js("return [...document.querySelectorAll('#rows a')].map((a) => a.hash)");
    let links: Vec<String> = serde_json::from_value(links).expect("a list of links");
    let distinct: std::collections::BTreeSet<&String> = links.iter().collect();
    assert_eq!((links.len(), distinct.len()), (8, 8), "{links:?}");
    let mut shown = Vec::new();
    for link in &links {
        page.js(&format!("location.hash = {}", json!(link)));
        page.until(&format!(
            "return location.hash === {} && !document.getElementById('test-view').hidden",
            json!(link)
        ));
        let view = page.js("return document.getElementById('test-view').textContent");
        let view = view.as_str().expect("text");
        let files = ["a/OrderTest.java", "b/OrderTest.java"].map(|it| view.contains(it));
        assert!(files[0] != files[1], "one file in {view}");
        shown.push(files[1]);
        // The copy in the other root is the first neighbour.
        let neighbour = page.js("return document.querySelector('#test-view ul.plain a').hash");
        assert_ne!(neighbour, json!(link));
    }
    assert_eq!(shown.iter().filter(|it| **it).count(), 4, "{shown:?}");
    page.assert_quiet();
}

#[test]
fn a_report_without_findings_names_the_likeliest() {
    let project = Project::of(&[("OrderTest.java", SOURCE)]);
    let html = [
        "scan",
        "--format",
        "html",
        "--min-probability",
        "1",
        "--ignore",
        "ALL",
        "-o",
        "report.html",
    ];
    project.peeler(&html).ended(0);
    let mut page = Browser::start();
    page.open(&project.path("report.html"));
    let said = page.js("return document.querySelector('#likeliest').innerText");
    let lines = said.as_str().expect("text").lines().count();
    assert!(
        lines >= 3 && said.as_str().is_some_and(|it| it.contains("OrderTest.java:")),
        "{said}"
    );
    page.assert_quiet();
}

#[test]
fn the_source_of_a_cause_in_other_code_is_shown_with_its_flow() {
    let test = "package shop; import org.junit.*; public class ListTest {\n\
                @Test public void lists() { Assert.assertEquals(\"{a=1, b=2}\", new Counts().all().toString()); } }";
    let code = "package shop; import java.util.*;\nclass Counts {\n  Map<String, Integer> all() {\n\
                Map<String, Integer> made = new HashMap<>();\n    made.put(\"a\", 1);\n    made.put(\"b\", 2);\n\
                return made;\n  }\n}\n";
    let (mut page, _project) = report(&[("ListTest.java", test), ("Counts.java", code)]);
    show(&mut page, "lists");
    let shown = page.js("return document.querySelector('.witness .excerpt').innerText");
    for part in [
        "Map<String, Integer> made = new HashMap<>();",
        "made.put(\"a\", 1);",
        "source",
    ] {
        assert!(shown.as_str().is_some_and(|it| it.contains(part)), "{part}: {shown}");
    }
    let witnesses = page.js("return document.querySelectorAll('#test-view .witness').length");
    assert_eq!(witnesses, json!(1), "one path, the witness");
    page.assert_quiet();
}

#[test]
fn two_thousand_findings_fit_in_ten_megabytes_and_filter_quickly() {
    let project = Project::of(&[]);
    for class in 0..20 {
        let method = |at: u32| {
            format!(
                "@Test public void prints{at}() {{\n Map<String, Integer> counts = new HashMap<>();\n \
                     counts.put(\"a\", {at});\n counts.put(\"b\", size({at}));\n \
                     assertEquals(\"{{a={at}, b=2}}\", counts.toString());\n assertTrue(size({at}) > 0);\n }}\n"
            )
        };
        let methods = (0..105).map(method).collect::<Vec<String>>().concat();
        let imports = "import static org.junit.Assert.*; import java.util.*; import org.junit.Test;";
        let source = format!(
            "package shop; {imports} public class Print{class}Test {{\n static int size(int of) {{ return of + 1; }}\n{methods}}}"
        );
        project.write(&format!("Print{class}Test.java"), source);
    }
    project
        .peeler(&["scan", "--format", "html", "-o", "report.html", "--no-cache"])
        .ended(1);
    let bytes = project.read("report.html").len();
    assert!(bytes < 10_000_000, "{bytes} bytes");
    let mut page = Browser::start();
    let started = std::time::Instant::now();
    page.open(&project.path("report.html"));
    page.until("return document.querySelectorAll('#rows a').length > 0");
    let opened = started.elapsed();
    let filtered = page.js(
        "const started = performance.now(); const query = document.getElementById('query');
         query.value = 'Print7Test'; query.dispatchEvent(new Event('input')); document.body.offsetHeight;
         return [performance.now() - started, document.getElementById('status').textContent]",
    );
    assert_eq!(filtered[1], "105 of 2,000 findings shown.");
    // A machine that is busy with other tests is several times slower.
    assert!(opened.as_secs() < 10, "{opened:?}");
    assert!(filtered[0].as_f64() < Some(2000.0), "{filtered}");
    let note = page.js("return document.getElementById('left-out').textContent");
    assert!(
        note.as_str()
            .is_some_and(|it| it.starts_with("100 further findings are not on this page")),
        "{note}"
    );
    assert_eq!(rows(&mut page).len(), 100, "a browser draws no more at once");
    page.js("document.getElementById('more').click()");
    assert_eq!(rows(&mut page).len(), 105);
    page.assert_quiet();
}
