//! A scan as JUnit XML, which build servers show among the tests.
//!
//! A class is a suite and a finding a failed test case. With `--all` the other tests pass, including those whose
//! finding is suppressed or in the baseline. Names of classes begin with `peeler.`, so that a build server does not take
//! them for results of the tests themselves. Left out: unreadable files.
//!
//! Invariant: the document is well-formed XML. Characters that XML 1.0 cannot express become U+FFFD.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};

use peeler_features::TestName;
use peeler_rerun::xml::escaped;

use super::wording::{self, Check};
use crate::finding::{Finding, Scan, TestScore};

/// The start of the names of suites and classes, which real results of these classes do not have.
const PREFIX: &str = "peeler.";

/// Writes a scan as JUnit XML: suites sorted by name, each with its failed test cases first.
pub(crate) fn write(scan: &Scan, out: &mut dyn Write) -> io::Result<()> {
    let suites = suites(scan);
    let failures = scan.summary.findings;
    let tests = suites.values().map(Suite::tests).sum::<usize>();
    let (seconds, milliseconds) = (scan.summary.milliseconds / 1000, scan.summary.milliseconds % 1000);
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        out,
        "<testsuites name=\"{}\" {} time=\"{seconds}.{milliseconds:03}\">",
        escaped(&scan.tool.name),
        counts(tests, failures)
    )?;
    for (class, suite) in &suites {
        let counts = counts(suite.tests(), suite.failures());
        writeln!(out, "  <testsuite name=\"{PREFIX}{}\" {counts}>", escaped(class))?;
        for finding in &suite.failed {
            write_failed(finding, out)?;
        }
        for test in &suite.passed {
            let opening = opening(&test.test, &test.file, test.line);
            writeln!(out, "    {opening}/>")?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

/// The test cases of a class, as a suite of JUnit XML.
#[derive(Default)]
struct Suite<'a> {
    failed: Vec<&'a Finding>,
    passed: Vec<&'a TestScore>,
}

impl Suite<'_> {
    fn failures(&self) -> usize {
        self.failed.iter().filter(|it| !it.below_threshold).count()
    }

    fn tests(&self) -> usize {
        self.failed.len() + self.passed.len()
    }
}

fn suites(scan: &Scan) -> BTreeMap<&str, Suite<'_>> {
    let mut suites: BTreeMap<&str, Suite<'_>> = BTreeMap::new();
    let mut found = HashSet::new();
    for finding in &scan.findings {
        suites.entry(finding.test.class()).or_default().failed.push(finding);
        found.insert((&finding.test, &finding.file, finding.line));
        let inherited = finding.inherited_by.iter();
        found.extend(inherited.map(|it| (&it.test, &finding.file, finding.line)));
    }
    for test in scan.tests.iter().flatten() {
        if !found.contains(&(&test.test, &test.file, test.line)) {
            suites.entry(test.test.class()).or_default().passed.push(test);
        }
    }
    suites
}

fn counts(tests: usize, failures: usize) -> String {
    format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\"")
}

/// The beginning of the opening tag of a `testcase` element, up to its last attribute.
fn opening(test: &TestName, file: &str, line: u32) -> String {
    format!(
        "<testcase name=\"{}\" classname=\"{PREFIX}{}\" file=\"{}\" line=\"{line}\"",
        escaped(test.method()),
        escaped(test.class()),
        escaped(file)
    )
}

fn write_failed(finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
    let sentence = escaped(&wording::sentence(finding));
    let kind = escaped(&Check::of(finding).to_string());
    writeln!(out, "    {}>", opening(&finding.test, &finding.file, finding.line))?;
    if finding.below_threshold {
        return writeln!(out, "      <system-out>{sentence}</system-out>\n    </testcase>");
    }
    writeln!(out, "      <failure message=\"{sentence}\" type=\"{kind}\">{sentence}")?;
    for step in &finding.witness {
        let (role, region) = (wording::role(step.role), &step.region);
        let (file, text) = (escaped(&region.file), escaped(&step.text));
        writeln!(out, "{file}:{}: {role}: {text}", region.line)?;
    }
    if let Some(again) = wording::again(finding) {
        writeln!(out, "{}", escaped(&again))?;
    }
    if let Some(cause) = &finding.root_cause {
        writeln!(out, "{}", escaped(&cause.advice))?;
    }
    writeln!(out, "</failure>\n    </testcase>")
}

#[cfg(test)]
mod tests {
    use roxmltree::{Document, Node};

    use super::super::made::{self, HOSTILE, scan, scan_with_tests, written};
    use super::*;

    fn elements<'a>(document: &'a Document<'_>, name: &str) -> Vec<Node<'a, 'a>> {
        document.descendants().filter(|node| node.has_tag_name(name)).collect()
    }

    #[test]
    fn a_class_is_a_suite_and_a_finding_a_failure() {
        let text = written(write, &scan());
        let document = Document::parse(&text).unwrap();
        let names: Vec<_> = elements(&document, "testsuite")
            .iter()
            .map(|suite| suite.attribute("name"))
            .collect();
        assert_eq!(
            names,
            [Some("peeler.shop.BasketTest$Empty"), Some("peeler.shop.OrderTest")]
        );
        let case = elements(&document, "testcase")[1];
        assert_eq!(case.attribute("name"), Some("total"));
        assert_eq!(case.attribute("classname"), Some("peeler.shop.OrderTest"));
        assert_eq!(case.attribute("file"), Some(made::TEST_FILE));
        assert_eq!(case.attribute("line"), Some("12"));
        assert_eq!(elements(&document, "failure")[1].attribute("type"), Some("PLR301"));
    }

    #[test]
    fn the_other_tests_pass_where_they_were_asked_for() {
        let text = written(write, &scan_with_tests());
        let document = Document::parse(&text).unwrap();
        let root = document.root_element();
        assert_eq!(
            (root.attribute("tests"), root.attribute("failures")),
            (Some("3"), Some("2"))
        );
        assert_eq!(root.attribute("time"), Some("1.024"));
        let passed: Vec<_> = elements(&document, "testcase")
            .iter()
            .filter(|case| !case.has_children())
            .filter_map(|case| case.attribute("name"))
            .collect();
        assert_eq!(passed, ["discount"]);
    }

    #[test]
    fn hostile_text_comes_back_but_for_what_xml_forbids() {
        let mut scan = scan();
        scan.findings[1].file = HOSTILE.to_owned();
        let text = written(write, &scan);
        let document = Document::parse(&text).unwrap();
        let expected = HOSTILE.replace(['\u{1}', '\u{1b}', '\u{fffe}'], "\u{fffd}");
        let failure = elements(&document, "failure")[0];
        assert_eq!(elements(&document, "testcase")[0].attribute("file"), Some(&*expected));
        assert!(failure.attribute("message").unwrap().starts_with(&expected));
        assert!(failure.text().unwrap().starts_with(&expected));
    }

    #[test]
    fn a_failure_shows_the_witness_and_the_advice() {
        let text = written(write, &scan());
        let document = Document::parse(&text).unwrap();
        let body = elements(&document, "failure")[1].text().unwrap();
        let source = format!("{}:30: it begins here: Instant.now()", made::CODE_FILE);
        assert!(body.contains(&source), "{body}");
        assert!(
            body.ends_with("--test 'shop.OrderTest#total'\nPass a fixed clock in.\n"),
            "{body}"
        );
    }

    #[test]
    fn no_findings_are_no_suites() {
        let mut scan = scan();
        scan.findings.clear();
        let text = written(write, &scan);
        assert!(elements(&Document::parse(&text).unwrap(), "testsuite").is_empty());
    }
}
