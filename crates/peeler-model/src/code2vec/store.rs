//! The files of a pretrained network in its folder.
//!
//! | file | content |
//! |---|---|
//! | `code2vec.json` | sizes, settings, counts of the data, results, checksums of the next three files |
//! | `code2vec.safetensors` | vectors of sub-tokens and paths, and weights of the encoder, in half precision |
//! | `words.txt` | sub-tokens, one a line; line `i` belongs to row `i` of `words` |
//! | `paths.txt` | paths, one a line; line `i` belongs to row `i` of `paths` |
//! | `README.md` | the card |
//!
//! Every file is replaced atomically, `code2vec.json` last. Its checksums show when files are truncated or mixed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use peeler_features::content_hash;
use peeler_features::texts::Texts;
use peeler_learning::atomic_file::{self, Durability, WriteError};
use rustc_hash::FxHashMap;

use super::card::card;
use super::description::{Description, VERSION};
use super::neighbours::{SHOWN, neighbours};
use super::report::{NameEpoch, PretrainingData};
use super::settings::PretrainingSettings;
use super::vocabulary::NameVocabulary;
use crate::pretrained::Pretrained;
use crate::weights::{Precision, Weights, WeightsError};

const DESCRIPTION: &str = "code2vec.json";
const WEIGHTS: &str = "code2vec.safetensors";
const WORDS: &str = "words.txt";
const PATHS: &str = "paths.txt";
const CARD: &str = "README.md";
/// The number of neighbours of a word that the card shows.
const SHOWN_NEIGHBOURS: usize = 8;

/// The reason why a pretrained network cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum Code2vecError {
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The folder cannot be created.
    #[error("cannot create {}: {source}; choose another folder", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {source}; make a folder of vectors with `peeler pretrain`", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A file is truncated, changed, or from another run.
    #[error("{} is damaged ({cause}); copy the folder again or make it anew with `peeler pretrain`", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        cause: String,
    },
}

/// A pretrained network: vectors of sub-tokens and paths, and the weights of the encoder of bodies.
#[derive(Debug, Clone, PartialEq)]
pub struct Code2vec {
    vocabulary: NameVocabulary,
    weights: Weights,
    width: usize,
    word_rows: FxHashMap<String, usize>,
}

impl Code2vec {
    /// A network with these tables. The caller has checked that the weights have the sizes of the vocabulary.
    pub(super) fn new(vocabulary: NameVocabulary, weights: Weights, width: usize) -> Self {
        let word_rows = vocabulary.words.iter().enumerate();
        Self {
            word_rows: word_rows.map(|(row, word)| (word.to_owned(), row)).collect(),
            vocabulary,
            weights,
            width,
        }
    }

