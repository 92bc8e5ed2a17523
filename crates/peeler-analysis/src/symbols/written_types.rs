//! Resolves types as written in source code, such as `Map<String, T[]>` with a type parameter `T` in scope.

use std::sync::Arc;

use super::ids::TypeId;
use super::index::Index;
use super::scope::{Scope, TypeReference};
use super::type_text::{TypeParameter, TypeText, parse_type_parameters};
use super::types::Type;

impl<'r> Index<'r> {
    /// The type parameters that a type declares.
    pub(crate) fn parameters(&self, id: TypeId) -> &[TypeParameter<'r>] {
        self.types[id.position()]
            .parameters
            .get_or_init(|| parse_type_parameters(self.outline(id).type_parameters))
    }

    /// Resolves a type as written in source code, such as `List<T>[]`. `method_parameters` are the type parameters of
    /// the enclosing method.
    pub(crate) fn resolve_type(
        &self,
        text: &TypeText<'r>,
        scope: Scope,
        method_parameters: &[TypeParameter<'r>],
    ) -> Type<'r> {
        let base = self.resolve_base(text, scope, method_parameters);
        base.array_of(text.dimensions)
    }

    /// Resolves a type as written in source code without its array dimensions, such as the `List<T>` of `List<T>[]`.
    fn resolve_base(&self, text: &TypeText<'r>, scope: Scope, method_parameters: &[TypeParameter<'r>]) -> Type<'r> {
        if text.name.is_empty() || text.name == "var" {
            return Type::Unknown;
        }
        if is_primitive(text.name) {
            return Type::Primitive(text.name);
        }
        if let Some(variable) = self.type_variable(text.name, scope, method_parameters) {
            return variable;
        }
        match self.resolve_name(text.name, scope) {
            Some(TypeReference::Type(id)) => {
                let arguments = text
                    .arguments
                    .iter()
                    .map(|it| self.resolve_type(it, scope, method_parameters))
                    .collect();
                Type::Declared(id, arguments)
            }
            Some(TypeReference::External(name)) => Type::External(name),
            None => Type::External(text.name),
        }
    }

    /// The type parameter with this name of the enclosing method or of an enclosing type; `None` if there is none.
    fn type_variable(&self, name: &'r str, scope: Scope, method_parameters: &[TypeParameter<'r>]) -> Option<Type<'r>> {
        if let Some(parameter) = method_parameters.iter().find(|it| it.name == name) {
            let bound = parameter.bound.as_ref().and_then(|bound| {
                if let Some(other) = method_parameters.iter().find(|it| it.name == bound.name) {
                    return other.bound.as_ref().and_then(|it| self.named_type(it.name, scope));
                }
                self.named_type(bound.name, scope)
            });
            return Some(Type::Variable(name, Arc::new(bound.unwrap_or(Type::Unknown))));
        }
        let mut owner = scope.owner;
        while let Some(id) = owner {
            if let Some(parameter) = self.parameters(id).iter().find(|it| it.name == name) {
                return Some(Type::Variable(name, Arc::new(self.bound(parameter, id))));
            }
            owner = self.enclosing(id);
        }
        None
    }

    /// The declared type that a name in the bound of a type parameter refers to: `Number` in `T extends Number`. `None`
    /// if its declaration is not known.
    fn named_type(&self, name: &'r str, scope: Scope) -> Option<Type<'r>> {
        match self.resolve_name(name, scope)? {
            TypeReference::Type(id) => Some(Type::Declared(id, Arc::default())),
            TypeReference::External(_) => None,
        }
    }

    /// The bound of a type parameter of `owner`, without the type arguments of the bound; unknown if there is none.
    pub(super) fn bound(&self, parameter: &TypeParameter<'r>, owner: TypeId) -> Type<'r> {
        let scope = Scope {
            file: self.file_of(owner),
            owner: Some(owner),
        };
        match &parameter.bound {
            // Type arguments of a bound often name the parameter itself and are not needed.
            Some(bound) => match self.resolve_name(bound.name, scope) {
                Some(TypeReference::Type(id)) => Type::Declared(id, Arc::default()),
                _ => Type::Unknown,
            },
            None => Type::Unknown,
        }
    }
}

/// Whether a name is that of a primitive type or `void`.
fn is_primitive(name: &str) -> bool {
    matches!(
        name,
        "int" | "long" | "boolean" | "double" | "float" | "byte" | "short" | "char" | "void"
    )
}
