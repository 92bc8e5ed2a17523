//! Proof of flakiness: the number of runs and failures of a test, and the command that replays a failure. Scans and
//! issues quote it.

use std::collections::BTreeMap;

use peeler_features::TestName;
use serde::{Deserialize, Serialize};

use crate::evidence::{Event, Stage};
use crate::invocation::Invocation;
use crate::verdict::{Status, verdicts};

/// The proof that a test is flaky: how often it ran and failed, and the command that replays a failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// The number of the test's runs that count as evidence. Skipped runs do not count.
    pub runs: u32,
    /// The number of the test's runs that failed.
    pub failures: u32,
    /// The shell command that replays a failure of the test. `None` if the first failure is from a report of an earlier
    /// build, or if a name in the command cannot be quoted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

/// The proof for each test that the recorded runs of an evidence log show to be flaky.
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
                command: invocation.command(&verdict.test).filter(|_| is_recorded),
            };
            (verdict.test, proof)
        })
        .collect()
}
