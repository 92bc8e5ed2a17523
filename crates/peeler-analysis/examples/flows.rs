//! Prints the flows of the tests of a folder, one JSON object a line: `flows FOLDER [FILE...]`. With files, relative to
//! the folder, only the tests of these files are printed.
//!
//! A development tool: `corpus/measure-rules` compares its output with labels.

use std::collections::HashSet;
use std::io::{self, BufWriter, Write};

use peeler_analysis::{Analysis, FlowFinder, FlowStep, Limits, Repository};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("usage: flows FOLDER [FILE...]")?;
    let files: Vec<String> = arguments.collect();
    let repository = Repository::open(folder.as_ref())?;
    let analysis = Analysis::new(&repository);
    let cases = analysis.test_cases().into_iter().filter(|it| files.contains(&it.file));
    let names: HashSet<String> = cases.map(|it| it.name.to_string()).collect();
    let finder = FlowFinder::new(&analysis);
    let mut out = BufWriter::new(io::stdout().lock());
    let mut written = Ok(());
    analysis.extract(
        Limits::default(),
        |name| files.is_empty() || names.contains(name),
        |traced| {
            let flows = finder.flows(&traced).flows;
            let flows = flows.iter().map(|flow| {
                serde_json::json!({
                    "rule": flow.rule.id(),
                    "what": flow.what,
                    "origin": format!("{:?}", flow.origin),
                    "source": step(&flow.source),
                    "steps": flow.steps.iter().map(step).collect::<Vec<_>>(),
                    "oracle": flow.oracle.as_ref().map(step),
                    "settled": flow.settled_by.as_ref().map(step),
                })
            });
            serde_json::json!({
                "test": traced.case.name.as_str(),
                "file": traced.case.file,
                "line": traced.case.line,
                "flows": flows.collect::<Vec<_>>(),
            })
        },
        |test| {
            if written.is_ok() {
                written = writeln!(out, "{test}");
            }
        },
    );
    written?;
    Ok(out.flush()?)
}

fn step(step: &FlowStep) -> serde_json::Value {
    serde_json::json!({ "file": step.file, "line": step.line, "text": step.text })
}
