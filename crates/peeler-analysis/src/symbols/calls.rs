//! Lookup of the method of a call: in the type of the receiver, in the enclosing types, among static imports.
//! Constructors are looked up in the type that is constructed.

use std::sync::Arc;

use super::ids::TypeId;
use super::inference::{function_signature, unify};
use super::overloads::{self, Candidate};
use super::receivers::Receiver;
use super::resolver::Resolver;
use super::scope::TypeReference;
use super::targets::Target;
use super::types::{Bindings, Type};
use crate::syntax::body::{Call, CallId, Expression, ExpressionKind, New};

impl<'r> Resolver<'_, 'r> {
    /// Finds the method that a call runs, records it, and returns the type of the call's value.
    pub(super) fn call(&mut self, call: &Call<'r>) -> Type<'r> {
        let Some(receiver) = &call.receiver else {
            return self.unqualified_call(call);
        };
        match self.receiver(receiver) {
            Receiver::Static(TypeReference::Type(id)) => {
                let owner = Type::Declared(id, Arc::default());
                self.member_call(call, &owner)
            }
            Receiver::Static(TypeReference::External(name)) => {
                self.set_target(call.id, Target::External(name));
                self.types_of(&call.arguments);
                Type::Unknown
            }
            Receiver::Value(type_) => self.member_call(call, &type_),
        }
    }

    /// Finds the method that a call on a receiver of type `owner` runs, and returns the type of the call's value.
    fn member_call(&mut self, call: &Call<'r>, owner: &Type<'r>) -> Type<'r> {
        match owner.erase_variable() {
            Type::Declared(id, arguments) => {
                let candidates = overloads::methods(self.index, id, &arguments, call.name, call.arguments.len());
                if candidates.is_empty() {
                    self.types_of(&call.arguments);
                    let missing = self.missing(id);
                    self.set_target(call.id, missing);
                    return Type::Unknown;
                }
                self.apply(call.id, candidates, &call.arguments)
            }
            Type::External(name) => {
                self.set_target(call.id, Target::External(name));
                self.types_of(&call.arguments);
                Type::Unknown
            }
            other => {
                self.types_of(&call.arguments);
                if matches!(other, Type::Array(_)) && call.name == "clone" {
                    other
                } else {
                    Type::Unknown
                }
            }
        }
    }

    /// What a call resolves to if the type `owner` neither declares its method nor inherits it from a known type. It is
    /// an unknown supertype, if there is one, or `owner` itself.
    fn missing(&self, owner: TypeId) -> Target<'r> {
        let outside = self.index.ancestors(owner).iter().find_map(|ancestor| {
            self.index.supertypes(ancestor.id).iter().find_map(|it| match it {
                Type::External(name) => Some(*name),
                _ => None,
            })
        });
        match outside {
            Some(name) => Target::External(name),
            None if self.index.is_library(owner) => Target::External(self.index.outline(owner).name),
            None => Target::Owner(owner),
        }
    }

    /// Finds the method that a call without a receiver runs, such as `total()`, and returns the type of the call's
    /// value.
    fn unqualified_call(&mut self, call: &Call<'r>) -> Type<'r> {
        let arity = call.arguments.len();
        for at in (0..self.inner.len()).rev() {
            let own = self.inner[at].methods.iter().find(|(name, _)| *name == call.name);
            if let Some((_, type_)) = own {
                let type_ = type_.clone();
                self.types_of(&call.arguments);
                return type_;
            }
            if let Type::Declared(id, arguments) = self.inner[at].supertype.erase_variable() {
                let candidates = overloads::methods(self.index, id, &arguments, call.name, arity);
                if !candidates.is_empty() {
                    return self.apply(call.id, candidates, &call.arguments);
                }
            }
        }
        let mut outside = None;
        let mut owner = self.scope.owner;
        while let Some(id) = owner {
            let arguments = self.index.ancestors(id)[0].arguments.clone();
            let candidates = overloads::methods(self.index, id, &arguments, call.name, arity);
            if !candidates.is_empty() {
                return self.apply(call.id, candidates, &call.arguments);
            }
            if let Target::External(name) = self.missing(id) {
                outside.get_or_insert(name);
            }
            owner = self.index.enclosing(id);
        }
        let mut imported = None;
        let mut wildcards = Vec::new();
        let index = self.index;
        let imports = index.file_outline(self.file()).imports.iter();
        for import in imports.filter(|it| it.is_static && (it.is_wildcard || it.name == call.name)) {
            let owner = if import.is_wildcard {
                import.path
            } else {
                match import.path.rsplit_once('.') {
                    Some((owner, _)) => owner,
                    None => continue,
                }
            };
            match index.lookup_qualified(owner, self.file()) {
                Some(id) => {
                    let candidates = overloads::methods(self.index, id, &[], call.name, arity);
                    if !candidates.is_empty() {
                        return self.apply(call.id, candidates, &call.arguments);
                    }
                    if !import.is_wildcard {
                        imported = Some(self.missing(id));
                    }
                }
                None if !import.is_wildcard => imported = Some(Target::External(owner)),
                None => wildcards.push(owner),
            }
        }
        self.types_of(&call.arguments);
        // The method comes from an unknown supertype or a wildcard import; it is known only if there is just one.
        wildcards.extend(outside);
        let target = match (imported, wildcards.as_slice()) {
            (Some(target), _) => target,
            (None, [only]) => Target::External(only),
            (None, _) => Target::Unknown,
        };
        self.set_target(call.id, target);
        Type::Unknown
    }

    /// Resolves the constructor in `new T(..)` and returns the constructed type.
    pub(super) fn new_object(&mut self, new: &New<'r>) -> Type<'r> {
        let outer = new.outer.as_ref().map(|it| self.type_of(it));
        let mut type_ = self.written_type(new.type_text, 0);
        if let (Some(Type::Declared(outer, _)), Type::External(name)) = (outer, &type_)
            && let Some(nested) = self.index.nested(outer, name)
        {
            type_ = Type::Declared(nested, Arc::default());
        }
        self.construct(new.id, &type_, &new.arguments);
        if let Some(body) = &new.body {
            self.class_body(body);
        }
        type_
    }

    /// Finds the constructor of `type_` that a call with these arguments runs, and records it as the target of the call
    /// `id`.
    pub(super) fn construct(&mut self, id: CallId, type_: &Type<'r>, arguments: &[Expression<'r>]) {
        match type_ {
            Type::Declared(owner, type_arguments) => {
                let candidates = overloads::constructors(self.index, *owner, type_arguments, arguments.len());
                if candidates.is_empty() {
                    self.types_of(arguments);
                    let target = if self.index.is_library(*owner) {
                        Target::External(self.index.outline(*owner).name)
                    } else {
                        Target::Owner(*owner)
                    };
                    self.set_target(id, target);
                } else {
                    self.apply(id, candidates, arguments);
                }
            }
            Type::External(name) => {
                self.set_target(id, Target::External(name));
                self.types_of(arguments);
            }
            _ => self.types_of(arguments),
        }
    }

    /// Chooses among candidate methods by the types of the arguments, records the choice as the target of the call, and
    /// returns the call's type.
    fn apply(&mut self, call: CallId, candidates: Vec<Candidate<'r>>, arguments: &[Expression<'r>]) -> Type<'r> {
        let types: Vec<Type<'r>> = arguments
            .iter()
            .map(|it| match &it.kind {
                // Lambdas are typed below, when the types of their parameters are known.
                ExpressionKind::Lambda(lambda) => Type::Function(Some(lambda.parameters.len())),
                ExpressionKind::MethodReference { .. } => Type::Function(None),
                _ => self.type_of(it),
            })
            .collect();
        let Some(chosen) = overloads::best(self.index, candidates, &types) else {
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

    /// The type of the value of a call. The method's type parameters are inferred from the arguments, and calls in
    /// lambda arguments are resolved.
    fn returned_type(&mut self, chosen: &Candidate<'r>, arguments: &[Expression<'r>], types: &[Type<'r>]) -> Type<'r> {
        let parameters = chosen.parameter_types(self.index);
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
                    let signature = function_signature(self.index, &parameter.substitute(&inferred));
                    let parameters = signature.as_ref().map_or(&[][..], |it| &it.parameters);
                    let value = self.lambda(lambda, parameters);
                    if let Some(signature) = signature {
                        unify(self.index, &signature.returns, &value, &mut inferred);
                    }
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

    /// The type of a value that is assigned to a variable of type `expected`. A lambda gets its parameter types from
    /// `expected`.
    pub(super) fn argument(&mut self, value: &Expression<'r>, expected: &Type<'r>) -> Type<'r> {
        match &value.kind {
            ExpressionKind::Lambda(lambda) => {
                let signature = function_signature(self.index, expected);
                self.lambda(lambda, signature.as_ref().map_or(&[], |it| &it.parameters));
                Type::Function(Some(lambda.parameters.len()))
            }
            _ => self.type_of(value),
        }
    }
}
