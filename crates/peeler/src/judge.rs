//! What judges the tests of a scan: the network, or one of the two rivals of the literature.
//!
//! Invariant: a judge that did not look at the paths of a test claims no attention; its verdict lists them in their own
//! order, so that causes can still be searched on the first of them.

use std::fmt::Debug;

use peeler_analysis::TracedTest;
use peeler_eval::build::{Gathered, Graphs, Unlabelled};
use peeler_eval::corpus::Corpus;
use peeler_eval::rivals::trained::{Rival, TrainedRival};
use peeler_features::Sample;
use peeler_learning::track_record::TrackRecord;
use peeler_model::{Backend, BackendError, BodyReading, Dataset, Input, Reading, TrainedModel, Verdict};

/// What says how likely tests are flaky.
pub(crate) trait Judge: Debug + Sync {
    /// Its name in reports.
    fn name(&self) -> &str;

    /// Tests from this probability on are findings.
    fn threshold(&self) -> f32;

    /// What it said of tests that were held out from it; empty where nobody kept count.
    fn track_record(&self) -> TrackRecord;

    /// What has to be gathered of tests beside their graphs, words and reach.
    fn reads(&self) -> Gathered;

    /// What it goes by.
    fn basis(&self) -> Basis;

    /// How many tests it likes to judge at once, where it takes longer to begin than to judge.
    fn tests_at_once(&self) -> usize;

    /// One verdict for each test, in their order.
    fn verdicts(&self, tests: &Unlabelled<'_, '_>) -> Result<Vec<Verdict>, BackendError>;
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

/// Everything that takes time to gather and that only some read.
const NOTHING: Gathered = Gathered {
    path_contexts: false,
    tokens: false,
    relatives: false,
    causes: false,
    depth: 0,
};

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

    fn reads(&self) -> Gathered {
        Gathered {
            path_contexts: self.model.config.body == BodyReading::Contexts,
            causes: self.model.config.reads(Input::Causes),
            // Paths speak of methods one call away, so a test always rests on the files of these.
            depth: self.model.config.depth.max(1),
            ..NOTHING
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

    fn verdicts(&self, tests: &Unlabelled<'_, '_>) -> Result<Vec<Verdict>, BackendError> {
        let encode = |chosen: &[usize], reading| {
            let depth = self.model.config.depth;
            if reading == Reading::Glance {
                return Dataset::of_glances(tests.glances(chosen), depth);
            }
            let corpus = tests.corpus(chosen, Graphs::Whole);
            Dataset::new(&samples(&corpus), corpus.tables(), depth)
        };
        let mut verdicts = self.model.judge_on_request(tests.len(), self.backend, encode)?;
        for (verdict, traced) in verdicts.iter_mut().zip(tests.traced()) {
            if verdict.paths.is_empty() {
                verdict.paths = unweighed(traced);
            }
        }
        Ok(verdicts)
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

    fn reads(&self) -> Gathered {
        Gathered {
            tokens: self.learned.rival() == Rival::Flast,
            ..NOTHING
        }
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

    fn verdicts(&self, tests: &Unlabelled<'_, '_>) -> Result<Vec<Verdict>, BackendError> {
        let all: Vec<usize> = (0..tests.len()).collect();
        let corpus = tests.corpus(&all, Graphs::Sizes);
        let probabilities = self.probabilities(&samples(&corpus), corpus.tables());
        let verdict = |(traced, probability): (&TracedTest<'_>, f32)| Verdict {
            probability,
            paths: unweighed(traced),
            ..Verdict::default()
        };
        Ok(tests.traced().zip(probabilities).map(verdict).collect())
    }
}

/// All paths of a test, without attention.
fn unweighed(traced: &TracedTest<'_>) -> Vec<(u32, f32)> {
    (0..).take(traced.path_count()).map(|at| (at, 0.0)).collect()
}

fn samples(corpus: &Corpus) -> Vec<&Sample> {
    corpus.tests.iter().map(|it| &it.sample).collect()
}
