//! Finds the methods that can run when a method is called: overriding methods and implementations of abstract methods.

use super::ids::{MethodId, TypeId};
use super::index::Index;
use super::types::Type;
use crate::syntax::outline::simple_name;

/// The maximum number of implementations of an abstract method that are considered. With more, none of them is assumed
/// to run.
const MAX_IMPLEMENTATIONS: usize = 4;
/// The maximum number of types, the declaring one included, that are searched for implementations of an abstract
/// method.
const MAX_SUBTYPES: usize = 64;

impl Index<'_> {
    /// The method that runs when `method` is called on an instance of `class`: the nearest override, or `method`
    /// itself.
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

    /// The implementations of an abstract method. Empty if there are more than [`MAX_IMPLEMENTATIONS`], or too many
    /// subtypes to search.
    pub(crate) fn implementations(&self, method: MethodId) -> &[MethodId] {
        let declared = self.method(method);
        if declared.code.is_some() || declared.is_constructor {
            return &[];
        }
        let slots = &self.types[method.owner.position()].implementations;
        self.method_slot(slots, method)
            .get_or_init(|| self.find_implementations(method))
    }

    /// The methods that implement an abstract method: methods of subtypes with a body, the same name and the same
    /// number of parameters.
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
                if seen.len() > MAX_SUBTYPES {
                    return Box::default();
                }
                pending.push(subtype);
                found.extend(self.methods_named(subtype, declared.name).filter(|candidate| {
                    let candidate = self.method(*candidate);
                    candidate.code.is_some() && candidate.parameters.len() == arity
                }));
                // Stop here: parsing further subtypes would be useless work.
                if found.len() > MAX_IMPLEMENTATIONS {
                    return Box::default();
                }
            }
        }
        found.sort_unstable();
        found.into()
    }

    /// Whether one of two methods with the same name overrides the other. A parameter whose type is a type parameter
    /// can be overridden by a parameter of any type.
    pub(super) fn same_parameters(&self, a: MethodId, b: MethodId) -> bool {
        let is_other_owner = a.owner != b.owner;
        let (first, second) = (self.signature(a), self.signature(b));
        first.parameters.len() == second.parameters.len()
            && self.method(a).is_variadic == self.method(b).is_variadic
            && first.parameters.iter().zip(&second.parameters).all(|(x, y)| {
                let is_variable = matches!(x, Type::Variable(..)) || matches!(y, Type::Variable(..));
                same_erasure(x, y) || is_other_owner && is_variable
            })
    }
}

/// Whether two types are equal without their type arguments.
fn same_erasure(a: &Type<'_>, b: &Type<'_>) -> bool {
    match (a, b) {
        (Type::Declared(a, _), Type::Declared(b, _)) => a == b,
        (Type::External(a), Type::External(b)) => simple_name(a) == simple_name(b),
        (Type::Array(a), Type::Array(b)) => same_erasure(a, b),
        (Type::Variable(a, _), Type::Variable(b, _)) => a == b,
        (a, b) => a == b,
    }
}
