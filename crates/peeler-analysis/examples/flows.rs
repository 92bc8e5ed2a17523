//! Prints the flows of all tests of a folder, one JSON object a line: `flows FOLDER [--state] [FILE...]`.
//!
//! A development tool: `corpus/measure-rules` and `corpus/measure-polluters` compare its output with labels. `cut` says
//! whether a limit of the interpreter left out a part of the code that the test runs. With `--state` it also prints the
//! shared state that each test reads and leaves. With files, relative to the folder, only the tests of these files are
//! printed.

use std::collections::HashSet;
use std::io::{self, BufWriter, Write};

use peeler_analysis::{
    Analysis, Flow, FlowFinder, FlowStep, Limits, Repository, StateUse, TestCase, TestFlows, pair_states,
};
use peeler_features::TestName;
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("usage: flows FOLDER [--state] [FILE...]")?;
    let (options, files): (Vec<String>, Vec<String>) = arguments.partition(|it| it.starts_with("--"));
    let shows_state = options.iter().any(|it| it == "--state");
    let repository = Repository::open(folder.as_ref())?;
    let analysis = Analysis::new(&repository);
    let cases = analysis.test_cases().into_iter().filter(|it| files.contains(&it.file));
    let names: HashSet<String> = cases.map(|it| it.name.to_string()).collect();
    let finder = FlowFinder::new(&analysis);
    let mut tests: Vec<(TestCase, TestFlows)> = Vec::new();
    analysis.extract(
        Limits::default(),
        |name| files.is_empty() || names.contains(name),
        |traced| (traced.case.clone(), finder.flows(&traced)),
        |test| tests.push(test),
    );
    let states: Vec<_> = tests
        .iter()
        .map(|(case, flows)| (case.name.clone(), &flows.state))
        .collect();
    let mut findings = pair_states(&states).into_iter().peekable();
    let mut out = BufWriter::new(io::stdout().lock());
    for (at, (case, found)) in tests.iter().enumerate() {
        let mut flows: Vec<Value> = found.flows.iter().map(flow_json).collect();
        let mut polluters = Vec::new();
        while let Some(finding) = findings.next_if(|it| it.test == at) {
            let partners: Vec<&str> = finding.partners.iter().map(TestName::as_str).collect();
            if finding.is_victim() {
                polluters.extend(partners.iter().map(|it| (*it).to_owned()));
            }
            let mut flow = flow_json(&finding.flow);
            flow["state"] = json!(finding.state);
            flow["partners"] = json!(partners);
            flows.push(flow);
        }
        let mut test = json!({
            "test": case.name.as_str(),
            "file": case.file,
            "line": case.line,
            "flows": flows,
            "polluters": polluters,
            "cut": found.is_incomplete,
        });
        if shows_state {
            test["reads"] = found.state.reads.iter().map(state_json).collect();
            test["left"] = found.state.left.iter().map(state_json).collect();
        }
        writeln!(out, "{test}")?;
    }
    Ok(out.flush()?)
}

fn flow_json(flow: &Flow) -> Value {
    json!({
        "rule": flow.rule.id(),
        "what": flow.what,
        "origin": format!("{:?}", flow.origin),
        "source": step(&flow.source),
        "steps": flow.steps.iter().map(step).collect::<Vec<_>>(),
        "oracle": flow.oracle.as_ref().map(step),
        "settled": flow.settled_by.as_ref().map(step),
    })
}

fn state_json(used: &StateUse) -> Value {
    json!({ "state": used.state, "depth": used.depth, "reach": used.reach, "site": step(&used.site) })
}

fn step(step: &FlowStep) -> Value {
    json!({ "file": step.file, "line": step.line, "text": step.text })
}
