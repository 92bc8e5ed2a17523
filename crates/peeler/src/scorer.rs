//! The models that score the tests of a scan: the network, or one of two methods of the literature.
//!
//! Invariant: if the paths of a test were not read, its score lists them without attention, in the order of the graph.
//! Causes can then still be searched on the first paths.

use std::fmt::Debug;

use peeler_analysis::{AnalysedTests, FeatureSelection, TracedTest};
use peeler_learning::track_record::TrackRecord;
use peeler_model::{Backend, BackendError, BodyReading, Input, KindModels, KindProbability};
use serde::{Deserialize, Serialize};

use crate::finding::RankWorth;

use crate::finding::TuningSummary;

/// A model that computes the probability that a test is flaky.
pub(crate) trait Scorer: Debug + Sync {
    /// The name of the model in reports.
    fn name(&self) -> &str;

    /// The lowest probability that makes a test a finding, unless the user sets another one.
    fn threshold(&self) -> f32;

    /// The model's predictions for tests that were held out from training; empty if they were not recorded.
    fn track_record(&self) -> TrackRecord;

    /// What the first places of the model's ranking were worth on projects outside its training; empty if that was not
    /// measured.
    fn ranks(&self) -> Vec<RankWorth> {
        Vec::new()
    }

    /// The features that the model reads, among those that are computed only on demand because they are slow.
    fn reads(&self) -> FeatureSelection;

    /// The kind of input that the model's scores depend on, such as paths or words alone.
    fn basis(&self) -> Basis;

    /// The number of tests to score in one call. It is more than one if a call has a high fixed cost.
    fn tests_at_once(&self) -> usize;

    /// The tuning of the model by a repository's own past; `None` for a model as it was trained.
    fn tuning(&self) -> Option<&TuningSummary> {
        None
    }

    /// The score of each test, in the order of `tests`.
    fn scores(&self, tests: &AnalysedTests<'_, '_>) -> Result<Vec<Score>, BackendError>;
}

/// The probability that one test is flaky, and the attention that each of its paths got.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Score {
    /// The probability that the test is flaky.
    pub(crate) probability: f32,
    /// The probability of each kind of flakiness, likeliest first; empty if the model knows no kinds.
    pub(crate) kinds: Vec<KindProbability>,
    /// The contextual paths of the test, with the attention that each got.
    pub(crate) paths: Vec<PathScore>,
}

/// A contextual path of a test, with the share of the network's attention that it got.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct PathScore {
    /// The index of the contextual path among the paths of its test.
    pub(crate) number: u32,
    /// The share of the network's attention that the path got; `None` if the model did not read the test's paths.
    pub(crate) attention: Option<f32>,
}

impl PathScore {
    /// The index of the contextual path among the paths of its test, as `usize`.
    pub(crate) fn index(self) -> usize {
        self.number as usize
    }
}

/// The kind of input that a score depends on. The reason of a finding without a known cause names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Basis {
    /// The score depends on contextual paths, each with its share of attention.
    Paths,
    /// The score depends on everything that the network reads except contextual paths.
    WithoutPaths,
    /// The score depends on what the test reaches, on its size and on flows that rules find, but on no names.
    Reach,
    /// The score depends only on the words in the test.
    Words,
    /// The score depends on how much the code resembles that of known flaky tests.
    Resemblance,
}

impl Basis {
    /// The kind of input that the score of one test depends on. It changes to `WithoutPaths` if the network did not
    /// read the test's paths.
    pub(crate) fn for_paths(self, paths: &[PathScore]) -> Self {
        let is_unread = !paths.is_empty() && paths.iter().all(|it| it.attention.is_none());
        match self {
            Self::Paths if is_unread => Self::WithoutPaths,
            basis => basis,
        }
    }

    /// The kind of input that a score depends on, in words for a finding without a cause: `judged by its words alone`.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Paths => "judged by its words, its paths and what it reaches",
            Self::WithoutPaths => "judged by its words and by what it reaches",
            Self::Reach => "judged by its size, by what it reaches and by the flows in it",
            Self::Words => "judged by its words alone",
            Self::Resemblance => "judged by how much it reads like known flaky tests",
        }
    }
}

/// The error message for a built-in model that cannot be read.
pub(crate) const SHIPPED_IS_DAMAGED: &str = "the model built into this program is damaged; rebuild the program";

/// The number of tests to score in one call, for models whose calls have a high fixed cost.
pub(crate) const MANY: usize = 512;

/// A model that is a neural network, with the backend that computes it.
#[derive(Debug)]
pub(crate) struct Network {
    model: KindModels,
    backend: Backend,
}

impl Network {
    /// A scorer that computes `model` on `backend`.
    pub(crate) fn new(model: KindModels, backend: Backend) -> Self {
        Self { model, backend }
    }
}

/// The name of a model that has a head for each kind of flakiness.
const KINDS: &str = "kinds";

impl Scorer for Network {
    fn name(&self) -> &str {
        match self.model.heads() {
            [only] => &only.model.config.name,
            _ => KINDS,
        }
    }

    fn threshold(&self) -> f32 {
        self.model.reporting_threshold()
    }

    fn track_record(&self) -> TrackRecord {
        let records = self.model.heads().iter().map(|it| &it.model.track_record);
        records.fold(TrackRecord::default(), TrackRecord::with)
    }

    fn ranks(&self) -> Vec<RankWorth> {
        self.model.heads().iter().filter_map(RankWorth::of).collect()
    }

    fn reads(&self) -> FeatureSelection {
        FeatureSelection {
            path_contexts: self.model.configs().any(|it| it.body == BodyReading::Contexts),
            causes: self.model.configs().any(|it| it.reads(Input::Causes)),
            // Paths name methods that are one call away, so a score always depends on the files of these methods.
            call_depth: self.model.configs().map(|it| it.depth).fold(1, usize::max),
        }
    }

    fn basis(&self) -> Basis {
        let reads = |input: Input| self.model.configs().any(|it| it.reads(input));
        if reads(Input::Paths) {
            Basis::Paths
        } else if reads(Input::Words) || reads(Input::Context) {
            Basis::WithoutPaths
        } else {
            Basis::Reach
        }
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
                kinds: prediction.kinds,
                paths: match prediction.attention {
                    Some(attention) => weighed(&attention),
                    None => unread(&test.traced),
                },
            });
        Ok(scores.collect())
    }
}

/// The contextual paths of a test that the model scored without reading them: all paths, without attention.
pub(crate) fn unread(traced: &TracedTest<'_>) -> Vec<PathScore> {
    let path = |number| PathScore {
        number,
        attention: None,
    };
    (0..).take(traced.path_count()).map(path).collect()
}

/// Contextual paths with the attention that a network gave them. Each pair in `paths` is the index of a path and its
/// attention.
fn weighed(paths: &[(u32, f32)]) -> Vec<PathScore> {
    let path = |&(number, attention): &(u32, f32)| PathScore {
        number,
        attention: Some(attention),
    };
    paths.iter().map(path).collect()
}
