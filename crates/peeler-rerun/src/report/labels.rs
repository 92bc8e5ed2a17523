//! Labels from verdicts, for `peeler corpus build --layout csv`: the tool learns from its use.
//!
//! ```text
//! project,test,label,category
//! shop,shop.PriceTest#isFull,flaky,order
//! ```
//!
//! Invariant: a label is only what runs have shown. A test that fails every time is neither flaky nor stable, also where
//! INTERSECT calls it flaky, which rests on somebody's word that it passed before. One that passed is stable only after as
//! many runs as were asked for.

use std::io::{self, Write};

use super::{Entry, Report};
use crate::verdict::{Dependence, Status};

/// Writes the labels of tests that are proven flaky, or passed at least `enough` runs. Gives how many there are.
///
/// # Errors
///
/// When they cannot be written.
pub fn write_labels(report: &Report, project: &str, enough: u32, out: &mut dyn Write) -> io::Result<usize> {
    writeln!(out, "project,test,label,category")?;
    let mut count = 0;
    for entry in &report.tests {
        let Some(label) = label(entry, enough) else { continue };
        let test = entry.verdict.test.to_string();
        writeln!(out, "{},{},{label},{}", field(project), field(&test), category(entry))?;
        count += 1;
    }
    Ok(count)
}

fn label(entry: &Entry, enough: u32) -> Option<&'static str> {
    match entry.verdict.status {
        Status::Flaky if entry.verdict.failures == entry.verdict.runs => None,
        Status::Flaky => Some("flaky"),
        Status::Stable if entry.verdict.runs >= enough => Some("stable"),
        Status::Stable | Status::Failing | Status::NotRun => None,
    }
}

fn category(entry: &Entry) -> &'static str {
    match &entry.verdict.depends_on {
        Some(Dependence::Order { .. }) => "order",
        Some(Dependence::State) => "state",
        Some(Dependence::Environment { .. }) => "environment",
        Some(Dependence::Chance) => "chance",
        Some(Dependence::Unchanged { .. }) | None => "",
    }
}

fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use peeler_eval::labels::{Layout, read_labels};

    use super::super::made::report;
    use super::*;

    #[test]
    fn corpora_take_the_labels_as_they_are_written() {
        let mut out = Vec::new();
        let count = write_labels(&report(), "my, shop", 3, &mut out).expect("they are written");
        assert_eq!(count, 2);
        let labels = read_labels(&out[..], Layout::Csv, &BTreeMap::new()).expect("they are read");
        let tests = &labels["my, shop"].tests;
        let flaky = &tests["a.B$C#flaky"];
        assert_eq!((flaky.flaky, flaky.category.as_deref()), (true, Some("chance")));
        assert!(!tests["a.B#stable"].flaky);
        assert_eq!(tests.len(), 2, "a failing test and one that did not run have no label");
    }

    #[test]
    fn too_few_runs_refute_nothing() {
        let mut out = Vec::new();
        assert_eq!(write_labels(&report(), "p", 4, &mut out).expect("written"), 1);
    }
}
