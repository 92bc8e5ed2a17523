//! Overload resolution: which of several methods with one name a call refers to.
//!
//! Only methods that take the given number of arguments are candidates. Every argument of known type must fit its
//! parameter, and the closest fit wins. An argument of unknown type rules no candidate out.

use super::ids::{MethodId, TypeId};
use super::index::Index;
use super::inference::functional_method;
use super::types::{Bindings, Type};
use crate::syntax::body::CONSTRUCTOR;

/// A method that a call may refer to, with the type arguments of the class that declares it.
#[derive(Debug, Clone)]
pub(super) struct Candidate<'r> {
    pub(super) id: MethodId,
    pub(super) bindings: Bindings<'r>,
}

impl<'r> Candidate<'r> {
    /// Whether the method can be called with this number of arguments.
    fn takes(&self, index: &Index<'_>, arity: usize) -> bool {
        let method = index.method(self.id);
        let declared = method.parameters.len();
        declared == arity || method.is_variadic && arity + 1 >= declared
    }

    /// The parameter types of the candidate method, with the type parameters of its class replaced by type arguments.
    pub(super) fn parameter_types(&self, index: &Index<'r>) -> Vec<Type<'r>> {
        let signature = index.signature(self.id);
        signature
            .parameters
            .iter()
            .map(|it| it.substitute(&self.bindings))
            .collect()
    }
}

/// A score for how closely an argument fits its parameter; `None` if it cannot be passed.
type Fit = Option<i32>;

/// The score in overload resolution of an argument that has exactly the type of its parameter.
const EXACT: i32 = 8;
/// The score in overload resolution of an argument if its type, or that of its parameter, is unknown.
const UNKNOWN: i32 = 1;
/// The score in overload resolution that is added if a variadic method collects arguments into its array. It is a
/// penalty.
const SPREAD: i32 = -4;

/// The maximum number of methods with one name and one number of parameters that overload resolution compares for a
/// call.
const MAX_CANDIDATES: usize = 200;

/// The methods `name` that `owner` declares or inherits and that take `arity` arguments, nearest declaration first.
/// Overridden methods are left out.
pub(super) fn methods<'r>(
    index: &Index<'r>,
    owner: TypeId,
    arguments: &[Type<'r>],
    name: &str,
    arity: usize,
) -> Vec<Candidate<'r>> {
    let own = index.bind(owner, arguments);
    let mut found: Vec<Candidate<'r>> = Vec::new();
    for ancestor in index.ancestors(owner) {
        let mut methods = index.methods_named(ancestor.id, name).peekable();
        if methods.peek().is_none() {
            continue;
        }
        let bindings = index.bind_ancestor(ancestor, &own);
        for id in methods {
            let candidate = Candidate {
                id,
                bindings: bindings.clone(),
            };
            if found.len() == MAX_CANDIDATES {
                return found;
            }
            let is_overridden = || found.iter().any(|it| index.same_parameters(it.id, id));
            if candidate.takes(index, arity) && !is_overridden() {
                found.push(candidate);
            }
        }
    }
    found
}

/// The constructors of `owner` that take `arity` arguments, in the order of declaration.
pub(super) fn constructors<'r>(
    index: &Index<'r>,
    owner: TypeId,
    arguments: &[Type<'r>],
    arity: usize,
) -> Vec<Candidate<'r>> {
    let bindings = index.bind(owner, arguments);
    let constructors = index.methods_named(owner, CONSTRUCTOR).map(|id| Candidate {
        id,
        bindings: bindings.clone(),
    });
    constructors.filter(|it| it.takes(index, arity)).collect()
}

/// The candidate method that gets the highest score for how closely arguments of these types fit its parameters. The
/// first candidate if none fits; `None` if there are no candidates.
pub(super) fn best<'r>(index: &Index<'r>, candidates: Vec<Candidate<'r>>, types: &[Type<'r>]) -> Option<Candidate<'r>> {
    if candidates.len() == 1 {
        return candidates.into_iter().next();
    }
    let mut best: Option<(i32, Candidate<'r>)> = None;
    let fallback = candidates.first().cloned();
    for candidate in candidates {
        if let Some(fit) = fit(index, &candidate, types)
            && best.as_ref().is_none_or(|(known, _)| fit > *known)
        {
            best = Some((fit, candidate));
        }
    }
    // Generics that were not inferred can make every overload look wrong; then the nearest is chosen.
    best.map(|(_, candidate)| candidate).or(fallback)
}

/// The score for how closely all arguments of a call fit the parameters of a candidate method; `None` if one does not
/// fit.
fn fit<'r>(index: &Index<'r>, candidate: &Candidate<'r>, types: &[Type<'r>]) -> Fit {
    let method = index.method(candidate.id);
    let parameters = candidate.parameter_types(index);
    let fixed = parameters.len();
    if method.parameters.len() == types.len() {
        let direct: Option<i32> = types
            .iter()
            .zip(&parameters)
            .map(|(argument, parameter)| fit_one(index, argument, parameter))
            .sum();
        if direct.is_some() || !method.is_variadic {
            return direct;
        }
    }
    // The remaining arguments are collected into the array of the last parameter.
    let Some(Type::Array(element)) = parameters.last() else {
        return None;
    };
    let mut total = SPREAD;
    for (at, argument) in types.iter().enumerate() {
        let parameter = if at + 1 < fixed { &parameters[at] } else { element };
        total += fit_one(index, argument, parameter)?;
    }
    Some(total)
}

