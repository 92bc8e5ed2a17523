//! Training one network: balanced batches, epochs judged on validation data, the best one kept.
//!
//! Everything random is drawn from the seed and the number of the step, so that a run that continues
//! from a checkpoint takes the same steps as one that was never stopped.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use burn::grad_clipping::GradientClippingConfig;
use burn::optim::{AdamWConfig, ModuleOptimizer};
use burn::tensor::Device;
use peeler_features::stored_hash;
use peeler_learning::metrics::average_precision;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::backend::{Backend, BackendError};
use crate::batch::{Batch, View};
use crate::config::{Config, Schedule, Validation};
use crate::dataset::Dataset;
use crate::gradients::{Lesson, gradients};
use crate::network::{Dropout, Network};
use crate::parameters::{Begun, Fresh, Source};
use crate::pretrained::Pretrained;
use crate::regression;
use crate::sampler::Sampler;
use crate::vocabulary::{Rows, Vocabulary};
use crate::weights::{Precision, Weights};

/// Gradients longer than this are shortened, parameter by parameter.
const LONGEST_GRADIENT: f32 = 1.0;
/// Share of steps in which the learning rate rises.
const WARMUP: f64 = 0.05;

/// Which tests of a dataset are learned from.
#[derive(Debug, Clone)]
pub struct Parts {
    /// Whether each test of the dataset is flaky; only those of the two parts are looked at.
    pub flaky: Arc<[bool]>,
    /// Tests to learn from.
    pub training: Vec<usize>,
    /// Tests that judge epochs; they are never learned from.
    pub validation: Vec<usize>,
}

impl Parts {
    /// Everything to learn from, nothing to judge by.
    pub(crate) fn joined(&self) -> Self {
        let mut training: Vec<usize> = self.training.iter().chain(&self.validation).copied().collect();
        training.sort_unstable();
        Self {
            flaky: self.flaky.clone(),
            training,
            validation: Vec::new(),
        }
    }
}

/// What training begins with.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'d> {
    /// The network and how it learns.
    pub config: &'d Config,
    /// The tests.
    pub dataset: &'d Dataset,
    /// Vectors of sub-tokens to begin with, as wide as the configuration's.
    pub pretrained: Option<&'d Pretrained>,
    /// What computes.
    pub backend: Backend,
    /// Of everything random.
    pub seed: u64,
}

/// What an epoch did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EpochReport {
    /// From one on.
    pub epoch: usize,
    /// Mean loss over its steps.
    pub loss: f64,
    /// Average precision on validation data.
    pub validation: f64,
    /// How long it took, with validation.
    #[serde(skip)]
    pub took: Duration,
}

/// A network in training.
pub struct Trainer<'d> {
    setting: Setting<'d>,
    parts: Parts,
    /// Stop after this many epochs, along the same run of learning rates.
    last_epoch: usize,
    /// Whether it stops when validation gets no better.
    has_patience: bool,
    vocabulary: Vocabulary,
    rows: Rows,
    flaky: Sampler,
    stable: Sampler,
    network: Network,
    /// Of the same tests; empty where the configuration has none.
    regression: Weights,
    optimiser: ModuleOptimizer,
    device: Device,
    history: Vec<EpochReport>,
    best: Option<(f64, Weights)>,
    /// What the last epoch said of validation tests.
    scores: Vec<f32>,
}

/// Where training stands, to be continued.
#[derive(Debug)]
pub struct Checkpoint {
    /// The epochs so far.
    pub history: Vec<EpochReport>,
    /// The weights now.
    pub weights: Weights,
    /// The weights of the best epoch.
    pub best: Weights,
    /// The state of the optimiser, as Burn writes it.
    pub optimiser: Vec<u8>,
}

const MAGIC: &[u8; 8] = b"PEELTRN1";

