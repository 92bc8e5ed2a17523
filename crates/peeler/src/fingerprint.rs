//! The identifiers of findings in baselines and code scanning services.
//!
//! Invariant: an identifier depends on no line and no file, so that code may move.

use peeler_analysis::Cause;
use peeler_features::{Rule, TestName, stored_hash};

/// The identifier of a finding by a rule: a hash of the test, the rule and `source`, the code that the nondeterminism
/// comes from.
pub(crate) fn by_rule(test: &TestName, rule: Rule, source: &str) -> String {
    hashed(test, &format!("{} {source}", rule.id()))
}

/// The identifier of a finding by the network alone: a hash of the test and of the nearest cause that the catalogue
/// finds, if any. Reports do not name this cause. It is included so that old baselines stay valid.
pub(crate) fn by_network(test: &TestName, nearest: Option<&Cause>) -> String {
    let nearest = nearest.map_or_else(String::new, |it| format!("{} {}", it.kind().id(), it.text));
    hashed(test, &nearest)
}

fn hashed(test: &TestName, what: &str) -> String {
    format!("{:016x}", stored_hash(format!("{test}\n{what}").as_bytes()))
}
