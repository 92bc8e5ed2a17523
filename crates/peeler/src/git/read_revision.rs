//! The git commit from which files were read.

/// The path and the content of each file of a revision.
pub(crate) type RevisionFiles = Vec<(String, Vec<u8>)>;

/// The git commit from which the files of a repository were read, with its settings file.
pub(crate) struct ReadRevision {
    /// The id of the commit.
    pub(crate) commit: String,
    /// The settings file at the root of the commit: its name for messages, and its text. `None` if the commit has no
    /// settings file.
    pub(crate) settings: Option<(String, String)>,
}
