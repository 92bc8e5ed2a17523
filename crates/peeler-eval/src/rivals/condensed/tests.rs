//! Tests of condensed FLAST models.

use super::super::flast::Flast;
use super::super::tests::{Corpus, MadeTest};
use super::{CondensedTests, StoredTests, thinned};
use peeler_learning::predictor::{Model, Training};

fn crowd() -> Corpus {
    let mut corpus = Corpus::new();
    for index in 0..100 {
        let text = format!("assert list{index} size map{} equals ( ) ;", index % 3);
        corpus = corpus.with(&format!("s.Stable#t{index:03}"), &text, false);
    }
    for index in 0..5 {
        let text = format!("Thread . sleep ( {index} ) ; latch . await ( ) ;");
        corpus = corpus.with(&format!("f.Flaky#t{index:02}"), &text, true);
    }
    corpus
}

#[test]
fn all_flaky_tests_and_sixteen_stable_ones_for_each_are_kept_whatever_their_order() {
    let corpus = crowd();
    let names = |training: &Training<'_>| {
        let mut names: Vec<_> = thinned(training, 1)
            .tests
            .iter()
            .map(|it| it.features.name.to_string())
            .collect();
        names.sort();
        names
    };
    let kept = names(&corpus.training());
    assert_eq!(kept.len(), 5 + 80);
    assert_eq!(kept.iter().filter(|it| it.starts_with("f.Flaky")).count(), 5);
    assert_eq!(kept, names(&corpus.reversed()));
    assert_eq!(CondensedTests::learn(&corpus.training(), 1).tests(), (85, 5));
}

#[test]
fn tests_of_one_class_are_drawn_one_by_one() {
    let mut corpus = Corpus::new();
    for class in 0..20 {
        for test in 0..8 {
            corpus = corpus.with(&format!("a.Class{class:02}Test#t{test}"), "assert", false);
        }
    }
    for index in 0..5 {
        corpus = corpus.with(&format!("a.Flaky#t{index}"), "sleep", true);
    }
    let kept = thinned(&corpus.training(), 1).tests;
    let of = |class: usize| {
        let name = format!("a.Class{class:02}Test#");
        kept.iter()
            .filter(|it| it.features.name.as_str().starts_with(&name))
            .count()
    };
    // Half of all stable tests are drawn, but rarely all or none of one class.
    let divided = (0..20).filter(|class| (1..8).contains(&of(*class))).count();
    assert!(divided >= 18, "{divided} of 20");
}

#[test]
fn another_seed_draws_other_stable_tests() {
    let corpus = crowd();
    let names = |seed| -> Vec<_> {
        let kept = thinned(&corpus.training(), seed).tests;
        kept.into_iter().map(|it| it.features.name.to_string()).collect()
    };
    assert_ne!(names(1), names(2));
}

#[test]
fn it_judges_as_flast_with_the_same_tests_does_before_and_after_storing() {
    let corpus = crowd();
    let tests = [
        MadeTest::new("q.Q#a", "Thread . sleep ( 99 ) ; latch . await ( ) ;"),
        MadeTest::new("q.Q#b", "assert list3 sleep ( map1 ) ;"),
        MadeTest::new("q.Q#c", ""),
    ];
    let whole = Flast::default().learn(&thinned(&corpus.training(), 1), 1);
    let condensed = CondensedTests::learn(&corpus.training(), 1);
    let bytes = postcard::to_stdvec(&condensed.stored()).expect("plain data");
    let stored: StoredTests = postcard::from_bytes(&bytes).expect("what was written");
    let read = CondensedTests::from_stored(stored).expect("a whole form");
    for test in &tests {
        let test = &test.features();
        let score = whole.predict(test).score.to_bits();
        assert_eq!(condensed.predict(test).score.to_bits(), score);
        assert_eq!(read.predict(test).score.to_bits(), score);
    }
    assert_eq!(read.stored(), condensed.stored());
}

#[test]
fn nothing_that_could_be_read_is_stored() {
    let bytes = postcard::to_stdvec(&CondensedTests::learn(&crowd().training(), 1).stored()).expect("plain data");
    for text in ["Thread", "sleep", "latch", "Flaky", "Stable", "assert"] {
        let found = bytes.windows(text.len()).any(|it| it == text.as_bytes());
        assert!(!found, "{text}");
    }
}

#[test]
fn a_form_that_does_not_fit_together_is_refused() {
    let whole = || CondensedTests::learn(&crowd().training(), 1).stored();
    let refused = |spoil: &dyn Fn(&mut StoredTests), words: &str| {
        let mut stored = whole();
        spoil(&mut stored);
        let error = CondensedTests::from_stored(stored).expect_err(words).to_string();
        assert!(error.contains(words), "{error}");
    };
    assert!(CondensedTests::from_stored(whole()).is_ok());
    refused(&|it| it.projection.dimensions = 0, "to 0 dimensions");
    refused(&|it| it.projection.density = f64::NAN, "density NaN");
    refused(&|it| it.sigma = 2.0, "sigma of 2");
    refused(&|it| it.flaky.push(true), "do not fit together");
    refused(&|it| it.gaps.push(1), "do not fit together");
    refused(&|it| it.sizes[0] = u32::MAX, "do not fit together");
    refused(&|it| it.gaps[0] = u32::MAX, "dimension 4294967295");
    refused(&|it| it.coordinates[0] = i32::MIN, "coordinate -2147483648");
    refused(&|it| it.coordinates[0] = 0, "coordinate 0");
}
