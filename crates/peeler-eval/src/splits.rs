//! Splits: which tests a predictor learns from, and which it is evaluated on.
//!
//! | split | what is never on both sides |
//! |---|---|
//! | random | single tests; folds are stratified by label, as in the papers |
//! | class | tests of one class, and tests inherited from the same class |
//! | family | classes with a common superclass in the repository; this may be a whole project |
//! | project | tests of one project; projects are held out one at a time, or in folds if there are many |
//!
//! Every training side has a validation part, on which thresholds and other settings are chosen. Tests that a split
//! keeps together are not divided between this part and the rest either. The same seed gives the same folds.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::corpus::TestRecord;

/// The rule by which tests are divided into folds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Split {
    /// Every test is assigned to a fold on its own. Folds have about the same share of flaky tests.
    Random,
    /// All tests of a class, and tests inherited from the same class, are in one fold.
    Class,
    /// All tests of classes with a common superclass in the repository are in one fold.
    Family,
    /// All tests of a project are in one fold.
    Project,
}

/// One division of tests into those for training, validation and testing, as indices of tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fold {
    /// The indices of the tests that a predictor learns from.
    pub training: Vec<usize>,
    /// The indices of the tests on which thresholds and settings are chosen; not part of `training`.
    pub validation: Vec<usize>,
    /// The indices of the tests that a predictor is evaluated on.
    pub test: Vec<usize>,
}

/// The maximum number of projects for which a split by project has one fold for each project.
const LEAVE_ONE_OUT_UNTIL: usize = 30;
/// The divisor of the share of a training side that is used for validation: 8 means an eighth.
const VALIDATION_SHARE: usize = 8;

/// The folds of the tests: at most `folds`, but at least two. A split by project has one fold for each project, if
/// there are at most `LEAVE_ONE_OUT_UNTIL` projects.
#[must_use]
pub fn folds(tests: &[&TestRecord], split: Split, folds: usize, seed: u64) -> Vec<Fold> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let units = units_of(tests, split);
    let projects = tests.iter().map(|it| it.project).collect::<FxHashSet<_>>().len();
    let count = match split {
        Split::Project if projects <= LEAVE_ONE_OUT_UNTIL => units.len(),
        _ => folds.min(units.len()).max(2),
    };
    let assigned = assign(tests, &units, count, &mut random);
    (0..count)
        .map(|fold| divide(tests, &units, &assigned, fold, &mut random))
        .filter(|fold| !fold.test.is_empty())
        .collect()
}

/// Divides tests into at most `count` parts with about the same number of flaky tests. Tests that `split` keeps
/// together are in one part.
///
/// A part may hold several projects.
#[must_use]
pub fn parts(tests: &[&TestRecord], split: Split, count: usize, seed: u64) -> Vec<Vec<usize>> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let units = units_of(tests, split);
    let assigned = assign(tests, &units, count.min(units.len()).max(1), &mut random);
    let mut parts = vec![Vec::new(); count];
    for (unit, part) in units.iter().zip(assigned) {
        parts[part].extend(unit);
    }
    parts.retain(|it| !it.is_empty());
    parts
}

/// The groups of tests that a split keeps together, as indices of tests, in the order of their first tests.
fn units_of(tests: &[&TestRecord], split: Split) -> Vec<Vec<usize>> {
    let mut places: FxHashMap<u64, usize> = FxHashMap::default();
    let mut units: Vec<Vec<usize>> = Vec::new();
    for (at, test) in tests.iter().enumerate() {
        let key = match split {
            Split::Random => at as u64,
            Split::Class => u64::from(test.group),
            Split::Family => u64::from(test.family),
            Split::Project => u64::from(test.project),
        };
        let place = *places.entry(key).or_insert_with(|| {
            units.push(Vec::new());
            units.len() - 1
        });
        units[place].push(at);
    }
    units
}

