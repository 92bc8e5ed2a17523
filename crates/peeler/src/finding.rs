//! The result of a scan. Every report is made from these types.
//!
//! `scan.json` is their JSON form, so that a report can be made from an earlier scan. `docs/scan.schema.json` is
//! generated from them ([`crate::schema`]).
//!
//! Lines and columns count from one; columns count characters. Files have `/` between folders. They are relative to
//! the scanned root. Where several roots were scanned, they start with their root and are relative to the working
//! directory.

mod graph;
mod region;
mod rule_match;

pub(crate) use self::graph::{Edge, EdgeKind, Graph, Node, NodeKind, Path};
pub(crate) use self::region::Region;
#[cfg(test)]
pub(crate) use self::rule_match::Origin;
pub(crate) use self::rule_match::{FlowPlace, RuleMatch};

use peeler_analysis::CauseKind;
use peeler_features::{Rule, TestName};
use peeler_learning::track_record::TrackRecord;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::schema;

/// The version of the scan's JSON form. It grows when readers of an older version would misread something.
pub(crate) const SCHEMA: u32 = 2;

/// The result of a scan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Scan {
    /// The version of this schema.
    pub(crate) version: u32,
    /// The program that wrote the scan.
    pub(crate) tool: Tool,
    /// The model that scored the tests.
    pub(crate) model: ModelSummary,
    /// The scanned paths, as they were given.
    pub(crate) roots: Vec<String>,
    /// The counts of the scan.
    pub(crate) summary: Summary,
    /// The listed tests: those that runs proved flaky, then those that a rule found, then those of the network alone.
    pub(crate) findings: Vec<Finding>,
    /// Findings that the baseline knows, which are not listed; in the same order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) known: Vec<KnownFinding>,
    /// The most probable tests, which are no findings, where there is no finding. Only the text report shows them.
    #[serde(skip)]
    pub(crate) likeliest: Vec<Finding>,
    /// Every scored test with its probability, where `--all` asked for it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) tests: Option<Vec<TestScore>>,
    /// Files that could not be read, or not completely.
    pub(crate) problems: Vec<Problem>,
}

/// The program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Tool {
    /// The name of the program.
    pub(crate) name: String,
    /// The version of the program.
    pub(crate) version: String,
}

