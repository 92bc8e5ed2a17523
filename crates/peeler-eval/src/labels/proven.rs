//! The layout `proven`: how often tests ran and failed under each change of their environment, as
//! `peeler confirm --write-outcomes` writes it.
//!
//! A test with a kind of flakiness is flaky. A test that never failed is stable if it ran often enough under the changes
//! that find most. All other tests have no label.

use std::io::Read;

use super::known::{KnownLabel, Labels, STABLE_IN_ALL_KINDS, project_of};
use super::table::{LabelError, Table, test_name};

/// The pairs of columns with the runs and failures of a test, and how many runs a stable test has to have.
const COUNTS: [(&str, &str, u64); 10] = [
    ("plain_runs", "plain_failures", 3),
    ("nondex_runs", "nondex_failures", 5),
    ("order_runs", "order_failures", 5),
    ("stress_runs", "stress_failures", 0),
    ("delay_runs", "delay_failures", 0),
    ("processors_runs", "processors_failures", 0),
    ("interpreted_runs", "interpreted_failures", 0),
    ("zone_runs", "zone_failures", 0),
    ("locale_runs", "locale_failures", 0),
    ("charset_runs", "charset_failures", 0),
];

pub(super) fn proven(file: impl Read) -> Result<Labels, LabelError> {
    let mut columns = vec!["project", "test", "kinds"];
    columns.extend(COUNTS.iter().flat_map(|(runs, failures, _)| [*runs, *failures]));
    let rows = Table::open(file, "proven", &columns)?.rows(|row, line| {
        let count = |text: &str| {
            text.trim().parse::<u64>().map_err(|_| LabelError::BadValue {
                line,
                value: text.to_owned(),
                what: "number of runs",
                remedy: "write a whole number",
            })
        };
        let (mut runs, mut failures, mut is_enough) = (0, 0, true);
        for (index, (_, _, least)) in COUNTS.iter().enumerate() {
            let own = count(row[3 + 2 * index])?;
            runs += own;
            failures += count(row[4 + 2 * index])?;
            is_enough &= own >= *least;
        }
        let categories = categories(row[2], line)?;
        let flaky = !categories.is_empty();
        let known = KnownLabel {
            flaky,
            category: Some(if flaky {
                categories
            } else {
                STABLE_IN_ALL_KINDS.to_owned()
            }),
            runs: Some((failures, runs.saturating_sub(failures))),
            rows: 1,
        };
        let is_known = flaky || (failures == 0 && is_enough);
        Ok((project_of(row[0]), test_name(row[1], line)?, is_known.then_some(known)))
    })?;
    let mut labels = Labels::new();
    for (project, test, known) in rows {
        if let Some(known) = known {
            labels.entry(project).or_default().tests.insert(test, known);
        }
    }
    Ok(labels)
}

/// The categories of IDoFT for kinds of flakiness that runs have shown, such as `ID;NOD`.
fn categories(kinds: &str, line: u64) -> Result<String, LabelError> {
    let mut found: Vec<&str> = Vec::new();
    for kind in kinds.split(';').map(str::trim).filter(|it| !it.is_empty()) {
        let category = match kind {
            "unspecified" => "ID",
            "order" => "OD",
            "timing" | "environment" | "random" => "NOD",
            other => {
                return Err(LabelError::BadValue {
                    line,
                    value: other.to_owned(),
                    what: "kind of flakiness",
                    remedy: "write order, unspecified, timing, environment or random",
                });
            }
        };
        if !found.contains(&category) {
            found.push(category);
        }
    }
    Ok(found.join(";"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[&str]) -> String {
        let counts = COUNTS.map(|(runs, failures, _)| format!("{runs},{failures}")).join(",");
        format!("project,commit,module,test,kinds,{counts}\n{}\n", rows.join("\n"))
    }

    #[test]
    fn stable_means_that_a_test_ran_often_enough_and_never_failed() {
        let zeros = ",0,0".repeat(7);
        let text = table(&[
            &format!("o/r,c,.,a.B#stable,,3,0,5,0,5,0{zeros}"),
            &format!("o/r,c,.,a.B#seldom,,3,0,4,0,5,0{zeros}"),
            &format!("o/r,c,.,a.B#broken,,3,3,5,5,5,5{zeros}"),
            &format!("o/r,c,.,a.B#flaky,unspecified;random,3,1,5,5,5,0{zeros}"),
        ]);
        let labels = proven(text.as_bytes()).expect("it reads");
        let tests = &labels["o+r"].tests;
        assert_eq!(tests.keys().collect::<Vec<_>>(), ["a.B#flaky", "a.B#stable"]);
        assert_eq!(tests["a.B#flaky"].category.as_deref(), Some("ID;NOD"));
        assert_eq!(tests["a.B#flaky"].runs, Some((6, 7)));
        assert!(!tests["a.B#stable"].flaky);
        let wrong = text.replace("unspecified;random", "sometimes");
        let message = proven(wrong.as_bytes()).expect_err("it is refused").to_string();
        assert!(message.contains("line 5") && message.contains("sometimes"), "{message}");
    }
}
