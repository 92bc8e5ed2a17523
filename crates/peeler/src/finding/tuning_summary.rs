//! What a report says about the tuning of the model by the repository's own past.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The tuning of the model by flaky tests of the scanned repository's own past.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct TuningSummary {
    /// The number of tests of the repository that were flaky in the past and that the tuning learned from.
    pub(crate) tests: u32,
    /// The newest commit whose history was read.
    pub(crate) commit: String,
    /// How well the tuned model ranks tests, judged by a split of the repository's past in time. Null if the past has
    /// too few labels for a split.
    pub(crate) estimate: Option<TuningEstimate>,
}

/// How well a tuned model ranks tests that were found flaky after a day, if it learned from labels before that day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct TuningEstimate {
    /// The day that splits the past, such as `2026-11-17`.
    pub(crate) day: String,
    /// The number of flaky tests before the day, from which the judged model learned.
    pub(crate) past: u32,
    /// The number of tests that were found flaky after the day.
    pub(crate) later: u32,
    /// The number of other tests of the same length and kind that the flaky ones were mixed with.
    pub(crate) others: u32,
    /// The average precision of the model as it is shipped.
    pub(crate) untuned_average_precision: f64,
    /// The average precision of the tuned model.
    pub(crate) average_precision: f64,
    /// The share of later flaky tests among the first 10.
    pub(crate) first_ten: f64,
}

impl fmt::Display for TuningSummary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tests, s) = (self.tests, if self.tests == 1 { "" } else { "s" });
        write!(formatter, "tuned by {tests} test{s} of this repository")?;
        match &self.estimate {
            Some(it) => write!(
                formatter,
                "; on its own past ({} labels before {}, {} later flaky tests among {}) it ranks with an average \
                 precision of {:.2} instead of {:.2}, and {:.0} of the first 10 were flaky",
                it.past,
                it.day,
                it.later,
                it.later + it.others,
                it.average_precision,
                it.untuned_average_precision,
                it.first_ten * 10.0,
            ),
            None => write!(formatter, "; its past is too short to say how well it ranks"),
        }
    }
}