impl Tool {
    /// The name and version of the running program.
    pub(crate) fn this() -> Self {
        Self {
            name: env!("CARGO_PKG_NAME").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

/// The model of a scan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ModelSummary {
    /// The name of the model.
    pub(crate) name: String,
    /// Tests with at least this probability are findings, whatever the rules say. Where roots have thresholds of their
    /// own, it is the lowest.
    pub(crate) threshold: f32,
    /// Predictions of the model for tests that were held out from its training. Present with `--all`, where the model
    /// recorded them.
    #[serde(skip_serializing_if = "TrackRecord::is_empty", default)]
    #[schemars(schema_with = "schema::track_record")]
    pub(crate) track_record: TrackRecord,
}

/// Counts of a scan.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Summary {
    /// Java files that were read.
    pub(crate) files: usize,
    /// Test cases with a score.
    pub(crate) tests: usize,
    /// Listed findings.
    pub(crate) findings: usize,
    /// Findings that the code asks scans not to report.
    pub(crate) suppressed: usize,
    /// Findings that the baseline knows.
    pub(crate) known: usize,
    /// Entries of the baseline without a finding; zero where only some tests were checked.
    #[serde(default)]
    pub(crate) stale: usize,
    /// Java files whose tests the settings exclude.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub(crate) excluded: usize,
    /// The files of `--stdin-files`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) given: Option<NamedFiles>,
    /// The revision of `--since`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) since: Option<Comparison>,
    /// Test cases whose results were taken from the cache.
    #[serde(default)]
    pub(crate) reused: usize,
    /// Test cases that reach more code than a scan follows: part of it had no influence on the score.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub(crate) incomplete: usize,
    /// The time from the start of the command to the end of the scan.
    pub(crate) milliseconds: u64,
}

impl Summary {
    /// Whether only some tests were checked.
    pub(crate) fn is_partial(&self) -> bool {
        self.since.is_some() || self.given.is_some()
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A finding as a baseline stores it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub(crate) struct KnownFinding {
    /// The test, as `package.Class#method`.
    #[schemars(schema_with = "schema::test_name")]
    pub(crate) test: TestName,
    /// The file of the test.
    pub(crate) file: String,
    /// The first rule that found the test, where one did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(schema_with = "schema::rule")]
    pub(crate) rule: Option<Rule>,
    /// The kind of nondeterminism, where one is known.
    #[schemars(schema_with = "schema::optional_cause_kind")]
    pub(crate) cause: Option<CauseKind>,
    /// The identifier of the finding.
    pub(crate) fingerprint: String,
}

impl KnownFinding {
    /// The baseline entry of a finding.
    pub(crate) fn of(finding: &Finding) -> Self {
        Self {
            test: finding.test.clone(),
            file: finding.file.clone(),
            rule: finding.rules.first().map(|it| it.rule),
            cause: finding.root_cause.as_ref().map(|it| it.kind),
            fingerprint: finding.fingerprint.clone(),
        }
    }
}

/// The comparison of tests with a git revision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Comparison {
    /// The revision, as it was given.
    pub(crate) revision: String,
    /// Test cases that did not change and have no score.
    pub(crate) unchanged: usize,
}

/// The files that standard input named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct NamedFiles {
    /// Java files of the repository that standard input named.
    pub(crate) files: usize,
    /// Test cases of other files, which have no score.
    pub(crate) others: usize,
}

/// A test with its probability.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct TestScore {
    /// The test, as `package.Class#method`.
    #[schemars(schema_with = "schema::test_name")]
    pub(crate) test: TestName,
    /// The file of the test method.
    pub(crate) file: String,
    /// The line of the method's name.
    pub(crate) line: u32,
    /// The probability that the test is flaky.
    pub(crate) probability: f32,
    /// The ids of the selected rules that report an unsettled flow of the test.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(schema_with = "schema::rules")]
    pub(crate) rules: Vec<Rule>,
}

/// A test that is probably flaky, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Finding {
    /// The test, as `package.Class#method`.
    #[schemars(schema_with = "schema::test_name")]
    pub(crate) test: TestName,
    /// The file of the test method.
    pub(crate) file: String,
    /// The line of the method's name.
    pub(crate) line: u32,
    /// The line of the method's closing brace.
    pub(crate) end_line: u32,
    /// The probability that the test is flaky, as the network estimates it.
    pub(crate) probability: f32,
    /// What found the test.
    pub(crate) found_by: FoundBy,
    /// The flows that selected rules report, the nearest and surest first; empty if no rule found the test.
    pub(crate) rules: Vec<RuleMatch>,
    /// What can differ from run to run: the source of the first flow. Null where no rule found one.
    pub(crate) root_cause: Option<RootCause>,
    /// Why the test is reported, in one line.
    pub(crate) reason: String,
    /// The identifier of the finding. It stays the same while test, rule and source text stay, whatever lines move.
    pub(crate) fingerprint: String,
    /// The places of the first flow, from its source to the assertion; empty where no rule found one.
    pub(crate) witness: Vec<WitnessStep>,
    /// Contextual paths of the dependency graph. They do not explain the finding.
    pub(crate) paths: Vec<Path>,
    /// The dependency graph of the test.
    pub(crate) graph: Graph,
    /// The source of the test.
    pub(crate) source: Excerpt,
    /// Other findings of the same class or by the same rule.
    pub(crate) neighbours: Vec<Neighbour>,
    /// What runs of the test showed; null where it was not run.
    #[serde(default)]
    pub(crate) proof: Option<Proof>,
}

impl Finding {
    /// Whether runs proved the test flaky.
    pub(crate) fn is_proven(&self) -> bool {
        self.proof.as_ref().is_some_and(Proof::is_proof)
    }

