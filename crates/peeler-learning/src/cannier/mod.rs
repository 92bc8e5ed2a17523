//! CANNIER: the model decides the clear cases, reruns decide the rest.
//!
//! Two thresholds cut the predicted probability into three regions (equation 4 of the CANNIER paper):
//!
//! ```text
//!   0 ........ lower ............ upper ........ 1
//!     stable    |   rerun: truth   |    flaky
//! ```
//!
//! A test between the thresholds runs until its outcome changes, at most `max_reruns` times.
//! Its cost is its run time times the expected number of runs (equation 6).
//! A wider region between the thresholds finds more flaky tests and costs more.
//! [`front`] returns the pairs of thresholds worth choosing, [`knee`] the balanced pair,
//! and [`within_budget`] the pair with the highest Matthews correlation that a budget pays for.
//!
//! Invariant: cost and Matthews correlation both grow strictly along a front.
//! A front starts at cost 0, where the model decides alone; tests with a run time of 0 are rerun for free.
//!
//! Left out: the paper adds the cost of running the suite to collect features. Peeler's features are static and free.
//! As in the paper, reruns are assumed to find the truth within `max_reruns` runs.
//! One run shows no change, so points for a `max_reruns` below 2 have no meaning.

mod front;
mod reruns;
mod thresholds;
mod validation;

#[cfg(test)]
mod tests;

pub use front::{Case, Point, evaluate, front, knee, plain_rerun_cost, within_budget};
pub use reruns::{expected_reruns, expected_reruns_at_unknown_rate};
pub use thresholds::{Decision, Thresholds};
pub(crate) use thresholds::{steps, threshold};
pub use validation::{UnlabelledCase, ValidationFront, unlabelled_front};
