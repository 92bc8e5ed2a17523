//! Merges the scans of several roots into one report.
//!
//! ```text
//! peeler scan services/orders services/billing
//! services/orders/src/test/java/OrderTest.java:12      a file starts with the folders of its root
//! ```
//!
//! Every root is a repository of its own, with its own settings: code of one root is not code under test of another.
//!
//! Invariant: no file belongs to two roots, so nothing is found or counted twice.

use std::path::PathBuf;

use anyhow::bail;

use crate::finding::{Finding, Scan, Summary};
use crate::named_root::NamedRoot;
use crate::ranking::{self, LIKELIEST};

/// Returns an error if one scanned path is inside another.
pub(crate) fn require_apart(paths: &[PathBuf]) -> anyhow::Result<()> {
    // A path that does not exist gets a better error when it is opened.
    let places: Vec<(&PathBuf, PathBuf)> = paths
        .iter()
        .filter_map(|it| Some((it, it.canonicalize().ok()?)))
        .collect();
    for (at, (outer, outer_place)) in places.iter().enumerate() {
        for (other, (inner, inner_place)) in places.iter().enumerate() {
            if at != other && inner_place.starts_with(outer_place) {
                bail!(
                    "{} is inside {}, so its tests would be counted twice; pass only one of them",
                    inner.display(),
                    outer.display()
                );
            }
        }
    }
    Ok(())
}

/// Merges the scans of one or more roots into one. Every file name starts with the prefix of its root.
pub(crate) fn merged(scans: Vec<(NamedRoot, Scan)>) -> Scan {
    let named = scans.into_iter().map(|(root, mut scan)| {
        name_root(&mut scan, &root);
        scan
    });
    let mut all = named.reduce(together).expect("a scan has a root");
    ranking::sort(&mut all.findings);
    ranking::sort(&mut all.likeliest);
    let likeliest = if all.findings.is_empty() { LIKELIEST } else { 0 };
    all.likeliest.truncate(likeliest);
    all
}

fn together(mut one: Scan, other: Scan) -> Scan {
    one.model.threshold = one.model.threshold.min(other.model.threshold);
    one.roots.extend(other.roots);
    one.summary = sums(one.summary, other.summary);
    one.findings.extend(other.findings);
    one.likeliest.extend(other.likeliest);
    one.tests = one.tests.zip(other.tests).map(|(mut tests, more)| {
        tests.extend(more);
        tests
    });
    one.problems.extend(other.problems);
    one
}

fn sums(one: Summary, other: Summary) -> Summary {
    Summary {
        files: one.files + other.files,
        tests: one.tests + other.tests,
        findings: one.findings + other.findings,
        suppressed: one.suppressed + other.suppressed,
        disabled: one.disabled + other.disabled,
        below_threshold: one.below_threshold + other.below_threshold,
        without_graph: one.without_graph + other.without_graph,
        known: one.known + other.known,
        stale: one.stale + other.stale,
        excluded: one.excluded + other.excluded,
        given: one.given.zip(other.given).map(|(mut given, more)| {
            given.files += more.files;
            given.others += more.others;
            given
        }),
        since: one.since.zip(other.since).map(|(mut since, more)| {
            since.unchanged += more.unchanged;
            since
        }),
        reused: one.reused + other.reused,
        incomplete: one.incomplete + other.incomplete,
        // Both durations count from the start of the command.
        milliseconds: one.milliseconds.max(other.milliseconds),
    }
}

/// Puts the prefix of a scanned root in front of every file of its scan.
fn name_root(scan: &mut Scan, root: &NamedRoot) {
    let add = |file: &mut String| file.insert_str(0, &root.prefix);
    for finding in scan.findings.iter_mut().chain(&mut scan.likeliest) {
        for_each_file(finding, add);
    }
    scan.tests.iter_mut().flatten().for_each(|it| add(&mut it.file));
    // A problem of the root itself already names the root.
    let own = root.path.to_string_lossy();
    let inside = scan.problems.iter_mut().filter(|it| it.file != own);
    inside.for_each(|it| add(&mut it.file));
}

/// Calls `change` with every file that a finding names.
pub(crate) fn for_each_file(finding: &mut Finding, change: impl Fn(&mut String)) {
    change(&mut finding.file);
    change(&mut finding.source.file);
    finding.rules.iter_mut().for_each(|it| it.for_each_file(&change));
    finding.root_cause.iter_mut().for_each(|it| change(&mut it.file));
    for step in &mut finding.witness {
        change(&mut step.region.file);
        step.source.iter_mut().for_each(|it| change(&mut it.file));
    }
    let nodes = finding.graph.nodes.iter_mut();
    nodes.filter_map(|it| it.file.as_mut()).for_each(change);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Comparison, NamedFiles};
    use crate::render::formats::made;

    /// Merges two scans, of the folders `a` and `b`.
    fn merged_pair(one: Scan, other: Scan) -> Scan {
        let named = |name: &str| NamedRoot {
            path: name.into(),
            prefix: format!("{name}/"),
        };
        merged(vec![(named("a"), one), (named("b"), other)])
    }

    fn places(scan: &Scan) -> Vec<&str> {
        scan.findings.iter().map(|it| it.file.as_str()).collect()
    }

    #[test]
    fn a_root_without_a_prefix_is_left_as_it_is() {
        assert_eq!(merged(vec![(NamedRoot::plain("a".into()), made::scan())]), made::scan());
    }

    #[test]
    fn every_file_of_several_roots_begins_with_its_root() {
        let scan = merged_pair(made::scan(), made::scan());
        let (a, b) = (format!("a/{}", made::TEST_FILE), format!("b/{}", made::TEST_FILE));
        let basket = "src/test/BasketTest.java";
        assert_eq!(places(&scan), [&a, &b, &format!("a/{basket}"), &format!("b/{basket}")]);
        let text = serde_json::to_string(&scan).unwrap();
        for file in [made::TEST_FILE, made::CODE_FILE, basket] {
            let quoted = format!("\"{file}\"");
            assert!(!text.contains(&quoted), "{file} without its root");
        }
        assert!(scan.problems[1].file.starts_with("b/"));
    }

    #[test]
    fn counts_are_sums_and_the_time_is_that_of_the_last() {
        let mut one = made::scan();
        one.summary = Summary {
            files: 1,
            tests: 2,
            findings: 3,
            suppressed: 4,
            disabled: 14,
            below_threshold: 15,
            without_graph: 16,
            known: 5,
            stale: 6,
            excluded: 7,
            given: Some(NamedFiles { files: 8, others: 9 }),
            since: Some(Comparison {
                revision: "HEAD".to_owned(),
                unchanged: 10,
            }),
            reused: 12,
            incomplete: 13,
            milliseconds: 11,
        };
        let mut other = one.clone();
        (other.summary.milliseconds, other.model.threshold) = (20, 0.25);
        let scan = merged_pair(one, other);
        let expected = Summary {
            files: 2,
            tests: 4,
            findings: 6,
            suppressed: 8,
            disabled: 28,
            below_threshold: 30,
            without_graph: 32,
            known: 10,
            stale: 12,
            excluded: 14,
            given: Some(NamedFiles { files: 16, others: 18 }),
            since: Some(Comparison {
                revision: "HEAD".to_owned(),
                unchanged: 20,
            }),
            reused: 24,
            incomplete: 26,
            milliseconds: 20,
        };
        assert_eq!(scan.summary, expected);
        assert!(
            (scan.model.threshold - 0.25).abs() < f32::EPSILON,
            "no finding is below it"
        );
    }
}
