//! What method calls and `new` expressions do with shared states, whether in repository code, libraries, beans, mocks
//! or files.

use std::sync::Arc;

use smallvec::SmallVec;

use super::catalogue::{CATALOGUE, MethodEffect};
use super::state::{Action, Argument, Callee, Extent, Receiver, StateKey, Step, Value};
use super::steps::{CodeKind, StepReader};
use crate::symbols::targets::Target;
use crate::syntax::body::{Call, Expression, ExpressionKind, LiteralKind, New};
use crate::syntax::visit::Visit;

impl<'b, 'r: 'b> StepReader<'_, '_, 'r> {
    /// Adds the effect of a `new` expression on shared states such as static fields and files.
    pub(super) fn construct(&mut self, new: &'b New<'r>, whole: &'b Expression<'r>) {
        for part in new.outer.iter().chain(&new.arguments) {
            self.expression(part);
        }
        match self.names.target(new.id) {
            // A singleton is made once.
            Target::Declared(method) if self.names.fields.is_singleton(method.owner) => {}
            Target::Declared(method) => {
                let callees = [Callee::Initialisers(method.owner)];
                self.run(&callees, Receiver::Other, &[]);
                self.run(&[Callee::Method(method)], Receiver::Other, &new.arguments);
            }
            Target::Owner(id) => self.run(&[Callee::Initialisers(id)], Receiver::Other, &[]),
            _ => {}
        }
        if let Some(body) = &new.body {
            self.class(body);
        }
        if let Some(effect) = CATALOGUE.files.construction(new.type_text)
            && let Some(file) = new.arguments.first().and_then(|it| self.names.file(it))
        {
            self.file(effect, file, whole);
        }
    }

    /// Adds a read, write or deletion of a file with a constant name, which is a shared state.
    fn file(&mut self, effect: MethodEffect, file: StateKey<'r>, whole: &'b Expression<'r>) {
        let action = match effect {
            MethodEffect::Clear => Action::Write(Value::Restored, Extent::Whole),
            MethodEffect::Put => Action::Write(Value::Changed, Extent::Whole),
            _ => Action::Read,
        };
        self.access(file, action, whole);
    }

    /// Adds the effect of a call such as `verify(mock)` or `when(mock.size())` on a mock that a shared state holds.
    /// Returns false if the call is no such call.
    fn mocking(&mut self, call: &'b Call<'r>, whole: &'b Expression<'r>) -> bool {
        let (Some(effect), Some(argument)) = (CATALOGUE.methods.mocking(call.name), call.arguments.first()) else {
            return false;
        };
        let mock = match &argument.kind {
            ExpressionKind::Call(stubbed) => stubbed.receiver.as_ref().and_then(|it| self.names.key(it)),
            _ => self.names.key(argument),
        };
        let Some(key) = mock.filter(|it| matches!(it, StateKey::Field(..) | StateKey::Named(_))) else {
            return false;
        };
        if let StateKey::Field(..) = key {
            match effect {
                MethodEffect::Read => self.access(key, Action::Read, whole),
                MethodEffect::Mutate => self.access(key, Action::Write(Value::Changed, Extent::Nothing), whole),
                MethodEffect::Clear => self.access(key, Action::Write(Value::Restored, Extent::Whole), whole),
                _ => {}
            }
        }
        true
    }

