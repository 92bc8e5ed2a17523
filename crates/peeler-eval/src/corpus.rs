//! A corpus: labelled tests with everything that predictors read, in one file.
//!
//! The file is the eight bytes `PEELCORP`, the version as four bytes (little endian), then a [`Corpus`] as
//! [postcard](https://docs.rs/postcard) writes it, compressed with zstd. Texts are stored once, in a string
//! table that everything else indexes. A file of another version is refused, never guessed at.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use peeler_features::texts::TextSet;
use peeler_features::{MethodRecord, Sample, Tables, TextId, content_hash, narrow};
use peeler_learning::predictor::Label;

const MAGIC: &[u8; 8] = b"PEELCORP";
/// The version of the format that this program reads and writes.
pub const VERSION: u32 = 4;
const COMPRESSION_LEVEL: i32 = 3;

/// Why a corpus file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
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
    /// The file is something else.
    #[error("{} is not a corpus; make one with `peeler corpus build`", .0.display())]
    NotACorpus(PathBuf),
    /// The file is of another version.
    #[error("{} is a corpus of version {found}, this program reads version {VERSION}; build it again", path.display())]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// The file ends early or has wrong bytes in it.
    #[error("{} is damaged ({cause}); build it again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What the reader said.
        cause: String,
    },
}

/// Labelled tests of some projects.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Corpus {
    /// Names of the projects.
    pub projects: Vec<String>,
    /// Every text that occurs, once.
    pub strings: Vec<String>,
    /// The repositories' own methods that tests refer to, each once.
    pub methods: Vec<MethodRecord>,
    /// The tests, by project and then in the order of the analysis.
    pub tests: Vec<TestRecord>,
}

/// One labelled test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TestRecord {
    /// What predictors may see.
    pub sample: Sample,
    /// Whether it is flaky.
    pub flaky: bool,
    /// The category of a flaky test.
    pub category: Option<String>,
    /// Failed and passed runs, where they were counted.
    pub runs: Option<(u64, u64)>,
    /// Its file in the project.
    pub file: String,
    /// Its line.
    pub line: u32,
    /// Equal for tests with the same bag of paths.
    pub path_bag: u64,
    /// Equal for tests with the same bag of tokens.
    pub token_bag: u64,
}

impl TestRecord {
    /// Its label.
    #[must_use]
    pub fn label(&self) -> Label<'_> {
        Label {
            flaky: self.flaky,
            category: self.category.as_deref(),
        }
    }
}

impl Corpus {
    /// Reads a corpus file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is no corpus, is of another version or is damaged.
    pub fn load(path: &Path) -> Result<Self, CorpusError> {
        let io = |source| CorpusError::Io {
            action: "read",
            path: path.to_owned(),
            source,
        };
        let damaged = |cause: String| CorpusError::Damaged {
            path: path.to_owned(),
            cause,
        };
        let mut file = BufReader::new(File::open(path).map_err(io)?);
        let mut head = [0; 12];
        let read = file.read_exact(&mut head);
        if read.is_err() || !head.starts_with(MAGIC) {
            return Err(CorpusError::NotACorpus(path.to_owned()));
        }
        let found = u32::from_le_bytes([head[8], head[9], head[10], head[11]]);
        if found != VERSION {
            return Err(CorpusError::OtherVersion {
                path: path.to_owned(),
                found,
            });
        }
        let bytes = zstd::decode_all(file).map_err(|error| damaged(error.to_string()))?;
        postcard::from_bytes(&bytes).map_err(|error| damaged(error.to_string()))
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

    /// Writes a corpus file, whole or not at all.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    ///
    /// # Panics
    ///
    /// Never: everything in a corpus can be written.
    pub fn save(&self, path: &Path) -> Result<(), CorpusError> {
        let io = |source| CorpusError::Io {
            action: "write",
            path: path.to_owned(),
            source,
        };
        let bytes = postcard::to_stdvec(self).expect("a corpus holds plain data");
        let unfinished = path.with_extension("unfinished");
        let mut file = BufWriter::new(File::create(&unfinished).map_err(io)?);
        file.write_all(MAGIC).map_err(io)?;
        file.write_all(&VERSION.to_le_bytes()).map_err(io)?;
        zstd::stream::copy_encode(bytes.as_slice(), &mut file, COMPRESSION_LEVEL).map_err(io)?;
        file.flush().map_err(io)?;
        drop(file);
        std::fs::rename(&unfinished, path).map_err(io)
    }

    /// What the samples' indices refer to.
    #[must_use]
    pub fn tables(&self) -> Tables<'_> {
        Tables {
            strings: &self.strings,
            methods: &self.methods,
        }
    }

    /// A number that changes with anything in the corpus.
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
        let first = |of: fn(&Sample) -> u32| self.tests.iter().map(|it| of(&it.sample) + 1).max().unwrap_or(0);
        let (first_group, first_family) = (first(|it| it.group), first(|it| it.family));
        let rename = |ids: &mut Vec<TextId>| ids.iter_mut().for_each(|id| *id = text(*id));
        for method in &other.methods {
            let mut method = method.clone();
            method.project = projects[method.project as usize];
            rename(&mut method.words);
            for context in &mut method.contexts {
                *context = context.map(text);
            }
            self.methods.push(method);
        }
        for test in &other.tests {
            let mut test = test.clone();
            let sample = &mut test.sample;
            sample.project = projects[sample.project as usize];
            sample.group += first_group;
            sample.family += first_family;
            rename(&mut sample.tokens);
            rename(&mut sample.words);
            rename(&mut sample.context_words);
            rename(&mut sample.causes);
            for call in &mut sample.reach.calls {
                call.call = text(call.call);
            }
            for node in &mut sample.graph.nodes {
                node.text = text(node.text);
            }
            for edge in &mut sample.graph.edges {
                edge.operation = text(edge.operation);
                edge.methods.iter_mut().for_each(|method| *method += first_method);
            }
            self.tests.push(test);
        }
        self.strings = strings.iter().map(str::to_owned).collect();
    }
}
