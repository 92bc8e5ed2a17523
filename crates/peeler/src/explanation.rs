//! One test among the others of its repository, for `peeler explain`.

use peeler_analysis::{Analysis, Suppression};
use peeler_features::TestName;
use peeler_model::BackendError;

use crate::explainer::Explainer;
use crate::finding::Finding;
use crate::request::Request;
use crate::scoring::scored_tests;

/// A test with everything that a scan would say about it.
pub(crate) struct Explanation {
    /// Cause, path and source.
    pub(crate) finding: Finding,
    /// Its place by probability, counted from one.
    pub(crate) rank: usize,
    /// How many tests the repository has.
    pub(crate) tests: usize,
    /// The probability from which tests are findings.
    pub(crate) threshold: f32,
    /// The settings file that excludes it from scans.
    pub(crate) excluded_by: Option<String>,
    /// Where its code asks scans not to report it.
    pub(crate) suppression: Option<Suppression>,
}

/// Explains one test, whatever its probability. Returns none where there is no such test.
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
