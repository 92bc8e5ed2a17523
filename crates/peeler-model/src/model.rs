//! A trained model: networks whose predictions are averaged, with the calibration and threshold that validation chose.

use peeler_features::{Dataset, TestFeatures, encode};
use peeler_learning::calibration::{Calibration, Curve, logit};
use peeler_learning::track_record::TrackRecord;

use crate::backend::{Backend, BackendError};
use crate::batch::View;
use crate::config::Config;
use crate::inference;
use crate::member::Member;
use crate::score::Score;
use crate::vocabulary::{Rows, Vocabulary};

/// A trained model: networks with a calibration and a threshold.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainedModel {
    /// The configuration of the networks and of their training.
    pub config: Config,
    /// The embedding rows of names in the tables of the networks.
    pub vocabulary: Vocabulary,
    /// The networks, each with its regression.
    pub members: Vec<Member>,
    /// The map from mean logits to probabilities.
    pub calibration: Calibration,
    /// The share of flaky held-out tests by calibrated probability, which corrects probabilities.
    pub curve: Curve,
    /// The threshold with the best F1 on held-out tests. Tests at or above it are classified as flaky.
    pub threshold: f32,
    /// Predictions of networks for tests held out from their training; empty for models of older versions, which did
    /// not store them.
    pub track_record: TrackRecord,
}

/// The wanted share of flaky tests among the held-out tests at or above the reporting threshold.
const WANTED_PRECISION: f64 = 0.7;
/// The minimum number of held-out tests at or above the reporting threshold. The share among fewer tests is unreliable.
const ENOUGH_TESTS: u32 = 30;

impl TrainedModel {
    /// The probability from which on tests are reported: the lowest at which seven of ten held-out tests were flaky. If
    /// the track record contains no such probability, it is the threshold with the best F1.
    #[must_use]
    pub fn reporting_threshold(&self) -> f64 {
        let precise = self
            .track_record
            .lowest_threshold_with_precision(WANTED_PRECISION, ENOUGH_TESTS);
        precise.unwrap_or(f64::from(self.threshold))
    }

    /// The predictions for tests, in their order. If the configuration has `paths_from`, tests are first scored without
    /// paths, and paths are read only for those at or above it.
    ///
    /// # Errors
    ///
    /// When the backend is not available.
    pub fn predict(&self, tests: &[&TestFeatures<'_>], backend: Backend) -> Result<Vec<Prediction>, BackendError> {
        let backend = backend.resolve()?;
        let device = backend.device()?;
        let scores = inference::two_passes(&self.config, tests.len(), |chosen, depth| {
            let dataset = encode(chosen.iter().map(|at| tests[*at]), self.config.depth, depth);
            let tests: Vec<usize> = (0..chosen.len()).collect();
            let rows = self.vocabulary.rows(&dataset);
            let view = self.view(&dataset, &rows);
            inference::scores_as(view, &self.members, &tests, backend.prediction_device(&device), depth)
        });
        Ok(scores.into_iter().map(|it| self.prediction(it)).collect())
    }

    /// The predictions for all tests of a dataset that was encoded with paths.
    ///
    /// # Errors
    ///
    /// When the backend is not available.
    pub fn predict_dataset(&self, dataset: &Dataset, backend: Backend) -> Result<Vec<Prediction>, BackendError> {
        let backend = backend.resolve()?;
        let device = backend.device()?;
        let tests: Vec<usize> = (0..dataset.len()).collect();
        let rows = self.vocabulary.rows(dataset);
        let view = self.view(dataset, &rows);
        let scores = inference::scores(view, &self.members, &tests, backend.prediction_device(&device));
        Ok(scores.into_iter().map(|it| self.prediction(it)).collect())
    }

    fn view<'d>(&'d self, dataset: &'d Dataset, rows: &'d Rows) -> View<'d> {
        View {
            dataset,
            vocabulary: &self.vocabulary,
            rows,
            config: &self.config,
        }
    }

    fn prediction(&self, score: Score) -> Prediction {
        let logit = logit(score.probability);
        let mut attention = score.attention;
        if let Some(paths) = &mut attention {
            paths.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        }
        Prediction {
            probability: self.curve.at(self.calibration.probability(logit)),
            logit,
            attention,
        }
    }
}

/// The prediction of a model for one test.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// The probability of being flaky.
    pub probability: f32,
    /// The mean log-odds of the networks, before calibration.
    pub logit: f32,
    /// The indices of the test's contextual paths with their share of attention, strongest first. `None` if the paths
    /// were not read.
    pub attention: Option<Vec<(u32, f32)>>,
}
