//! The folder of a trained rival: `rival.peeler` with the model, and `README.md` with the model card.
//!
//! `rival.peeler` starts with the eight bytes `PEELRIVL`, the version (four bytes) and a hash of the rest (eight
//! bytes), both little endian. The rest is the rival in [postcard](https://docs.rs/postcard) format, compressed with
//! zstd. The file is replaced atomically. A truncated or changed file, or one of another version, is an error.
//!
//! Invariant: a file contains single words and numbers from the sources that a rival learned from, never a sequence of
//! tokens.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::condensed::{CondensedTests, STABLE_FOR_EACH_FLAKY, StoredTests};
use super::trained::{RivalModel, TrainedRival};
use super::vocabulary::{StoredWords, WordWeights};
use crate::decompression::decompressed;
use peeler_features::stored_hash;
use peeler_learning::atomic_file::{self, Durability, WriteError};
use peeler_learning::calibration::Calibration;

/// The name of the file with a rival's model, in the folder of the rival.
pub const FILE: &str = "rival.peeler";
const CARD: &str = "README.md";
const MAGIC: &[u8; 8] = b"PEELRIVL";
/// The version of the file format of rivals that this program reads and writes.
const VERSION: u32 = 1;
const HEAD: usize = 20;
const COMPRESSION_LEVEL: i32 = 19;

/// The reason why a trained rival, a model that Peeler's network is compared with, cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum RivalStoreError {
    /// The folder of a rival cannot be created, or its file cannot be read.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// The verb for the action that failed, in the error message: `create` or `read`.
        action: &'static str,
        /// The rival's folder that cannot be created, or its file that cannot be read.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A file of the rival cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The file of the rival is damaged.
    #[error("{} is damaged ({cause}); copy the model again or train it anew", path.display())]
    Damaged {
        /// The damaged file with a rival's model.
        path: PathBuf,
        /// A description of the damage, such as `it ends early`.
        cause: String,
    },
    /// The rival's file has another format version than the one that this program reads.
    #[error("{} is a model of version {found}, this program reads version {VERSION}; train it anew", path.display())]
    OtherVersion {
        /// The path of the rival's file, whose format version this program does not read.
        path: PathBuf,
        /// The format version of the rival's file.
        found: u32,
    },
}

/// The training data of a rival model, and how well the model predicts held-out tests.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// The fingerprint of the corpus that the rival was trained on.
    pub corpus: String,
    /// The names of the projects in the training data.
    pub projects: Vec<String>,
    /// The number of tests in the training data.
    pub tests: u64,
    /// The number of flaky tests in the training data.
    pub flaky: u64,
    /// The random seed of the training.
    pub seed: u64,
    /// Average precision on held-out tests, of a model that was trained without them.
    pub validation: f64,
    /// What was held out as a whole from training: `projects` or `classes`.
    pub held_out: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredRival {
    model: StoredModel,
    calibration: Calibration,
    threshold: f32,
    origin: Provenance,
}

#[derive(Debug, Serialize, Deserialize)]
enum StoredModel {
    Flast(StoredTests),
    Vocabulary(StoredWords),
}

/// Writes a rival into a folder, and creates the folder if needed.
///
/// # Errors
///
/// When a file cannot be written.
pub fn save(folder: &Path, rival: &TrainedRival, origin: &Provenance) -> Result<(), RivalStoreError> {
    fs::create_dir_all(folder).map_err(|source| RivalStoreError::Io {
        action: "create",
        path: folder.to_owned(),
        source,
    })?;
    write_whole(folder, CARD, card(rival, origin).as_bytes())?;
    write_whole(folder, FILE, &to_bytes(rival, origin))
}

/// Reads a rival from a folder.
///
/// # Errors
///
/// When the file of the rival cannot be read or is damaged.
pub fn load(folder: &Path) -> Result<(TrainedRival, Provenance), RivalStoreError> {
    let path = folder.join(FILE);
    let bytes = fs::read(&path).map_err(|source| RivalStoreError::Io {
        action: "read",
        path: path.clone(),
        source,
    })?;
    from_bytes(&path, &bytes)
}

