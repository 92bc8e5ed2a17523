//! `peeler rules`: lists the rules that a scan can report.

use std::io::{self, BufWriter, Write};

use clap::{Args, ValueEnum};
use peeler_features::Rule;
use serde::Serialize;

use crate::exit::ExitStatus;
use crate::rule_pages;
use crate::rule_selection::is_default;

/// List the rules that scans can report
///
/// `peeler explain RULE` describes one of them. `peeler scan --select` and `--ignore` choose the rules of a scan.
#[derive(Debug, Args)]
pub(crate) struct RulesArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Table for people
    Text,
    /// JSON, for programs
    Json,
}

/// A rule in the JSON output of `peeler rules`.
#[derive(Serialize)]
struct RuleEntry {
    id: &'static str,
    name: &'static str,
    family: &'static str,
    /// What a test does that the rule reports, in words that follow "the test":
    /// `compares text made from an unordered collection`.
    title: &'static str,
    /// Advice on how a test that the rule reports is usually fixed.
    advice: &'static str,
    /// Whether scans report the rule by default.
    default: bool,
    /// The web address of the rule's documentation page, if the pages are on the web.
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<String>,
}

pub(crate) fn run(arguments: &RulesArgs) -> anyhow::Result<ExitStatus> {
    let mut out = BufWriter::new(io::stdout().lock());
    match arguments.format {
        Format::Text => write_table(&mut out)?,
        Format::Json => {
            let entries: Vec<RuleEntry> = Rule::all().iter().map(|it| entry(*it)).collect();
            serde_json::to_writer_pretty(&mut out, &entries)?;
            writeln!(out)?;
        }
    }
    out.flush()?;
    Ok(ExitStatus::Success)
}

fn write_table(out: &mut dyn Write) -> io::Result<()> {
    let width = |text: fn(Rule) -> &'static str| Rule::all().iter().map(|it| text(*it).len()).max().unwrap_or(0);
    let names = width(Rule::name);
    let families = width(|it| it.family().name());
    for rule in Rule::all() {
        let off = if is_default(*rule) { "" } else { " (off by default)" };
        writeln!(
            out,
            "{}  {:names$}  {:families$}  {}{off}",
            rule.id(),
            rule.name(),
            rule.family().name(),
            rule.title()
        )?;
    }
    Ok(())
}

fn entry(rule: Rule) -> RuleEntry {
    RuleEntry {
        id: rule.id(),
        name: rule.name(),
        family: rule.family().name(),
        title: rule.title(),
        advice: rule.advice(),
        default: is_default(rule),
        page: rule_pages::address(rule),
    }
}
