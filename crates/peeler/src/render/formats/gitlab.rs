//! Findings as a Code Quality report, which GitLab shows in merge requests.
//!
//! GitLab drops all but one entry with the same fingerprint. Where several findings have the same one, such as copies
//! of a test in two scanned folders, a hash of the file is added. Left out: unreadable files and the scores of tests.

use std::collections::HashMap;
use std::io::{self, Write};

use peeler_features::content_hash;
use serde::Serialize;

use super::wording::{self, Check};
use crate::finding::{Finding, Scan};

/// The lowest probability that gives a finding major severity. Findings that runs proved or whose flow starts in the
/// test have it at any probability.
const MAJOR: f32 = 0.8;

/// Writes a GitLab Code Quality report: a JSON array with one entry for each finding.
pub(crate) fn write(scan: &Scan, out: &mut dyn Write) -> io::Result<()> {
    let mut times: HashMap<&str, usize> = HashMap::new();
    for finding in &scan.findings {
        *times.entry(&finding.fingerprint).or_default() += 1;
    }
    let fingerprint = |it: &Finding| match times[it.fingerprint.as_str()] {
        1 => it.fingerprint.clone(),
        _ => format!("{}-{:016x}", it.fingerprint, content_hash(it.file.as_bytes())),
    };
    let entries: Vec<Entry<'_>> = scan.findings.iter().map(|it| entry(it, fingerprint(it))).collect();
    serde_json::to_writer_pretty(&mut *out, &entries)?;
    out.write_all(b"\n")
}

fn entry(finding: &Finding, fingerprint: String) -> Entry<'_> {
    Entry {
        description: format!("{}: {}", finding.test.short(), wording::sentence(finding)),
        check_name: Check::of(finding).to_string(),
        fingerprint,
        severity: severity(finding),
        location: Location {
            path: &finding.file,
            lines: Lines {
                begin: finding.line,
                end: finding.end_line,
            },
        },
    }
}

fn severity(finding: &Finding) -> Severity {
    let in_test = finding.rules.iter().any(|it| it.origin.is_direct());
    if finding.below_threshold {
        Severity::Info
    } else if finding.probability >= MAJOR || finding.is_proven() || in_test {
        Severity::Major
    } else {
        Severity::Minor
    }
}

#[derive(Serialize)]
struct Entry<'a> {
    description: String,
    check_name: String,
    fingerprint: String,
    severity: Severity,
    location: Location<'a>,
}

/// The severity of a finding in GitLab. It is never worse than major, because the code under test may be correct.
#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Severity {
    /// A test below the threshold, which is no finding.
    Info,
    Minor,
    Major,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
    end: u32,
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::made::{self, HOSTILE, scan, written};
    use super::*;
    use crate::finding::Origin;

    fn entries(scan: &Scan) -> Vec<Value> {
        serde_json::from_str(&written(write, scan)).unwrap()
    }

    #[test]
    fn an_entry_has_the_fields_that_gitlab_asks_for() {
        let expected = json!({
            "description": "OrderTest#total: the test depends on the clock (found by the rule PLR301 and by the network, with a \
                            probability of 93 percent; it failed 3 of 100 runs; it fails when it is late)",
            "check_name": "PLR301",
            "fingerprint": "0123456789abcdef",
            "severity": "major",
            "location": {"path": made::TEST_FILE, "lines": {"begin": 12, "end": 20}},
        });
        assert_eq!(entries(&scan())[0], expected);
    }

    #[test]
    fn a_finding_without_a_cause_has_a_check_too() {
        let entry = &entries(&scan())[1];
        assert_eq!(entry["check_name"], "peeler/no-cause-found");
        let expected = format!("BasketTest$Empty#isEmpty: {HOSTILE}");
        assert!(entry["description"].as_str().unwrap().starts_with(&expected), "{entry}");
    }

    #[test]
    fn tests_of_one_name_in_two_roots_have_fingerprints_of_their_own() {
        let mut scan = scan();
        let mut copy = scan.findings[0].clone();
        copy.file = "other/OrderTest.java".to_owned();
        scan.findings.push(copy);
        let fingerprints: Vec<String> = entries(&scan)
            .iter()
            .map(|it| it["fingerprint"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(fingerprints[1], "fedcba9876543210", "nobody else has it");
        assert_ne!(fingerprints[0], fingerprints[2]);
        assert!(fingerprints[2].starts_with("0123456789abcdef-"), "{fingerprints:?}");
    }

    #[test]
    fn a_finding_is_major_from_eighty_percent_on_or_when_it_is_proven_or_in_the_test() {
        let mut finding = scan().findings.remove(0);
        finding.probability = 0.1;
        assert_eq!(severity(&finding), Severity::Major);
        finding.proof = None;
        finding.probability = 0.79;
        assert_eq!(severity(&finding), Severity::Minor);
        finding.rules[0].origin = Origin::Body;
        assert_eq!(severity(&finding), Severity::Major);
        finding.rules.clear();
        assert_eq!(severity(&finding), Severity::Minor);
        finding.probability = 0.8;
        assert_eq!(severity(&finding), Severity::Major);
    }

    #[test]
    fn no_findings_are_an_empty_report() {
        let mut scan = scan();
        scan.findings.clear();
        assert_eq!(written(write, &scan), "[]\n");
    }
}
