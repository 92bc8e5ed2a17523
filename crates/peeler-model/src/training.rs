//! Training of one network: batches with a fixed share of flaky tests, and a validation after each epoch.
//!
//! The parameters after the epoch with the highest validation score are kept.
//!
//! Everything random follows from the seed and the number of the training step. A training that continues from a
//! [`TrainerState`] therefore takes the same steps as one that was never stopped.

mod drawing;
mod learner;

use std::collections::BTreeMap;
use std::sync::mpsc::sync_channel;
use std::time::Instant;

use burn::tensor::Device;
use peeler_learning::metrics::average_precision;

use self::drawing::Drawing;
use self::learner::{Learner, StepInput, StepLoss};
use crate::backend::BackendError;
use crate::batch::View;
use crate::config::Validation;
use crate::divergence::{Diverged, Quantity};
use crate::inference;
use crate::learning_rate::learning_rate;
use crate::member::Member;
use crate::pace::{Pace, timed};
use crate::parameters::{ParameterSource, PretrainedSource, RandomSource};
use crate::random::random_stream;
use crate::regression::Regression;
use crate::sampler::Sampler;
use crate::setting::{Parts, Setting};
use crate::trainer_state::{EpochReport, StateError, TrainerState};
use crate::vocabulary::{Rows, Vocabulary};
use crate::weights::Weights;

/// The number of batches that each drawing thread has ready while a step is computed.
const DRAWN_AHEAD: usize = 2;
/// The largest number of threads that draw batches.
const MOST_DRAWING: usize = 8;

/// The condition that ends the training of a network before its last epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stopping {
    /// The validation score has not improved for `patience` epochs, a number in the configuration.
    Patience,
    /// No condition ends the training early: all epochs are run.
    LastEpoch,
}

/// The training of one network: its parameters, optimiser, data and results so far.
pub struct Trainer<'d> {
    setting: Setting<'d>,
    parts: Parts,
    /// The number of epochs that this training runs. The schedule of learning rates uses the number in the
    /// configuration.
    last_epoch: usize,
    stopping: Stopping,
    vocabulary: Vocabulary,
    rows: Rows,
    flaky: Sampler,
    stable: Sampler,
    learner: Learner,
    /// The logistic regression over the training tests, if the configuration asks for one.
    regression: Option<Regression>,
    device: Device,
    history: Vec<EpochReport>,
    /// The parameter arrays of the network after the epoch with the highest validation score.
    ///
    /// Without validation tests they are those after the last epoch. `None` before the first epoch.
    best: Option<Weights>,
    /// The scores of the validation tests after the last finished epoch.
    scores: Vec<f32>,
}

impl<'d> Trainer<'d> {
    /// Starts the training of a network.
    ///
    /// # Errors
    ///
    /// When the backend is not available.
    pub fn new(setting: Setting<'d>, parts: Parts) -> Result<Self, BackendError> {
        Self::with_regression(setting, parts, |view, parts| {
            let cost = view.config.regression?;
            Some(Regression::fit(view, cost, &parts.training, &parts.flaky, &parts.fixes))
        })
    }

    /// Continues a training with the same configuration, data and seed from a stored state.
    ///
    /// The logistic regression is taken from the state, not fitted again.
    ///
    /// # Errors
    ///
    /// When the backend is missing, or the state belongs to another configuration or other data.
    pub(crate) fn resume(setting: Setting<'d>, parts: Parts, state: TrainerState) -> Result<Self, StateError> {
        let mut trainer = Self::with_regression(setting, parts, |_, _| None)?;
        if let Some(mut regression) = state.regression {
            trainer.regression = Regression::take_from(setting.config, &trainer.vocabulary, &mut regression)?;
        }
        let mut source = &state.network;
        trainer.learner = Learner::new(setting, &trainer.vocabulary, &mut source, &trainer.device)?;
        trainer.learner.restore_optimiser(state.optimiser)?;
        trainer.best = state.best;
        trainer.history = state.history;
        Ok(trainer)
    }

