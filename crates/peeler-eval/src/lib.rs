//! Labelled corpora, splits and rivals, for evaluations of predictors.
//!
//! ```text
//! labels + sources -> Corpus -> folds -> Predictor -> Model -> Prediction -> figures
//! ```
//!
//! | module | content |
//! |---|---|
//! | [`labels`] | label files |
//! | [`build`] | the lookup of labelled tests in sources, which makes a corpus |
//! | [`corpus`] | the corpus and its file |
//! | [`kinds`] | the part of a corpus that says something about one kind of flakiness |
//! | [`splits`] | the division of a corpus into folds |
//! | [`rivals`] | the predictors that Peeler's network is compared with |
//! | [`evaluation`] | the comparison of predictors |
//! | [`fix_pairs`] | tests before and after the fix of their flakiness |
//! | [`plots`] | the comparison as SVG figures |

pub mod build;
pub mod corpus;
mod decompression;
pub mod evaluation;
pub mod fix_pairs;
pub mod kinds;
pub mod labels;
pub mod plots;
mod record_check;
mod records;
pub mod rivals;
mod selection;
pub mod splits;
