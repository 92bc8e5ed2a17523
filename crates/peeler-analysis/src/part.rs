//! The part of a repository that is analysed again after a change.

use std::collections::HashSet;

use crate::face::Face;

/// A part of a repository that is analysed again, and what is already known about the whole repository.
#[derive(Debug, Clone, Copy)]
pub struct Part<'p> {
    /// Classes by binary name: their tests belong to the part.
    pub classes: &'p HashSet<String>,
    /// Files as positions among the repository's files. The tests of their classes and of subclasses belong to the part.
    pub files: &'p [usize],
    /// Files, as positions too, that the tests of the part depended on in the last analysis. Most of them will be needed
    /// again, so they are parsed ahead.
    pub grounds: &'p [usize],
    /// The interfaces of all files as they are now.
    pub faces: &'p [Face],
    /// The result of [`Analysis::test_annotations`](crate::Analysis::test_annotations) in an earlier analysis. It still
    /// holds as long as no file that declares annotations changed.
    pub test_annotations: &'p [String],
}
