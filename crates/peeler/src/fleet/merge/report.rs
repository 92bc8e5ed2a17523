//! The report about a whole fleet: counts by rule, owner and repository, and the top findings.
//!
//! The JSON form of [`Report`] is the output of `peeler merge --format json`, and what `--against` reads.

use std::collections::BTreeMap;

use peeler_features::Rule;
use serde::{Deserialize, Serialize};

use crate::fleet::record::{Counts, Origin, Status};

/// The version of the format of the JSON report. It grows when readers of an older version would misread something.
pub(crate) const VERSION: u32 = 1;

/// The text that replaces the id of a rule in counts of findings by rule, for findings that no rule found.
pub(crate) const NETWORK: &str = "network";

/// A report about the repositories of a fleet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Report {
    /// What the document is: always `fleet`.
    #[serde(rename = "type")]
    pub(crate) kind: ReportKind,
    /// The version of the format of the JSON report.
    pub(crate) version: u32,
    /// All combinations of version, model and options that made the records. There is more than one only with
    /// `--allow-mixed`.
    pub(crate) origins: Vec<Origin>,
    /// The numbers of repositories, files, tests and findings of the whole fleet.
    pub(crate) totals: Totals,
    /// The rules that found something, those with the most findings first. A finding counts for its first rule.
    pub(crate) rules: Vec<RuleCount>,
    /// The owners of repositories, those with the most findings first.
    pub(crate) owners: Vec<OwnerCount>,
    /// The repositories, sorted by name.
    pub(crate) repositories: Vec<RepositoryRow>,
    /// The first findings of the whole fleet, in the order in which the report about a scan lists findings.
    pub(crate) top: Vec<TopFinding>,
    /// What changed since the earlier report that `--against` names; `None` without `--against`.
    pub(crate) trend: Option<Trend>,
}

/// The value of `type` in a JSON report, which tells programs what the document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ReportKind {
    Fleet,
}

/// The numbers of repositories, files, tests and findings of the whole fleet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Totals {
    /// The number of repositories.
    pub(crate) repositories: u64,
    /// The number of repositories by the way their scan ended.
    pub(crate) statuses: BTreeMap<Status, u64>,
    /// The numbers of files, tests and findings, summed over all repositories.
    #[serde(flatten)]
    pub(crate) counts: Counts,
}

/// The number of findings of one rule in the fleet, and the number of repositories in which it found something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RuleCount {
    /// The id of the rule, or `network` for findings without a rule.
    pub(crate) rule: String,
    pub(crate) findings: u64,
    /// The number of repositories with a finding of the rule.
    pub(crate) repositories: u64,
}

/// The numbers of repositories, tests and findings of one owner, such as an organization.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OwnerCount {
    /// The part of the repositories' names in front of the last `/`; empty if there is none.
    pub(crate) owner: String,
    pub(crate) repositories: u64,
    pub(crate) errors: u64,
    pub(crate) tests: u64,
    pub(crate) findings: u64,
    /// The number of findings of each rule, by its id. A finding counts for its first rule.
    pub(crate) rules: BTreeMap<String, u64>,
}

/// A repository of the fleet, with how its scan ended and the numbers of its findings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RepositoryRow {
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) revision: Option<String>,
    pub(crate) commit: Option<String>,
    pub(crate) status: Status,
    pub(crate) error: Option<String>,
    pub(crate) counts: Counts,
    /// The number of findings of each rule, by its id. A finding counts for its first rule.
    pub(crate) rules: BTreeMap<String, u64>,
    /// The fingerprints of the findings, sorted. `--against` compares findings by them.
    pub(crate) fingerprints: Vec<String>,
}

/// One of the first findings of the whole fleet, in the order in which the report about a scan lists findings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct TopFinding {
    /// The name of the repository that contains the test.
    pub(crate) repository: String,
    pub(crate) test: String,
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) probability: f32,
    /// The ids of the rules that report the test as flaky.
    pub(crate) rules: Vec<Rule>,
    pub(crate) reason: String,
    pub(crate) fingerprint: String,
}

/// The changes between an earlier report about a fleet and this one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Trend {
    /// The number of repositories in the earlier report.
    pub(crate) repositories_then: u64,
    /// The number of findings in the earlier report.
    pub(crate) findings_then: u64,
    /// The names of repositories that are in this report and not in the earlier one.
    pub(crate) added: Vec<String>,
    /// The names of repositories that are in the earlier report and not in this one.
    pub(crate) removed: Vec<String>,
    /// The names of repositories in both reports whose scan ended with an error in one report, but not in the other.
    pub(crate) not_compared: Vec<String>,
    /// The number of findings that the earlier report does not have, in repositories that both reports scanned.
    pub(crate) new_findings: u64,
    /// The number of findings that only the earlier report has, in repositories that both reports scanned.
    pub(crate) gone_findings: u64,
    /// The rules whose number of findings changed since the earlier report.
    pub(crate) rules: Vec<RuleTrend>,
    /// The repositories in which findings are new or gone since the earlier report, sorted by name.
    pub(crate) repositories: Vec<RepositoryTrend>,
}

/// The numbers of findings of one rule in the earlier report (`then`) and in this one (`now`), in all repositories.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RuleTrend {
    pub(crate) rule: String,
    pub(crate) then: u64,
    pub(crate) now: u64,
}

/// The numbers of findings of one repository that are new or gone since the earlier report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RepositoryTrend {
    pub(crate) name: String,
    pub(crate) new_findings: u64,
    pub(crate) gone_findings: u64,
}
