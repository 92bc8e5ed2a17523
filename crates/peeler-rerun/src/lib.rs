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

pub mod bisect;
pub mod candidates;
pub mod confirm;
pub mod confirmation;
pub mod culprits;
pub mod evidence;
pub mod fingerprint;
pub mod history;
pub mod intersect;
pub mod invocation;
pub mod jvm;
pub mod log;
pub mod machine;
pub mod orders;
pub mod perturbation;
pub mod perturbed;
pub mod plan;
pub mod project;
pub mod proof;
pub mod repeat;
pub mod replay;
pub mod report;
pub mod scratch_folder;
#[cfg(test)]
mod scripted_machine;
pub mod shell;
pub mod stages;
pub mod steering;
pub mod summary;
pub mod verdict;
