//! The checkpoint file, from which an interrupted training run can continue.
//!
//! The file starts with a magic number, the length of a header, and the header as JSON. Arrays and other bytes follow,
//! whose lengths the header states. The file ends with the hash of all bytes before it.

use peeler_features::content_hash;
use serde::{Deserialize, Serialize};

use crate::pace::Pace;
use crate::run_identity::{RunDifference, RunIdentity};
use crate::stage::Stage;
use crate::trainer_state::{EpochReport, StateError, TrainerState};
use crate::weights::{Precision, Weights, WeightsError};

/// The first bytes of a checkpoint file; the digit is the version of the format.
const MAGIC: &[u8; 8] = b"PEELTRN2";

/// The scores of a network's held-out tests after each of its epochs, as `f32::to_bits`, so that JSON keeps them
/// exactly.
pub(crate) type ScoresByEpoch = Vec<Vec<u32>>;

/// The state of a training run between two epochs, from which it can continue.
#[derive(Debug)]
pub(crate) struct Checkpoint {
    /// The configuration, backend and seed of the training run, and hashes of its data. A run can only continue from
    /// the checkpoint if it has the same ones.
    pub(crate) identity: RunIdentity,
    /// The network of the run that is in training: a scout for validation, or a member of the model.
    pub(crate) stage: Stage,
    /// The scores of held-out tests after each epoch, for each scout (a network trained without a part of the
    /// projects).
    pub(crate) scores: Vec<ScoresByEpoch>,
    /// The results of all finished epochs of the run, each with the network that the epoch trained.
    pub(crate) history: Vec<(Stage, EpochReport)>,
    /// The state of the network in training. The history in it is the part of `history` that belongs to this network.
    pub(crate) trainer: TrainerState,
    /// The parameter arrays of the finished members: the networks of the final model.
    pub(crate) members: Vec<Weights>,
}

/// The reason why a training run cannot continue from a checkpoint.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The bytes do not start with the magic number of a checkpoint.
    #[error("it is not a checkpoint of this version of peeler")]
    NoCheckpoint,
    /// The checkpoint is incomplete or was changed: its hash or the length of a part is wrong.
    #[error("it is incomplete or was changed")]
    Damaged,
    /// The header of the checkpoint is not the expected JSON.
    #[error("its header cannot be read: {0}")]
    Header(serde_json::Error),
    /// The parameter arrays of a network in the checkpoint cannot be read.
    #[error("its arrays cannot be read: {0}")]
    Weights(#[from] WeightsError),
    /// The checkpoint belongs to a run with another configuration, backend or seed, or with other training data.
    #[error("it belongs to another run: {0}")]
    OtherRun(RunDifference),
    /// The network in training cannot be restored: its arrays do not fit, its optimiser cannot be read, or the backend
    /// is missing.
    #[error(transparent)]
    State(#[from] StateError),
}

/// The part of a checkpoint file that is stored as JSON.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    identity: RunIdentity,
    stage: Stage,
    scores: Vec<ScoresByEpoch>,
    history: Vec<(Stage, StoredReport)>,
    /// The length in bytes of the network's arrays, the first part after the header.
    ///
    /// The fields that follow are the lengths of the other parts, in their order in the file.
    network: usize,
    optimiser: usize,
    best: Option<usize>,
    regression: Option<usize>,
    members: Vec<usize>,
}

/// The results of an epoch with floats as their bits, so that JSON keeps them exactly.
#[derive(Debug, Serialize, Deserialize)]
struct StoredReport {
    epoch: usize,
    loss: u64,
    validation: Option<u64>,
}

impl From<&EpochReport> for StoredReport {
    fn from(report: &EpochReport) -> Self {
        Self {
            epoch: report.epoch,
            loss: report.loss.to_bits(),
            validation: report.validation.map(f64::to_bits),
        }
    }
}

