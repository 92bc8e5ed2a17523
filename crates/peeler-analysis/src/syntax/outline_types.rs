//! The data of the outline of a file: package, imports and types with their supertypes.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// The maximum number of imports of a file that are read. It bounds the time to look up a name, which searches all
/// imports.
pub(crate) const MAX_IMPORTS: usize = 2_000;

/// The outline of one file: what it declares, found without a parse. `Name` is a slice of the text, or a range in it.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Outline<Name> {
    pub(crate) package: Name,
    pub(crate) imports: Vec<Import<Name>>,
    pub(crate) types: Vec<TypeOutline<Name>>,
    /// Simple names of the annotations outside method bodies, sorted, each once.
    pub(crate) annotations: Vec<Name>,
    /// Byte ranges of the file, such as method bodies, that a parse of the declarations may skip, ascending.
    pub(crate) elided: Vec<Range<u32>>,
    /// Whether all brackets of the file matched.
    pub(crate) balanced: bool,
}

/// An import declaration: `import [static] path[.*];`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Import<Name> {
    /// The imported name with dots, without `.*`: `java.util` of `import java.util.*;`.
    pub(crate) path: Name,
    /// The last component of the imported name.
    pub(crate) name: Name,
    pub(crate) is_static: bool,
    pub(crate) is_wildcard: bool,
}

/// A declared type of a file, top-level or nested, but not local to a method body.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TypeOutline<Name> {
    pub(crate) name: Name,
    /// The byte offset of the type's name, by which the parsed declaration is found.
    pub(crate) name_at: u32,
    pub(crate) kind: TypeKind,
    /// The position of the enclosing type among the types of the file; `None` for a top-level type.
    pub(crate) enclosing: Option<u32>,
    /// The text between `<` and `>` after the name of the type; empty if there is none.
    pub(crate) type_parameters: Name,
    /// The supertypes as written in the source: those after `extends` first, then those after `implements`.
    pub(crate) supertypes: Vec<Name>,
    /// The number of supertypes that follow `extends`.
    pub(crate) extended: usize,
    pub(crate) is_abstract: bool,
}

/// The kinds of types that Java can declare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum TypeKind {
    Class,
    Interface,
    Enum,
    Record,
    Annotation,
}

/// The last component of a dotted name: `List` of `java.util.List`.
pub(crate) fn simple_name(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path).trim()
}
