//! Counts of findings by rule, for `peeler scan --statistics`.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::wording::Check;
use crate::finding::Scan;

/// The number of findings of one rule.
#[derive(Serialize)]
struct RuleCount {
    rule: String,
    name: &'static str,
    findings: usize,
}

/// Counts the findings of a scan by their first rule. The most frequent rule comes first.
fn counts(scan: &Scan) -> Vec<RuleCount> {
    let mut by_check: BTreeMap<Check, usize> = BTreeMap::new();
    for finding in scan.findings.iter().filter(|it| !it.below_threshold) {
        *by_check.entry(Check::of(finding)).or_default() += 1;
    }
    let count = |(check, findings): (Check, usize)| RuleCount {
        rule: check.to_string(),
        name: match check {
            Check::Rule(rule) => rule.name(),
            Check::NoCauseFound => "found by the network alone or by runs",
        },
        findings,
    };
    let mut counts: Vec<RuleCount> = by_check.into_iter().map(count).collect();
    counts.sort_by(|a, b| b.findings.cmp(&a.findings).then_with(|| a.rule.cmp(&b.rule)));
    counts
}

/// Writes the counts as a table.
pub(super) fn write_text(scan: &Scan, out: &mut dyn Write) -> io::Result<()> {
    let counts = counts(scan);
    let width = counts.iter().map(|it| it.findings.to_string().len()).max().unwrap_or(1);
    let names = counts.iter().map(|it| it.rule.len()).max().unwrap_or(0);
    for count in counts {
        writeln!(
            out,
            "{:>width$}  {:<names$}  {}",
            count.findings, count.rule, count.name
        )?;
    }
    Ok(())
}

/// Writes the counts as a JSON array.
pub(super) fn write_json(scan: &Scan, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &counts(scan))?;
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::super::made::{scan, written};
    use super::*;

    #[test]
    fn the_most_frequent_rule_comes_first() {
        let mut scan = scan();
        let other = scan.findings[1].clone();
        scan.findings.push(other);
        let expected = "2  peeler/no-cause-found  found by the network alone or by runs\n\
                        1  PLR301                 clock-compared\n";
        assert_eq!(written(write_text, &scan), expected);
    }
}
