//! A model as a folder: `model.json` (what it is, and its track record), `config.toml`, `vocabulary.json`, `weights.safetensors`,
//! `metrics.json` (its epochs) and `README.md` (its card).
//!
//! Every file is written whole or not at all, `model.json` last; it holds the hashes of the others, so that
//! files of two models, or half of one, are never taken for a model.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;

use peeler_features::stored_hash;
use peeler_learning::calibration::{Calibration, Curve};
use peeler_learning::track_record::TrackRecord;
use serde::{Deserialize, Serialize};

use crate::config::Config;
use crate::model::TrainedModel;
use crate::network::Network;
use crate::parameters::Shapes;
use crate::regression::Linear;
use crate::training::EpochReport;
use crate::training_run::Stage;
use crate::vocabulary::Vocabulary;
use crate::weights::{Precision, Weights};

/// The version of the layout that this program reads and writes.
const VERSION: u32 = 1;
const DESCRIPTION: &str = "model.json";
const CONFIG: &str = "config.toml";
const VOCABULARY: &str = "vocabulary.json";
const WEIGHTS: &str = "weights.safetensors";
const METRICS: &str = "metrics.json";
const CARD: &str = "README.md";

/// Why a model could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The operating system said no.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// There is no model.
    #[error("no model in {}: {DESCRIPTION} is missing; make one with `peeler train`", .0.display())]
    NoModel(PathBuf),
    /// The file does not hold what it should.
    #[error("{} is damaged ({cause}); copy the model again or train it anew", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        cause: String,
    },
    /// Another program's model.
    #[error("{} is a model of version {found}, this program reads version {VERSION}; train it anew", path.display())]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
}

/// Where a model comes from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// Fingerprint of the corpus.
    pub corpus: String,
    /// Projects it learned from.
    pub projects: Vec<String>,
    /// Tests and flaky ones among them.
    pub tests: usize,
    /// See `tests`.
    pub flaky: usize,
    /// The seed.
    pub seed: u64,
    /// What computed it.
    pub backend: String,
    /// Average precision on held-out data, of the network that chose when to stop.
    pub validation: f64,
    /// What was held out: projects or classes.
    pub held_out: String,
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
    /// Of the other files, by name.
    hashes: BTreeMap<String, String>,
    /// Absent in models of before it was kept.
    #[serde(default, skip_serializing_if = "TrackRecord::is_empty")]
    track_record: TrackRecord,
}

/// Writes a model into a folder, which is made.
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
        let named = member
            .arrays
            .iter()
            .map(|(name, it)| (format!("{at}.{name}"), it.clone()));
        all.arrays.extend(named);
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
    };
    for (name, bytes) in &files {
        write_whole(&folder.join(name), bytes)?;
    }
    write_whole(&folder.join(METRICS), &metrics)?;
    write_whole(&folder.join(CARD), card(model, origin).as_bytes())?;
    let description = serde_json::to_vec_pretty(&description).expect("a description is plain data");
    write_whole(&folder.join(DESCRIPTION), &description)
}

/// Reads a model from a folder.
///
/// # Errors
///
/// When there is none, or a file is damaged.
pub fn load(folder: &Path) -> Result<(TrainedModel, Origin), StoreError> {
    if !folder.join(DESCRIPTION).is_file() {
        return Err(StoreError::NoModel(folder.to_owned()));
    }
    let read = |name: &str| {
        let path = folder.join(name);
        // Whatever keeps a part of a model from being read, the model is not whole.
        fs::read(&path).map_err(|error| StoreError::Damaged {
            path,
            cause: error.to_string(),
        })
    };
    from_files(folder, &|name| read(name).map(Cow::Owned), Checksums::Verify)
}

/// Who kept the files of a model since they were written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checksums {
    /// Anybody: files may be missing, damaged or of two models.
    Verify,
    /// The program that they are a part of. Hashes and shapes are not looked at: that takes longer than reading.
    Trust,
}

/// What a file of a model holds; borrowed from the program where it is inside.
pub type FileBytes = Result<Cow<'static, [u8]>, StoreError>;

