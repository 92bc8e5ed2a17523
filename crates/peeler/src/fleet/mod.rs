//! Scans of many repositories with one command: `peeler scan --repos`.
//!
//! ```text
//! list -> entries of the shard, without those that the output holds -> workers -> records -> output
//! ```
//!
//! Every job has a worker process, which loads the model once. So a repository that is too large or breaks the program
//! ends its worker only. `docs/fleets.md` describes lists, records and outputs.

pub(crate) mod coordinator;
pub(crate) mod header;
pub(crate) mod lines_file;
pub(crate) mod list;
pub(crate) mod memory;
pub(crate) mod merge;
pub(crate) mod output;
#[cfg(feature = "parquet")]
pub(crate) mod parquet;
#[cfg(not(feature = "parquet"))]
#[path = "parquet_not_built.rs"]
pub(crate) mod parquet;
pub(crate) mod record;
pub(crate) mod scanner;
pub(crate) mod shard;
pub(crate) mod sources;
pub(crate) mod worker;
pub(crate) mod worker_process;
