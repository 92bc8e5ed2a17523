//! Fuzz target of evidence logs of `confirm`: verdicts, summaries, proofs, the plan of a rerun and all reports.
//!
//! An input that is one JSON document is read as the JSON of a confirmation too.
#![no_main]

use std::collections::BTreeMap;
use std::path::Path;

use libfuzzer_sys::fuzz_target;
use peeler_features::TestName;
use peeler_fuzz::slowest::watched;
use peeler_rerun::candidates::{candidates, warm_up};
use peeler_rerun::invocation::Invocation;
use peeler_rerun::plan::Plan;
use peeler_rerun::report::{Report, write_labels};
use peeler_rerun::verdict::verdicts;
use peeler_rerun::{log, summary};

fuzz_target!(|input: &[u8]| {
    watched(input.len(), || check(input));
});

fn check(input: &[u8]) {
    if let Ok(json) = serde_json::from_slice(input) {
        let _ = summary::from_results(json);
    }
    let Ok(events) = log::from_bytes(Path::new("evidence.jsonl"), input) else {
        return;
    };
    let verdicts = verdicts(&events, &[]);
    let tests: Vec<TestName> = verdicts.iter().map(|it| it.test.clone()).collect();
    let mut summaries = summary::from_log(&events, "evidence.jsonl", "shop");
    summary::add_history(&mut summaries, summary::from_history(&events));
    let candidates = candidates(&tests, &BTreeMap::new(), &events);
    let plan = Plan::new(&candidates, None, 10).with_warm_up(warm_up(&events));
    let report = Report::new(
        &Invocation::default(),
        &tests,
        &BTreeMap::new(),
        &plan,
        &events,
        &events,
    );
    let mut out = Vec::new();
    report.write_text(&mut out).expect("memory takes everything");
    report.write_junit(&mut out).expect("memory takes everything");
    write_labels(&report, "shop", 1, &mut out).expect("memory takes everything");
    let mut json = Vec::new();
    report.write_json(&mut json).expect("memory takes everything");
    let json = serde_json::from_slice(&json).expect("a report is JSON");
    let read = summary::from_results(json).expect("a written report is valid");
    assert!(read.tests.len() <= tests.len());
}
