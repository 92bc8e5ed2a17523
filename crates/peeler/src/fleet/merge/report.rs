//! The report about a whole fleet: counts by rule, owner and repository, and the top findings.
//!
//! The JSON form of [`Report`] is the output of `peeler merge --format json`, and what `--against` reads.

use std::collections::BTreeMap;

use peeler_features::Rule;
use serde::{Deserialize, Serialize};

use crate::fleet::record::{Counts, Origin, Status};

/// The version of the report. It grows when readers of an older version would misread something.
pub(crate) const VERSION: u32 = 1;

/// What findings without a rule are counted as.
pub(crate) const NETWORK: &str = "network";

/// A report about the repositories of a fleet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Report {
    /// What the document is: always `fleet`.
    #[serde(rename = "type")]
    pub(crate) kind: ReportKind,
    /// The version of the report.
    pub(crate) version: u32,
    /// The versions, models and options that made the records; one unless a mix was allowed.
    pub(crate) origins: Vec<Origin>,
    /// The counts of all repositories.
    pub(crate) totals: Totals,
    /// The rules that found something, those with the most findings first. A finding counts for its first rule.
    pub(crate) rules: Vec<RuleCount>,
    /// The owners of repositories, those with the most findings first.
    pub(crate) owners: Vec<OwnerCount>,
    /// The repositories, sorted by name.
    pub(crate) repositories: Vec<RepositoryRow>,
    /// The top findings of the fleet, in the order of a scan's report.
    pub(crate) top: Vec<TopFinding>,
    /// What changed since an earlier report, where `--against` names one.
    pub(crate) trend: Option<Trend>,
}

/// The kind of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ReportKind {
    Fleet,
}

/// Counts of all repositories.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Totals {
    /// The number of repositories.
    pub(crate) repositories: u64,
    /// The number of repositories by the way their scan ended.
    pub(crate) statuses: BTreeMap<Status, u64>,
    /// The sums of the counts.
    #[serde(flatten)]
    pub(crate) counts: Counts,
}

/// The findings of one rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RuleCount {
    /// The id of the rule, or `network` for findings without a rule.
    pub(crate) rule: String,
    pub(crate) findings: u64,
    /// The repositories with such a finding.
    pub(crate) repositories: u64,
}

/// The repositories of one owner.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OwnerCount {
    /// The part of the repositories' names in front of the last `/`; empty if there is none.
    pub(crate) owner: String,
    pub(crate) repositories: u64,
    pub(crate) errors: u64,
    pub(crate) tests: u64,
    pub(crate) findings: u64,
    /// The findings by rule.
    pub(crate) rules: BTreeMap<String, u64>,
}

/// One repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RepositoryRow {
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) revision: Option<String>,
    pub(crate) commit: Option<String>,
    pub(crate) status: Status,
    pub(crate) error: Option<String>,
    pub(crate) counts: Counts,
    /// The findings by rule.
    pub(crate) rules: BTreeMap<String, u64>,
    /// The identifiers of the findings, sorted.
    pub(crate) fingerprints: Vec<String>,
}

/// A finding among the top of the fleet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct TopFinding {
    /// The name of the repository.
    pub(crate) repository: String,
    pub(crate) test: String,
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) probability: f32,
    /// The ids of the rules that found the test.
    pub(crate) rules: Vec<Rule>,
    pub(crate) reason: String,
    pub(crate) fingerprint: String,
}

/// The changes since an earlier report.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Trend {
    /// The number of repositories in the earlier report.
    pub(crate) repositories_then: u64,
    /// The number of findings in the earlier report.
    pub(crate) findings_then: u64,
    /// Repositories that the earlier report does not have.
    pub(crate) added: Vec<String>,
    /// Repositories that only the earlier report has.
    pub(crate) removed: Vec<String>,
    /// Repositories that only one of the reports could scan.
    pub(crate) not_compared: Vec<String>,
    /// New findings of repositories that both reports scanned.
    pub(crate) new_findings: u64,
    /// Findings of these repositories that are gone.
    pub(crate) gone_findings: u64,
    /// The rules whose findings changed.
    pub(crate) rules: Vec<RuleTrend>,
    /// The repositories whose findings changed, sorted by name.
    pub(crate) repositories: Vec<RepositoryTrend>,
}

/// The findings of one rule, in all repositories of both reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RuleTrend {
    pub(crate) rule: String,
    pub(crate) then: u64,
    pub(crate) now: u64,
}

/// The findings of one repository that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RepositoryTrend {
    pub(crate) name: String,
    pub(crate) new_findings: u64,
    pub(crate) gone_findings: u64,
}
