//! Proof for predictions: runs suspected Java tests and says what was seen.
//!
//! ```text
//! tests -> project (how they run) -> jvm (runs them) -> evidence (what happened) -> verdicts
//! ```
//!
//! Running code is dangerous and slow, so nothing here happens unless somebody asks for it, everything that happens is
//! written down before the next thing does, and no process outlives its use.
//!
//! Left out: any prediction. Probabilities come from outside; a verdict never depends on one.

pub mod candidates;
pub mod confirm;
pub mod confirmation;
pub mod evidence;
pub mod fingerprint;
pub mod history;
pub mod intersect;
pub mod invocation;
pub mod jvm;
pub mod log;
pub mod machine;
#[cfg(test)]
mod made;
pub mod orders;
pub mod perturbation;
pub mod perturbed;
pub mod plan;
pub mod project;
pub mod proof;
pub mod repeat;
pub mod replay;
pub mod report;
pub mod shown;
pub mod stages;
pub mod verdict;
