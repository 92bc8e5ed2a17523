//! A trained model: networks that are averaged, with the temperature and threshold that validation chose.

use burn::tensor::Device;
use peeler_eval::calibration::{Calibration, Curve, logit};
use peeler_eval::track_record::TrackRecord;

use crate::backend::{Backend, BackendError};
use crate::batch::View;
use crate::config::Config;
use crate::dataset::Dataset;
use crate::inference::{self, Judged};
use crate::vocabulary::Vocabulary;
use crate::weights::Weights;

/// A trained model.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainedModel {
    /// How it was made.
    pub config: Config,
    /// What it knows of names.
    pub vocabulary: Vocabulary,
    /// The networks.
    pub members: Vec<Weights>,
    /// How mean logits become probabilities,
    pub calibration: Calibration,
    /// and what those turned out to be worth.
    pub curve: Curve,
    /// Tests at or above this probability are called flaky: where F1 was best on held-out tests.
    pub threshold: f32,
    /// What the network that chose these said of held-out tests; empty for models of before it was kept.
    pub track_record: TrackRecord,
}

/// Of the held-out tests that would have been reported so many were flaky.
const WANTED_PRECISION: f64 = 0.7;
/// And there are at least so many of them: a share of a few tests says little.
const ENOUGH_TESTS: u32 = 30;

impl TrainedModel {
    /// Tests from this probability on are worth a maintainer's time: the lowest from which seven of ten held-out tests were
    /// flaky. Where the record shows none it is the threshold of the best F1.
    #[must_use]
    pub fn reporting_threshold(&self) -> f64 {
        let precise = self
            .track_record
            .lowest_threshold_with_precision(WANTED_PRECISION, ENOUGH_TESTS);
        precise.unwrap_or(f64::from(self.threshold))
    }

    /// Judges every test of a dataset.
    ///
    /// # Errors
    ///
    /// When the backend is not there.
    pub fn judge(&self, dataset: &Dataset, backend: Backend) -> Result<Vec<Verdict>, BackendError> {
        let backend = backend.resolve()?;
        let tests: Vec<usize> = (0..dataset.len()).collect();
        Ok(self.judge_some(dataset, &tests, backend, &backend.device()?))
    }

    pub(crate) fn judge_some(
        &self,
        dataset: &Dataset,
        tests: &[usize],
        backend: Backend,
        device: &Device,
    ) -> Vec<Verdict> {
        let rows = self.vocabulary.rows(dataset);
        let view = View {
            dataset,
            vocabulary: &self.vocabulary,
            rows: &rows,
            config: &self.config,
        };
        #[allow(clippy::cast_precision_loss)]
        let share = 1.0 / self.members.len().max(1) as f32;
        let mut verdicts = vec![Verdict::default(); tests.len()];
        for weights in &self.members {
            let judged = inference::judge(view, weights, tests, backend.judges_on(device));
            for (verdict, judged) in verdicts.iter_mut().zip(judged) {
                verdict.add(&judged, share);
            }
        }
        for verdict in &mut verdicts {
            verdict.probability = self.curve.at(self.calibration.probability(verdict.logit));
            verdict.paths.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        }
        verdicts
    }
}

/// What a model says about one test, and why.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Verdict {
    /// The probability of being flaky.
    pub probability: f32,
    /// The mean of the networks before calibration.
    pub logit: f32,
    /// The contextual paths of the test by their number, with the attention they got, strongest first.
    /// Paths go from a source to an assertion. Empty for networks that read no paths.
    pub paths: Vec<(u32, f32)>,
}

impl Verdict {
    fn add(&mut self, judged: &Judged, share: f32) {
        self.logit += share * logit(judged.probability);
        if self.paths.is_empty() {
            self.paths = judged.attention.iter().map(|(path, _)| (*path, 0.0)).collect();
        }
        for (own, (_, weight)) in self.paths.iter_mut().zip(&judged.attention) {
            own.1 += share * weight;
        }
    }
}
