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

/// A trained model.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainedModel {
    /// The shape of its networks and how they were trained.
    pub config: Config,
    /// The rows of names in the tables of the networks.
    pub vocabulary: Vocabulary,
    /// The networks, each with its regression.
    pub members: Vec<Member>,
    /// The map from mean logits to probabilities.
    pub calibration: Calibration,
    /// The share of flaky held-out tests by calibrated probability, which corrects probabilities.
    pub curve: Curve,
    /// Tests at or above this probability are called flaky: where F1 was best on held-out tests.
    pub threshold: f32,
    /// Predictions of the scouts on held-out tests; empty for models that were stored before these were kept.
    pub track_record: TrackRecord,
}

/// The share of flaky tests among the held-out tests at or above the reporting threshold.
const WANTED_PRECISION: f64 = 0.7;
/// The fewest held-out tests at or above the reporting threshold: a share of fewer says little.
const ENOUGH_TESTS: u32 = 30;

impl TrainedModel {
    /// The probability from which on tests are reported: the lowest at which seven of ten held-out tests were flaky.
    /// Where the track record shows none, it is the threshold of the best F1.
    #[must_use]
    pub fn reporting_threshold(&self) -> f64 {
        let precise = self
            .track_record
            .lowest_threshold_with_precision(WANTED_PRECISION, ENOUGH_TESTS);
        precise.unwrap_or(f64::from(self.threshold))
    }

    /// The predictions for tests, in their order. Tests are scored without paths first where the configuration says so,
    /// and paths are read of those at or above `paths_from` only.
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
    /// The mean of the networks in log-odds, before calibration.
    pub logit: f32,
    /// The indices of the test's contextual paths with their share of attention, strongest first. `None` where the
    /// paths were not read.
    pub attention: Option<Vec<(u32, f32)>>,
}
