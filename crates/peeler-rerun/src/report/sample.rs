//! A small report of `peeler confirm`, for unit tests of the formats of reports.

use std::io::{self, Write};

use peeler_features::TestName;
use peeler_learning::cannier::Thresholds;

use super::content::Report;
use crate::candidates::Candidate;
use crate::evidence::Event;
use crate::invocation::Invocation;
use crate::plan::Plan;
use crate::repeat::{RepeatUntil, repeat};
use crate::scripted_machine::{ScriptedMachine, check, name};

/// A sample report about four tests: flaky, failing, stable, and one that did not run because the model was sure about
/// it.
pub(crate) fn report() -> Report {
    let events = events();
    let chosen: Vec<TestName> = ["a.B$C#flaky", "a.B#failing", "a.B#stable", "a.D#sure"]
        .map(name)
        .into();
    let candidates: Vec<Candidate> = chosen
        .iter()
        .map(|test| Candidate {
            test: test.clone(),
            probability: Some(if test.method() == "sure" { 0.01 } else { 0.5 }),
            seconds: Some(1.0),
            failure_rate: None,
        })
        .collect();
    let plan = Plan::new(&candidates, Some(Thresholds::default()), 3);
    let probabilities = candidates.iter().map(|it| (it.test.clone(), 0.01)).collect();
    let invocation = Invocation {
        root: ".".to_owned(),
        log: "log.jsonl".to_owned(),
        options: vec![],
    };
    Report::new(&invocation, &chosen, &probabilities, &plan, &[], &events)
}

/// The events that the sample report is about.
pub(crate) fn events() -> Vec<Event> {
    let tests = [("a.B$C#flaky", "pf"), ("a.B#failing", "f"), ("a.B#stable", "p")];
    let (events, ()) = check(ScriptedMachine::new(&tests), |it| {
        repeat(it, &it.tests(), 3, RepeatUntil::OutcomeChanges)
    });
    events
}

/// The text that `write` produces for a report.
pub(crate) fn written(write: impl Fn(&Report, &mut dyn Write) -> io::Result<()>, report: &Report) -> String {
    let mut out = Vec::new();
    write(report, &mut out).expect("it is written");
    String::from_utf8(out).expect("UTF-8")
}
