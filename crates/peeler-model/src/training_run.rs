//! The training of a whole model: first scouts, then members.
//!
//! A scout is a network that learns without a part of the tests and is scored on that part. The scores of scouts choose
//! the number of epochs, the calibration and the threshold, and become the model's track record.
//!
//! A single scout stops when its score does not improve any more. Of several scouts, each holds out another part and
//! runs all epochs. The epoch with the highest mean score is then chosen for all, so that the choice hardly biases the
//! track record.
//!
//! Members are the networks of the final model. They learn from all tests for the chosen number of epochs.
//!
//! A training run can be stored after any epoch and continued.

use std::collections::HashSet;

use peeler_learning::calibration::{Calibration, Curve, logit};
use peeler_learning::metrics::best_threshold;
use peeler_learning::project_record::{HeldOutTest, ProjectRecord};
use peeler_learning::track_record::TrackRecord;

use crate::backend::BackendError;
use crate::checkpoint::{Checkpoint, CheckpointError, ScoresByEpoch};
use crate::divergence::Diverged;
use crate::member::Member;
use crate::model::TrainedModel;
use crate::run_identity::RunIdentity;
use crate::setting::{Parts, Setting};
use crate::stage::Stage;
use crate::trainer_state::{EpochReport, StateError, TrainerState};
use crate::training::{Stopping, Trainer};

/// A training run of a whole model: first networks for validation (scouts), then those of the model (members).
pub struct TrainingRun<'d> {
    setting: Setting<'d>,
    /// For each scout (network for validation), the tests that it learns from and those that are held out from it.
    rounds: Vec<Parts>,
    identity: RunIdentity,
    stage: Stage,
    trainer: Trainer<'d>,
    scores: Vec<ScoresByEpoch>,
    members: Vec<Member>,
    history: Vec<(Stage, EpochReport)>,
}

/// The reason why a training run ended without a model.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{stage}: {cause}")]
pub struct TrainingError {
    /// The network that was in training when the run ended.
    pub stage: Stage,
    /// The divergence that ended the training run: a number became infinite or NaN.
    pub cause: Diverged,
}

impl<'d> TrainingRun<'d> {
    /// Begins a training run with one scout (network for validation) for each round.
    ///
    /// A round divides the tests into those to learn from and those to validate on. All rounds divide the same tests.
    ///
    /// # Errors
    ///
    /// When the backend is missing.
    ///
    /// # Panics
    ///
    /// If `rounds` is empty.
    pub fn new(setting: Setting<'d>, rounds: Vec<Parts>) -> Result<Self, BackendError> {
        let backend = setting.backend.resolve()?;
        let setting = Setting { backend, ..setting };
        Ok(Self {
            identity: RunIdentity::new(&setting, &rounds),
            trainer: Trainer::new(setting, rounds[0].clone())?.stopping(scout_stopping(&rounds)),
            scores: vec![Vec::new(); rounds.len()],
            setting,
            rounds,
            stage: Stage::Scout(1),
            members: Vec::new(),
            history: Vec::new(),
        })
    }

    /// Continues the training run that wrote the checkpoint `bytes`.
    ///
    /// # Errors
    ///
    /// When the bytes are not a checkpoint. Also when the run that wrote it had another configuration, other tests or
    /// labels, another backend or another seed.
    ///
    /// # Panics
    ///
    /// If `rounds` is empty.
    pub fn resume(setting: Setting<'d>, rounds: Vec<Parts>, bytes: &[u8]) -> Result<Self, CheckpointError> {
        let checkpoint = Checkpoint::from_bytes(bytes)?;
        let backend = setting.backend.resolve().map_err(StateError::from)?;
        let setting = Setting { backend, ..setting };
        let identity = RunIdentity::new(&setting, &rounds);
        if let Some(difference) = checkpoint.identity.difference(&identity) {
            return Err(CheckpointError::OtherRun(difference));
        }
        let Checkpoint { stage, history, .. } = checkpoint;
        let plan = Plan {
            setting,
            rounds: &rounds,
            history: &history,
        };
        let trainer = plan.resumed_trainer(stage, checkpoint.trainer)?;
        let member = |weights| Member::from_weights(setting.config, trainer.vocabulary(), weights);
        let members = checkpoint.members.into_iter().map(member);
        Ok(Self {
            members: members.collect::<Result<_, _>>()?,
            setting,
            rounds,
            identity,
            stage,
            trainer,
            scores: checkpoint.scores,
            history,
        })
    }

    /// The state of the training run, as the bytes of a checkpoint file.
    #[must_use]
    pub fn checkpoint(&self) -> Vec<u8> {
        let checkpoint = Checkpoint {
            identity: self.identity.clone(),
            stage: self.stage,
            scores: self.scores.clone(),
            history: self.history.clone(),
            trainer: self.trainer.state(),
            members: self.members.iter().map(Member::to_weights).collect(),
        };
        checkpoint.to_bytes()
    }

