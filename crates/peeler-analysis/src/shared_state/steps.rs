//! Reads the body of a method into steps: what it does with states, in the order of evaluation.
//!
//! Left out on purpose: a value that is computed once and then kept (`if (cache == null) cache = load();`), counters of
//! the code under test, and the result of reading a logger.

use smallvec::SmallVec;

use super::catalogue::{CATALOGUE, MethodEffect};
use super::names::{LocalFact, Names};
use super::state::{Action, Alternative, Callee, Extent, Receiver, StateKey, Step, Value};
use crate::symbols::index::Index;
use crate::symbols::targets::Target;
use crate::syntax::body::{Block, Body, Call, ClassBody, Expression, ExpressionKind, Lambda, Local, New, Statement};
use crate::syntax::visit::{Visit, walk_block, walk_expression, walk_local, walk_statement};

/// Whether a body belongs to tests. Counters of tests are state; those of other code are not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CodeKind {
    Test,
    Main,
}

/// The steps of a body.
pub(super) fn body_steps<'r>(names: Names<'_, '_, 'r>, kind: CodeKind, body: &Body<'r>) -> Vec<Step<'r>> {
    let mut reader = StepReader {
        names,
        kind,
        steps: Vec::new(),
        guards: Vec::new(),
        is_restoring: false,
    };
    walk_block(&mut reader, &body.block);
    reader.steps
}

/// A visitor that turns statements and expressions into steps.
struct StepReader<'a, 'i, 'r> {
    names: Names<'a, 'i, 'r>,
    kind: CodeKind,
    steps: Vec<Step<'r>>,
    /// States that a condition found unset: what is assigned to them here is computed once.
    guards: Vec<StateKey<'r>>,
    /// Whether the code stands in a `finally` or in the teardown of an anonymous rule.
    is_restoring: bool,
}

impl<'b, 'r: 'b> Visit<'b, 'r> for StepReader<'_, '_, 'r> {
    fn statement(&mut self, statement: &'b Statement<'r>) {
        match statement {
            Statement::If {
                condition,
                then,
                otherwise,
            } => self.branch(condition, then, otherwise),
            Statement::Loop {
                init,
                condition,
                update,
                body,
            } => {
                self.block(init);
                if let Some(condition) = condition {
                    self.expression(condition);
                }
                let run = self.alternative(|it| {
                    it.block(body);
                    for update in update {
                        it.expression(update);
                    }
                });
                self.maybe(run);
            }
            Statement::ForEach {
                variable,
                iterable,
                body,
            } => {
                self.expression(iterable);
                self.local(variable);
                let run = self.alternative(|it| it.block(body));
                self.maybe(run);
            }
            Statement::Switch(switch) => {
                self.expression(&switch.subject);
                let mut alternatives: Vec<Alternative<'r>> = switch
                    .arms
                    .iter()
                    .map(|arm| self.alternative(|it| it.block(&arm.body)))
                    .collect();
                if !switch.has_default {
                    alternatives.push(Alternative::default());
                }
                self.steps.push(Step::Branch(alternatives));
            }
            Statement::Try {
                resources,
                body,
                catches,
                finally,
            } => {
                self.block(resources);
                self.block(body);
                self.close(resources);
                for catch in catches {
                    self.local(&catch.variable);
                    let run = self.alternative(|it| it.block(&catch.body));
                    self.maybe(run);
                }
                let before = std::mem::replace(&mut self.is_restoring, true);
                self.block(finally);
                self.is_restoring = before;
            }
            _ => walk_statement(self, statement),
        }
    }

    fn local(&mut self, local: &'b Local<'r>) {
        walk_local(self, local);
        let fact = local
            .value
            .as_ref()
            .map_or(LocalFact::Plain, |it| self.names.local_fact(it));
        if let LocalFact::Mock(key) = &fact
            && let Some(value) = &local.value
        {
            self.access(key.clone(), Action::Write(Value::Changed, Extent::Whole), value);
        }
        self.names.declare(local.name, fact);
    }

    fn expression(&mut self, expression: &'b Expression<'r>) {
        match &expression.kind {
            ExpressionKind::Assign {
                operator,
                target,
                value,
            } => self.assign(operator, target, value, expression),
            ExpressionKind::Update { operand, .. } => {
                if let Some(key) = self.names.key(operand)
                    && self.kind == CodeKind::Test
                {
                    self.access(key, Action::Write(Value::Changed, Extent::Nothing), expression);
                }
            }
            ExpressionKind::Name(_) | ExpressionKind::Field { .. } => match self.names.written_key(expression) {
                Some(key) => self.access(key, Action::Read(Extent::Whole), expression),
                None => walk_expression(self, expression),
            },
            ExpressionKind::Call(call) => self.call(call, expression),
            ExpressionKind::New(new) => self.construct(new, expression),
            ExpressionKind::DelegateConstructor { id, arguments, .. } => {
                for argument in arguments {
                    self.expression(argument);
                }
                if let Target::Declared(method) = self.names.target(*id) {
                    self.run(&[Callee::Method(method)], Receiver::This, arguments);
                }
            }
            ExpressionKind::Lambda(lambda) => self.lambda(lambda),
            ExpressionKind::MethodReference { .. } => {}
            _ => walk_expression(self, expression),
        }
    }

