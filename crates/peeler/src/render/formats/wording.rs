//! Names and sentences that several formats share, as plain text. Each format escapes them for its readers.

use std::cmp::Ordering;
use std::fmt;

use peeler_analysis::CauseKind;

use crate::finding::{Finding, Role};

/// The rule that a finding violates. Its text is the same in every format and version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// A known cause of this kind.
    Cause(CauseKind),
    /// The finding has no known cause.
    NoSingleCause,
}

impl Rule {
    /// The rule that a finding violates.
    pub(super) fn of(finding: &Finding) -> Self {
        match &finding.root_cause {
            Some(cause) => Self::Cause(cause.kind),
            None => Self::NoSingleCause,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Cause(kind) => kind.id(),
            Self::NoSingleCause => "no-single-cause",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "peeler/{}", self.name())
    }
}

/// Rules are ordered by name.
impl Ord for Rule {
    fn cmp(&self, other: &Self) -> Ordering {
        self.name().cmp(other.name())
    }
}

impl PartialOrd for Rule {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A sentence with the reason of a finding, its probability and the results of runs.
pub(super) fn sentence(finding: &Finding, threshold: f32) -> String {
    let reason = finding.reason.trim_end_matches('.');
    let probability = percent(finding.probability);
    let below = if finding.is_unsuspected(threshold) {
        ", below the threshold, but proven by runs"
    } else {
        ""
    };
    match &finding.proof {
        Some(proof) => format!(
            "{reason} (flaky with a probability of {probability}{below}; {})",
            proof.clause()
        ),
        None => format!("{reason} (flaky with a probability of {probability})"),
    }
}

/// A line with the command that reproduces a recorded failure.
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

/// A phrase for what happens at a step of a witness path.
pub(super) fn role(role: Role) -> &'static str {
    match role {
        Role::Source => "the data comes from here",
        Role::Step => "it passes here",
        Role::CodeUnderTest => "it passes through the code under test",
        Role::Assertion => "it is asserted here",
    }
}

#[cfg(test)]
mod tests {
    use super::super::made::scan;
    use super::*;
    use crate::finding::RerunStatus;

    #[test]
    fn a_rule_is_named_by_the_kind_of_the_cause() {
        let scan = scan();
        assert_eq!(Rule::of(&scan.findings[0]).to_string(), "peeler/clock");
        assert_eq!(Rule::of(&scan.findings[1]).to_string(), "peeler/no-single-cause");
    }

    #[test]
    fn a_sentence_gives_the_reason_the_probability_and_the_proof() {
        let mut finding = scan().findings.remove(0);
        finding.reason = "the test sleeps.".to_owned();
        let sentence_with_proof = "the test sleeps (flaky with a probability of 93 percent; it failed 3 of 100 runs; it fails when it is late)";
        assert_eq!(sentence(&finding, 0.5), sentence_with_proof);
        finding.proof = None;
        assert_eq!(
            sentence(&finding, 0.5),
            "the test sleeps (flaky with a probability of 93 percent)"
        );
    }

    #[test]
    fn a_sentence_says_that_only_runs_speak_against_a_test_and_that_passes_prove_nothing() {
        let mut finding = scan().findings.remove(0);
        let below = sentence(&finding, 0.95);
        assert!(
            below.contains("93 percent, below the threshold, but proven by runs; it failed 3 of 100 runs"),
            "{below}"
        );
        let proof = finding.proof.as_mut().unwrap();
        (proof.showed, proof.failures) = (RerunStatus::NoFailure, 0);
        let passed = sentence(&finding, 0.5);
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
