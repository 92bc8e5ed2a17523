//! Parquet files in a build without the feature `parquet`: every use of them is an error.

/// The error for each use of a Parquet file.
fn not_built() -> anyhow::Error {
    anyhow::anyhow!(
        "this program was built without Parquet files; choose the format jsonl, or build it with default features"
    )
}

/// Folders of Parquet files.
pub(crate) mod folder {
    use std::path::Path;

    use super::not_built;
    use crate::fleet::header::Header;
    use crate::fleet::shard::Shard;

    /// A folder of Parquet files, of which this build can have none.
    pub(crate) enum PartFolder {}

    impl PartFolder {
        /// Whether the folder holds records of the shard. This build cannot tell.
        pub(crate) fn holds(_: &Path, _: Shard) -> bool {
            false
        }

        /// Returns an error: this build has no Parquet files.
        pub(crate) fn open(_: &Path, _: Shard, _: impl FnMut(&Header) -> anyhow::Result<()>) -> anyhow::Result<Self> {
            Err(not_built())
        }

        /// Adds a record.
        pub(crate) fn add(&mut self, _: &[u8]) -> anyhow::Result<()> {
            match *self {}
        }

        /// Writes the last file.
        pub(crate) fn finish(self) -> anyhow::Result<()> {
            match self {}
        }
    }
}

/// Reading of Parquet files.
pub(crate) mod reader {
    use std::path::Path;

    use super::not_built;
    use crate::fleet::record::Record;

    /// Returns an error: this build has no Parquet files.
    pub(crate) fn records(_: &Path, _: impl FnMut(Record) -> anyhow::Result<()>) -> anyhow::Result<()> {
        Err(not_built())
    }
}
