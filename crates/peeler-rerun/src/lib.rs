//! Runs suspected Java tests to prove which of them are flaky.
//!
//! ```text
//! tests -> project (how they run) -> jvm (runs them) -> evidence (recorded runs) -> verdicts -> report
//! ```
//!
//! Running code is dangerous and slow, so nothing runs unless the user asks for it. Every run is recorded before the
//! next one starts, and no process outlives its use.
//!
//! Left out: models. Callers pass the probabilities of tests, and a verdict about a test never depends on its
//! probability.
//!
//! Without the feature `running` nothing runs: what is left reads the records of earlier runs, which scans show.

#[cfg(feature = "running")]
pub mod bisect;
#[cfg(feature = "running")]
pub mod candidates;
#[cfg(feature = "running")]
pub mod confirm;
#[cfg(feature = "running")]
pub mod confirmation;
#[cfg(feature = "running")]
pub mod culprits;
pub mod evidence;
#[cfg(feature = "running")]
pub mod fingerprint;
pub mod history;
#[cfg(feature = "running")]
pub mod intersect;
pub mod invocation;
#[cfg(feature = "running")]
pub mod jvm;
pub mod log;
#[cfg(feature = "running")]
pub mod machine;
#[cfg(feature = "running")]
pub mod orders;
pub mod perturbation;
#[cfg(feature = "running")]
pub mod perturbed;
#[cfg(feature = "running")]
pub mod plan;
#[cfg(feature = "running")]
pub mod project;
pub mod proof;
#[cfg(feature = "running")]
pub mod repeat;
#[cfg(feature = "running")]
pub mod replay;
#[cfg(feature = "running")]
pub mod report;
pub mod scratch_folder;
#[cfg(all(test, feature = "running"))]
mod scripted_machine;
pub mod shell;
#[cfg(feature = "running")]
pub mod stages;
#[cfg(feature = "running")]
pub mod steering;
pub mod summary;
#[cfg(feature = "running")]
pub mod sweep;
pub mod verdict;
pub mod xml;
