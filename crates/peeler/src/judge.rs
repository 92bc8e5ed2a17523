//! What judges the tests of a scan: the network, or one of the two rivals of the literature.
//!
//! Invariant: a judge that does not look at paths claims no attention; its verdicts list the paths of a test in their
//! own order, so that causes can still be searched on the first of them.

use std::fmt::Debug;

use peeler_eval::build::Gathered;
use peeler_eval::corpus::Corpus;
use peeler_eval::rivals::trained::{Rival, TrainedRival};
use peeler_eval::sample::Sample;
use peeler_eval::track_record::TrackRecord;
use peeler_model::{Backend, BackendError, BodyReading, Dataset, Input, TrainedModel, Verdict};

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

    /// One verdict for each test of a corpus, in their order.
    fn verdicts(&self, corpus: &Corpus) -> Result<Vec<Verdict>, BackendError>;
}

/// What a judge goes by, for the words of a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Basis {
    /// Contextual paths, each with its share of attention.
    Paths,
    /// The words in the test.
    Words,
    /// Known tests that read like it.
    Resemblance,
}

impl Basis {
    /// What a reason without a cause begins with, for judges that weigh no paths.
    pub(crate) fn words(self) -> Option<&'static str> {
        match self {
            Self::Paths => None,
            Self::Words => Some("judged by its words alone"),
            Self::Resemblance => Some("judged by how much it reads like known flaky tests"),
        }
    }
}

/// Everything that takes time to gather and that only some read.
const NOTHING: Gathered = Gathered {
    path_contexts: false,
    tokens: false,
    digests: false,
    causes: false,
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
            ..NOTHING
        }
    }

    fn basis(&self) -> Basis {
        Basis::Paths
    }

    fn verdicts(&self, corpus: &Corpus) -> Result<Vec<Verdict>, BackendError> {
        let dataset = Dataset::new(&samples(corpus), corpus.tables());
        self.model.judge(&dataset, self.backend)
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

    fn verdicts(&self, corpus: &Corpus) -> Result<Vec<Verdict>, BackendError> {
        let samples = samples(corpus);
        let probabilities = self.probabilities(&samples, corpus.tables());
        let verdict = |(sample, probability): (&&Sample, f32)| Verdict {
            probability,
            paths: (0..).zip(&sample.graph.paths).map(|(at, _)| (at, 0.0)).collect(),
            ..Verdict::default()
        };
        Ok(samples.iter().zip(probabilities).map(verdict).collect())
    }
}

fn samples(corpus: &Corpus) -> Vec<&Sample> {
    corpus.tests.iter().map(|it| &it.sample).collect()
}
