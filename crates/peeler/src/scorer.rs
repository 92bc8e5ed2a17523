//! What scores the tests of a scan: the network, or one of the two rivals of the literature.
//!
//! Invariant: the score of a test whose paths were not read lists them without attention, in the order of the graph, so
//! that causes can still be searched on the first ones.

use std::fmt::Debug;

use peeler_analysis::{AnalysedTests, FeatureSelection, TracedTest};
use peeler_eval::rivals::trained::{Rival, TrainedRival};
use peeler_learning::track_record::TrackRecord;
use peeler_model::{Backend, BackendError, BodyReading, Input, TrainedModel};
use serde::{Deserialize, Serialize};

/// A model that says how probably tests are flaky.
pub(crate) trait Scorer: Debug + Sync {
    /// Its name in reports.
    fn name(&self) -> &str;

    /// The probability from which tests are findings by default.
    fn threshold(&self) -> f32;

    /// Its predictions for tests that were held out from training; empty where they were not recorded.
    fn track_record(&self) -> TrackRecord;

    /// The features that it reads and that take time.
    fn reads(&self) -> FeatureSelection;

    /// What its scores depend on.
    fn basis(&self) -> Basis;

    /// How many tests to score in one call. It is more than one where a call is expensive to start.
    fn tests_at_once(&self) -> usize;

    /// One score for each test, in their order.
    fn scores(&self, tests: &AnalysedTests<'_, '_>) -> Result<Vec<Score>, BackendError>;
}

/// What a scorer says about one test.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Score {
    /// The probability that the test is flaky.
    pub(crate) probability: f32,
    /// Its contextual paths.
    pub(crate) paths: Vec<PathScore>,
}

/// A contextual path of a test and its weight.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct PathScore {
    /// The number of the path in the test.
    pub(crate) number: u32,
    /// The share of the network's attention that the path got; none where paths were not read.
    pub(crate) attention: Option<f32>,
}

impl PathScore {
    /// The number of the path, as an index.
    pub(crate) fn index(self) -> usize {
        self.number as usize
    }
}

/// What a score depends on, for the wording of a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Basis {
    /// Contextual paths, each with its share of attention.
    Paths,
    /// Everything that a network reads except the paths.
    WithoutPaths,
    /// The words in the test.
    Words,
    /// Known tests with similar code.
    Resemblance,
}

impl Basis {
    /// The basis for one test: a network may leave the paths of a test unread.
    pub(crate) fn for_paths(self, paths: &[PathScore]) -> Self {
        let is_unread = !paths.is_empty() && paths.iter().all(|it| it.attention.is_none());
        match self {
            Self::Paths if is_unread => Self::WithoutPaths,
            basis => basis,
        }
    }

    /// How a reason without a cause starts, where paths were not read.
    pub(crate) fn words(self) -> Option<&'static str> {
        match self {
            Self::Paths => None,
            Self::WithoutPaths => Some("judged by its words and by what it reaches"),
            Self::Words => Some("judged by its words alone"),
            Self::Resemblance => Some("judged by how much it reads like known flaky tests"),
        }
    }
}

/// Tests for one call of a scorer that is expensive to start.
const MANY: usize = 512;

/// The network and the backend that computes it.
#[derive(Debug)]
pub(crate) struct Network {
    pub(crate) model: TrainedModel,
    pub(crate) backend: Backend,
}

impl Scorer for Network {
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

    fn scores(&self, tests: &AnalysedTests<'_, '_>) -> Result<Vec<Score>, BackendError> {
        let features = tests.features();
        let predictions = self.model.predict(&features.iter().collect::<Vec<_>>(), self.backend)?;
        let scores = predictions
            .into_iter()
            .zip(tests.iter())
            .map(|(prediction, test)| Score {
                probability: prediction.probability,
                paths: match prediction.attention {
                    Some(attention) => weighed(&attention),
                    None => unread(&test.traced),
                },
            });
        Ok(scores.collect())
    }
}

impl Scorer for TrainedRival {
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

    fn scores(&self, tests: &AnalysedTests<'_, '_>) -> Result<Vec<Score>, BackendError> {
        let features = tests.features();
        let probabilities = self.probabilities(&features.iter().collect::<Vec<_>>());
        let scores = probabilities
            .into_iter()
            .zip(tests.iter())
            .map(|(probability, test)| Score {
                probability,
                paths: unread(&test.traced),
            });
        Ok(scores.collect())
    }
}

/// All paths of a test, without attention.
fn unread(traced: &TracedTest<'_>) -> Vec<PathScore> {
    let path = |number| PathScore {
        number,
        attention: None,
    };
    (0..).take(traced.path_count()).map(path).collect()
}

/// Paths with the attention that a network gave them.
fn weighed(paths: &[(u32, f32)]) -> Vec<PathScore> {
    let path = |&(number, attention): &(u32, f32)| PathScore {
        number,
        attention: Some(attention),
    };
    paths.iter().map(path).collect()
}
