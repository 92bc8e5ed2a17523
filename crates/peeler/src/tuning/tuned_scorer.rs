//! The model of a scan with its partner, which learned from the repository's own past.

use peeler_analysis::{AnalysedTests, FeatureSelection};
use peeler_learning::track_record::TrackRecord;
use peeler_model::BackendError;

use super::test_inputs::TestInputs;
use super::tuned_file::Tuning;
use crate::finding::TuningSummary;
use crate::scorer::{Basis, Score, Scorer};

/// A model whose scores a tuning changes. Paths and their attention stay those of the model.
#[derive(Debug)]
pub(crate) struct TunedScorer<'s> {
    pub(crate) model: &'s dyn Scorer,
    pub(crate) tuning: &'s Tuning,
}

impl Scorer for TunedScorer<'_> {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn threshold(&self) -> f32 {
        self.model.threshold()
    }

    fn track_record(&self) -> TrackRecord {
        // The counts are of scores without tuning.
        TrackRecord::default()
    }

    fn reads(&self) -> FeatureSelection {
        self.model.reads()
    }

    fn basis(&self) -> Basis {
        self.model.basis()
    }

    fn tests_at_once(&self) -> usize {
        self.model.tests_at_once()
    }

    fn tuning(&self) -> Option<&TuningSummary> {
        Some(&self.tuning.summary)
    }

    fn scores(&self, tests: &AnalysedTests<'_, '_>) -> Result<Vec<Score>, BackendError> {
        let mut scores = self.model.scores(tests)?;
        let inputs = TestInputs::of_all(tests, scores.iter().map(|it| it.probability));
        for (inputs, score) in inputs.iter().zip(&mut scores) {
            let tuned = self.tuning.partner.score(inputs);
            score.probability = self.tuning.probabilities.probability(tuned);
        }
        Ok(scores)
    }
}