    /// Adds the effect of a method call on shared states, such as static fields, mocks and files.
    pub(super) fn call(&mut self, call: &'b Call<'r>, whole: &'b Expression<'r>) {
        let target = self.names.target(call.id);
        if !matches!(target, Target::Declared(_)) && self.mocking(call, whole) {
            if let Some(receiver) = &call.receiver {
                self.expression(receiver);
            }
            return;
        }
        let key = call.receiver.as_ref().and_then(|it| self.names.key(it));
        match (&call.receiver, &key) {
            (Some(receiver), None) => self.expression(receiver),
            (Some(receiver), Some(_)) => {
                // A getter that returns the state is no read of its own, but its arguments are evaluated.
                if let ExpressionKind::Call(getter) = &receiver.kind {
                    for argument in &getter.arguments {
                        self.expression(argument);
                    }
                }
            }
            (None, _) => {}
        }
        for argument in &call.arguments {
            self.expression(argument);
        }
        if let Some(StateKey::Named(name)) = &key {
            return self.named(call, name.clone(), whole);
        }
        let is_holder = call.receiver.as_ref().is_some_and(|it| self.names.is_holder(it));
        if let Target::Declared(method) = target
            && !is_holder
        {
            let declared = self.index().method(method);
            let callees: SmallVec<[Callee; 2]> = if declared.code.is_some() {
                SmallVec::from_slice(&[Callee::Method(method)])
            } else {
                self.index()
                    .implementations(method)
                    .iter()
                    .map(|it| Callee::Method(*it))
                    .collect()
            };
            if !callees.is_empty() {
                let receiver = match (&call.receiver, key) {
                    _ if declared.is_static => Receiver::Other,
                    (None, _) => Receiver::This,
                    (Some(it), _) if matches!(it.kind, ExpressionKind::This | ExpressionKind::Super) => Receiver::This,
                    (_, Some(key)) => Receiver::State(key),
                    _ => Receiver::Other,
                };
                // A method that is named so puts things back, however it does it.
                let is_clearing = CATALOGUE.methods.is_clearing(call.name);
                let before = self.is_restoring;
                self.is_restoring |= is_clearing;
                self.run(&callees, receiver, &call.arguments);
                self.is_restoring = before;
                return;
            }
            if let Some(key) = key {
                self.access(key, Action::Read, whole);
            }
            return;
        }
        if self.library_state(call, whole) || self.file_method(call, target, whole) {
            return;
        }
        if let Some(key) = key {
            self.by_name(call, key, whole);
        }
    }

    /// Adds the effect of a call on a shared state with an id such as `store:Order`: a bean, static mock, file or
    /// context.
    fn named(&mut self, call: &'b Call<'r>, name: Arc<str>, whole: &'b Expression<'r>) {
        let effect = if name.starts_with("store:") {
            CATALOGUE.beans.effect(call.name)
        } else if name.starts_with("mock:") {
            match call.name {
                "close" | "closeOnDemand" => MethodEffect::Clear,
                _ => return,
            }
        } else if name.starts_with("file:") {
            let effect = CATALOGUE.files.effect(call.name);
            return self.file(effect, StateKey::Named(name), whole);
        } else if name.starts_with("context:") {
            CATALOGUE.methods.effect(call.name)
        } else {
            MethodEffect::Read
        };
        self.effect(effect, StateKey::Named(name), call, whole);
    }

    fn by_name(&mut self, call: &'b Call<'r>, key: StateKey<'r>, whole: &'b Expression<'r>) {
        let is_holder = call.receiver.as_ref().is_some_and(|it| self.names.is_holder(it));
        let effect = if self.names.is_immutable(&key) || replaces_text(call) {
            MethodEffect::Read
        } else if is_holder && call.name == "remove" {
            MethodEffect::Clear
        } else {
            CATALOGUE.methods.effect(call.name)
        };
        self.effect(effect, key, call, whole);
    }

    /// Adds the effect of a library's static method on shared state, such as `System.setProperty`. Returns whether the
    /// catalogue lists the method.
    fn library_state(&mut self, call: &'b Call<'r>, whole: &'b Expression<'r>) -> bool {
        let Some((effect, key)) = self.names.library_state(call) else {
            return false;
        };
        self.effect(effect, key, call, whole);
        true
    }

    /// Adds the effect of a static method such as `Files.delete(path)` on the file that is its first argument. Returns
    /// false if the method is no file method or the file is not known.
    fn file_method(&mut self, call: &'b Call<'r>, target: Target<'r>, whole: &'b Expression<'r>) -> bool {
        let file = call.arguments.first().and_then(|it| self.names.file(it));
        let Some(file) = file.filter(|_| {
            self.names
                .owner(target)
                .is_some_and(|it| CATALOGUE.files.has_class(&it))
        }) else {
            return false;
        };
        self.file(CATALOGUE.files.effect(call.name), file, whole);
        true
    }

