//! Label files: lists of tests that are known to be flaky or stable.
//!
//! Four layouts are supported:
//!
//! | layout | columns | test names |
//! |---|---|---|
//! | `flakeflagger` | `project,test,flaky,failing_runs,passing_runs` | `package.Class#method[i]` |
//! | `idoft` | `repository,commit,module,test,category,status` | `package.Class.method` |
//! | `csv` | `project,test,label[,category]`, label `flaky` or `stable` | `package.Class#method` |
//! | `proven` | `project,test,kinds,plain_runs,plain_failures,...` | `package.Class#method` |
//!
//! In the `idoft` layout unlisted tests count as stable if their module has a listed test.
//!
//! A line that cannot be read is an error, because silently lost labels falsify the metrics.

mod fixes;
mod known;
mod proven;
mod table;

use std::collections::BTreeMap;
use std::io::Read;

use peeler_features::TestName;

pub use fixes::{AcceptedFix, read_fixes};
pub use known::{KnownLabel, Labels, ProjectLabels, STABLE_IN_ALL_KINDS, project_of};
pub use table::LabelError;
use table::{Table, dotted_name, test_name};

/// The layout of a label file: its columns and how it writes the names of tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// The layout of the FlakeFlagger study: `project,test,flaky,failing_runs,passing_runs`.
    FlakeFlagger,
    /// The layout of the IDoFT collection: `repository,commit,module,test,category,status`.
    Idoft,
    /// The layout `project,test,label[,category]`, as `peeler confirm --write-labels` writes it.
    Csv,
    /// The layout of `peeler confirm --write-outcomes`: runs and failures under each change of the environment.
    Proven,
}

/// Reads a label file.
///
/// `commits` holds the checked-out commit of projects, for the IDoFT layout. For a project without one, the commit with
/// most labels is taken.
///
/// # Errors
///
/// When the file does not have the layout. The error names the line and the remedy.
pub fn read_labels(file: impl Read, layout: Layout, commits: &BTreeMap<String, String>) -> Result<Labels, LabelError> {
    let labels = match layout {
        Layout::FlakeFlagger => flakeflagger(file)?,
        Layout::Idoft => idoft(file, commits)?,
        Layout::Csv => plain(file)?,
        Layout::Proven => proven::proven(file)?,
    };
    if labels.is_empty() {
        return Err(LabelError::Empty);
    }
    Ok(labels)
}

/// Reads a table `project,repository,commit` and returns the commit of each project.
///
/// # Errors
///
/// When a column is missing.
pub fn read_commits(file: impl Read) -> Result<BTreeMap<String, String>, LabelError> {
    let table = Table::open(file, "projects", &["project", "commit"])?;
    table
        .rows(|row, _| Ok((row[0].to_owned(), row[1].to_owned())))
        .map(|rows| rows.into_iter().collect())
}

/// Reads a table `project,test,seconds` and returns the seconds of one run by project and test.
///
/// # Errors
///
/// When a column is missing, a name is not a test, or a time is negative or not a number.
pub fn read_run_times(file: impl Read) -> Result<BTreeMap<(String, TestName), f64>, LabelError> {
    let table = Table::open(file, "times", &["project", "test", "seconds"])?;
    let rows = table.rows(|row, line| match row[2].trim().parse::<f64>() {
        Ok(seconds) if seconds >= 0.0 => Ok(((row[0].to_owned(), test_name(row[1], line)?), seconds)),
        _ => Err(LabelError::BadValue {
            line,
            value: row[2].to_owned(),
            what: "time",
            remedy: "write seconds, such as 0.25",
        }),
    })?;
    Ok(rows.into_iter().collect())
}

fn flakeflagger(file: impl Read) -> Result<Labels, LabelError> {
    let columns = ["project", "test", "flaky", "failing_runs", "passing_runs"];
    let rows = Table::open(file, "flakeflagger", &columns)?.rows(|row, line| {
        let flaky = match row[2] {
            "1" => true,
            "0" => false,
            other => {
                return Err(LabelError::BadValue {
                    line,
                    value: other.to_owned(),
                    what: "flaky flag",
                    remedy: "write 0 or 1",
                });
            }
        };
        let count = |text: &str| {
            text.parse::<u64>().map_err(|_| LabelError::BadValue {
                line,
                value: text.to_owned(),
                what: "number of runs",
                remedy: "write a whole number",
            })
        };
        let runs = (count(row[3])?, count(row[4])?);
        Ok((row[0].to_owned(), test_name(row[1], line)?, flaky, runs))
    })?;
    let mut labels = Labels::new();
    for (project, test, flaky, (failing, passing)) in rows {
        // All parameter sets of one method are one test, which is flaky if one of them is.
        let known = labels.entry(project).or_default().tests.entry(test).or_default();
        known.flaky |= flaky;
        let (failed, passed) = known.runs.unwrap_or((0, 0));
        known.runs = Some((failed + failing, passed + passing));
        known.rows += 1;
    }
    Ok(labels)
}

