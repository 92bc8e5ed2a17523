//! Records of a fleet as Parquet: the schema, files of rows, and a folder of such files.
//!
//! ```text
//! records -> unfinished lines -> part file of some hundred rows -> part file ...
//! ```

pub(crate) mod folder;
mod levels;
pub(crate) mod reader;
mod schema;
mod writer;
