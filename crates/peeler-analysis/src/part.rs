//! The part of a repository that is analysed again after a change.

use std::collections::{BTreeSet, HashSet};

use crate::file_interface::FileInterface;
use crate::repository::FileId;

/// A part of a repository that is analysed again, and what is already known about the whole repository.
#[derive(Debug, Clone, Copy)]
pub struct Part<'p> {
    /// Classes by binary name whose tests are analysed again.
    pub classes: &'p HashSet<String>,
    /// Files whose classes and their subclasses have their tests analysed again.
    pub files: &'p [FileId],
    /// Simple names of declarations that changed or vanished. The tests of classes with a supertype of such a name are
    /// analysed again, because the name may now mean another type.
    pub supertypes: &'p BTreeSet<String>,
    /// Files that the tests to analyse again depended on in the last analysis. They are parsed ahead, because most of
    /// them will be needed again.
    pub dependencies: &'p [FileId],
    /// The interfaces of all files as they are now.
    pub interfaces: &'p [FileInterface],
    /// The result of [`Analysis::test_annotations`](crate::Analysis::test_annotations) in an earlier analysis. It is
    /// valid as long as no file that declares annotations changed.
    pub test_annotations: &'p [String],
}