    /// Trains the current network of the run for one epoch, and returns the results; `None` when the model is finished.
    ///
    /// # Errors
    ///
    /// When training diverges.
    pub fn epoch(&mut self) -> Result<Option<(Stage, EpochReport)>, TrainingError> {
        while self.trainer.is_finished() && !self.is_finished() {
            self.next_stage();
        }
        if self.is_finished() {
            return Ok(None);
        }
        let stage = self.stage;
        let report = self.trainer.epoch().cloned();
        let report = (stage, report.map_err(|cause| TrainingError { stage, cause })?);
        self.history.push(report.clone());
        if let Stage::Scout(scout) = stage {
            let scores = self.trainer.held_out_scores().iter().map(|it| it.to_bits());
            self.scores[scout - 1].push(scores.collect());
        }
        if self.trainer.is_finished() {
            self.next_stage();
        }
        Ok(Some(report))
    }

    /// The results of all finished epochs of the training run, each with the network that the epoch trained.
    #[must_use]
    pub fn history(&self) -> &[(Stage, EpochReport)] {
        &self.history
    }

    /// The mean validation score of the scouts (networks for validation) after the epoch where this mean is highest.
    ///
    /// `None` before the first epoch or without held-out tests.
    #[must_use]
    pub fn validation(&self) -> Option<f64> {
        self.plan().best_epoch().map(|(_, score)| score)
    }

    fn plan(&self) -> Plan<'d, '_> {
        Plan {
            setting: self.setting,
            rounds: &self.rounds,
            history: &self.history,
        }
    }

    fn is_finished(&self) -> bool {
        self.members.len() == self.setting.config.members.max(1)
    }

    /// Starts the training of the run's next network. The network that is finished is kept if it belongs to the model.
    fn next_stage(&mut self) {
        let next = match self.stage {
            Stage::Scout(scout) if scout < self.rounds.len() => Stage::Scout(scout + 1),
            Stage::Scout(_) if self.setting.config.members > 0 => Stage::Member(1),
            Stage::Scout(_) => {
                self.members.push(self.trainer.best_member());
                return;
            }
            Stage::Member(member) => {
                self.members.push(self.trainer.best_member());
                Stage::Member(member + 1)
            }
        };
        self.stage = next;
        if !self.is_finished() {
            self.trainer = self.plan().trainer(next).expect("the backend was there before");
        }
    }

    /// The log-odds of all held-out tests by the scouts (networks that were trained without them), with the indices of
    /// the tests.
    ///
    /// Each scout computed them after the epoch for which the mean validation score of all scouts is highest.
    fn held_out(&self) -> (Vec<f32>, Vec<usize>) {
        let Some(epoch) = self.plan().best_epoch().map(|(epoch, _)| epoch) else {
            return (Vec::new(), Vec::new());
        };
        let held_out = self.scores.iter().zip(&self.rounds).flat_map(|(scores, round)| {
            // A scout without a flaky test to learn from has no epochs.
            let scores = scores.get(epoch - 1).into_iter().flatten();
            let logits = scores.map(|it| logit(f32::from_bits(*it)));
            logits.zip(round.validation.iter().copied())
        });
        held_out.unzip()
    }

    /// What the calibrated probabilities of held-out tests are worth in each project; empty if the tests of a project
    /// were divided between learning and validation.
    fn project_record(&self, probabilities: &[f32], held_out: &[usize]) -> ProjectRecord {
        let project = |at: usize| self.setting.dataset.tests[at].project;
        let is_divided = |round: &Parts| {
            let learned: HashSet<u32> = round.training.iter().map(|at| project(*at)).collect();
            round.validation.iter().any(|at| learned.contains(&project(*at)))
        };
        if self.rounds.iter().any(is_divided) {
            return ProjectRecord::default();
        }
        let tests = probabilities
            .iter()
            .zip(held_out)
            .map(|(&probability, &at)| HeldOutTest {
                project: project(at),
                probability,
                flaky: self.rounds[0].flaky[at],
            });
        ProjectRecord::new(&tests.collect::<Vec<_>>())
    }

    /// The share of flaky tests among all tests of the training run that are not of a sample.
    fn real_share(&self) -> f64 {
        let (mut flaky, mut all) = (0, 0);
        let round = &self.rounds[0];
        let tests = round.training.iter().chain(&round.validation);
        for at in tests.filter(|at| !round.sampled[**at]) {
            flaky += u32::from(round.flaky[*at]);
            all += 1;
        }
        f64::from(flaky) / f64::from(all.max(1))
    }

