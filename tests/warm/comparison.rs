//! Compares everything that a scan with cached results reports with what a scan without them reports.

use serde_json::Value;

use crate::support::{Project, Ran};

/// The options of a scan with cached results.
const WARM: [&str; 3] = ["--exit-zero", "--cache-dir", "cache"];
/// The options of a scan without cached results.
const COLD: [&str; 2] = ["--exit-zero", "--no-cache"];

/// Scans a project so that later scans have cached results.
pub(crate) fn warm_up(project: &Project, options: &[&str]) {
    scan(project, options, &WARM);
}

/// The first difference between a warm and a cold scan; `None` if both report the same.
pub(crate) fn difference(project: &Project, options: &[&str]) -> Option<String> {
    let (warm, cold) = (scan(project, options, &WARM), scan(project, options, &COLD));
    if warm == cold {
        return None;
    }
    let parsed = |it: &str| serde_json::from_str::<Value>(it).ok();
    let in_json = match (parsed(&warm), parsed(&cold)) {
        (Some(warm), Some(cold)) => value_difference(&warm, &cold, ""),
        _ => None,
    };
    let line = || {
        let pairs = warm.lines().zip(cold.lines());
        let (warm, cold) = pairs.into_iter().find(|(warm, cold)| warm != cold)?;
        Some(format!("warm {warm}\ncold {cold}"))
    };
    let difference = in_json.or_else(line);
    Some(difference.unwrap_or_else(|| "one report is longer than the other".to_owned()))
}

/// The output of a scan with its exit status, without its time and the number of reused tests.
fn scan(project: &Project, options: &[&str], cache: &[&str]) -> String {
    let Ran { code, stdout, stderr } = project.peeler(&[&["scan"], options, cache].concat());
    assert!(
        matches!(code, Some(0 | 2)) && !stderr.contains("panicked"),
        "{options:?} {code:?}: {stderr}"
    );
    let mut report = stdout;
    for key in ["\"milliseconds\":", "\"reused\":", " time=\""] {
        report = without_numbers(&report, key);
    }
    if options.contains(&"text") {
        report = without_summary(&report);
    }
    // A JSON report stays JSON if nothing is added to it.
    if code == Some(0) && stderr.is_empty() {
        report
    } else {
        format!("{report}\n{code:?} {stderr}")
    }
}

/// A report without the numbers that follow a key.
fn without_numbers(report: &str, key: &str) -> String {
    let mut parts = report.split(key);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(key);
        out.push('0');
        out.push_str(part.trim_start_matches([' ', '.', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']));
    }
    out
}

/// A text report without time and number of reused tests, which are parts of the summary between commas and semicolons.
fn without_summary(report: &str) -> String {
    let is_kept = |part: &&str| !part.ends_with("as in an earlier scan");
    let lines = report.lines().map(|line| match line.rsplit_once(", ") {
        Some((counts, rest)) if line.contains(" among ") => {
            let parts: Vec<&str> = rest.split("; ").skip(1).filter(is_kept).collect();
            format!("{counts}; {}", parts.join("; "))
        }
        _ => line.to_owned(),
    });
    lines.collect::<Vec<String>>().join("\n")
}

/// The first difference of two JSON values, as a JSON pointer with both values.
fn value_difference(warm: &Value, cold: &Value, at: &str) -> Option<String> {
    let none = &Value::Null;
    let inside: Vec<(String, &Value, &Value)> = match (warm, cold) {
        (Value::Object(warm), Value::Object(cold)) => warm
            .keys()
            .chain(cold.keys())
            .map(|key| {
                (
                    key.clone(),
                    warm.get(key).unwrap_or(none),
                    cold.get(key).unwrap_or(none),
                )
            })
            .collect(),
        (Value::Array(warm), Value::Array(cold)) => (0..warm.len().max(cold.len()))
            .map(|at| {
                (
                    at.to_string(),
                    warm.get(at).unwrap_or(none),
                    cold.get(at).unwrap_or(none),
                )
            })
            .collect(),
        _ => return (warm != cold).then(|| format!("{at}: warm {warm}, cold {cold}")),
    };
    inside
        .iter()
        .find_map(|(key, warm, cold)| value_difference(warm, cold, &format!("{at}/{key}")))
}
