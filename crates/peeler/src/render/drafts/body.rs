//! The text of a draft issue: the suspicion and its reason, its certainty, how to reproduce it, and a possible fix.
//!
//! Invariants: all text of a finding goes through [`super::markdown`]. A draft about several tests describes each kind
//! of cause once, by its first test. Left out: the dependency graph and all paths but the flow itself.

use std::fmt::Write as _;

use peeler_features::TestName;

use super::excerpt::excerpt;
use super::fixes::{Sketch, sketch};
use super::markdown::{block, cell, count, one_line, percent, plain, prose, sentence, shortened, span};
use super::reproduce::reproduce;
use crate::build_layout::BuildLayout;
use crate::finding::{Finding, FoundBy, Proof, Role, RootCause, Scan};

/// The maximum number of places of a flow that a draft issue shows; longer flows lose their middle.
const MAX_STEPS: usize = 12;
/// The maximum number of characters of code that a draft issue shows for a place of a flow or for a cause.
const MAX_TEXT: usize = 160;

/// The Markdown text of a draft issue about some findings, which are given in the order of the report.
pub(super) fn body(scan: &Scan, title: &str, findings: &[&Finding], builds: &BuildLayout) -> String {
    let mut out = format!("# {}\n\n", plain(title));
    for finding in findings {
        let _ = writeln!(out, "<!-- peeler:fingerprint {} -->", fingerprint(finding));
    }
    out.push('\n');
    if let [finding] = findings {
        let _ = writeln!(out, "{}\n", introduction(scan, finding));
        out.push_str(&details(scan, finding, builds, "##"));
    } else {
        out.push_str(&listed(scan, findings));
        out.push_str(&causes(scan, findings, builds));
    }
    if let Some(commit) = commit(scan) {
        let _ = writeln!(out, "{commit}\n");
    }
    let fingerprints: Vec<String> = findings.iter().map(|it| format!("`{}`", fingerprint(it))).collect();
    let noun = if findings.len() == 1 {
        "Fingerprint"
    } else {
        "Fingerprints"
    };
    let _ = writeln!(
        out,
        "---\n\nIf this is a false alarm, please just close it.\n\n{noun}: {}",
        fingerprints.join(", ")
    );
    out
}

/// The fingerprint of a finding, without characters that could end an HTML comment or a code span.
pub(super) fn fingerprint(finding: &Finding) -> String {
    let is_plain = |it: &char| it.is_ascii_alphanumeric() || "-_.:".contains(*it);
    finding.fingerprint.chars().filter(is_plain).collect()
}

/// The cause of a finding in words that follow the name of a test: `compares text made from an unordered collection`.
/// It is `no cause found` if there is none.
pub(super) fn short_cause(finding: &Finding) -> String {
    match &finding.root_cause {
        Some(cause) => one_line(&cause.title),
        None => "no cause found".to_owned(),
    }
}

/// The cause of a finding and its position, as a sentence for a draft issue.
pub(super) fn cause_sentence(scan: &Scan, finding: &Finding) -> String {
    let Some(cause) = &finding.root_cause else {
        if finding.is_proven() {
            return "No rule found a cause; what runs showed is below.".to_owned();
        }
        return "No rule found a cause, so please doubt this one more.".to_owned();
    };
    let what = prose(&cause.what);
    let text = span(&shortened(&cause.text, MAX_TEXT));
    let place = place(scan, finding, &cause.file, cause.line);
    format!("The test {what}: {text} ({place}).")
}

