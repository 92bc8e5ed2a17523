//! Words that flaky tests of many projects have in common, such as `latch` and `await`.
//!
//! The weights come with the program. They were fitted by `corpus/fit-partner` on past flaky tests of many projects and
//! on tests of the same length without a label (`corpus/EXPERIMENTS.md`).
//!
//! Invariant: of every project only labels from before its split in time were learned from, so that the estimate of a
//! tuning stays honest for these projects too.

use std::collections::HashMap;
use std::sync::LazyLock;

use peeler_features::content_hash;

/// Lines of a word and its weight.
const TABLE: &str = include_str!("usual_words.tsv");

/// The weights of words by the hash of the word.
static WEIGHTS: LazyLock<HashMap<u64, f32>> = LazyLock::new(|| TABLE.lines().filter_map(word).collect());

fn word(line: &str) -> Option<(u64, f32)> {
    let (word, weight) = line.split_once('\t')?;
    Some((content_hash(word.as_bytes()), weight.parse().ok()?))
}

/// What the words of a test say, by their hashes: the higher, the likelier the test is flaky.
///
/// Each test has a vector of length 1 over the words of the table.
#[expect(clippy::cast_precision_loss, reason = "counts of words")]
pub(crate) fn usual_log_odds(words: &[u64]) -> f32 {
    let known: Vec<f32> = words.iter().filter_map(|it| WEIGHTS.get(it).copied()).collect();
    known.iter().sum::<f32>() / (known.len().max(1) as f32).sqrt()
}

#[cfg(test)]
mod tests {
    use peeler_features::content_hash;

    use super::{TABLE, WEIGHTS, usual_log_odds};

    #[test]
    fn every_line_of_the_table_is_a_word_with_a_weight() {
        assert_eq!(WEIGHTS.len(), TABLE.lines().count());
        assert!(WEIGHTS.values().all(|it| it.is_finite()));
        assert!(!TABLE.lines().any(|it| it.starts_with("flak")), "no word is a marker");
    }

    #[test]
    fn waiting_is_more_usual_among_flaky_tests_than_parsing() {
        let log_odds = |words: &[&str]| {
            let hashes: Vec<u64> = words.iter().map(|it| content_hash(it.as_bytes())).collect();
            usual_log_odds(&hashes)
        };
        assert!(log_odds(&["latch", "await", "seconds"]) > log_odds(&["parse", "expected", "equals"]));
        assert!(log_odds(&[]).abs() < f32::EPSILON);
    }
}
