//! A report of `peeler confirm` as JUnit XML. A flaky test is a failure, a failing test is an error, and a test that
//! did not run is skipped.
//!
//! Invariant: the document is well-formed for any text. Characters that XML 1.0 cannot express are written as U+FFFD.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::content::{Report, TestEntry};
use crate::verdict::Status;
use crate::xml::escaped;

/// Writes a report of `peeler confirm` as JUnit XML: one suite for each class, sorted by name.
pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut suites: BTreeMap<&str, Vec<&TestEntry>> = BTreeMap::new();
    for entry in &report.tests {
        suites.entry(entry.verdict.test.class()).or_default().push(entry);
    }
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    let milliseconds = report.cost.milliseconds;
    writeln!(
        out,
        "<testsuites name=\"peeler confirm\" {} time=\"{}.{:03}\">",
        counts(&report.tests.iter().collect::<Vec<_>>()),
        milliseconds / 1000,
        milliseconds % 1000
    )?;
    for (class, entries) in suites {
        writeln!(out, "  <testsuite name=\"{}\" {}>", escaped(class), counts(&entries))?;
        for entry in entries {
            write_case(entry, out)?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

fn counts(entries: &[&TestEntry]) -> String {
    let count = |status: Status| entries.iter().filter(|it| it.verdict.status == status).count();
    format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
        entries.len(),
        count(Status::Flaky),
        count(Status::Failing),
        count(Status::NotRun)
    )
}

fn write_case(entry: &TestEntry, out: &mut dyn Write) -> io::Result<()> {
    let test = &entry.verdict.test;
    let opening = format!(
        "    <testcase name=\"{}\" classname=\"{}\"",
        escaped(test.method()),
        escaped(test.class())
    );
    let (tag, kind) = match entry.verdict.status {
        Status::Stable => return writeln!(out, "{opening}/>"),
        Status::NotRun => {
            let sentence = escaped(&entry.sentence);
            return writeln!(out, "{opening}><skipped message=\"{sentence}\"/></testcase>");
        }
        Status::Flaky => ("failure", "flaky"),
        Status::Failing => ("error", "failing"),
    };
    let sentence = escaped(&entry.sentence);
    writeln!(
        out,
        "{opening}>\n      <{tag} message=\"{sentence}\" type=\"{kind}\">{sentence}"
    )?;
    if let Some(text) = entry.verdict.failure.as_ref().and_then(|it| it.failure.as_deref()) {
        writeln!(out, "{}", escaped(text))?;
    }
    if let Some(command) = entry.proof.as_ref().and_then(|it| it.command.as_deref()) {
        writeln!(out, "see it again: {}", escaped(command))?;
    }
    writeln!(out, "</{tag}>\n    </testcase>")
}

#[cfg(test)]
mod tests {
    use roxmltree::Document;

    use super::super::sample::{report, written};
    use super::*;

    #[test]
    fn every_verdict_has_its_element_and_hostile_text_breaks_none() {
        let mut report = report();
        let failure = report.tests[0].verdict.failure.as_mut().expect("a failure");
        failure.failure = Some("</failure>\u{0}&".to_owned());
        let text = written(write, &report);
        let document = Document::parse(&text).expect("well-formed");
        let root = document.root_element();
        let count = |name: &str| root.attribute(name);
        assert_eq!(
            (count("tests"), count("failures"), count("errors"), count("skipped")),
            (Some("4"), Some("1"), Some("1"), Some("1"))
        );
        let failure = root
            .descendants()
            .find(|it| it.has_tag_name("failure"))
            .expect("a failure");
        assert!(failure.text().expect("a text").contains("</failure>\u{fffd}&"));
    }
}
