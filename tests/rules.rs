//! Rules at the command line: their list and pages, their selection, and what they find in textbook tests.

mod support;

use std::collections::HashMap;

use serde_json::Value;
use support::{Project, found, run, samples};

/// A folder with a test class of this body.
fn project(name: &str, body: &str) -> Project {
    let file = format!("src/test/java/shop/{name}.java");
    let source = format!(
        "package shop;\n\nimport static org.junit.jupiter.api.Assertions.*;\n\n\
         import java.net.*;\nimport java.util.*;\n\
         import java.util.concurrent.*;\nimport org.junit.jupiter.api.*;\n\nclass {name} {{\n{body}\n}}\n"
    );
    Project::of(&[(&file, &source)])
}

/// The ids of the rules of a finding, the first one first.
fn ids(finding: &Value) -> Vec<&str> {
    let rules = finding["rules"].as_array().expect("rules");
    rules.iter().map(|it| it["rule"].as_str().expect("an id")).collect()
}

/// Checks that a scan without options reports the flaky test by a rule, and stays silent about its stable twin.
#[track_caller]
fn check(rule: &str, flaky: &str, stable: &str) {
    let scan = project("FlakyTest", flaky).peeler(&["scan", "--no-cache", "--format", "json"]);
    let scan = scan.ended(1).json();
    let named: Vec<&Value> = scan["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .filter(|it| ids(it).contains(&rule))
        .collect();
    assert!(
        !named.is_empty(),
        "{rule} is not among the rules of {:#}",
        scan["findings"]
    );
    for finding in &named {
        let found_by = &finding["found_by"];
        assert!(found_by == "rule" || found_by == "both", "{finding:#}");
        let source = &finding["rules"][0]["source"];
        assert_eq!(
            finding["root_cause"]["line"], source["line"],
            "the reason is the first flow"
        );
        let advice = finding["root_cause"]["advice"].as_str().expect("advice");
        assert!(!advice.is_empty());
    }
    let scan = project("StableTest", stable).peeler(&["scan", "--no-cache", "--format", "json"]);
    let scan = scan.ended(0).json();
    assert_eq!(found(&scan), Vec::<&str>::new(), "{:#}", scan["findings"]);
}

#[test]
fn a_random_bound_is_found_and_a_seeded_one_is_not() {
    check(
        "PLR302",
        "    @Test void rolls() {\n        assertTrue(new Random().nextInt(10) < 9);\n    }",
        "    @Test void rolls() {\n        assertEquals(0, new Random(42).nextInt(1));\n    }",
    );
}

#[test]
fn a_sleep_before_an_assertion_is_found_and_a_wait_is_not() {
    let worker =
        "    private volatile boolean done;\n    private final CountDownLatch latch = new CountDownLatch(1);\n";
    check(
        "PLR201",
        &format!(
            "{worker}    @Test void works() throws Exception {{\n\
             new Thread(() -> done = true).start();\n\
             Thread.sleep(50);\n        assertTrue(done);\n    }}"
        ),
        &format!(
            "{worker}    @Test void works() throws Exception {{\n\
             Thread thread = new Thread(() -> done = true);\n\
             thread.start();\n        thread.join();\n        assertTrue(done);\n    }}"
        ),
    );
}

#[test]
fn text_of_a_hash_map_is_found_and_that_of_a_tree_map_is_not() {
    let test = |map: &str| {
        format!(
            "    @Test void prints() {{\n\
             Map<String, Integer> ages = new {map}<>();\n        ages.put(\"ann\", 1);\n\
             ages.put(\"bob\", 2);\n        assertEquals(\"{{ann=1, bob=2}}\", ages.toString());\n    }}"
        )
    };
    check("PLR101", &test("HashMap"), &test("TreeMap"));
}

#[test]
fn two_readings_of_the_clock_are_found_and_one_is_not() {
    check(
        "PLR301",
        "    @Test void ticks() {\n        long before = System.currentTimeMillis();\n\
         assertEquals(before, System.currentTimeMillis());\n    }",
        "    @Test void ticks() {\n\
         long now = System.currentTimeMillis();\n        Date date = new Date(now);\n\
         assertEquals(now, date.getTime());\n    }",
    );
}

#[test]
fn a_fixed_port_is_found_and_a_free_one_is_not() {
    let test = |port: &str| {
        format!(
            "    @Test void listens() throws Exception {{\n\
             try (ServerSocket socket = new ServerSocket({port})) {{\n\
             assertTrue(socket.isBound());\n        }}\n    }}"
        )
    };
    check("PLR401", &test("8080"), &test("0"));
}

#[test]
fn static_state_left_behind_is_found_and_restored_state_is_not() {
    let tests = "    static final List<String> NAMES = new ArrayList<>();\n    @Test void adds() {\n\
                 NAMES.add(\"ann\");\n        assertEquals(1, NAMES.size());\n    }\n    @Test void isEmpty() {\n\
                 assertTrue(NAMES.isEmpty());\n    }";
    check(
        "PLR501",
        tests,
        &format!("    @BeforeEach void clear() {{\n        NAMES.clear();\n    }}\n{tests}"),
    );
}

/// A test that a rule finds, with the network silent.
const ROLLS: &str = "    @Test void rolls() {\n        assertTrue(new Random().nextInt(10) < 9);\n    }";

/// The names of the tests that a scan of the project finds.
fn scanned(project: &Project, arguments: &[&str]) -> Vec<String> {
    let scan = project
        .peeler(&[&["scan", "--format", "json"], arguments].concat())
        .json();
    found(&scan).into_iter().map(str::to_owned).collect()
}

#[test]
fn rules_are_selected_by_options_settings_and_code() {
    let project = project("DiceTest", ROLLS);
    let all = ["shop.DiceTest#rolls"];
    let none: [&str; 0] = [];
    assert_eq!(scanned(&project, &[]), all);
    assert_eq!(scanned(&project, &["--ignore", "PLR3"]), none);
    assert_eq!(scanned(&project, &["--select", "PLR1,TIMING"]), none);
    assert_eq!(
        scanned(&project, &["--select", "random-value-asserted", "--ignore", "VALUE"]),
        all
    );
    project.write("peeler.toml", "[rules]\nignore = [\"PLR302\"]\n");
    assert_eq!(scanned(&project, &[]), none);
    assert_eq!(
        scanned(&project, &["--select", "PLR302"]),
        all,
        "the command line overrides"
    );
    project.write(
        "peeler.toml",
        "[rules.per-file-ignores]\n\"src/test/\" = [\"PLR302\"]\n",
    );
    assert_eq!(scanned(&project, &[]), none);
    project.write("peeler.toml", "");
    let file = "src/test/java/shop/DiceTest.java";
    let source = project.read(file);
    for silence in [
        "// peeler:ignore PLR302 dice\n",
        "@SuppressWarnings(\"peeler:PLR302\") ",
    ] {
        project.write(file, source.replace("@Test", &format!("{silence}@Test")));
        assert_eq!(scanned(&project, &[]), none, "{silence}");
    }
    project.write(file, source.replace("@Test", "// peeler:ignore PLR301\n@Test"));
    assert_eq!(scanned(&project, &[]), all, "another rule");
}

#[test]
fn a_baseline_knows_the_finding_of_a_rule_when_lines_move() {
    let project = project("DiceTest", ROLLS);
    project.peeler(&["scan", "--write-baseline", "known.json"]).ended(0);
    let entry = project.read("known.json");
    assert!(
        entry.contains("\"rule\":\"PLR302\",\"cause\":\"randomness\""),
        "{entry}"
    );
    let file = "src/test/java/shop/DiceTest.java";
    project.write(file, format!("\n\n\n{}", project.read(file)));
    project.peeler(&["scan", "--baseline", "known.json"]).ended(0);
}

#[test]
fn a_second_scan_says_what_the_first_said_whatever_is_selected() {
    let project = project("DiceTest", ROLLS);
    let cache = ["--cache-dir", "cache"];
    let scan = |arguments: &[&str]| {
        let scan = project
            .peeler(&[&["scan", "--format", "json"], arguments].concat())
            .json();
        (scan["findings"].clone(), scan["summary"]["reused"].clone())
    };
    let (first, _) = scan(&cache);
    assert_eq!(scan(&cache), (first.clone(), 1.into()));
    assert_eq!(
        scan(&[&cache[..], &["--ignore", "PLR302"]].concat()).1,
        1,
        "nothing is analysed again"
    );
    assert_eq!(scan(&cache), (first.clone(), 1.into()));
    assert_eq!(scan(&["--no-cache"]).0, first);
}

#[test]
fn a_test_is_explained_with_its_flows_and_what_settles_them() {
    let project = project("DiceTest", ROLLS);
    for arguments in [
        &["explain", "shop.DiceTest#rolls"][..],
        &["explain", ".", "--test", "shop.DiceTest#rolls"],
        &["explain", "shop.DiceTest#rolls", "src"],
    ] {
        let shown = project.peeler(arguments).ended(0).stdout;
        assert!(shown.contains("PLR302 random-value-asserted: it "), "{shown}");
        assert!(shown.contains("    source "), "{shown}");
    }
    let ignored = ["explain", "shop.DiceTest#rolls", "--ignore", "PLR302"];
    let shown = project.peeler(&ignored).ended(0).stdout;
    assert!(shown.contains("(this rule is not selected)"), "{shown}");
}

#[test]
fn every_rule_is_listed_and_explained_by_id_and_by_name() {
    let rules = run(&["rules", "--format", "json"]).ended(0).json();
    let rules = rules.as_array().expect("a list");
    let table = run(&["rules"]).ended(0).stdout;
    assert_eq!(table.lines().count(), rules.len());
    for rule in rules {
        let (id, name) = (
            rule["id"].as_str().expect("an id"),
            rule["name"].as_str().expect("a name"),
        );
        let line = table.lines().find(|it| it.starts_with(id)).expect("a line");
        assert!(
            line.contains(name) && line.contains(rule["title"].as_str().expect("a title")),
            "{line}"
        );
        let is_off = line.ends_with("(off by default)");
        assert_eq!(rule["default"].as_bool(), Some(!is_off), "{line}");
    }
    let by_id = run(&["explain", "plr101"]).ended(0).stdout;
    assert!(by_id.starts_with("# PLR101 unordered-text-compared\n"), "{by_id}");
    assert_eq!(run(&["explain", "unordered-text-compared"]).ended(0).stdout, by_id);
}

#[test]
fn an_unknown_rule_is_refused_with_those_that_are_near() {
    run(&["explain", "PLR119"]).refused(&["`PLR119` is not a rule", "PLR1", "peeler rules"]);
    run(&["explain", "sleep-before-asertion"]).refused(&["did you mean sleep-before-assertion"]);
    run(&["explain", "weather"]).refused(&["`weather` is not a rule; `peeler rules` lists them"]);
    let project = project("DiceTest", ROLLS);
    project
        .peeler(&["explain", "src"])
        .refused(&["src is a path", "--test"]);
    project
        .peeler(&["scan", "--select", "PLR9"])
        .refused(&["`PLR9` is not a rule"]);
    project.write("peeler.toml", "[rules]\nselect = [\"PLR1\", \"wether\"]\n");
    project
        .peeler(&["scan"])
        .refused(&["peeler.toml:2", "`wether` is not a rule"]);
}

/// The label categories of the samples, each with its kinds of cause.
const KINDS_OF_LABELS: [(&str, &[&str]); 13] = [
    ("async-wait", &["sleep-timeout", "concurrency"]),
    ("concurrency", &["concurrency", "sleep-timeout"]),
    ("environment", &["environment"]),
    ("io", &["files"]),
    ("network", &["network"]),
    ("randomness", &["randomness"]),
    ("reflection-order", &["reflection-order", "unordered-collection"]),
    ("resource-leak", &["files", "network"]),
    ("test-order", &["static-state"]),
    ("time", &["clock", "sleep-timeout"]),
    ("timeout", &["sleep-timeout"]),
    ("timezone-locale", &["time-zone-locale"]),
    ("unordered-collection", &["unordered-collection", "reflection-order"]),
];

#[test]
fn named_causes_are_the_right_ones_for_nine_of_ten_flaky_samples() {
    let labels = std::fs::read_to_string(samples().with_file_name("samples-labels.csv")).expect("labels");
    let categories: HashMap<&str, &str> = labels
        .lines()
        .filter_map(|line| {
            let [_, test, "flaky", category] = line.split(',').collect::<Vec<_>>()[..] else {
                return None;
            };
            Some((test, category))
        })
        .collect();
    let samples = samples().display().to_string();
    let scan = run(&["scan", &samples, "--format", "json", "--exit-zero"])
        .ended(0)
        .json();
    let (mut named, mut right) = (0, 0);
    for finding in scan["findings"].as_array().expect("findings") {
        let category = finding["test"].as_str().and_then(|it| categories.get(it));
        let kind = finding["root_cause"]["kind"].as_str();
        if let (Some(category), Some(kind)) = (category, kind) {
            let kinds = KINDS_OF_LABELS.iter().find(|(label, _)| label == category);
            named += 1;
            right += usize::from(kinds.expect("a known label").1.contains(&kind));
        }
    }
    assert!(named >= 30, "{named} of {} have a cause", categories.len());
    assert!(10 * right >= 9 * named, "{right} of {named}");
}
