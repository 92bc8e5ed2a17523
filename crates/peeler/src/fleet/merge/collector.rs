//! Collects the records of a fleet and makes the report about it. It keeps only a few numbers of each repository and
//! the first findings by [`Rank`].

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::report::{NETWORK, OwnerCount, Report, ReportKind, RepositoryRow, RuleCount, TopFinding, Totals, VERSION};
use crate::finding::Finding;
use crate::fleet::record::{Counts, Origin, Record};
use crate::ranking::Rank;

/// Collects the records of repositories, one after the other, and makes the report about the fleet of them.
pub(crate) struct Collector {
    /// The maximum number of findings that the report lists. It lists those that come first by [`Rank`].
    top: usize,
    rows: BTreeMap<String, RepositoryRow>,
    /// The findings so far that may be among the first of the fleet by [`Rank`], with the names of their repositories.
    best: Vec<(String, Finding)>,
}

impl Collector {
    /// A collector without records. The report will list at most `top` findings.
    pub(crate) fn new(top: usize) -> Self {
        Self {
            top,
            rows: BTreeMap::new(),
            best: Vec::new(),
        }
    }

    /// Adds the record of a repository. It replaces an earlier record of the repository, which must have no findings.
    /// Tests below the threshold, which `--top` lists, are no findings.
    pub(crate) fn add(&mut self, mut record: Record) {
        record.findings.retain(|it| !it.below_threshold);
        let mut rules = BTreeMap::new();
        for finding in &record.findings {
            *rules.entry(first_rule(finding)).or_default() += 1;
        }
        let mut fingerprints: Vec<String> = record.findings.iter().map(|it| it.fingerprint.clone()).collect();
        fingerprints.sort_unstable();
        let findings = record.findings.into_iter().map(|it| (record.name.clone(), it));
        self.best.extend(findings);
        if self.best.len() > 4 * self.top {
            self.sort_best();
        }
        let row = RepositoryRow {
            name: record.name.clone(),
            path: record.path,
            revision: record.revision,
            commit: record.commit,
            status: record.status,
            error: record.error,
            counts: record.counts,
            rules,
            fingerprints,
        };
        self.rows.insert(record.name, row);
    }

    fn sort_best(&mut self) {
        let key = |(repository, finding): &(String, Finding)| (repository.clone(), finding.file.clone());
        self.best.sort_by(|one, other| {
            Rank::of(&one.1)
                .cmp(&Rank::of(&other.1))
                .then_with(|| key(one).cmp(&key(other)))
        });
        self.best.truncate(self.top);
    }

    /// The report about all added records. `origins` are the versions, models and options that made them.
    pub(crate) fn report(mut self, origins: Vec<Origin>) -> Report {
        self.sort_best();
        let mut totals = Totals::default();
        let mut rules: BTreeMap<&str, RuleCount> = BTreeMap::new();
        let mut owners: BTreeMap<&str, OwnerCount> = BTreeMap::new();
        for row in self.rows.values() {
            totals.repositories += 1;
            *totals.statuses.entry(row.status).or_default() += 1;
            add(&mut totals.counts, &row.counts);
            let owner = owner(&row.name);
            let owned = owners.entry(owner).or_insert_with(|| OwnerCount {
                owner: owner.to_owned(),
                ..OwnerCount::default()
            });
            owned.repositories += 1;
            owned.errors += u64::from(row.status.is_error());
            owned.tests += row.counts.tests;
            owned.findings += row.counts.findings;
            for (rule, count) in &row.rules {
                *owned.rules.entry(rule.clone()).or_default() += count;
                let counted = rules.entry(rule).or_insert_with(|| RuleCount {
                    rule: rule.clone(),
                    findings: 0,
                    repositories: 0,
                });
                counted.findings += count;
                counted.repositories += 1;
            }
        }
        let mut rules: Vec<RuleCount> = rules.into_values().collect();
        let mut owners: Vec<OwnerCount> = owners.into_values().collect();
        // Both are sorted by name so far, and these sorts keep that order among equals.
        rules.sort_by_key(|it| Reverse(it.findings));
        owners.sort_by_key(|it| Reverse(it.findings));
        Report {
            kind: ReportKind::Fleet,
            version: VERSION,
            origins,
            totals,
            rules,
            owners,
            top: self.best.into_iter().map(top_finding).collect(),
            repositories: self.rows.into_values().collect(),
            trend: None,
        }
    }
}

/// The owner of a repository: its name without the last part.
fn owner(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(owner, _)| owner)
}

/// The id of the first rule of a finding, such as `PLR101`, or `network` if no rule found it.
fn first_rule(finding: &Finding) -> String {
    finding
        .rules
        .first()
        .map_or_else(|| NETWORK.to_owned(), |it| it.rule.id().to_owned())
}

fn top_finding((repository, finding): (String, Finding)) -> TopFinding {
    TopFinding {
        repository,
        test: finding.test.as_str().to_owned(),
        file: finding.file,
        line: finding.line,
        probability: finding.probability,
        rules: finding.rules.iter().map(|it| it.rule).collect(),
        reason: finding.reason,
        fingerprint: finding.fingerprint,
    }
}

fn add(sum: &mut Counts, more: &Counts) {
    sum.files += more.files;
    sum.bytes += more.bytes;
    sum.tests += more.tests;
    sum.findings += more.findings;
    sum.suppressed += more.suppressed;
    sum.excluded += more.excluded;
    sum.incomplete += more.incomplete;
}
