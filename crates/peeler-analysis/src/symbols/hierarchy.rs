//! What types inherit: parameters, supertypes, ancestors, fields, and the bodies behind abstract
//! methods.
//!
//! Everything is computed when first asked for and kept with the type.

use std::sync::{Arc, OnceLock};

use super::index::{Index, MethodId, TypeId};
use super::names::{Named, Scope};
use super::type_text::{TypeParameter, parse_type, parse_type_parameters};
use super::types::{Bindings, Type};
use crate::slots::Slots;
use crate::syntax::declarations::FieldDeclaration;
use crate::syntax::outline::TypeKind;

/// A type among the supertypes of another, with its arguments in terms of the other's parameters.
#[derive(Debug, Clone)]
pub(crate) struct Ancestor<'r> {
    pub(crate) id: TypeId,
    pub(crate) arguments: Arc<[Type<'r>]>,
}

/// The types of a method in terms of its own and its owner's type parameters.
#[derive(Debug)]
pub(crate) struct Signature<'r> {
    pub(crate) parameters: Vec<Type<'r>>,
    pub(crate) returns: Type<'r>,
}

/// How many ancestors a type may have: more means a hierarchy that nobody wrote by hand.
const MAX_ANCESTORS: usize = 96;

/// An abstract method stands for its implementations when there are at most this many,
const FEW_IMPLEMENTATIONS: usize = 4;
/// and about this many subtypes are looked through for them.
const MOST_SUBTYPES: usize = 64;

impl<'r> Index<'r> {
    /// Type parameters of a type.
    pub(crate) fn parameters(&self, id: TypeId) -> &[TypeParameter<'r>] {
        self.types[id.0 as usize]
            .parameters
            .get_or_init(|| parse_type_parameters(self.outline(id).type_parameters))
    }

    /// Direct supertypes, resolved, with their arguments.
    pub(crate) fn supertypes(&self, id: TypeId) -> &[Type<'r>] {
        self.types[id.0 as usize].supertypes.get_or_init(|| {
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

    /// The type itself and everything it inherits from, nearest first, `Object` last.
    pub(crate) fn ancestors(&self, id: TypeId) -> &[Ancestor<'r>] {
        self.types[id.0 as usize].ancestors.get_or_init(|| {
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

    pub(super) fn bound(&self, parameter: &TypeParameter<'r>, owner: TypeId) -> Type<'r> {
        let scope = Scope {
            file: self.file_of(owner),
            owner: Some(owner),
        };
        match &parameter.bound {
            // Arguments of a bound often name the parameter itself; they are not needed.
            Some(bound) => match self.resolve_name(bound.name, scope) {
                Some(Named::Type(id)) => Type::Declared(id, Arc::default()),
                _ => Type::Unknown,
            },
            None => Type::Unknown,
        }
    }

    /// The slot of a method among those of its type.
    fn method_slot<'s, T>(&self, slots: &'s Slots<T>, id: MethodId) -> &'s OnceLock<T> {
        slots.slot(id.index as usize, || self.declaration(id.owner).methods.len())
    }

    /// The resolved types of a method, computed once.
    pub(crate) fn signature(&self, id: MethodId) -> &Signature<'r> {
        let slots = &self.types[id.owner.0 as usize].signatures;
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

    /// Parameters of `id` bound to `arguments`; a raw type leaves them at their bounds.
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

    /// Whether `id` is `ancestor` or inherits from it.
    pub(crate) fn inherits(&self, id: TypeId, ancestor: TypeId) -> bool {
        self.ancestors(id).iter().any(|it| it.id == ancestor)
    }

    /// Types of the repository that name `id` among their supertypes.
    pub(crate) fn direct_subtypes(&self, id: TypeId) -> impl Iterator<Item = TypeId> + '_ {
        self.subtypes_by_name
            .get(self.outline(id).name)
            .into_iter()
            .flatten()
            .copied()
            .filter(move |candidate| {
                self.supertypes(*candidate)
                    .iter()
                    .any(|it| matches!(it, Type::Declared(parent, _) if *parent == id))
            })
    }

    /// The field `name` of a type or its ancestors, with the type that declares it.
    pub(crate) fn field(&self, id: TypeId, name: &str) -> Option<(&Ancestor<'r>, &FieldDeclaration<'r>)> {
        self.ancestors(id).iter().find_map(|ancestor| {
            let declared = self.declaration(ancestor.id);
            let field = declared.fields.iter().find(|it| it.name == name)?;
            Some((ancestor, field))
        })
    }

    /// The body that runs when an inherited method is called on a `class`: the nearest override, or the method itself.
    pub(crate) fn override_in(&self, class: TypeId, method: MethodId) -> MethodId {
        let declared = self.method(method);
        let overrides = |candidate: &MethodId| {
            let candidate = self.method(*candidate);
            candidate.parameters.len() == declared.parameters.len() && candidate.code.is_some()
        };
        self.ancestors(class)
            .iter()
            .take_while(|it| it.id != method.owner)
            .find_map(|it| self.methods_named(it.id, declared.name).find(overrides))
            .unwrap_or(method)
    }

    /// The bodies in the repository that run when an abstract method is called: its implementations,
    /// when they are few.
    pub(crate) fn implementations(&self, method: MethodId) -> &[MethodId] {
        let declared = self.method(method);
        if declared.code.is_some() || declared.is_constructor {
            return &[];
        }
        let slots = &self.types[method.owner.0 as usize].implementations;
        self.method_slot(slots, method)
            .get_or_init(|| self.find_implementations(method))
    }

    fn find_implementations(&self, method: MethodId) -> Box<[MethodId]> {
        let declared = self.method(method);
        let arity = declared.parameters.len();
        let mut found = Vec::new();
        let mut pending = vec![method.owner];
        let mut seen = vec![method.owner];
        while let Some(id) = pending.pop() {
            for subtype in self.direct_subtypes(id) {
                if seen.contains(&subtype) {
                    continue;
                }
                seen.push(subtype);
                if seen.len() > MOST_SUBTYPES {
                    return Box::default();
                }
                pending.push(subtype);
                found.extend(self.methods_named(subtype, declared.name).filter(|candidate| {
                    let candidate = self.method(*candidate);
                    candidate.code.is_some() && candidate.parameters.len() == arity
                }));
                // Not to parse the others for nothing.
                if found.len() > FEW_IMPLEMENTATIONS {
                    return Box::default();
                }
            }
        }
        found.sort_unstable();
        found.into()
    }
}
