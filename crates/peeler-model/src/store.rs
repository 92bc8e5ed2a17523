//! The files of a trained model in its folder.
//!
//! | file | content |
//! |---|---|
//! | `model.json` | calibration, threshold, track record, origin, checksums of the next three files |
//! | `config.toml` | the configuration |
//! | `vocabulary.json` | the names with embedding rows of their own |
//! | `weights.safetensors` | the parameters of all networks |
//! | `metrics.json` | the results of all epochs |
//! | `README.md` | the model card |
//!
//! Every file is replaced atomically, `model.json` last. Its checksums show when the folder holds files of two models.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;

use peeler_features::{MEASURES, content_hash};
use peeler_learning::atomic_file::{self, Durability, WriteError, remedy};
use peeler_learning::calibration::{Calibration, Curve};
use peeler_learning::project_record::ProjectRecord;
use peeler_learning::track_record::TrackRecord;
use serde::{Deserialize, Serialize};

use crate::config::{Config, ConfigError};
use crate::member::Member;
use crate::model::TrainedModel;
use crate::model_card::model_card;
pub use crate::origin::Origin;
use crate::stage::Stage;
use crate::trainer_state::EpochReport;
use crate::vocabulary::Vocabulary;
use crate::weights::{Precision, Weights, WeightsError};

/// The version of the model folder's format that this program reads and writes. Version 2 has checksums by XXH3.
const VERSION: u32 = 2;
const DESCRIPTION: &str = "model.json";
const CONFIG: &str = "config.toml";
const VOCABULARY: &str = "vocabulary.json";
const WEIGHTS: &str = "weights.safetensors";
const METRICS: &str = "metrics.json";
const CARD: &str = "README.md";

/// The reason why a model could not be read from its folder or written to it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder of the model cannot be created.
    #[error("cannot {action} {}: {source}; {}", path.display(), remedy(source))]
    Io {
        /// The action on the model's folder that failed, as a verb: `create`.
        action: &'static str,
        /// The folder of the model that could not be created.
        path: PathBuf,
        /// The error of the operating system about the model's folder.
        source: io::Error,
    },
    /// A file of the model cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// This folder contains no model: `model.json` is missing.
    #[error("no model in {}: {DESCRIPTION} is missing; make one with `peeler train`", .0.display())]
    NoModel(PathBuf),
    /// A file of the model cannot be used.
    #[error("{} is damaged ({cause}); copy the model again or train it anew", path.display())]
    Damaged {
        /// The damaged file of a model.
        path: PathBuf,
        /// What is wrong with the model's file.
        cause: Damage,
    },
    /// The model was written by a Peeler with another version of the format.
    #[error(
        "{} is a model of version {found}, this program reads version {VERSION}; \
         train it anew or use the peeler that wrote it", path.display()
    )]
    OtherVersion {
        /// The file of the model that states the version of its format: `model.json`.
        path: PathBuf,
        /// The version of the format in which the model was written.
        found: u32,
    },
}

/// What is wrong with a file of a model.
#[derive(Debug, thiserror::Error)]
pub enum Damage {
    /// The operating system cannot read the model's file.
    #[error("{0}")]
    Unreadable(io::Error),
    /// The model's file is not the expected JSON.
    #[error("{0}")]
    Json(serde_json::Error),
    /// The model's file is not the expected TOML.
    #[error("{0}")]
    Toml(toml::de::Error),
    /// The configuration in the model's `config.toml` cannot be used.
    #[error("{0}")]
    Config(ConfigError),
    /// Arrays in the model's file are missing, or do not fit the configuration and the vocabulary.
    #[error("{0}")]
    Weights(WeightsError),
    /// The number of members (networks) that `model.json` states is zero or larger than the number of arrays.
    #[error("it names {members} members, and {WEIGHTS} has {arrays} arrays")]
    Members {
        /// The number of members (networks) that `model.json` states.
        members: usize,
        /// The number of arrays of all networks in `weights.safetensors`.
        arrays: usize,
    },
    /// The model knows another number of measures (such as the number of lines) than this program computes.
    ///
    /// The value is the number of measures whose mean and deviation are in the model's `vocabulary.json`.
    #[error("it has the scales of {0} measures, not of {MEASURES}")]
    Measures(usize),
    /// The checksum of the file is not the one in `model.json`: it is damaged or belongs to another model.
    #[error("its checksum is not the one in {DESCRIPTION}")]
    Checksum,
}

