//! A trained model: networks that are averaged, with the temperature and threshold that validation chose.

use peeler_features::{Sample, Tables};
use peeler_learning::calibration::{Calibration, Curve, logit};
use peeler_learning::track_record::TrackRecord;

use crate::backend::{Backend, BackendError};
use crate::batch::View;
use crate::config::Config;
use crate::dataset::{Dataset, Reading};
use crate::inference;
use crate::member::Member;
use crate::score::Score;
use crate::vocabulary::{Rows, Vocabulary};

/// A trained model.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainedModel {
    /// How it was made.
    pub config: Config,
    /// What it knows of names.
    pub vocabulary: Vocabulary,
    /// The networks.
    pub members: Vec<Member>,
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

    /// Judges samples. Of those whose paths are not read these are not encoded either.
    ///
    /// # Errors
    ///
    /// When the backend is not there.
    pub fn judge_samples(
        &self,
        samples: &[&Sample],
        tables: Tables<'_>,
        backend: Backend,
    ) -> Result<Vec<Verdict>, BackendError> {
        self.judge_on_request(samples.len(), backend, |chosen, reading| {
            let chosen: Vec<&Sample> = chosen.iter().map(|at| samples[*at]).collect();
            Dataset::of(&chosen, tables, self.config.depth, reading)
        })
    }

    /// Judges so many tests. `encode` is asked for some of them, by their places, as often as there is something to read.
    ///
    /// # Errors
    ///
    /// When the backend is not there.
    pub fn judge_on_request(
        &self,
        tests: usize,
        backend: Backend,
        encode: impl Fn(&[usize], Reading) -> Dataset,
    ) -> Result<Vec<Verdict>, BackendError> {
        let backend = backend.resolve()?;
        let device = backend.device()?;
        let scores = inference::two_passes(&self.config, tests, |chosen, reading| {
            let dataset = encode(chosen, reading);
            let tests: Vec<usize> = (0..chosen.len()).collect();
            let rows = self.vocabulary.rows(&dataset);
            let view = self.view(&dataset, &rows);
            inference::scores_as(view, &self.members, &tests, backend.prediction_device(&device), reading)
        });
        Ok(scores.into_iter().map(|it| self.verdict(it)).collect())
    }

    /// Judges every test of a dataset.
    ///
    /// # Errors
    ///
    /// When the backend is not there.
    pub fn judge(&self, dataset: &Dataset, backend: Backend) -> Result<Vec<Verdict>, BackendError> {
        let backend = backend.resolve()?;
        let device = backend.device()?;
        let tests: Vec<usize> = (0..dataset.len()).collect();
        let rows = self.vocabulary.rows(dataset);
        let view = self.view(dataset, &rows);
        let scores = inference::scores(view, &self.members, &tests, backend.prediction_device(&device));
        Ok(scores.into_iter().map(|it| self.verdict(it)).collect())
    }

    fn view<'d>(&'d self, dataset: &'d Dataset, rows: &'d Rows) -> View<'d> {
        View {
            dataset,
            vocabulary: &self.vocabulary,
            rows,
            config: &self.config,
        }
    }

    fn verdict(&self, score: Score) -> Verdict {
        let logit = logit(score.probability);
        let mut paths = score.attention.unwrap_or_default();
        paths.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        Verdict {
            probability: self.curve.at(self.calibration.probability(logit)),
            logit,
            paths,
        }
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
    /// Paths go from a source to an assertion. Empty where no paths were read.
    pub paths: Vec<(u32, f32)>,
}