    /// A training before its first epoch. Its logistic regression is what `regression` makes of the training tests.
    fn with_regression(
        setting: Setting<'d>,
        parts: Parts,
        regression: impl FnOnce(View<'_>, &Parts) -> Option<Regression>,
    ) -> Result<Self, BackendError> {
        let Setting { config, dataset, .. } = setting;
        let device = setting.backend.device()?;
        let vocabulary = Vocabulary::learn(dataset, &parts.training, config);
        let rows = vocabulary.rows(dataset);
        let mut generator = random_stream(setting.seed, u64::MAX);
        let random = RandomSource(&mut generator);
        let mut source: Box<dyn ParameterSource> = match setting.pretrained {
            Some(pretrained) => Box::new(PretrainedSource {
                random,
                pretrained,
                vocabulary: &vocabulary,
            }),
            None => Box::new(random),
        };
        let learner = match Learner::new(setting, &vocabulary, &mut *source, &device) {
            Ok(learner) => learner,
            Err(StateError::Backend(error)) => return Err(error),
            Err(error) => unreachable!("random parameters have every name: {error}"),
        };
        drop(source);
        let view = View {
            dataset,
            vocabulary: &vocabulary,
            rows: &rows,
            config,
        };
        let regression = regression(view, &parts);
        let sampler = |flaky: bool| {
            let own = parts.training.iter().copied().filter(|at| parts.flaky[*at] == flaky);
            Sampler::new(own.collect(), dataset, config.project_balance)
        };
        Ok(Self {
            setting,
            last_epoch: config.epochs,
            stopping: Stopping::Patience,
            rows,
            flaky: sampler(true),
            stable: sampler(false),
            parts,
            learner,
            regression,
            vocabulary,
            device,
            history: Vec::new(),
            best: None,
            scores: Vec::new(),
        })
    }

    /// Reduces the number of epochs to run. The schedule of learning rates stays that of the configured number.
    pub(crate) fn ending_after(mut self, epochs: usize) -> Self {
        self.last_epoch = epochs;
        self
    }

    /// Replaces the condition that ends the training before its last epoch.
    pub(crate) fn stopping(mut self, stopping: Stopping) -> Self {
        self.stopping = stopping;
        self
    }

    /// The state of the training between two epochs, from which it can continue.
    ///
    /// # Panics
    ///
    /// When Burn cannot write its own state.
    pub(crate) fn state(&self) -> TrainerState {
        TrainerState {
            history: self.history.clone(),
            network: self.network_weights(),
            best: self.best.clone(),
            regression: self.regression.as_ref().map(Regression::to_weights),
            optimiser: self.learner.optimiser_state(),
        }
    }

    /// Whether the training is finished.
    ///
    /// It is when all epochs are over, the validation score has not improved for `patience` epochs, or no flaky test is
    /// there to learn from.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        let epochs = self.history.len();
        let is_late = epochs >= self.best_epoch().unwrap_or(0) + self.setting.config.patience;
        let is_stuck = self.stopping == Stopping::Patience && !self.parts.validation.is_empty() && is_late;
        epochs >= self.last_epoch || is_stuck || self.flaky.tests.is_empty()
    }

    /// The scores of the validation tests after the last finished epoch, before calibration.
    pub(crate) fn held_out_scores(&self) -> &[f32] {
        &self.scores
    }

    /// The number of the first epoch with the highest validation score, from one on; `None` if no epoch has a score.
    fn best_epoch(&self) -> Option<usize> {
        let validated = self.history.iter().filter_map(|it| Some((it.epoch, it.validation?)));
        let best = validated.reduce(|best, it| if it.1 > best.1 { it } else { best });
        best.map(|(epoch, _)| epoch)
    }

    /// Trains for one epoch: one pass over the flaky tests, with `stable_per_flaky` stable tests for each.
    ///
    /// # Errors
    ///
    /// When the loss, a parameter or a validation score is no finite number.
    ///
    /// # Panics
    ///
    /// When there is no flaky test to learn from.
    pub fn epoch(&mut self) -> Result<&EpochReport, Diverged> {
        let started = Instant::now();
        let epoch = self.history.len();
        let learning_rate = self.setting.config.learning_rate;
        let diverged = |quantity: Quantity| Diverged {
            epoch: epoch + 1,
            quantity,
            learning_rate,
        };
        let steps = self.steps();
        let mut pace = Pace {
            steps,
            ..Pace::default()
        };
        let losses = self.learn(epoch * steps, steps, &mut pace);
        let losses = timed(&mut pace.waited_for_device, || self.learner.losses(losses));
        let loss = mean(&losses);
        if !loss.is_finite() {
            return Err(diverged(Quantity::Loss));
        }
        let network = self.network_weights();
        if !network.are_finite() {
            return Err(diverged(Quantity::Parameter));
        }
        let scores = self.validation_scores(network.clone());
        if scores.iter().any(|it| it.is_nan()) {
            return Err(diverged(Quantity::Score));
        }
        let validation = self.validation(&scores);
        let best = self
            .history
            .iter()
            .filter_map(|it| it.validation)
            .fold(f64::MIN, f64::max);
        // Without validation data the last epoch is the best.
        if validation.is_none_or(|it| it > best) {
            self.best = Some(network);
        }
        self.scores = scores;
        pace.took = started.elapsed();
        self.history.push(EpochReport {
            epoch: epoch + 1,
            loss,
            validation,
            pace,
        });
        Ok(self.history.last().expect("just pushed"))
    }