    /// Whether the test is listed only because of a proof: no rule found it, and its probability is below the
    /// threshold.
    pub(crate) fn is_unsuspected(&self, threshold: f32) -> bool {
        self.is_proven() && self.rules.is_empty() && self.probability < threshold
    }
}

/// What found a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FoundBy {
    /// A rule; the probability is below the threshold.
    Rule,
    /// The network: the probability reaches the threshold, and no rule found the test.
    Network,
    /// A rule and the network.
    Both,
    /// Neither a rule nor the network. Such a test is listed only if runs proved it flaky.
    Neither,
}

impl FoundBy {
    /// What found a test with these rule matches and this probability: rules, network, both or neither.
    pub(crate) fn of(rules: &[RuleMatch], probability: f32, threshold: f32) -> Self {
        match (rules.is_empty(), probability >= threshold) {
            (false, false) => Self::Rule,
            (true, true) => Self::Network,
            (false, true) => Self::Both,
            (true, false) => Self::Neither,
        }
    }
}

/// The source of a flow of nondeterminism.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct RootCause {
    /// The kind of nondeterminism.
    #[schemars(schema_with = "schema::cause_kind")]
    pub(crate) kind: CauseKind,
    /// What the rule is about, in words that follow "the test".
    pub(crate) title: String,
    /// What happens, in words that follow "the test".
    pub(crate) what: String,
    /// The file of the line.
    pub(crate) file: String,
    /// The line of the source.
    pub(crate) line: u32,
    /// The source text.
    pub(crate) text: String,
    /// What would settle the flow.
    pub(crate) advice: String,
}

/// A step of a witness.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct WitnessStep {
    /// What happens at the step.
    pub(crate) role: Role,
    /// The range of the step in its file.
    #[serde(flatten)]
    pub(crate) region: Region,
    /// The source text of the step, on one line.
    pub(crate) text: String,
}

/// What happens at a step of a witness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Role {
    /// The nondeterminism comes from here.
    Source,
    /// The value passes here.
    Step,
    /// The assertion notices the value.
    Assertion,
}

/// Lines of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Excerpt {
    /// The file of the lines.
    pub(crate) file: String,
    /// The number of the first line.
    pub(crate) first_line: u32,
    /// The lines, without line breaks.
    pub(crate) lines: Vec<String>,
}

/// Another finding that is similar.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Neighbour {
    /// The test, as `package.Class#method`.
    #[schemars(schema_with = "schema::test_name")]
    pub(crate) test: TestName,
    /// The file of the test, where several roots were scanned: they may have tests of the same name.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) file: Option<String>,
    /// The probability that the test is flaky.
    pub(crate) probability: f32,
}

/// What runs of a test showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Proof {
    /// The overall result of the runs.
    pub(crate) showed: RerunStatus,
    /// How often the test ran.
    pub(crate) runs: u32,
    /// How many of the runs failed.
    pub(crate) failures: u32,
    /// What the outcome of a flaky test depends on, or where it was seen, as a clause.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) how: Option<String>,
    /// The message of the first failure, in one line.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) failure: Option<String>,
    /// The command that reproduces a failure.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) command: Option<String>,
}

impl Proof {
    /// Whether the test was seen both to pass and to fail. A test that is flaky only because it loads no changed class
    /// was never seen to pass.
    pub(crate) fn is_proof(&self) -> bool {
        self.showed == RerunStatus::Flaky && self.failures < self.runs
    }
}

/// The result of running a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RerunStatus {
    /// The test passes and fails on the same code.
    Flaky,
    /// The test failed in every run, which does not prove that it is flaky.
    OnlyFailures,
    /// The test passed in every run, which does not prove that it is stable.
    NoFailure,
}

/// A file that could not be read, or not completely.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Problem {
    /// The file that has the problem.
    pub(crate) file: String,
    /// What went wrong.
    pub(crate) message: String,
}
