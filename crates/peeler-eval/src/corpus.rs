//! A corpus: labelled tests with everything that models may see of them, in one file.
//!
//! The file is the eight bytes `PEELCORP`, the version as four bytes (little endian), then a [`Corpus`] as
//! [postcard](https://docs.rs/postcard) writes it, compressed with zstd. Texts are stored once, in a table that records
//! refer to by index. A file of another version is refused.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::decompression::decompressed;
use crate::record_check::TableSizes;
pub use crate::records::{
    CauseRecord, CodeRecord, EdgeRecord, FeatureRecord, GraphRecord, MethodRecord, NodeRecord, TestRecord,
};
use crate::records::{Tables, renumbered};
use peeler_features::texts::TextSet;
use peeler_features::{TestFeatures, TextId, content_hash, narrow};
use peeler_learning::atomic_file::{self, Durability, WriteError};
use peeler_learning::predictor::TrainingTest;

const MAGIC: &[u8; 8] = b"PEELCORP";
/// The version of the corpus file format that this program reads and writes.
pub const VERSION: u32 = 7;
const COMPRESSION_LEVEL: i32 = 3;

/// The reason why a corpus file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// The corpus file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The operating system refused to read the corpus file.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// The verb for the action that failed, in the error message: `read`.
        action: &'static str,
        /// The corpus file that could not be read.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The file does not start like a corpus file.
    #[error("{} is not a corpus; make one with `peeler corpus build`", .0.display())]
    NotACorpus(PathBuf),
    /// The corpus file is of another format version.
    #[error("{} is a corpus of version {found}, this program reads version {VERSION}; build it again", path.display())]
    OtherVersion {
        /// The corpus file of another version.
        path: PathBuf,
        /// The format version of the corpus file.
        found: u32,
    },
    /// The corpus file is truncated or has wrong bytes.
    #[error("{} is damaged ({cause}); build it again", path.display())]
    Damaged {
        /// The damaged corpus file.
        path: PathBuf,
        /// The error of the decoder, or of the check that everything that records refer to exists.
        cause: String,
    },
}

/// Labelled tests of projects, with all texts and methods that the tests refer to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Corpus {
    /// Names of the projects whose tests the corpus holds.
    pub projects: Vec<String>,
    /// All distinct texts of the corpus. Tests and methods refer to them by index.
    pub strings: Vec<String>,
    /// The repositories' own methods that tests refer to, each once.
    pub methods: Vec<MethodRecord>,
    /// The labelled tests, in the order in which they were added.
    pub tests: Vec<TestRecord>,
}

impl Corpus {
    /// Reads a corpus file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is no corpus, is of another version or is damaged.
    pub fn load(path: &Path) -> Result<Self, CorpusError> {
        let bytes = fs::read(path).map_err(|source| CorpusError::Io {
            action: "read",
            path: path.to_owned(),
            source,
        })?;
        Self::from_bytes(path, &bytes)
    }

    /// Reads a corpus from the bytes of its file. Errors name `path`.
    ///
    /// # Errors
    ///
    /// When the bytes are no corpus, are of another version or are damaged.
    pub fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Self, CorpusError> {
        let damaged = |cause: String| CorpusError::Damaged {
            path: path.to_owned(),
            cause,
        };
        let Some((head, packed)) = bytes.split_first_chunk::<12>().filter(|(it, _)| it.starts_with(MAGIC)) else {
            return Err(CorpusError::NotACorpus(path.to_owned()));
        };
        let found = u32::from_le_bytes([head[8], head[9], head[10], head[11]]);
        if found != VERSION {
            return Err(CorpusError::OtherVersion {
                path: path.to_owned(),
                found,
            });
        }
        let bytes = decompressed(packed).map_err(|error| damaged(error.to_string()))?;
        let corpus: Self = postcard::from_bytes(&bytes).map_err(|error| damaged(error.to_string()))?;
        corpus.check().map_err(damaged)?;
        Ok(corpus)
    }

