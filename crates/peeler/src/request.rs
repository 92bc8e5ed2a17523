//! What a scan of one root is asked to do.

use std::collections::BTreeSet;
use std::time::Instant;

use peeler_features::TestName;

use crate::base_revision::BaseRevision;
use crate::ranking::{DisabledTests, ListingRule};
use crate::rule_selection::RuleSelection;
use crate::scorer::Scorer;
use crate::settings::Settings;

/// Everything that a scan of one root depends on, except the repository and the cache.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request<'r> {
    /// The model that scores the tests.
    pub(crate) scorer: &'r dyn Scorer,
    /// The lowest probability that makes a test a finding; `None` for the threshold of the model.
    pub(crate) min_probability: Option<f32>,
    /// The maximum number of tests that the scan lists; `None` for all findings.
    pub(crate) top: Option<usize>,
    /// The number of tests below the threshold to list if there are not enough findings.
    pub(crate) extra: usize,
    /// Whether tests that do not run are listed.
    pub(crate) disabled: DisabledTests,
    /// Whether the scan lists every test with its probability, in addition to the findings.
    pub(crate) scores: ScoreList,
    /// The settings of `peeler.toml` that apply to the scanned root.
    pub(crate) settings: &'r Settings,
    /// The rules whose flows the scan reports as findings.
    pub(crate) rules: &'r RuleSelection<'r>,
    /// The files whose tests are scored, relative to the scanned root; `None` for all files.
    pub(crate) files: Option<&'r BTreeSet<String>>,
    /// The git revision since which a test must have changed to be scored; `None` for all tests.
    pub(crate) since: Option<&'r BaseRevision>,
    /// Tests that recorded runs proved flaky.
    pub(crate) proven: &'r BTreeSet<TestName>,
    /// Whether the scan collects results for the cache.
    pub(crate) caching: Caching,
    /// Whether the memory of the analysis is freed after the scan.
    pub(crate) disposal: Disposal,
    /// The time at which the command started.
    pub(crate) started: Instant,
}

/// Whether a scan lists every test with its probability.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScoreList {
    /// The scan lists no tests with their probability; findings contain theirs anyway.
    Nothing,
    /// The scan lists every test with its probability (`--all`).
    EveryTest,
}

/// Whether a scan collects results for the cache, such as the files that each test depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caching {
    Off,
    On,
}

/// Whether the memory of an analysis that is no longer needed is freed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Disposal {
    /// The memory of the analysis is freed, because another root is scanned next.
    Free,
    /// The memory of the analysis is kept until the process ends. Freeing it would take a twentieth of the time of a
    /// scan.
    Leak,
}

impl<'r> Request<'r> {
    /// The lowest probability that makes a test a finding: that of the request, or else the model's threshold.
    pub(crate) fn threshold(&self) -> f32 {
        self.min_probability.unwrap_or_else(|| self.scorer.threshold())
    }

    /// The rule that decides which tests the scan lists.
    pub(crate) fn listing_rule(&self) -> ListingRule<'r> {
        ListingRule {
            threshold: self.threshold(),
            rules: self.rules,
            proven: self.proven,
            top: self.top,
            extra: self.extra,
            disabled: self.disabled,
        }
    }

    /// Whether only some tests of the scanned root are scored.
    pub(crate) fn is_partial(&self) -> bool {
        self.files.is_some() || self.since.is_some()
    }
}
