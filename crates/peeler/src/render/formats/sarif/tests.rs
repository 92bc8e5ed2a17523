use jsonschema::Validator;
use serde_json::{Value, json};

use super::super::made::{self, HOSTILE, scan, written};
use super::*;

/// The JSON schema of SARIF 2.1.0, as the standard's authors publish it.
const STANDARD: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/schemas/sarif-schema-2.1.0.json"
));

fn standard() -> Validator {
    let schema = serde_json::from_str(STANDARD).unwrap();
    jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .unwrap()
}

fn document(scan: &Scan) -> Value {
    serde_json::from_str(&written(write, scan)).unwrap()
}

fn run(scan: &Scan) -> Value {
    document(scan)["runs"][0].take()
}

fn check_standard(document: &Value) {
    let errors: Vec<String> = standard()
        .iter_errors(document)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn a_log_keeps_the_standard() {
    check_standard(&document(&scan()));
}

#[test]
fn a_log_without_findings_keeps_the_standard() {
    let mut scan = scan();
    scan.findings.clear();
    scan.problems.clear();
    check_standard(&document(&scan));
}

#[test]
fn a_log_of_unknown_places_keeps_the_standard() {
    let mut scan = scan();
    scan.findings[0].line = 0;
    let shown = &mut scan.findings[0].rules[0];
    shown.source.region.line = 0;
    shown.steps[0].region.column = 0;
    check_standard(&document(&scan));
}

#[test]
fn the_standard_refuses_broken_logs() {
    let (standard, sound) = (standard(), document(&scan()));
    let breaks = [
        ("/$schema", json!("no uri")),
        ("/version", json!("2.0.0")),
        ("/runs/0/results/0/level", json!("dreadful")),
        ("/runs/0/results/0/rank", json!(101)),
        ("/runs/0/results/0/message", json!("text")),
        (
            "/runs/0/results/0/locations/0/physicalLocation/region/startLine",
            json!(0),
        ),
        ("/runs/0/results/0/codeFlows/0/threadFlows", json!([])),
        ("/runs/0/invocations/0", json!({})),
    ];
    for (place, value) in breaks {
        let mut broken = sound.clone();
        *broken.pointer_mut(place).unwrap() = value;
        assert!(!standard.is_valid(&broken), "{place}");
    }
}

#[test]
fn rules_are_listed_once_and_results_point_at_them() {
    let mut scan = scan();
    scan.findings.push(scan.findings[0].clone());
    let run = run(&scan);
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let ids: Vec<&Value> = rules.iter().map(|rule| &rule["id"]).collect();
    assert_eq!(ids, ["PLR301", "peeler/no-cause-found"]);
    assert_eq!(rules[0]["name"], "clock-compared");
    let is_on_the_web = option_env!("PEELER_RULE_PAGES").is_some();
    assert_eq!(
        rules[0].get("helpUri").is_some(),
        is_on_the_web,
        "no address that leads nowhere"
    );
    assert!(
        rules[0]["help"]["markdown"]
            .as_str()
            .unwrap()
            .starts_with("# PLR301 clock-compared")
    );
    assert_eq!(rules[0]["properties"]["tags"], json!(["flaky-test", "value"]));
    assert_eq!(rules[1].get("helpUri"), None);
    for result in run["results"].as_array().unwrap() {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
    }
}

#[test]
fn a_result_names_the_test_its_place_and_its_probability() {
    let result = &run(&scan())["results"][0];
    let location = json!({
        "physicalLocation": {
            "artifactLocation": {
                "uri": "src/test/Gr%C3%B6%C3%9Fe%20%26%20Ma%C3%9F/100%25%20ok%2C%20OrderTest.java",
                "uriBaseId": "%SRCROOT%",
            },
            "region": {"startLine": 12, "endLine": 20},
        },
        "logicalLocations": [
            {"name": "total", "fullyQualifiedName": "shop.OrderTest#total", "kind": "function"},
        ],
    });
    assert_eq!(result["locations"], json!([location]));
    assert_eq!(result["rank"], 93.0);
    assert_eq!(
        result["partialFingerprints"],
        json!({"peelerFinding/v1": "0123456789abcdef"})
    );
    assert_eq!(result["properties"]["foundBy"], "both");
    assert_eq!(result["properties"]["rules"], json!(["PLR301"]));
    assert!(written(write, &scan()).contains("\"probability\": 0.93,\n"));
}

#[test]
fn what_runs_showed_is_a_property_of_the_result() {
    let run = run(&scan());
    let proof = &run["results"][0]["properties"]["proof"];
    assert_eq!(
        (&proof["showed"], &proof["runs"], &proof["failures"]),
        (&json!("flaky"), &json!(100), &json!(3))
    );
    assert_eq!(run["results"][1]["properties"].get("proof"), None);
}

#[test]
fn signs_of_uris_in_a_path_are_part_of_its_names() {
    assert_eq!(
        percent_encoded("c:/a b?#%2F/ü$[1].java"),
        "c%3A/a%20b%3F%23%252F/%C3%BC%24%5B1%5D.java"
    );
}

#[test]
fn a_flow_is_a_code_flow_across_files() {
    let run = run(&scan());
    let flow = &run["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"];
    let source = &flow[0]["location"];
    assert_eq!(
        source["physicalLocation"]["region"],
        json!({"startLine": 30, "startColumn": 9, "endLine": 30, "endColumn": 22})
    );
    assert_eq!(source["physicalLocation"]["artifactLocation"]["uri"], made::CODE_FILE);
    assert_eq!(source["message"]["text"], "it begins here: Instant.now()");
    assert_eq!(
        flow[3]["location"]["message"]["text"],
        "it is asserted here: assertEquals(42, total)"
    );
    assert_eq!(run["results"][1].get("codeFlows"), None);
}

#[test]
fn a_cause_outside_the_test_is_linked() {
    let mut scan = scan();
    let result = &run(&scan)["results"][0];
    let cause = &result["relatedLocations"][0];
    assert!(
        result["message"]["text"]
            .as_str()
            .unwrap()
            .ends_with("; see [the cause](1)")
    );
    assert_eq!(cause["id"], 1);
    assert_eq!(
        cause["message"]["text"],
        "the test reads the time of day: Instant.now()"
    );
    let cause = scan.findings[0].root_cause.as_mut().unwrap();
    (cause.file, cause.line) = (made::TEST_FILE.to_owned(), 15);
    let result = &run(&scan)["results"][0];
    assert_eq!(result.get("relatedLocations"), None);
    assert!(result["message"]["text"].as_str().unwrap().ends_with(" is late)"));
}

#[test]
fn texts_make_neither_placeholders_nor_links() {
    let run = run(&scan());
    let text = run["results"][1]["message"]["text"].as_str().unwrap();
    assert!(text.contains("\u{1b}\\[0m {{0}} \\[link\\](1) back\\\\slash"), "{text}");
    let plain = text.replace("{{", "{").replace("}}", "}");
    let plain = plain.replace("\\[", "[").replace("\\]", "]").replace("\\\\", "\\");
    assert!(plain.starts_with(HOSTILE), "{plain}");
    let step = &run["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"][1]["location"];
    assert_eq!(
        step["message"]["text"],
        "it passes here: prices\\[0\\](now) {{ return; }}"
    );
}

#[test]
fn a_problem_is_a_notification_of_a_run_that_succeeded() {
    let invocation = &run(&scan())["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], true);
    let notification = &invocation["toolExecutionNotifications"][0];
    assert_eq!(notification["level"], "warning");
    assert_eq!(
        notification["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        "src/test/Br%C3%B6ken%20Test.java"
    );
}
