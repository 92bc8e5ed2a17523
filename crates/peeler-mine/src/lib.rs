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

mod causes;
mod changed_tests;
mod commit_events;
pub mod date;
mod error;
mod event;
mod follow;
mod history;
mod markers;
mod message;
mod mining;
mod objects;
mod pull_requests;
mod renames;
mod rules;
mod runs;
mod similarity;
mod snapshot;
mod stripping;
mod tree_changes;

pub use error::MineError;
pub use event::{Event, Evidence, FileActivity, Mined, RunLabel, TestLocation};
pub use mining::{Request, mine};
pub use pull_requests::{MergedChange, pull_requests};
pub use snapshot::{Snapshot, snapshot};
pub use stripping::{stripped, stripped_name};
