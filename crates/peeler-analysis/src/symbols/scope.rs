//! The position of a type name for name resolution, and the result of resolving the name.

use super::ids::{FileId, TypeId};

/// The position of a name for name resolution: its file, and the innermost type that encloses it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scope {
    pub(crate) file: FileId,
    pub(crate) owner: Option<TypeId>,
}

/// The type that a type name refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TypeReference<'r> {
    /// A type declared in the repository or in a library stub.
    Type(TypeId),
    /// A type without a known declaration. The name is qualified if an import qualifies it.
    External(&'r str),
}

/// Whether the names that a file brings into scope shadow inherited nested types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Precedence {
    /// Single imports and the types of the package shadow inherited nested types.
    OverInherited,
    /// Wildcard imports and `java.lang` are shadowed by inherited nested types.
    UnderInherited,
}
