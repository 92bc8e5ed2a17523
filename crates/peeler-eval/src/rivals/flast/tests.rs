//! Tests of FLAST.

use super::super::projection::{Projection, target_dimension};
use super::super::tests::{Corpus, MadeTest};
use super::super::votes::{flaky_share, score};
use super::Flast;
use peeler_features::{TestFeatures, stored_hash};
use peeler_learning::predictor::{Model, Prediction};

fn predict(corpus: &Corpus, test: &MadeTest, seed: u64) -> Prediction {
    Flast::default()
        .learn(&corpus.training(), seed)
        .predict(&test.features())
}

fn crowd() -> Corpus {
    let mut corpus = Corpus::new();
    for index in 0..20 {
        let text = format!("assert list{index} size map{} equals ( ) ;", index % 3);
        corpus = corpus.with(&format!("s.Stable#t{index:02}"), &text, false);
    }
    for index in 0..5 {
        let text = format!("Thread . sleep ( {index} ) ; latch . await ( ) ;");
        corpus = corpus.with(&format!("f.Flaky#t{index:02}"), &text, true);
    }
    corpus
}

#[test]
fn dimensions_are_those_of_scikit_learn() {
    assert_eq!(target_dimension(1_000_000, 0.5), 663);
    assert_eq!(target_dimension(1_000_000, 0.1), 11_841);
    assert_eq!(target_dimension(1_703, 0.33), 700);
    assert_eq!(target_dimension(0, 0.33), target_dimension(2, 0.33));
}

#[test]
fn rows_are_as_dense_as_asked_and_signs_are_even() {
    let projection = Projection {
        seed: 5,
        dimensions: 900,
        density: 0.02,
    };
    let rows: Vec<_> = (0..2_000)
        .map(|token| projection.row(stored_hash(format!("t{token}").as_bytes())))
        .collect();
    let entries: usize = rows.iter().map(Vec::len).sum();
    assert!((35_000..37_000).contains(&entries), "{entries} of 36000 expected");
    let sum: i64 = rows.iter().flatten().map(|&(_, sign)| sign).sum();
    assert!(sum.abs() < 1_000, "signs sum up to {sum}");
    assert!(rows.iter().all(|row| row.is_sorted_by(|a, b| a.0 < b.0)));
}

#[test]
fn a_projection_of_density_one_fills_every_dimension() {
    let projection = Projection {
        seed: 5,
        dimensions: 9,
        density: 1.0,
    };
    assert_eq!(projection.row(1).len(), 9);
}

#[test]
fn neighbours_vote_with_the_inverse_of_their_distance() {
    let share = flaky_share([(0.1, true), (0.2, false), (0.4, false)].into_iter());
    assert!((share - 10.0 / 17.5).abs() < 1e-12);
    assert!(score(share, 0.5) > 0.5);
    assert!(score(share, 0.95) < 0.5);
}

#[test]
fn twins_decide_by_their_own_share() {
    let share = |neighbours: &[(f64, bool)]| flaky_share(neighbours.iter().copied());
    assert!((share(&[(0.0, true), (1e-9, false), (1e-9, false)]) - 1.0).abs() < 1e-12);
    assert!(share(&[(0.0, false), (1e-9, true)]).abs() < 1e-12);
    let disagreeing = share(&[(0.0, false), (0.0, true), (0.0, true), (1e-9, false)]);
    assert!((disagreeing - 2.0 / 3.0).abs() < 1e-12);
}

#[test]
fn a_tie_is_stable_as_the_strict_inequality_of_the_paper_says() {
    assert_eq!(score(0.5, 0.5).to_bits(), 0.5_f32.next_down().to_bits());
    assert!(score(0.500_001, 0.5) >= 0.5);
    assert!(score(0.95, 0.95) < 0.5);
    assert!(score(0.950_001, 0.95) >= 0.5);
}

#[test]
fn every_sigma_keeps_the_ranking() {
    for sigma in [0.0, 0.3, 0.5, 0.95, 1.0] {
        let scores: Vec<f32> = (0..=100_u32)
            .map(|share| score(f64::from(share) / 100.0, sigma))
            .collect();
        assert!(scores.is_sorted(), "at {sigma}");
        assert!(scores[0].to_bits() == 0 && scores[100] <= 1.0, "at {sigma}");
    }
}

#[test]
fn a_test_that_reads_like_a_flaky_twin_is_flaky() {
    let corpus = crowd().with("z.Lone#flaky", "read socket ( port ) ;", true);
    let twin = MadeTest::new("q.Q#q", "( port ) ; read socket");
    let prediction = predict(&corpus, &twin, 1);
    assert_eq!(prediction.score.to_bits(), 1.0_f32.to_bits());
    assert_eq!(prediction.neighbours[0], "z.Lone#flaky");
    assert_eq!(prediction.neighbours.len(), 7);
}

