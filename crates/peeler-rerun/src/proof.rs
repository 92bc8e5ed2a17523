//! Proof: how often a flaky test failed, and the command that shows it again. This is what a scan or an issue quotes.

use std::collections::BTreeMap;

use peeler_features::TestName;
use serde::{Deserialize, Serialize};

use crate::evidence::{Event, Stage};
use crate::invocation::Invocation;
use crate::verdict::{Status, verdicts};

/// What running a test showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// Runs that count.
    pub runs: u32,
    /// How many of them failed.
    pub failures: u32,
    /// How to see it again.
    pub command: String,
}

/// The proofs that a log holds, by test.
#[must_use]
pub fn from_log(events: &[Event], invocation: &Invocation) -> BTreeMap<TestName, Proof> {
    verdicts(events, &[])
        .into_iter()
        .filter(|verdict| verdict.status == Status::Flaky)
        .map(|verdict| {
            let is_recorded = verdict.failure.as_ref().is_some_and(|it| it.stage != Stage::History);
            let proof = Proof {
                runs: verdict.runs,
                failures: verdict.failures,
                command: if is_recorded {
                    invocation.command(&verdict.test)
                } else {
                    String::new()
                },
            };
            (verdict.test, proof)
        })
        .collect()
}
