//! Unit tests of the content of reports of `peeler confirm`.

use super::Report;
use super::content::VerdictCounts;
use super::sample::{report, written};

#[test]
fn the_json_holds_the_proof_of_flaky_tests_and_of_no_others() {
    let text = written(Report::write_json, &report());
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let tests = json["tests"].as_array().expect("tests").iter();
    let proven: Vec<_> = tests.filter(|it| it.get("proof").is_some()).collect();
    assert_eq!(proven.len(), 1);
    let expected = serde_json::json!({
        "runs": 2,
        "failures": 1,
        "command": "peeler confirm . --replay log.jsonl --test 'a.B$C#flaky'",
    });
    assert_eq!(
        (&proven[0]["test"], &proven[0]["proof"]),
        (&"a.B$C#flaky".into(), &expected)
    );
}

#[test]
fn a_report_counts_verdicts_and_what_they_cost() {
    let report = report();
    let expected = VerdictCounts {
        flaky: 1,
        failing: 1,
        stable: 1,
        not_run: 1,
    };
    assert_eq!(report.summary, expected);
    assert_eq!((report.cost.runs, report.cost.jvms), (2 + 3 + 3, 1));
    let sure = report.tests.last().expect("a test");
    assert_eq!(
        sure.sentence,
        "not run: the model is sure that it is stable (0.01); --all runs it"
    );
}