impl Checkpoint {
    /// As the bytes of a file: a magic number, four lengths, four parts, and a sum over all parts.
    ///
    /// # Panics
    ///
    /// Never: reports are plain data.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let parts = [
            serde_json::to_vec(&self.history).expect("reports are plain data"),
            self.weights.to_bytes(Precision::Full),
            self.best.to_bytes(Precision::Full),
            self.optimiser.clone(),
        ];
        let mut bytes = MAGIC.to_vec();
        for part in &parts {
            bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
        }
        for part in &parts {
            bytes.extend_from_slice(part);
        }
        let sum = stored_hash(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    ///
    /// What is wrong with them, in words.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let Some((head, rest)) = bytes.split_at_checked(MAGIC.len()).filter(|(head, _)| *head == MAGIC) else {
            return Err("it is not a checkpoint".to_owned());
        };
        let whole = bytes.len().checked_sub(8).map(|end| bytes.split_at(end));
        let least = head.len() + 32;
        let is_whole = whole.is_some_and(|(body, sum)| body.len() >= least && stored_hash(body).to_le_bytes() == *sum);
        if !is_whole {
            return Err("it ends early or was changed".to_owned());
        }
        let lengths: Vec<usize> = rest[..32]
            .as_chunks::<8>()
            .0
            .iter()
            .map(|it| usize::try_from(u64::from_le_bytes(*it)).unwrap_or(usize::MAX))
            .collect();
        let mut parts = &rest[32..];
        let mut next = |length: usize| {
            let (part, later) = parts.split_at_checked(length).ok_or("it ends early")?;
            parts = later;
            Ok::<&[u8], String>(part)
        };
        Ok(Self {
            history: serde_json::from_slice(next(lengths[0])?).map_err(|error| error.to_string())?,
            weights: Weights::from_bytes(next(lengths[1])?)?,
            best: Weights::from_bytes(next(lengths[2])?)?,
            optimiser: next(lengths[3])?.to_vec(),
        })
    }
}

impl<'d> Trainer<'d> {
    /// Begins training.
    ///
    /// # Errors
    ///
    /// When the backend is not there.
    ///
    /// # Panics
    ///
    /// Never: fresh weights have every name.
    pub fn new(setting: Setting<'d>, parts: Parts) -> Result<Self, BackendError> {
        let Setting { config, dataset, .. } = setting;
        let device = setting.backend.device()?;
        let vocabulary = Vocabulary::learn(dataset, &parts.training, config);
        let rows = vocabulary.rows(dataset);
        let mut chance = chance(setting.seed, u64::MAX);
        let fresh = Fresh(&mut chance);
        let mut source: Box<dyn Source> = match setting.pretrained {
            Some(pretrained) => Box::new(Begun {
                fresh,
                pretrained,
                vocabulary: &vocabulary,
            }),
            None => Box::new(fresh),
        };
        let network = Network::new(config, &vocabulary, &mut *source, &device.clone().autodiff())
            .expect("fresh weights have every name");
        drop(source);
        let view = View {
            dataset,
            vocabulary: &vocabulary,
            rows: &rows,
            config,
        };
        let regression = if config.regression > 0.0 {
            regression::fit(view, &parts.training, &parts.flaky)
        } else {
            Weights::default()
        };
        let of = |flaky: bool| {
            let own = parts.training.iter().copied().filter(|at| parts.flaky[*at] == flaky);
            own.collect::<Vec<usize>>()
        };
        let projects = |tests: Vec<usize>| Sampler::new(tests, dataset, config.project_balance);
        Ok(Self {
            setting,
            last_epoch: config.epochs,
            has_patience: true,
            rows,
            flaky: projects(of(true)),
            stable: projects(of(false)),
            parts,
            network,
            regression,
            optimiser: AdamWConfig::new()
                .with_weight_decay(config.weight_decay)
                .with_grad_clipping(Some(GradientClippingConfig::Norm(LONGEST_GRADIENT)))
                .init(),
            vocabulary,
            device,
            history: Vec::new(),
            best: None,
            scores: Vec::new(),
        })
    }

    /// The same, ending after some of its epochs.
    pub(crate) fn ending_after(mut self, epochs: usize) -> Self {
        self.last_epoch = epochs;
        self
    }

    /// The same, going through all epochs whatever they bring.
    pub(crate) fn without_patience(mut self) -> Self {
        self.has_patience = false;
        self
    }

