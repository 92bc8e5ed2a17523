//! A trained model: networks whose predictions are averaged, with the calibration and threshold that validation chose.

use peeler_features::{Dataset, TestFeatures, encode};
use peeler_learning::calibration::{Calibration, Curve, logit};
use peeler_learning::project_record::ProjectRecord;
use peeler_learning::track_record::TrackRecord;

use crate::backend::{Backend, BackendError};
use crate::batch::View;
use crate::config::Config;
use crate::inference;
use crate::member::Member;
use crate::score::Score;
use crate::vocabulary::{Rows, Vocabulary};

/// A trained model: networks whose predictions are averaged, a calibration and a threshold.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainedModel {
    /// The configuration of the networks and of their training.
    pub config: Config,
    /// The embedding rows of names, such as sub-tokens and library calls, in the tables of the networks.
    pub vocabulary: Vocabulary,
    /// The networks of the model, each with its logistic regression.
    pub members: Vec<Member>,
    /// The map from the mean log-odds of the networks to probabilities.
    pub calibration: Calibration,
    /// A curve that corrects calibrated probabilities.
    ///
    /// It maps a probability to the share of flaky tests among the held-out tests with about the same probability.
    pub curve: Curve,
    /// The probability from which on tests are classified as flaky: the one with the highest F1 on held-out tests.
    ///
    /// It is compared with probabilities after calibration and correction by `curve`.
    pub threshold: f32,
    /// Counts of held-out tests by predicted probability and true label. Empty for models of older versions.
    pub track_record: TrackRecord,
    /// What the model's ranking was worth on held-out projects. Empty if no whole projects were held out.
    pub project_record: ProjectRecord,
}

/// The wanted share of flaky tests among the held-out tests that would be reported.
///
/// It decides the reporting threshold: the probability from which on tests are reported.
const WANTED_PRECISION: f64 = 0.7;
/// The minimum number of held-out tests at or above the probability from which on tests are reported.
///
/// Among fewer tests the share of flaky ones is unreliable.
const ENOUGH_TESTS: u32 = 30;

impl TrainedModel {
    /// The probability from which on tests are reported.
    ///
    /// It is the threshold that the record of held-out projects ensures, or 1 if that record ensures none.
    ///
    /// Without such a record it is the lowest threshold for which at least 70% of the held-out tests at or above it are
    /// flaky, or else the threshold with the highest F1.
    #[must_use]
    pub fn reporting_threshold(&self) -> f64 {
        if !self.project_record.projects.is_empty() {
            return self.project_record.threshold.map_or(1.0, f64::from);
        }
        let precise = self
            .track_record
            .lowest_threshold_with_precision(WANTED_PRECISION, ENOUGH_TESTS);
        precise.unwrap_or(f64::from(self.threshold))
    }

    /// The predictions for tests, in their order.
    ///
    /// If the configuration has `paths_from`, tests are first scored without their contextual paths. Paths are read
    /// only for tests at or above that probability.
    ///
    /// # Errors
    ///
    /// When the backend is not available.
    pub fn predict(&self, tests: &[&TestFeatures<'_>], backend: Backend) -> Result<Vec<Prediction>, BackendError> {
        let device = backend.prediction_device()?;
        let scores = inference::two_passes(&self.config, tests.len(), |chosen, depth| {
            let dataset = encode(chosen.iter().map(|at| tests[*at]), self.config.depth, depth);
            let tests: Vec<usize> = (0..chosen.len()).collect();
            let rows = self.vocabulary.rows(&dataset);
            let view = self.view(&dataset, &rows);
            inference::scores_as(view, &self.members, &tests, device.as_ref(), depth)
        });
        Ok(scores.into_iter().map(|it| self.prediction(it)).collect())
    }

    /// The predictions for all tests of a dataset that contains their contextual paths.
    ///
    /// # Errors
    ///
    /// When the backend is not available.
    pub fn predict_dataset(&self, dataset: &Dataset, backend: Backend) -> Result<Vec<Prediction>, BackendError> {
        let device = backend.prediction_device()?;
        let tests: Vec<usize> = (0..dataset.len()).collect();
        let rows = self.vocabulary.rows(dataset);
        let view = self.view(dataset, &rows);
        let scores = inference::scores(view, &self.members, &tests, device.as_ref());
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

/// The prediction of a model for one test: probability, log-odds and attention by path.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// The calibrated probability that the test is flaky.
    pub probability: f32,
    /// The mean log-odds of the model's networks that the test is flaky, before calibration.
    pub logit: f32,
    /// The indices of the test's contextual paths with their share of attention, strongest first. `None` if the paths
    /// were not read.
    pub attention: Option<Vec<(u32, f32)>>,
}
