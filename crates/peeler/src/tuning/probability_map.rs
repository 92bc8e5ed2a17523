//! Turns scores of the partner into probabilities, so that thresholds keep their meaning.
//!
//! The most probable test of the tuned model gets the highest probability of the shipped one, and so on downwards. So
//! tuning changes which tests are probable, not how many.

use serde::{Deserialize, Serialize};

/// A rising line through points of score and probability.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ProbabilityMap {
    /// Scores with their probabilities, the highest first.
    points: Vec<(f32, f32)>,
}

impl ProbabilityMap {
    /// The map from scores to probabilities of the same tests, which need not be in the same order.
    pub(crate) fn between(mut scores: Vec<f32>, mut probabilities: Vec<f32>) -> Self {
        scores.sort_by(|a, b| b.total_cmp(a));
        probabilities.sort_by(|a, b| b.total_cmp(a));
        let mut points = Vec::new();
        let mut rank = 0;
        // Many points among the most probable tests, fewer below.
        while let (Some(score), Some(probability)) = (scores.get(rank), probabilities.get(rank)) {
            points.push((*score, *probability));
            rank += 1 + rank / 8;
        }
        points.extend(scores.last().copied().zip(probabilities.last().copied()));
        points.dedup_by(|next, last| next.0 >= last.0);
        Self { points }
    }

    /// The probability of a score.
    pub(crate) fn probability(&self, score: f32) -> f32 {
        let above = self.points.partition_point(|(known, _)| *known > score);
        match (
            above.checked_sub(1).and_then(|it| self.points.get(it)),
            self.points.get(above),
        ) {
            (Some((high, more)), Some((low, less))) => less + (more - less) * (score - low) / (high - low),
            (None, Some((_, probability))) | (Some((_, probability)), None) => *probability,
            (None, None) => 0.0,
        }
    }

    /// Whether a map that was read from a file rises and has probabilities.
    pub(crate) fn is_sound(&self) -> bool {
        let falls = |pair: &[(f32, f32)]| pair[0].0 > pair[1].0 && pair[0].1 >= pair[1].1;
        self.points.windows(2).all(falls)
            && self
                .points
                .iter()
                .all(|(score, it)| score.is_finite() && (0.0..=1.0).contains(it))
    }
}

#[cfg(test)]
mod tests {
    use super::ProbabilityMap;

    #[test]
    fn the_order_is_that_of_scores_and_the_values_are_those_of_probabilities() {
        let map = ProbabilityMap::between(vec![-1.0, 3.0, 1.0, 1.0], vec![0.2, 0.1, 0.9, 0.4]);
        assert!(map.is_sound());
        for (score, expected) in [
            (9.0, 0.9),
            (3.0, 0.9),
            (2.0, 0.65),
            (1.0, 0.4),
            (-1.0, 0.1),
            (-9.0, 0.1),
        ] {
            let found = map.probability(score);
            assert!((found - expected).abs() < 1e-6, "{score}: {found}");
        }
    }

    #[test]
    fn without_tests_nothing_is_probable() {
        let map = ProbabilityMap::between(Vec::new(), Vec::new());
        assert!(map.is_sound());
        assert!(map.probability(1.0).abs() < f32::EPSILON);
    }
}