/// A sentence that says what reports the test as flaky: rules, the network, both or neither.
pub(super) fn found_by(finding: &Finding) -> String {
    let mut rules: Vec<String> = Vec::new();
    for shown in &finding.rules {
        let rule = span(&format!("{} {}", shown.rule.id(), shown.name));
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    let (noun, rules) = (if rules.len() == 1 { "rule" } else { "rules" }, rules.join(", "));
    let probability = percent(finding.probability);
    match finding.found_by {
        FoundBy::Rule => {
            format!(
                "Found by the {noun} {rules}. The network alone would not report it: its probability is {probability}."
            )
        }
        FoundBy::Both => {
            format!("Found by the {noun} {rules} and by the network, with a probability of {probability}.")
        }
        FoundBy::Network => format!("Found by the network alone, with a probability of {probability}."),
        FoundBy::Neither => {
            format!("Found neither by a rule nor by the network, whose probability is {probability}.")
        }
    }
}

/// The flow of a finding from source to assertion as a numbered Markdown list, one place per line.
pub(super) fn path(scan: &Scan, finding: &Finding) -> String {
    let witness = &finding.witness;
    let mut out = String::new();
    let left_out = if witness.len() > MAX_STEPS {
        witness.len() - MAX_STEPS
    } else {
        0
    };
    let kept = MAX_STEPS / 2;
    for (at, step) in witness.iter().enumerate() {
        if left_out > 0 && (kept..kept + left_out).contains(&at) {
            if at == kept {
                let _ = writeln!(out, "{}. ({} left out)", at + 1, count(left_out, "step"));
            }
            continue;
        }
        let role = match step.role {
            Role::Source => "source",
            Role::Step => "step",
            Role::Assertion => "assertion",
        };
        let text = span(&shortened(&step.text, MAX_TEXT));
        let place = place(scan, finding, &step.region.file, step.region.line);
        let _ = writeln!(out, "{}. {role}: {text} ({place})", at + 1);
    }
    out
}

fn introduction(scan: &Scan, finding: &Finding) -> String {
    let tool = tool(scan);
    let flaky = "it may pass and fail on the same code";
    let threshold = scan.model.threshold;
    match &finding.proof {
        Some(proof) if finding.is_unsuspected(threshold) => format!(
            "Runs show that {} is flaky: {}. {tool}, a static analysis, did not suspect it: it puts the probability \
             at {}, below its threshold of {}.",
            named(scan, finding),
            prose(&proof.clause()),
            percent(finding.probability),
            percent(threshold)
        ),
        None => format!(
            "{tool}, a static analysis, suspects that {} is flaky: {flaky}. It only read the code; nothing was run.",
            named(scan, finding)
        ),
        Some(proof) => format!(
            "{tool}, a static analysis, suspected that {} is flaky: {flaky}. When it was run, {}.",
            named(scan, finding),
            prose(&proof.clause())
        ),
    }
}

/// The beginning of a draft issue about several tests: an introduction, and a table of the tests.
fn listed(scan: &Scan, findings: &[&Finding]) -> String {
    let mut out = format!(
        "{}, a static analysis, suspects that these tests are flaky: they may pass and fail on the same code.",
        tool(scan)
    );
    let threshold = scan.model.threshold;
    let unsuspected = findings.iter().filter(|it| it.is_unsuspected(threshold)).count();
    if unsuspected > 0 {
        let _ = write!(
            out,
            " But for {unsuspected} of them, below its threshold of {}: those it did not suspect, and runs proved \
             them flaky.",
            percent(threshold)
        );
    }
    out.push_str("\n\n| Test | Place | Probability | Cause | Runs |\n|---|---|---|---|---|\n");
    for finding in findings {
        let runs = match &finding.proof {
            None => "not run".to_owned(),
            Some(proof) => proof.counts(),
        };
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {runs} |",
            cell(finding.test.short()),
            cell(&format!("{}:{}", finding.file, finding.line)),
            percent(finding.probability),
            plain(&short_cause(finding)),
        );
    }
    out.push('\n');
    out
}

/// The sections of a draft issue about several tests, one for each kind of cause.
fn causes(scan: &Scan, findings: &[&Finding], builds: &BuildLayout) -> String {
    let shown = one_of_each_cause(findings);
    if let [finding] = shown.as_slice() {
        let about = format!("What follows is about {}; the others are alike.", named(scan, finding));
        return format!("{about}\n\n{}", details(scan, finding, builds, "##"));
    }
    let mut out = String::new();
    for (finding, number) in shown.iter().zip(1..) {
        let _ = writeln!(out, "## Cause {number}: {}\n", plain(&short_cause(finding)));
        let _ = writeln!(out, "What follows is about {}.\n", named(scan, finding));
        out.push_str(&details(scan, finding, builds, "###"));
    }
    out
}

fn details(scan: &Scan, finding: &Finding, builds: &BuildLayout, level: &str) -> String {
    let mut out = format!("{level} What is suspected\n\n");
    // With a cause, the sentence about it says the same as the reason.
    if finding.root_cause.is_none() && !finding.reason.trim().is_empty() {
        let _ = writeln!(out, "{}\n", sentence(&finding.reason));
    }
    let _ = writeln!(out, "{}\n", cause_sentence(scan, finding));
    if let Some(inherited) = finding.inheritance() {
        let _ = writeln!(out, "The method is inherited: {}.\n", prose(&inherited));
    }
    out.push_str(&excerpt(finding));
    if !finding.witness.is_empty() {
        let _ = writeln!(out, "How it reaches the assertion:\n\n{}", path(scan, finding));
    }
    let _ = writeln!(out, "{level} How sure this is\n\n{}", how_sure(finding));
    let _ = writeln!(
        out,
        "{level} How to reproduce\n\n{}",
        reproduce(finding, builds.of(finding))
    );
    if is_inherited(&finding.test, &finding.file) {
        let _ = writeln!(
            out,
            "The method stands in {}; where {} is in another module, the commands have to name that one.\n",
            span(&finding.file),
            span(finding.test.simple_class())
        );
    }
    let _ = writeln!(out, "{level} A possible fix\n\n{}", fix(finding.root_cause.as_ref()));
    out
}