    /// Checks that everything that records refer to exists, and that no text is listed twice.
    fn check(&self) -> Result<(), String> {
        let mut distinct = TextSet::default();
        for (at, text) in self.strings.iter().enumerate() {
            if distinct.number(text) as usize != at {
                return Err(format!("text {at} is listed twice"));
            }
        }
        let sizes = TableSizes {
            projects: self.projects.len(),
            strings: self.strings.len(),
            methods: self.methods.len(),
        };
        self.methods.iter().try_for_each(|it| sizes.check_method(it))?;
        self.tests.iter().try_for_each(|it| sizes.check_test(it))
    }

    /// Reads corpus files and merges them.
    ///
    /// # Errors
    ///
    /// As [`Corpus::load`], for the first file that cannot be read.
    pub fn load_all(paths: &[PathBuf]) -> Result<Self, CorpusError> {
        let mut merged = Self::default();
        for (at, path) in paths.iter().enumerate() {
            let corpus = Self::load(path)?;
            if at == 0 {
                merged = corpus;
            } else {
                merged.merge(&corpus);
            }
        }
        Ok(merged)
    }

    /// Writes a corpus file atomically.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    ///
    /// # Panics
    ///
    /// Never: everything in a corpus can be written.
    pub fn save(&self, path: &Path) -> Result<(), CorpusError> {
        let bytes = postcard::to_stdvec(self).expect("a corpus holds plain data");
        let packed = zstd::encode_all(bytes.as_slice(), COMPRESSION_LEVEL).expect("memory can be written");
        let content: [&[u8]; 3] = [MAGIC, &VERSION.to_le_bytes(), &packed];
        Ok(atomic_file::replace(path, &content, Durability::Synced)?)
    }

    /// The features of a test of this corpus.
    #[must_use]
    pub fn features<'c>(&'c self, test: &'c TestRecord) -> TestFeatures<'c> {
        self.tables().features(&test.features)
    }

    /// The features of all tests of the corpus.
    #[must_use]
    pub fn all_features(&self) -> Vec<TestFeatures<'_>> {
        self.tests.iter().map(|it| self.features(it)).collect()
    }

    /// A test of this corpus with its label, to learn from.
    #[must_use]
    pub fn training_test<'c>(&'c self, test: &'c TestRecord) -> TrainingTest<'c> {
        TrainingTest {
            features: self.features(test),
            label: test.label(),
            project: test.project,
            family: test.family,
            fix: None,
        }
    }

    fn tables(&self) -> Tables<'_> {
        Tables {
            strings: &self.strings,
            methods: &self.methods,
        }
    }

    /// A hash of everything in the corpus, as 16 hexadecimal digits.
    ///
    /// # Panics
    ///
    /// Never: everything in a corpus can be written.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let bytes = postcard::to_stdvec(self).expect("a corpus holds plain data");
        format!("{:016x}", content_hash(&bytes))
    }

    /// Appends another corpus. Projects of the same name become one.
    pub fn merge(&mut self, other: &Self) {
        let mut strings = TextSet::default();
        for known in &self.strings {
            strings.number(known);
        }
        let texts: Vec<TextId> = other.strings.iter().map(|it| strings.number(it)).collect();
        let text = |id: TextId| texts[id as usize];
        let projects: Vec<u32> = other
            .projects
            .iter()
            .map(|name| {
                let known = self.projects.iter().position(|it| it == name);
                let place = known.unwrap_or_else(|| {
                    self.projects.push(name.clone());
                    self.projects.len() - 1
                });
                narrow(place)
            })
            .collect();
        let first_method = narrow(self.methods.len());
        let first = |of: fn(&TestRecord) -> u32| self.tests.iter().map(|it| of(it) + 1).max().unwrap_or(0);
        let (first_group, first_family) = (first(|it| it.group), first(|it| it.family));
        for method in &other.methods {
            self.methods.push(MethodRecord {
                project: projects[method.project as usize],
                words: method.words.iter().map(|it| text(*it)).collect(),
                contexts: method.contexts.iter().map(|it| it.map(text)).collect(),
                signature: method.signature.clone(),
            });
        }
        for test in &other.tests {
            let mut test = test.clone();
            test.project = projects[test.project as usize];
            test.group += first_group;
            test.family += first_family;
            test.features = renumbered(test.features, text, |it| it + first_method);
            self.tests.push(test);
        }
        self.strings = strings.iter().map(str::to_owned).collect();
    }
}
