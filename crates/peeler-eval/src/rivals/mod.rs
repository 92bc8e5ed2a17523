//! The predictors that Peeler's model has to beat.
//!
//! Two come from the literature: [`flast`] compares a test with known tests, [`vocabulary`] weighs its
//! words. Three in [`trivial`] know next to nothing about a test; a score table without them hides how
//! much of a score is the split, the class or the share of flaky tests.
//!
//! Every rival is a [`Predictor`] and sees nothing but the training side of a split. None of them is tuned
//! on a corpus: their settings are those of the papers, or argued for where the papers are silent.
//!
//! The two of the literature can also judge repositories: [`trained`] makes judges of them, with a calibration and a
//! threshold, [`store`] keeps those in folders, and [`condensed`] is FLAST in a size that can be shipped.

pub mod condensed;
pub mod flast;
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

/// All rivals, the strongest claims first.
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

/// The rival of a name, as [`Predictor::name`] gives it.
#[must_use]
pub fn named(name: &str) -> Option<Box<dyn Predictor>> {
    all().into_iter().find(|rival| rival.name() == name)
}

#[cfg(test)]
mod tests;
