//! Which words past flaky tests have in common, learned by a regression.
//!
//! Invariant: no test is judged by a regression that learned from its class as an example of a stable test. There are
//! three regressions; each leaves out a third of the classes.

use std::collections::{BTreeMap, BTreeSet};

use peeler_learning::regression::{Example, ExampleOf, regression};
use serde::{Deserialize, Serialize};

/// The number of regressions, each of which leaves out one part of the classes.
const PARTS: u64 = 3;
/// The minimum number of tests with a word.
const LEAST_TESTS: usize = 3;
/// The maximum number of tests without a label that one regression learns from.
const MOST_OTHERS: usize = 3_000;

/// A test as the vocabulary sees it: the hash of its class, and sorted hashes of its words.
pub(crate) type WordedTest<'t> = (u64, &'t [u64]);

/// A sparse vector: columns in ascending order, with values.
type Vector = Vec<(u32, f32)>;

/// What a repository's past flaky tests have in common in their words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Vocabulary {
    /// The known words by hash, each with its column and its weight by rarity.
    words: BTreeMap<u64, (u32, f32)>,
    /// The weights of the columns, then the intercept, of each regression.
    regressions: Vec<Vec<f32>>,
}

impl Vocabulary {
    /// Learns from past flaky tests and from tests without a label.
    #[expect(clippy::cast_precision_loss, reason = "counts of tests")]
    pub(crate) fn learn(past: &[WordedTest<'_>], others: &[WordedTest<'_>]) -> Self {
        let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
        for word in past.iter().chain(others).flat_map(|(_, words)| words.iter()) {
            *counts.entry(*word).or_default() += 1;
        }
        let tests = past.len() + others.len();
        let of_past: BTreeSet<u64> = past.iter().flat_map(|(_, words)| words.iter().copied()).collect();
        let known = counts
            .iter()
            .filter(|(word, count)| of_past.contains(word) && **count >= LEAST_TESTS && 2 * **count < tests);
        let rarity = |count: usize| ((1.0 + tests as f64) / (1.0 + count as f64)).ln() + 1.0;
        #[expect(clippy::cast_possible_truncation, reason = "a weight needs few digits")]
        let words = known
            .zip(0_u32..)
            .map(|((word, count), column)| (*word, (column, rarity(*count) as f32)))
            .collect();
        let mut vocabulary = Self {
            words,
            regressions: Vec::new(),
        };
        let flaky: Vec<Vector> = past.iter().map(|(_, words)| vocabulary.vector(words)).collect();
        let vectors: Vec<(u64, Vector)> = others
            .iter()
            .map(|(class, words)| (*class, vocabulary.vector(words)))
            .collect();
        vocabulary.regressions = (0..PARTS)
            .map(|part| vocabulary.regression(part, &flaky, &vectors))
            .collect();
        vocabulary
    }

    /// The regression that leaves out the classes of one part.
    #[expect(clippy::cast_precision_loss, reason = "counts of tests")]
    fn regression(&self, part: u64, past: &[Vector], others: &[(u64, Vector)]) -> Vec<f32> {
        let kept: Vec<&Vector> = others
            .iter()
            .filter(|(class, _)| class % PARTS != part)
            .map(|(_, vector)| vector)
            .collect();
        let step = kept.len().div_ceil(MOST_OTHERS).max(1);
        let kept: Vec<&Vector> = kept.into_iter().step_by(step).collect();
        let cost = (kept.len().max(1) as f64 / past.len().max(1) as f64).sqrt();
        let example = |vector: &Vector, flaky: bool| Example {
            features: vector
                .iter()
                .map(|(column, value)| (*column, f64::from(*value)))
                .collect(),
            flaky,
            cost: if flaky { cost } else { 1.0 },
            of: ExampleOf::Test,
        };
        let flaky = past.iter().map(|it| example(it, true));
        let examples: Vec<Example> = flaky.chain(kept.into_iter().map(|it| example(it, false))).collect();
        #[expect(clippy::cast_possible_truncation, reason = "a weight needs few digits")]
        let weights = regression(&examples, self.words.len()).into_iter().map(|it| it as f32);
        weights.collect()
    }

    /// The known words of a test as a vector of length 1, weighted by rarity.
    fn vector(&self, words: &[u64]) -> Vector {
        let mut vector: Vector = words.iter().filter_map(|it| self.words.get(it).copied()).collect();
        vector.sort_unstable_by_key(|(column, _)| *column);
        let length = vector.iter().map(|(_, value)| value * value).sum::<f32>().sqrt();
        for (_, value) in &mut vector {
            *value /= length.max(f32::MIN_POSITIVE);
        }
        vector
    }

    /// What the words of a test say: the log-odds that it is flaky.
    pub(crate) fn log_odds(&self, (class, words): WordedTest<'_>) -> f32 {
        let part = usize::try_from(class % PARTS).unwrap_or_default();
        let weights = self.regressions.get(part).map_or(&[][..], |it| it.as_slice());
        let vector = self.vector(words);
        let known = vector
            .iter()
            .filter_map(|(column, value)| Some(weights.get(*column as usize)? * value));
        known.sum::<f32>() + weights.last().copied().unwrap_or_default()
    }

    /// Whether all parts of a vocabulary that was read from a file fit together.
    pub(crate) fn is_sound(&self) -> bool {
        let columns = self.words.len();
        let is_finite = |it: &f32| it.is_finite();
        self.regressions.len() as u64 == PARTS
            && self
                .regressions
                .iter()
                .all(|it| it.len() == columns + 1 && it.iter().all(is_finite))
            && self
                .words
                .values()
                .all(|(column, rarity)| (*column as usize) < columns && rarity.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::Vocabulary;

    #[test]
    fn words_of_past_flaky_tests_raise_the_odds() {
        let flaky: Vec<Vec<u64>> = (0..6).map(|it| vec![1, 2, 10 + it % 3]).collect();
        let stable: Vec<Vec<u64>> = (0..30).map(|it| vec![3, 4, 10 + it % 3]).collect();
        let past: Vec<_> = flaky.iter().map(|it| (7, it.as_slice())).collect();
        let others: Vec<_> = stable
            .iter()
            .zip(0..)
            .map(|(it, class)| (class, it.as_slice()))
            .collect();
        let vocabulary = Vocabulary::learn(&past, &others);
        assert!(vocabulary.is_sound());
        for class in 0..3 {
            let like = vocabulary.log_odds((class, &[1, 2]));
            let unlike = vocabulary.log_odds((class, &[3, 4, 99]));
            assert!(like > unlike + 1.0, "{like} {unlike}");
        }
    }
}
