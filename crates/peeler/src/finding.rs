//! The result of a scan. Every report is made from these types.
//!
//! `scan.json` is their JSON form, so that a report can be made from an earlier scan. `docs/scan.schema.json` is
//! generated from them ([`crate::schema`]).
//!
//! Lines and columns count from one; columns count characters. Files have `/` between folders. They are relative to
//! the root of the git repository, or to the working directory outside of git ([`crate::named_root`]).

mod checkout;
mod graph;
mod inherited_test;
mod model_summary;
mod region;
mod rule_match;
mod tuning_summary;
mod witness;

pub(crate) use self::checkout::{Checkout, web_address};
pub(crate) use self::graph::{Edge, EdgeKind, Graph, Node, NodeKind, Path};
pub(crate) use self::inherited_test::InheritedTest;
pub(crate) use self::model_summary::{ModelSummary, RankWorth};
pub(crate) use self::region::Region;
pub(crate) use self::rule_match::{FlowPlace, Origin, RuleMatch};
pub(crate) use self::tuning_summary::{TuningEstimate, TuningSummary};
pub(crate) use self::witness::{Excerpt, Role, WitnessStep};

use peeler_analysis::CauseKind;
use peeler_features::{FlakinessKind, Rule, TestName};
use serde::{Deserialize, Serialize};

#[cfg(test)]
use crate::schema;

/// The version of the JSON form of a scan. It grows when readers of an older version would misread something.
pub(crate) const SCHEMA: u32 = 3;

/// The result of a scan, as `peeler scan --format json` writes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Scan {
    /// The version of the JSON form of a scan.
    pub(crate) version: u32,
    /// The program that wrote the scan.
    pub(crate) tool: Tool,
    /// The model that scored the tests.
    pub(crate) model: ModelSummary,
    /// The scanned paths, as the command line gave them.
    pub(crate) roots: Vec<String>,
    /// The git commit that was scanned; absent outside of git.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) checkout: Option<Checkout>,
    /// Counts of the scan, such as its files, tests and findings.
    pub(crate) summary: Summary,
    /// The listed tests: those that runs proved flaky, then those that a rule found, then those of the network alone.
    pub(crate) findings: Vec<Finding>,
    /// Findings that are not listed because the baseline file contains them, sorted like `findings`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) known: Vec<KnownFinding>,
    /// The most probable tests of a scan without findings. They are not findings.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) likeliest: Vec<Finding>,
    /// Every scored test with its probability, where `--all` asked for it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) tests: Option<Vec<TestScore>>,
    /// Files that could not be read, or not completely.
    pub(crate) problems: Vec<Problem>,
}

/// The name and version of the program that wrote a scan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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

/// Counts of a scan, such as its files, tests and findings, and the time that it took.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Summary {
    /// Java files that were read.
    pub(crate) files: usize,
    /// Test cases with a score.
    pub(crate) tests: usize,
    /// Findings that the scan lists.
    pub(crate) findings: usize,
    /// Findings that a comment or annotation in the code suppresses.
    pub(crate) suppressed: usize,
    /// Tests that would be findings but do not run: `@Ignore`, `@Disabled`, `@Test(enabled = false)`.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub(crate) disabled: usize,
    /// Tests below the threshold that are listed only because `--top` asked for more tests than there are findings.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub(crate) below_threshold: usize,
    /// Listed tests whose graph and paths are left out, because the list is long.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub(crate) without_graph: usize,
    /// Findings that are not listed because the baseline file contains them.
    pub(crate) known: usize,
    /// Entries of the baseline file that match no finding; zero if the scan checked only some tests.
    #[serde(default)]
    pub(crate) stale: usize,
    /// Java files whose tests the settings (`peeler.toml`) exclude.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub(crate) excluded: usize,
    /// The number of files that `--stdin-files` named, and of tests in other files; absent without this option.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) given: Option<NamedFiles>,
    /// The git revision of `--since`, and the number of tests unchanged since then; absent without this option.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) since: Option<Comparison>,
    /// Test cases whose results were taken from the cache of an earlier scan.
    #[serde(default)]
    pub(crate) reused: usize,
    /// Test cases that reach more code than a scan follows, so that part of it had no influence on the result.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub(crate) incomplete: usize,
    /// The time from the start of the command to the end of the scan.
    pub(crate) milliseconds: u64,
}

