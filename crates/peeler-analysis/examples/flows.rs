//! Prints the flows of all tests of a folder, one JSON object a line: `flows FOLDER`.
//!
//! A development tool: `corpus/measure-rules` compares its output with labels.

use std::io::{self, BufWriter, Write};

use peeler_analysis::{Analysis, FlowFinder, FlowStep, Limits, Repository};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os().nth(1).ok_or("usage: flows FOLDER")?;
    let repository = Repository::open(folder.as_ref())?;
    let analysis = Analysis::new(&repository);
    let finder = FlowFinder::new(&analysis);
    let mut out = BufWriter::new(io::stdout().lock());
    let mut written = Ok(());
    analysis.extract(
        Limits::default(),
        |_| true,
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
