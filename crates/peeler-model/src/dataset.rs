//! Encoded tests, as `peeler-features` makes them.

pub(crate) use peeler_features::{Dataset, Depth, EncodedTest, MEASURES, narrow};
