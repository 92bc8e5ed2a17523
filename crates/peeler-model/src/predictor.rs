//! The network as a predictor among its rivals.
//!
//! Training, epochs, calibration and threshold use the training side of a fold alone; see [`crate::course`].

use std::sync::Mutex;

use peeler_eval::sample::{Model, Prediction, Predictor, Sample, Tables, Training, TrainingSide};

use crate::backend::Backend;
use crate::config::Config;
use crate::course::{Course, Stage};
use crate::dataset::Dataset;
use crate::model::TrainedModel;
use crate::training::{EpochReport, Parts};

/// Hears of every epoch.
pub type Listener = Box<dyn FnMut(Stage, &EpochReport) + Send>;

/// Trains and judges networks of one configuration.
pub struct Peeler {
    /// The configuration.
    pub config: Config,
    /// Where it is trained.
    pub backend: Backend,
    /// The name in tables.
    pub name: String,
    /// Hears of every epoch.
    pub progress: Mutex<Listener>,
}

struct Fitted {
    model: TrainedModel,
    backend: Backend,
}

impl Peeler {
    fn train(&self, training: &Training<'_>, validation: &Training<'_>, seed: u64) -> TrainedModel {
        let samples: Vec<&Sample> = training
            .samples
            .iter()
            .chain(&validation.samples)
            .map(|it| it.0)
            .collect();
        let flaky: Vec<bool> = training
            .samples
            .iter()
            .chain(&validation.samples)
            .map(|it| it.1.flaky)
            .collect();
        let dataset = Dataset::new(&samples, training.tables);
        let parts = Parts {
            flaky: flaky.into(),
            training: (0..training.samples.len()).collect(),
            validation: (training.samples.len()..samples.len()).collect(),
        };
        let mut course = Course::new(&self.config, &dataset, parts, self.backend, seed).expect("the backend was there");
        while let Some((stage, report)) = course.epoch() {
            (self.progress.lock().expect("no listener panics"))(stage, &report);
        }
        course.into_model()
    }
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
        let dataset = Dataset::new(samples, tables);
        let verdicts = self
            .model
            .judge(&dataset, self.backend)
            .expect("the backend trained this model");
        verdicts.iter().map(|it| Prediction::of(it.probability)).collect()
    }
}