    fn class(&mut self, class: &'b ClassBody<'r>) {
        self.names.enter_class(class);
        for field in &class.fields {
            walk_local(self, field);
        }
        let before = self.is_restoring;
        for method in &class.methods {
            self.is_restoring = before || CATALOGUE.methods.is_teardown(method.name);
            for parameter in &method.parameters {
                self.names.declare(parameter.name, LocalFact::Plain);
            }
            let run = self.alternative(|it| it.block(&method.body));
            self.maybe(run);
        }
        self.is_restoring = before;
        self.names.leave_class();
    }
}

impl<'b, 'r: 'b> StepReader<'_, '_, 'r> {
    fn index(&self) -> &Index<'r> {
        self.names.fields.index
    }

    /// The steps that `read` adds, as an alternative.
    fn alternative(&mut self, read: impl FnOnce(&mut Self)) -> Alternative<'r> {
        let outer = std::mem::take(&mut self.steps);
        let guards = self.guards.len();
        read(self);
        self.guards.truncate(guards);
        Alternative {
            steps: std::mem::replace(&mut self.steps, outer),
            throws: false,
        }
    }

    /// Adds an alternative that may be left out.
    fn maybe(&mut self, alternative: Alternative<'r>) {
        if !alternative.steps.is_empty() {
            self.steps.push(Step::Branch(vec![alternative, Alternative::default()]));
        }
    }

    fn branch(&mut self, condition: &'b Expression<'r>, then: &'b Block<'r>, otherwise: &'b Block<'r>) {
        self.expression(condition);
        let guarded = if tests_absence(self.names.text(condition)) {
            self.names.mentioned(condition)
        } else {
            Vec::new()
        };
        let read = |reader: &mut Self, block: &'b Block<'r>| {
            let mut alternative = reader.alternative(|it| {
                it.guards.extend(guarded.iter().cloned());
                it.block(block);
            });
            alternative.throws = matches!(block.last(), Some(Statement::Throw(_)));
            alternative
        };
        let alternatives = vec![read(self, then), read(self, otherwise)];
        if alternatives.iter().any(|it| !it.steps.is_empty() || it.throws) {
            self.steps.push(Step::Branch(alternatives));
        }
        // `if (cache != null) return cache;` guards the rest of the body.
        if matches!(then.last(), Some(Statement::Return(_))) {
            self.guards.extend(guarded);
        }
    }

    /// Closes the static mocks among the resources of a `try`.
    fn close(&mut self, resources: &'b Block<'r>) {
        for resource in resources {
            if let Statement::Local(local) = resource
                && let (Some(LocalFact::Mock(key)), Some(value)) = (self.names.fact(local.name), &local.value)
            {
                self.access(key, Action::Write(Value::Restored, Extent::Whole), value);
            }
        }
    }

    fn assign(
        &mut self,
        operator: &str,
        target: &'b Expression<'r>,
        value: &'b Expression<'r>,
        whole: &'b Expression<'r>,
    ) {
        self.expression(value);
        let fact = self.names.local_fact(value);
        if let LocalFact::Mock(_) = &fact
            && let ExpressionKind::Name(name) = &target.kind
            && self.names.fact(name).is_none()
        {
            // A field that keeps the static mock: its name is the same in the teardown that closes it.
            let key = StateKey::Named(format!("mock:{name}").into());
            return self.access(key, Action::Write(Value::Changed, Extent::Whole), whole);
        }
        match &target.kind {
            ExpressionKind::Name(name) if self.names.is_local(name) => {
                if let LocalFact::Mock(key) = &fact {
                    self.access(key.clone(), Action::Write(Value::Changed, Extent::Whole), whole);
                }
                self.names.declare(name, fact);
            }
            ExpressionKind::Name(_) | ExpressionKind::Field { .. } => match self.names.assigned(target) {
                Some(state) if operator == "=" => {
                    let value = self.names.assigned_value(value, state.initial);
                    self.access(state.key, Action::Write(value, Extent::Whole), whole);
                }
                Some(state) => {
                    if self.kind == CodeKind::Test || !state.is_immutable {
                        self.access(state.key, Action::Write(Value::Changed, Extent::Nothing), whole);
                    }
                }
                None => {
                    if let ExpressionKind::Field { object, .. } = &target.kind {
                        match self.names.key(object) {
                            Some(key) => self.access(key, Action::Write(Value::Changed, Extent::Nothing), whole),
                            None => self.expression(object),
                        }
                    }
                }
            },
            ExpressionKind::Index { array, index } => {
                self.expression(index);
                match self.names.key(array) {
                    Some(key) => self.access(key, Action::Write(Value::Changed, Extent::Entry), whole),
                    None => self.expression(array),
                }
            }
            _ => self.expression(target),
        }
    }

    fn lambda(&mut self, lambda: &'b Lambda<'r>) {
        for parameter in &lambda.parameters {
            self.names.declare(parameter.name, LocalFact::Plain);
        }
        let run = self.alternative(|it| it.block(&lambda.body));
        self.maybe(run);
    }

    fn construct(&mut self, new: &'b New<'r>, whole: &'b Expression<'r>) {
        for part in new.outer.iter().chain(&new.arguments) {
            self.expression(part);
        }
        match self.names.target(new.id) {
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
    }

    fn call(&mut self, call: &'b Call<'r>, whole: &'b Expression<'r>) {
        let target = self.names.target(call.id);
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
        if let Target::Declared(method) = target {
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
                return self.run(&callees, receiver, &call.arguments);
            }
        }
        if self.library_state(call, target, whole) {
            return;
        }
        if let Some(key) = key {
            self.by_name(call, key, whole);
        }
    }

    /// A call on a bean, or on an open static mock.
    fn named(&mut self, call: &'b Call<'r>, name: std::sync::Arc<str>, whole: &'b Expression<'r>) {
        let effect = if name.starts_with("store:") {
            CATALOGUE.beans.effect(call.name)
        } else if name.starts_with("mock:") {
            match call.name {
                "close" | "closeOnDemand" => MethodEffect::Clear,
                _ => return,
            }
        } else {
            CATALOGUE.methods.effect(call.name)
        };
        self.effect(effect, StateKey::Named(name), call, whole);
    }

    fn by_name(&mut self, call: &'b Call<'r>, key: StateKey<'r>, whole: &'b Expression<'r>) {
        let is_immutable = call.receiver.as_ref().is_some_and(|it| self.names.is_immutable(it));
        let effect = if is_immutable {
            MethodEffect::Read
        } else {
            CATALOGUE.methods.effect(call.name)
        };
        self.effect(effect, key, call, whole);
    }

    /// Adds the effect of a static method of a library. Returns whether the catalogue knows the method.
    fn library_state(&mut self, call: &'b Call<'r>, target: Target<'r>, whole: &'b Expression<'r>) -> bool {
        let Some(owner) = self.names.owner(target) else {
            return false;
        };
        for state in CATALOGUE.libraries(&owner) {
            let Some(effect) = state.effect(call.name) else {
                continue;
            };
            let name = match (&state.name, call.arguments.first()) {
                (Some(name), _) => name.clone(),
                (None, Some(argument)) if effect != MethodEffect::ClearAll => self.names.constant(argument),
                _ => String::new(),
            };
            let key = StateKey::Named(format!("{}:{name}", state.kind).into());
            self.effect(effect, key, call, whole);
            return true;
        }
        false
    }

    fn effect(&mut self, effect: MethodEffect, key: StateKey<'r>, call: &'b Call<'r>, whole: &'b Expression<'r>) {
        let is_library = matches!(&key, StateKey::Named(name) if !name.starts_with("store:"));
        let action = match effect {
            MethodEffect::Read | MethodEffect::Lazy => Action::Read(Extent::Whole),
            MethodEffect::ReadKeyed if call.arguments.is_empty() => Action::Read(Extent::Whole),
            MethodEffect::ReadKeyed => Action::Read(Extent::Entry),
            MethodEffect::Put if call.arguments.is_empty() => Action::Read(Extent::Whole),
            MethodEffect::Put => {
                let value = call.arguments.last().map_or(Value::Changed, |it| self.names.value(it));
                let is_whole = is_library || call.arguments.len() == 1;
                Action::Write(value, if is_whole { Extent::Whole } else { Extent::Entry })
            }
            MethodEffect::Mutate => Action::Write(Value::Changed, Extent::Nothing),
            MethodEffect::Remove => Action::Write(Value::Removed, Extent::Nothing),
            MethodEffect::Clear => Action::Write(Value::Restored, Extent::Whole),
            MethodEffect::ClearAll => Action::RestoreAll,
            MethodEffect::Count if self.kind == CodeKind::Test => Action::Write(Value::Changed, Extent::Nothing),
            MethodEffect::Count => return,
        };
        self.access(key, action, whole);
    }

    fn run(&mut self, callees: &[Callee], receiver: Receiver<'r>, arguments: &[Expression<'r>]) {
        let arguments = arguments.iter().map(|it| self.names.value(it)).collect();
        self.steps.push(Step::Call {
            callees: SmallVec::from_slice(callees),
            receiver,
            arguments,
            is_restoring: self.is_restoring,
        });
    }

    fn access(&mut self, key: StateKey<'r>, action: Action, whole: &Expression<'r>) {
        let action = match action {
            // A value that is computed when it is missing is the same whoever computes it.
            Action::Write(..) if self.guards.contains(&key) => return,
            Action::Write(_, extent) if self.is_restoring => Action::Write(Value::Restored, extent),
            other => other,
        };
        self.steps.push(Step::Access {
            key,
            action,
            start: whole.start,
            end: whole.end,
        });
    }
}

/// Whether a condition asks if something is missing, judged by its text.
fn tests_absence(condition: &str) -> bool {
    ["null", "!", "isEmpty", "contains", "== 0", "isPresent", "false"]
        .iter()
        .any(|it| condition.contains(it))
}
