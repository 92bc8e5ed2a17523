//! Labels from verdicts, for `peeler corpus build --layout csv`.
//!
//! ```text
//! project,test,label,category
//! shop,shop.PriceTest#isFull,flaky,order
//! ```
//!
//! Invariant: a label states only what runs have shown. A test that failed in every run has no label, whatever its
//! verdict. (The verdict is flaky if the test loads no class that changed since a given git revision.) A test that
//! passed is stable only after the requested number of runs.

use std::io::{self, Write};

use super::content::{Report, TestEntry};
use crate::verdict::{Dependence, Status};

/// Writes a CSV line with a label for each test that is flaky or passed at least `enough` runs. Returns the number of
/// labels.
///
/// # Errors
///
/// When `out` cannot be written.
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

fn label(entry: &TestEntry, enough: u32) -> Option<&'static str> {
    match entry.verdict.status {
        Status::Flaky if entry.verdict.failures == entry.verdict.runs => None,
        Status::Flaky => Some("flaky"),
        Status::Stable if entry.verdict.runs >= enough => Some("stable"),
        Status::Stable | Status::Failing | Status::NotRun => None,
    }
}

fn category(entry: &TestEntry) -> &'static str {
    match &entry.verdict.depends_on {
        Some(Dependence::Order { .. }) => "order",
        Some(Dependence::State) => "state",
        Some(Dependence::Environment { .. }) => "environment",
        Some(Dependence::Chance) => "chance",
        Some(Dependence::Unchanged { .. }) | None => "",
    }
}

/// A text as a field of CSV, in quotes if it contains a comma, a quote or a line break.
pub(super) fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::report;
    use super::*;

    // `peeler_eval::labels` has a test that reads this text.
    #[test]
    fn flaky_and_stable_tests_have_labels_and_the_others_none() {
        let mut out = Vec::new();
        let count = write_labels(&report(), "my, shop", 3, &mut out).expect("they are written");
        assert_eq!(count, 2);
        assert_eq!(
            String::from_utf8(out).expect("UTF-8"),
            "project,test,label,category\n\"my, shop\",a.B$C#flaky,flaky,chance\n\"my, shop\",a.B#stable,stable,\n"
        );
    }

    #[test]
    fn too_few_runs_refute_nothing() {
        let mut out = Vec::new();
        assert_eq!(write_labels(&report(), "p", 4, &mut out).expect("written"), 1);
    }
}