/// Reads a rival from the bytes of its file. Errors name `path`.
///
/// # Errors
///
/// When the bytes are damaged.
pub fn from_bytes(path: &Path, bytes: &[u8]) -> Result<(TrainedRival, Provenance), RivalStoreError> {
    let damaged = |cause: String| RivalStoreError::Damaged {
        path: path.to_owned(),
        cause,
    };
    let Some((head, packed)) = bytes.split_first_chunk::<HEAD>() else {
        return Err(damaged("it ends early".to_owned()));
    };
    let (magic, rest) = head.split_at(MAGIC.len());
    if magic != MAGIC {
        return Err(damaged("it is something else".to_owned()));
    }
    let (version, hash) = rest.split_at(4);
    let found = u32::from_le_bytes([version[0], version[1], version[2], version[3]]);
    if found != VERSION {
        return Err(RivalStoreError::OtherVersion {
            path: path.to_owned(),
            found,
        });
    }
    if hash != stored_hash(packed).to_le_bytes() {
        return Err(damaged("its hash is not the one it was written with".to_owned()));
    }
    let bytes = decompressed(packed).map_err(|error| damaged(error.to_string()))?;
    let stored: StoredRival = postcard::from_bytes(&bytes).map_err(|error| damaged(error.to_string()))?;
    let Calibration { shift, temperature } = stored.calibration;
    let is_sound = shift.is_finite() && temperature.is_finite() && temperature > 0.0;
    if !is_sound || !(0.0..=1.0).contains(&stored.threshold) {
        let threshold = stored.threshold;
        return Err(damaged(format!(
            "a threshold of {threshold}, a temperature of {temperature}, a shift of {shift}"
        )));
    }
    let model = match stored.model {
        StoredModel::Flast(tests) => CondensedTests::from_stored(tests).map(RivalModel::Flast),
        StoredModel::Vocabulary(words) => WordWeights::from_stored(words).map(RivalModel::Vocabulary),
    };
    let rival = TrainedRival {
        learned: model.map_err(|error| damaged(error.to_string()))?,
        calibration: stored.calibration,
        threshold: stored.threshold,
    };
    Ok((rival, stored.origin))
}

/// The bytes of a rival's file.
///
/// # Panics
///
/// Never: everything in a rival can be written.
#[must_use]
pub fn to_bytes(rival: &TrainedRival, origin: &Provenance) -> Vec<u8> {
    let stored = StoredRival {
        model: match &rival.learned {
            RivalModel::Flast(tests) => StoredModel::Flast(tests.stored()),
            RivalModel::Vocabulary(words) => StoredModel::Vocabulary(words.stored()),
        },
        calibration: rival.calibration,
        threshold: rival.threshold,
        origin: origin.clone(),
    };
    let bytes = postcard::to_stdvec(&stored).expect("a rival holds plain data");
    let packed = zstd::encode_all(bytes.as_slice(), COMPRESSION_LEVEL).expect("memory can be written");
    let mut file = MAGIC.to_vec();
    file.extend(VERSION.to_le_bytes());
    file.extend(stored_hash(&packed).to_le_bytes());
    file.extend(packed);
    file
}

/// Writes a file atomically: through a temporary file in the same folder, so that the old content stays if writing
/// fails.
fn write_whole(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), RivalStoreError> {
    let path = folder.join(name);
    Ok(atomic_file::replace(&path, &[bytes], Durability::Synced)?)
}

fn card(rival: &TrainedRival, origin: &Provenance) -> String {
    let name = rival.learned.rival().name();
    let (what, kept) = match &rival.learned {
        RivalModel::Flast(tests) => {
            let (all, flaky) = tests.tests();
            let what = "Judges how likely a Java test is flaky by the seven known tests whose tokens are most like its \
                        own (FLAST, Bertolino et al. 2020).";
            let kept = format!(
                "- Keeps the projected tokens and labels of {flaky} flaky tests, all there are, and of {} of the {} \
                 stable ones, {STABLE_FOR_EACH_FLAKY} for each flaky one, drawn by the seed. The FLAST of the score \
                 tables keeps all stable tests; this one has not been evaluated beyond the figure below. It holds no \
                 token and no name of a test\n\
                 - Its probabilities are coarse: seven votes make them. Where all seven neighbours are flaky the \
                 probability is high, however little they have in common with the test\n",
                all - flaky,
                origin.tests - origin.flaky
            );
            (what, kept)
        }
        RivalModel::Vocabulary(words) => {
            let what = "Judges how likely a Java test is flaky by the words in its method, weighed by a logistic \
                        regression (after Pinto et al. 2020, who use a random forest).";
            let kept = format!("- Keeps {} single words with their weights\n", words.len());
            (what, kept)
        }
    };
    format!(
        "# Model card: {name}\n\n\
         {what} Made by `peeler train --rival {name}`; used by `peeler scan --model {name}`.\n\n\
         {kept}\
         - Learned from {tests} tests ({flaky} flaky) of {projects} projects, corpus `{corpus}`\n\
         - Seed {seed}\n\
         - Average precision on held-out {held_out}: {validation:.3}, before it learned from them\n\
         - Threshold {threshold:.3}, temperature {temperature:.3}, shift {shift:.3}, all from held-out {held_out}\n\n\
         It is here for comparison. On classes and projects that it has not seen it ranks worse than Peeler's network \
         (`corpus/scores/README.md`), and on unseen projects it is not shown to rank better than listing the longest \
         tests first. It knows nothing of the ways of data through a test: where a finding names a cause, the catalogue \
         of causes found it, not this model.\n\n\
         Labels are noisy: a test that nobody reported may still be flaky. Trust the order within a project more than \
         the number.\n\n\
         ## Projects\n\n{list}\n",
        tests = origin.tests,
        flaky = origin.flaky,
        projects = origin.projects.len(),
        corpus = origin.corpus,
        seed = origin.seed,
        held_out = origin.held_out,
        validation = origin.validation,
        threshold = rival.threshold,
        temperature = rival.calibration.temperature,
        shift = rival.calibration.shift,
        list = origin.projects.join(", "),
    )
}
