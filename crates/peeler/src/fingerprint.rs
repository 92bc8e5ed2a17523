//! The identifiers of findings in baselines and code scanning services.
//!
//! Invariant: an identifier depends on no line and no file, so that code may move.

use peeler_analysis::Cause;
use peeler_features::{Rule, TestName, stored_hash};

/// The identifier of a finding by a rule: a hash of test, rule and source text.
pub(crate) fn by_rule(test: &TestName, rule: Rule, source: &str) -> String {
    hashed(test, &format!("{} {source}", rule.id()))
}

/// The identifier of a finding by the network alone. It includes the nearest cause of the catalogue, although no report
/// names that cause, so that baselines of earlier versions stay valid.
pub(crate) fn by_network(test: &TestName, nearest: Option<&Cause>) -> String {
    let nearest = nearest.map_or_else(String::new, |it| format!("{} {}", it.kind().id(), it.text));
    hashed(test, &nearest)
}

fn hashed(test: &TestName, what: &str) -> String {
    format!("{:016x}", stored_hash(format!("{test}\n{what}").as_bytes()))
}
