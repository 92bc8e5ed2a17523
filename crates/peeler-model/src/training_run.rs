//! The whole run of training a model.
//!
//! Scouts learn without a part of the tests and show on it when to stop, how to calibrate and where to put the threshold;
//! what they say of their parts is the model's track record. One scout holds out one part and stops when it gets no better.
//! With several, each has a part of its own and goes through all epochs; one epoch is then chosen for all of them, by the
//! mean of their scores, so that the record is hardly flattered by the choice and is that of networks trained for as long
//! as the model. Its members learn from everything for so many epochs. A run can be written down after any epoch and
//! continued.

use peeler_learning::calibration::{Calibration, Curve, logit};
use peeler_learning::metrics::best_threshold;
use peeler_learning::track_record::TrackRecord;
use serde::{Deserialize, Serialize};

use crate::backend::BackendError;
use crate::model::TrainedModel;
use crate::pretrained::Pretrained;
use crate::training::{Checkpoint, EpochReport, Parts, Setting, Trainer};
use crate::weights::{Precision, Weights};

/// The part of a run that an epoch belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// A network that shows when to stop, from one on.
    Scout(usize),
    /// A member of the model, from one on.
    Member(usize),
}

/// A model in training.
pub struct TrainingRun<'d> {
    setting: Setting<'d>,
    /// What each scout learns from and is judged by: the same tests, divided in different ways.
    rounds: Vec<Parts>,
    stage: Stage,
    trainer: Trainer<'d>,
    said: Vec<Said>,
    members: Vec<Weights>,
    history: Vec<(Stage, EpochReport)>,
}

/// What a scout said after each of its epochs of the tests that it is judged by. These are bits of numbers: digits might
/// not bring them back as they were.
type Said = Vec<Vec<u32>>;

/// What a run needs to be continued, beside its trainer and members.
#[derive(Debug, Serialize, Deserialize)]
struct Standing {
    /// The configuration and whatever else must be the same.
    of: String,
    stage: Stage,
    said: Vec<Said>,
    history: Vec<(Stage, EpochReport)>,
    lengths: Vec<usize>,
}

impl<'d> TrainingRun<'d> {
    /// Begins a run with a scout for each round. The rounds divide the same tests.
    ///
    /// # Errors
    ///
    /// When the backend is not there.
    ///
    /// # Panics
    ///
    /// Without a round.
    pub fn new(setting: Setting<'d>, rounds: Vec<Parts>) -> Result<Self, BackendError> {
        let backend = setting.backend.resolve()?;
        let setting = Setting { backend, ..setting };
        Ok(Self {
            trainer: scout(setting, &rounds, 1)?,
            said: vec![Vec::new(); rounds.len()],
            setting,
            rounds,
            stage: Stage::Scout(1),
            members: Vec::new(),
            history: Vec::new(),
        })
    }

    /// Trains for one epoch; none when the model is finished.
    pub fn epoch(&mut self) -> Option<(Stage, EpochReport)> {
        while self.trainer.is_finished() && !self.is_finished() {
            self.next_stage();
        }
        if self.is_finished() {
            return None;
        }
        let report = (self.stage, self.trainer.epoch().clone());
        self.history.push(report.clone());
        if let Stage::Scout(scout) = self.stage {
            let scores = self.trainer.held_out_scores().iter().map(|it| it.to_bits());
            self.said[scout - 1].push(scores.collect());
        }
        if self.trainer.is_finished() {
            self.next_stage();
        }
        Some(report)
    }

    /// All epochs so far.
    #[must_use]
    pub fn history(&self) -> &[(Stage, EpochReport)] {
        &self.history
    }

    /// The mean validation score of the scouts at the epoch that is best for all so far; zero before the first.
    #[must_use]
    pub fn validation(&self) -> f64 {
        self.best_epoch().map_or(0.0, |(_, score)| score)
    }

