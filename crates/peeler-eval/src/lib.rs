//! Labelled corpora, splits, metrics and rivals.
pub mod sample;
