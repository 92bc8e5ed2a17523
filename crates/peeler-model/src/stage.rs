//! The stages of a training run: networks for validation (scouts), then the networks of the model (members).

use std::fmt;

use serde::{Deserialize, Serialize};

/// The network of a training run that an epoch belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// A network (scout) that is scored on held-out tests, with its number, counted from one.
    Scout(usize),
    /// A network (member) of the final model, with its number, counted from one.
    Member(usize),
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scout(number) => write!(f, "scout {number}"),
            Self::Member(number) => write!(f, "member {number}"),
        }
    }
}
