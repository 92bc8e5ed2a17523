//! Errors for a named test that does not exist, and for a repository without any test.

use std::path::Path;

use anyhow::bail;
use peeler_analysis::{Analysis, Repository};
use peeler_features::TestName;

/// Returns an error if no test was found in a repository.
pub(super) fn require_tests(analysis: &Analysis<'_>, repository: &Repository, path: &Path) -> anyhow::Result<()> {
    if analysis.is_empty() {
        bail!(
            "no tests found in the {} Java files below {}; Peeler recognises JUnit 3, 4, 5 and TestNG tests written in \
             Java. Is this the root of the repository?",
            repository.files().len(),
            path.display()
        );
    }
    Ok(())
}

/// The most tests that an error message suggests instead of a test that does not exist.
const MOST_SUGGESTIONS: usize = 5;

/// The error for a test that does not exist. It suggests tests with the same method name or class name.
pub(super) fn no_such_test(analysis: &Analysis<'_>, wanted: &str, path: &Path) -> anyhow::Error {
    let name = wanted.parse::<TestName>().ok();
    let (class, method) = name.as_ref().map_or((wanted, wanted), |it| (it.class(), it.method()));
    let simple = class.rsplit(['.', '$']).next().unwrap_or(class);
    let near: Vec<String> = analysis
        .test_cases()
        .into_iter()
        .map(|case| case.name)
        .filter(|name| name.method() == method || name.class().ends_with(simple))
        .take(MOST_SUGGESTIONS)
        .map(String::from)
        .collect();
    let hint = if near.is_empty() {
        "run `peeler extract` without --test to list all tests".to_owned()
    } else {
        format!("did you mean {}?", near.join(" or "))
    };
    anyhow::anyhow!("no test {wanted} below {}; {hint}", path.display())
}