/// The fold of every group of tests that a split keeps together.
///
/// Groups with flaky tests come first and go to the fold with the fewest flaky tests, then the fewest tests. Other
/// groups go to the fold with the fewest tests.
fn assign(tests: &[&TestRecord], units: &[Vec<usize>], count: usize, random: &mut ChaCha8Rng) -> Vec<usize> {
    if count == units.len() {
        return (0..count).collect();
    }
    let flaky = |unit: &Vec<usize>| unit.iter().filter(|at| tests[**at].flaky).count();
    let mut order: Vec<usize> = (0..units.len()).collect();
    order.shuffle(random);
    order.sort_by_key(|at| std::cmp::Reverse((flaky(&units[*at]), units[*at].len())));
    let mut loads = vec![(0, 0); count];
    let mut assigned = vec![0; units.len()];
    for at in order {
        let own = flaky(&units[at]);
        let fold = (0..count)
            .min_by_key(|fold| {
                if own > 0 {
                    (loads[*fold].0, loads[*fold].1)
                } else {
                    (0, loads[*fold].1)
                }
            })
            .unwrap_or(0);
        loads[fold].0 += own;
        loads[fold].1 += units[at].len();
        assigned[at] = fold;
    }
    assigned
}

/// The fold with number `fold`: its groups of tests are the test side, all others are divided into training and
/// validation.
fn divide(
    tests: &[&TestRecord],
    units: &[Vec<usize>],
    assigned: &[usize],
    fold: usize,
    random: &mut ChaCha8Rng,
) -> Fold {
    let mut outside: Vec<&Vec<usize>> = Vec::new();
    let mut test = Vec::new();
    for (unit, own) in units.iter().zip(assigned) {
        if *own == fold {
            test.extend(unit);
        } else {
            outside.push(unit);
        }
    }
    outside.shuffle(random);
    // Units without flaky tests come first, then those with flaky tests.
    outside.sort_by_key(|unit| unit.iter().any(|at| tests[*at].flaky));
    let all: usize = outside.iter().map(|it| it.len()).sum();
    let flaky = |at: &&usize| tests[**at].flaky;
    let all_flaky: usize = outside.iter().map(|it| it.iter().filter(flaky).count()).sum();
    // With few projects none may be small enough. Then the smallest one with a flaky test is used for validation.
    let with_flaky = || {
        outside
            .iter()
            .enumerate()
            .filter(|(_, unit)| unit.iter().any(|at| tests[*at].flaky))
    };
    let fewest = with_flaky().min_by_key(|(_, unit)| unit.iter().filter(flaky).count());
    let forced = fewest.filter(|(_, unit)| {
        let own = unit.iter().filter(flaky).count();
        own * VALIDATION_SHARE > all_flaky && with_flaky().count() > 1
    });
    let forced = forced.map(|(at, _)| at);
    let (mut training, mut validation) = (Vec::new(), Vec::new());
    let mut validating_flaky = 0;
    for (at, unit) in outside.iter().enumerate() {
        let own = unit.iter().filter(flaky).count();
        let fits = if forced == Some(at) {
            true
        } else if own > 0 {
            (validating_flaky + own) * VALIDATION_SHARE <= all_flaky
        } else {
            (validation.len() + unit.len()) * VALIDATION_SHARE <= all
        };
        if fits {
            validating_flaky += own;
            validation.extend(unit.iter().copied());
        } else {
            training.extend(unit.iter().copied());
        }
    }
    test.sort_unstable();
    training.sort_unstable();
    validation.sort_unstable();
    Fold {
        training,
        validation,
        test,
    }
}

/// Counts of evaluated tests that have a copy among the tests that were learned from in their fold. A copy is a test
/// with the same paths, or with the same tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leakage {
    /// The number of evaluated tests over all folds.
    pub tests: usize,
    /// The number of evaluated tests that have the same paths, equally often, as a training or validation test of
    /// their fold.
    pub same_paths: usize,
    /// The number of evaluated tests that have the same tokens, equally often, as a training or validation test of
    /// their fold.
    pub same_tokens: usize,
}

/// Counts the evaluated tests that have a copy on the training side of their fold, over all folds. A copy is a test
/// with the same paths, or with the same tokens.
#[must_use]
pub fn leakage(tests: &[&TestRecord], folds: &[Fold]) -> Leakage {
    let mut leakage = Leakage::default();
    for fold in folds {
        let known = || fold.training.iter().chain(&fold.validation);
        let paths: FxHashSet<u64> = known().map(|at| tests[*at].path_bag).collect();
        let tokens: FxHashSet<u64> = known().map(|at| tests[*at].token_bag).collect();
        for &at in &fold.test {
            leakage.tests += 1;
            leakage.same_paths += usize::from(paths.contains(&tests[at].path_bag));
            leakage.same_tokens += usize::from(tokens.contains(&tests[at].token_bag));
        }
    }
    leakage
}