    /// Continues from a checkpoint of the same configuration, data and seed.
    ///
    /// # Errors
    ///
    /// What does not fit, in words.
    pub fn resume(&mut self, checkpoint: Checkpoint) -> Result<(), String> {
        let device = self.device.clone().autodiff();
        self.network = Network::new(self.setting.config, &self.vocabulary, &mut &checkpoint.weights, &device)?;
        let optimiser = self.optimiser.clone();
        self.optimiser = optimiser
            .from_bytes(burn::tensor::Bytes::from_bytes_vec(checkpoint.optimiser))
            .map_err(|error| error.to_string())?;
        let best = checkpoint
            .history
            .iter()
            .map(|it| it.validation)
            .fold(f64::MIN, f64::max);
        self.best = (!checkpoint.history.is_empty()).then_some((best, checkpoint.best));
        self.history = checkpoint.history;
        Ok(())
    }

    /// Where training stands.
    ///
    /// # Panics
    ///
    /// When Burn cannot write its own state.
    #[must_use]
    pub fn checkpoint(&self) -> Checkpoint {
        let weights = self.weights();
        Checkpoint {
            history: self.history.clone(),
            best: self
                .best
                .as_ref()
                .map_or_else(|| weights.clone(), |(_, best)| best.clone()),
            weights,
            optimiser: self
                .optimiser
                .into_bytes()
                .expect("plain numbers can be written")
                .to_vec(),
        }
    }

