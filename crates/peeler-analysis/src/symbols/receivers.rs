//! Resolves a name or a field access in a method body: to a value with its type, or to a type.

use std::sync::Arc;

use super::members::field_type;
use super::resolver::Resolver;
use super::scope::TypeReference;
use super::type_text::parse_type;
use super::types::Type;
use crate::syntax::body::{Expression, ExpressionKind};

/// What an expression before a dot is: `cart` in `cart.total()` is a value, `Math` in `Math.abs(1)` is a type.
pub(super) enum Receiver<'r> {
    /// The expression before the dot is a value of this type.
    Value(Type<'r>),
    /// The expression before the dot is the name of a type.
    Static(TypeReference<'r>),
}

impl<'r> Resolver<'_, 'r> {
    /// The value or type that an expression before a dot refers to, such as `Math` in `Math.abs(1)`.
    pub(super) fn receiver(&mut self, expression: &Expression<'r>) -> Receiver<'r> {
        match &expression.kind {
            ExpressionKind::Name(name) => {
                if let Some(type_) = self.variable(name) {
                    return Receiver::Value(type_);
                }
                let name = parse_type(name).name;
                match self.index.resolve_name(name, self.scope) {
                    Some(named) => Receiver::Static(named),
                    None if name.starts_with(|c: char| c.is_uppercase()) => {
                        Receiver::Static(TypeReference::External(name))
                    }
                    None => Receiver::Value(Type::Unknown),
                }
            }
            ExpressionKind::Field { object, name } => match self.receiver(object) {
                Receiver::Value(Type::Unknown) => self.qualified(expression),
                Receiver::Value(type_) => Receiver::Value(field_type(self.index, &type_, name)),
                Receiver::Static(TypeReference::Type(id)) => {
                    if *name == "this" {
                        return Receiver::Value(Type::Declared(id, self.index.ancestors(id)[0].arguments.clone()));
                    }
                    let outer = Type::Declared(id, Arc::default());
                    match field_type(self.index, &outer, name) {
                        Type::Unknown => match self.index.nested(id, name) {
                            Some(nested) => Receiver::Static(TypeReference::Type(nested)),
                            None => Receiver::Value(Type::Unknown),
                        },
                        type_ => Receiver::Value(type_),
                    }
                }
                Receiver::Static(external) => Receiver::Static(external),
            },
            _ => Receiver::Value(self.type_of(expression)),
        }
    }

    /// The type that a qualified name like `a.b.C` refers to; a value of unknown type if there is none.
    fn qualified(&self, expression: &Expression<'r>) -> Receiver<'r> {
        match self.index.lookup_qualified(self.text(expression), self.file()) {
            Some(id) => Receiver::Static(TypeReference::Type(id)),
            None => Receiver::Value(Type::Unknown),
        }
    }

    /// The type of the variable with this name: a local variable, a field, or a statically imported field. `None` if
    /// there is no such variable.
    fn variable(&self, name: &str) -> Option<Type<'r>> {
        if let Some((_, type_)) = self.locals.iter().rev().find(|(known, _)| *known == name) {
            return Some(type_.clone());
        }
        for inner in self.inner.iter().rev() {
            match field_type(self.index, &inner.supertype, name) {
                Type::Unknown => {}
                type_ => return Some(type_),
            }
        }
        let mut owner = self.scope.owner;
        while let Some(id) = owner {
            let type_ = Type::Declared(id, self.index.ancestors(id)[0].arguments.clone());
            if self.index.field(id, name).is_some() {
                return Some(field_type(self.index, &type_, name));
            }
            owner = self.index.enclosing(id);
        }
        for import in self
            .index
            .file_outline(self.file())
            .imports
            .iter()
            .filter(|it| it.is_static)
        {
            let owner = if import.is_wildcard {
                Some(import.path)
            } else {
                import.path.strip_suffix(name).and_then(|it| it.strip_suffix('.'))
            };
            let id = owner.and_then(|it| self.index.lookup_qualified(it, self.file()));
            if let Some(id) = id.filter(|it| self.index.field(*it, name).is_some()) {
                return Some(field_type(self.index, &Type::Declared(id, Arc::default()), name));
            }
        }
        None
    }
}
