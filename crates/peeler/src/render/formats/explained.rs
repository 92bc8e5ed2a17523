//! Everything about one test as text, for `peeler explain`.

use std::io::{self, Write};

use peeler_analysis::{FlowStep, SuppressionScope};

use super::style::Style;
use super::text::{excerpt, visible};
use crate::explanation::Explanation;
use crate::finding::{Finding, FlowPlace, Path, Region, RuleMatch};

/// Writes the explanation of a test: its source, its flows and paths, and why scans report it or not.
pub(crate) fn write(explanation: &Explanation, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let finding = &explanation.finding;
    writeln!(out, "{}\n", excerpt(finding, style))?;
    writeln!(
        out,
        "{:.1}% by the network, place {} of {} tests; tests that no rule finds are reported from {:.1}% on",
        finding.probability * 100.0,
        explanation.rank,
        explanation.tests,
        explanation.threshold * 100.0
    )?;
    for asked in &explanation.suppressions {
        let reason = asked.reason.as_ref().map(|it| format!(": {}", visible(it)));
        let what = match &asked.scope {
            SuppressionScope::Everything => "it".to_owned(),
            SuppressionScope::Rules(rules) if rules.is_empty() => continue,
            SuppressionScope::Rules(rules) => rules.iter().map(|it| it.id()).collect::<Vec<_>>().join(", "),
        };
        writeln!(
            out,
            "scans do not report {what}, as requested in {}:{}{}",
            visible(&asked.file),
            asked.line,
            reason.unwrap_or_default()
        )?;
    }
    if let Some(settings) = &explanation.excluded_by {
        writeln!(out, "scans do not report it: {} excludes its file", visible(settings))?;
    }
    write_flows(explanation, out)?;
    if !finding.paths.is_empty() {
        writeln!(
            out,
            "\npaths of the dependency graph, which do not explain the probability:"
        )?;
    }
    for path in &finding.paths {
        writeln!(out, "  {}", way(path, finding))?;
    }
    Ok(())
}

/// Writes the flows of an explained test: of selected rules, then of other rules, then those that an operation makes
/// harmless.
fn write_flows(explanation: &Explanation, out: &mut dyn Write) -> io::Result<()> {
    let rules = &explanation.finding.rules;
    if rules.is_empty() && explanation.other_flows.is_empty() {
        return writeln!(
            out,
            "\nno flow from something nondeterministic to an assertion was found"
        );
    }
    writeln!(out, "\nflows:")?;
    for shown in rules {
        write_match(shown, "", out)?;
    }
    for flow in &explanation.other_flows {
        let state = match &flow.settled_by {
            Some(step) => settled(step),
            None => " (this rule is not selected)".to_owned(),
        };
        write_match(&RuleMatch::of(flow, &[]), &state, out)?;
    }
    Ok(())
}

fn settled(step: &FlowStep) -> String {
    format!(
        " (settled by `{}`, {}:{})",
        visible(&step.text),
        visible(&step.file),
        step.line
    )
}

fn write_match(shown: &RuleMatch, state: &str, out: &mut dyn Write) -> io::Result<()> {
    let (id, name, what) = (shown.rule.id(), &shown.name, visible(&shown.what));
    writeln!(out, "  {id} {name}: it {what}{state}")?;
    write_place("source", &shown.source, out)?;
    for step in &shown.steps {
        write_place("step", step, out)?;
    }
    if let Some(oracle) = &shown.oracle {
        write_place("assertion", oracle, out)?;
    }
    for partner in &shown.partners {
        writeln!(out, "    {:<9}  {}", "test", visible(partner.as_str()))?;
    }
    Ok(())
}

fn write_place(role: &str, place: &FlowPlace, out: &mut dyn Write) -> io::Result<()> {
    let (file, text) = (visible(&place.region.file), visible(&place.text));
    let Region { line, column, .. } = place.region;
    writeln!(out, "    {role:<9}  {file}:{line}:{column}  {text}")
}

/// A contextual path on one line, from node to node: `map @3 -[toString]-> text @4`.
fn way(path: &Path, finding: &Finding) -> String {
    use std::fmt::Write as _;

    let mut way = String::new();
    for (at, &node) in path.nodes.iter().enumerate() {
        let node = &finding.graph.nodes[node];
        let _ = write!(way, "{} @{}", visible(&node.text), node.line);
        if let Some(&edge) = path.edges.get(at) {
            let edge = &finding.graph.edges[edge];
            let cut = edge
                .cut
                .as_ref()
                .map_or_else(String::new, |it| format!(" in {}", visible(it)));
            let _ = write!(way, " -[{}{cut}]-> ", visible(&edge.operation));
        }
    }
    way
}
