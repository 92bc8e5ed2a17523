//! Tests that a scan with cached results reports the same as a scan without, whatever was edited in between.
//!
//! Edits are drawn at random, the same ones in every run. Names are replaced by others that exist elsewhere, and files
//! are moved, copied, deleted and restored. Members, supertypes, imports, settings and lists of ignored files are added
//! and removed. Reports of all formats and of several selections of rules are compared as a whole.
//!
//! | environment variable | meaning |
//! |---|---|
//! | `PROPTEST_CASES` | the number of edited repositories; a regular test has few |
//! | `WARM_SEED` | another sequence of edits |
//! | `PEELER_BINARY` | the program to test, for example a release build |

mod comparison;
mod edits;
mod known_edits;
mod repository;
mod sources;
#[path = "../support/mod.rs"]
mod support;

use std::cell::Cell;
use std::env;

use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

use comparison::{difference, warm_up};
use edits::Step;
use repository::SCANS;
use sources::Sources;
use support::Project;

/// The number of repositories that are edited, unless the environment sets another. A debug build takes about a minute.
const CASES: u32 = 6;
/// The maximum number of compared scans of each repository.
const MOST_STEPS: usize = 8;
/// The maximum number of edits between two scans.
const MOST_EDITS: usize = 3;

/// Makes the edits of one case, and compares a warm with a cold scan after each step.
fn check(steps: &[Step], edits: &Cell<usize>) -> Result<(), TestCaseError> {
    let mut sources = Sources::new();
    let project = Project::empty();
    sources.write(&project, &Sources::default());
    // The findings of a baseline that some of the scans use.
    let write = [
        "--write-baseline",
        "known.json",
        "--select",
        "PLR1,PLR2",
        "--min-probability",
        "1",
    ];
    project.peeler(&[&["scan", "--no-cache"], &write[..]].concat()).ended(0);
    warm_up(&project, SCANS[0]);
    for step in steps {
        let before = sources.clone();
        for edit in &step.edits {
            sources.edit(edit);
        }
        sources.write(&project, &before);
        edits.set(edits.get() + step.edits.len());
        // Every second comparison is that of the report with most details.
        let all = [vec![SCANS[0]; SCANS.len()].as_slice(), SCANS].concat();
        let options = *step.scan.get(&all);
        if let Some(difference) = difference(&project, options) {
            let changed = changes(&before, &sources);
            return Err(TestCaseError::fail(format!(
                "{options:?} {difference}\n{step:?}\n\nchanged\n{changed}\nafter\n{sources}"
            )));
        }
    }
    Ok(())
}

/// The files that differ, as they were before.
fn changes(before: &Sources, after: &Sources) -> Sources {
    let mut changed = before.clone();
    changed.0.retain(|path, text| after.0.get(path) != Some(text));
    let new = after.0.keys().filter(|it| !before.0.contains_key(*it));
    changed.0.extend(new.map(|it| (it.clone(), "new\n".to_owned())));
    changed
}

/// The value of an environment variable that is a number.
fn number<N: std::str::FromStr>(variable: &str) -> Option<N> {
    env::var(variable).ok()?.parse().ok()
}

#[test]
fn a_warm_scan_equals_a_cold_one_after_any_edits() {
    let config = Config {
        cases: number("PROPTEST_CASES").unwrap_or(CASES),
        failure_persistence: None,
        max_shrink_iters: number("PROPTEST_MAX_SHRINK_ITERS").unwrap_or(60),
        ..Config::default()
    };
    let cases = config.cases;
    let random = number::<u64>("WARM_SEED").map_or_else(
        || TestRng::deterministic_rng(RngAlgorithm::ChaCha),
        |seed| {
            let mut bytes = [0; 32];
            bytes[..8].copy_from_slice(&seed.to_le_bytes());
            TestRng::from_seed(RngAlgorithm::ChaCha, &bytes)
        },
    );
    let mut runner = TestRunner::new_with_rng(config, random);
    let edits = Cell::new(0);
    let result = runner.run(&edits::steps(MOST_STEPS, MOST_EDITS), |steps| {
        check(&steps, &edits)?;
        println!("{} edits", edits.get());
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    println!("{} edits of {cases} repositories without a difference", edits.get());
}
