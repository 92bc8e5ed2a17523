//! The network as a predictor among its rivals.
//!
//! Training, epochs, calibration and threshold use the training side of a fold alone; see [`crate::TrainingRun`].

use peeler_features::{Sample, Tables};
use peeler_learning::predictor::{Fit, Model, Prediction, Predictor, Training, TrainingSide};

use crate::backend::Backend;
use crate::config::Config;
use crate::dataset::Dataset;
use crate::model::TrainedModel;
use crate::pretrained::Pretrained;
use crate::setting::{Parts, Setting};
use crate::training_run::TrainingRun;

/// Trains and judges networks of one configuration.
pub struct Peeler {
    /// The configuration.
    pub config: Config,
    /// Vectors of sub-tokens to begin with, as wide as the configuration's.
    pub pretrained: Option<Pretrained>,
    /// Where it is trained.
    pub backend: Backend,
    /// The name in tables.
    pub name: String,
}

struct Fitted {
    model: TrainedModel,
    backend: Backend,
}

impl Peeler {
    /// A model, and how well its scout did on validation data.
    fn train(&self, training: &Training<'_>, validation: &Training<'_>, seed: u64) -> (TrainedModel, f64) {
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
        let dataset = Dataset::new(&samples, training.tables, self.config.depth);
        let parts = Parts {
            flaky: flaky.into(),
            training: (0..training.samples.len()).collect(),
            validation: (training.samples.len()..samples.len()).collect(),
        };
        let setting = Setting {
            config: &self.config,
            dataset: &dataset,
            pretrained: self.pretrained.as_ref(),
            backend: self.backend,
            seed,
        };
        let mut run = TrainingRun::new(setting, vec![parts]).expect("the backend was there");
        loop {
            match run.epoch() {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(error) => panic!("{error}"),
            }
        }
        let validation = run.validation().unwrap_or(0.0);
        (run.into_model(), validation)
    }
}

impl Predictor for Peeler {
    fn name(&self) -> &str {
        &self.name
    }

    fn fit(&self, training: &Training<'_>, seed: u64) -> Box<dyn Model> {
        let (learned, held) = training.held_out(seed);
        let (model, _) = self.train(&learned, &held, seed);
        let backend = self.backend;
        Box::new(Fitted { model, backend })
    }

    fn fit_validated(&self, side: &TrainingSide<'_>, seed: u64) -> Fit {
        let (model, validation) = self.train(&side.training, &side.validation, seed);
        let backend = self.backend;
        Fit {
            threshold: model.threshold,
            model: Box::new(Fitted { model, backend }),
            validation,
        }
    }

    fn shares_the_machine(&self) -> bool {
        !self.backend.is_gpu()
    }
}

impl Model for Fitted {
    fn predict(&self, sample: &Sample, tables: Tables<'_>) -> Prediction {
        self.predict_all(&[sample], tables).remove(0)
    }

    fn predict_all(&self, samples: &[&Sample], tables: Tables<'_>) -> Vec<Prediction> {
        let verdicts = self
            .model
            .judge_samples(samples, tables, self.backend)
            .expect("the backend trained this model");
        verdicts.iter().map(|it| Prediction::of(it.probability)).collect()
    }
}
