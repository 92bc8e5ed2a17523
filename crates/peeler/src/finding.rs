//! What a scan says. Every report is made from these types, and `scan.json` is their plain form, so a report can
//! be made from a scan of yesterday.
//!
//! Lines and columns count from one; columns count characters. Files have `/` between folders. They are relative to the
//! root that was scanned; where several were, they begin with their root, so that they are found from the folder in which
//! the scan was started.

use peeler_features::TestName;
use peeler_learning::track_record::TrackRecord;
use serde::{Deserialize, Serialize};

/// Version of the schema; it grows when a reader of an older version would misread something.
pub(crate) const SCHEMA: u32 = 1;

/// The result of a scan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Scan {
    /// The version of this schema.
    pub(crate) version: u32,
    /// What made it.
    pub(crate) tool: Tool,
    /// What judged.
    pub(crate) model: ModelSummary,
    /// What was scanned, as it was given.
    pub(crate) roots: Vec<String>,
    /// Counts.
    pub(crate) summary: Summary,
    /// Tests that runs proved flaky, then those at or above the threshold; the most probable first.
    pub(crate) findings: Vec<Finding>,
    /// Findings that the baseline knows, which are not listed; the most probable first.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) known: Vec<KnownFinding>,
    /// Where nothing reaches the threshold: the likeliest tests below it, for people. Not part of the schema, since nothing may
    /// act on them.
    #[serde(skip)]
    pub(crate) likeliest: Vec<Finding>,
    /// Every test with its probability, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) tests: Option<Vec<TestScore>>,
    /// What could not be read, and what was left out.
    pub(crate) problems: Vec<Problem>,
}

/// The program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tool {
    pub(crate) name: String,
    pub(crate) version: String,
}

impl Tool {
    /// This build of the program.
    pub(crate) fn this() -> Self {
        Self {
            name: env!("CARGO_PKG_NAME").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

/// The model and where it draws the line; the lowest of these lines where roots have their own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ModelSummary {
    pub(crate) name: String,
    /// Tests from this probability on are findings.
    pub(crate) threshold: f32,
    /// What it said of tests that were held out from it, where the model keeps that and every test is listed: who reruns
    /// what it is not sure of needs both.
    #[serde(skip_serializing_if = "TrackRecord::is_empty", default)]
    pub(crate) track_record: TrackRecord,
}

/// Counts of a scan.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Summary {
    /// Java files.
    pub(crate) files: usize,
    /// Test cases that were looked at.
    pub(crate) tests: usize,
    /// Findings that are listed.
    pub(crate) findings: usize,
    /// Findings that the code asks to be silent about.
    pub(crate) suppressed: usize,
    /// Findings that the baseline knows.
    pub(crate) known: usize,
    /// Entries of the baseline that met no finding; none where only some tests were looked at.
    #[serde(default)]
    pub(crate) stale: usize,
    /// Java files whose tests were not looked at because the settings leave them out.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub(crate) excluded: usize,
    /// Which files were asked about, where only the tests of some were looked at.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) given: Option<NamedFiles>,
    /// What the tests were compared with, where only changed ones were looked at.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) since: Option<Comparison>,
    /// Test cases about which nothing changed since an earlier scan, so that its judgement was taken over.
    #[serde(default)]
    pub(crate) reused: usize,
    /// How long it took, from the start of the command on.
    pub(crate) milliseconds: u64,
}

impl Summary {
    /// Whether only some tests were looked at.
    pub(crate) fn is_partial(&self) -> bool {
        self.since.is_some() || self.given.is_some()
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A finding as a baseline keeps it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct KnownFinding {
    pub(crate) test: TestName,
    pub(crate) file: String,
    /// The kind of its root cause; none where no cause is known.
    pub(crate) cause: Option<String>,
    /// What it is recognised by.
    pub(crate) fingerprint: String,
}

impl KnownFinding {
    /// What a baseline keeps of a finding.
    pub(crate) fn of(finding: &Finding) -> Self {
        Self {
            test: finding.test.clone(),
            file: finding.file.clone(),
            cause: finding.root_cause.as_ref().map(|it| it.kind.clone()),
            fingerprint: finding.fingerprint.clone(),
        }
    }
}

/// A revision that tests were compared with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Comparison {
    /// As it was given.
    pub(crate) revision: String,
    /// Test cases that were not looked at.
    pub(crate) unchanged: usize,
}

/// Files that were named as those to look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NamedFiles {
    /// Java files of the repository among those that were named.
    pub(crate) files: usize,
    /// Test cases of other files, which were not looked at.
    pub(crate) others: usize,
}

/// A test with its probability.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct TestScore {
    pub(crate) test: TestName,
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) probability: f32,
}

