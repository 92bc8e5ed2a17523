//! The detailed explanation of one test, for `peeler explain`.

use peeler_analysis::{Analysis, Suppression};
use peeler_features::TestName;
use peeler_model::BackendError;

use crate::explainer::Explainer;
use crate::finding::Finding;
use crate::request::Request;
use crate::scoring::scored_tests;

/// A test with everything that a scan reports about it.
pub(crate) struct Explanation {
    /// The finding: cause, path and source.
    pub(crate) finding: Finding,
    /// The rank of the test by probability, counted from one.
    pub(crate) rank: usize,
    /// The number of tests in the repository.
    pub(crate) tests: usize,
    /// The probability from which tests are findings.
    pub(crate) threshold: f32,
    /// The settings file that excludes the test from scans.
    pub(crate) excluded_by: Option<String>,
    /// The annotation or comment that suppresses the test.
    pub(crate) suppression: Option<Suppression>,
}

/// Explains one test, whatever its probability. Returns `None` if the test does not exist.
pub(crate) fn explain(
    analysis: &Analysis<'_>,
    test: &TestName,
    request: &Request<'_>,
) -> Result<Option<Explanation>, BackendError> {
    let mut tests = scored_tests(analysis, request, None, |_| true)?;
    let order = request.listing_rule().order(&tests);
    let Some(place) = order.iter().position(|at| tests[*at].test == *test) else {
        return Ok(None);
    };
    let at = order[place];
    Explainer::new(analysis, request).explain_all(&mut tests, &[at]);
    let settings = request.settings;
    Ok(tests[at].take_finding().map(|finding| Explanation {
        excluded_by: settings.file().filter(|_| !settings.takes(&finding.file)),
        finding,
        rank: place + 1,
        tests: tests.len(),
        threshold: request.threshold(),
        suppression: analysis.suppressions(|name| *test == *name).pop(),
    }))
}
