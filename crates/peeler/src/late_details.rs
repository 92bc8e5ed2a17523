//! Adds graph, paths and source to tests from the cache that are listed for the first time because of another test.
//!
//! ```text
//! before: OrderTest#reads reads Cart.total, and nothing leaves it changed: no finding, no details in the cache
//! now:    CartTest#adds was changed and leaves Cart.total changed: OrderTest#reads, which is reused, is a victim
//! ```
//!
//! Such tests are not in the part of the repository that a scan analyses again, so they get an analysis of their own.

use std::collections::{BTreeSet, HashSet};

use peeler_analysis::{Analysis, FileId, Repository};

use crate::cached_scan::ReusableTests;
use crate::explainer::{Explainer, mark_suppressed};
use crate::request::Request;
use crate::scored_test::ScoredTest;

/// Adds graph, paths and source to listed tests that come from the cache and are not analysed again. For the next scan,
/// it adds to `reusable` the declared members of all files that had to be parsed for this.
pub(crate) fn add(
    tests: &mut [ScoredTest],
    reusable: &mut ReusableTests,
    is_reused: impl Fn(&ScoredTest) -> bool,
    repository: &Repository,
    request: &Request<'_>,
) {
    let selection = request.listing_rule().select(tests);
    let is_late = |at: &usize| {
        let test = &tests[*at];
        test.detail.is_none() && is_reused(test) && !reusable.is_analysed(test.test.class())
    };
    let late: Vec<usize> = selection.tests().iter().copied().filter(is_late).collect();
    if late.is_empty() {
        return;
    }
    let classes: HashSet<String> = late.iter().map(|at| tests[*at].test.class().to_owned()).collect();
    let grounds = late.iter().flat_map(|at| tests[*at].grounds.iter().copied());
    let dependencies: Vec<FileId> = grounds.collect::<BTreeSet<_>>().into_iter().collect();
    let part = reusable.part(&classes, &dependencies);
    let analysis = Analysis::of_part(repository, &part).with_assertions(&request.settings.assertions);
    mark_suppressed(&analysis, tests, &late);
    Explainer::new(&analysis, request).explain_all(tests, &late);
    reusable.interfaces = analysis.file_interfaces(std::mem::take(&mut reusable.interfaces));
}
