//! The record of one repository of a fleet: a line of the output.
//!
//! `docs/fleets.md` describes the fields. Invariant: all fields except `run` follow from the entry, the files that it
//! names, the options, the model and the version of the program.

use serde::{Deserialize, Serialize};

use super::list::Entry;
use crate::finding::{Finding, Problem, TestScore, Tool};

/// The version of the format of records. It grows when readers of an older version would misread something.
pub(crate) const VERSION: u32 = 1;

/// The result of scanning one repository of a fleet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Record {
    /// What the line is: always `repository`.
    #[serde(rename = "type")]
    pub(crate) kind: RecordKind,
    /// The version of the format of records.
    pub(crate) version: u32,
    /// The name of the repository.
    pub(crate) name: String,
    /// The path of the repository's folder or git clone, as written in the list of repositories.
    pub(crate) path: String,
    /// The git revision, as written in the list of repositories; `None` if the list names none.
    pub(crate) revision: Option<String>,
    /// The id of the commit that was read; `None` if the files of a folder were read, or after an error.
    pub(crate) commit: Option<String>,
    /// How the scan of the repository ended.
    pub(crate) status: Status,
    /// What went wrong, with a remedy; `None` if the scan ended without an error.
    pub(crate) error: Option<String>,
    /// The name and version of the program that made the record.
    pub(crate) tool: Tool,
    /// The model that scored the tests.
    pub(crate) model: RecordModel,
    /// A hash of the options that can change findings.
    pub(crate) options: String,
    /// The numbers of files, tests and findings of the scan; zero unless the repository was scanned.
    pub(crate) counts: Counts,
    /// The findings, as a plain scan of the same files lists them.
    pub(crate) findings: Vec<Finding>,
    /// Every scored test with its probability; `None` without `--all`, or if the repository was not scanned.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) tests: Option<Vec<TestScore>>,
    /// Files that could not be read, or not completely.
    pub(crate) problems: Vec<Problem>,
    /// The time and memory of the scan, which differ from run to run.
    pub(crate) run: Run,
}

/// The value of `type` in a line of a fleet's output, which tells programs what the line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RecordKind {
    Repository,
}

/// How the scan of a repository ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Status {
    /// The repository was scanned.
    Scanned,
    /// The repository holds no Java file.
    NoJava,
    /// The repository cannot be read.
    Failed,
    /// The scan panicked, or its process died.
    Crashed,
    /// The scan took longer than the time limit.
    OverTime,
    /// The scan needed more memory than the memory limit.
    OverMemory,
}

impl Status {
    /// Whether the repository has no results because of an error.
    pub(crate) fn is_error(self) -> bool {
        !matches!(self, Self::Scanned | Self::NoJava)
    }

    /// The status as text, as records contain it: `no-java`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Scanned => "scanned",
            Self::NoJava => "no-java",
            Self::Failed => "failed",
            Self::Crashed => "crashed",
            Self::OverTime => "over-time",
            Self::OverMemory => "over-memory",
        }
    }
}

/// The model that scored the tests of a repository.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RecordModel {
    /// The name of the model.
    pub(crate) name: String,
    /// A hash of the model's files.
    pub(crate) identity: String,
    /// The probability from which tests are findings; `None` unless the repository was scanned.
    pub(crate) threshold: Option<f32>,
}

/// The numbers of files, tests and findings of a repository.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Counts {
    /// The number of Java files that were read.
    pub(crate) files: u64,
    /// The size in bytes of the Java files that were read.
    pub(crate) bytes: u64,
    /// The number of test cases with a score.
    pub(crate) tests: u64,
    /// The number of findings that the scan lists.
    pub(crate) findings: u64,
    /// The number of findings that comments or annotations in the code suppress.
    pub(crate) suppressed: u64,
    /// The number of Java files whose tests the settings exclude.
    pub(crate) excluded: u64,
    /// The number of test cases that reach more code than a scan follows.
    pub(crate) incomplete: u64,
}

/// The time and memory of a scan, which differ between two runs of the same scan.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Run {
    /// The time in seconds from the first read of the repository to its findings.
    pub(crate) seconds: f64,
    /// The peak of the memory of the process that scanned the repository, in bytes; `None` if it was not measured.
    pub(crate) peak_memory: Option<u64>,
}

/// The version, model and options that all records of one fleet scan have in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Origin {
    /// The version of the program.
    pub(crate) version: String,
    /// The name of the model.
    pub(crate) model: String,
    /// A hash of the model's files.
    pub(crate) identity: String,
    /// A hash of the options that can change findings.
    pub(crate) options: String,
}

impl Origin {
    /// A record of the repository `entry` without commit, counts and findings. It says how the scan ended: `status`,
    /// `error` and `run`.
    pub(crate) fn record(&self, entry: &Entry, status: Status, error: Option<String>, run: Run) -> Record {
        Record {
            kind: RecordKind::Repository,
            version: VERSION,
            name: entry.name.clone(),
            path: entry.path.clone(),
            revision: entry.revision.clone(),
            commit: None,
            status,
            error,
            tool: Tool {
                version: self.version.clone(),
                ..Tool::this()
            },
            model: RecordModel {
                name: self.model.clone(),
                identity: self.identity.clone(),
                threshold: None,
            },
            options: self.options.clone(),
            counts: Counts::default(),
            findings: Vec::new(),
            tests: None,
            problems: Vec::new(),
            run,
        }
    }
}

impl Record {
    /// The record as a line of JSON, with its line break.
    pub(crate) fn line(&self) -> Vec<u8> {
        let mut line = serde_json::to_vec(self).expect("records have no maps and no foreign numbers");
        line.push(b'\n');
        line
    }
}
