//! Which of several methods of one name a call means.
//!
//! Arity first; then every argument whose type is known must fit its parameter, and the closest fit
//! wins. What is not known about an argument never rules a method out.

use super::index::{Index, MethodId, TypeId};
use super::resolve::Resolver;
use super::targets::Target;
use super::types::{Bindings, Type};
use crate::syntax::body::{CallId, Expression, ExpressionKind};
use crate::syntax::outline::simple_name;

/// A method that a call may mean, with what the type parameters of its owner stand for.
#[derive(Debug, Clone)]
pub(super) struct Candidate<'r> {
    pub(super) id: MethodId,
    pub(super) bindings: Bindings<'r>,
}

impl Candidate<'_> {
    pub(super) fn takes(&self, index: &Index<'_>, arity: usize) -> bool {
        let method = index.method(self.id);
        let declared = method.parameters.len();
        declared == arity || method.is_variadic && arity + 1 >= declared
    }
}

/// How well an argument fits; `None`: it cannot be passed.
type Fit = Option<i32>;

const EXACT: i32 = 8;
const UNKNOWN: i32 = 1;

impl<'r> Resolver<'_, 'r> {
    /// Methods of that name that take that many arguments, nearest declaration first. A method that
    /// is overridden further down is not listed again.
    pub(super) fn candidates(
        &self,
        owner: TypeId,
        arguments: &[Type<'r>],
        name: &str,
        arity: usize,
    ) -> Vec<Candidate<'r>> {
        let own = self.index.bind(owner, arguments);
        let mut found: Vec<Candidate<'r>> = Vec::new();
        for ancestor in self.index.ancestors(owner) {
            let mut methods = self.index.methods_named(ancestor.id, name).peekable();
            if methods.peek().is_none() {
                continue;
            }
            let inherited: Vec<_> = ancestor.arguments.iter().map(|it| it.substitute(&own)).collect();
            let bindings = self.index.bind(ancestor.id, &inherited);
            for id in methods {
                let candidate = Candidate {
                    id,
                    bindings: bindings.clone(),
                };
                let is_overridden = found.iter().any(|it| self.same_parameters(it.id, id));
                if candidate.takes(self.index, arity) && !is_overridden {
                    found.push(candidate);
                }
            }
        }
        found
    }

    /// Whether one method overrides the other: the same parameters, where a type parameter may be
    /// overridden by what it stands for further down.
    fn same_parameters(&self, a: MethodId, b: MethodId) -> bool {
        let is_other_owner = a.owner != b.owner;
        let (first, second) = (self.index.signature(a), self.index.signature(b));
        first.parameters.len() == second.parameters.len()
            && self.index.method(a).is_variadic == self.index.method(b).is_variadic
            && first.parameters.iter().zip(&second.parameters).all(|(x, y)| {
                let is_variable = matches!(x, Type::Variable(..)) || matches!(y, Type::Variable(..));
                same_erasure(x, y) || is_other_owner && is_variable
            })
    }

    /// Chooses among candidates, records the target, and returns the type of the call.
    pub(super) fn apply(
        &mut self,
        call: CallId,
        candidates: Vec<Candidate<'r>>,
        arguments: &[Expression<'r>],
    ) -> Type<'r> {
        let types: Vec<Type<'r>> = arguments
            .iter()
            .map(|it| match &it.kind {
                // Typed below, when the parameter they are passed for is known.
                ExpressionKind::Lambda(lambda) => Type::Function(Some(lambda.parameters.len())),
                ExpressionKind::MethodReference { .. } => Type::Function(None),
                _ => self.type_of(it),
            })
            .collect();
        let chosen = if candidates.len() == 1 {
            candidates.into_iter().next()
        } else {
            self.best(candidates, &types)
        };
        let Some(chosen) = chosen else {
            for argument in arguments
                .iter()
                .filter(|it| matches!(it.kind, ExpressionKind::Lambda(_)))
            {
                self.type_of(argument);
            }
            return Type::Unknown;
        };
        let target = if self.index.is_library(chosen.id.owner) {
            Target::Library(chosen.id)
        } else {
            Target::Declared(chosen.id)
        };
        self.set_target(call, target);
        self.returned_type(&chosen, arguments, &types)
    }

    fn best(&self, candidates: Vec<Candidate<'r>>, types: &[Type<'r>]) -> Option<Candidate<'r>> {
        let mut best: Option<(i32, Candidate<'r>)> = None;
        let fallback = candidates.first().cloned();
        for candidate in candidates {
            if let Some(fit) = self.fit(&candidate, types)
                && best.as_ref().is_none_or(|(known, _)| fit > *known)
            {
                best = Some((fit, candidate));
            }
        }
        // Generics that were not followed can make every overload look wrong: the nearest stands.
        best.map(|(_, candidate)| candidate).or(fallback)
    }

    fn fit(&self, candidate: &Candidate<'r>, types: &[Type<'r>]) -> Fit {
        let method = self.index.method(candidate.id);
        let parameters = self.parameter_types(candidate);
        let fixed = parameters.len();
        if method.parameters.len() == types.len() {
            let direct: Option<i32> = types
                .iter()
                .zip(&parameters)
                .map(|(argument, parameter)| self.fit_one(argument, parameter))
                .sum();
            if direct.is_some() || !method.is_variadic {
                return direct;
            }
        }
        // Spread: everything behind the fixed parameters goes into the array; any fixed arity is closer.
        let Some(Type::Array(element)) = parameters.last() else {
            return None;
        };
        let mut total = -4;
        for (at, argument) in types.iter().enumerate() {
            let parameter = if at + 1 < fixed { &parameters[at] } else { element };
            total += self.fit_one(argument, parameter)?;
        }
        Some(total)
    }

    /// The parameter types of a candidate, with the owner's parameters replaced.
    pub(super) fn parameter_types(&self, candidate: &Candidate<'r>) -> Vec<Type<'r>> {
        self.index
            .signature(candidate.id)
            .parameters
            .iter()
            .map(|it| it.substitute(&candidate.bindings))
            .collect()
    }

    fn fit_one(&self, argument: &Type<'r>, parameter: &Type<'r>) -> Fit {
        let argument = &argument.erase_variable();
        if let Type::Variable(_, bound) = parameter {
            return match (&**bound, argument) {
                (Type::Unknown, _) => Some(UNKNOWN),
                (_, Type::Primitive(_)) => self.fit_one(argument, bound).map(|it| it.min(2)),
                (bound, argument) => self.fit_one(argument, bound).map(|it| it.min(3)),
            };
        }
        match (argument, parameter) {
            (Type::Unknown, _) | (_, Type::Unknown) => Some(UNKNOWN),
            (Type::Null, Type::Primitive(_)) => None,
            (Type::Null, Type::Declared(id, _)) => Some(if self.is_object(*id) { 0 } else { UNKNOWN }),
            (Type::Null, _) => Some(UNKNOWN),
            (Type::Function(arity), Type::Declared(id, _)) => match self.functional_method(*id) {
                Some(method) => {
                    let declared = self.index.method(method).parameters.len();
                    arity.is_none_or(|it| it == declared).then_some(4)
                }
                None => None,
            },
            (Type::Function(_), Type::External(_)) => Some(UNKNOWN),
            (Type::Function(_), _) | (_, Type::Function(_)) => None,
            (Type::Primitive(a), Type::Primitive(b)) => widening(a, b),
            (Type::Primitive(a), Type::Declared(id, _)) => self.fit_boxed(a, *id),
            (Type::Declared(id, _), Type::Primitive(name)) => {
                let unboxed = unboxed(self.index.outline(*id).name)?;
                widening(unboxed, name).map(|it| it - 4)
            }
            (Type::Array(a), Type::Array(b)) => match (&**a, &**b) {
                (Type::Primitive(a), Type::Primitive(b)) => (a == b).then_some(EXACT),
                (a, b) => self.fit_one(a, b),
            },
            (Type::Array(_), Type::Declared(id, _)) => self.is_object(*id).then_some(0),
            (Type::Declared(a, _), Type::Declared(b, _)) => self.fit_declared(*a, *b),
            (Type::Declared(id, _), Type::External(_)) => self.has_unknown_ancestor(*id).then_some(0),
            (Type::External(a), Type::External(b)) => {
                let same = a.rsplit('.').next() == b.rsplit('.').next();
                Some(if same { EXACT } else { 0 })
            }
            (Type::External(_), Type::Declared(id, _)) => Some(i32::from(self.is_object(*id))),
            _ => None,
        }
    }

    fn fit_boxed(&self, primitive: &str, id: TypeId) -> Fit {
        let name = self.index.outline(id).name;
        if !self.index.is_library(id) {
            return None;
        }
        match unboxed(name) {
            Some(unboxed) => (unboxed == primitive).then_some(3),
            None if name == "Number" && primitive != "boolean" => Some(2),
            None => matches!(name, "Object" | "Comparable" | "Serializable").then_some(1),
        }
    }

    fn fit_declared(&self, argument: TypeId, parameter: TypeId) -> Fit {
        if argument == parameter {
            return Some(EXACT);
        }
        if self.is_object(parameter) {
            return Some(0);
        }
        let ancestors = self.index.ancestors(argument);
        match ancestors.iter().position(|it| it.id == parameter) {
            Some(distance) => Some((EXACT - 1 - i32::try_from(distance).unwrap_or(i32::MAX).min(5)).max(2)),
            // An interface may be implemented by a subclass, but an argument is not cast by itself.
            None => self.has_unknown_ancestor(argument).then_some(0),
        }
    }

    fn is_object(&self, id: TypeId) -> bool {
        self.index.is_library(id) && self.index.outline(id).name == "Object"
    }

    fn has_unknown_ancestor(&self, id: TypeId) -> bool {
        self.index.ancestors(id).iter().any(|ancestor| {
            self.index
                .supertypes(ancestor.id)
                .iter()
                .any(|it| matches!(it, Type::External(_)))
        })
    }

    /// The one abstract method of a functional interface.
    fn functional_method(&self, id: TypeId) -> Option<MethodId> {
        if !self.index.outline(id).is_abstract {
            return None;
        }
        let mut only = None;
        for ancestor in self.index.ancestors(id) {
            let declared = self.index.declaration(ancestor.id);
            for (at, method) in declared.methods.iter().enumerate() {
                if method.is_abstract && !method.is_static && !is_object_method(method.name) {
                    let id = MethodId {
                        owner: ancestor.id,
                        index: u32::try_from(at).ok()?,
                    };
                    match only {
                        None => only = Some(id),
                        Some(known) if self.same_parameters(known, id) => {}
                        Some(_) => return None,
                    }
                }
            }
        }
        only
    }

    /// Infers the method's own type parameters from the arguments, types its lambdas on the way.
    fn returned_type(&mut self, chosen: &Candidate<'r>, arguments: &[Expression<'r>], types: &[Type<'r>]) -> Type<'r> {
        let parameters = self.parameter_types(chosen);
        let mut inferred: Bindings<'r> = Vec::new();
        for (argument, parameter) in types.iter().zip(&parameters) {
            unify(self.index, parameter, argument, &mut inferred);
        }
        for (at, argument) in arguments.iter().enumerate() {
            let parameter = match parameters.get(at).or(parameters.last()) {
                Some(Type::Array(element)) if matches!(types[at], Type::Function(_)) => (**element).clone(),
                Some(parameter) => parameter.clone(),
                None => Type::Unknown,
            };
            match &argument.kind {
                ExpressionKind::Lambda(lambda) => {
                    let signature = self.signature(&parameter.substitute(&inferred));
                    let (takes, gives) = signature.unwrap_or((Vec::new(), Type::Unknown));
                    let value = self.lambda(lambda, &takes);
                    unify(self.index, &gives, &value, &mut inferred);
                }
                ExpressionKind::MethodReference { .. } => {
                    self.type_of(argument);
                }
                _ => {}
            }
        }
        let method = self.index.method(chosen.id);
        if method.is_constructor {
            return Type::Unknown;
        }
        self.index
            .signature(chosen.id)
            .returns
            .substitute(&chosen.bindings)
            .substitute(&inferred)
    }

    /// Parameter types and result of the method behind a functional interface.
    fn signature(&self, interface: &Type<'r>) -> Option<(Vec<Type<'r>>, Type<'r>)> {
        let Type::Declared(id, arguments) = interface else {
            return None;
        };
        let method_id = self.functional_method(*id)?;
        let own = self.index.bind(*id, arguments);
        let ancestor = self.index.ancestors(*id).iter().find(|it| it.id == method_id.owner)?;
        let inherited: Vec<_> = ancestor.arguments.iter().map(|it| it.substitute(&own)).collect();
        let candidate = Candidate {
            id: method_id,
            bindings: self.index.bind(method_id.owner, &inherited),
        };
        let gives = self.index.signature(method_id).returns.substitute(&candidate.bindings);
        Some((self.parameter_types(&candidate), gives))
    }

    /// Types a value that is stored where `expected` is known: a lambda learns its parameters.
    pub(super) fn argument(&mut self, value: &Expression<'r>, expected: &Type<'r>) -> Type<'r> {
        match &value.kind {
            ExpressionKind::Lambda(lambda) => {
                let takes = self.signature(expected).map(|(takes, _)| takes).unwrap_or_default();
                self.lambda(lambda, &takes);
                Type::Function(Some(lambda.parameters.len()))
            }
            _ => self.type_of(value),
        }
    }
}

/// Binds the type parameters in `pattern` to what stands at their place in `actual`.
fn unify<'r>(index: &Index<'r>, pattern: &Type<'r>, actual: &Type<'r>, bindings: &mut Bindings<'r>) {
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

/// Whether two types are the same but for their arguments.
fn same_erasure(a: &Type<'_>, b: &Type<'_>) -> bool {
    match (a, b) {
        (Type::Declared(a, _), Type::Declared(b, _)) => a == b,
        (Type::External(a), Type::External(b)) => simple_name(a) == simple_name(b),
        (Type::Array(a), Type::Array(b)) => same_erasure(a, b),
        (Type::Variable(a, _), Type::Variable(b, _)) => a == b,
        (a, b) => a == b,
    }
}

fn is_object_method(name: &str) -> bool {
    matches!(name, "equals" | "hashCode" | "toString")
}

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