fn idoft(file: impl Read, commits: &BTreeMap<String, String>) -> Result<Labels, LabelError> {
    let columns = ["repository", "commit", "module", "test"];
    let rows = Table::open(file, "idoft", &columns)?.rows(|row, line| {
        let fields = [row[0], row[1], row[2], row[4]].map(str::to_owned);
        Ok((fields, dotted_name(row[3], line)?))
    })?;
    let mut counts: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    for ([repository, commit, ..], _) in &rows {
        *counts
            .entry(project_of(repository))
            .or_default()
            .entry(commit.clone())
            .or_default() += 1;
    }
    let chosen = |project: &String| {
        commits.get(project).cloned().or_else(|| {
            // Among commits with equally many labels the smallest is chosen, so that the result is deterministic.
            let best = counts[project]
                .iter()
                .max_by_key(|(commit, count)| (**count, std::cmp::Reverse(*commit)));
            best.map(|(commit, _)| commit.clone())
        })
    };
    let mut labels = Labels::new();
    for ([repository, commit, module, category], test) in rows {
        let project = project_of(&repository);
        let is_here = chosen(&project).as_ref() == Some(&commit);
        let known = labels.entry(project).or_default();
        let modules = known.stable_modules.get_or_insert_default();
        if is_here {
            if !modules.contains(&module) {
                modules.push(module);
            }
            known.tests.insert(
                test,
                KnownLabel {
                    flaky: true,
                    category: (!category.is_empty()).then_some(category),
                    runs: None,
                    rows: 1,
                },
            );
        } else {
            known.elsewhere.push(test);
        }
    }
    Ok(labels)
}

fn plain(file: impl Read) -> Result<Labels, LabelError> {
    let rows = Table::open(file, "csv", &["project", "test", "label"])?.rows(|row, line| {
        let flaky = match row[2].trim() {
            "flaky" => true,
            "stable" => false,
            other => {
                return Err(LabelError::BadValue {
                    line,
                    value: other.to_owned(),
                    what: "label",
                    remedy: "write flaky or stable",
                });
            }
        };
        let category = (!row[3].is_empty()).then(|| row[3].to_owned());
        Ok((row[0].to_owned(), test_name(row[1], line)?, flaky, category))
    })?;
    let mut labels = Labels::new();
    for (project, test, flaky, category) in rows {
        let label = KnownLabel {
            flaky,
            category,
            runs: None,
            rows: 1,
        };
        labels.entry(project).or_default().tests.insert(test, label);
    }
    Ok(labels)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Layout, read_labels};

    fn message(text: &str, layout: Layout) -> String {
        read_labels(text.as_bytes(), layout, &BTreeMap::new())
            .expect_err("it is refused")
            .to_string()
    }

    #[test]
    fn parameter_sets_are_one_test() {
        let text = "project,test,flaky,failing_runs,passing_runs\np,a.B#c[0],0,0,10\np,a.B#c[1],1,2,8\n";
        let labels = read_labels(text.as_bytes(), Layout::FlakeFlagger, &BTreeMap::new()).expect("it reads");
        let label = &labels["p"].tests["a.B#c"];
        assert!(label.flaky);
        assert_eq!(label.runs, Some((2, 18)));
    }

    #[test]
    fn idoft_takes_the_commit_with_most_labels_and_leaves_others_out() {
        let text = "repository,commit,module,test,category,status\n\
                    o/r,c1,m,a.B.one,ID,x\no/r,c1,m,a.B.two,OD,x\no/r,c2,m,a.B.three,ID,x\n";
        let labels = read_labels(text.as_bytes(), Layout::Idoft, &BTreeMap::new()).expect("it reads");
        let project = &labels["o+r"];
        assert_eq!(project.tests.keys().collect::<Vec<_>>(), ["a.B#one", "a.B#two"]);
        assert_eq!(project.elsewhere, ["a.B#three"]);
        assert_eq!(project.stable_modules.as_deref(), Some(&["m".to_owned()][..]));
        let commits = BTreeMap::from([("o+r".to_owned(), "c2".to_owned())]);
        let labels = read_labels(text.as_bytes(), Layout::Idoft, &commits).expect("it reads");
        assert_eq!(labels["o+r"].tests.keys().collect::<Vec<_>>(), ["a.B#three"]);
    }

    #[test]
    fn a_wrong_file_names_the_line_and_the_remedy() {
        assert_eq!(
            message("project,test,label\np,a.B#c,maybe\n", Layout::Csv),
            "line 2: `maybe` is not a label; write flaky or stable"
        );
        assert_eq!(
            message("project,test\np,a.B#c\n", Layout::Csv),
            "line 1: no column `label`; the csv layout has the columns project, test, label"
        );
        assert_eq!(
            message("project,test,label\np,a.B.c,flaky\n", Layout::Csv),
            "line 2: `a.B.c` is not a test; write it as package.Class#method"
        );
        assert!(message("project,test,label\n", Layout::Csv).contains("no labels"));
    }

    // `peeler_rerun::report` has a test that writes this text.
    #[test]
    fn labels_of_a_confirmation_are_read() {
        let text =
            "project,test,label,category\n\"my, shop\",a.B$C#flaky,flaky,chance\n\"my, shop\",a.B#stable,stable,\n";
        let labels = read_labels(text.as_bytes(), Layout::Csv, &BTreeMap::new()).expect("it reads");
        let tests = &labels["my, shop"].tests;
        let flaky = &tests["a.B$C#flaky"];
        assert_eq!((flaky.flaky, flaky.category.as_deref()), (true, Some("chance")));
        assert_eq!((tests["a.B#stable"].flaky, tests.len()), (false, 2));
    }

    #[test]
    fn idoft_lists_tests_of_other_languages() {
        let text = "repository,commit,module,test,category,status\no/r,c,m,a.Spec.adds two numbers,ID,x\n";
        let labels = read_labels(text.as_bytes(), Layout::Idoft, &BTreeMap::new()).expect("it reads");
        assert!(labels["o+r"].tests.contains_key("a.Spec#adds_two_numbers"));
    }
}
