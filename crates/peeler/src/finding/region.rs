//! A range of characters in a file.

use serde::{Deserialize, Serialize};

/// A range of characters in a file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Region {
    /// The file that contains the range.
    pub(crate) file: String,
    /// The line of the first character of the range.
    pub(crate) line: u32,
    /// The column of the first character of the range.
    pub(crate) column: u32,
    /// The line of the last character of the range.
    pub(crate) end_line: u32,
    /// The column after the last character of the range.
    pub(crate) end_column: u32,
}
