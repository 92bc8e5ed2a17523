//! What a scan of one root is asked for.

use std::collections::BTreeSet;
use std::time::Instant;

use peeler_features::TestName;

use crate::base_revision::BaseRevision;
use crate::ranking::ListingRule;
use crate::scorer::Scorer;
use crate::settings::Settings;

/// Everything that a scan depends on beside the repository and its cache.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request<'r> {
    /// The model.
    pub(crate) scorer: &'r dyn Scorer,
    /// The probability from which tests are findings; that of the model by default.
    pub(crate) min_probability: Option<f32>,
    /// The most findings.
    pub(crate) top: Option<usize>,
    /// Which tests are listed with their probability, beside the findings.
    pub(crate) scores: ScoreList,
    /// The settings of `peeler.toml`.
    pub(crate) settings: &'r Settings,
    /// Only tests of these files are scored; paths are relative to the root.
    pub(crate) files: Option<&'r BTreeSet<String>>,
    /// Only tests that changed since this revision are scored.
    pub(crate) since: Option<&'r BaseRevision>,
    /// Tests that runs proved flaky.
    pub(crate) proven: &'r BTreeSet<TestName>,
    /// Whether the scan makes an entry for the cache.
    pub(crate) caching: Caching,
    /// What happens to the analysis after the scan.
    pub(crate) disposal: Disposal,
    /// When the command started.
    pub(crate) started: Instant,
}

/// Which tests a scan lists with their probability.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScoreList {
    /// None; findings have theirs anyway.
    Nothing,
    /// Every test (`--all`).
    EveryTest,
}

/// Whether a scan collects what a cache entry needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caching {
    Off,
    On,
}

/// What happens to an analysis that is no longer needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Disposal {
    /// Its memory is freed, for the scan of the next root.
    Free,
    /// Its memory is left to the end of the process. Freeing it would take a twentieth of a scan.
    Leak,
}

impl<'r> Request<'r> {
    /// The probability from which tests are findings.
    pub(crate) fn threshold(&self) -> f32 {
        self.min_probability.unwrap_or_else(|| self.scorer.threshold())
    }

    /// What the scan lists.
    pub(crate) fn listing_rule(&self) -> ListingRule<'r> {
        ListingRule {
            threshold: self.threshold(),
            proven: self.proven,
            top: self.top,
        }
    }

    /// Whether only some tests of the root are scored.
    pub(crate) fn is_partial(&self) -> bool {
        self.files.is_some() || self.since.is_some()
    }
}
