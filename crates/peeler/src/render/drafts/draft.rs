//! The type of a draft issue, which `peeler report --format markdown` writes.

/// A draft of an issue about one or more findings, for a person to check and file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Draft {
    /// A unique file name that is valid on all systems: `001-order-test-totals.md`.
    pub(crate) file_name: String,
    /// The title of the draft as plain text, on one line.
    pub(crate) title: String,
    /// The Markdown text of the draft: the title as a heading, then the body.
    pub(crate) text: String,
    /// The number of findings that the draft issue is about.
    pub(crate) findings: usize,
}
