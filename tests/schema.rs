//! Tests that `docs/scan.schema.json` describes the real output of `scan --format json`.

mod history;
mod support;

use jsonschema::Validator;
use serde_json::{Value, json};

use history::History;
use support::{Project, own, peeler};

/// Tests with one cause each, and one that is suppressed.
const FILES: [(&str, &str); 3] = [
    (
        "orders/OrderTest.java",
        "package orders; import org.junit.*; import java.util.*; public class OrderTest {\n\
         @Test public void waits() throws Exception { Thread.sleep(10); Assert.assertTrue(Clock.now() > 0); }\n\
         @Test public void prints() { Assert.assertEquals(\"[a, b]\", new HashSet<>(List.of(\"a\", \"b\")).toString()); }\n\
         @SuppressWarnings(\"peeler\") @Test public void draws() { Assert.assertTrue(new Random().nextBoolean()); } }",
    ),
    (
        "orders/Clock.java",
        "package orders; class Clock { static long now() { return System.nanoTime(); } int = ; }",
    ),
    (
        "billing/BillTest.java",
        "package billing; import org.junit.*; public class BillTest {\n\
         @Test public void adds() { int sum = 1 + 1; Assert.assertEquals(2, sum); } }",
    ),
];

/// The committed schema, with all objects closed, so that an unknown field is an error too.
fn schema() -> Validator {
    let path = own("docs/scan.schema.json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
    let close = |object: &mut Value| {
        if object.get("properties").is_some() {
            object["unevaluatedProperties"] = json!(false);
        }
    };
    close(&mut schema);
    if let Some(definitions) = schema.get_mut("$defs").and_then(Value::as_object_mut) {
        definitions.values_mut().for_each(close);
    }
    jsonschema::validator_for(&schema).expect("a schema")
}

#[track_caller]
fn check(schema: &Validator, scan: &Value) {
    let errors: Vec<String> = schema
        .iter_errors(scan)
        .map(|it| format!("{} at {}", it, it.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{}\n{scan}", errors.join("\n"));
}

/// The JSON of a scan. Asserts its number of findings, so that an empty scan is noticed.
fn scan(project: &Project, arguments: &[&str], findings: usize) -> Value {
    let scan = project
        .peeler(&[&["scan", "--format", "json", "--exit-zero"], arguments].concat())
        .ended(0)
        .json();
    assert_eq!(scan["findings"].as_array().map(Vec::len), Some(findings), "{scan}");
    scan
}

#[test]
fn scans_with_every_choice_of_tests_are_as_the_schema_says() {
    let schema = schema();
    let project = Project::of(&FILES);
    let every = ["--min-probability", "0"];
    for (more, findings) in [
        (&[][..], 3),
        (&["--all"], 3),
        (&["--top", "1"], 1),
        (&["--model", "flast", "--all"], 3),
        (&["orders", "billing", "--all"], 3),
        (&["billing"], 1),
        (&["--cache-dir", "cache"], 3),
        (&["--cache-dir", "cache"], 3),
    ] {
        check(&schema, &scan(&project, &[&every, more].concat(), findings));
    }
    let none = ["--min-probability", "1", "--ignore", "ALL"];
    check(&schema, &scan(&project, &none, 0));
    check(&schema, &scan(&project, &[&none[..], &["--all"]].concat(), 0));
}

#[test]
fn scans_beside_a_baseline_and_with_settings_are_as_the_schema_says() {
    let schema = schema();
    let project = Project::of(&FILES);
    let write = [
        "scan",
        "--min-probability",
        "0",
        "--top",
        "2",
        "--write-baseline",
        "known.json",
    ];
    project.peeler(&write).ended(0);
    let known = scan(&project, &["--min-probability", "0", "--baseline", "known.json"], 1);
    assert_eq!(known["known"].as_array().map(Vec::len), Some(2), "{known}");
    check(&schema, &known);
    project.write("peeler.toml", "exclude = [\"/billing/\"]\nmin-probability = 0\n");
    let settled = scan(&project, &[], 2);
    assert_eq!(settled["summary"]["excluded"], 1, "{settled}");
    check(&schema, &settled);
}

#[test]
fn scans_of_some_tests_are_as_the_schema_says() {
    let schema = schema();
    let history = History::new();
    history.edit("CartTest.java", "assertEquals(2,", "assertEquals(3,");
    let since = history::scan(history.0.path(), ".", "HEAD");
    assert_eq!(since["summary"]["since"]["revision"], "HEAD", "{since}");
    check(&schema, &since);

    let project = Project::of(&FILES);
    let mut command = peeler();
    command.args([
        "scan",
        "--stdin-files",
        "--format",
        "json",
        "--min-probability",
        "0",
        "--exit-zero",
    ]);
    command.current_dir(project.path(""));
    let some = support::Ran::piped(&mut command, std::time::Duration::ZERO, b"billing/BillTest.java\n");
    check(&schema, &some.ended(0).json());
}

#[test]
fn scans_with_results_of_reruns_are_as_the_schema_says() {
    let schema = schema();
    let project = Project::of(&FILES);
    let case = |inside: &str| {
        format!("<testsuite><testcase name=\"waits\" classname=\"orders.OrderTest\">{inside}</testcase></testsuite>")
    };
    project.write("ci/1/TEST-a.xml", case(""));
    project.write(
        "ci/2/TEST-a.xml",
        case("<failure message=\"too late\">too late</failure>"),
    );
    let only_runs = ["--ignore", "ALL", "--min-probability", "1"];
    let proven = scan(&project, &[&["--history", "ci", "--all"][..], &only_runs].concat(), 1);
    assert!(!proven["findings"][0]["proof"].is_null(), "{proven}");
    check(&schema, &proven);
}

#[test]
fn what_is_no_scan_is_not_as_the_schema_says() {
    let schema = schema();
    let project = Project::of(&FILES);
    let scan = scan(&project, &["--min-probability", "0"], 3);
    let damaged = |damage: &dyn Fn(&mut Value)| {
        let mut scan = scan.clone();
        damage(&mut scan);
        assert!(!schema.is_valid(&scan), "{scan}");
    };
    damaged(&|it| it["summary"]["tests"] = json!("three"));
    damaged(&|it| it["findings"][0]["probability"] = Value::Null);
    damaged(&|it| it["findings"][0]["unheard"] = json!(1));
    damaged(&|it| {
        it.as_object_mut().expect("a scan").remove("findings");
    });
}
