//! The parameters of a network in a computation on a card, by name.

use std::collections::HashMap;

use peeler_cuda::Term;

/// The parameters of a network in one computation.
pub(super) struct Tables(HashMap<String, Term>);

impl Tables {
    pub(super) fn new(parameters: impl Iterator<Item = (String, Term)>) -> Self {
        Self(parameters.collect())
    }

    /// The parameter with this name.
    pub(super) fn of(&self, name: &str) -> &Term {
        &self.0[name]
    }
}
