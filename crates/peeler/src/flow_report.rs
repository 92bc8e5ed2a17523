//! Adds the flows of a test to its finding: matches of rules, root cause, steps of the first flow, reason and
//! fingerprint.
//!
//! Invariant: a finding without a flow names no cause.

use crate::finding::{Finding, FlowPlace, FoundBy, Region, Role, RootCause, RuleMatch, WitnessStep};
use crate::fingerprint;
use crate::scored_test::ReportedFlow;

/// Adds the flows that selected rules report to a finding that has none yet. The flow whose source is nearest to the
/// test becomes the reason.
pub(crate) fn show<'f>(finding: &mut Finding, flows: impl Iterator<Item = ReportedFlow<'f>>, threshold: f32) {
    let mut flows: Vec<ReportedFlow<'f>> = flows.collect();
    flows.sort_by_key(|it| it.flow.origin);
    finding.rules = flows.iter().map(|it| RuleMatch::of(it.flow, it.partners)).collect();
    finding.found_by = FoundBy::of(&finding.rules, finding.probability, threshold);
    let Some(first) = finding.rules.first() else {
        return;
    };
    finding.kind = first.rule.family().flakiness_kind().or(finding.kind);
    finding.reason = reason(first, &finding.rules);
    finding.fingerprint = fingerprint::by_rule(&finding.test, first.rule, &first.source.text);
    finding.root_cause = Some(root_cause(first));
    finding.witness = witness(first);
}

/// The reason why rules report a test, on one line: `it iterates a HashMap (Order.java:30); also PLR401`.
fn reason(first: &RuleMatch, all: &[RuleMatch]) -> String {
    let source = &first.source.region;
    let mut reason = format!("it {} ({}:{})", first.what, file_name(source), source.line);
    if let Some(oracle) = &first.oracle {
        reason.push_str(&noticed(&first.source.region, &oracle.region));
    }
    let mut others: Vec<&str> = all.iter().map(|it| it.rule.id()).collect();
    others.sort_unstable();
    others.dedup();
    others.retain(|it| *it != first.rule.id());
    if !others.is_empty() {
        reason.push_str("; also ");
        reason.push_str(&others.join(", "));
    }
    reason
}

/// The end of a reason, which names the line of a flow's assertion: `; noticed in line 33`. Empty if the source is on
/// that line.
fn noticed(source: &Region, oracle: &Region) -> String {
    match (source.file == oracle.file, source.line == oracle.line) {
        (true, true) => String::new(),
        (true, false) => format!("; noticed in line {}", oracle.line),
        (false, _) => format!("; noticed at {}:{}", file_name(oracle), oracle.line),
    }
}

fn file_name(region: &Region) -> &str {
    region.file.rsplit('/').next().unwrap_or(&region.file)
}

fn root_cause(shown: &RuleMatch) -> RootCause {
    RootCause {
        kind: shown.rule.cause(),
        title: shown.rule.title().to_owned(),
        what: shown.what.clone(),
        file: shown.source.region.file.clone(),
        line: shown.source.region.line,
        text: shown.source.text.clone(),
        advice: shown.advice.clone(),
    }
}

/// The source, steps and assertion of a flow, as a finding lists them. Steps equal to the source or the assertion are
/// left out.
fn witness(shown: &RuleMatch) -> Vec<WitnessStep> {
    let step = |role: Role, place: &FlowPlace| WitnessStep {
        role,
        region: place.region.clone(),
        text: place.text.clone(),
        source: None,
    };
    let mut witness = vec![step(Role::Source, &shown.source)];
    let is_between = |it: &&FlowPlace| **it != shown.source && shown.oracle.as_ref() != Some(*it);
    witness.extend(shown.steps.iter().filter(is_between).map(|it| step(Role::Step, it)));
    witness.extend(shown.oracle.iter().map(|it| step(Role::Assertion, it)));
    witness
}

#[cfg(test)]
mod tests {
    use peeler_analysis::{Flow, FlowOrigin, FlowStep};
    use peeler_features::Rule;

    use super::*;
    use crate::render::formats::made;

    fn step(file: &str, line: u32, text: &str) -> FlowStep {
        FlowStep {
            file: file.to_owned(),
            line,
            column: 1,
            end_line: line,
            end_column: 9,
            text: text.to_owned(),
        }
    }

    fn flow(rule: Rule, line: u32) -> Flow {
        Flow {
            rule,
            what: "iterates a HashMap".to_owned(),
            source: step("src/Order.java", line, "names.keySet()"),
            steps: vec![step("src/Order.java", 31, "text.append(name)")],
            oracle: Some(step("test/OrderTest.java", 18, "assertEquals(text)")),
            origin: FlowOrigin::CodeUnderTest(1),
            settled_by: None,
            is_sure: true,
        }
    }

    /// A sample finding that has no flow by itself, with `flows` added.
    fn shown(flows: &[Flow]) -> Finding {
        let mut finding = made::scan().findings.swap_remove(1);
        finding.reason = "no cause found".to_owned();
        let flows = flows.iter().map(|flow| ReportedFlow { flow, partners: &[] });
        show(&mut finding, flows, 0.7);
        finding
    }

    #[test]
    fn the_first_flow_is_the_reason_and_the_others_are_named() {
        let flows = [
            flow(Rule::UnorderedTextCompared, 30),
            flow(Rule::FixedPort, 12),
            flow(Rule::UnorderedTextCompared, 40),
        ];
        let finding = shown(&flows);
        assert_eq!(
            finding.reason,
            "it iterates a HashMap (Order.java:30); noticed at OrderTest.java:18; also PLR401"
        );
        assert_eq!(finding.found_by, FoundBy::Rule);
        let roles: Vec<Role> = finding.witness.iter().map(|it| it.role).collect();
        assert_eq!(roles, [Role::Source, Role::Step, Role::Assertion]);
        assert_eq!(finding.root_cause.unwrap().line, 30);
        assert_eq!(finding.rules.len(), 3);
    }

    #[test]
    fn an_assertion_in_the_file_of_the_source_is_named_by_its_line() {
        let mut one = flow(Rule::UnorderedTextCompared, 30);
        one.oracle = Some(step("src/Order.java", 33, "assertEquals(text)"));
        assert!(
            shown(&[one.clone()])
                .reason
                .ends_with("(Order.java:30); noticed in line 33")
        );
        one.oracle = Some(step("src/Order.java", 30, "assertEquals(text)"));
        assert!(shown(&[one]).reason.ends_with("(Order.java:30)"));
    }

    #[test]
    fn a_fingerprint_follows_rule_and_source_text_but_no_line() {
        let print = |rule, line| shown(&[flow(rule, line)]).fingerprint;
        let one = print(Rule::UnorderedTextCompared, 30);
        assert_eq!(one, print(Rule::UnorderedTextCompared, 99));
        assert_ne!(one, print(Rule::SerialisedOrderCompared, 30));
    }

    #[test]
    fn without_a_flow_there_is_no_cause_and_the_fingerprint_stays() {
        let before = made::scan().findings.swap_remove(1);
        let finding = shown(&[]);
        assert_eq!((finding.root_cause.as_ref(), finding.witness.len()), (None, 0));
        assert_eq!(finding.reason, "no cause found");
        assert_eq!(finding.fingerprint, before.fingerprint);
        assert_eq!(finding.found_by, FoundBy::Neither, "61% is below the threshold");
    }
}