    /// The model that the finished training run makes.
    ///
    /// # Panics
    ///
    /// When the run is not finished.
    #[must_use]
    pub fn into_model(self) -> TrainedModel {
        assert!(self.is_finished(), "every member has finished");
        let (logits, held_out) = self.held_out();
        let labels: Vec<bool> = held_out.iter().map(|at| self.rounds[0].flaky[*at]).collect();
        let config = self.setting.config.clone();
        let calibration = Calibration::fit(&logits, &labels, config.flaky_share(), self.real_share());
        let tempered: Vec<f32> = logits.iter().map(|it| calibration.probability(*it)).collect();
        // A curve over the few projects of one scout would not be valid for other projects.
        let curve = match self.rounds.len() {
            1 => Curve::default(),
            _ => Curve::fit(&tempered, &labels),
        };
        let calibrated: Vec<f32> = tempered.iter().map(|it| curve.at(*it)).collect();
        let project_record = self.project_record(&calibrated, &held_out);
        TrainedModel {
            vocabulary: self.trainer.vocabulary().clone(),
            config,
            members: self.members,
            calibration,
            curve,
            threshold: best_threshold(&calibrated, &labels),
            track_record: TrackRecord::new(&calibrated, &labels),
            project_record,
        }
    }
}

/// The sequence of networks to train in a run: first scouts, then members.
///
/// Members are trained for as many epochs as gave the scouts the highest mean validation score.
struct Plan<'d, 'r> {
    setting: Setting<'d>,
    rounds: &'r [Parts],
    history: &'r [(Stage, EpochReport)],
}

impl<'d> Plan<'d, '_> {
    /// The first epoch with the highest mean validation score of the scouts (networks for validation), and that score.
    ///
    /// Scouts without a validated epoch are left out; `None` if no scout remains. Only epochs that all remaining scouts
    /// completed are compared.
    fn best_epoch(&self) -> Option<(usize, f64)> {
        let scores = |scout: usize| -> Vec<f64> {
            let own = self.history.iter().filter(|(stage, _)| *stage == Stage::Scout(scout));
            own.filter_map(|(_, report)| report.validation).collect()
        };
        let scouts: Vec<Vec<f64>> = (1..=self.rounds.len())
            .map(scores)
            .filter(|it| !it.is_empty())
            .collect();
        let epochs = scouts.iter().map(Vec::len).min()?;
        #[expect(clippy::cast_precision_loss, reason = "a handful of scouts")]
        let mean = |epoch: usize| scouts.iter().map(|it| it[epoch]).sum::<f64>() / scouts.len() as f64;
        let means = (0..epochs).map(|epoch| (epoch + 1, mean(epoch)));
        means.reduce(|best, it| if it.1 > best.1 { it } else { best })
    }

    /// The training of the scout (network for validation) or member (network of the model) `stage`, before its first
    /// epoch.
    fn trainer(&self, stage: Stage) -> Result<Trainer<'d>, BackendError> {
        let (setting, parts) = self.start(stage);
        Ok(self.limited(Trainer::new(setting, parts)?, stage))
    }

    /// The training of the scout (network for validation) or member (network of the model) `stage`, continued from a
    /// stored state.
    fn resumed_trainer(&self, stage: Stage, state: TrainerState) -> Result<Trainer<'d>, StateError> {
        let (setting, parts) = self.start(stage);
        Ok(self.limited(Trainer::resume(setting, parts, state)?, stage))
    }

    /// The inputs and the tests with which the scout (network for validation) or member (network of the model) `stage`
    /// is trained.
    ///
    /// Every network of a run has its own seed.
    fn start(&self, stage: Stage) -> (Setting<'d>, Parts) {
        let (offset, parts) = match stage {
            Stage::Scout(number) => (100 * (number - 1), self.rounds[number - 1].clone()),
            Stage::Member(number) => (1_000 * number, self.rounds[0].joined()),
        };
        let seed = self.setting.seed + offset as u64;
        (Setting { seed, ..self.setting }, parts)
    }

    /// The training `trainer` of a network, with a rule that ends it.
    ///
    /// A scout (network for validation) gets the stopping rule of scouts. A member (network of the model) ends after
    /// the epoch for which the scouts' mean validation score is highest.
    fn limited(&self, trainer: Trainer<'d>, stage: Stage) -> Trainer<'d> {
        match stage {
            Stage::Scout(_) => trainer.stopping(scout_stopping(self.rounds)),
            Stage::Member(_) => trainer.ending_after(self.best_epoch().map_or(1, |(epoch, _)| epoch)),
        }
    }
}

/// The stopping rule of scouts (networks for validation).
///
/// A single scout stops when it does not improve. Several scouts run all epochs, so that each epoch has a mean score
/// over all scouts.
fn scout_stopping(rounds: &[Parts]) -> Stopping {
    if rounds.len() == 1 {
        Stopping::Patience
    } else {
        Stopping::LastEpoch
    }
}
