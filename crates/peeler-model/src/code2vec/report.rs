//! Reports of pretraining: what it was given, and how well the names of held-out methods are predicted.

use serde::{Deserialize, Serialize};

/// The probability from which on a sub-token counts as predicted.
pub const PREDICTED_FROM: f32 = 0.08;

/// How well the sub-tokens of method names are predicted, counted over methods.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NameScores {
    /// The number of predicted sub-tokens that are in the name.
    pub hits: u64,
    /// The number of predicted sub-tokens.
    pub predicted: u64,
    /// The number of distinct sub-tokens of all names, with those that have no vector.
    pub expected: u64,
}

impl NameScores {
    /// The share of predicted sub-tokens that are in the name; zero if none is predicted.
    #[must_use]
    pub fn precision(&self) -> f64 {
        share(self.hits, self.predicted)
    }

    /// The share of the names' sub-tokens that are predicted; zero if there are no names.
    #[must_use]
    pub fn recall(&self) -> f64 {
        share(self.hits, self.expected)
    }

    /// The harmonic mean of precision and recall.
    #[must_use]
    pub fn f1(&self) -> f64 {
        share(2 * self.hits, self.predicted + self.expected)
    }
}

#[allow(clippy::cast_precision_loss)]
fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// The result of one epoch of pretraining.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NameEpoch {
    /// The number of the epoch, from one on.
    pub epoch: usize,
    /// The mean loss of the training methods of the epoch.
    pub loss: f64,
    /// How well names of held-out libraries are predicted after the epoch; `None` if no library is held out.
    pub held_out: Option<NameScores>,
    /// The number of training methods that were learned from in a second, without validation.
    pub methods_per_second: f64,
    /// The time of the epoch with its validation, in seconds.
    pub seconds: f64,
    /// Whether the epoch went over all training methods.
    pub is_complete: bool,
}

/// What a network was pretrained on, in counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct PretrainingData {
    /// The number of libraries that were read.
    pub libraries: usize,
    /// The number of libraries that are held out for validation.
    pub held_out_libraries: usize,
    /// The number of libraries that were left out because a list of repositories names them.
    pub kept_out_libraries: usize,
    /// The number of Java files.
    pub files: usize,
    /// The number of methods with a body.
    pub methods: usize,
    /// The number of methods that were removed because an earlier one has the same name and set of terminals.
    pub duplicates: usize,
    /// The number of methods that were left out for other reasons: too long, or without a path context.
    pub unusable: usize,
    /// The number of distinct methods that training learns from or that are held out.
    pub distinct: usize,
    /// The number of distinct methods of held-out libraries.
    pub held_out_methods: usize,
    /// The number of path contexts of the distinct methods.
    pub contexts: usize,
    /// The time of reading the sources and extracting their methods, in seconds.
    pub reading_seconds: f64,
}

#[cfg(test)]
mod tests {
    use super::NameScores;

    #[test]
    fn scores_follow_from_counts_and_nothing_predicted_is_no_error() {
        let scores = NameScores {
            hits: 2,
            predicted: 4,
            expected: 8,
        };
        let figures = [scores.precision(), scores.recall(), scores.f1()];
        assert_eq!(figures.map(|it| format!("{it:.3}")), ["0.500", "0.250", "0.333"]);
        assert_eq!(NameScores::default().f1().to_bits(), 0.0_f64.to_bits());
    }
}
