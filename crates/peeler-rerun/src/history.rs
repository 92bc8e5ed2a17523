//! History: runs of tests in earlier builds, read from their JUnit XML reports.
//!
//! Surefire and Gradle write JUnit XML. A test that Surefire reran has `flakyFailure` or `flakyError` elements if it
//! passed in the end. If it never passed, it has `rerunFailure` or `rerunError` beside its `failure`.
//!
//! ```xml
//! <testcase name="adds" classname="shop.BasketTest" time="0.2"><flakyFailure message="..."/></testcase>
//! ```
//!
//! Invariant: all reports of a folder are assumed to be of the same code, because a report does not name its code.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use peeler_features::TestName;
use roxmltree::{Document, Node};

use crate::evidence::{Event, Outcome, Run, Stage};
use crate::perturbation::Perturbation;

/// The test runs in the JUnit XML reports of a folder, and the files that cannot be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct History {
    /// One event for each run of a test in the JUnit XML reports.
    pub events: Vec<Event>,
    /// The number of JUnit XML reports that were read.
    pub reports: usize,
    /// The XML files that cannot be read, each with the reason.
    pub problems: Vec<(PathBuf, String)>,
}

/// Reads all JUnit XML reports below a folder, in the order of their paths.
///
/// # Errors
///
/// When the folder cannot be read.
pub fn read(folder: &Path) -> std::io::Result<History> {
    let mut files = Vec::new();
    xml_files(folder, &mut files)?;
    files.sort();
    let mut history = History::default();
    for file in files {
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) => {
                history.problems.push((file, error.to_string()));
                continue;
            }
        };
        history.add_report(file, &text);
    }
    Ok(history)
}

impl History {
    /// Adds the test runs of a JUnit XML report, or a problem if its text is not XML. Other XML is ignored.
    pub fn add_report(&mut self, file: PathBuf, text: &str) {
        match report_runs(text) {
            Ok(Some(runs)) => {
                self.reports += 1;
                self.events.extend(runs.into_iter().map(Event::Run));
            }
            Ok(None) => {}
            Err(error) => self.problems.push((file, error.to_string())),
        }
    }
}

fn xml_files(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in folder.read_dir()? {
        let entry = entry?;
        let path = entry.path();
        // A symbolic link may lead to a parent folder.
        if entry.file_type()?.is_dir() {
            xml_files(&path, found)?;
        } else if path.extension().is_some_and(|it| it.eq_ignore_ascii_case("xml")) {
            found.push(path);
        }
    }
    Ok(())
}

/// The test runs of a JUnit XML report; `None` if the XML is something else.
fn report_runs(text: &str) -> Result<Option<Vec<Run>>, roxmltree::Error> {
    let document = Document::parse(text)?;
    let root = document.root_element();
    let is_suite = |it: &Node<'_, '_>| matches!(it.tag_name().name(), "testsuite" | "testsuites");
    // JUnit XML that Peeler itself wrote for a build server contains no runs.
    let is_ours = matches!(root.attribute("name"), Some("peeler" | "peeler confirm"));
    if !is_suite(&root) || is_ours {
        return Ok(None);
    }
    let suites = root.descendants().filter(is_suite);
    Ok(Some(suites.flat_map(suite_runs).collect()))
}

/// A `testcase` element of a JUnit XML report.
struct Case<'x> {
    /// The name in the report: the method of the test, perhaps with a parameter set, such as `adds(int)[1]`.
    name: &'x str,
    /// All failed runs of the test case, those before a retry included.
    failed: Vec<Run>,
    /// The last run of the test case, which determines its outcome.
    last: Run,
}

/// The test runs of a `testsuite` element in a JUnit XML report.
///
/// A method with several parameter sets counts as one test, which passes if all sets pass. A set that always fails
/// beside a set that always passes is not a change of outcome.
fn suite_runs(suite: Node<'_, '_>) -> Vec<Run> {
    let mut methods: BTreeMap<TestName, Vec<Case<'_>>> = BTreeMap::new();
    for case in suite.children().filter(|it| it.has_tag_name("testcase")) {
        if let Some((test, case)) = read_case(case) {
            methods.entry(test).or_default().push(case);
        }
    }
    methods.into_values().flat_map(method_runs).collect()
}

