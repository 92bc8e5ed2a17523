//! Pretraining: learns to predict names of methods, and validates on libraries that are held out whole.
//!
//! Everything random follows from the seed and the number of the epoch or step, and is drawn on the CPU. On the CPU two
//! runs give the same numbers, bit for bit.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::Instant;

use burn::tensor::{Device, Tensor};
use burn_optim::{AdamConfig, ModuleOptimizer};
use peeler_features::NamedMethods;

use super::batch::{BatchMaker, NameBatch, NumberedMethods, Plan, plans};
use super::network::{NameNetwork, NetworkSizes};
use super::report::{NameEpoch, NameScores, PREDICTED_FROM};
use super::settings::PretrainingSettings;
use super::store::Code2vec;
use super::vocabulary::{NameVocabulary, NoRoom, RowCounts, RowNumbers};
use crate::backend::BackendError;
use crate::cuts::Cuts;
use crate::parameters::RandomSource;
use crate::random::random_stream;
use crate::weights::Weights;

/// The number of steps after which the loss is read from the device. Reading waits for the device.
const STEPS_PER_READING: usize = 64;
/// The number of batches that are made while the device computes.
const MADE_AHEAD: usize = 4;
/// The learning rate of the last step, as a share of that of the first.
const LAST_RATE: f64 = 0.1;

/// The reason why pretraining cannot start or go on.
#[derive(Debug, thiserror::Error)]
pub enum PretrainingError {
    /// The backend cannot be used.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The tables do not fit into the files.
    #[error(transparent)]
    NoRoom(#[from] NoRoom),
    /// No method has a name whose sub-tokens are frequent enough.
    #[error(
        "nothing to learn from: no sub-token of a method name occurs in {least} methods outside of held-out libraries; \
         give more sources"
    )]
    NoNames {
        /// The number of methods that must use a sub-token.
        least: usize,
    },
    /// The loss is no finite number.
    #[error("training diverged in epoch {epoch}: the loss is not a finite number; use a --rate below {rate}")]
    Diverged {
        /// The number of the epoch, from one on.
        epoch: usize,
        /// The learning rate of the first step.
        rate: f64,
    },
}

/// The training of one network on named methods: parameters, optimiser and results so far.
pub struct Pretrainer<'d> {
    settings: PretrainingSettings,
    methods: &'d NamedMethods,
    vocabulary: NameVocabulary,
    counts: RowCounts,
    rows: Arc<RowNumbers>,
    training: Vec<u32>,
    validation: Vec<u32>,
    network: NameNetwork,
    optimiser: ModuleOptimizer,
    device: Device,
    history: Vec<NameEpoch>,
    best: Option<(f64, Weights)>,
}

impl<'d> Pretrainer<'d> {
    /// Starts a training. The methods of the libraries with `is_held_out` are only validated on.
    ///
    /// # Errors
    ///
    /// When the backend is not available, the tables do not fit into the files, or no name can be learned.
    ///
    /// # Panics
    ///
    /// When `is_held_out` has fewer elements than there are libraries.
    pub fn new(
        settings: PretrainingSettings,
        methods: &'d NamedMethods,
        is_held_out: &[bool],
    ) -> Result<Self, PretrainingError> {
        let device = settings.backend.device()?;
        let all = 0..u32::try_from(methods.len()).expect("fewer than four billion methods");
        let (validation, training): (Vec<u32>, Vec<u32>) =
            all.partition(|it| is_held_out[methods.library[*it as usize] as usize]);
        let (vocabulary, rows, counts) = NameVocabulary::learn(methods, &training, &settings)?;
        let source = NumberedMethods {
            methods,
            rows: &rows,
            targets: counts.targets,
        };
        let has_target = |it: &u32| !source.targets_of(*it).is_empty();
        let training: Vec<u32> = training.into_iter().filter(has_target).collect();
        if training.is_empty() {
            return Err(PretrainingError::NoNames {
                least: settings.least_methods,
            });
        }
        let mut generator = random_stream(settings.seed, u64::MAX);
        let mut random = RandomSource(&mut generator);
        let sizes = sizes(&vocabulary, &settings);
        let network = NameNetwork::new(sizes, &mut random, &device.clone().autodiff())
            .expect("random parameters have every name");
        Ok(Self {
            optimiser: AdamConfig::new().with_epsilon(1e-8).init(),
            settings,
            methods,
            vocabulary,
            counts,
            rows: Arc::new(rows),
            training,
            validation,
            network,
            device,
            history: Vec::new(),
            best: None,
        })
    }

