//! The report about a fleet as text.

use std::io::{self, Write};

use super::report::{Report, Trend};

/// The maximum number of owners, and of repositories with an error, that the text lists.
const NAMED: usize = 10;

/// Writes the report about a fleet as plain text for people.
pub(crate) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let totals = &report.totals;
    let counts = &totals.counts;
    writeln!(
        out,
        "{} repositories, {} tests in {} Java files: {} findings",
        totals.repositories, counts.tests, counts.files, counts.findings
    )?;
    for (status, count) in &totals.statuses {
        writeln!(out, "{count:>8}  {}", status.name())?;
    }
    if !report.rules.is_empty() {
        writeln!(out, "\nFindings by rule (and repositories):")?;
    }
    for rule in &report.rules {
        writeln!(out, "{:>8}  {} ({})", rule.findings, rule.rule, rule.repositories)?;
    }
    if report.owners.len() > 1 {
        writeln!(out, "\nFindings by owner (and repositories):")?;
        for owner in report.owners.iter().take(NAMED) {
            writeln!(
                out,
                "{:>8}  {} ({})",
                owner.findings,
                plain(&owner.owner),
                owner.repositories
            )?;
        }
    }
    if !report.top.is_empty() {
        writeln!(out, "\nTop findings:")?;
    }
    for finding in &report.top {
        let rule = finding.rules.first().map_or("network", |it| it.id());
        let (repository, file) = (plain(&finding.repository), plain(&finding.file));
        writeln!(
            out,
            "{rule:<8} {:>3.0}%  {repository}: {}",
            100.0 * finding.probability,
            plain(&finding.test)
        )?;
        writeln!(
            out,
            "               {file}:{}: {}",
            finding.line,
            plain(&finding.reason)
        )?;
    }
    if let Some(trend) = &report.trend {
        write_trend(trend, report, out)?;
    }
    let mut failed = report.repositories.iter().filter(|it| it.status.is_error()).peekable();
    if failed.peek().is_some() {
        writeln!(out, "\nRepositories with an error:")?;
    }
    for row in failed.take(NAMED) {
        let error = row.error.as_deref().unwrap_or_default();
        writeln!(out, "  {} ({}): {}", plain(&row.name), row.status.name(), plain(error))?;
    }
    Ok(())
}

fn write_trend(trend: &Trend, report: &Report, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "\nSince the earlier report: {} findings then, {} now; {} new, {} gone",
        trend.findings_then, report.totals.counts.findings, trend.new_findings, trend.gone_findings
    )?;
    writeln!(
        out,
        "Repositories: {} then, {} now; {} added, {} removed, {} scanned only once",
        trend.repositories_then,
        report.totals.repositories,
        trend.added.len(),
        trend.removed.len(),
        trend.not_compared.len()
    )?;
    for rule in &trend.rules {
        writeln!(out, "{:>8}  {}, {} then", rule.now, rule.rule, rule.then)?;
    }
    Ok(())
}

/// A text of a repository without characters that control a terminal.
fn plain(text: &str) -> String {
    text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect()
}