fn method_runs(cases: Vec<Case<'_>>) -> Vec<Run> {
    let cases = without_retries(cases);
    let is = |outcome: Outcome| move |it: &&Case<'_>| it.last.outcome == outcome;
    let Some(decisive) = cases
        .iter()
        .find(is(Outcome::Failed))
        .or_else(|| cases.iter().find(is(Outcome::Passed)))
        .or(cases.first())
    else {
        return Vec::new();
    };
    let likewise = cases.iter().filter(is(decisive.last.outcome));
    let most_failed = likewise.max_by_key(|it| it.failed.len()).unwrap_or(decisive);
    let mut runs = most_failed.failed.clone();
    if decisive.last.outcome != Outcome::Failed {
        runs.push(decisive.last.clone());
    }
    runs
}

/// Merges test cases that are retries of one test into one case with several runs.
///
/// Gradle writes retries as cases of the same name, of which all but the last failed. `TestNG` writes data rows in the
/// same form, but several of them may pass, so data rows are not merged.
fn without_retries(cases: Vec<Case<'_>>) -> Vec<Case<'_>> {
    let mut by_name: BTreeMap<&str, Vec<Case<'_>>> = BTreeMap::new();
    for case in cases {
        by_name.entry(case.name).or_default().push(case);
    }
    let mut out = Vec::new();
    for mut same in by_name.into_values() {
        let are_retries = same.iter().rev().skip(1).all(|it| it.last.outcome == Outcome::Failed);
        if are_retries && let Some(mut last) = same.pop() {
            let before: Vec<Run> = same.into_iter().flat_map(|it| it.failed).collect();
            last.failed.splice(0..0, before);
            out.push(last);
        } else {
            out.extend(same);
        }
    }
    out
}

fn read_case<'x>(case: Node<'x, '_>) -> Option<(TestName, Case<'x>)> {
    let attribute = |name| case.attribute(name).unwrap_or("");
    // Parameter sets are written as `adds(int)[1]` or `adds{int}[1]`.
    let method = attribute("name").split(['[', '(', '{']).next().unwrap_or("").trim();
    let test: TestName = format!("{}#{method}", attribute("classname")).parse().ok()?;
    let milliseconds = milliseconds(attribute("time"));
    let run = |outcome: Outcome, about: Option<Node<'_, '_>>| Run {
        test: test.clone(),
        stage: Stage::History,
        jvm: 0,
        perturbation: Perturbation::None,
        outcome,
        milliseconds,
        failure: about.map(failure_text).filter(|it| !it.is_empty()),
    };
    let named = |names: &'static [&'static str]| {
        let children = case.children().filter(Node::is_element);
        children.filter(move |it| names.contains(&it.tag_name().name()))
    };
    let failed: Vec<Run> = named(&["failure", "error"])
        .chain(named(&["rerunFailure", "rerunError", "flakyFailure", "flakyError"]))
        .map(|it| run(Outcome::Failed, Some(it)))
        .collect();
    let failed_in_the_end = named(&["failure", "error"]).next().is_some();
    let last = match (named(&["skipped"]).next(), failed.first()) {
        (Some(skipped), _) => run(Outcome::Skipped, Some(skipped)),
        (None, Some(first)) if failed_in_the_end => first.clone(),
        _ => run(Outcome::Passed, None),
    };
    let name = case.attribute("name").unwrap_or("");
    Some((test, Case { name, failed, last }))
}

/// The milliseconds of a time in seconds, as Surefire and Gradle write it: `0.25` or `1,234.5`. 0 if it is not a
/// number.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a time that is no number or negative becomes 0"
)]
fn milliseconds(time: &str) -> u64 {
    let seconds: f64 = time.replace(',', "").parse().unwrap_or(0.0);
    (seconds * 1000.0).ceil() as u64
}