    /// The vocabulary (names with their embedding rows) that was learned from the training tests.
    #[must_use]
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The network after the epoch with the highest validation score, with its logistic regression.
    ///
    /// Without validation tests it is the network after the last epoch. Before the first epoch it is untrained.
    pub(crate) fn best_member(&self) -> Member {
        self.member(self.best.clone().unwrap_or_else(|| self.network_weights()))
    }

    fn member(&self, network: Weights) -> Member {
        Member::new(self.setting.config, &self.vocabulary, network, self.regression.clone())
            .expect("a network has the parameters of its configuration")
    }

    fn view(&self) -> View<'_> {
        View {
            dataset: self.setting.dataset,
            vocabulary: &self.vocabulary,
            rows: &self.rows,
            config: self.setting.config,
        }
    }

    fn network_weights(&self) -> Weights {
        self.learner.weights(self.setting, &self.vocabulary)
    }

    /// The number of training steps (batches) of an epoch.
    fn steps(&self) -> usize {
        let seen = self.flaky.tests.len() * (1 + self.setting.config.stable_per_flaky);
        seen.div_ceil(self.setting.config.batch).max(1)
    }

    /// Takes the steps of an epoch and returns their losses, which are still on the device.
    ///
    /// `first` is the number of its first step. The next batches are drawn by other threads while a step is
    /// computed.
    fn learn(&mut self, first: usize, steps: usize, pace: &mut Pace) -> Vec<StepLoss> {
        let epoch = (first / steps) as u64;
        let drawing = Drawing {
            setting: self.setting,
            parts: &self.parts,
            view: View {
                dataset: self.setting.dataset,
                vocabulary: &self.vocabulary,
                rows: &self.rows,
                config: self.setting.config,
            },
            stable: &self.stable,
            order: self.flaky.order(&mut random_stream(self.setting.seed, epoch)),
        };
        let (learner, setting, drawing) = (&mut self.learner, self.setting, &drawing);
        let threads = std::thread::available_parallelism().map_or(1, |it| it.get() / 2);
        let threads = threads.clamp(1, MOST_DRAWING).min(steps);
        std::thread::scope(|scope| {
            let batches: Vec<_> = (0..threads)
                .map(|thread| {
                    let (send, receive) = sync_channel(DRAWN_AHEAD);
                    scope.spawn(move || {
                        for step in (thread..steps).step_by(threads) {
                            let input = StepInput::new(setting, drawing.view, drawing.batch(first + step, step));
                            // Nobody receives after a panic.
                            if send.send(input).is_err() {
                                return;
                            }
                        }
                    });
                    receive
                })
                .collect();
            (0..steps)
                .map(|step| {
                    let own = &batches[step % threads];
                    let input = timed(&mut pace.waited_for_batches, || own.recv()).expect("a batch for each step");
                    let rate = learning_rate(setting.config, first + step, steps);
                    learner.step(setting, input, rate)
                })
                .collect()
        })
    }

    /// The validation score of the network, given the scores of the validation tests; `None` without validation tests.
    fn validation(&self, scores: &[f32]) -> Option<f64> {
        let labels: Vec<bool> = self.parts.validation.iter().map(|it| self.parts.flaky[*it]).collect();
        if labels.is_empty() {
            return None;
        }
        Some(match self.setting.config.validation {
            Validation::Pooled => average_precision(scores, &labels),
            Validation::Projects => self.mean_by_project(scores, &labels),
        })
    }

    /// The mean over projects of the average precision on their validation tests. Projects without a flaky one are left
    /// out.
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

    fn validation_scores(&self, network: Weights) -> Vec<f32> {
        let tests = &self.parts.validation;
        #[cfg(feature = "cuda")]
        if let Learner::Cuda(learner) = &self.learner {
            let regression = self.regression.as_ref();
            return inference::probabilities_by(self.view(), regression, tests, |chosen, depth| {
                learner.probabilities(self.view(), chosen, depth)
            });
        }
        let device = (!self.setting.backend.predicts_by_hand()).then_some(&self.device);
        let scores = inference::scores(self.view(), &[self.member(network)], tests, device);
        scores.into_iter().map(|it| it.probability).collect()
    }
}

/// The mean of the losses of all steps of an epoch.
fn mean(losses: &[f32]) -> f64 {
    #[allow(clippy::cast_precision_loss)]
    let count = losses.len() as f64;
    losses.iter().copied().map(f64::from).sum::<f64>() / count
}
