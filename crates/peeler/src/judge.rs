//! What judges the tests of a scan: the network, or one of the two rivals of the literature.
//!
//! Invariant: a judge that did not look at the paths of a test claims no attention; its verdict lists them in their own
//! order, so that causes can still be searched on the first of them.

use std::fmt::Debug;

use peeler_analysis::{AnalysedTests, FeatureSelection};
use peeler_eval::rivals::trained::{Rival, TrainedRival};
use peeler_learning::calibration::logit;
use peeler_learning::track_record::TrackRecord;
use peeler_model::{Backend, BackendError, BodyReading, Input, Prediction, TrainedModel};

/// What says how likely tests are flaky.
pub(crate) trait Judge: Debug + Sync {
    /// Its name in reports.
    fn name(&self) -> &str;

    /// Tests from this probability on are findings.
    fn threshold(&self) -> f32;

    /// What it said of tests that were held out from it; empty where nobody kept count.
    fn track_record(&self) -> TrackRecord;

    /// The features of tests that it reads and that take time.
    fn reads(&self) -> FeatureSelection;

    /// What it goes by.
    fn basis(&self) -> Basis;

    /// How many tests it likes to judge at once, where it takes longer to begin than to judge.
    fn tests_at_once(&self) -> usize;

    /// One prediction for each test, in their order.
    fn predictions(&self, tests: &AnalysedTests<'_, '_>) -> Result<Vec<Prediction>, BackendError>;
}

/// What a judge goes by, for the words of a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Basis {
    /// Contextual paths, each with its share of attention.
    Paths,
    /// What else a network reads, where that alone decided.
    Glance,
    /// The words in the test.
    Words,
    /// Known tests that read like it.
    Resemblance,
}

impl Basis {
    /// What it went by with one test, whose paths got this attention.
    pub(crate) fn with_attention(self, paths: &[(u32, f32)]) -> Self {
        let is_unread = !paths.is_empty() && paths.iter().all(|(_, attention)| *attention == 0.0);
        match self {
            Self::Paths if is_unread => Self::Glance,
            basis => basis,
        }
    }

    /// What a reason without a cause begins with, for judges that weigh no paths.
    pub(crate) fn words(self) -> Option<&'static str> {
        match self {
            Self::Paths => None,
            Self::Glance => Some("judged by its words and by what it reaches"),
            Self::Words => Some("judged by its words alone"),
            Self::Resemblance => Some("judged by how much it reads like known flaky tests"),
        }
    }
}

/// Enough tests to be worth a beginning.
const MANY: usize = 512;

/// The network with what computes it.
#[derive(Debug)]
pub(crate) struct Network {
    pub(crate) model: TrainedModel,
    pub(crate) backend: Backend,
}

impl Judge for Network {
    fn name(&self) -> &str {
        &self.model.config.name
    }

    fn threshold(&self) -> f32 {
        #[expect(clippy::cast_possible_truncation, reason = "thousandths")]
        let threshold = self.model.reporting_threshold() as f32;
        threshold
    }

    fn track_record(&self) -> TrackRecord {
        self.model.track_record.clone()
    }

    fn reads(&self) -> FeatureSelection {
        FeatureSelection {
            path_contexts: self.model.config.body == BodyReading::Contexts,
            causes: self.model.config.reads(Input::Causes),
            // Paths speak of methods one call away, so a test always rests on the files of these.
            call_depth: self.model.config.depth.max(1),
        }
    }

    fn basis(&self) -> Basis {
        Basis::Paths
    }

    fn tests_at_once(&self) -> usize {
        match self.backend.resolve() {
            Ok(Backend::Cpu) => 1,
            _ => MANY,
        }
    }

    fn predictions(&self, tests: &AnalysedTests<'_, '_>) -> Result<Vec<Prediction>, BackendError> {
        let features = tests.features();
        self.model.predict(&features.iter().collect::<Vec<_>>(), self.backend)
    }
}

impl Judge for TrainedRival {
    fn name(&self) -> &str {
        self.learned.rival().name()
    }

    fn threshold(&self) -> f32 {
        self.threshold
    }

    fn track_record(&self) -> TrackRecord {
        TrackRecord::default()
    }

    fn reads(&self) -> FeatureSelection {
        FeatureSelection::CHEAPEST
    }

    fn basis(&self) -> Basis {
        match self.learned.rival() {
            Rival::Flast => Basis::Resemblance,
            Rival::Vocabulary => Basis::Words,
        }
    }

    fn tests_at_once(&self) -> usize {
        MANY
    }

    fn predictions(&self, tests: &AnalysedTests<'_, '_>) -> Result<Vec<Prediction>, BackendError> {
        let features = tests.features();
        let probabilities = self.probabilities(&features.iter().collect::<Vec<_>>());
        let prediction = |probability| Prediction {
            probability,
            logit: logit(probability),
            attention: None,
        };
        Ok(probabilities.into_iter().map(prediction).collect())
    }
}