#[test]
fn a_bag_twice_as_full_is_a_twin_too() {
    let corpus = crowd().with("z.Lone#flaky", "read socket ;", true);
    let doubled = MadeTest::new("q.Q#q", "read socket ; read socket ;");
    assert_eq!(predict(&corpus, &doubled, 1).score.to_bits(), 1.0_f32.to_bits());
}

#[test]
fn neighbours_of_a_similar_test_are_the_similar_tests() {
    let corpus = crowd();
    let sleeper = MadeTest::new("q.Q#q", "Thread . sleep ( 99 ) ; latch . await ( ) ;");
    let prediction = predict(&corpus, &sleeper, 1);
    assert!(
        prediction.neighbours[..5]
            .iter()
            .all(|name| name.starts_with("f.Flaky"))
    );
    assert!(prediction.score > 0.5);
    let lister = MadeTest::new("q.Q#q", "assert list99 size map1 equals ( ) ;");
    assert!(predict(&corpus, &lister, 1).score < 0.5);
}

#[test]
fn distances_are_those_of_a_naive_linear_search() {
    let corpus = crowd();
    let sample = MadeTest::new("q.Q#q", "Thread . sleep ( list3 size ) ; ; unheard");
    let model = Flast::default().learn(&corpus.training(), 1);
    let dense = |test: &TestFeatures<'_>| {
        let mut point = vec![0_i32; model.index.projection.dimensions as usize];
        for token in test.tokens.iter() {
            for (dimension, sign) in model.index.projection.row(stored_hash(token.as_bytes())) {
                point[dimension as usize] += if sign > 0 { 1 } else { -1 };
            }
        }
        point.into_iter().map(f64::from).collect::<Vec<f64>>()
    };
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let point = dense(&sample.features());
    let mut naive: Vec<f64> = corpus
        .training()
        .tests
        .iter()
        .map(|other| {
            let other = dense(&other.features);
            1.0 - product(&point, &other) / (product(&point, &point) * product(&other, &other)).sqrt()
        })
        .collect();
    naive.sort_by(f64::total_cmp);
    let found = model.index.neighbours(&sample.features());
    assert_eq!(found.len(), 7);
    for (neighbour, distance) in found.iter().zip(naive) {
        assert!((neighbour.distance - distance).abs() < 1e-12);
    }
}

#[test]
fn unseen_and_missing_tokens_do_not_panic() {
    let corpus = crowd();
    let unseen = MadeTest::new("q.Q#q", "nobody wrote this before");
    assert_eq!(predict(&corpus, &unseen, 1).neighbours.len(), 7);
    let empty = MadeTest::new("q.Q#q", "");
    assert_eq!(predict(&corpus, &empty, 1), Prediction::of(0.0));
}

#[test]
fn the_root_cause_is_that_of_most_flaky_neighbours() {
    let corpus = Corpus::new()
        .with("a.A#a", "open socket port now", true)
        .caused_by("network")
        .with("a.A#b", "open socket port sleep latch", true)
        .caused_by("async wait")
        .with("a.A#c", "open socket sleep latch await", true)
        .caused_by("async wait")
        .with("a.A#d", "open socket assert", false)
        .caused_by("network");
    let sample = MadeTest::new("q.Q#q", "open socket port now");
    assert_eq!(predict(&corpus, &sample, 1).category.as_deref(), Some("async wait"));
}

#[test]
fn of_equally_frequent_root_causes_the_nearest_wins() {
    let corpus = Corpus::new()
        .with("a.A#a", "open socket port now", true)
        .caused_by("network")
        .with("a.A#b", "sleep latch await", true)
        .caused_by("async wait");
    let first = MadeTest::new("q.Q#q", "open socket port now");
    let second = MadeTest::new("q.Q#q", "sleep latch await");
    assert_eq!(predict(&corpus, &first, 1).category.as_deref(), Some("network"));
    assert_eq!(predict(&corpus, &second, 1).category.as_deref(), Some("async wait"));
}

#[test]
fn the_same_seed_gives_the_same_scores_and_another_seed_another_projection() {
    let corpus = crowd();
    let sample = MadeTest::new("q.Q#q", "Thread . sleep ( list3 size ) ;");
    let once = predict(&corpus, &sample, 3);
    assert_eq!(once, predict(&corpus, &sample, 3));
    assert_ne!(once.score.to_bits(), predict(&corpus, &sample, 4).score.to_bits());
}

#[test]
fn storage_grows_with_the_tests_kept() {
    let small = Flast::default().learn(&Corpus::new().training(), 1).storage_bytes();
    let large = Flast::default().learn(&crowd().training(), 1).storage_bytes();
    assert!(small < 10 && large > 25 * 20, "{small} and {large} bytes");
}
