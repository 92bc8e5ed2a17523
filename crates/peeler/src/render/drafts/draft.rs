//! A draft issue.

/// A draft of an issue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Draft {
    /// A unique file name that is valid on all systems: `001-order-test-totals.md`.
    pub(crate) file_name: String,
    /// The title of the draft as plain text, on one line.
    pub(crate) title: String,
    /// The Markdown text of the draft: the title as a heading, then the body.
    pub(crate) text: String,
    /// The number of findings in the draft.
    pub(crate) findings: usize,
}
