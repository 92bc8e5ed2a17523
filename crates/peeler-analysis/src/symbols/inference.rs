//! Inference of type arguments and of lambda parameters, one level deep.
//!
//! ```java
//! names.stream().map(name -> name.length())   // map takes a Function<String, R>; R becomes int
//! ```

use super::ids::{MethodId, TypeId};
use super::index::Index;
use super::types::{Bindings, Signature, Type};

/// The parameter and result types of the single abstract method of a functional interface; `None` for any other type.
pub(super) fn function_signature<'r>(index: &Index<'r>, interface: &Type<'r>) -> Option<Signature<'r>> {
    let Type::Declared(id, arguments) = interface else {
        return None;
    };
    let method = functional_method(index, *id)?;
    let ancestor = index.ancestors(*id).iter().find(|it| it.id == method.owner)?;
    let bindings = index.bind_ancestor(ancestor, &index.bind(*id, arguments));
    let signature = index.signature(method);
    Some(Signature {
        parameters: signature.parameters.iter().map(|it| it.substitute(&bindings)).collect(),
        returns: signature.returns.substitute(&bindings),
    })
}

/// The single abstract method of a functional interface; `None` for any other type.
pub(super) fn functional_method(index: &Index<'_>, id: TypeId) -> Option<MethodId> {
    if !index.outline(id).is_abstract {
        return None;
    }
    let mut only = None;
    for ancestor in index.ancestors(id) {
        let declared = index.declaration(ancestor.id);
        for (at, method) in declared.methods.iter().enumerate() {
            if method.is_abstract && !method.is_static && !is_object_method(method.name) {
                let id = MethodId::new(ancestor.id, at);
                match only {
                    None => only = Some(id),
                    Some(known) if index.same_parameters(known, id) => {}
                    Some(_) => return None,
                }
            }
        }
    }
    only
}

/// Finds the types that type parameters stand for: `T` is `String` for the pattern `List<T>` and the actual type
/// `List<String>`. The first type found for a parameter is kept.
pub(super) fn unify<'r>(index: &Index<'r>, pattern: &Type<'r>, actual: &Type<'r>, bindings: &mut Bindings<'r>) {
    match (pattern, actual) {
        (_, Type::Unknown | Type::Null | Type::Function(_)) => {}
        (Type::Variable(name, _), actual) if !bindings.iter().any(|(known, _)| known == name) => {
            bindings.push((name, actual.clone()));
        }
        (Type::Array(pattern), Type::Array(actual)) => unify(index, pattern, actual, bindings),
        (Type::Array(pattern), actual) => unify(index, pattern, actual, bindings),
        (Type::Declared(id, patterns), Type::Declared(actual, arguments)) if !patterns.is_empty() => {
            let own = index.bind(*actual, arguments);
            let Some(ancestor) = index.ancestors(*actual).iter().find(|it| it.id == *id) else {
                return;
            };
            for (pattern, argument) in patterns.iter().zip(ancestor.arguments.iter()) {
                unify(index, pattern, &argument.substitute(&own), bindings);
            }
        }
        _ => {}
    }
}

/// Whether `Object` declares a method of this name. Such a method does not count as abstract in an interface.
fn is_object_method(name: &str) -> bool {
    matches!(name, "equals" | "hashCode" | "toString")
}