    /// The numbers of sub-tokens and paths that have vectors.
    #[must_use]
    pub fn row_counts(&self) -> RowCounts {
        self.counts
    }

    /// The number of methods that an epoch learns from.
    #[must_use]
    pub fn training_methods(&self) -> usize {
        self.training.len()
    }

    /// The results of the epochs so far.
    #[must_use]
    pub fn history(&self) -> &[NameEpoch] {
        &self.history
    }

    /// Whether all epochs are over, or the last one was stopped.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.history.len() >= self.settings.epochs || self.history.last().is_some_and(|it| !it.is_complete)
    }

    /// Trains for one epoch and validates. `after_step` is called with the share of the epoch that is over, and may
    /// stop it.
    ///
    /// # Errors
    ///
    /// When the loss is no finite number.
    ///
    /// # Panics
    ///
    /// Never: the report of the epoch is there.
    pub fn epoch(
        &mut self,
        after_step: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<&NameEpoch, PretrainingError> {
        let started = Instant::now();
        let epoch = self.history.len();
        let mut random = random_stream(self.settings.seed, epoch as u64);
        let plans = plans(
            self.methods,
            self.training.clone(),
            self.settings.batch,
            Some(&mut random),
        );
        let (mut sum, mut learned, mut is_complete) = (0.0, 0, true);
        let mut unread: Option<Tensor<1>> = None;
        let first = epoch * plans.len();
        let drawn = DrawnBatches {
            methods: self.methods,
            rows: Arc::clone(&self.rows),
            targets: self.counts.targets,
            dropout: self.settings.context_dropout,
            seed: self.settings.seed,
        };
        std::thread::scope(|scope| {
            let (send, receive) = sync_channel(MADE_AHEAD);
            let plans = &plans;
            scope.spawn(move || drawn.send_all(plans, first, &send));
            for (step, batch) in receive.into_iter().enumerate() {
                let loss = self.step(first + step, plans.len(), &batch);
                unread = Some(match unread.take() {
                    Some(before) => before + loss,
                    None => loss,
                });
                learned += batch.methods;
                if step % STEPS_PER_READING == STEPS_PER_READING - 1 {
                    sum += read(unread.take());
                }
                #[allow(clippy::cast_precision_loss)]
                let share = (step + 1) as f64 / plans.len() as f64;
                if after_step(share).is_break() {
                    is_complete = step + 1 == plans.len();
                    break;
                }
            }
        });
        sum += read(unread);
        let seconds = started.elapsed().as_secs_f64();
        #[allow(clippy::cast_precision_loss)]
        let (loss, speed) = (sum / learned as f64, learned as f64 / seconds.max(1e-9));
        let weights = self.network.weights();
        if !loss.is_finite() || !weights.are_finite() {
            return Err(PretrainingError::Diverged {
                epoch: epoch + 1,
                rate: self.settings.learning_rate,
            });
        }
        let held_out = (!self.validation.is_empty()).then(|| self.validate(&weights));
        // Without held-out libraries the last epoch is the best.
        let f1 = held_out.map_or(f64::MAX, |it| it.f1());
        if self
            .best
            .as_ref()
            .is_none_or(|(best, _)| f1 > *best || held_out.is_none())
        {
            self.best = Some((f1, weights));
        }
        self.history.push(NameEpoch {
            epoch: epoch + 1,
            loss,
            held_out,
            methods_per_second: speed,
            seconds: started.elapsed().as_secs_f64(),
            is_complete,
        });
        Ok(self.history.last().expect("just pushed"))
    }

    /// The network after the epoch with the highest F1 on held-out libraries; untrained before the first epoch.
    #[must_use]
    pub fn into_best(self) -> Code2vec {
        let weights = self.best.map_or_else(|| self.network.weights(), |it| it.1);
        Code2vec::new(self.vocabulary, weights, self.settings.width)
    }

    /// Takes one training step. Returns the sum of the losses of its methods, which is still on the device.
    fn step(&mut self, number: usize, steps: usize, batch: &NameBatch) -> Tensor<1> {
        let device = self.device.clone().autodiff();
        let mut cuts = Cuts::in_training(self.settings.backend.gradient_method());
        let loss = self.network.loss(batch, &mut cuts, &device);
        #[allow(clippy::cast_precision_loss)]
        let (methods, progress) = (
            batch.methods as f32,
            number as f64 / (steps * self.settings.epochs) as f64,
        );
        let gradients = cuts.gradients(&loss, &self.network);
        let rate = self.settings.learning_rate * (1.0 - (1.0 - LAST_RATE) * progress);
        self.network = self.optimiser.step(rate, self.network.clone(), gradients);
        loss.detach() * methods
    }

    fn validate(&mut self, weights: &Weights) -> NameScores {
        let sizes = sizes(&self.vocabulary, &self.settings);
        let network = NameNetwork::new(sizes, &mut &*weights, &self.device).expect("a network has its own parameters");
        let source = NumberedMethods {
            methods: self.methods,
            rows: &self.rows,
            targets: self.counts.targets,
        };
        let mut scores = NameScores::default();
        let mut maker = BatchMaker::new(self.methods);
        for plan in plans(self.methods, self.validation.clone(), self.settings.batch, None) {
            let batch = maker.batch(source, &plan, None);
            let [predicted, hits] = network.hits(&batch, PREDICTED_FROM, &self.device).map(count);
            scores.predicted += predicted;
            scores.hits += hits;
        }
        for method in &self.validation {
            let mut name = self.methods.names.get(*method as usize).to_vec();
            name.sort_unstable();
            name.dedup();
            scores.expected += name.len() as u64;
        }
        scores
    }
}