    /// The first epoch with the highest mean score of the scouts that have begun, among those that all of them went through.
    fn best_epoch(&self) -> Option<(usize, f64)> {
        let scores = |scout: usize| -> Vec<f64> {
            let own = self.history.iter().filter(|(stage, _)| *stage == Stage::Scout(scout));
            own.map(|(_, report)| report.validation).collect()
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

    fn is_finished(&self) -> bool {
        self.members.len() == self.setting.config.members.max(1)
    }

    /// Keeps what the present trainer learned and begins with the next.
    fn next_stage(&mut self) {
        let next = match self.stage {
            Stage::Scout(scout) => match scout {
                _ if scout < self.rounds.len() => Stage::Scout(scout + 1),
                _ if self.setting.config.members > 0 => Stage::Member(1),
                _ => {
                    self.members.push(self.trainer.best_weights());
                    return;
                }
            },
            Stage::Member(member) => {
                self.members.push(self.trainer.best_weights());
                Stage::Member(member + 1)
            }
        };
        self.stage = next;
        if !self.is_finished() {
            self.trainer = self.trainer_for(next);
        }
    }

    fn trainer_for(&self, stage: Stage) -> Trainer<'d> {
        let seeded = |offset: usize| Setting {
            seed: self.setting.seed + offset as u64,
            ..self.setting
        };
        let trainer = match stage {
            Stage::Scout(number) => scout(seeded(100 * (number - 1)), &self.rounds, number),
            Stage::Member(member) => {
                let epochs = self.best_epoch().map_or(1, |(epoch, _)| epoch);
                let trainer = Trainer::new(seeded(1_000 * member), self.rounds[0].joined());
                trainer.map(|it| it.ending_after(epochs))
            }
        };
        trainer.expect("the backend was there")
    }

    /// What the scouts said of tests that they had not learned from, and what was true.
    fn held_out(&self) -> (Vec<f32>, Vec<bool>) {
        let Some((epoch, _)) = self.best_epoch() else {
            return (Vec::new(), Vec::new());
        };
        let judged = self.said.iter().zip(&self.rounds).flat_map(|(said, round)| {
            let flaky = round.validation.iter().map(|it| round.flaky[*it]);
            // A scout without a flaky test to learn from says nothing.
            let scores = said.get(epoch - 1).into_iter().flatten();
            scores.map(|it| logit(f32::from_bits(*it))).zip(flaky)
        });
        judged.unzip()
    }

    /// The share of flaky tests among all.
    fn real_share(&self) -> f64 {
        let (mut flaky, mut all) = (0, 0);
        let round = &self.rounds[0];
        for at in round.training.iter().chain(&round.validation) {
            flaky += u32::from(round.flaky[*at]);
            all += 1;
        }
        f64::from(flaky) / f64::from(all.max(1))
    }

    /// The finished model.
    ///
    /// # Panics
    ///
    /// When it is not finished.
    #[must_use]
    pub fn into_model(self) -> TrainedModel {
        assert!(self.is_finished(), "every member has finished");
        let (logits, labels) = self.held_out();
        let config = self.setting.config.clone();
        let calibration = Calibration::fit(&logits, &labels, config.flaky_share(), self.real_share());
        let tempered: Vec<f32> = logits.iter().map(|it| calibration.probability(*it)).collect();
        // What probabilities were worth in the few projects of one scout says little about others.
        let curve = match self.rounds.len() {
            1 => Curve::default(),
            _ => Curve::fit(&tempered, &labels),
        };
        let calibrated: Vec<f32> = tempered.iter().map(|it| curve.at(*it)).collect();
        TrainedModel {
            vocabulary: self.trainer.vocabulary().clone(),
            config,
            members: self.members,
            calibration,
            curve,
            threshold: best_threshold(&calibrated, &labels),
            track_record: TrackRecord::new(&calibrated, &labels),
        }
    }

    /// What must be the same for a run to be continued.
    fn identity(&self) -> String {
        let config = serde_json::to_string(self.setting.config).expect("a configuration is plain data");
        let sizes = |it: &Parts| (it.training.len(), it.validation.len());
        let parts: Vec<(usize, usize)> = self.rounds.iter().map(sizes).collect();
        let Setting { backend, seed, .. } = self.setting;
        let pretrained = self.setting.pretrained.map(Pretrained::fingerprint);
        format!(
            "{config} {parts:?} {} {backend} {seed} {pretrained:?}",
            self.setting.dataset.len()
        )
    }

    /// Where the run stands, as the bytes of a file.
    ///
    /// # Panics
    ///
    /// Never: everything in a run can be written.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut parts = vec![self.trainer.checkpoint().to_bytes()];
        parts.extend(self.members.iter().map(|it| it.to_bytes(Precision::Full)));
        let standing = Standing {
            of: self.identity(),
            stage: self.stage,
            said: self.said.clone(),
            history: self.history.clone(),
            lengths: parts.iter().map(Vec::len).collect(),
        };
        let head = serde_json::to_vec(&standing).expect("plain data");
        let mut bytes = (head.len() as u64).to_le_bytes().to_vec();
        bytes.extend_from_slice(&head);
        for part in &parts {
            bytes.extend_from_slice(part);
        }
        bytes
    }

    /// Continues from where another run of the same configuration, data, backend and seed stood.
    ///
    /// # Errors
    ///
    /// What is wrong with the bytes, in words.
    pub fn resume(&mut self, bytes: &[u8]) -> Result<(), String> {
        let early = || "it ends early".to_owned();
        let (length, rest) = bytes.split_first_chunk::<8>().ok_or_else(early)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| early())?;
        let (head, mut rest) = rest.split_at_checked(length).ok_or_else(early)?;
        let standing: Standing = serde_json::from_slice(head).map_err(|error| error.to_string())?;
        if standing.of != self.identity() {
            return Err("it is of another configuration, corpus, backend or seed".to_owned());
        }
        let mut parts = Vec::new();
        for length in &standing.lengths {
            let (part, later) = rest.split_at_checked(*length).ok_or_else(early)?;
            parts.push(part);
            rest = later;
        }
        let (trainer, members) = parts.split_first().ok_or_else(early)?;
        let members = members.iter().map(|it| Weights::from_bytes(it));
        self.members = members.collect::<Result<_, _>>()?;
        self.stage = standing.stage;
        self.said = standing.said;
        self.history = standing.history;
        self.trainer = self.trainer_for(self.stage);
        self.trainer.resume(Checkpoint::from_bytes(trainer)?)
    }
}

/// The trainer of a scout, counted from one on.
fn scout<'d>(setting: Setting<'d>, rounds: &[Parts], number: usize) -> Result<Trainer<'d>, BackendError> {
    let trainer = Trainer::new(setting, rounds[number - 1].clone())?;
    let is_alone = rounds.len() == 1;
    Ok(if is_alone { trainer } else { trainer.without_patience() })
}
