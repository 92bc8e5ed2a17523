//! Findings as SARIF 2.1.0, which code hosts and editors read.
//!
//! A rule of Peeler is a SARIF rule, a finding a result, each of its flows a code flow, and an unreadable file a
//! notification. Files are relative to `%SRCROOT%`: the root of the git repository, or the working directory outside of
//! git. A path is absolute only if several roots were scanned and its root was given as an absolute path.
//!
//! Left out: tests below the threshold, graphs and excerpts.

mod log;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write};

use self::log::{
    ArtifactLocation, CodeFlow, Configuration, Descriptor, DescriptorProperties, Driver, Fingerprints, Help,
    Invocation, Location, Log, LogicalLocation, Message, Notification, Outcome, PhysicalLocation, Properties, Region,
    Run, ThreadFlow, ThreadFlowLocation, Tool,
};
use super::wording::{self, Check};
use crate::finding::{Finding, FlowPlace, Problem, Role, RootCause, RuleMatch, Scan};
use crate::rule_pages;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
const LEVEL: &str = "warning";
/// The identifier of the location of the root cause, which the message of a SARIF result links to.
const CAUSE_LOCATION: u32 = 1;

/// Writes a scan as a SARIF log with one run.
pub(crate) fn write(scan: &Scan, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &log(scan))?;
    out.write_all(b"\n")
}

fn log(scan: &Scan) -> Log {
    let checks: BTreeSet<Check> = scan.findings.iter().map(Check::of).collect();
    let outcomes = scan.findings.iter().map(|finding| {
        let check = Check::of(finding);
        outcome(finding, check, checks.range(..check).count())
    });
    let run = Run {
        tool: Tool {
            driver: Driver {
                name: scan.tool.name.clone(),
                version: scan.tool.version.clone(),
                rules: checks.iter().map(|it| descriptor(*it)).collect(),
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

fn descriptor(check: Check) -> Descriptor {
    let configuration = Configuration { level: LEVEL };
    match check {
        Check::Rule(rule) => Descriptor {
            id: check.to_string(),
            name: Some(rule.name()),
            short_description: Message::new(&format!("Flaky test: the test {}", rule.title())),
            full_description: Message::new(&format!(
                "The test can pass and fail on the same code: the test {}.",
                rule.title()
            )),
            help_uri: rule_pages::address(rule),
            help: Help {
                text: Message::new(rule.advice()).text,
                markdown: Some(rule_pages::page(rule)),
            },
            default_configuration: configuration,
            properties: Some(DescriptorProperties {
                tags: ["flaky-test", rule.family().name()],
            }),
        },
        Check::NoCauseFound => Descriptor {
            id: check.to_string(),
            name: None,
            short_description: Message::new("Flaky test: no cause found"),
            full_description: Message::new(
                "The network finds the test similar to tests that pass and fail on the same code, or runs proved it \
                 flaky. No rule found a cause.",
            ),
            help_uri: None,
            help: Help {
                text: "Look at what reaches the assertions, and run the test many times, alone and in other orders."
                    .to_owned(),
                markdown: None,
            },
            default_configuration: configuration,
            properties: None,
        },
    }
}

fn outcome(finding: &Finding, check: Check, rule_index: usize) -> Outcome {
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
    let message = Message::new(&wording::sentence(finding));
    let cause = finding.root_cause.as_ref().filter(|cause| is_elsewhere(cause, finding));
    Outcome {
        rule_id: check.to_string(),
        rule_index,
        level: if finding.below_threshold { "note" } else { LEVEL },
        message: match cause {
            Some(_) => message.linked("the cause", CAUSE_LOCATION),
            None => message,
        },
        locations: [location],
        partial_fingerprints: Fingerprints {
            finding: finding.fingerprint.clone(),
        },
        code_flows: finding.rules.iter().map(code_flow).collect(),
        related_locations: cause.map(cause_location).into_iter().collect(),
        rank: rank(finding.probability),
        properties: Properties {
            probability: finding.probability,
            found_by: finding.found_by,
            rules: finding.rules.iter().map(|it| it.rule).collect(),
            proof: finding.proof.clone(),
        },
    }
}

/// The rank of a SARIF result: the probability in percent, rounded to two digits.
fn rank(probability: f32) -> f64 {
    (f64::from(probability) * 1e4).round() / 1e2
}

fn is_elsewhere(cause: &RootCause, finding: &Finding) -> bool {
    cause.file != finding.file || !(finding.line..=finding.end_line).contains(&cause.line)
}

fn cause_location(cause: &RootCause) -> Location {
    let words = format!("the test {}: {}", cause.what, cause.text);
    Location {
        id: Some(CAUSE_LOCATION),
        message: Some(Message::new(&words)),
        ..location(&cause.file, lines(cause.line, cause.line))
    }
}

fn code_flow(shown: &RuleMatch) -> CodeFlow {
    let mut locations = vec![step(Role::Source, &shown.source)];
    locations.extend(shown.steps.iter().map(|it| step(Role::Step, it)));
    locations.extend(shown.oracle.iter().map(|it| step(Role::Assertion, it)));
    CodeFlow {
        thread_flows: [ThreadFlow { locations }],
    }
}

fn step(role: Role, place: &FlowPlace) -> ThreadFlowLocation {
    let range = &place.region;
    let region = lines(range.line, range.end_line).map(|lines| Region {
        start_column: counted(range.column),
        end_column: counted(range.column).and(counted(range.end_column)),
        ..lines
    });
    ThreadFlowLocation {
        location: Location {
            message: Some(Message::new(&format!("{}: {}", wording::role(role), place.text))),
            ..location(&range.file, region)
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

/// A line or column number of a SARIF region; `None` for zero, which means that it is unknown.
fn counted(number: u32) -> Option<u32> {
    (number > 0).then_some(number)
}

/// A path as a relative URI reference, with special characters encoded: `a b.java` becomes `a%20b.java`.
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
