//! Declared types with their members, as values.

use super::lazy_body::LazyBody;

/// The declarations of one file.
#[derive(Debug, Default)]
pub(crate) struct Declarations<'r> {
    /// The types, in the order of the outline.
    pub(crate) types: Vec<TypeDeclaration<'r>>,
    /// The number of bodies in all types.
    pub(crate) bodies: u32,
    /// Offsets of syntax errors, ascending.
    pub(crate) errors: Vec<u32>,
}

/// The members of one type.
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
    /// Simple name.
    pub(crate) name: &'r str,
    /// Offset of its `@`.
    pub(crate) at: u32,
    /// Everything between the parentheses.
    pub(crate) arguments: &'r str,
}

/// A field, an enum constant among them.
#[derive(Debug)]
pub(crate) struct FieldDeclaration<'r> {
    pub(crate) name: &'r str,
    pub(crate) at: u32,
    pub(crate) type_text: &'r str,
    pub(crate) dimensions: u8,
    pub(crate) is_static: bool,
    /// The declaration with its value. Fields of one declaration each have a body of their own.
    pub(crate) code: LazyBody<'r>,
}

/// An initialiser block of a type.
#[derive(Debug)]
pub(crate) struct Initialiser<'r> {
    pub(crate) is_static: bool,
    pub(crate) code: LazyBody<'r>,
}

/// A method or constructor.
#[derive(Debug)]
pub(crate) struct MethodDeclaration<'r> {
    /// The name of a constructor is that of its type.
    pub(crate) name: &'r str,
    pub(crate) at: u32,
    /// Offset of its first modifier or annotation.
    pub(crate) start: u32,
    pub(crate) is_constructor: bool,
    pub(crate) is_static: bool,
    pub(crate) is_public: bool,
    pub(crate) is_abstract: bool,
    pub(crate) annotations: Vec<Annotation<'r>>,
    pub(crate) type_parameters: &'r str,
    /// Empty for constructors.
    pub(crate) return_type: &'r str,
    pub(crate) return_dimensions: u8,
    pub(crate) parameters: Vec<Parameter<'r>>,
    pub(crate) is_variadic: bool,
    pub(crate) code: Option<LazyBody<'r>>,
}

/// A parameter of a method.
#[derive(Debug, Clone)]
pub(crate) struct Parameter<'r> {
    pub(crate) name: &'r str,
    pub(crate) at: u32,
    pub(crate) type_text: &'r str,
    pub(crate) dimensions: u8,
}
