//! The report about a fleet as one self-contained HTML page. It has no script, and texts of repositories are escaped.

use std::fmt::{Display, Write as _};
use std::io::{self, Write};

use super::report::{Report, RepositoryRow, TopFinding, Trend};

/// The start of the HTML page: everything before the content of the report.
const HEAD: &str = include_str!("page.html");

/// Writes the report about a fleet as an HTML page.
pub(crate) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut page = String::from(HEAD);
    summary(report, &mut page);
    if let Some(trend) = &report.trend {
        write_trend(trend, report, &mut page);
    }
    rules(report, &mut page);
    owners(report, &mut page);
    top(&report.top, &mut page);
    repositories(&report.repositories, &mut page);
    page.push_str("</main>\n</body>\n</html>\n");
    out.write_all(page.as_bytes())
}

fn summary(report: &Report, page: &mut String) {
    let totals = &report.totals;
    let _ = writeln!(
        page,
        "<p><strong>{}</strong> findings among {} tests in {} Java files of {} repositories.</p>",
        totals.counts.findings, totals.counts.tests, totals.counts.files, totals.repositories
    );
    let statuses: Vec<String> = totals
        .statuses
        .iter()
        .map(|(status, count)| format!("{count} {}", status.name()))
        .collect();
    let _ = writeln!(page, "<p>Repositories: {}.</p>", statuses.join(", "));
    for origin in &report.origins {
        let _ = writeln!(
            page,
            "<p class=\"muted\">Peeler {}, model {} ({}), options {}</p>",
            escaped(&origin.version),
            escaped(&origin.model),
            escaped(&origin.identity),
            escaped(&origin.options)
        );
    }
}

fn write_trend(trend: &Trend, report: &Report, page: &mut String) {
    let _ = writeln!(
        page,
        "<h2 id=\"trend\">Since the earlier report</h2>\n<p>{} findings then, {} now; {} new, {} gone. {} repositories \
         added, {} removed, {} scanned only once.</p>",
        trend.findings_then,
        report.totals.counts.findings,
        trend.new_findings,
        trend.gone_findings,
        trend.added.len(),
        trend.removed.len(),
        trend.not_compared.len()
    );
    let rows = trend
        .rules
        .iter()
        .map(|it| vec![text(&it.rule), number(it.then), number(it.now)]);
    table(&["Rule", "Then", "Now"], rows, page);
    let changed = trend.repositories.iter();
    let rows = changed.map(|it| vec![text(&it.name), number(it.new_findings), number(it.gone_findings)]);
    table(&["Repository", "New", "Gone"], rows, page);
}

fn rules(report: &Report, page: &mut String) {
    page.push_str("<h2 id=\"rules\">Findings by rule</h2>\n");
    let rows = report
        .rules
        .iter()
        .map(|it| vec![text(&it.rule), number(it.findings), number(it.repositories)]);
    table(&["Rule", "Findings", "Repositories"], rows, page);
}

fn owners(report: &Report, page: &mut String) {
    page.push_str("<h2 id=\"owners\">Findings by owner</h2>\n");
    let rows = report.owners.iter().map(|it| {
        let owner = if it.owner.is_empty() { "(none)" } else { &it.owner };
        vec![
            text(owner),
            number(it.repositories),
            number(it.errors),
            number(it.tests),
            number(it.findings),
            text(&listed(&it.rules)),
        ]
    });
    table(
        &["Owner", "Repositories", "Errors", "Tests", "Findings", "By rule"],
        rows,
        page,
    );
}

fn top(findings: &[TopFinding], page: &mut String) {
    page.push_str("<h2 id=\"top\">Top findings</h2>\n");
    let rows = findings.iter().map(|it| {
        let rules: Vec<&str> = it.rules.iter().map(|it| it.id()).collect();
        vec![
            text(&it.repository),
            text(&it.test),
            text(&format!("{}:{}", it.file, it.line)),
            text(&rules.join(", ")),
            number(format!("{:.0}%", 100.0 * it.probability)),
            text(&it.reason),
        ]
    });
    table(
        &["Repository", "Test", "Place", "Rules", "Probability", "Reason"],
        rows,
        page,
    );
}

fn repositories(rows: &[RepositoryRow], page: &mut String) {
    page.push_str("<h2 id=\"repositories\">Repositories</h2>\n");
    let rows = rows.iter().map(|it| {
        let commit = it.commit.as_deref().map_or("", |it| it.get(..12).unwrap_or(it));
        let status = match &it.error {
            Some(error) => format!("{}: {error}", it.status.name()),
            None => it.status.name().to_owned(),
        };
        vec![
            text(&it.name),
            text(it.revision.as_deref().unwrap_or_default()),
            text(commit),
            text(&status),
            number(it.counts.tests),
            number(it.counts.findings),
            text(&listed(&it.rules)),
        ]
    });
    let names = [
        "Repository",
        "Revision",
        "Commit",
        "Status",
        "Tests",
        "Findings",
        "By rule",
    ];
    table(&names, rows, page);
}

/// The number of findings of each rule, on one line: `PLR101 3, network 1`.
fn listed(rules: &std::collections::BTreeMap<String, u64>) -> String {
    let parts: Vec<String> = rules.iter().map(|(rule, count)| format!("{rule} {count}")).collect();
    parts.join(", ")
}

/// Adds an HTML table to the page, or the word "None" if there are no rows. `names` are the titles of the columns. The
/// cells of `rows` are `<td>` elements.
fn table(names: &[&str], rows: impl Iterator<Item = Vec<String>>, page: &mut String) {
    let mut rows = rows.peekable();
    if rows.peek().is_none() {
        page.push_str("<p class=\"muted\">None.</p>\n");
        return;
    }
    page.push_str("<table>\n<thead><tr>");
    for name in names {
        let _ = write!(page, "<th scope=\"col\">{name}</th>");
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        let _ = writeln!(page, "<tr>{}</tr>", row.concat());
    }
    page.push_str("</tbody>\n</table>\n");
}

fn text(text: &str) -> String {
    format!("<td>{}</td>", escaped(text))
}

fn number(number: impl Display) -> String {
    format!("<td class=\"number\">{number}</td>")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