#[derive(Debug, Serialize, Deserialize)]
struct Description {
    version: u32,
    members: usize,
    calibration: Calibration,
    #[serde(default)]
    curve: Curve,
    threshold: f32,
    origin: Origin,
    /// The checksums of the model's configuration, vocabulary and weights, by file name.
    hashes: BTreeMap<String, String>,
    /// The track record: counts of held-out tests by predicted probability. It is missing in models of older versions.
    #[serde(default, skip_serializing_if = "TrackRecord::is_empty")]
    track_record: TrackRecord,
    /// What the model's ranking was worth on held-out projects. It is missing in models of older versions.
    #[serde(default)]
    project_record: ProjectRecord,
}

/// Writes a model into a folder, which is created if it is missing.
///
/// # Errors
///
/// When a file cannot be written.
///
/// # Panics
///
/// Never: everything in a model can be written.
pub fn save(
    folder: &Path,
    model: &TrainedModel,
    origin: &Origin,
    history: &[(Stage, EpochReport)],
    precision: Precision,
) -> Result<(), StoreError> {
    fs::create_dir_all(folder).map_err(|source| StoreError::Io {
        action: "create",
        path: folder.to_owned(),
        source,
    })?;
    let mut all = Weights::default();
    for (at, member) in model.members.iter().enumerate() {
        let named = member.to_weights().arrays.into_iter();
        all.arrays.extend(named.map(|(name, it)| (format!("{at}.{name}"), it)));
    }
    let config = toml::to_string(&model.config).expect("a configuration is plain data");
    let vocabulary = serde_json::to_vec(&model.vocabulary).expect("a vocabulary is plain data");
    let metrics = serde_json::to_vec_pretty(history).expect("reports are plain data");
    let files = [
        (CONFIG, config.into_bytes()),
        (VOCABULARY, vocabulary),
        (WEIGHTS, all.to_bytes(precision)),
    ];
    let description = Description {
        version: VERSION,
        members: model.members.len(),
        calibration: model.calibration,
        curve: model.curve.clone(),
        threshold: model.threshold,
        origin: origin.clone(),
        hashes: files
            .iter()
            .map(|(name, bytes)| ((*name).to_owned(), hash(bytes)))
            .collect(),
        track_record: model.track_record.clone(),
        project_record: model.project_record.clone(),
    };
    for (name, bytes) in &files {
        write_whole(&folder.join(name), bytes)?;
    }
    write_whole(&folder.join(METRICS), &metrics)?;
    write_whole(&folder.join(CARD), model_card(model, origin).as_bytes())?;
    let description = serde_json::to_vec_pretty(&description).expect("a description is plain data");
    write_whole(&folder.join(DESCRIPTION), &description)
}

/// Whether a folder contains a trained model.
#[must_use]
pub fn is_model(folder: &Path) -> bool {
    folder.join(DESCRIPTION).is_file()
}

/// Reads a trained model from a folder, and what data and backend it was trained with.
///
/// # Errors
///
/// When the folder contains no model, or a file is damaged.
pub fn load(folder: &Path) -> Result<(TrainedModel, Origin), StoreError> {
    if !is_model(folder) {
        return Err(StoreError::NoModel(folder.to_owned()));
    }
    let read = |name: &str| {
        let path = folder.join(name);
        // An unreadable file makes the model incomplete, whatever the reason.
        fs::read(&path).map_err(|error| StoreError::Damaged {
            path,
            cause: Damage::Unreadable(error),
        })
    };
    from_files(folder, &|name| read(name).map(Cow::Owned), Checksums::Verify)
}

/// Whether the checksums of a model's files are verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checksums {
    /// Checksums are verified, because files may be damaged or belong to two models.
    Verify,
    /// Checksums are not verified, because the files are built into the program and a test verifies them.
    Trust,
}

/// The content of a model's file, or why it cannot be read; borrowed if it is built into the program.
pub type FileBytes = Result<Cow<'static, [u8]>, StoreError>;