fn failure_text(node: Node<'_, '_>) -> String {
    const LONGEST: usize = 2_000;
    let nested = node.children().find(|it| it.has_tag_name("stackTrace"));
    let text = nested.unwrap_or(node).text().unwrap_or("").trim();
    let text = if text.is_empty() {
        node.attribute("message").unwrap_or("")
    } else {
        text
    };
    text.chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::{Status, verdicts};

    fn check(files: &[(&str, &str)]) -> History {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        read(folder.path()).expect("a history")
    }

    fn status(history: &History) -> Vec<(String, Status, u32, u32)> {
        verdicts(&history.events, &[])
            .into_iter()
            .map(|it| (it.test.to_string(), it.status, it.runs, it.failures))
            .collect()
    }

    #[test]
    fn surefire_reports_of_reruns_are_evidence() {
        let report = r#"<testsuite name="shop.BasketTest">
          <testcase name="adds" classname="shop.BasketTest" time="1,000.5">
            <flakyFailure message="m"><stackTrace>at adds</stackTrace><system-out>noise</system-out></flakyFailure>
            <flakyError message="n"/>
          </testcase>
          <testcase name="broken" classname="shop.BasketTest">
            <failure>f</failure><rerunFailure>g</rerunFailure>
          </testcase>
          <testcase name="off" classname="shop.BasketTest"><skipped message="later"/></testcase>
          <testcase name="each{int}[1]" classname="shop.BasketTest"/>
        </testsuite>"#;
        let history = check(&[("TEST-shop.xml", report)]);
        let expected = [
            ("shop.BasketTest#adds".to_owned(), Status::Flaky, 3, 2),
            ("shop.BasketTest#broken".to_owned(), Status::Failing, 2, 2),
            ("shop.BasketTest#each".to_owned(), Status::Stable, 1, 0),
            ("shop.BasketTest#off".to_owned(), Status::NotRun, 0, 0),
        ];
        assert_eq!(status(&history), expected);
        let Event::Run(first) = &history.events[0] else {
            panic!("a run")
        };
        assert_eq!(
            (first.milliseconds, first.failure.as_deref()),
            (1_000_500, Some("at adds"))
        );
    }

    #[test]
    fn several_runs_of_one_test_stand_in_several_files() {
        let passed = r#"<testsuites><testsuite><testcase name="t" classname="a.T"/></testsuite></testsuites>"#;
        let failed = r#"<testsuite><testcase name="t" classname="a.T"><error message="e"/></testcase></testsuite>"#;
        let history = check(&[
            ("one/TEST-a.xml", passed),
            ("two/TEST-a.xml", failed),
            ("three/TEST-a.xml", passed),
        ]);
        assert_eq!(history.reports, 3);
        assert_eq!(status(&history), [("a.T#t".to_owned(), Status::Flaky, 3, 1)]);
    }

    #[test]
    fn a_parameter_set_that_always_fails_beside_one_that_passes_is_no_change_of_outcome() {
        let report = r#"<testsuite>
          <testcase name="each{int}[1]" classname="a.T"><failure>f</failure></testcase>
          <testcase name="each{int}[2]" classname="a.T"/>
          <testcase name="row" classname="a.T"/>
          <testcase name="row" classname="a.T"><failure>f</failure></testcase>
          <testcase name="row" classname="a.T"/>
          <testcase name="late[1]" classname="a.T"/>
          <testcase name="late[2]" classname="a.T"><flakyFailure>f</flakyFailure></testcase>
        </testsuite>"#;
        let expected = [
            ("a.T#each".to_owned(), Status::Failing, 1, 1),
            ("a.T#late".to_owned(), Status::Flaky, 2, 1),
            ("a.T#row".to_owned(), Status::Failing, 1, 1),
        ];
        assert_eq!(status(&check(&[("TEST-a.xml", report)])), expected);
    }

    #[test]
    fn retries_of_gradle_are_runs_of_one_test() {
        let report = r#"<testsuite>
          <testcase name="t" classname="a.T"><failure>f</failure></testcase>
          <testcase name="t" classname="a.T"><failure>f</failure></testcase>
          <testcase name="t" classname="a.T"/>
        </testsuite>"#;
        let history = check(&[("TEST-a.xml", report)]);
        assert_eq!(status(&history), [("a.T#t".to_owned(), Status::Flaky, 3, 2)]);
    }

    #[test]
    fn what_is_no_report_is_left_out_and_what_is_broken_is_named() {
        let ours =
            r#"<testsuites name="peeler"><testsuite><testcase name="t" classname="a.T"/></testsuite></testsuites>"#;
        let history = check(&[
            ("pom.xml", "<project/>"),
            ("TEST-half.xml", "<testsuite><testcase"),
            ("scan.xml", ours),
        ]);
        assert_eq!((history.reports, history.events.len()), (0, 0));
        assert!(history.problems[0].0.ends_with("TEST-half.xml"));
    }
}
