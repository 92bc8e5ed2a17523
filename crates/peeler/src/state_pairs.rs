//! Adds the flows between tests of a scan. In these flows, one test changes a shared state, such as a static field,
//! without restoring it, and another test reads it.
//!
//! Invariant: flows between tests are computed in every scan, from reused and new tests together. The cache holds what
//! each test does with shared states, never the flows between them.

use peeler_analysis::{StateAccess, StateFinding, pair_states};
use peeler_features::TestName;

use crate::scored_test::ScoredTest;

/// Computes the flows between tests and stores them in `tests`. In these flows, one test changes a shared state without
/// restoring it, and another test reads it.
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