/// Whether the file of a test is not named after its class, as for an inherited test.
fn is_inherited(test: &TestName, file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    let stem = name.strip_suffix(".java").unwrap_or(name);
    let class = test.outermost_class();
    class.rsplit('.').next() != Some(stem)
}

fn how_sure(finding: &Finding) -> String {
    let mut out = format!(
        "{} A rule follows values through the code, and the network estimates from the code; neither ran the test, and \
         both can be wrong. A probability is not a failure rate.\n",
        found_by(finding)
    );
    if let Some(proof) = &finding.proof {
        out.push_str(&seen(proof));
    }
    out
}

/// The paragraphs of a draft issue with the results of runs and the command that reproduces them.
fn seen(proof: &Proof) -> String {
    let mut out = format!("\nRuns of the test say more: {}.\n", prose(&proof.clause()));
    if let Some(failure) = &proof.failure {
        let _ = writeln!(out, "\nThe first failure: {}", span(&shortened(failure, MAX_TEXT)));
    }
    if let Some(command) = &proof.command {
        let commands: Vec<&str> = command.lines().collect();
        let _ = write!(out, "\nTo see it fail again:\n\n{}", block("sh", &commands));
    }
    out
}

fn fix(cause: Option<&RootCause>) -> String {
    let Some(cause) = cause else {
        return "Without a cause there is only a general hint: see whether something in it depends on time, \
                order, threads, files, the network, or on what other tests leave behind.\n"
            .to_owned();
    };
    let mut out = format!("{}\n", sentence(&cause.advice));
    if let Some(Sketch { before, after }) = sketch(cause.kind) {
        let _ = write!(
            out,
            "\nA sketch of the idea, not of this code. Before:\n\n{}\nAfter:\n\n{}",
            block("java", &[before]),
            block("java", &[after])
        );
    }
    out
}

/// The first of the findings with each kind of cause, in the given order.
fn one_of_each_cause<'f>(findings: &[&'f Finding]) -> Vec<&'f Finding> {
    let mut kinds = Vec::new();
    let mut out = Vec::new();
    for finding in findings {
        let kind = finding.root_cause.as_ref().map(|it| it.kind);
        if !kinds.contains(&kind) {
            kinds.push(kind);
            out.push(*finding);
        }
    }
    out
}

fn named(scan: &Scan, finding: &Finding) -> String {
    let short = finding.test.short();
    let place = span(&format!("{}:{}", finding.file, finding.line));
    format!(
        "{} ({})",
        span(short),
        linked(scan, &place, &finding.file, finding.line)
    )
}

/// A file and line as a code span, such as `OrderTest.java:12`, with a link to the forge where it is known. Folders are
/// omitted for the file of the test itself.
fn place(scan: &Scan, finding: &Finding, file: &str, line: u32) -> String {
    let is_own = file == finding.file;
    let name = file.rsplit('/').next().filter(|_| is_own);
    linked(scan, &span(&format!("{}:{line}", name.unwrap_or(file))), file, line)
}

/// Markdown with a link to a line on the forge of the scanned repository; without one if the forge is not known.
fn linked(scan: &Scan, text: &str, file: &str, line: u32) -> String {
    let address = scan.checkout.as_ref().and_then(|it| it.line_address(file, line));
    address.map_or_else(|| text.to_owned(), |it| format!("[{text}]({it})"))
}

/// A sentence that names the scanned commit; `None` if it is not known.
pub(super) fn commit(scan: &Scan) -> Option<String> {
    let checkout = scan.checkout.as_ref()?;
    let commit = checkout.commit()?;
    let changed = if checkout.is_changed {
        ", with changes that are not committed"
    } else {
        ""
    };
    Some(format!("Lines are those of commit `{commit}`{changed}."))
}

fn tool(scan: &Scan) -> String {
    prose(&format!("{} {}", scan.tool.name, scan.tool.version))
}

#[cfg(test)]
mod tests {
    use super::{TestName, is_inherited};

    #[test]
    fn a_method_in_the_file_of_another_class_is_inherited() {
        assert!(is_inherited(
            &TestName::new("a.LeafTest", "b"),
            "src/test/java/a/BaseTest.java"
        ));
        assert!(!is_inherited(
            &TestName::new("a.LeafTest$Inner", "b"),
            "src/test/java/a/LeafTest.java"
        ));
    }
}
