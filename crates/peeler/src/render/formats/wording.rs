//! Names and sentences that several formats share, as plain text. Each format escapes them for its readers.

use std::fmt;

use peeler_features::Rule;

use crate::finding::{Finding, FoundBy, Role};

/// What a finding is about: a rule, printed as its id, or no known cause, printed as `peeler/no-cause-found`. The
/// printed text is the same in every format and version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Check {
    /// The rule that reports the test as flaky; the first one if there are several.
    Rule(Rule),
    /// No rule reports the test as flaky, so its cause is not known.
    NoCauseFound,
}

impl Check {
    /// What a finding is about: the first rule that reports the test as flaky, or no known cause.
    pub(super) fn of(finding: &Finding) -> Self {
        finding
            .rules
            .first()
            .map_or(Self::NoCauseFound, |it| Self::Rule(it.rule))
    }
}

impl fmt::Display for Check {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule(rule) => out.write_str(rule.id()),
            Self::NoCauseFound => out.write_str("peeler/no-cause-found"),
        }
    }
}

/// The reason of a finding. That of a test below the threshold says that it is no finding.
pub(super) fn reason(finding: &Finding) -> String {
    if finding.below_threshold {
        format!("below the threshold, no finding: {}", finding.reason)
    } else {
        finding.reason.clone()
    }
}

/// The reason of a finding, followed in parentheses by what found it, its probability and the results of runs.
pub(super) fn sentence(finding: &Finding) -> String {
    let reason = reason(finding);
    let reason = reason.trim_end_matches('.');
    let mut found = found_by(finding);
    if let Some(proof) = &finding.proof {
        found = format!("{found}; {}", proof.clause());
    }
    if let Some(inherited) = finding.inheritance() {
        found = format!("{found}; {inherited}");
    }
    format!("{reason} ({found})")
}

/// What reports a test as flaky, in words: `found by the network, with a probability of 93 percent`.
fn found_by(finding: &Finding) -> String {
    let probability = percent(finding.probability);
    let rule = finding.rules.first().map_or("", |it| it.rule.id());
    match finding.found_by {
        FoundBy::Rule => format!("found by the rule {rule}; the network gives it a probability of {probability}"),
        FoundBy::Network => format!("found by the network, with a probability of {probability}"),
        FoundBy::Both => format!("found by the rule {rule} and by the network, with a probability of {probability}"),
        FoundBy::Neither => {
            let but = if finding.is_proven() {
                ", but proven by runs"
            } else {
                ""
            };
            format!("found by no rule; the network gives it a probability of {probability}, below the threshold{but}")
        }
    }
}

/// A line with the command that reproduces a recorded failure; `None` if there is none.
pub(super) fn again(finding: &Finding) -> Option<String> {
    let command = finding.proof.as_ref()?.command.as_ref()?;
    Some(format!("See it fail again: {command}"))
}

/// A probability in percent, never rounded to 0% or 100%.
fn percent(probability: f32) -> String {
    let rounded = (probability * 100.0).round();
    if rounded >= 100.0 && probability < 1.0 {
        "more than 99 percent".to_owned()
    } else if rounded <= 0.0 && probability > 0.0 {
        "less than 1 percent".to_owned()
    } else {
        format!("{rounded} percent")
    }
}

/// A phrase for a place of a flow, such as `it begins here` for its source.
pub(super) fn role(role: Role) -> &'static str {
    match role {
        Role::Source => "it begins here",
        Role::Step => "it passes here",
        Role::Assertion => "it is asserted here",
    }
}

#[cfg(test)]
mod tests {
    use super::super::made::scan;
    use super::*;
    use crate::finding::RerunStatus;

    #[test]
    fn a_check_is_the_first_rule() {
        let scan = scan();
        assert_eq!(Check::of(&scan.findings[0]).to_string(), "PLR301");
        assert_eq!(Check::of(&scan.findings[1]).to_string(), "peeler/no-cause-found");
    }

    #[test]
    fn a_sentence_gives_the_reason_what_found_it_and_the_proof() {
        let mut finding = scan().findings.remove(0);
        finding.reason = "the test sleeps.".to_owned();
        assert_eq!(
            sentence(&finding),
            "the test sleeps (found by the rule PLR301 and by the network, with a probability of 93 percent; it \
             failed 3 of 100 runs; it fails when it is late)"
        );
        finding.proof = None;
        finding.found_by = FoundBy::Rule;
        assert_eq!(
            sentence(&finding),
            "the test sleeps (found by the rule PLR301; the network gives it a probability of 93 percent)"
        );
        finding.found_by = FoundBy::Network;
        assert_eq!(
            sentence(&finding),
            "the test sleeps (found by the network, with a probability of 93 percent)"
        );
    }

    #[test]
    fn a_sentence_says_that_only_runs_speak_against_a_test_and_that_passes_prove_nothing() {
        let mut finding = scan().findings.remove(0);
        finding.found_by = FoundBy::Neither;
        let below = sentence(&finding);
        assert!(
            below.contains("93 percent, below the threshold, but proven by runs; it failed 3 of 100 runs"),
            "{below}"
        );
        let proof = finding.proof.as_mut().unwrap();
        (proof.showed, proof.failures) = (RerunStatus::NoFailure, 0);
        let passed = sentence(&finding);
        assert!(
            passed.ends_with("; there was no failure in 100 runs, which does not rule it out)"),
            "{passed}"
        );
    }

    #[test]
    fn no_prediction_is_rounded_to_certainty() {
        assert_eq!(percent(0.999), "more than 99 percent");
        assert_eq!(percent(0.001), "less than 1 percent");
        assert_eq!(percent(0.505), "51 percent");
        assert_eq!(percent(1.0), "100 percent");
    }
}
