//! The whole course of training a model.
//!
//! Scouts learn without a part of the tests and show on it when to stop, how to calibrate and where to put the threshold;
//! what they say of their parts is the model's track record. One scout holds out one part. With several, each has a part
//! of its own, and numbers rest on more projects than a single draw has. Then the members of the model learn from
//! everything, for as many epochs as the scouts needed. A course can be written down after any epoch and continued.

use peeler_eval::calibration::Calibration;
use peeler_eval::metrics::best_threshold;
use peeler_eval::track_record::TrackRecord;
use serde::{Deserialize, Serialize};

use crate::backend::BackendError;
use crate::model::TrainedModel;
use crate::pretrained::Pretrained;
use crate::training::{Checkpoint, EpochReport, Parts, Setting, Trainer};
use crate::weights::{Precision, Weights};

/// The part of a course that an epoch belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// A network that shows when to stop, from one on.
    Scout(usize),
    /// A member of the model, from one on.
    Member(usize),
}

/// A model in training.
pub struct Course<'d> {
    setting: Setting<'d>,
    /// What each scout learns from and is judged by: the same tests, divided in different ways.
    rounds: Vec<Parts>,
    stage: Stage,
    trainer: Trainer<'d>,
    scouted: Vec<Scouted>,
    members: Vec<Weights>,
    history: Vec<(Stage, EpochReport)>,
}

/// What a scout found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Scouted {
    epochs: usize,
    /// The bits of its logits for the tests that it was judged by: digits might not bring them back as they were.
    logits: Vec<u32>,
}

/// What a course needs to be continued, beside its trainer and members.
#[derive(Debug, Serialize, Deserialize)]
struct Standing {
    /// The configuration and whatever else must be the same.
    of: String,
    stage: Stage,
    scouted: Vec<Scouted>,
    history: Vec<(Stage, EpochReport)>,
    lengths: Vec<usize>,
}

impl<'d> Course<'d> {
    /// Begins a course with a scout for each round. The rounds divide the same tests.
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
        let first = rounds.first().expect("a scout needs a round").clone();
        Ok(Self {
            trainer: Trainer::new(setting, first)?,
            setting,
            rounds,
            stage: Stage::Scout(1),
            scouted: Vec::new(),
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

    /// The best validation score of each scout so far, on the average.
    #[must_use]
    pub fn validation(&self) -> f64 {
        let best_of = |scout: usize| {
            let own = self.history.iter().filter(|(stage, _)| *stage == Stage::Scout(scout));
            own.map(|(_, report)| report.validation).reduce(f64::max)
        };
        let best: Vec<f64> = (1..=self.rounds.len()).filter_map(best_of).collect();
        #[expect(clippy::cast_precision_loss, reason = "a handful of scouts")]
        let scouts = best.len().max(1) as f64;
        best.iter().sum::<f64>() / scouts
    }

    fn is_finished(&self) -> bool {
        self.members.len() == self.setting.config.members.max(1)
    }

    /// Keeps what the present trainer learned and begins with the next.
    fn next_stage(&mut self) {
        let next = match self.stage {
            Stage::Scout(scout) => {
                let found = self.found_by(scout);
                self.scouted.push(found);
                match scout {
                    _ if scout < self.rounds.len() => Stage::Scout(scout + 1),
                    _ if self.setting.config.members > 0 => Stage::Member(1),
                    _ => {
                        self.members.push(self.trainer.best_weights());
                        return;
                    }
                }
            }
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
            Stage::Scout(scout) => Trainer::new(seeded(100 * (scout - 1)), self.rounds[scout - 1].clone()),
            Stage::Member(member) => Trainer::new(seeded(1_000 * member), self.rounds[0].joined())
                .map(|trainer| trainer.ending_after(self.epochs_needed())),
        };
        trainer.expect("the backend was there")
    }

    /// The median of what the scouts needed.
    fn epochs_needed(&self) -> usize {
        let mut epochs: Vec<usize> = self.scouted.iter().map(|it| it.epochs).collect();
        epochs.sort_unstable();
        epochs.get(epochs.len() / 2).map_or(1, |it| *it)
    }

    fn found_by(&self, scout: usize) -> Scouted {
        let model = TrainedModel {
            config: self.setting.config.clone(),
            vocabulary: self.trainer.vocabulary().clone(),
            members: vec![self.trainer.best_weights()],
            calibration: Calibration::default(),
            threshold: 0.5,
            track_record: TrackRecord::default(),
        };
        let device = self.setting.backend.device().expect("the backend was there");
        let held_out = &self.rounds[scout - 1].validation;
        let judged = model.judge_some(self.setting.dataset, held_out, self.setting.backend, &device);
        Scouted {
            epochs: self.trainer.best_epoch().max(1),
            logits: judged.iter().map(|it| it.logit.to_bits()).collect(),
        }
    }

    /// What the scouts said of tests that they had not learned from, and what was true.
    fn held_out(&self) -> (Vec<f32>, Vec<bool>) {
        let judged = self.scouted.iter().zip(&self.rounds).flat_map(|(scouted, round)| {
            let flaky = round.validation.iter().map(|it| round.flaky[*it]);
            scouted.logits.iter().map(|it| f32::from_bits(*it)).zip(flaky)
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
        let calibrated: Vec<f32> = logits.iter().map(|it| calibration.probability(*it)).collect();
        TrainedModel {
            vocabulary: self.trainer.vocabulary().clone(),
            config,
            members: self.members,
            calibration,
            threshold: best_threshold(&calibrated, &labels),
            track_record: TrackRecord::new(&calibrated, &labels),
        }
    }

    /// What must be the same for a course to be continued.
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

    /// Where the course stands, as the bytes of a file.
    ///
    /// # Panics
    ///
    /// Never: everything in a course can be written.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut parts = vec![self.trainer.checkpoint().to_bytes()];
        parts.extend(self.members.iter().map(|it| it.to_bytes(Precision::Full)));
        let standing = Standing {
            of: self.identity(),
            stage: self.stage,
            scouted: self.scouted.clone(),
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

    /// Continues from where another course of the same configuration, data, backend and seed stood.
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
        self.scouted = standing.scouted;
        self.history = standing.history;
        self.trainer = self.trainer_for(self.stage);
        self.trainer.resume(Checkpoint::from_bytes(trainer)?)
    }
}
