//! What a name or a field in a body stands for: a variable with its type, or a type.

use std::sync::Arc;

use super::names::{Named, Scope};
use super::resolve::Resolver;
use super::type_text::parse_type;
use super::types::Type;
use crate::syntax::body::{Expression, ExpressionKind};

/// What stands before a dot.
pub(super) enum Receiver<'r> {
    Value(Type<'r>),
    Static(Named<'r>),
}

impl<'r> Resolver<'_, 'r> {
    pub(super) fn receiver(&mut self, expression: &Expression<'r>) -> Receiver<'r> {
        match &expression.kind {
            ExpressionKind::Name(name) => {
                if let Some(type_) = self.variable(name) {
                    return Receiver::Value(type_);
                }
                let name = parse_type(name).name;
                match self.index.resolve_name(name, self.scope) {
                    Some(named) => Receiver::Static(named),
                    None if name.starts_with(|c: char| c.is_uppercase()) => Receiver::Static(Named::External(name)),
                    None => Receiver::Value(Type::Unknown),
                }
            }
            ExpressionKind::Field { object, name } => match self.receiver(object) {
                Receiver::Value(Type::Unknown) => self.qualified(expression),
                Receiver::Value(type_) => Receiver::Value(self.field_of(&type_, name)),
                Receiver::Static(Named::Type(id)) => {
                    if *name == "this" {
                        return Receiver::Value(Type::Declared(id, self.index.ancestors(id)[0].arguments.clone()));
                    }
                    let outer = Type::Declared(id, Arc::default());
                    match self.field_of(&outer, name) {
                        Type::Unknown => match self.index.nested(id, name) {
                            Some(nested) => Receiver::Static(Named::Type(nested)),
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

    /// `a.b.C` with a package in front.
    fn qualified(&self, expression: &Expression<'r>) -> Receiver<'r> {
        let text = &self.index.source(self.file()).text()[expression.start as usize..expression.end as usize];
        match self.index.lookup_qualified(text, self.file()) {
            Some(id) => Receiver::Static(Named::Type(id)),
            None => Receiver::Value(Type::Unknown),
        }
    }

    /// The type of a variable in scope: local, field, inherited field, statically imported field.
    pub(super) fn variable(&self, name: &str) -> Option<Type<'r>> {
        if let Some((_, type_)) = self.locals.iter().rev().find(|(known, _)| *known == name) {
            return Some(type_.clone());
        }
        for inner in self.inner.iter().rev() {
            match self.field_of(&inner.supertype, name) {
                Type::Unknown => {}
                type_ => return Some(type_),
            }
        }
        let mut owner = self.scope.owner;
        while let Some(id) = owner {
            let type_ = Type::Declared(id, self.index.ancestors(id)[0].arguments.clone());
            if self.index.field(id, name).is_some() {
                return Some(self.field_of(&type_, name));
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
                return Some(self.field_of(&Type::Declared(id, Arc::default()), name));
            }
        }
        None
    }

    pub(super) fn field_of(&self, type_: &Type<'r>, name: &str) -> Type<'r> {
        match type_.erase_variable() {
            Type::Array(_) if name == "length" => Type::Primitive("int"),
            Type::Declared(id, arguments) => match self.index.field(id, name) {
                Some((ancestor, field)) => {
                    // The constants of an enum have the enum's type.
                    if field.type_text.is_empty() {
                        return Type::Declared(ancestor.id, Arc::default());
                    }
                    let scope = Scope {
                        file: self.index.file_of(ancestor.id),
                        owner: Some(ancestor.id),
                    };
                    let own = self.index.bind(id, &arguments);
                    let inherited: Vec<_> = ancestor.arguments.iter().map(|it| it.substitute(&own)).collect();
                    let bindings = self.index.bind(ancestor.id, &inherited);
                    self.index
                        .resolve_type(&parse_type(field.type_text), scope, &[])
                        .array_of(field.dimensions)
                        .substitute(&bindings)
                }
                None => Type::Unknown,
            },
            _ => Type::Unknown,
        }
    }

    pub(super) fn element_of(&self, iterable: &Type<'r>) -> Type<'r> {
        match iterable.erase_variable() {
            Type::Array(inner) => (*inner).clone(),
            Type::Declared(id, arguments) => {
                let own = self.index.bind(id, &arguments);
                self.index
                    .ancestors(id)
                    .iter()
                    .find(|it| self.index.outline(it.id).name == "Iterable")
                    .and_then(|it| it.arguments.first())
                    .map_or(Type::Unknown, |it| it.substitute(&own))
            }
            _ => Type::Unknown,
        }
    }
}
