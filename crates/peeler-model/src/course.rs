//! The whole course of training a model.
//!
//! One network, the scout, learns without the validation part and shows on it when to stop, how to calibrate
//! and where to put the threshold; what it says of that part is the model's track record. Then the members of the model learn from both parts for as many epochs as
//! the scout needed. A course can be written down after any epoch and continued.

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
    /// The network that shows when to stop.
    Scout,
    /// A member of the model, from one on.
    Member(usize),
}

/// A model in training.
pub struct Course<'d> {
    setting: Setting<'d>,
    parts: Parts,
    stage: Stage,
    trainer: Trainer<'d>,
    found: Option<Found>,
    members: Vec<Weights>,
    history: Vec<(Stage, EpochReport)>,
}

/// What the scout found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Found {
    epochs: usize,
    calibration: Calibration,
    threshold: f32,
    validation: f64,
    track_record: TrackRecord,
}

/// What a course needs to be continued, beside its trainer and members.
#[derive(Debug, Serialize, Deserialize)]
struct Standing {
    /// The configuration and whatever else must be the same.
    of: String,
    stage: Stage,
    found: Option<Found>,
    history: Vec<(Stage, EpochReport)>,
    lengths: Vec<usize>,
}

impl<'d> Course<'d> {
    /// Begins a course.
    ///
    /// # Errors
    ///
    /// When the backend is not there.
    pub fn new(setting: Setting<'d>, parts: Parts) -> Result<Self, BackendError> {
        let backend = setting.backend.resolve()?;
        let setting = Setting { backend, ..setting };
        Ok(Self {
            trainer: Trainer::new(setting, parts.clone())?,
            setting,
            parts,
            stage: Stage::Scout,
            found: None,
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

    /// The best validation score of the scout so far.
    #[must_use]
    pub fn validation(&self) -> f64 {
        let scouted = self.history.iter().filter(|(stage, _)| *stage == Stage::Scout);
        scouted.map(|(_, report)| report.validation).fold(0.0, f64::max)
    }

    fn is_finished(&self) -> bool {
        self.members.len() == self.setting.config.members.max(1)
    }

    fn next_stage(&mut self) {
        let next = match self.stage {
            Stage::Scout => {
                self.found = Some(self.found_by_scout());
                if self.setting.config.members == 0 {
                    self.members.push(self.trainer.best_weights());
                    return;
                }
                1
            }
            Stage::Member(member) => {
                let weights = self.trainer.best_weights();
                self.members.push(weights);
                member + 1
            }
        };
        self.stage = Stage::Member(next);
        if next <= self.setting.config.members {
            self.trainer = self.member(next);
        }
    }

    fn member(&self, number: usize) -> Trainer<'d> {
        let epochs = self.found.as_ref().map_or(1, |it| it.epochs);
        let setting = Setting {
            seed: self.setting.seed + 1_000 * number as u64,
            ..self.setting
        };
        let trainer = Trainer::new(setting, self.parts.joined()).expect("the backend was there");
        trainer.ending_after(epochs)
    }

    fn found_by_scout(&self) -> Found {
        let validation = &self.parts.validation;
        let labels: Vec<bool> = validation.iter().map(|it| self.parts.flaky[*it]).collect();
        let scout = TrainedModel {
            config: self.setting.config.clone(),
            vocabulary: self.trainer.vocabulary().clone(),
            members: vec![self.trainer.best_weights()],
            calibration: Calibration::default(),
            threshold: 0.5,
            track_record: TrackRecord::default(),
        };
        let device = self.setting.backend.device().expect("the backend was there");
        let judged = scout.judge_some(self.setting.dataset, validation, self.setting.backend, &device);
        let logits: Vec<f32> = judged.iter().map(|it| it.logit).collect();
        let learned = self.parts.training.iter().chain(validation);
        let (mut flaky, mut all) = (0, 0);
        for at in learned {
            flaky += u32::from(self.parts.flaky[*at]);
            all += 1;
        }
        let real_share = f64::from(flaky) / f64::from(all.max(1));
        let calibration = Calibration::fit(&logits, &labels, self.setting.config.flaky_share(), real_share);
        let calibrated: Vec<f32> = logits.iter().map(|it| calibration.probability(*it)).collect();
        Found {
            epochs: self.trainer.best_epoch().max(1),
            calibration,
            threshold: best_threshold(&calibrated, &labels),
            validation: self.validation(),
            track_record: TrackRecord::new(&calibrated, &labels),
        }
    }

    /// The finished model.
    ///
    /// # Panics
    ///
    /// When it is not finished.
    #[must_use]
    pub fn into_model(self) -> TrainedModel {
        assert!(self.is_finished(), "every member has finished");
        let found = self.found.expect("the scout has finished");
        TrainedModel {
            vocabulary: self.trainer.vocabulary().clone(),
            config: self.setting.config.clone(),
            members: self.members,
            calibration: found.calibration,
            threshold: found.threshold,
            track_record: found.track_record,
        }
    }

    /// What must be the same for a course to be continued.
    fn identity(&self) -> String {
        let config = serde_json::to_string(self.setting.config).expect("a configuration is plain data");
        let parts = (self.parts.training.len(), self.parts.validation.len());
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
            found: self.found.clone(),
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
        self.found = standing.found;
        self.history = standing.history;
        if let Stage::Member(number) = self.stage {
            self.trainer = self.member(number);
        }
        self.trainer.resume(Checkpoint::from_bytes(trainer)?)
    }
}