/// A test that is probably flaky, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Finding {
    pub(crate) test: TestName,
    pub(crate) file: String,
    /// The line of the method's name.
    pub(crate) line: u32,
    /// The line of its closing brace.
    pub(crate) end_line: u32,
    /// The probability of being flaky.
    pub(crate) probability: f32,
    /// What can come out differently; none where the catalogue knows nothing on the strongest paths.
    pub(crate) root_cause: Option<RootCause>,
    /// One line in plain words.
    pub(crate) reason: String,
    /// Stays the same when lines move, as long as the test and its reason stay.
    pub(crate) fingerprint: String,
    /// The strongest contextual path, from its source to the assertion; the first where the model weighs no paths.
    pub(crate) witness: Vec<WitnessStep>,
    /// The strongest contextual paths, by attention; the first ones where the model weighs no paths.
    pub(crate) paths: Vec<Path>,
    /// The dependency graph of the test.
    pub(crate) graph: Graph,
    /// The source of the test.
    pub(crate) source: Excerpt,
    /// Other findings of the same class or with the same cause.
    pub(crate) neighbours: Vec<Neighbour>,
    /// What running it showed, where it was run.
    #[serde(default)]
    pub(crate) proof: Option<Proof>,
}

impl Finding {
    /// Whether runs proved it flaky.
    pub(crate) fn is_proven(&self) -> bool {
        self.proof.as_ref().is_some_and(Proof::is_proof)
    }

    /// Whether only its proof makes it a finding.
    pub(crate) fn is_unsuspected(&self, threshold: f32) -> bool {
        self.is_proven() && self.probability < threshold
    }
}

/// A source of nondeterminism.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RootCause {
    /// A stable identifier: `unordered-collection`, `clock`, ...
    pub(crate) kind: String,
    /// The kind in a few words.
    pub(crate) title: String,
    /// What happens, in words that follow "the test".
    pub(crate) what: String,
    pub(crate) file: String,
    pub(crate) line: u32,
    /// The source that says so.
    pub(crate) text: String,
    /// The methods called on the way, each as `Type#method`.
    pub(crate) via: Vec<String>,
    /// The direction of a fix.
    pub(crate) advice: String,
}

/// A step of a witness.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WitnessStep {
    pub(crate) role: Role,
    #[serde(flatten)]
    pub(crate) region: Region,
    /// The source there, on one line.
    pub(crate) text: String,
}

/// What a step of a witness is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Role {
    /// Where the data comes from.
    Source,
    /// Where it passes.
    Step,
    /// Where it passes through the repository's own code.
    CodeUnderTest,
    /// Where it is looked at.
    Assertion,
}

/// A piece of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Region {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) end_line: u32,
    /// The column behind the last character.
    pub(crate) end_column: u32,
}

/// A contextual path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Path {
    /// The share of the network's attention that it got; none where the model weighs no paths.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) attention: Option<f32>,
    /// Its nodes, as places in the graph.
    pub(crate) nodes: Vec<usize>,
    /// Its edges, as places in the graph.
    pub(crate) edges: Vec<usize>,
}

/// A dependency graph.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge>,
}

/// A node of a dependency graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Node {
    pub(crate) text: String,
    /// `variable`, `literal` or `call`.
    pub(crate) kind: String,
    pub(crate) line: u32,
    /// Where it is not the test's.
    pub(crate) file: Option<String>,
    /// Data begins here.
    pub(crate) start: bool,
    /// It appears in an assertion.
    pub(crate) assert: bool,
}

/// An edge of a dependency graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Edge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) operation: String,
    pub(crate) kind: String,
    pub(crate) line: u32,
    /// The repository's own method behind it.
    pub(crate) cut: Option<String>,
}

/// Lines of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Excerpt {
    pub(crate) file: String,
    pub(crate) first_line: u32,
    pub(crate) lines: Vec<String>,
}

/// Another finding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Neighbour {
    pub(crate) test: TestName,
    /// Where several roots were scanned, which may hold tests of one name.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) file: Option<String>,
    pub(crate) probability: f32,
}

/// What running a test showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Proof {
    pub(crate) showed: RerunStatus,
    pub(crate) runs: u32,
    pub(crate) failures: u32,
    /// On what the outcome of a flaky test depends, or where it was seen, as a clause.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) how: Option<String>,
    /// What the first failure said, in one line.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) failure: Option<String>,
    /// How to see it again; empty where no command does.
    pub(crate) command: String,
}

impl Proof {
    /// Whether both outcomes were seen. A test that only INTERSECT calls flaky was never seen to pass.
    pub(crate) fn is_proof(&self) -> bool {
        self.showed == RerunStatus::Flaky && self.failures < self.runs
    }
}

/// What runs showed, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RerunStatus {
    /// It passes and fails on the same code.
    Flaky,
    /// It failed in every run: no proof that it is flaky.
    OnlyFailures,
    /// It passed in every run: no proof that it is not.
    NoFailure,
}

/// What could not be read, or was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Problem {
    pub(crate) file: String,
    pub(crate) message: String,
}