    fn effect(&mut self, effect: MethodEffect, key: StateKey<'r>, call: &'b Call<'r>, whole: &'b Expression<'r>) {
        let is_library = matches!(&key, StateKey::Named(name) if !name.starts_with("store:"));
        // A call on a field that has no object yet fails.
        if self.kind == CodeKind::Test && effect != MethodEffect::Read && self.names.starts_unset(&key) {
            self.access(key.clone(), Action::Read, whole);
        }
        let action = match effect {
            MethodEffect::Read | MethodEffect::Lazy => Action::Read,
            MethodEffect::ReadKeyed => {
                // What an unknown key finds is in doubt.
                if let Some(read) = self.entry_read(&key, call) {
                    self.access(read, Action::Read, whole);
                }
                return;
            }
            MethodEffect::Put if call.arguments.is_empty() => Action::Read,
            MethodEffect::Put => {
                let value = call.arguments.last().map_or(Value::Changed, |it| self.names.value(it));
                // `setProperty(name, getProperty(name, "x"))` keeps a value that is already there.
                let keeps = call
                    .arguments
                    .last()
                    .is_some_and(|it| self.names.mentioned(it).contains(&key));
                let value = if keeps { Value::Restored } else { value };
                if is_library || call.arguments.len() == 1 {
                    Action::Write(value, Extent::Whole)
                } else {
                    if let Some(entry) = call.arguments.first().and_then(|it| self.names.entry(key.clone(), it)) {
                        self.access(entry, Action::Write(value, Extent::Whole), whole);
                    }
                    Action::Write(value, Extent::Nothing)
                }
            }
            MethodEffect::Mutate => Action::Write(Value::Changed, Extent::Nothing),
            MethodEffect::Remove => {
                if let Some(entry) = call.arguments.first().and_then(|it| self.names.entry(key.clone(), it)) {
                    self.access(entry, Action::Write(Value::Restored, Extent::Whole), whole);
                }
                Action::Write(Value::Removed, Extent::Nothing)
            }
            MethodEffect::Clear => Action::Write(Value::Restored, Extent::Whole),
            MethodEffect::ClearAll => Action::RestoreAll,
            MethodEffect::Count if self.kind == CodeKind::Test => Action::Write(Value::Changed, Extent::Nothing),
            MethodEffect::Count => return,
        };
        self.access(key, action, whole);
    }

    /// Adds a call of the repository's code as a step. The effect of the called code on shared states is computed
    /// later.
    pub(super) fn run(&mut self, callees: &[Callee], receiver: Receiver<'r>, arguments: &[Expression<'r>]) {
        let arguments = arguments.iter().map(|it| Argument {
            value: self.names.value(it),
            key: self.names.entry_key(it),
            file: self.names.file(it),
        });
        let arguments = arguments.collect();
        self.steps.push(Step::Call {
            callees: SmallVec::from_slice(callees),
            receiver,
            arguments,
            guards: self.guards.clone(),
            is_restoring: self.is_restoring,
        });
    }

    /// The shared state that a call reads: the map entry with its first argument as key, or the whole state. `None` if
    /// the key is not a constant or parameter.
    fn entry_read(&self, key: &StateKey<'r>, call: &Call<'r>) -> Option<StateKey<'r>> {
        match (key, call.arguments.first()) {
            (StateKey::Named(_), _) | (_, None) => Some(key.clone()),
            // What stands at a position of a list depends on all that was added.
            (_, Some(argument)) if matches!(argument.kind, ExpressionKind::Literal(LiteralKind::Integer)) => {
                Some(key.clone())
            }
            (_, Some(argument)) => self.names.entry(key.clone(), argument),
        }
    }
}

/// Whether a call makes another text, as `text.replace(";", ",")` does, and changes nothing.
fn replaces_text(call: &Call<'_>) -> bool {
    let is_literal = |it: &Expression<'_>| matches!(it.kind, ExpressionKind::Literal(LiteralKind::String));
    call.name.starts_with("replace") && call.arguments.len() == 2 && call.arguments.iter().all(is_literal)
}