impl Summary {
    /// Whether the scan checked only some tests, because of `--since` or `--stdin-files`.
    pub(crate) fn is_partial(&self) -> bool {
        self.since.is_some() || self.given.is_some()
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_false(value: &bool) -> bool {
    !*value
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A finding as a baseline file stores it, so that later scans do not list it again.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct KnownFinding {
    /// The test, as `package.Class#method`.
    #[cfg_attr(test, schemars(schema_with = "schema::test_name"))]
    pub(crate) test: TestName,
    /// The file of the test.
    pub(crate) file: String,
    /// The first rule that found the test, where one did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(test, schemars(schema_with = "schema::rule"))]
    pub(crate) rule: Option<Rule>,
    /// The kind of nondeterminism that the first rule of the finding is about, such as `clock`; null if no rule found
    /// the test.
    #[cfg_attr(test, schemars(schema_with = "schema::optional_cause_kind"))]
    pub(crate) cause: Option<CauseKind>,
    /// The identifier of the finding: a hash that does not depend on files and lines.
    pub(crate) fingerprint: String,
}

impl KnownFinding {
    /// The baseline entries of a finding and of the tests that inherit its method.
    pub(crate) fn all_of(finding: &Finding) -> Vec<Self> {
        let inherited = finding.inherited_by.iter().map(|it| Self {
            test: it.test.clone(),
            file: finding.file.clone(),
            rule: it.rule,
            cause: it.rule.map(Rule::cause),
            fingerprint: it.fingerprint.clone(),
        });
        [Self::of(finding)].into_iter().chain(inherited).collect()
    }

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

/// The git revision that a scan compared tests with, and the number of unchanged tests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Comparison {
    /// The git revision, as `--since` gave it.
    pub(crate) revision: String,
    /// Test cases that did not change since the git revision of `--since`, and therefore have no score.
    pub(crate) unchanged: usize,
}

/// The number of files that standard input named (`--stdin-files`), and of tests in other files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct NamedFiles {
    /// Java files of the repository that standard input named.
    pub(crate) files: usize,
    /// Test cases of files that standard input did not name; they have no score.
    pub(crate) others: usize,
}

/// A test with the probability that it is flaky.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct TestScore {
    /// The test, as `package.Class#method`.
    #[cfg_attr(test, schemars(schema_with = "schema::test_name"))]
    pub(crate) test: TestName,
    /// The file of the test method.
    pub(crate) file: String,
    /// The line of the test method's name.
    pub(crate) line: u32,
    /// The probability that the test is flaky.
    pub(crate) probability: f32,
    /// The probability of each kind of flakiness, likeliest first. Absent if the model knows no kinds.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) kinds: Vec<KindScore>,
    /// The ids of the selected rules that found the test, such as `PLR101`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[cfg_attr(test, schemars(schema_with = "schema::rules"))]
    pub(crate) rules: Vec<Rule>,
}

/// A test that is probably flaky, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Finding {
    /// The test, as `package.Class#method`.
    #[cfg_attr(test, schemars(schema_with = "schema::test_name"))]
    pub(crate) test: TestName,
    /// The file of the test method.
    pub(crate) file: String,
    /// The line of the test method's name.
    pub(crate) line: u32,
    /// The line of the test method's closing brace.
    pub(crate) end_line: u32,
    /// The probability that the test is flaky, as the network estimates it: that of the likeliest kind of flakiness.
    pub(crate) probability: f32,
    /// The kind of flakiness: that of the first rule, or the likeliest one if no rule found the test. Absent if neither
    /// tells.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(test, schemars(schema_with = "schema::flakiness_kind"))]
    pub(crate) kind: Option<FlakinessKind>,
    /// The probability of each kind of flakiness, likeliest first. Absent if the model knows no kinds.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) kinds: Vec<KindScore>,
    /// What found the test: a rule, the network, both or neither.
    pub(crate) found_by: FoundBy,
    /// Whether the test is no finding and is listed only because `--top` asked for more tests.
    #[serde(skip_serializing_if = "is_false", default)]
    pub(crate) below_threshold: bool,
    /// Tests of other classes that inherit the method and would be findings themselves.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) inherited_by: Vec<InheritedTest>,
    /// The flows of nondeterminism that selected rules report. Flows whose source is nearest to the test come first.
    /// Empty if no rule found the test.
    pub(crate) rules: Vec<RuleMatch>,
    /// The code whose result can differ from run to run: the source of the first flow in `rules`. Null if no rule found
    /// the test.
    pub(crate) root_cause: Option<RootCause>,
    /// Why the test is reported, in one line.
    pub(crate) reason: String,
    /// The identifier of the finding. It stays the same as long as the test's name, the rule and the text of the root
    /// cause stay, even if lines move.
    pub(crate) fingerprint: String,
    /// The places that the first flow in `rules` passes, from its source to the assertion; empty if no rule found the
    /// test.
    pub(crate) witness: Vec<WitnessStep>,
    /// The first contextual paths of the test: paths through its dependency graph to an assertion. They do not explain
    /// the finding.
    pub(crate) paths: Vec<Path>,
    /// The part of the test's dependency graph that the paths pass: it shows how data flows to the assertions.
    pub(crate) graph: Graph,
    /// The source lines of the test method.
    pub(crate) source: Excerpt,
    /// Other findings of the scan that are similar: their test is in the same class as this one, or their first rule is
    /// the same.
    pub(crate) neighbours: Vec<Neighbour>,
    /// What recorded runs of the test showed; null if none are known.
    #[serde(default)]
    pub(crate) proof: Option<Proof>,
}

