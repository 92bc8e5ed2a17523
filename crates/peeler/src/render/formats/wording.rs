//! The names and sentences that formats for other programs share.
//!
//! The texts are plain: each format escapes them as its readers need it.

use crate::finding::{Finding, Role};

/// The rule of findings without a root cause.
pub(super) const NO_SINGLE_CAUSE: &str = "peeler/no-single-cause";

/// The identifier of what was found, the same in every format and version.
pub(super) fn rule(finding: &Finding) -> String {
    match &finding.root_cause {
        Some(cause) => format!("peeler/{}", cause.kind),
        None => NO_SINGLE_CAUSE.to_owned(),
    }
}

/// Why the test is flaky, how probably, and how often it failed where it was run.
pub(super) fn sentence(finding: &Finding) -> String {
    let reason = finding.reason.trim_end_matches('.');
    let probability = percent(finding.probability);
    match &finding.proof {
        Some(proof) => format!(
            "{reason} (flaky with a probability of {probability}; it failed in {} of {} runs)",
            proof.failures, proof.runs
        ),
        None => format!("{reason} (flaky with a probability of {probability})"),
    }
}

/// A probability in words; no prediction is rounded up to certainty.
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

/// What happens at a step of a witness.
pub(super) fn role(role: Role) -> &'static str {
    match role {
        Role::Source => "the data comes from here",
        Role::Step => "it passes here",
        Role::CodeUnderTest => "it passes through the code under test",
        Role::Assertion => "it is asserted here",
    }
}

/// The class with its package, and the method.
pub(super) fn class_and_method(test: &str) -> (&str, &str) {
    test.rsplit_once('#').unwrap_or(("", test))
}

/// `Class#method` of `package.Class#method`.
pub(super) fn short_name(test: &str) -> &str {
    let (class, _) = class_and_method(test);
    &test[class.rfind('.').map_or(0, |dot| dot + 1)..]
}

#[cfg(test)]
mod tests {
    use super::super::made::scan;
    use super::*;

    #[test]
    fn a_rule_is_named_by_the_kind_of_the_cause() {
        let scan = scan();
        assert_eq!(rule(&scan.findings[0]), "peeler/clock");
        assert_eq!(rule(&scan.findings[1]), "peeler/no-single-cause");
    }

    #[test]
    fn a_sentence_gives_the_reason_the_probability_and_the_proof() {
        let mut finding = scan().findings.remove(0);
        finding.reason = "the test sleeps.".to_owned();
        let sentence_with_proof =
            "the test sleeps (flaky with a probability of 93 percent; it failed in 3 of 100 runs)";
        assert_eq!(sentence(&finding), sentence_with_proof);
        finding.proof = None;
        assert_eq!(
            sentence(&finding),
            "the test sleeps (flaky with a probability of 93 percent)"
        );
    }

    #[test]
    fn no_prediction_is_rounded_to_certainty() {
        assert_eq!(percent(0.999), "more than 99 percent");
        assert_eq!(percent(0.001), "less than 1 percent");
        assert_eq!(percent(0.505), "51 percent");
        assert_eq!(percent(1.0), "100 percent");
    }

    #[test]
    fn a_short_name_leaves_the_package_out() {
        assert_eq!(short_name("shop.OrderTest$Inner#total"), "OrderTest$Inner#total");
        assert_eq!(short_name("OrderTest#total"), "OrderTest#total");
        assert_eq!(short_name("total"), "total");
    }
}
