//! The declared types of a file and their members: fields, methods, initialisers and annotations.

use super::lazy_body::LazyBody;

/// The types that one file declares, with their members.
#[derive(Debug, Default)]
pub(crate) struct Declarations<'r> {
    /// The types that the file declares, in the same order as in the outline of the file.
    pub(crate) types: Vec<TypeDeclaration<'r>>,
    /// The number of method bodies, initialisers and field declarations in all types of the file.
    pub(crate) bodies: u32,
    /// Byte offsets of syntax errors in the file, ascending.
    pub(crate) errors: Vec<u32>,
}

/// The annotations and members of one declared type.
#[derive(Debug, Default)]
pub(crate) struct TypeDeclaration<'r> {
    pub(crate) annotations: Vec<Annotation<'r>>,
    pub(crate) fields: Vec<FieldDeclaration<'r>>,
    pub(crate) methods: Vec<MethodDeclaration<'r>>,
    pub(crate) initialisers: Vec<Initialiser<'r>>,
}

/// An annotation of a type or method.
#[derive(Debug)]
pub(crate) struct Annotation<'r> {
    /// The simple name of the annotation.
    pub(crate) name: &'r str,
    /// The byte offset of the `@` of the annotation in its file.
    pub(crate) at: u32,
    /// The text between the parentheses of the annotation; empty if it has none.
    pub(crate) arguments: &'r str,
}

/// A declared field or enum constant of a type.
#[derive(Debug)]
pub(crate) struct FieldDeclaration<'r> {
    pub(crate) name: &'r str,
    pub(crate) at: u32,
    pub(crate) type_text: &'r str,
    pub(crate) dimensions: u8,
    pub(crate) is_static: bool,
    /// The declaration of the field with its value. In `int a, b;` each field has its own copy of the declaration.
    pub(crate) code: LazyBody<'r>,
}

/// An initialiser block of a type.
#[derive(Debug)]
pub(crate) struct Initialiser<'r> {
    pub(crate) is_static: bool,
    pub(crate) code: LazyBody<'r>,
}

/// A declared method or constructor of a type.
#[derive(Debug)]
pub(crate) struct MethodDeclaration<'r> {
    /// The name of the method; for a constructor, the name of its type.
    pub(crate) name: &'r str,
    pub(crate) at: u32,
    /// The byte offset of the first modifier or annotation of the method.
    pub(crate) start: u32,
    pub(crate) is_constructor: bool,
    pub(crate) is_static: bool,
    pub(crate) is_public: bool,
    pub(crate) is_abstract: bool,
    pub(crate) annotations: Vec<Annotation<'r>>,
    pub(crate) type_parameters: &'r str,
    /// The return type as written in the source; empty for constructors.
    pub(crate) return_type: &'r str,
    pub(crate) return_dimensions: u8,
    pub(crate) parameters: Vec<Parameter<'r>>,
    pub(crate) is_variadic: bool,
    pub(crate) code: Option<LazyBody<'r>>,
}

/// A parameter of a declared method or constructor.
#[derive(Debug, Clone)]
pub(crate) struct Parameter<'r> {
    pub(crate) name: &'r str,
    pub(crate) at: u32,
    pub(crate) type_text: &'r str,
    pub(crate) dimensions: u8,
}
