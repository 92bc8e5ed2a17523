//! The position of a type name for name resolution, and the result of resolving the name.

use super::ids::{FileId, TypeId};

/// The position of a name for name resolution: its file, and the innermost type that encloses it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scope {
    pub(crate) file: FileId,
    pub(crate) owner: Option<TypeId>,
}

/// The type that a type name in the source refers to, declared or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TypeReference<'r> {
    /// A type that the repository or a library stub declares.
    Type(TypeId),
    /// A type without a known declaration. The text is its qualified name if an import tells it, otherwise the name as
    /// written.
    External(&'r str),
}

/// The group of types in which a name is looked up at the top level of a file. Types of one group shadow inherited
/// nested types; those of the other are shadowed by them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Precedence {
    /// Single imports and the types of the package shadow inherited nested types.
    OverInherited,
    /// Wildcard imports and `java.lang` are shadowed by inherited nested types.
    UnderInherited,
}
