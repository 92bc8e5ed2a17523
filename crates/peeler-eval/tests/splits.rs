//! Tests that each split keeps related tests on one side.

mod made;

use std::collections::BTreeSet;

use peeler_eval::corpus::TestRecord;
use peeler_eval::splits::{Fold, Split, folds, leakage};

fn tests(corpus: &peeler_eval::corpus::Corpus) -> Vec<&TestRecord> {
    corpus.tests.iter().collect()
}

/// Asserts that training, validation and test sides have no `key` in common.
fn separates(tests: &[&TestRecord], folds: &[Fold], key: impl Fn(&TestRecord) -> u32) {
    for fold in folds {
        let keys = |places: &[usize]| places.iter().map(|at| key(tests[*at])).collect::<BTreeSet<_>>();
        let (training, validation, test) = (keys(&fold.training), keys(&fold.validation), keys(&fold.test));
        assert!(
            training.is_disjoint(&test),
            "training and test share {training:?} {test:?}"
        );
        assert!(validation.is_disjoint(&test), "validation and test share");
        assert!(validation.is_disjoint(&training), "validation and training share");
    }
}

fn judges_everything_once(count: usize, folds: &[Fold]) {
    let mut judged: Vec<usize> = folds.iter().flat_map(|it| it.test.clone()).collect();
    judged.sort_unstable();
    assert_eq!(judged, (0..count).collect::<Vec<_>>());
    for fold in folds {
        assert_eq!(fold.training.len() + fold.validation.len() + fold.test.len(), count);
        assert!(!fold.validation.is_empty(), "there is something to validate on");
    }
}

#[test]
fn random_folds_are_stratified() {
    let corpus = made::corpus(4, 10, 10);
    let tests = tests(&corpus);
    let folds = folds(&tests, Split::Random, 10, 1);
    judges_everything_once(tests.len(), &folds);
    for fold in &folds {
        let flaky = fold.test.iter().filter(|at| tests[**at].flaky).count();
        assert_eq!((fold.test.len(), flaky), (40, 8));
    }
}

#[test]
fn class_folds_never_divide_a_group_of_classes() {
    let corpus = made::corpus(4, 10, 10);
    let tests = tests(&corpus);
    let folds = folds(&tests, Split::Class, 10, 1);
    judges_everything_once(tests.len(), &folds);
    separates(&tests, &folds, |it| it.group);
}

#[test]
fn family_folds_never_divide_classes_of_one_superclass() {
    let corpus = made::corpus(4, 10, 10);
    let tests = tests(&corpus);
    let folds = folds(&tests, Split::Family, 10, 1);
    judges_everything_once(tests.len(), &folds);
    separates(&tests, &folds, |it| it.family);
}

#[test]
fn few_projects_are_left_out_one_by_one_and_many_in_folds() {
    let corpus = made::corpus(6, 3, 10);
    let few = tests(&corpus);
    let left_out = folds(&few, Split::Project, 10, 1);
    assert_eq!(left_out.len(), 6);
    judges_everything_once(few.len(), &left_out);
    separates(&few, &left_out, |it| it.project);
    let corpus = made::corpus(60, 2, 5);
    let many = tests(&corpus);
    let grouped = folds(&many, Split::Project, 10, 1);
    assert_eq!(grouped.len(), 10);
    judges_everything_once(many.len(), &grouped);
    separates(&many, &grouped, |it| it.project);
}

#[test]
fn a_seed_gives_its_folds_and_another_seed_others() {
    let corpus = made::corpus(4, 10, 10);
    let tests = tests(&corpus);
    assert_eq!(folds(&tests, Split::Class, 10, 7), folds(&tests, Split::Class, 10, 7));
    assert_ne!(folds(&tests, Split::Class, 10, 7), folds(&tests, Split::Class, 10, 8));
}

#[test]
fn copies_across_a_fold_are_counted() {
    let corpus = made::corpus(2, 5, 20);
    let tests = tests(&corpus);
    let counted = leakage(&tests, &folds(&tests, Split::Random, 10, 1));
    assert_eq!(counted.tests, 200);
    // Bags repeat every 40 and 30 tests, so almost every test has a copy elsewhere.
    assert!(counted.same_tokens > 150, "{counted:?}");
    assert!(counted.same_paths > 150, "{counted:?}");
}
