//! Inheritance: supertypes, ancestors, fields, and the resolved signatures of methods.
//!
//! Everything is computed on the first request and cached in the index with its type.

use std::sync::{Arc, OnceLock};

use super::ids::{MethodId, TypeId};
use super::index::Index;
use super::scope::Scope;
use super::type_text::{parse_type, parse_type_parameters};
use super::types::{Ancestor, Bindings, Signature, Type};
use crate::slots::Slots;
use crate::syntax::declarations::FieldDeclaration;
use crate::syntax::outline::TypeKind;

/// The maximum number of ancestors of a type that are listed; only generated hierarchies have more.
const MAX_ANCESTORS: usize = 96;

impl<'r> Index<'r> {
    /// The direct supertypes of a type, with their type arguments.
    pub(crate) fn supertypes(&self, id: TypeId) -> &[Type<'r>] {
        self.types[id.position()].supertypes.get_or_init(|| {
            let declared = self.outline(id);
            let scope = Scope {
                file: self.file_of(id),
                owner: Some(id),
            };
            let mut supertypes: Vec<_> = declared
                .supertypes
                .iter()
                .map(|text| self.resolve_type(&parse_type(text), scope, &[]))
                .filter(|it| *it != Type::Declared(id, Arc::default()))
                .collect();
            if declared.kind == TypeKind::Enum {
                let own = Type::Declared(id, Arc::default());
                supertypes.extend(self.enumeration.map(|base| Type::Declared(base, Arc::new([own]))));
            }
            supertypes
        })
    }

    /// A type and all its supertypes: first the type itself, then its supertypes from near to far, `Object` last.
    pub(crate) fn ancestors(&self, id: TypeId) -> &[Ancestor<'r>] {
        self.types[id.position()].ancestors.get_or_init(|| {
            let own: Arc<[Type<'r>]> = self
                .parameters(id)
                .iter()
                .map(|it| Type::Variable(it.name, Arc::new(self.bound(it, id))))
                .collect();
            let mut found = vec![Ancestor { id, arguments: own }];
            let mut at = 0;
            while at < found.len() && found.len() < MAX_ANCESTORS {
                let current = found[at].clone();
                let bindings = self.bind(current.id, &current.arguments);
                for supertype in self.supertypes(current.id) {
                    if let Type::Declared(parent, arguments) = supertype
                        && !found.iter().any(|it| it.id == *parent)
                    {
                        let arguments = arguments.iter().map(|it| it.substitute(&bindings)).collect();
                        found.push(Ancestor { id: *parent, arguments });
                    }
                }
                at += 1;
            }
            if let Some(object) = self.object.filter(|it| *it != id) {
                found.push(Ancestor {
                    id: object,
                    arguments: Arc::default(),
                });
            }
            found
        })
    }

    /// The cache slot of a method in `slots`, which has one slot for each method of its type.
    pub(super) fn method_slot<'s, T>(&self, slots: &'s Slots<T>, id: MethodId) -> &'s OnceLock<T> {
        slots.slot(id.index as usize, || self.declaration(id.owner).methods.len())
    }

    /// The resolved parameter and result types of a method.
    pub(crate) fn signature(&self, id: MethodId) -> &Signature<'r> {
        let slots = &self.types[id.owner.position()].signatures;
        self.method_slot(slots, id).get_or_init(|| {
            let method = self.method(id);
            let scope = Scope {
                file: self.file_of(id.owner),
                owner: Some(id.owner),
            };
            let own = parse_type_parameters(method.type_parameters);
            let resolve = |text, dimensions| self.resolve_type(&parse_type(text), scope, &own).array_of(dimensions);
            Signature {
                parameters: method
                    .parameters
                    .iter()
                    .map(|it| resolve(it.type_text, it.dimensions))
                    .collect(),
                returns: resolve(method.return_type, method.return_dimensions),
            }
        })
    }

    /// The type parameters of the type `id`, each with its type argument. Without type arguments, each gets its bound:
    /// `Number` for `T extends Number`, unknown for `T`.
    pub(crate) fn bind(&self, id: TypeId, arguments: &[Type<'r>]) -> Bindings<'r> {
        self.parameters(id)
            .iter()
            .enumerate()
            .map(|(at, parameter)| {
                let argument = arguments.get(at).cloned();
                let argument = argument.filter(|it| *it != Type::Unknown);
                (parameter.name, argument.unwrap_or_else(|| self.bound(parameter, id)))
            })
            .collect()
    }

    /// The type parameters of an ancestor of a type, each with its type argument. `own` holds the type arguments of the
    /// inheriting type.
    pub(super) fn bind_ancestor(&self, ancestor: &Ancestor<'r>, own: &Bindings<'r>) -> Bindings<'r> {
        let arguments: Vec<_> = ancestor.arguments.iter().map(|it| it.substitute(own)).collect();
        self.bind(ancestor.id, &arguments)
    }

    /// Whether `id` is `ancestor` or inherits from it.
    pub(crate) fn inherits(&self, id: TypeId, ancestor: TypeId) -> bool {
        self.ancestors(id).iter().any(|it| it.id == ancestor)
    }

    /// The types whose direct supertypes include `id`.
    pub(crate) fn direct_subtypes(&self, id: TypeId) -> impl Iterator<Item = TypeId> + '_ {
        self.subtypes_by_written_name(self.outline(id).name)
            .iter()
            .copied()
            .filter(move |candidate| {
                self.supertypes(*candidate)
                    .iter()
                    .any(|it| matches!(it, Type::Declared(parent, _) if *parent == id))
            })
    }

    /// The field that a type declares or inherits under a name, with the type that declares it. `None` if there is no
    /// such field.
    pub(crate) fn field(&self, id: TypeId, name: &str) -> Option<(&Ancestor<'r>, &FieldDeclaration<'r>)> {
        self.ancestors(id).iter().find_map(|ancestor| {
            let field = self.own_field(ancestor.id, name)?;
            Some((ancestor, field))
        })
    }
}
