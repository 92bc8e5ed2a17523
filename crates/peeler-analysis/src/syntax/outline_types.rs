//! The outline of a file as a value: package, imports and types with their supertypes.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// The maximum number of imports of a file that are read. Names are looked up among all imports of their file.
pub(crate) const MAX_IMPORTS: usize = 2_000;

/// The outline of one file. `Name` is a slice of the file, or a range that stands for one.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Outline<Name> {
    pub(crate) package: Name,
    pub(crate) imports: Vec<Import<Name>>,
    pub(crate) types: Vec<TypeOutline<Name>>,
    /// Simple names of the annotations outside bodies, sorted, each once.
    pub(crate) annotations: Vec<Name>,
    /// Byte ranges of the file that the declaration parse may skip, ascending.
    pub(crate) elided: Vec<Range<u32>>,
    /// Whether all brackets of the file matched.
    pub(crate) balanced: bool,
}

/// An import declaration: `import [static] path[.*];`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Import<Name> {
    /// The imported name with dots, without `.*`.
    pub(crate) path: Name,
    /// The last component of the imported name.
    pub(crate) name: Name,
    pub(crate) is_static: bool,
    pub(crate) is_wildcard: bool,
}

/// One declared type that is not local to a body.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TypeOutline<Name> {
    pub(crate) name: Name,
    /// Offset of the type's name, by which the parsed declaration is found.
    pub(crate) name_at: u32,
    pub(crate) kind: TypeKind,
    /// Index of the enclosing type in the same file.
    pub(crate) enclosing: Option<u32>,
    /// The text between `<` and `>` after the name of the type.
    pub(crate) type_parameters: Name,
    /// Supertypes as written: `extends` first, then `implements`.
    pub(crate) supertypes: Vec<Name>,
    /// The number of supertypes that follow `extends`.
    pub(crate) extended: usize,
    pub(crate) is_abstract: bool,
}

/// The kinds of declared types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum TypeKind {
    Class,
    Interface,
    Enum,
    Record,
    Annotation,
}

/// The last component of a dotted name.
pub(crate) fn simple_name(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path).trim()
}