    /// The width of the vectors of sub-tokens.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// The sub-tokens with vectors. The first one stands for all others.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.vocabulary.words.iter()
    }

    /// The paths with vectors, each as `a^b_c` for up from `a` to `b` and down to `c`. The first one stands for all
    /// others.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.vocabulary.paths.iter()
    }

    /// The vector of a sub-token; `None` if it has none of its own.
    #[must_use]
    pub fn vector(&self, word: &str) -> Option<Vec<f32>> {
        let row = *self.word_rows.get(word)?;
        let table = self.weights.arrays.get("words")?;
        Some(table.values.widened()[row * self.width..][..self.width].to_vec())
    }

    /// The `count` sub-tokens whose vectors are nearest to that of a sub-token, with their cosines, nearest first.
    #[must_use]
    pub fn neighbours(&self, word: &str, count: usize) -> Vec<(&str, f32)> {
        let found = self.word_rows.get(word).zip(self.weights.arrays.get("words"));
        found.map_or_else(Vec::new, |(row, table)| {
            neighbours(&self.vocabulary.words, &table.values.widened(), self.width, *row, count)
        })
    }

    /// The initial parameters that these vectors and the encoder of bodies give to a network over tests.
    ///
    /// Vectors of paths are not among them: that network numbers its paths otherwise.
    #[must_use]
    pub fn initial_parameters(&self) -> Pretrained {
        let words = self.vocabulary.words.iter().skip(1);
        let vectors = words.filter_map(|it| Some((it.to_owned(), self.vector(it)?)));
        let names = [
            ("from", "paths.code.from"),
            ("path", "paths.code.way"),
            ("to", "paths.code.to"),
            ("attention", "paths.code.attention"),
        ];
        let arrays = names
            .into_iter()
            .filter_map(|(own, name)| Some((name.to_owned(), self.weights.arrays.get(own)?.clone())));
        let encoder = Weights {
            arrays: arrays.collect(),
        };
        let fingerprint = content_hash(&self.weights.to_bytes(Precision::Half));
        Pretrained::new(self.width, vectors.collect(), encoder, fingerprint)
    }

    /// Writes the network into a folder, which is created if it is missing. Returns the size of all files in bytes.
    ///
    /// # Errors
    ///
    /// When a file cannot be written.
    ///
    /// # Panics
    ///
    /// Never: everything in a description can be written.
    pub fn save(
        &self,
        folder: &Path,
        settings: &PretrainingSettings,
        data: &PretrainingData,
        epochs: &[NameEpoch],
    ) -> Result<usize, Code2vecError> {
        fs::create_dir_all(folder).map_err(|source| Code2vecError::Folder {
            path: folder.to_owned(),
            source,
        })?;
        let files = [
            (WEIGHTS, self.weights.to_bytes(Precision::Half)),
            (WORDS, lines(&self.vocabulary.words)),
            (PATHS, lines(&self.vocabulary.paths)),
        ];
        let hashes = files.iter().map(|(name, bytes)| ((*name).to_owned(), hash(bytes)));
        let description = Description {
            version: VERSION,
            words: self.vocabulary.words.len(),
            targets: self.vocabulary.targets,
            paths: self.vocabulary.paths.len(),
            code_width: settings.code_width(),
            settings: settings.clone(),
            data: *data,
            epochs: epochs.to_vec(),
            hashes: hashes.collect(),
        };
        let json = serde_json::to_vec_pretty(&description).expect("a description is plain data");
        let near = SHOWN.map(|word| (word, self.neighbours(word, SHOWN_NEIGHBOURS)));
        let card = card(&description, &near);
        let last = [(CARD, card.into_bytes()), (DESCRIPTION, json)];
        let mut size = 0;
        for (name, bytes) in files.iter().chain(&last) {
            atomic_file::replace(&folder.join(name), &[bytes], Durability::Synced)?;
            size += bytes.len();
        }
        Ok(size)
    }

    /// Reads a network from its folder, with its description.
    ///
    /// # Errors
    ///
    /// When a file is missing or damaged.
    pub fn load(folder: &Path) -> Result<(Self, Description), Code2vecError> {
        let read = |name: &str| {
            let path = folder.join(name);
            fs::read(&path).map_err(|source| Code2vecError::Unreadable { path, source })
        };
        let damaged = |name: &str, cause: String| Code2vecError::Damaged {
            path: folder.join(name),
            cause,
        };
        let description: Description =
            serde_json::from_slice(&read(DESCRIPTION)?).map_err(|error| damaged(DESCRIPTION, error.to_string()))?;
        if description.version != VERSION {
            let cause = format!("it has version {}, not {VERSION}", description.version);
            return Err(damaged(DESCRIPTION, cause));
        }
        let checked = |name: &str| {
            let bytes = read(name)?;
            if description.hashes.get(name) != Some(&hash(&bytes)) {
                return Err(damaged(name, format!("its checksum is not the one in {DESCRIPTION}")));
            }
            Ok(bytes)
        };
        let texts = |name: &str, count: usize| {
            let text = String::from_utf8(checked(name)?).map_err(|error| damaged(name, error.to_string()))?;
            let mut texts = Texts::default();
            text.lines().for_each(|it| texts.push(it));
            if texts.len() != count {
                return Err(damaged(name, format!("it has {} lines, not {count}", texts.len())));
            }
            Ok(texts)
        };
        let vocabulary = NameVocabulary {
            words: texts(WORDS, description.words)?,
            paths: texts(PATHS, description.paths)?,
            targets: description.targets,
        };
        let wrong = |error: WeightsError| damaged(WEIGHTS, error.to_string());
        let weights = Weights::from_bytes(&checked(WEIGHTS)?).map_err(wrong)?;
        let (width, code) = (description.settings.width, description.code_width);
        let expected: [(&str, &[usize]); 8] = [
            ("words", &[description.words, width]),
            ("paths", &[description.paths, width]),
            ("from", &[width, code]),
            ("path", &[width, code]),
            ("to", &[width, code]),
            ("attention", &[code, 1]),
            ("name", &[code, width]),
            ("bias", &[description.targets]),
        ];
        for (name, shape) in expected {
            weights.array(name, shape).map_err(wrong)?;
        }
        Ok((Self::new(vocabulary, weights, width), description))
    }
}

fn lines(texts: &Texts) -> Vec<u8> {
    let mut lines = String::new();
    for text in texts.iter() {
        lines.push_str(text);
        lines.push('\n');
    }
    lines.into_bytes()
}

/// The XXH3 checksum of a file as 16 hexadecimal digits.
fn hash(bytes: &[u8]) -> String {
    format!("{:016x}", content_hash(bytes))
}