/// Makes the batches of training steps.
struct DrawnBatches<'d> {
    methods: &'d NamedMethods,
    rows: Arc<RowNumbers>,
    targets: usize,
    /// The share of path contexts that a step leaves out.
    dropout: f32,
    seed: u64,
}

impl DrawnBatches<'_> {
    /// Sends the batches of all plans in their order, until nobody receives them. `first` is the number of the first
    /// step.
    fn send_all(&self, plans: &[Plan], first: usize, to: &SyncSender<NameBatch>) {
        let source = NumberedMethods {
            methods: self.methods,
            rows: &self.rows,
            targets: self.targets,
        };
        let mut maker = BatchMaker::new(self.methods);
        for (step, plan) in plans.iter().enumerate() {
            let mut random = random_stream(self.seed, ((first + step) as u64) << 20 | 0xFFFFF);
            let batch = maker.batch(source, plan, Some((self.dropout, &mut random)));
            if to.send(batch).is_err() {
                return;
            }
        }
    }
}

fn sizes(vocabulary: &NameVocabulary, settings: &PretrainingSettings) -> NetworkSizes {
    NetworkSizes {
        words: vocabulary.words.len(),
        targets: vocabulary.targets,
        paths: vocabulary.paths.len(),
        width: settings.width,
        code: settings.code_width(),
    }
}

fn read(sum: Option<Tensor<1>>) -> f64 {
    sum.map_or(0.0, |it| f64::from(it.into_scalar::<f32>()))
}

/// A count that a device computed as a number with a fraction.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn count(value: f32) -> u64 {
    value.round() as u64
}
