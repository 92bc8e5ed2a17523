//! Identifiers of files, types and methods in the symbol index.
//!
//! Invariant: identifiers are dense and follow the sorted order of the files, so they are the same in every run.

use serde::{Deserialize, Serialize};

use crate::repository::narrow;

/// Identifies a file of a repository by its position in the sorted list of files. Library stubs follow the last file of
/// the repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FileId(pub(crate) u32);

impl FileId {
    /// The identifier of the file at a position in [`Repository::files`](crate::Repository::files).
    ///
    /// # Panics
    ///
    /// When the position does not fit 32 bits; no repository has that many files.
    #[must_use]
    pub fn new(position: usize) -> Self {
        Self(narrow(position))
    }

    /// The position of the file in [`Repository::files`](crate::Repository::files).
    #[must_use]
    pub fn position(self) -> usize {
        self.0 as usize
    }
}

/// Identifies a declared type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TypeId(pub(crate) u32);

impl TypeId {
    /// The position of the type in the table of types.
    pub(super) fn position(self) -> usize {
        self.0 as usize
    }
}

/// Identifies a declared method or constructor: its type, and its position among the methods of that type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct MethodId {
    pub(crate) owner: TypeId,
    pub(crate) index: u32,
}

impl MethodId {
    /// The identifier of the method at a position among the methods of `owner`.
    pub(crate) fn new(owner: TypeId, position: usize) -> Self {
        Self {
            owner,
            index: narrow(position),
        }
    }
}
