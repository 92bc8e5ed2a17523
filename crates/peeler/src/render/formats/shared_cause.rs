//! Findings with one cause outside of the tests themselves, such as a sleep in a helper that many tests call.
//!
//! A reader has one thing to change for all of them, so reports for people show them as one.

use std::collections::HashMap;

use peeler_features::Rule;

use crate::finding::{Finding, Origin, Region};

/// The most other tests that a clause names.
const NAMED: usize = 3;

/// Findings with the same cause: the first of them in the order of the list, and all others.
pub(super) struct SharedCause<'s> {
    /// The finding that stands for all with this cause.
    pub(super) first: &'s Finding,
    /// The other findings with this cause, in the order of the list.
    pub(super) others: Vec<&'s Finding>,
}

impl<'s> SharedCause<'s> {
    /// A finding by itself.
    pub(super) fn of_one(finding: &'s Finding) -> Self {
        Self {
            first: finding,
            others: Vec::new(),
        }
    }

    /// A clause that names the other tests with this cause; `None` if there are none.
    pub(super) fn clause(&self) -> Option<String> {
        let named = self.others.iter().take(NAMED).map(|it| it.test.short());
        let mut names: Vec<String> = named.map(ToOwned::to_owned).collect();
        if self.others.len() > NAMED {
            names.push(format!("{} more", self.others.len() - NAMED));
        }
        let last = names.pop()?;
        let names = match names.len() {
            0 => last,
            _ => format!("{} and {last}", names.join(", ")),
        };
        let tests = match self.others.len() {
            1 => "test".to_owned(),
            count => format!("{count} tests"),
        };
        Some(format!("the same place is the reason in another {tests}: {names}"))
    }
}

/// Findings of a list by cause, in the order of the list.
///
/// A finding whose cause is in the test itself has its cause alone, and so has one about which there is more to say: runs
/// proved it, or other classes inherit its test.
pub(super) fn by_cause(findings: &[Finding]) -> Vec<SharedCause<'_>> {
    let mut causes: Vec<SharedCause<'_>> = Vec::new();
    let mut places: HashMap<(Rule, &Region), usize> = HashMap::new();
    for finding in findings {
        let known = cause(finding).map(|it| *places.entry(it).or_insert(causes.len()));
        match known.and_then(|it| causes.get_mut(it)) {
            Some(shared) => shared.others.push(finding),
            None => causes.push(SharedCause::of_one(finding)),
        }
    }
    causes
}

/// The rule and the place of a finding's cause, if other findings may have the same.
fn cause(finding: &Finding) -> Option<(Rule, &Region)> {
    let reason = finding.rules.first()?;
    let is_elsewhere = reason.origin != Origin::Body;
    let is_plain = finding.proof.is_none() && finding.inherited_by.is_empty();
    (is_elsewhere && is_plain).then_some((reason.rule, &reason.source.region))
}
