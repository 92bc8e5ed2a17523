//! Identifiers of files, types and methods in the symbol index.
//!
//! Invariant: identifiers count up from zero in the sorted order of the files, so they are the same in every run.

pub(crate) use crate::repository::FileId;
use crate::repository::narrow;

/// Identifies a type that the repository or a library stub declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TypeId(pub(crate) u32);

impl TypeId {
    /// The position of the type in the symbol index's table of types.
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
