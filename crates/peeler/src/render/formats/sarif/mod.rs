//! Findings as SARIF 2.1.0, which code hosts and editors read.
//!
//! A kind of root cause is a rule, a finding a result, its witness a code flow, and a problem a notification. Files are
//! relative to `%SRCROOT%`: the scanned root, or the working directory if several roots were scanned. A path is
//! absolute only if the user gave several roots, and this one as an absolute path.
//!
//! Left out: tests below the threshold, graphs and excerpts.

mod log;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use self::log::{
    ArtifactLocation, CodeFlow, Configuration, Driver, Fingerprints, Invocation, Location, Log, LogicalLocation,
    Message, Notification, Outcome, PhysicalLocation, Properties, Region, Rule, Run, ThreadFlow, ThreadFlowLocation,
    Tool,
};
use super::wording;
use crate::finding::{Finding, Problem, RootCause, Scan, WitnessStep};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
const LEVEL: &str = "warning";
/// The identifier of the location that the message of a result links to.
const CAUSE_LOCATION: u32 = 1;

/// Writes a log with one run.
pub(crate) fn write(scan: &Scan, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &log(scan))?;
    out.write_all(b"\n")
}

fn log(scan: &Scan) -> Log {
    // The last entry of a key wins, so in reverse order the most probable finding describes the rule.
    let causes: BTreeMap<wording::Rule, Option<&RootCause>> = scan
        .findings
        .iter()
        .rev()
        .map(|finding| (wording::Rule::of(finding), finding.root_cause.as_ref()))
        .collect();
    let outcomes = scan.findings.iter().map(|finding| {
        let rule = wording::Rule::of(finding);
        let rules_before = causes.range(..rule).count();
        outcome(finding, scan.model.threshold, rule, rules_before)
    });
    let run = Run {
        tool: Tool {
            driver: Driver {
                name: scan.tool.name.clone(),
                version: scan.tool.version.clone(),
                rules: causes.iter().map(|(id, cause)| rule(*id, *cause)).collect(),
            },
        },
        invocations: [Invocation {
            execution_successful: true,
            tool_execution_notifications: scan.problems.iter().map(notification).collect(),
        }],
        column_kind: "unicodeCodePoints",
        results: outcomes.collect(),
    };
    Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [run],
    }
}

fn rule(id: wording::Rule, cause: Option<&RootCause>) -> Rule {
    let (title, description, advice) = match cause {
        Some(cause) => (
            cause.title.as_str(),
            format!(
                "The test can pass and fail on the same code: what differs from run to run reaches an assertion ({}).",
                cause.title
            ),
            cause.advice.as_str(),
        ),
        None => (
            "no single cause is known",
            "The test looks like tests that pass and fail on the same code, but nothing on the paths that were \
             searched is a known cause."
                .to_owned(),
            "Look at what reaches the assertions, and run the test many times, alone and in other orders.",
        ),
    };
    Rule {
        id: id.to_string(),
        short_description: Message::new(&format!("Flaky test: {title}")),
        full_description: Message::new(&description),
        help: Message::new(advice),
        default_configuration: Configuration { level: LEVEL },
    }
}

fn outcome(finding: &Finding, threshold: f32, rule: wording::Rule, rule_index: usize) -> Outcome {
    let method = LogicalLocation {
        name: finding.test.method().to_owned(),
        fully_qualified_name: finding.test.to_string(),
        kind: "function",
    };
    let lines = lines(finding.line, finding.end_line);
    let location = Location {
        logical: vec![method],
        ..location(&finding.file, lines)
    };
    let message = Message::new(&wording::sentence(finding, threshold));
    let cause = finding.root_cause.as_ref().filter(|cause| is_elsewhere(cause, finding));
    Outcome {
        rule_id: rule.to_string(),
        rule_index,
        level: LEVEL,
        message: match cause {
            Some(_) => message.linked("the cause", CAUSE_LOCATION),
            None => message,
        },
        locations: [location],
        partial_fingerprints: Fingerprints {
            finding: finding.fingerprint.clone(),
        },
        code_flows: code_flow(&finding.witness).into_iter().collect(),
        related_locations: cause.map(cause_location).into_iter().collect(),
        rank: rank(finding.probability),
        properties: Properties {
            probability: finding.probability,
            proof: finding.proof.clone(),
        },
    }
}

/// The probability in percent, rounded to two digits.
fn rank(probability: f32) -> f64 {
    (f64::from(probability) * 1e4).round() / 1e2
}

fn is_elsewhere(cause: &RootCause, finding: &Finding) -> bool {
    cause.file != finding.file || !(finding.line..=finding.end_line).contains(&cause.line)
}

fn cause_location(cause: &RootCause) -> Location {
    let mut words = format!("the test {}: {}", cause.what, cause.text);
    if !cause.via.is_empty() {
        let _ = write!(words, " (by way of {})", cause.via.join(", "));
    }
    Location {
        id: Some(CAUSE_LOCATION),
        message: Some(Message::new(&words)),
        ..location(&cause.file, lines(cause.line, cause.line))
    }
}

fn code_flow(witness: &[WitnessStep]) -> Option<CodeFlow> {
    let locations: Vec<ThreadFlowLocation> = witness.iter().map(step).collect();
    (!locations.is_empty()).then_some(CodeFlow {
        thread_flows: [ThreadFlow { locations }],
    })
}

fn step(step: &WitnessStep) -> ThreadFlowLocation {
    let place = &step.region;
    let region = lines(place.line, place.end_line).map(|lines| Region {
        start_column: counted(place.column),
        end_column: counted(place.column).and(counted(place.end_column)),
        ..lines
    });
    ThreadFlowLocation {
        location: Location {
            message: Some(Message::new(&format!("{}: {}", wording::role(step.role), step.text))),
            ..location(&place.file, region)
        },
    }
}

fn notification(problem: &Problem) -> Notification {
    Notification {
        level: LEVEL,
        message: Message::new(&problem.message),
        locations: vec![location(&problem.file, None)],
    }
}

fn location(file: &str, region: Option<Region>) -> Location {
    let (scheme, base) = if file.starts_with('/') {
        ("file://", None)
    } else {
        ("", Some("%SRCROOT%"))
    };
    Location {
        id: None,
        physical: PhysicalLocation {
            artifact_location: ArtifactLocation {
                uri: format!("{scheme}{}", percent_encoded(file)),
                uri_base_id: base,
            },
            region,
        },
        logical: Vec::new(),
        message: None,
    }
}

fn lines(first: u32, last: u32) -> Option<Region> {
    counted(first).map(|start_line| Region {
        start_line,
        end_line: Some(last.max(first)),
        ..Region::default()
    })
}

/// A line or column; `None` for zero, which means that it is unknown.
fn counted(number: u32) -> Option<u32> {
    (number > 0).then_some(number)
}

/// A path as a relative reference, with special characters of URIs encoded.
fn percent_encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(char::from(byte)),
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}
