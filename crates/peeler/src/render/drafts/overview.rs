//! The index of a folder of draft issues, and a whole scan as one Markdown document.
//!
//! Invariant: both say what was scanned, what could not be read, and what they leave out. Left out: code and commands,
//! which are in the drafts.

use std::fmt::Write as _;

use super::body::{cause_sentence, commit, fingerprint, found_by, path, short_cause};
use super::draft::Draft;
use super::markdown::{cell, count, percent, plain, prose, sentence, span};
use crate::finding::{Finding, Scan};

/// The maximum number of unreadable files that a Markdown document about a scan lists.
const MAX_PROBLEMS: usize = 20;

/// The Markdown text of `index.md`, which lists the draft issues of a folder.
pub(crate) fn index(scan: &Scan, drafts: &[Draft]) -> String {
    let mut out = format!("# Drafts of issues\n\n{}\n", scanned(scan));
    if drafts.is_empty() {
        let _ = writeln!(out, "There is nothing to draft.\n");
    } else {
        let _ = writeln!(
            out,
            "**Nothing was sent anywhere.** Each file is a draft of one issue. Please read it, try its commands, and \
             file it by hand if it holds: the first line is the title, the rest is the text.\n\n\
             | Draft | Tests | Title |\n|---|---|---|"
        );
        for draft in drafts {
            let Draft {
                file_name,
                title,
                findings,
                ..
            } = draft;
            let _ = writeln!(out, "| [{file_name}]({file_name}) | {findings} | {} |", plain(title));
        }
        out.push('\n');
    }
    let drafted: usize = drafts.iter().map(|it| it.findings).sum();
    let left_out = scan.findings.len().saturating_sub(drafted);
    if left_out > 0 {
        let verb = if left_out == 1 { "is" } else { "are" };
        let findings = count(left_out, "finding");
        let _ = writeln!(
            out,
            "{findings} {verb} not proven by runs or below the probability asked for, and {verb} not drafted.\n"
        );
    }
    if !drafts.is_empty() {
        out.push_str(HOW_TO_READ);
    }
    out.push_str(&problems(scan));
    out
}

/// A whole scan as one Markdown document: a table of the findings, then a section for each.
pub(crate) fn inline(scan: &Scan) -> String {
    let mut out = format!("# Tests that may be flaky\n\n{}\n", scanned(scan));
    if scan.summary.tests == 0 {
        let _ = writeln!(out, "No tests were found.\n");
    } else if scan.findings.is_empty() {
        let _ = writeln!(out, "No test is suspected.\n");
        out.push_str(&likeliest(scan));
    } else {
        out.push_str("| Test | Rule | Probability | Cause |\n|---|---|---|---|\n");
        for finding in &scan.findings {
            let name = cell(finding.test.short());
            let rule = finding.rules.first().map_or("none", |it| it.rule.id());
            let (probability, cause) = (percent(finding.probability), plain(&short_cause(finding)));
            let below = if finding.below_threshold {
                " (below the threshold)"
            } else {
                ""
            };
            let _ = writeln!(out, "| {name} | {rule} | {probability}{below} | {cause} |");
        }
        let _ = writeln!(out, "\n{ESTIMATE}\n");
        for finding in &scan.findings {
            out.push_str(&section(scan, finding));
        }
    }
    out.push_str(&problems(scan));
    out
}

/// A list of the most probable tests of a scan without findings; empty if they are not known.
fn likeliest(scan: &Scan) -> String {
    if scan.likeliest.is_empty() {
        return String::new();
    }
    let mut out = "The likeliest, which are no findings:\n\n".to_owned();
    for finding in &scan.likeliest {
        let place = format!("{}:{}", finding.file, finding.line);
        let (name, place) = (span(finding.test.short()), span(&place));
        let _ = writeln!(out, "- {name} ({place}), {}", percent(finding.probability));
    }
    out.push('\n');
    out
}

