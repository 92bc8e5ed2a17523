//! Draft issues in Markdown, for a person to read, check and file. Nothing is sent anywhere.
//!
//! ```java
//! @Test void totals() { assertEquals("{a=1, b=2}", new Order().totals().toString()); }   // totals() is a HashMap
//! // 001-order-test-totals.md: Test may be flaky: OrderTest#totals compares text made from an unordered collection
//! ```
//!
//! There is one draft per test, per class, or per line that causes findings.
//!
//! Invariants: each listed finding is in exactly one draft. File names consist of lower-case letters, digits and
//! dashes, and no two are equal. The same scan gives the same drafts. Left out: labels, assignees and everything else
//! that differs between trackers.

mod body;
mod command_names;
mod commands;
mod draft;
mod excerpt;
mod fixes;
pub(crate) mod markdown;
mod overview;
mod reproduce;
#[cfg(test)]
mod tests;

pub(crate) use self::draft::Draft;
pub(crate) use self::overview::{index, inline};

use std::collections::BTreeMap;

use peeler_analysis::CauseKind;

use self::body::{body, short_cause};
use self::markdown::{one_line, shortened, slug};
use crate::build_layout::BuildLayout;
use crate::finding::{Finding, Scan};
use crate::ranking::Rank;

/// The maximum number of tests in a draft issue; larger groups are split into several. Issue trackers refuse texts of
/// more than 65,536 characters.
const MAX_TESTS: usize = 50;
/// The maximum number of characters of a draft issue's title, without an ending such as `(part 1 of 2)`.
const MAX_TITLE: usize = 200;
/// The maximum number of characters of a draft issue's file name, without its number and extension.
const MAX_NAME: usize = 60;

/// What one draft issue is about: a test, a class or a cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grouping {
    /// A draft issue is about one test.
    Test,
    /// A draft issue is about all tests of an outermost class.
    Class,
    /// A draft issue is about all tests whose cause is on the same line. A test without a known cause gets its own
    /// draft.
    Cause,
}

/// Draft issues, in report order, for findings that runs proved, that a rule found or that have at least
/// `min_probability`.
pub(crate) fn drafts(scan: &Scan, grouping: Grouping, builds: &BuildLayout, min_probability: f32) -> Vec<Draft> {
    let groups = groups(scan, grouping, min_probability);
    let total: usize = groups.iter().map(|it| it.len().div_ceil(MAX_TESTS)).sum();
    let digits = total.to_string().len().max(3);
    let mut out: Vec<Draft> = Vec::with_capacity(total);
    for group in &groups {
        let parts = group.len().div_ceil(MAX_TESTS);
        for (findings, part) in group.chunks(MAX_TESTS).zip(1..) {
            let mut title = shortened(&one_line(&title(findings, grouping)), MAX_TITLE);
            if !findings.iter().any(|it| it.is_proven()) {
                title = format!("Unproven: {title}");
            }
            if parts > 1 {
                title = format!("{title} (part {part} of {parts})");
            }
            let name = slug(&subject(findings, grouping), MAX_NAME);
            let dash = if name.is_empty() { "" } else { "-" };
            out.push(Draft {
                file_name: format!("{:0digits$}{dash}{name}.md", out.len() + 1),
                text: body(scan, &title, findings, builds),
                findings: findings.len(),
                title,
            });
        }
    }
    out
}

/// What the findings of one draft issue have in common: the test, the class, or the line of the cause.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key<'f> {
    Test(usize),
    Class(&'f str),
    Cause(CauseKind, &'f str, u32),
}

/// The findings of each draft issue. Groups and findings are in the order in which reports list findings.
fn groups(scan: &Scan, grouping: Grouping, min_probability: f32) -> Vec<Vec<&Finding>> {
    let mut findings: Vec<&Finding> = scan
        .findings
        .iter()
        .filter(|it| Rank::of(it).is_listed(min_probability))
        .collect();
    findings.sort_by(|one, other| Rank::of(one).cmp(&Rank::of(other)));
    let mut places: BTreeMap<Key<'_>, usize> = BTreeMap::new();
    let mut out: Vec<Vec<&Finding>> = Vec::new();
    for (at, finding) in findings.into_iter().enumerate() {
        let key = match (grouping, &finding.root_cause) {
            (Grouping::Class, _) => Key::Class(finding.test.outermost_class()),
            (Grouping::Cause, Some(cause)) => Key::Cause(cause.kind, &cause.file, cause.line),
            (Grouping::Test, _) | (Grouping::Cause, None) => Key::Test(at),
        };
        let place = *places.entry(key).or_insert(out.len());
        match out.get_mut(place) {
            Some(group) => group.push(finding),
            None => out.push(vec![finding]),
        }
    }
    out
}

fn title(findings: &[&Finding], grouping: Grouping) -> String {
    let first = findings[0];
    let cause = short_cause(first);
    if let ([finding], Some(proof)) = (findings, first.proof.as_ref().filter(|_| first.is_proven())) {
        let test = finding.test.short();
        return format!("Test is flaky: {test} {}", proof.counts());
    }
    if let [finding] = findings {
        let gap = if finding.root_cause.is_some() { " " } else { ", " };
        return format!("Test may be flaky: {}{gap}{cause}", finding.test.short());
    }
    let tests = findings.len();
    let is_shared = findings.iter().all(|it| short_cause(it) == cause) && first.root_cause.is_some();
    if let (Grouping::Cause, Some(root)) = (grouping, &first.root_cause) {
        let place = format!("{}, line {}", file_name(&root.file), root.line);
        return format!("{tests} tests may be flaky: each {cause} ({place})");
    }
    let shared = if is_shared {
        format!(": each {cause}")
    } else {
        String::new()
    };
    format!("{tests} tests of {} may be flaky{shared}", class_name(first))
}

/// The subject of a draft issue, from which its file name is made: `OrderTest#totals`.
fn subject(findings: &[&Finding], grouping: Grouping) -> String {
    let first = findings[0];
    match (grouping, &first.root_cause) {
        (Grouping::Class, _) => class_name(first).to_owned(),
        (Grouping::Cause, Some(cause)) => {
            let file = file_name(&cause.file);
            let stem = file.strip_suffix(".java").unwrap_or(file);
            format!("{} {stem} {}", cause.kind.id(), cause.line)
        }
        _ => first.test.short().to_owned(),
    }
}

fn class_name(finding: &Finding) -> &str {
    let class = finding.test.outermost_class();
    class.rsplit('.').next().unwrap_or(class)
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
