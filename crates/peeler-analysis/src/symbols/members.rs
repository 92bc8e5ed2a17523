//! Types of fields and of the elements of iterables.

use std::sync::Arc;

use super::index::Index;
use super::scope::Scope;
use super::type_text::parse_type;
use super::types::Type;

/// The type of the field `name` of a value of type `type_`; unknown if the type has no such field.
pub(super) fn field_type<'r>(index: &Index<'r>, type_: &Type<'r>, name: &str) -> Type<'r> {
    match type_.erase_variable() {
        Type::Array(_) if name == "length" => Type::Primitive("int"),
        Type::Declared(id, arguments) => match index.field(id, name) {
            Some((ancestor, field)) => {
                // Enum constants are fields without a written type; they have the type of the enum.
                if field.type_text.is_empty() {
                    return Type::Declared(ancestor.id, Arc::default());
                }
                let scope = Scope {
                    file: index.file_of(ancestor.id),
                    owner: Some(ancestor.id),
                };
                let bindings = index.bind_ancestor(ancestor, &index.bind(id, &arguments));
                index
                    .resolve_type(&parse_type(field.type_text), scope, &[])
                    .array_of(field.dimensions)
                    .substitute(&bindings)
            }
            None => Type::Unknown,
        },
        _ => Type::Unknown,
    }
}

/// The type of the elements when a `for` loop iterates over a value of type `iterable`.
pub(super) fn element_type<'r>(index: &Index<'r>, iterable: &Type<'r>) -> Type<'r> {
    match iterable.erase_variable() {
        Type::Array(inner) => (*inner).clone(),
        Type::Declared(id, arguments) => {
            let own = index.bind(id, &arguments);
            index
                .ancestors(id)
                .iter()
                .find(|it| index.outline(it.id).name == "Iterable")
                .and_then(|it| it.arguments.first())
                .map_or(Type::Unknown, |it| it.substitute(&own))
        }
        _ => Type::Unknown,
    }
}
