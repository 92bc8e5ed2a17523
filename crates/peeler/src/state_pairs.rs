//! Adds the flows between tests of a scan, in which one test leaves a state changed that another reads.
//!
//! Invariant: flows between tests are computed in every scan, from reused and new tests together. The cache holds what
//! each test does with shared states, never the flows between them.

use peeler_analysis::{StateAccess, StateFinding, pair_states};
use peeler_features::TestName;

use crate::scored_test::ScoredTest;

/// Computes the flows between tests, in which one leaves a state changed that another reads, and stores them in
/// `tests`.
pub(crate) fn pair(tests: &mut [ScoredTest]) {
    let states: Vec<(TestName, &StateAccess)> = tests.iter().map(|it| (it.test.clone(), &it.state)).collect();
    let findings: Vec<StateFinding> = pair_states(&states);
    for test in &mut *tests {
        test.shared.clear();
    }
    for finding in findings {
        tests[finding.test].shared.push(finding);
    }
}
