//! The stages of a training run: first the scouts, then the members.
//!
//! Scouts are networks that are validated on held-out tests. Members are the networks of the final model.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The network that a training run trains: a scout or a member, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// The scout with this number, from one on: a network that is validated on held-out tests.
    Scout(usize),
    /// The member with this number, from one on: a network of the final model.
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
