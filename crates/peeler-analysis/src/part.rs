//! The part of a repository that is analysed again after a change.

use std::collections::{BTreeSet, HashSet};

use crate::file_interface::FileInterface;
use crate::repository::FileId;

/// The part of a repository whose tests are analysed again after a change, and what is already known about the whole
/// repository.
#[derive(Debug, Clone, Copy)]
pub struct Part<'p> {
    /// Classes, by binary name (`shop.Cart$Item`), whose tests are analysed again.
    pub classes: &'p HashSet<String>,
    /// Changed files. The tests of all classes that they declare, and of all subclasses of these classes, are analysed
    /// again.
    pub files: &'p [FileId],
    /// Simple names of declarations that changed or vanished. If a class has a supertype with one of these names, its
    /// tests are analysed again, because the name may now mean another type.
    pub supertypes: &'p BTreeSet<String>,
    /// Files that the tests to analyse again depended on in the last analysis. They are parsed in advance, because most
    /// of them will be needed again.
    pub dependencies: &'p [FileId],
    /// The interface of every file of the repository (its declarations that other files can see), as it is now.
    pub interfaces: &'p [FileInterface],
    /// The result of [`Analysis::test_annotations`](crate::Analysis::test_annotations) in an earlier analysis. It is
    /// valid as long as no file that declares annotations changed.
    pub test_annotations: &'p [String],
}
