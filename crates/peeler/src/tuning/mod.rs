//! Adapts the shipped model to a repository by the flaky tests of the repository's own past.
//!
//! ```text
//! git history -> Mined -> Split of labels -> PastReading -> TestInputs -> Partner -> Tuning (.peeler/tuned) -> scan
//! ```
//!
//! The network stays as it is. A [`partner::Partner`] learns from the labels which words, classes and fixtures flaky
//! tests of the repository have, and adds that to what the network says.
//!
//! Invariant: everything is learned from sources without markers (`peeler_mine::stripped`), and from labels that the
//! commit of the sources already knew.

pub(crate) mod activity;
pub(crate) mod bag;
#[cfg(feature = "history")]
pub(crate) mod candidates;
#[cfg(feature = "history")]
pub(crate) mod labels;
#[cfg(feature = "training")]
pub(crate) mod mined_snapshots;
pub(crate) mod partner;
#[cfg(feature = "history")]
pub(crate) mod past_reading;
pub(crate) mod probability_map;
#[cfg(feature = "history")]
pub(crate) mod sources;
pub(crate) mod test_inputs;
#[cfg(feature = "history")]
pub(crate) mod time_split;
#[cfg(feature = "history")]
pub(crate) mod tune;
pub(crate) mod tuned_file;
pub(crate) mod tuned_scorer;
pub(crate) mod usual_words;
pub(crate) mod vocabulary;

#[cfg(all(test, feature = "history"))]
mod tests;