impl From<StoredReport> for EpochReport {
    fn from(stored: StoredReport) -> Self {
        Self {
            epoch: stored.epoch,
            loss: f64::from_bits(stored.loss),
            validation: stored.validation.map(f64::from_bits),
            pace: Pace::default(),
        }
    }
}

impl Checkpoint {
    /// The bytes of the checkpoint file.
    ///
    /// # Panics
    ///
    /// Never: a header is plain data.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let encoded = |weights: &Weights| weights.to_bytes(Precision::Single);
        let trainer = &self.trainer;
        let network = encoded(&trainer.network);
        let best = trainer.best.as_ref().map(encoded);
        let regression = trainer.regression.as_ref().map(encoded);
        let members: Vec<Vec<u8>> = self.members.iter().map(encoded).collect();
        let header = Header {
            identity: self.identity.clone(),
            stage: self.stage,
            scores: self.scores.clone(),
            history: self.history.iter().map(|(stage, it)| (*stage, it.into())).collect(),
            network: network.len(),
            optimiser: trainer.optimiser.len(),
            best: best.as_ref().map(Vec::len),
            regression: regression.as_ref().map(Vec::len),
            members: members.iter().map(Vec::len).collect(),
        };
        let header = serde_json::to_vec(&header).expect("a header is plain data");
        let mut bytes = MAGIC.to_vec();
        bytes.extend((header.len() as u64).to_le_bytes());
        bytes.extend(header);
        bytes.extend(network);
        bytes.extend(&trainer.optimiser);
        for part in best.iter().chain(&regression).chain(&members) {
            bytes.extend(part);
        }
        let hash = content_hash(&bytes);
        bytes.extend(hash.to_le_bytes());
        bytes
    }

    /// Reads the bytes of a checkpoint file.
    ///
    /// # Errors
    ///
    /// When the bytes are no checkpoint, or were damaged.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, CheckpointError> {
        if !bytes.starts_with(MAGIC) {
            return Err(CheckpointError::NoCheckpoint);
        }
        let (content, hash) = bytes.split_last_chunk::<8>().ok_or(CheckpointError::Damaged)?;
        if content_hash(content).to_le_bytes() != *hash {
            return Err(CheckpointError::Damaged);
        }
        let mut rest = Parts(content.get(MAGIC.len()..).ok_or(CheckpointError::Damaged)?);
        let length = u64::from_le_bytes(*rest.next(8)?.first_chunk().ok_or(CheckpointError::Damaged)?);
        let length = usize::try_from(length).map_err(|_| CheckpointError::Damaged)?;
        let header: Header = serde_json::from_slice(rest.next(length)?).map_err(CheckpointError::Header)?;
        let history: Vec<(Stage, EpochReport)> = header
            .history
            .into_iter()
            .map(|(stage, it)| (stage, it.into()))
            .collect();
        let own = history.iter().filter(|(stage, _)| *stage == header.stage);
        Ok(Self {
            identity: header.identity,
            stage: header.stage,
            scores: header.scores,
            trainer: TrainerState {
                history: own.map(|(_, report)| report.clone()).collect(),
                network: rest.weights(header.network)?,
                optimiser: rest.next(header.optimiser)?.to_vec(),
                best: header.best.map(|it| rest.weights(it)).transpose()?,
                regression: header.regression.map(|it| rest.weights(it)).transpose()?,
            },
            members: header
                .members
                .iter()
                .map(|it| rest.weights(*it))
                .collect::<Result<_, _>>()?,
            history,
        })
    }
}

/// The bytes of a checkpoint file that are still to be read.
struct Parts<'b>(&'b [u8]);

impl<'b> Parts<'b> {
    fn next(&mut self, length: usize) -> Result<&'b [u8], CheckpointError> {
        let (part, rest) = self.0.split_at_checked(length).ok_or(CheckpointError::Damaged)?;
        self.0 = rest;
        Ok(part)
    }

    fn weights(&mut self, length: usize) -> Result<Weights, CheckpointError> {
        Ok(Weights::from_bytes(self.next(length)?)?)
    }
}
