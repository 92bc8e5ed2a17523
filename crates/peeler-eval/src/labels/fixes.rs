//! Tests whose flakiness a pull request fixed, as the IDoFT collection lists them.

use std::collections::BTreeMap;
use std::io::Read;

use peeler_features::TestName;

use super::table::{LabelError, Table, dotted_name};

/// The status of rows whose pull request became part of the project.
const ACCEPTED: &str = "Accepted";

/// The accepted fix of a flaky test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedFix {
    /// The name of the fixed test.
    pub test: TestName,
    /// The category of the flakiness that was fixed, such as `ID`.
    pub category: String,
    /// The number of the pull request that fixed the test.
    pub pull_request: u64,
}

/// Reads a table `repository,test,status,pr,category` and returns the accepted fixes of each repository. Rows without
/// the number of a pull request are left out.
///
/// # Errors
///
/// When a column is missing, a test is not written as `package.Class.method`, or no fix is accepted.
pub fn read_fixes(file: impl Read) -> Result<BTreeMap<String, Vec<AcceptedFix>>, LabelError> {
    let columns = ["repository", "test", "status", "pr"];
    let rows = Table::open(file, "fixes", &columns)?.rows(|row, line| {
        let Some(pull_request) = number(row[3]).filter(|_| row[2].trim() == ACCEPTED) else {
            return Ok(None);
        };
        let fix = AcceptedFix {
            test: dotted_name(row[1], line)?,
            category: row[4].to_owned(),
            pull_request,
        };
        Ok(Some((row[0].to_owned(), fix)))
    })?;
    let mut fixes: BTreeMap<String, Vec<AcceptedFix>> = BTreeMap::new();
    for (repository, fix) in rows.into_iter().flatten() {
        fixes.entry(repository).or_default().push(fix);
    }
    if fixes.is_empty() {
        return Err(LabelError::Empty);
    }
    Ok(fixes)
}

/// The number of a pull request in its address: 7 for `https://example.org/owner/name/pull/7`.
fn number(address: &str) -> Option<u64> {
    let (_, rest) = address.split_once("/pull/")?;
    let digits = rest.split(|it: char| !it.is_ascii_digit()).next()?;
    digits.parse().ok()
}
