//! Findings as a short Markdown page for the summary of a GitHub job.
//!
//! ```sh
//! peeler scan --format github-summary >> "$GITHUB_STEP_SUMMARY"
//! ```
//!
//! GitHub takes at most one MiB for a step, so the table has a limit. It says how many findings are left out.

use std::io::{self, Write};

use super::shared_cause::by_cause;
use super::text::summary;
use super::wording;
use crate::finding::{Finding, Scan};
use crate::render::drafts::markdown::{cell, plain};

/// The maximum number of findings in the table.
const MOST_ROWS: usize = 500;

/// Writes a heading, the counts and a table of the findings.
pub(crate) fn write(scan: &Scan, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "## Flaky tests\n\n{}.\n", plain(&summary(scan)))?;
    if scan.findings.is_empty() {
        return Ok(());
    }
    writeln!(out, "| Rule | Test | Place | Reason |\n|---|---|---|---|")?;
    let causes = by_cause(&scan.findings);
    for cause in causes.iter().take(MOST_ROWS) {
        let finding = cause.first;
        let rule = finding.rules.first().map_or("none", |it| it.rule.id());
        let others = cause.clause().map(|it| format!("; {it}"));
        writeln!(
            out,
            "| {rule} | {} | {} | {} |",
            cell(finding.test.short()),
            place(scan, finding),
            plain(&format!("{}{}", wording::reason(finding), others.unwrap_or_default())),
        )?;
    }
    let left = causes.iter().skip(MOST_ROWS);
    let left: usize = left.map(|it| 1 + it.others.len()).sum();
    if left > 0 {
        writeln!(out, "\n{left} more findings are not in this table.")?;
    }
    writeln!(out)
}

/// The file and line of a finding, with a link where the forge is known.
fn place(scan: &Scan, finding: &Finding) -> String {
    let text = cell(&format!("{}:{}", finding.file, finding.line));
    let checkout = scan.checkout.as_ref();
    match checkout.and_then(|it| it.line_address(&finding.file, finding.line)) {
        Some(address) => format!("[{text}]({address})"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::super::made::{HOSTILE, scan, written};
    use super::*;

    #[test]
    fn every_finding_is_one_row_whatever_it_says() {
        let mut scan = scan();
        scan.findings[0].reason = HOSTILE.to_owned();
        let text = written(write, &scan);
        let rows = text
            .lines()
            .filter(|it| it.starts_with("| ") && !it.starts_with("| Rule"));
        assert_eq!(rows.count(), 2, "{text}");
        assert!(!text.contains("<script>"), "{text}");
    }
}
