//! The state while the calls of one method body are resolved: types of its variables, and targets of its calls so far.
//!
//! The code that visits the body is in `statements.rs`, `expressions.rs`, `receivers.rs` and `calls.rs`.

use std::sync::Arc;

use super::ids::{FileId, TypeId};
use super::index::Index;
use super::scope::Scope;
use super::targets::Target;
use super::type_text::{TypeParameter, parse_type};
use super::types::Type;
use crate::syntax::body::{CallId, Expression};

/// Finds the declarations that the calls of one method body resolve to.
pub(super) struct Resolver<'i, 'r> {
    pub(super) index: &'i Index<'r>,
    pub(super) scope: Scope,
    method_parameters: Vec<TypeParameter<'r>>,
    /// The local variables in scope with their types, innermost last.
    pub(super) locals: Vec<(&'r str, Type<'r>)>,
    /// The anonymous and local classes around the expression being visited, innermost last.
    pub(super) inner: Vec<InnerClass<'r>>,
    /// The declarations that the calls of the body resolve to, by call id.
    pub(super) targets: Vec<Target<'r>>,
    /// The type of the value in the last `return` of the innermost lambda or method.
    pub(super) returned: Type<'r>,
}

/// An anonymous or local class: its supertype, and the result types of its methods by name.
pub(super) struct InnerClass<'r> {
    pub(super) supertype: Type<'r>,
    pub(super) methods: Vec<(&'r str, Type<'r>)>,
}

impl<'i, 'r> Resolver<'i, 'r> {
    /// A resolver for the calls of one body of the type `owner`. `method_parameters` are the type parameters of the
    /// method that has the body.
    pub(super) fn new(index: &'i Index<'r>, owner: TypeId, method_parameters: Vec<TypeParameter<'r>>) -> Self {
        Self {
            index,
            scope: Scope {
                file: index.file_of(owner),
                owner: Some(owner),
            },
            method_parameters,
            locals: Vec::new(),
            inner: Vec::new(),
            targets: Vec::new(),
            returned: Type::Unknown,
        }
    }

    /// The file that contains the body whose calls are resolved.
    pub(super) fn file(&self) -> FileId {
        self.scope.file
    }

    /// Resolves a type that is written inside the body, such as `List<T>`. It gets `dimensions` more array dimensions,
    /// as in `int a[]`.
    pub(super) fn written_type(&self, text: &'r str, dimensions: u8) -> Type<'r> {
        let written = parse_type(text);
        self.index
            .resolve_type(&written, self.scope, &self.method_parameters)
            .array_of(dimensions)
    }

    /// The type `java.lang.String`, which string literals have.
    pub(super) fn string(&self) -> Type<'r> {
        self.library("java.lang.String")
    }

    /// The declared type with this qualified name, such as `java.util.List`; `Type::Unknown` if there is none.
    pub(super) fn library(&self, name: &str) -> Type<'r> {
        match self.index.lookup_qualified(name, self.file()) {
            Some(id) => Type::Declared(id, Arc::default()),
            None => Type::Unknown,
        }
    }

    /// The type of `this` outside anonymous and local classes.
    pub(super) fn this(&self) -> Type<'r> {
        match self.scope.owner {
            Some(id) => Type::Declared(id, self.index.ancestors(id)[0].arguments.clone()),
            None => Type::Unknown,
        }
    }

    /// The type of `super` in the innermost class around the expression being visited.
    pub(super) fn super_type(&self) -> Type<'r> {
        if let Some(inner) = self.inner.last() {
            return inner.supertype.clone();
        }
        match self.scope.owner {
            Some(id) => self.index.supertypes(id).first().cloned().unwrap_or(Type::Unknown),
            None => Type::Unknown,
        }
    }

    /// Records the declaration that a call resolves to.
    pub(super) fn set_target(&mut self, id: CallId, target: Target<'r>) {
        self.targets[id.0 as usize] = target;
    }

    /// The source text of an expression.
    pub(super) fn text(&self, expression: &Expression<'_>) -> &'r str {
        &self.index.source(self.file()).text()[expression.start as usize..expression.end as usize]
    }
}
