//! The output formats of a scan, one file each: for people, for programs, and for services that show findings.

mod checkstyle;
pub(crate) mod explained;
mod github;
mod gitlab;
mod html;
mod job_summary;
mod json;
mod jsonl;
mod junit;
#[cfg(test)]
pub(crate) mod made;
mod page_data;
mod sarif;
mod shared_cause;
mod sonar;
mod statistics;
mod style;
mod text;
mod wording;

pub(crate) use self::style::Style;
pub(crate) use self::text::{no_tests_note, summary};

use std::io::{self, Write};

use clap::ValueEnum;

use crate::finding::Scan;
use crate::render::drafts;

/// The output format of a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text for people
    Text,
    /// JSON with all details, for programs and later reports
    Json,
    /// One JSON object per line: findings, then a summary
    Jsonl,
    /// SARIF 2.1.0, for code scanning services
    Sarif,
    /// JUnit XML, for CI servers
    Junit,
    /// Annotations for GitHub workflows
    Github,
    /// Markdown for the summary of a GitHub job
    GithubSummary,
    /// GitLab code quality report
    Gitlab,
    /// Generic issues for SonarQube, as JSON
    Sonar,
    /// Checkstyle XML, for build servers and review tools
    Checkstyle,
    /// One Markdown document
    Markdown,
    /// Self-contained HTML page
    Html,
}

/// Writes a scan in an output format. Only the text format uses `style`.
pub(crate) fn write(format: Format, style: Style, scan: &Scan, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Text => text::write(scan, style, out),
        Format::Json => json::write(scan, out),
        Format::Jsonl => jsonl::write(scan, out),
        Format::Sarif => sarif::write(scan, out),
        Format::Junit => junit::write(scan, out),
        Format::Github => github::write(scan, out),
        Format::GithubSummary => job_summary::write(scan, out),
        Format::Gitlab => gitlab::write(scan, out),
        Format::Sonar => sonar::write(scan, out),
        Format::Checkstyle => checkstyle::write(scan, out),
        Format::Markdown => out.write_all(drafts::inline(scan).as_bytes()),
        Format::Html => html::write(scan, out),
    }
}

/// Writes the number of findings of each rule, as text or JSON. Returns an error for other formats.
pub(crate) fn write_statistics(format: Format, scan: &Scan, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Text => statistics::write_text(scan, out),
        Format::Json => statistics::write_json(scan, out),
        _ => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "--statistics has the formats text and json only",
        )),
    }
}
