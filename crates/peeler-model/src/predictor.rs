//! The network as a [`Predictor`], to be compared with rivals (methods of the literature).
//!
//! Weights, number of epochs, calibration and threshold are learned without the tests that are predicted.

use std::collections::BTreeMap;
use std::sync::Arc;

use peeler_features::{Encoder, FlakinessKind, TestFeatures};
use peeler_learning::predictor::{Fit, Model, Prediction, Predictor, Training, TrainingSide, TrainingTest};

use crate::backend::Backend;
use crate::config::Config;
use crate::kind_models::{Head, KindModels};
use crate::model::TrainedModel;
use crate::pretrained::Pretrained;
use crate::setting::{Parts, Setting};
use crate::training_run::TrainingRun;

/// A predictor that trains models of Peeler's network with one configuration.
pub struct Peeler {
    /// The configuration of the networks and of their training.
    pub config: Config,
    /// Initial vectors of sub-tokens, as wide as the configuration's `embedding`; `None` for random ones.
    pub pretrained: Option<Pretrained>,
    /// The backend that computes training and predictions.
    pub backend: Backend,
    /// The name of the predictor in the results of an evaluation, such as `peeler-paper` for the configuration `paper`.
    pub name: String,
}

/// A predictor that trains a head for each kind of flakiness, all with the same configuration.
pub struct KindPeeler {
    /// The predictor that trains each head.
    pub head: Peeler,
    /// The name of the predictor in the results of an evaluation.
    pub name: String,
}

struct Fitted {
    model: KindModels,
    backend: Backend,
}

impl Fitted {
    fn single(model: TrainedModel, backend: Backend) -> Self {
        let model = KindModels::new(vec![Head { kind: None, model }]);
        Self { model, backend }
    }
}

impl Peeler {
    /// A trained model, and an average precision on the validation tests.
    ///
    /// The average precision is that of a network that was trained without these tests.
    fn train<'c>(&self, training: &Training<'c>, validation: &Training<'c>, seed: u64) -> (TrainedModel, f64) {
        let tests: Vec<&TrainingTest<'c>> = training.tests.iter().chain(&validation.tests).collect();
        let mut encoder = Encoder::new(self.config.depth, self.config.encoding());
        for test in &tests {
            encoder.add(&test.features, test.project);
        }
        let dataset = encoder.finish();
        let parts = Parts {
            flaky: tests.iter().map(|it| it.label.flaky).collect(),
            sampled: vec![false; tests.len()].into(),
            fixes: fixes(&tests),
            withheld: Vec::new(),
            training: (0..training.tests.len()).collect(),
            validation: (training.tests.len()..tests.len()).collect(),
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

/// The indices of flaky tests among `tests`, each with the index of the same test after its fix.
fn fixes(tests: &[&TrainingTest<'_>]) -> Arc<[(usize, usize)]> {
    let of_fixes = |flaky: bool| {
        let own = tests.iter().enumerate().filter(move |(_, it)| it.label.flaky == flaky);
        own.filter_map(|(at, it)| Some((it.fix?, at)))
    };
    let after: BTreeMap<u32, usize> = of_fixes(false).collect();
    of_fixes(true)
        .filter_map(|(fix, before)| Some((before, *after.get(&fix)?)))
        .collect()
}

impl Predictor for Peeler {
    fn name(&self) -> &str {
        &self.name
    }

    fn fit(&self, training: &Training<'_>, seed: u64) -> Box<dyn Model> {
        let (learned, held) = training.held_out(seed);
        let (model, _) = self.train(&learned, &held, seed);
        Box::new(Fitted::single(model, self.backend))
    }

    fn fit_validated(&self, side: &TrainingSide<'_>, seed: u64) -> Fit {
        let (model, validation) = self.train(&side.training, &side.validation, seed);
        Fit {
            threshold: model.threshold,
            model: Box::new(Fitted::single(model, self.backend)),
            validation,
        }
    }
}

impl KindPeeler {
    /// A model with a head for each kind that has flaky tests to learn from, and the mean average precision of the
    /// heads on validation tests.
    ///
    /// # Panics
    ///
    /// If no kind has a flaky test to learn from.
    fn train<'c>(&self, training: &Training<'c>, validation: &Training<'c>, seed: u64) -> (Fitted, f64) {
        let (mut heads, mut sum) = (Vec::new(), 0.0);
        for kind in FlakinessKind::ALL {
            let (own, held) = (training.of_kind(kind), validation.of_kind(kind));
            if own.tests.iter().any(|it| it.label.flaky) {
                let (model, validation) = self.head.train(&own, &held, seed);
                sum += validation;
                heads.push(Head {
                    kind: Some(kind),
                    model,
                });
            }
        }
        #[allow(clippy::cast_precision_loss)]
        let validation = sum / heads.len().max(1) as f64;
        let fitted = Fitted {
            model: KindModels::new(heads),
            backend: self.head.backend,
        };
        (fitted, validation)
    }
}

impl Predictor for KindPeeler {
    fn name(&self) -> &str {
        &self.name
    }

    fn fit(&self, training: &Training<'_>, seed: u64) -> Box<dyn Model> {
        let (learned, held) = training.held_out(seed);
        Box::new(self.train(&learned, &held, seed).0)
    }

    fn fit_validated(&self, side: &TrainingSide<'_>, seed: u64) -> Fit {
        let (model, validation) = self.train(&side.training, &side.validation, seed);
        Fit {
            threshold: model.model.reporting_threshold(),
            model: Box::new(model),
            validation,
        }
    }
}

impl Model for Fitted {
    fn predict(&self, test: &TestFeatures<'_>) -> Prediction {
        self.predict_all(&[test]).remove(0)
    }

    fn predict_all(&self, tests: &[&TestFeatures<'_>]) -> Vec<Prediction> {
        let predictions = self
            .model
            .predict(tests, self.backend)
            .expect("the backend trained this model");
        predictions.iter().map(|it| Prediction::of(it.probability)).collect()
    }
}
