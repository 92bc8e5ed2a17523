//! A scan as JSON lines, for programs that read as a stream.
//!
//! ```text
//! {"type":"finding","test":"shop.OrderTest#total",...}      one for each finding, in the order of the report
//! {"type":"test","test":"shop.OrderTest#total",...}         one for each test, with --all
//! {"type":"problem","file":"Broken.java",...}               one for each file that was not read completely
//! {"type":"summary","version":3,"tool":{...},...}           always, and always last
//! ```
//!
//! Every line is a complete object. An output without a summary is incomplete.

use std::io::{self, Write};

use serde::Serialize;

use crate::finding::{Finding, ModelSummary, Problem, Scan, Summary, TestScore, Tool};

/// Writes findings, scores of tests, unreadable files and the summary of a scan, one JSON object per line.
pub(crate) fn write(scan: &Scan, out: &mut dyn Write) -> io::Result<()> {
    let findings = scan.findings.iter().map(Line::Finding);
    let tests = scan.tests.iter().flatten().map(Line::Test);
    let problems = scan.problems.iter().map(Line::Problem);
    let summary = Line::Summary(Closing {
        version: scan.version,
        tool: &scan.tool,
        model: &scan.model,
        roots: &scan.roots,
        counts: &scan.summary,
    });
    for line in findings.chain(tests).chain(problems).chain([summary]) {
        serde_json::to_writer(&mut *out, &line)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line<'a> {
    Finding(&'a Finding),
    Test(&'a TestScore),
    Problem(&'a Problem),
    Summary(Closing<'a>),
}

/// The last line of a scan as JSON lines: model, scanned folders, counts and everything else about the whole scan.
#[derive(Serialize)]
struct Closing<'a> {
    version: u32,
    tool: &'a Tool,
    model: &'a ModelSummary,
    roots: &'a [String],
    #[serde(flatten)]
    counts: &'a Summary,
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::made::{scan, scan_with_tests, written};
    use super::*;

    fn lines(scan: &Scan) -> Vec<Value> {
        let text = written(write, scan);
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn types(scan: &Scan) -> Vec<String> {
        lines(scan)
            .iter()
            .map(|line| line["type"].as_str().unwrap().to_owned())
            .collect()
    }

    #[test]
    fn the_summary_is_the_last_line() {
        assert_eq!(types(&scan()), ["finding", "finding", "problem", "summary"]);
    }

    #[test]
    fn judged_tests_stand_between_findings_and_problems() {
        let expected = ["finding", "finding", "test", "test", "test", "problem", "summary"];
        assert_eq!(types(&scan_with_tests()), expected);
    }

    #[test]
    fn a_line_holds_the_whole_finding() {
        let scan = scan();
        for (line, finding) in lines(&scan).into_iter().zip(&scan.findings) {
            assert_eq!(&serde_json::from_value::<Finding>(line).unwrap(), finding);
        }
    }

    #[test]
    fn the_summary_holds_the_counts_and_who_judged() {
        let lines = lines(&scan());
        let summary = lines.last().unwrap();
        assert_eq!(summary["version"], 3);
        assert_eq!(summary["findings"], 2);
        assert_eq!(summary["tool"]["name"], "peeler");
        assert_eq!(summary["model"]["threshold"], 0.5);
        assert_eq!(summary["roots"][0], ".");
    }
}
