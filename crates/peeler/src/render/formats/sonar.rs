//! Findings in SonarQube's generic issue format, which `sonar.externalIssuesReportPaths` imports.
//!
//! ```text
//! {"rules": [{"id": "PLR101", ...}], "issues": [{"ruleId": "PLR101", "primaryLocation": {...}}]}
//! ```
//!
//! The format is that of SonarQube 10.3 and later. Paths must be relative to `sonar.projectBaseDir`, so scan from there.
//! Left out: unreadable files and the scores of tests.

use std::collections::BTreeSet;
use std::io::{self, Write};

use serde_json::{Value, json};

use super::wording::{self, Check};
use crate::finding::{Finding, Region, Scan};

/// The minutes that a fix of one finding is assumed to take.
const EFFORT: u32 = 30;

/// Writes the findings of a scan as generic issues of SonarQube.
pub(crate) fn write(scan: &Scan, out: &mut dyn Write) -> io::Result<()> {
    let checks: BTreeSet<Check> = scan.findings.iter().map(Check::of).collect();
    let rules: Vec<Value> = checks.into_iter().map(rule).collect();
    let issues: Vec<Value> = scan.findings.iter().map(issue).collect();
    serde_json::to_writer_pretty(&mut *out, &json!({"rules": rules, "issues": issues}))?;
    out.write_all(b"\n")
}

fn rule(check: Check) -> Value {
    let (name, description) = match check {
        Check::Rule(rule) => (format!("Flaky test: the test {}", rule.title()), rule.advice()),
        Check::NoCauseFound => (
            "Flaky test: no cause found".to_owned(),
            "Look at what reaches the assertions, and run the test many times.",
        ),
    };
    json!({
        "id": check.to_string(),
        "name": name,
        "description": description,
        "engineId": "peeler",
        "cleanCodeAttribute": "TESTED",
        "impacts": [{"softwareQuality": "RELIABILITY", "severity": "MEDIUM"}],
    })
}

fn issue(finding: &Finding) -> Value {
    let steps = finding.witness.iter().map(|step| {
        json!({
            "message": wording::role(step.role),
            "filePath": step.region.file,
            "textRange": text_range(&step.region),
        })
    });
    json!({
        "ruleId": Check::of(finding).to_string(),
        "effortMinutes": EFFORT,
        "primaryLocation": {
            "message": format!("{}: {}", finding.test.short(), wording::sentence(finding)),
            "filePath": finding.file,
            "textRange": {"startLine": finding.line},
        },
        "secondaryLocations": steps.collect::<Vec<Value>>(),
    })
}

/// The range of a place. SonarQube counts columns from zero.
fn text_range(region: &Region) -> Value {
    if region.column == 0 || region.end_column == 0 {
        return json!({"startLine": region.line});
    }
    json!({
        "startLine": region.line,
        "endLine": region.end_line,
        "startColumn": region.column - 1,
        "endColumn": region.end_column - 1,
    })
}

#[cfg(test)]
mod tests {
    use super::super::made::{self, scan, written};
    use super::*;

    #[test]
    fn an_issue_names_its_rule_and_its_place() {
        let report: Value = serde_json::from_str(&written(write, &scan())).unwrap();
        assert_eq!(report["rules"][0]["id"], "PLR301");
        assert_eq!(report["rules"][0]["engineId"], "peeler");
        let issue = &report["issues"][0];
        assert_eq!(issue["ruleId"], "PLR301");
        assert_eq!(issue["primaryLocation"]["filePath"], made::TEST_FILE);
        assert_eq!(issue["primaryLocation"]["textRange"]["startLine"], 12);
        let ids: Vec<&Value> = report["rules"].as_array().unwrap().iter().map(|it| &it["id"]).collect();
        for issue in report["issues"].as_array().unwrap() {
            assert!(ids.contains(&&issue["ruleId"]), "{issue}");
        }
    }
}
