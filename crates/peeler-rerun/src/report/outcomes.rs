//! All outcomes of tests as CSV, by what was changed in their runs, for `peeler corpus build --layout proven`.
//!
//! ```text
//! project,commit,module,test,kinds,milliseconds,plain_runs,plain_failures,nondex_runs,nondex_failures,...
//! owner/shop,1f0c…,core,shop.PriceTest#isFull,order,12,3,0,5,0,...
//! ```
//!
//! `kinds` is empty for tests that are not proven flaky. `milliseconds` is the mean time of a run without any change.
//! Tests that never ran are left out.

use std::collections::BTreeMap;
use std::io::{self, Write};

use peeler_features::TestName;

use super::content::Report;
use super::labels::field;
use crate::evidence::{Event, Run, runs};
use crate::perturbation::Perturbation;
use crate::verdict::FlakyKind;

/// The columns for the runs of tests, two for each of these names: `plain_runs` and `plain_failures`.
pub const COLUMNS: [&str; 10] = [
    "plain",
    "nondex",
    "order",
    "stress",
    "delay",
    "processors",
    "interpreted",
    "zone",
    "locale",
    "charset",
];

/// The project that outcomes belong to.
#[derive(Debug, Clone, Copy)]
pub struct ProjectName<'a> {
    /// The name of the project, such as `owner/name`.
    pub project: &'a str,
    /// The git commit of the project that ran; empty if it is not known.
    pub commit: &'a str,
}

/// Writes a CSV line for each test of a report that ran. `module` tells the module of a test. Returns the number of
/// tests.
///
/// # Errors
///
/// When `out` cannot be written.
pub fn write_outcomes(
    report: &Report,
    events: &[Event],
    name: ProjectName<'_>,
    module: impl Fn(&TestName) -> String,
    out: &mut dyn Write,
) -> io::Result<usize> {
    write!(out, "project,commit,module,test,kinds,milliseconds")?;
    for column in COLUMNS {
        write!(out, ",{column}_runs,{column}_failures")?;
    }
    writeln!(out)?;
    let mut tallies: BTreeMap<&TestName, [(u32, u32); COLUMNS.len()]> = BTreeMap::new();
    let mut times: BTreeMap<&TestName, u64> = BTreeMap::new();
    for run in runs(events).filter(|run| run.counts()) {
        let (all, failed) = &mut tallies.entry(&run.test).or_default()[column(run)];
        *all += 1;
        *failed += u32::from(run.outcome.is_failure());
        if column(run) == 0 {
            *times.entry(&run.test).or_default() += run.milliseconds;
        }
    }
    let mut count = 0;
    for entry in &report.tests {
        let test = &entry.verdict.test;
        let Some(tally) = tallies.get(test) else { continue };
        let kinds: Vec<&str> = entry.verdict.kinds.iter().map(|it| FlakyKind::name(*it)).collect();
        let texts = [
            name.project,
            name.commit,
            &module(test),
            test.as_str(),
            &kinds.join(";"),
        ]
        .map(field);
        let mean = times.get(test).copied().unwrap_or(0) / u64::from(tally[0].0.max(1));
        write!(out, "{},{mean}", texts.join(","))?;
        for (all, failed) in tally {
            write!(out, ",{all},{failed}")?;
        }
        writeln!(out)?;
        count += 1;
    }
    Ok(count)
}

/// The column that a run of a test is counted in. Runs to study an order count as runs in other orders.
fn column(run: &Run) -> usize {
    use crate::evidence::Stage::{Alone, Lead, Pair, TruncatedFailing, TruncatedOriginal};
    let is_order = matches!(run.stage, Alone | Lead | Pair | TruncatedFailing | TruncatedOriginal);
    let name = match run.perturbation {
        Perturbation::None if is_order => "order",
        Perturbation::None => "plain",
        Perturbation::NonDex { .. } => "nondex",
        Perturbation::Order { .. } => "order",
        Perturbation::Stress { .. } => "stress",
        Perturbation::Delay { .. } => "delay",
        Perturbation::Processors { .. } => "processors",
        Perturbation::Interpreted => "interpreted",
        Perturbation::Zone { .. } => "zone",
        Perturbation::Locale { .. } => "locale",
        Perturbation::Charset { .. } => "charset",
    };
    COLUMNS
        .iter()
        .position(|it| *it == name)
        .expect("every perturbation has a column")
}

#[cfg(test)]
mod tests {
    use super::super::sample::{events, report};
    use super::*;

    #[test]
    fn every_test_that_ran_has_a_line_with_its_runs() {
        let mut out = Vec::new();
        let name = ProjectName {
            project: "own/shop",
            commit: "1f",
        };
        let count = write_outcomes(&report(), &events(), name, |_| "core".to_owned(), &mut out).expect("written");
        let text = String::from_utf8(out).expect("UTF-8");
        assert_eq!(count, 3, "{text}");
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("project,commit,module,test,kinds,milliseconds,plain_runs,plain_failures"));
        assert!(
            lines[1].starts_with("own/shop,1f,core,a.B$C#flaky,random,10,2,1,0,0"),
            "{text}"
        );
        assert!(
            lines[2].starts_with("own/shop,1f,core,a.B#failing,,10,3,3,0,0"),
            "{text}"
        );
    }
}
