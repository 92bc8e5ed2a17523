//! Finds the test that a user names, and the errors for one that does not exist.
//!
//! ```text
//! shop.orders.CartTest#prints     the whole name
//! CartTest#prints                 the simple name of the class, if it names one test only
//! prints                          the method alone, if it names one test only
//! ```

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::bail;
use peeler_analysis::{Analysis, Repository};
use peeler_features::TestName;

use crate::nearest_names::nearest;

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

/// The test that a user names by its whole name, or by the end of it that starts with a class or is the method.
pub(super) fn find_test(analysis: &Analysis<'_>, wanted: &str, path: &Path) -> anyhow::Result<TestName> {
    let mut tests: Vec<TestName> = analysis.test_cases().into_iter().map(|case| case.name).collect();
    tests.sort();
    tests.dedup();
    if let Some(exact) = tests.iter().find(|it| it.as_str() == wanted) {
        return Ok(exact.clone());
    }
    let is_end = |it: &&TestName| {
        let before: &[char] = if wanted.contains('#') { &['.', '$'] } else { &['#'] };
        let start = it.as_str().strip_suffix(wanted);
        start.is_some_and(|it| it.ends_with(before))
    };
    let ends: Vec<&TestName> = tests.iter().filter(is_end).collect();
    match ends.as_slice() {
        [only] => Ok((*only).clone()),
        [] => Err(no_such_test(&tests, wanted, path)),
        several => bail!(
            "several tests are called {wanted} below {}: {}; name one of them in full",
            path.display(),
            listed(several.iter().map(|it| it.as_str()))
        ),
    }
}

/// The error for a test that does not exist. It suggests tests of the same class or method, or those with similar
/// names.
fn no_such_test(tests: &[TestName], wanted: &str, path: &Path) -> anyhow::Error {
    let (class, method) = wanted.split_once('#').unwrap_or((wanted, ""));
    let simple = class.rsplit(['.', '$']).next().unwrap_or(class);
    let simple_of = |it: &TestName| it.class().rsplit(['.', '$']).next().unwrap_or_default().to_owned();
    let classes: BTreeSet<String> = tests.iter().map(simple_of).collect();
    let near_classes = match classes.get(simple) {
        Some(exact) => vec![exact.as_str()],
        None => nearest(simple, classes.iter().map(String::as_str)),
    };
    let is_of_class = |it: &&TestName| near_classes.contains(&simple_of(it).as_str());
    let of_class: Vec<&TestName> = tests.iter().filter(is_of_class).collect();
    let methods = nearest(method, of_class.iter().map(|it| it.method()));
    let short = format!("{simple}#{method}");
    let near = nearest(&short, tests.iter().map(TestName::short));
    let of_methods = of_class.iter().copied().filter(|it| methods.contains(&it.method()));
    let of_method = tests.iter().filter(|it| it.method() == method);
    let of_name = tests.iter().filter(|it| near.contains(&it.short()));
    // The first of these lists that has an entry is the best guess.
    let guesses: [Vec<&TestName>; 4] = [
        of_methods.collect(),
        of_method.collect(),
        of_name.collect(),
        of_class.clone(),
    ];
    let likely = guesses.into_iter().find(|it| !it.is_empty()).unwrap_or_default();
    let hint = if likely.is_empty() {
        "run `peeler extract` without --test to list all tests".to_owned()
    } else {
        format!("did you mean {}?", listed(likely.iter().map(|it| it.as_str())))
    };
    anyhow::anyhow!("no test {wanted} below {}; {hint}", path.display())
}

/// The first names of a list, with `or` between them, and the number of the others.
fn listed<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    let more = match names.len().saturating_sub(MOST_SUGGESTIONS) {
        0 => String::new(),
        more => format!(" or one of {more} more"),
    };
    let first: Vec<&str> = names.take(MOST_SUGGESTIONS).collect();
    format!("{}{more}", first.join(" or "))
}