/// The score for how closely one argument of a call fits its parameter; `None` if it cannot be passed.
fn fit_one(index: &Index<'_>, argument: &Type<'_>, parameter: &Type<'_>) -> Fit {
    let argument = &argument.erase_variable();
    if let Type::Variable(_, bound) = parameter {
        return match (&**bound, argument) {
            (Type::Unknown, _) => Some(UNKNOWN),
            (_, Type::Primitive(_)) => fit_one(index, argument, bound).map(|it| it.min(2)),
            (bound, argument) => fit_one(index, argument, bound).map(|it| it.min(3)),
        };
    }
    match (argument, parameter) {
        (Type::Unknown, _) | (_, Type::Unknown) => Some(UNKNOWN),
        (Type::Null, Type::Primitive(_)) => None,
        (Type::Null, Type::Declared(id, _)) => Some(if is_object(index, *id) { 0 } else { UNKNOWN }),
        (Type::Null, _) => Some(UNKNOWN),
        (Type::Function(arity), Type::Declared(id, _)) => match functional_method(index, *id) {
            Some(method) => {
                let declared = index.method(method).parameters.len();
                arity.is_none_or(|it| it == declared).then_some(4)
            }
            None => None,
        },
        (Type::Function(_), Type::External(_)) => Some(UNKNOWN),
        (Type::Function(_), _) | (_, Type::Function(_)) => None,
        (Type::Primitive(a), Type::Primitive(b)) => widening(a, b),
        (Type::Primitive(a), Type::Declared(id, _)) => fit_boxed(index, a, *id),
        (Type::Declared(id, _), Type::Primitive(name)) => {
            let unboxed = unboxed(index.outline(*id).name)?;
            widening(unboxed, name).map(|it| it - 4)
        }
        (Type::Array(a), Type::Array(b)) => match (&**a, &**b) {
            (Type::Primitive(a), Type::Primitive(b)) => (a == b).then_some(EXACT),
            (a, b) => fit_one(index, a, b),
        },
        (Type::Array(_), Type::Declared(id, _)) => is_object(index, *id).then_some(0),
        (Type::Declared(a, _), Type::Declared(b, _)) => fit_declared(index, *a, *b),
        (Type::Declared(id, _), Type::External(_)) => has_unknown_ancestor(index, *id).then_some(0),
        (Type::External(a), Type::External(b)) => {
            let same = a.rsplit('.').next() == b.rsplit('.').next();
            Some(if same { EXACT } else { 0 })
        }
        (Type::External(_), Type::Declared(id, _)) => Some(i32::from(is_object(index, *id))),
        _ => None,
    }
}

/// The score for how closely a primitive argument fits a parameter of a class type after boxing; `None` if it does not
/// fit.
fn fit_boxed(index: &Index<'_>, primitive: &str, id: TypeId) -> Fit {
    let name = index.outline(id).name;
    if !index.is_library(id) {
        return None;
    }
    match unboxed(name) {
        Some(unboxed) => (unboxed == primitive).then_some(3),
        None if name == "Number" && primitive != "boolean" => Some(2),
        None => matches!(name, "Object" | "Comparable" | "Serializable").then_some(1),
    }
}

/// The score for how closely an argument of one class type fits a parameter of another; `None` if it does not fit.
fn fit_declared(index: &Index<'_>, argument: TypeId, parameter: TypeId) -> Fit {
    if argument == parameter {
        return Some(EXACT);
    }
    if is_object(index, parameter) {
        return Some(0);
    }
    let ancestors = index.ancestors(argument);
    match ancestors.iter().position(|it| it.id == parameter) {
        Some(distance) => Some((EXACT - 1 - i32::try_from(distance).unwrap_or(i32::MAX).min(5)).max(2)),
        // The argument is not cast to a subclass that might implement the interface.
        None => has_unknown_ancestor(index, argument).then_some(0),
    }
}

/// Whether the type is `java.lang.Object`.
fn is_object(index: &Index<'_>, id: TypeId) -> bool {
    index.is_library(id) && index.outline(id).name == "Object"
}

/// Whether a type inherits, also indirectly, from a type whose declaration is not known.
fn has_unknown_ancestor(index: &Index<'_>, id: TypeId) -> bool {
    index.ancestors(id).iter().any(|ancestor| {
        index
            .supertypes(ancestor.id)
            .iter()
            .any(|it| matches!(it, Type::External(_)))
    })
}

/// The score for how closely a primitive argument fits a primitive parameter, as `int` fits `long`. `None` if it does
/// not fit.
fn widening(from: &str, to: &str) -> Fit {
    const NUMERIC: [&str; 6] = ["byte", "short", "int", "long", "float", "double"];
    if from == to {
        return Some(EXACT);
    }
    let rank = |name: &str| NUMERIC.iter().position(|it| *it == name);
    let from = if from == "char" { Some(1) } else { rank(from) }?;
    let to = rank(to)?;
    // A literal `1` fits a `byte` or `short` only in an assignment, never in a call.
    (to > from).then(|| EXACT - i32::try_from(to - from).unwrap_or(4))
}

/// The primitive type of a wrapper class: `int` for `Integer`. `None` for other classes.
fn unboxed(name: &str) -> Option<&'static str> {
    Some(match name {
        "Integer" => "int",
        "Long" => "long",
        "Boolean" => "boolean",
        "Double" => "double",
        "Float" => "float",
        "Byte" => "byte",
        "Short" => "short",
        "Character" => "char",
        _ => return None,
    })
}
