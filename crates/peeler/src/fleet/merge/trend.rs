//! What changed between two reports of a fleet.
//!
//! Findings are compared by their fingerprints, within repositories of the same name that both reports scanned.

use std::collections::{BTreeMap, BTreeSet};

use super::report::{Report, RepositoryRow, RepositoryTrend, RuleTrend, Trend};

/// The changes from `then`, an earlier report about a fleet, to the later report `now`.
pub(crate) fn between(then: &Report, now: &Report) -> Trend {
    let (before, after) = (by_name(then), by_name(now));
    let mut trend = Trend {
        repositories_then: then.totals.repositories,
        findings_then: then.totals.counts.findings,
        added: difference(&after, &before),
        removed: difference(&before, &after),
        rules: rules(then, now),
        ..Trend::default()
    };
    for (name, row) in &after {
        let Some(earlier) = before.get(name) else { continue };
        match (earlier.status.is_error(), row.status.is_error()) {
            (false, false) => {}
            (true, true) => continue,
            _ => {
                trend.not_compared.push((*name).to_owned());
                continue;
            }
        }
        let new = without(&row.fingerprints, &earlier.fingerprints);
        let gone = without(&earlier.fingerprints, &row.fingerprints);
        if new + gone > 0 {
            trend.new_findings += new;
            trend.gone_findings += gone;
            trend.repositories.push(RepositoryTrend {
                name: (*name).to_owned(),
                new_findings: new,
                gone_findings: gone,
            });
        }
    }
    trend
}

fn by_name(report: &Report) -> BTreeMap<&str, &RepositoryRow> {
    report.repositories.iter().map(|it| (it.name.as_str(), it)).collect()
}

fn difference(one: &BTreeMap<&str, &RepositoryRow>, other: &BTreeMap<&str, &RepositoryRow>) -> Vec<String> {
    let names = one.keys().filter(|it| !other.contains_key(**it));
    names.map(|it| (*it).to_owned()).collect()
}

/// The number of entries of `one` that are not in `other`. Equal entries count one by one: `a a b` has 2 that `a c`
/// lacks.
fn without(one: &[String], other: &[String]) -> u64 {
    let mut left: BTreeMap<&str, u64> = BTreeMap::new();
    for entry in other {
        *left.entry(entry).or_default() += 1;
    }
    let mut missing = 0;
    for entry in one {
        match left.get_mut(entry.as_str()).filter(|it| **it > 0) {
            Some(count) => *count -= 1,
            None => missing += 1,
        }
    }
    missing
}

fn rules(then: &Report, now: &Report) -> Vec<RuleTrend> {
    let counts = |report: &Report| -> BTreeMap<String, u64> {
        report.rules.iter().map(|it| (it.rule.clone(), it.findings)).collect()
    };
    let (before, after) = (counts(then), counts(now));
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let trends = names.into_iter().map(|rule| RuleTrend {
        rule: rule.clone(),
        then: before.get(rule).copied().unwrap_or(0),
        now: after.get(rule).copied().unwrap_or(0),
    });
    trends.filter(|it| it.then != it.now).collect()
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn an_entry_counts_as_often_as_it_occurs() {
        let list = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
        assert_eq!(without(&list("a a b"), &list("a c")), 2);
        assert_eq!(without(&list("a"), &list("a a")), 0);
    }
}
