//! Where the method behind a call is looked up: the receiver's type, the types around the call, static
//! imports; constructors in the type that is made.

use std::sync::Arc;

use super::index::TypeId;
use super::names::Named;
use super::overloads::Candidate;
use super::receivers::Receiver;
use super::resolve::Resolver;
use super::targets::Target;
use super::types::Type;
use crate::syntax::body::{CONSTRUCTOR, Call, CallId, Expression, New};

impl<'r> Resolver<'_, 'r> {
    pub(super) fn call(&mut self, call: &Call<'r>) -> Type<'r> {
        let Some(receiver) = &call.receiver else {
            return self.unqualified_call(call);
        };
        match self.receiver(receiver) {
            Receiver::Static(Named::Type(id)) => {
                let owner = Type::Declared(id, Arc::default());
                self.member_call(call, &owner)
            }
            Receiver::Static(Named::External(name)) => {
                self.targets[call.id.0 as usize] = Target::External(name);
                self.types_of(&call.arguments);
                Type::Unknown
            }
            Receiver::Value(type_) => self.member_call(call, &type_),
        }
    }

    fn member_call(&mut self, call: &Call<'r>, owner: &Type<'r>) -> Type<'r> {
        match owner.erase_variable() {
            Type::Declared(id, arguments) => {
                let candidates = self.candidates(id, &arguments, call.name, call.arguments.len());
                if candidates.is_empty() {
                    self.types_of(&call.arguments);
                    self.targets[call.id.0 as usize] = self.missing(id);
                    return Type::Unknown;
                }
                self.apply(call.id, candidates, &call.arguments)
            }
            Type::External(name) => {
                self.targets[call.id.0 as usize] = Target::External(name);
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

    /// A method that its owner does not declare: inherited from outside, or a real miss.
    pub(super) fn missing(&self, owner: TypeId) -> Target<'r> {
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
                let candidates = self.candidates(id, &arguments, call.name, arity);
                if !candidates.is_empty() {
                    return self.apply(call.id, candidates, &call.arguments);
                }
            }
        }
        let mut outside = None;
        let mut owner = self.scope.owner;
        while let Some(id) = owner {
            let arguments = self.index.ancestors(id)[0].arguments.clone();
            let candidates = self.candidates(id, &arguments, call.name, arity);
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
        for import in index.file_outline(self.file()).imports.iter().filter(|it| it.is_static) {
            let owner = if import.is_wildcard {
                import.path
            } else {
                match import.path.rsplit_once('.') {
                    Some((owner, name)) if name.trim() == call.name => owner,
                    _ => continue,
                }
            };
            match index.lookup_qualified(owner, self.file()) {
                Some(id) => {
                    let candidates = self.candidates(id, &[], call.name, arity);
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
        // Inherited from outside or imported from somewhere: only a single candidate is an answer.
        wildcards.extend(outside);
        self.targets[call.id.0 as usize] = match (imported, wildcards.as_slice()) {
            (Some(target), _) => target,
            (None, [only]) => Target::External(only),
            (None, _) => Target::Unknown,
        };
        Type::Unknown
    }

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

    pub(super) fn construct(&mut self, id: CallId, type_: &Type<'r>, arguments: &[Expression<'r>]) {
        match type_ {
            Type::Declared(owner, type_arguments) => {
                let candidates = self.constructors(*owner, type_arguments, arguments.len());
                if candidates.is_empty() {
                    self.types_of(arguments);
                    self.targets[id.0 as usize] = if self.index.is_library(*owner) {
                        Target::External(self.index.outline(*owner).name)
                    } else {
                        Target::Owner(*owner)
                    };
                } else {
                    self.apply(id, candidates, arguments);
                }
            }
            Type::External(name) => {
                self.targets[id.0 as usize] = Target::External(name);
                self.types_of(arguments);
            }
            _ => self.types_of(arguments),
        }
    }

    fn constructors(&self, owner: TypeId, arguments: &[Type<'r>], arity: usize) -> Vec<Candidate<'r>> {
        let bindings = self.index.bind(owner, arguments);
        self.index
            .methods_named(owner, CONSTRUCTOR)
            .map(|id| Candidate {
                id,
                bindings: bindings.clone(),
            })
            .filter(|it| it.takes(self.index, arity))
            .collect()
    }
}
