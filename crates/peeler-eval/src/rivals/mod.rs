//! The predictors that Peeler's network is compared with.
//!
//! Two come from the literature: [`flast`] compares a test with known tests, and [`vocabulary`] weighs its words.
//! Three in [`trivial`] know almost nothing about a test. They show how much of a score is due to the split, the class
//! or the share of flaky tests.
//!
//! Every rival is a [`Predictor`] and sees only the training side of a split. None is tuned on a corpus: their settings
//! are those of the papers, or explained where the papers say nothing.
//!
//! The two of the literature can also score repositories. [`trained`] adds a calibration and a threshold, [`store`] is
//! their folder, and [`condensed`] is FLAST in a size that can be shipped.

pub mod condensed;
pub mod flast;
mod invalid_model;
pub mod known_tests;
mod lexicon;
mod neighbours;
mod projection;
pub mod store;
pub mod trained;
pub mod trivial;
pub mod vocabulary;
mod votes;

use peeler_learning::predictor::Predictor;

use self::flast::Flast;
use self::trivial::{Always, ClassRate, Length};
use self::vocabulary::Vocabulary;

/// All rival methods with which the network is compared, those of the literature first.
#[must_use]
pub fn all() -> Vec<Box<dyn Predictor>> {
    vec![
        Box::new(Flast::default()),
        Box::new(Vocabulary::of_method()),
        Box::new(Vocabulary::with_context()),
        Box::new(ClassRate),
        Box::new(Length),
        Box::new(Always),
    ]
}

/// The rival method with this name, if there is one.
#[must_use]
pub fn named(name: &str) -> Option<Box<dyn Predictor>> {
    all().into_iter().find(|rival| rival.name() == name)
}

#[cfg(test)]
mod tests;
