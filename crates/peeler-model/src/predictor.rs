//! The network as a predictor among its rivals.
//!
//! Training, epochs, calibration and threshold use the training side of a fold alone: one network learns
//! without the validation part and shows, on it, when to stop; then the members of the model learn from
//! both parts for that many epochs.

use std::sync::Mutex;

use peeler_eval::metrics::best_threshold;
use peeler_eval::sample::{Model, Prediction, Predictor, Sample, Tables, Training, TrainingSide};

use crate::backend::Backend;
use crate::calibration::Calibration;
use crate::config::Config;
use crate::dataset::Dataset;
use crate::model::{TrainedModel, logit};
use crate::training::{EpochReport, Parts, Trainer};

/// Trains and judges networks of one configuration.
pub struct Peeler {
    /// The configuration.
    pub config: Config,
    /// Where it is trained.
    pub backend: Backend,
    /// The name in tables.
    pub name: String,
    /// Hears of every epoch.
    pub progress: Mutex<Box<dyn FnMut(&EpochReport) + Send>>,
}

struct Fitted {
    model: TrainedModel,
    backend: Backend,
}

impl Peeler {
    fn train(&self, training: &Training<'_>, validation: &Training<'_>, seed: u64) -> TrainedModel {
        let samples: Vec<&Sample> = training.samples.iter().chain(&validation.samples).map(|it| it.0).collect();
        let flaky: Vec<bool> = training.samples.iter().chain(&validation.samples).map(|it| it.1.flaky).collect();
        let dataset = Dataset::new(&samples, training.tables);
        let learned: Vec<usize> = (0..training.samples.len()).collect();
        let held: Vec<usize> = (training.samples.len()..samples.len()).collect();
        train_model(&self.config, &dataset, &flaky, &learned, &held, self.backend, seed, |report| {
            (self.progress.lock().expect("no listener panics"))(report);
        })
    }
}

/// Trains a model: one network to learn when to stop, then its members on everything.
///
/// # Panics
///
/// When the backend is not there; ask for its device first.
#[allow(clippy::too_many_arguments)]
pub fn train_model(
    config: &Config,
    dataset: &Dataset,
    flaky: &[bool],
    training: &[usize],
    validation: &[usize],
    backend: Backend,
    seed: u64,
    mut progress: impl FnMut(&EpochReport),
) -> TrainedModel {
    let device = backend.device().expect("the backend was asked for its device");
    let scout = |config: &Config, training: &[usize], validation: &[usize], seed: u64, progress: &mut dyn FnMut(&EpochReport)| {
        let parts = Parts {
            flaky,
            training,
            validation,
        };
        let mut trainer = Trainer::new(config, dataset, parts, backend, seed).expect("the backend is there");
        while !trainer.is_finished() {
            progress(trainer.epoch());
        }
        let epochs = trainer.best_epoch();
        let (vocabulary, weights) = trainer.into_best();
        (epochs, vocabulary, weights)
    };
    let (epochs, vocabulary, weights) = scout(config, training, validation, seed, &mut progress);
    let mut model = TrainedModel {
        config: config.clone(),
        vocabulary,
        members: vec![weights],
        calibration: Calibration::default(),
        threshold: 0.5,
    };
    let labels: Vec<bool> = validation.iter().map(|it| flaky[*it]).collect();
    let raw = model.probabilities_of(dataset, validation, backend, &device);
    let logits: Vec<f32> = raw.into_iter().map(logit).collect();
    model.calibration = Calibration::fit(&logits, &labels);
    let calibrated: Vec<f32> = logits.iter().map(|it| model.calibration.probability(*it)).collect();
    model.threshold = best_threshold(&calibrated, &labels);
    if config.members > 0 {
        let mut both: Vec<usize> = training.iter().chain(validation).copied().collect();
        both.sort_unstable();
        let stopped = Config {
            stop_after: Some(epochs.max(1)),
            ..config.clone()
        };
        model.members.clear();
        for member in 0..config.members {
            let (_, vocabulary, weights) = scout(&stopped, &both, &[], seed + 1_000 * (member as u64 + 1), &mut progress);
            model.vocabulary = vocabulary;
            model.members.push(weights);
        }
    }
    model
}

impl Predictor for Peeler {
    fn name(&self) -> &str {
        &self.name
    }

    fn fit(&self, training: &Training<'_>, seed: u64) -> Box<dyn Model> {
        let (learned, held) = training.held_out(seed);
        let model = self.train(&learned, &held, seed);
        let backend = self.backend;
        Box::new(Fitted { model, backend })
    }

    fn fit_validated(&self, side: &TrainingSide<'_>, seed: u64) -> (Box<dyn Model>, f32) {
        let model = self.train(&side.training, &side.validation, seed);
        let threshold = model.threshold;
        let backend = self.backend;
        (Box::new(Fitted { model, backend }), threshold)
    }
}

impl Model for Fitted {
    fn predict(&self, sample: &Sample, tables: Tables<'_>) -> Prediction {
        self.predict_all(&[sample], tables).remove(0)
    }

    fn predict_all(&self, samples: &[&Sample], tables: Tables<'_>) -> Vec<Prediction> {
        let probabilities = self.model.predict(samples, tables, self.backend);
        let probabilities = probabilities.expect("the backend trained this model");
        probabilities.into_iter().map(Prediction::of).collect()
    }
}
