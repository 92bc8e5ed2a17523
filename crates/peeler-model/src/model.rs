//! A trained model: networks that are averaged, with the temperature and threshold that validation chose.

use burn::tensor::Device;
use peeler_eval::sample::{Sample, Tables};

use crate::backend::{Backend, BackendError};
use crate::batch::View;
use crate::calibration::Calibration;
use crate::config::Config;
use crate::dataset::Dataset;
use crate::inference;
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
    /// How mean logits become probabilities.
    pub calibration: Calibration,
    /// Tests at or above this probability are called flaky.
    pub threshold: f32,
}

impl TrainedModel {
    /// The probability of being flaky of every test of a dataset.
    ///
    /// # Errors
    ///
    /// When the backend is not there.
    pub fn probabilities(&self, dataset: &Dataset, backend: Backend) -> Result<Vec<f32>, BackendError> {
        let device = backend.device()?;
        let tests: Vec<usize> = (0..dataset.len()).collect();
        Ok(self.probabilities_of(dataset, &tests, backend, &device))
    }

    /// The same for samples that were not encoded yet.
    ///
    /// # Errors
    ///
    /// When the backend is not there.
    pub fn predict(
        &self,
        samples: &[&Sample],
        tables: Tables<'_>,
        backend: Backend,
    ) -> Result<Vec<f32>, BackendError> {
        self.probabilities(&Dataset::new(samples, tables), backend)
    }

    pub(crate) fn probabilities_of(
        &self,
        dataset: &Dataset,
        tests: &[usize],
        backend: Backend,
        device: &Device,
    ) -> Vec<f32> {
        let rows = self.vocabulary.rows(dataset);
        let view = View {
            dataset,
            vocabulary: &self.vocabulary,
            rows: &rows,
            config: &self.config,
        };
        let mut logits = vec![0.0; tests.len()];
        for weights in &self.members {
            let own = inference::probabilities(view, weights, tests, backend, device);
            for (sum, probability) in logits.iter_mut().zip(own) {
                *sum += logit(probability);
            }
        }
        #[allow(clippy::cast_precision_loss)]
        let members = self.members.len().max(1) as f32;
        logits.iter().map(|it| self.calibration.probability(it / members)).collect()
    }
}

pub(crate) fn logit(probability: f32) -> f32 {
    let bounded = probability.clamp(1e-6, 1.0 - 1e-6);
    (bounded / (1.0 - bounded)).ln()
}