impl Finding {
    /// Whether runs proved the test flaky.
    pub(crate) fn is_proven(&self) -> bool {
        self.proof.as_ref().is_some_and(Proof::is_proof)
    }

    /// A clause that names the other classes that inherit the method; `None` if there are none.
    pub(crate) fn inheritance(&self) -> Option<String> {
        inherited_test::clause(&self.inherited_by)
    }

    /// Whether the test is listed only because runs proved it flaky: no rule found it, and its probability is below
    /// `threshold`.
    pub(crate) fn is_unsuspected(&self, threshold: f32) -> bool {
        self.is_proven() && self.rules.is_empty() && self.probability < threshold
    }
}

/// The probability of one kind of flakiness.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct KindScore {
    /// The kind of flakiness: `id` for unspecified behaviour, `od` for the order of tests, `nod` for timing or
    /// environment.
    #[cfg_attr(test, schemars(schema_with = "schema::flakiness_kind"))]
    pub(crate) kind: FlakinessKind,
    /// The probability that the test is flaky in this way.
    pub(crate) probability: f32,
}

/// What found a test: a rule, the network, both or neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FoundBy {
    /// A rule found the test; its probability is below the scan's threshold.
    Rule,
    /// The network found the test: its probability reaches the scan's threshold, and no rule found it.
    Network,
    /// A rule found the test, and its probability reaches the scan's threshold.
    Both,
    /// Neither a rule nor the network found the test. It is listed only if runs proved it flaky.
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

/// The code that the nondeterminism of a finding comes from, such as `new HashMap<>()`, and advice for a fix.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RootCause {
    /// The kind of nondeterminism, such as `clock`.
    #[cfg_attr(test, schemars(schema_with = "schema::cause_kind"))]
    pub(crate) kind: CauseKind,
    /// The title of the first rule of the finding, in words that follow "the test":
    /// `compares text made from an unordered collection`.
    pub(crate) title: String,
    /// What happens at the root cause, in words that follow "the test": `iterates a HashMap`.
    pub(crate) what: String,
    /// The file of the code that the nondeterminism comes from.
    pub(crate) file: String,
    /// The line of the code that the nondeterminism comes from.
    pub(crate) line: u32,
    /// The source text of the code that the nondeterminism comes from: `new HashMap<>()`.
    pub(crate) text: String,
    /// Advice on how tests that the first rule of the finding reports are usually fixed.
    pub(crate) advice: String,
}

/// A finding that another finding names as similar: their tests are in one class, or their first rules are the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Neighbour {
    /// The test, as `package.Class#method`.
    #[cfg_attr(test, schemars(schema_with = "schema::test_name"))]
    pub(crate) test: TestName,
    /// The file of the test. Present only if several paths were scanned, because they may have tests of the same name.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) file: Option<String>,
    /// The probability that the test is flaky.
    pub(crate) probability: f32,
}

/// What recorded runs of a test showed, with their counts and the first failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Proof {
    /// What the runs together showed: a flaky test, only failures or no failure.
    pub(crate) showed: RerunStatus,
    /// How often the test ran.
    pub(crate) runs: u32,
    /// How many of the runs failed.
    pub(crate) failures: u32,
    /// A clause about a flaky test that says what its outcome depends on: `it depends on the order of tests`. It may
    /// also say where the failures were seen. Absent if nothing of this is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) how: Option<String>,
    /// The message of the test's first failure, in one line; absent if the test never failed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) failure: Option<String>,
    /// The shell command that reproduces a failure of a flaky test; absent for other tests, or if no failure can be
    /// reproduced.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) command: Option<String>,
}

impl Proof {
    /// Whether the test was seen both to pass and to fail. A test that only failed may count as flaky too, if it loaded
    /// no changed class, but that is no proof.
    pub(crate) fn is_proof(&self) -> bool {
        self.showed == RerunStatus::Flaky && self.failures < self.runs
    }
}

/// What all recorded runs of a test together showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RerunStatus {
    /// The test passed and failed on the same code, or only failed, without loading a class that changed since it
    /// passed.
    Flaky,
    /// The test failed in every run, which does not prove that it is flaky.
    OnlyFailures,
    /// The test passed in every run, which does not prove that it is stable.
    NoFailure,
}

/// A file that could not be read, or not completely.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Problem {
    /// The file that has the problem.
    pub(crate) file: String,
    /// Why the file could not be read completely: `is not valid UTF-8 and was read as Latin-1`.
    pub(crate) message: String,
}