/// Reads a model from wherever `read` finds its files.
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
    let damaged = |name: &str, cause: String| StoreError::Damaged {
        path: folder.join(name),
        cause,
    };
    let bytes = read(DESCRIPTION)?;
    let version: serde_json::Value =
        serde_json::from_slice(&bytes).map_err(|error| damaged(DESCRIPTION, error.to_string()))?;
    let found = version.get("version").and_then(serde_json::Value::as_u64).unwrap_or(0);
    if found != u64::from(VERSION) {
        return Err(StoreError::OtherVersion {
            path: folder.join(DESCRIPTION),
            found: u32::try_from(found).unwrap_or(u32::MAX),
        });
    }
    let description: Description =
        serde_json::from_slice(&bytes).map_err(|error| damaged(DESCRIPTION, error.to_string()))?;
    let checked = |name: &str| {
        let bytes = read(name)?;
        if checksums == Checksums::Verify && description.hashes.get(name) != Some(&hash(&bytes)) {
            return Err(damaged(name, format!("its hash is not the one in {DESCRIPTION}")));
        }
        Ok(bytes)
    };
    let config =
        String::from_utf8(checked(CONFIG)?.into_owned()).map_err(|error| damaged(CONFIG, error.to_string()))?;
    let config: Config = toml::from_str(&config).map_err(|error| damaged(CONFIG, error.to_string()))?;
    config.check().map_err(|cause| damaged(CONFIG, cause))?;
    let (names, numbers) = (checked(VOCABULARY)?, checked(WEIGHTS)?);
    // Each takes about as long as the other, and a scan of a small repository waits for both.
    let (vocabulary, all) = thread::scope(|scope| {
        let all = scope.spawn(|| match numbers {
            Cow::Borrowed(numbers) => Weights::from_program(numbers, is_table_of_names),
            Cow::Owned(numbers) => Weights::from_bytes(&numbers),
        });
        let vocabulary: Result<Vocabulary, _> = serde_json::from_slice(&names);
        (vocabulary, all.join().expect("reading numbers does not panic"))
    });
    let vocabulary = vocabulary.map_err(|error| damaged(VOCABULARY, error.to_string()))?;
    let all = all.map_err(|cause| damaged(WEIGHTS, cause))?;
    let mut members = vec![Weights::default(); description.members];
    for (name, array) in all.arrays {
        let place = name
            .split_once('.')
            .and_then(|(at, own)| Some((at.parse::<usize>().ok()?, own.to_owned())));
        match place.and_then(|(at, own)| Some((members.get_mut(at)?, own))) {
            Some((member, own)) => drop(member.arrays.insert(own, array)),
            None => return Err(damaged(WEIGHTS, format!("`{name}` belongs to no member"))),
        }
    }
    if checksums == Checksums::Verify {
        let device = burn::tensor::Device::flex();
        for weights in &members {
            let mut source = Shapes(weights);
            Network::new(&config, &vocabulary, &mut source, &device).map_err(|cause| damaged(WEIGHTS, cause))?;
            Linear::check(&config, &vocabulary, weights).map_err(|cause| damaged(WEIGHTS, cause))?;
        }
    }
    let model = TrainedModel {
        config,
        vocabulary,
        members,
        calibration: description.calibration,
        curve: description.curve,
        threshold: description.threshold,
        track_record: description.track_record,
    };
    Ok((model, description.origin))
}

/// Whether an array of a member has a row for every name, most of which a scan does not read.
fn is_table_of_names(array: &str) -> bool {
    let name = array.split_once('.').map_or(array, |(_, name)| name);
    matches!(name, "words" | "context" | "calls" | "causes" | "paths.tokens")
}

/// Writes a file whole or not at all.
///
/// # Errors
///
/// When it cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".unfinished");
    let unfinished = PathBuf::from(unfinished);
    let write = fs::write(&unfinished, bytes).and_then(|()| fs::rename(&unfinished, path));
    if write.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    write.map_err(|source| StoreError::Io {
        action: "write",
        path: path.to_owned(),
        source,
    })
}

fn hash(bytes: &[u8]) -> String {
    format!("{:016x}", stored_hash(bytes))
}

/// How far the model's word could be taken, in words.
fn record(model: &TrainedModel) -> String {
    match model.track_record.tests_from(model.reporting_threshold()) {
        (0, _) => "no held-out test was judged so".to_owned(),
        (tests, flaky) => format!("of {tests} held-out tests that were judged so {flaky} are flaky"),
    }
}

fn card(model: &TrainedModel, origin: &Origin) -> String {
    let parameters: usize = model
        .members
        .iter()
        .flat_map(|it| it.arrays.values())
        .map(|it| it.values.len())
        .sum();
    format!(
        "# Model card: {name}\n\n\
         Judges how likely a Java test is flaky, from its contextual paths, the words in and around it and the \
         library calls it can reach, and what the catalogue of nondeterminism finds in it. Made by `peeler train`; read by `peeler`.\n\n\
         - Networks averaged: {members}, {regression}; parameters: {parameters}\n\
         - Learned from {tests} tests ({flaky} flaky) of {projects} projects, corpus `{corpus}`\n\
         - Seed {seed}, computed with {backend}\n\
         - Average precision on held-out {held_out}: {validation:.3} (of the networks that chose when to stop)\n\
         - Best F1 at {threshold:.3}, temperature {temperature:.3}, shift {shift:.3}, all from held-out {held_out}\n\
         - Reported from {reported:.3} on; {record}\n\n\
         Labels are noisy: a test that nobody reported may still be flaky. Probabilities are calibrated on the \
         held-out part of the corpus{curve}, where the share of flaky tests may differ from your project's: trust the \
         order within a project more than the number.\n\n\
         ## Projects\n\n{list}\n",
        name = model.config.name,
        members = model.members.len(),
        regression = if model.config.regression > 0.0 {
            "each with a regression"
        } else {
            "without regression"
        },
        tests = origin.tests,
        flaky = origin.flaky,
        projects = origin.projects.len(),
        corpus = origin.corpus,
        seed = origin.seed,
        backend = origin.backend,
        held_out = origin.held_out,
        validation = origin.validation,
        threshold = model.threshold,
        reported = model.reporting_threshold(),
        record = record(model),
        temperature = model.calibration.temperature,
        shift = model.calibration.shift,
        curve = if model.curve == Curve::default() {
            ""
        } else {
            ", by the share of flaky tests among those of about the same score"
        },
        list = origin.projects.join(", "),
    )
}