const ESTIMATE: &str = "A probability is an estimate by a model that read the code and never ran the tests. It is not \
                        the rate at which a test fails.";

const HOW_TO_READ: &str = "## How to read a draft

- A rule (`peeler explain PLR101`) follows values through the code. It can be wrong.
- The probability is an estimate by a network that read the code and never ran the tests. It is not the rate at which a
  test fails, and it can be wrong.
- The cause is where something nondeterministic begins that reaches an assertion, as a rule found it. \"No cause
  found\" means that no rule found one; please doubt such drafts more.
- The fingerprint stays the same as long as the test and its reason stay; search the tracker for it before filing.

";

fn section(scan: &Scan, finding: &Finding) -> String {
    let name = finding.test.short();
    let place = format!("{}:{}", finding.file, finding.line);
    let mut out = format!(
        "## {}\n\n{}, {}.",
        span(name),
        span(&place),
        percent(finding.probability)
    );
    if let Some(proof) = &finding.proof {
        let _ = write!(out, " Runs: {}.", prose(&proof.words()));
        if let Some(command) = &proof.command {
            let _ = write!(out, " To see it fail again: {}", span(command));
        }
    }
    if let Some(inherited) = finding.inheritance() {
        let _ = write!(out, " It is inherited: {}.", prose(&inherited));
    }
    out.push_str("\n\n");
    if finding.root_cause.is_none() && !finding.reason.trim().is_empty() {
        let _ = writeln!(out, "{}\n", sentence(&finding.reason));
    }
    let _ = writeln!(out, "{}\n\n{}\n", cause_sentence(scan, finding), found_by(finding));
    if !finding.witness.is_empty() {
        let _ = writeln!(out, "{}", path(scan, finding));
    }
    if let Some(cause) = &finding.root_cause {
        let _ = writeln!(out, "{}\n", sentence(&cause.advice));
    }
    let _ = writeln!(out, "Fingerprint: `{}`\n", fingerprint(finding));
    out
}

/// A paragraph that names the scanned folders and the model, and counts files, tests and findings.
fn scanned(scan: &Scan) -> String {
    let summary = &scan.summary;
    let roots: Vec<String> = scan.roots.iter().map(|it| span(it)).collect();
    let mut out = format!(
        "{} with the model {} read {}: {} and {}. A test is a finding if a rule finds it, or from a probability of {} on; there {}.",
        prose(&format!("{} {}", scan.tool.name, scan.tool.version)),
        span(&scan.model.name),
        if roots.is_empty() {
            "nothing".to_owned()
        } else {
            roots.join(", ")
        },
        count(summary.files, "Java file"),
        count(summary.tests, "test"),
        percent(scan.model.threshold),
        match summary.findings {
            0 => "is none".to_owned(),
            1 => "is 1".to_owned(),
            more => format!("are {more}"),
        },
    );
    let unsuspected = scan
        .findings
        .iter()
        .filter(|it| it.is_unsuspected(scan.model.threshold))
        .count();
    if unsuspected > 0 {
        let _ = write!(out, " Of these, {unsuspected} only because runs proved them flaky.");
    }
    if summary.suppressed > 0 {
        let _ = write!(out, " The code asks for silence about {} more.", summary.suppressed);
    }
    if summary.known > 0 {
        let _ = write!(out, " The baseline knows {} more.", summary.known);
    }
    if let Some(commit) = commit(scan) {
        let _ = write!(out, " {commit}");
    }
    out.push('\n');
    out
}

fn problems(scan: &Scan) -> String {
    if scan.problems.is_empty() {
        return String::new();
    }
    let mut out = "## What could not be read\n\n".to_owned();
    for problem in scan.problems.iter().take(MAX_PROBLEMS) {
        let _ = writeln!(out, "- {}: {}", span(&problem.file), prose(&problem.message));
    }
    if scan.problems.len() > MAX_PROBLEMS {
        let _ = writeln!(out, "- and {} more", scan.problems.len() - MAX_PROBLEMS);
    }
    out
}
