//! Metrics: how well scores separate flaky tests from stable ones.
//!
//! Every function takes scores and labels: `labels[i]` says whether the test with `scores[i]` is flaky. Tests of equal
//! score form one step of the ranking, so no metric depends on the order of tests with equal scores.
//!
//! Invariants: no metric is NaN. An undefined metric, such as the precision of a predictor that found nothing, is 0.
//! [`roc_auc`] is `None` instead, because 0 would mean something else there. A score that is NaN ranks below all others
//! and is never classified as flaky, so a diverged model does not stop a program. All functions panic if scores and
//! labels differ in number.
//!
//! Left out: projects and splits. [`bootstrap_interval`] resamples the indices of any unit that the caller counts.

mod bootstrap;
mod confusion;
mod ranking;
mod ratio;
mod reliability;
#[cfg(test)]
mod tests;

pub use bootstrap::{Interval, bootstrap_interval, bootstrap_interval_of};
pub use confusion::{Confusion, confusion};
pub use ranking::{average_precision, best_threshold, precision_at, precision_recall_curve, roc_auc};
pub use reliability::{CalibrationBin, calibration, expected_calibration_error};
