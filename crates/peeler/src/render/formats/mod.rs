//! What a scan looks like, one format a file: for people, for other programs, and for services that show findings.

mod github;
mod gitlab;
mod html;
mod json;
mod jsonl;
mod junit;
#[cfg(test)]
pub(crate) mod made;
mod sarif;
pub(crate) mod text;
mod wording;

use std::io::{self, Write};

use clap::ValueEnum;

use crate::finding::Scan;
use crate::render::drafts;

/// How findings are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For reading
    Text,
    /// Everything, for programs and for later reports
    Json,
    /// One JSON object a line: findings, then a summary
    Jsonl,
    /// SARIF 2.1.0, for code scanning services
    Sarif,
    /// JUnit XML, for CI servers
    Junit,
    /// Annotations of GitHub workflows
    Github,
    /// Code quality report of GitLab
    Gitlab,
    /// One document in Markdown
    Markdown,
    /// A page that needs nothing else
    Html,
}

/// Whether a terminal shows colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Coloured,
    Plain,
}

/// Writes a scan. `style` matters to text alone.
pub(crate) fn write(format: Format, style: Style, scan: &Scan, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Text => text::write(scan, style, out),
        Format::Json => json::write(scan, out),
        Format::Jsonl => jsonl::write(scan, out),
        Format::Sarif => sarif::write(scan, out),
        Format::Junit => junit::write(scan, out),
        Format::Github => github::write(scan, out),
        Format::Gitlab => gitlab::write(scan, out),
        Format::Markdown => out.write_all(drafts::inline(scan).as_bytes()),
        Format::Html => html::write(scan, out),
    }
}
