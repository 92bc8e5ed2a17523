//! Finds in a git history which tests were marked or fixed as flaky.
//!
//! ```text
//! git history -> commits -> changed test files -> changed tests -> Event -> Mined
//! ```
//!
//! A commit marks a test (`@Ignore("flaky")`, a group, a retry, a comment) or fixes it (its message says so). Each
//! [`Event`] has the parent of that commit, where the test still was flaky. The rules are in `rules.toml`. Nothing is
//! checked out, and no Java is compiled or run.
//!
//! Invariant: two runs over the same commits give the same result, on any number of threads.
//!
//! Without the feature `histories` only [`stripped`] is left, which leaves markers out of sources.
#![cfg_attr(
    not(feature = "histories"),
    allow(dead_code, reason = "most rules have no other users than histories")
)]

#[cfg(feature = "histories")]
mod causes;
#[cfg(feature = "histories")]
mod changed_tests;
#[cfg(feature = "histories")]
mod commit_events;
pub mod date;
#[cfg(feature = "histories")]
mod error;
mod event;
#[cfg(feature = "histories")]
mod follow;
#[cfg(feature = "histories")]
mod history;
#[cfg(feature = "histories")]
mod markers;
#[cfg(feature = "histories")]
mod message;
#[cfg(feature = "histories")]
mod mining;
#[cfg(feature = "histories")]
mod objects;
#[cfg(feature = "histories")]
mod pull_requests;
#[cfg(feature = "histories")]
mod renames;
mod rules;
#[cfg(feature = "histories")]
mod runs;
#[cfg(feature = "histories")]
mod similarity;
#[cfg(feature = "histories")]
mod snapshot;
mod stripping;
#[cfg(feature = "histories")]
mod tree_changes;

#[cfg(feature = "histories")]
pub use error::MineError;
pub use event::{Event, Evidence, FileActivity, Mined, RunLabel, TestLocation};
#[cfg(feature = "histories")]
pub use mining::{Request, mine};
#[cfg(feature = "histories")]
pub use pull_requests::{MergedChange, pull_requests};
#[cfg(feature = "histories")]
pub use snapshot::{Snapshot, snapshot};
pub use stripping::{stripped, stripped_name};
