//! Removes findings that the baseline contains or that exceed `--top` from a scan, merges findings about one method, and
//! links similar findings.
//!
//! Two findings are similar if their tests are in one class or their first rule is the same. Findings are ordered by
//! [`crate::ranking`]. Invariant: a finding names only listed findings as similar.

use std::collections::HashMap;

use peeler_features::Rule;

use crate::baseline::Baseline;
use crate::finding::{Finding, Graph, KnownFinding, Neighbour, Scan};
use crate::inheritance;

/// The maximum number of other findings, of the same class or by the same rule, that are listed with a finding.
const MOST_NEIGHBOURS: usize = 12;

/// The maximum number of findings with graph and paths. Further findings of a long list have none.
const MOST_GRAPHS: usize = 2000;

/// Removes findings that the baseline contains or that exceed `top`. Returns the baseline entries whose tests a partial
/// scan did not check.
pub(crate) fn list(scan: &mut Scan, baseline: Option<&Baseline>, top: Option<usize>) -> Vec<KnownFinding> {
    let silenced = baseline.map(|it| it.silence(&mut scan.findings)).unwrap_or_default();
    inheritance::merge(&mut scan.findings);
    // Known findings do not count for `--top`.
    scan.findings.truncate(top.unwrap_or(usize::MAX));
    name_neighbours(scan);
    for finding in scan.findings.iter_mut().skip(MOST_GRAPHS) {
        (finding.graph, finding.paths) = (Graph::default(), Vec::new());
    }
    let summary = &mut scan.summary;
    summary.below_threshold = scan.findings.iter().filter(|it| it.below_threshold).count();
    summary.findings = scan.findings.len() - summary.below_threshold;
    summary.without_graph = scan.findings.len().saturating_sub(MOST_GRAPHS);
    summary.known = silenced.known.len();
    scan.known = silenced.known;
    if summary.is_partial() {
        return silenced.unmet;
    }
    summary.stale = silenced.unmet.len();
    Vec::new()
}

fn name_neighbours(scan: &mut Scan) {
    let related = Related::new(&scan.findings);
    let all = scan.findings.iter();
    let neighbours: Vec<Vec<Neighbour>> = all.map(|it| neighbours(it, &related, scan.roots.len() > 1)).collect();
    for (finding, own) in scan.findings.iter_mut().zip(neighbours) {
        finding.neighbours = own;
    }
}

/// Findings by the class of their test and by their first rule, each list in the order of the report.
#[derive(Default)]
struct Related<'s> {
    of_class: HashMap<&'s str, Vec<&'s Finding>>,
    of_rule: HashMap<Rule, Vec<&'s Finding>>,
}

impl<'s> Related<'s> {
    fn new(findings: &'s [Finding]) -> Self {
        let mut related = Self::default();
        for finding in findings {
            related.of_class.entry(finding.test.class()).or_default().push(finding);
            if let Some(first) = finding.rules.first() {
                related.of_rule.entry(first.rule).or_default().push(finding);
            }
        }
        related
    }
}

/// The findings that a finding names as similar: those of the same class, then those by the same rule. `with_files`
/// says whether they are named with their files.
fn neighbours(finding: &Finding, related: &Related<'_>, with_files: bool) -> Vec<Neighbour> {
    let is_other = |it: &&&Finding| it.test != finding.test || it.file != finding.file;
    let of_class = related.of_class.get(finding.test.class()).into_iter().flatten();
    let of_rule = finding.rules.first().and_then(|it| related.of_rule.get(&it.rule));
    let elsewhere = of_rule
        .into_iter()
        .flatten()
        .filter(|it| it.test.class() != finding.test.class());
    of_class
        .chain(elsewhere)
        .filter(is_other)
        .take(MOST_NEIGHBOURS)
        .map(|it| Neighbour {
            test: it.test.clone(),
            file: with_files.then(|| it.file.clone()),
            probability: it.probability,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use peeler_features::TestName;

    use super::*;
    use crate::finding::{Comparison, NamedFiles};
    use crate::render::formats::made;

    /// A scan with two findings, and a baseline with the first one and one that the scan did not find.
    fn scan_and_baseline() -> (Scan, Baseline) {
        let scan = made::scan();
        let mut gone = scan.findings[0].clone();
        (gone.test, gone.fingerprint) = (TestName::new("shop.OldTest", "gone"), "00".into());
        let baseline = Baseline::new(&[scan.findings[0].clone(), gone], &[]);
        (scan, baseline)
    }

    fn tests(scan: &Scan) -> Vec<&str> {
        scan.findings.iter().map(|it| it.test.as_str()).collect()
    }

    #[test]
    fn known_findings_are_counted_and_take_no_place() {
        let (mut scan, baseline) = scan_and_baseline();
        let unseen = list(&mut scan, Some(&baseline), Some(1));
        assert_eq!(tests(&scan), ["shop.BasketTest$Empty#isEmpty"]);
        let summary = &scan.summary;
        assert_eq!((summary.findings, summary.known, summary.stale), (1, 1, 1));
        assert_eq!(scan.known[0].test, "shop.OrderTest#total");
        assert_eq!(unseen, []);
    }

    #[test]
    fn a_look_at_some_tests_makes_no_entry_stale() {
        let since = Some(Comparison {
            revision: "HEAD".to_owned(),
            unchanged: 3,
        });
        let given = Some(NamedFiles { files: 1, others: 3 });
        for (since, given) in [(since, None), (None, given)] {
            let (mut scan, baseline) = scan_and_baseline();
            (scan.summary.since, scan.summary.given) = (since, given);
            let unseen = list(&mut scan, Some(&baseline), None);
            assert_eq!((scan.summary.known, scan.summary.stale), (1, 0));
            assert_eq!(unseen.len(), 1);
            assert_eq!(unseen[0].test, "shop.OldTest#gone");
        }
    }

    #[test]
    fn a_test_of_the_same_name_in_another_root_is_a_neighbour_with_its_file() {
        let mut scan = made::scan();
        scan.findings.truncate(1);
        let mut copy = scan.findings[0].clone();
        copy.file = "other/OrderTest.java".to_owned();
        scan.findings.push(copy);
        scan.roots.push("other".to_owned());
        list(&mut scan, None, None);
        let neighbours: Vec<_> = scan
            .findings
            .iter()
            .map(|it| it.neighbours[0].file.as_deref())
            .collect();
        assert_eq!(neighbours, [Some("other/OrderTest.java"), Some(made::TEST_FILE)]);
    }
}