    /// Whether there is nothing left to do: all epochs are over, or none got better for long.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        let epochs = self.history.len();
        let is_late = epochs >= self.best_epoch() + self.setting.config.patience;
        let is_stuck = self.has_patience && !self.parts.validation.is_empty() && is_late;
        epochs >= self.last_epoch || is_stuck || self.flaky.tests.is_empty()
    }

    /// What this network said after the epoch that ended last of the tests that judge it, before any calibration.
    pub(crate) fn held_out_scores(&self) -> &[f32] {
        &self.scores
    }

    /// The epochs so far.
    #[must_use]
    pub fn history(&self) -> &[EpochReport] {
        &self.history
    }

    /// The first epoch with the highest validation score; zero before the first.
    #[must_use]
    pub fn best_epoch(&self) -> usize {
        let mut best = (0, f64::MIN);
        for report in &self.history {
            if report.validation > best.1 {
                best = (report.epoch, report.validation);
            }
        }
        best.0
    }

    /// One pass over the flaky tests, with as many stable ones as the configuration says.
    ///
    /// # Panics
    ///
    /// When there is no flaky test to learn from.
    pub fn epoch(&mut self) -> &EpochReport {
        let started = Instant::now();
        let epoch = self.history.len();
        let steps = self.steps();
        let order = self.flaky.order(&mut chance(self.setting.seed, epoch as u64));
        let mut sum = 0.0;
        for step in 0..steps {
            sum += self.step(epoch * steps + step, step, &order);
        }
        let scores = self.validation_scores();
        let labels: Vec<bool> = self.parts.validation.iter().map(|it| self.parts.flaky[*it]).collect();
        let validation = match self.setting.config.validation {
            Validation::Pooled => average_precision(&scores, &labels),
            Validation::Projects => self.mean_by_project(&scores, &labels),
        };
        // Without validation data the last epoch is the best.
        if labels.is_empty() || self.best.as_ref().is_none_or(|(best, _)| validation > *best) {
            let weights = self.weights();
            self.best = Some((validation, weights));
        }
        self.scores = scores;
        #[allow(clippy::cast_precision_loss)]
        let loss = sum / steps as f64;
        self.history.push(EpochReport {
            epoch: epoch + 1,
            loss,
            validation,
            took: started.elapsed(),
        });
        self.history.last().expect("just pushed")
    }

    /// The vocabulary that was learned.
    #[must_use]
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The weights of the best epoch.
    #[must_use]
    pub fn best_weights(&self) -> Weights {
        match &self.best {
            Some((_, best)) => best.clone(),
            None => self.weights(),
        }
    }

    fn view(&self) -> View<'_> {
        View {
            dataset: self.setting.dataset,
            vocabulary: &self.vocabulary,
            rows: &self.rows,
            config: self.setting.config,
        }
    }

    /// The weights now, with those of the regression.
    fn weights(&self) -> Weights {
        let mut weights = self.network.weights(self.setting.config, &self.vocabulary);
        weights.arrays.extend(self.regression.arrays.clone());
        weights
    }

    fn steps(&self) -> usize {
        let seen = self.flaky.tests.len() * (1 + self.setting.config.stable_per_flaky);
        seen.div_ceil(self.setting.config.batch).max(1)
    }

    fn step(&mut self, number: usize, within: usize, order: &[usize]) -> f64 {
        let config = self.setting.config;
        let mut chance = chance(self.setting.seed, (number as u64) << 20 | 0xFFFFF);
        let flaky = (config.batch / (1 + config.stable_per_flaky)).max(1);
        let mut tests: Vec<usize> = (0..flaky)
            .map(|at| order[(within * flaky + at) % order.len()])
            .collect();
        for at in flaky..config.batch {
            let companion = self.setting.dataset.tests[tests[at % flaky]].project;
            tests.extend(self.stable.draw_beside(companion, config.same_project, &mut chance));
        }
        let batch = Batch::new(self.view(), &tests, Some(&mut chance));
        let labels: Vec<bool> = tests.iter().map(|it| self.parts.flaky[*it]).collect();
        let dropout = Dropout {
            share: config.dropout,
            paths: config.path_dropout,
            chance: &mut chance,
        };
        let device = self.device.clone().autodiff();
        let lesson = Lesson {
            batch: &batch,
            labels: &labels,
            smoothing: config.label_smoothing,
        };
        let (loss, gradients) = gradients(&self.network, &lesson, dropout, &device, self.setting.backend.middle());
        let rate = self.rate(number);
        let network = self.network.clone();
        self.network = self.optimiser.step(rate, network, gradients);
        loss
    }

    fn rate(&self, step: usize) -> f64 {
        let highest = self.setting.config.learning_rate;
        let steps = self.steps();
        match self.setting.config.schedule {
            Schedule::Steps => highest * 0.75_f64.powi(i32::try_from(step / steps / 3).unwrap_or(i32::MAX)),
            Schedule::Cosine => {
                #[allow(clippy::cast_precision_loss)]
                let progress = step as f64 / (steps * self.setting.config.epochs) as f64;
                let rising = (progress / WARMUP).clamp(0.1, 1.0);
                highest * rising * (0.5 + 0.5 * (std::f64::consts::PI * progress).cos())
            }
        }
    }

    /// Mean average precision over the validation projects that have a flaky test.
    fn mean_by_project(&self, scores: &[f32], labels: &[bool]) -> f64 {
        let mut by_project: BTreeMap<u32, (Vec<f32>, Vec<bool>)> = BTreeMap::new();
        for ((at, score), label) in self.parts.validation.iter().zip(scores).zip(labels) {
            let own = by_project.entry(self.setting.dataset.tests[*at].project).or_default();
            own.0.push(*score);
            own.1.push(*label);
        }
        let flaky = by_project.values().filter(|(_, labels)| labels.contains(&true));
        let precisions: Vec<f64> = flaky
            .map(|(scores, labels)| average_precision(scores, labels))
            .collect();
        #[allow(clippy::cast_precision_loss)]
        let count = precisions.len().max(1) as f64;
        precisions.iter().sum::<f64>() / count
    }

    fn validation_scores(&self) -> Vec<f32> {
        let weights = self.weights();
        let device = self.setting.backend.judges_on(&self.device);
        let judged = crate::inference::judge(self.view(), &[weights], &self.parts.validation, device);
        judged.into_iter().map(|it| it.probability).collect()
    }
}

/// Randomness of one purpose.
pub(crate) fn chance(seed: u64, purpose: u64) -> ChaCha8Rng {
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    chance.set_stream(purpose);
    chance
}