/// Reads a model from files, which `read` finds by name. `folder` is only named in errors.
///
/// # Errors
///
/// When a file is missing or damaged.
///
/// # Panics
///
/// Never: what is wrong with a file is an error.
pub fn from_files(
    folder: &Path,
    read: &dyn Fn(&str) -> FileBytes,
    checksums: Checksums,
) -> Result<(TrainedModel, Origin), StoreError> {
    let damaged = |name: &str, cause: Damage| StoreError::Damaged {
        path: folder.join(name),
        cause,
    };
    let bytes = read(DESCRIPTION)?;
    let version: serde_json::Value =
        serde_json::from_slice(&bytes).map_err(|error| damaged(DESCRIPTION, Damage::Json(error)))?;
    let found = version.get("version").and_then(serde_json::Value::as_u64).unwrap_or(0);
    if found != u64::from(VERSION) {
        return Err(StoreError::OtherVersion {
            path: folder.join(DESCRIPTION),
            found: u32::try_from(found).unwrap_or(u32::MAX),
        });
    }
    let description: Description =
        serde_json::from_slice(&bytes).map_err(|error| damaged(DESCRIPTION, Damage::Json(error)))?;
    let checked = |name: &str| {
        let bytes = read(name)?;
        if checksums == Checksums::Verify && description.hashes.get(name) != Some(&hash(&bytes)) {
            return Err(damaged(name, Damage::Checksum));
        }
        Ok(bytes)
    };
    let config = checked(CONFIG)?;
    let config: Config = toml::from_slice(&config).map_err(|error| damaged(CONFIG, Damage::Toml(error)))?;
    config.check().map_err(|cause| damaged(CONFIG, Damage::Config(cause)))?;
    let (names, numbers) = (checked(VOCABULARY)?, checked(WEIGHTS)?);
    // Both take about the same time, and a scan of a small repository has to wait for them.
    let (vocabulary, all) = thread::scope(|scope| {
        let all = scope.spawn(|| match numbers {
            Cow::Borrowed(numbers) => Weights::from_program(numbers, is_table_of_names),
            Cow::Owned(numbers) => Weights::from_bytes(&numbers),
        });
        let vocabulary: Result<Vocabulary, _> = serde_json::from_slice(&names);
        (vocabulary, all.join().expect("reading numbers does not panic"))
    });
    let vocabulary = vocabulary.map_err(|error| damaged(VOCABULARY, Damage::Json(error)))?;
    if vocabulary.measures.len() != MEASURES {
        return Err(damaged(VOCABULARY, Damage::Measures(vocabulary.measures.len())));
    }
    let wrong_weights = |cause: WeightsError| damaged(WEIGHTS, Damage::Weights(cause));
    let arrays = all.map_err(wrong_weights)?.arrays;
    // Every member has arrays, so a larger number is no reason to reserve memory.
    if description.members == 0 || description.members > arrays.len() {
        let (members, arrays) = (description.members, arrays.len());
        return Err(damaged(DESCRIPTION, Damage::Members { members, arrays }));
    }
    let mut members = vec![Weights::default(); description.members];
    for (name, array) in arrays {
        let place = name
            .split_once('.')
            .and_then(|(at, own)| Some((at.parse::<usize>().ok()?, own.to_owned())));
        match place.and_then(|(at, own)| Some((members.get_mut(at)?, own))) {
            Some((member, own)) => drop(member.arrays.insert(own, array)),
            None => return Err(wrong_weights(WeightsError::NoMember(name))),
        }
    }
    let member = |weights| Member::from_weights(&config, &vocabulary, weights);
    let members: Result<Vec<Member>, _> = members.into_iter().map(member).collect();
    let members = members.map_err(wrong_weights)?;
    let model = TrainedModel {
        config,
        vocabulary,
        members,
        calibration: description.calibration,
        curve: description.curve,
        threshold: description.threshold,
        track_record: description.track_record,
        project_record: description.project_record,
    };
    Ok((model, description.origin))
}

/// Whether the array with this name is an embedding table with a row for every name. A scan reads few of these rows.
fn is_table_of_names(array: &str) -> bool {
    let name = array.split_once('.').map_or(array, |(_, name)| name);
    matches!(
        name,
        "words" | "context" | "calls" | "causes" | "flows" | "oracles" | "paths.tokens"
    )
}

/// Replaces a file atomically: readers find the old content or the new one, never a part.
///
/// # Errors
///
/// When the file cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    Ok(atomic_file::replace(path, &[bytes], Durability::Synced)?)
}

/// The XXH3 checksum of a file as 16 hexadecimal digits, as `model.json` stores it.
fn hash(bytes: &[u8]) -> String {
    format!("{:016x}", content_hash(bytes))
}
