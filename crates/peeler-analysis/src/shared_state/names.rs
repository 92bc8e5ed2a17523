//! Names in a body: which expressions are states, and what local variables hold.

use std::sync::{Arc, RwLock};

use rustc_hash::FxHashMap;

use super::fields::{FieldState, Fields};
use super::state::{StateKey, Value};
use crate::symbols::ids::{MethodId, TypeId};
use crate::symbols::names::{Scope, TypeReference};
use crate::symbols::resolve::method_targets;
use crate::symbols::targets::Target;
use crate::syntax::body::{CallId, ClassBody, Expression, ExpressionKind, LiteralKind, Statement};
use crate::syntax::visit::{Visit, walk_expression};

/// The maximum number of getters that are followed to the field that they return.
const MAX_GETTERS: usize = 3;
/// Beginnings of names of variables that hold a value to restore.
const SAVED: [&str; 10] = [
    "old", "orig", "prev", "saved", "backup", "default", "initial", "before", "former", "current",
];

/// What is known about a local variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LocalFact<'r> {
    Plain,
    /// The parameter at this position.
    Parameter(u8),
    /// The object that a state holds.
    Alias(StateKey<'r>),
    /// A value that was read from a state.
    From(StateKey<'r>),
    /// An open static mock.
    Mock(StateKey<'r>),
}

/// The states that methods return, cached.
pub(super) type ReturnedStates<'r> = RwLock<FxHashMap<MethodId, Option<StateKey<'r>>>>;

/// The names of one body.
pub(super) struct Names<'a, 'i, 'r> {
    pub(super) fields: &'a Fields<'i, 'r>,
    returned: &'a ReturnedStates<'r>,
    owner: TypeId,
    targets: &'i [Target<'r>],
    locals: FxHashMap<&'r str, LocalFact<'r>>,
    /// Names of the fields of the enclosing anonymous and local classes, innermost last.
    inner: Vec<Vec<&'r str>>,
    getters: usize,
}

impl<'a, 'i, 'r> Names<'a, 'i, 'r> {
    pub(super) fn new(
        fields: &'a Fields<'i, 'r>,
        returned: &'a ReturnedStates<'r>,
        owner: TypeId,
        targets: &'i [Target<'r>],
        parameters: impl Iterator<Item = &'r str>,
    ) -> Self {
        let parameters = parameters.enumerate().map(|(at, name)| {
            let at = u8::try_from(at).unwrap_or(u8::MAX);
            (name, LocalFact::Parameter(at))
        });
        Self {
            fields,
            returned,
            owner,
            targets,
            locals: parameters.collect(),
            inner: Vec::new(),
            getters: 0,
        }
    }

    pub(super) fn target(&self, id: CallId) -> Target<'r> {
        self.targets.get(id.0 as usize).copied().unwrap_or(Target::Unknown)
    }

    pub(super) fn text(&self, expression: &Expression<'r>) -> &'r str {
        let text = self.fields.index.source(self.fields.index.file_of(self.owner)).text();
        text.get(expression.start as usize..expression.end as usize)
            .unwrap_or_default()
    }

    pub(super) fn declare(&mut self, name: &'r str, fact: LocalFact<'r>) {
        self.locals.insert(name, fact);
    }

    pub(super) fn fact(&self, name: &str) -> Option<LocalFact<'r>> {
        self.locals.get(name).cloned()
    }

    pub(super) fn is_local(&self, name: &str) -> bool {
        self.locals.contains_key(name) || self.inner.iter().flatten().any(|it| *it == name)
    }

    pub(super) fn enter_class(&mut self, class: &ClassBody<'r>) {
        self.inner.push(class.fields.iter().map(|it| it.name).collect());
    }

    pub(super) fn leave_class(&mut self) {
        self.inner.pop();
    }

    /// The state that an expression is or holds: a field, a variable with its object, or a getter of it.
    pub(super) fn key(&self, expression: &Expression<'r>) -> Option<StateKey<'r>> {
        match &expression.kind {
            ExpressionKind::Name(name) => match self.locals.get(name) {
                Some(LocalFact::Alias(key) | LocalFact::Mock(key)) => Some(key.clone()),
                Some(_) => None,
                None => self.field(expression).map(|it| it.key),
            },
            ExpressionKind::Field { object, .. } => {
                let own = self.field(expression).map(|it| it.key);
                own.or_else(|| self.key(object))
            }
            ExpressionKind::Call(call) => match self.target(call.id) {
                Target::Declared(method) => self.returned_state(method),
                _ => {
                    let receiver = call.receiver.as_ref()?;
                    let is_held = call.name == "get" && self.field(receiver).is_some_and(|it| it.is_holder);
                    is_held.then(|| self.key(receiver))?
                }
            },
            ExpressionKind::Index { array, .. } => self.key(array),
            ExpressionKind::Cast { value, .. } => self.key(value),
            _ => None,
        }
    }

    /// The state that a name or a field access itself is.
    pub(super) fn written_key(&self, expression: &Expression<'r>) -> Option<StateKey<'r>> {
        self.field(expression).map(|it| it.key)
    }

    /// The field that an assignment changes.
    pub(super) fn assigned(&self, target: &Expression<'r>) -> Option<FieldState<'r>> {
        self.field(target)
    }

    /// Whether only an assignment changes the field that an expression names.
    pub(super) fn is_immutable(&self, expression: &Expression<'r>) -> bool {
        self.field(expression).is_some_and(|it| it.is_immutable)
    }

    fn field(&self, expression: &Expression<'r>) -> Option<FieldState<'r>> {
        match &expression.kind {
            ExpressionKind::Name(name) if !self.is_local(name) => self.fields.named(self.owner, name),
            ExpressionKind::Field { object, name } => match &object.kind {
                ExpressionKind::This | ExpressionKind::Super => self.fields.of_type(self.owner, name),
                ExpressionKind::Name(_) | ExpressionKind::Field { .. } => {
                    let id = self.type_named(object)?;
                    self.fields.of_type(id, name)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The type that an expression names.
    fn type_named(&self, expression: &Expression<'r>) -> Option<TypeId> {
        if let ExpressionKind::Name(name) = &expression.kind
            && (self.is_local(name) || !name.starts_with(|c: char| c.is_uppercase()))
        {
            return None;
        }
        let scope = Scope {
            file: self.fields.index.file_of(self.owner),
            owner: Some(self.owner),
        };
        match self.fields.index.resolve_name(self.text(expression), scope)? {
            TypeReference::Type(id) => Some(id),
            TypeReference::External(_) => None,
        }
    }

    /// The state that a method returns: `getInstance()` returns the field `INSTANCE`.
    fn returned_state(&self, method: MethodId) -> Option<StateKey<'r>> {
        if self.getters >= MAX_GETTERS {
            return None;
        }
        if let Some(known) = self.returned.read().expect("no holder panics").get(&method) {
            return known.clone();
        }
        let found = self.find_returned(method);
        // What the limit cut off is not cached, so that the result does not depend on who asks first.
        if self.getters == 0 {
            self.returned
                .write()
                .expect("no holder panics")
                .insert(method, found.clone());
        }
        found
    }

    fn find_returned(&self, method: MethodId) -> Option<StateKey<'r>> {
        let index = self.fields.index;
        let declared = index.method(method);
        let code = declared.code.as_ref()?;
        // Most methods are no getters. A getter is short.
        if declared.return_type == "void" || code.end - code.start > 600 {
            return None;
        }
        let body = code.get();
        let Some(Statement::Return(Some(value))) = body.block.last() else {
            return None;
        };
        let targets = method_targets(index, method);
        let parameters = declared.parameters.iter().map(|it| it.name);
        let mut names = Names::new(self.fields, self.returned, method.owner, targets, parameters);
        names.getters = self.getters + 1;
        for statement in &body.block {
            if let Statement::Local(local) = statement {
                let fact = local.value.as_ref().map_or(LocalFact::Plain, |it| names.local_fact(it));
                names.declare(local.name, fact);
            }
        }
        // A field of the object itself is known to the caller only through the object.
        names.key(value).filter(|it| !matches!(it, StateKey::Own(..)))
    }

    /// What a variable holds that gets this value.
    pub(super) fn local_fact(&self, value: &Expression<'r>) -> LocalFact<'r> {
        if let Some(mocked) = self.static_mock(value) {
            return LocalFact::Mock(mocked);
        }
        if let Some(key) = self.key(value) {
            return LocalFact::Alias(key);
        }
        match self.mentioned(value).into_iter().next() {
            Some(key) => LocalFact::From(key),
            None => LocalFact::Plain,
        }
    }

    /// The state of a static mock that an expression opens: `mockStatic(Clock.class)`.
    fn static_mock(&self, value: &Expression<'r>) -> Option<StateKey<'r>> {
        let ExpressionKind::Call(call) = &value.kind else {
            return None;
        };
        let is_mock = matches!(call.name, "mockStatic" | "mockConstruction")
            && self
                .owner(self.target(call.id))
                .is_none_or(|it| it.ends_with("Mockito"));
        let class = self.text(call.arguments.first()?);
        is_mock.then(|| StateKey::Named(format!("mock:{}", class.trim_end_matches(".class")).into()))
    }

    /// The states that an expression mentions, also through variables that were read from a state.
    pub(super) fn mentioned(&self, expression: &Expression<'r>) -> Vec<StateKey<'r>> {
        let mut mentions = Mentions {
            names: self,
            found: Vec::new(),
        };
        mentions.expression(expression);
        mentions.found
    }

    /// The value of an assigned expression, compared with the initial value of the field.
    pub(super) fn assigned_value(&self, value: &Expression<'r>, initial: &str) -> Value {
        let text = self.text(value);
        let is_default = initial.is_empty() && matches!(text, "null" | "false" | "0" | "0L" | "\"\"");
        if is_default || text == initial {
            return Value::Restored;
        }
        self.value(value)
    }

    /// The value of an argument or an assigned expression.
    pub(super) fn value(&self, value: &Expression<'r>) -> Value {
        match &value.kind {
            ExpressionKind::Literal(LiteralKind::Null) => Value::Restored,
            ExpressionKind::Name(name) => match self.locals.get(name) {
                Some(LocalFact::Parameter(at)) => Value::Parameter(*at),
                Some(LocalFact::From(_) | LocalFact::Alias(_)) => Value::Restored,
                _ if is_saved(name) => Value::Restored,
                _ => Value::Changed,
            },
            ExpressionKind::Field { name, .. } if is_saved(name) => Value::Restored,
            ExpressionKind::Cast { value, .. } => self.value(value),
            _ => Value::Changed,
        }
    }

    /// The text of a constant expression, or its source.
    pub(super) fn constant(&self, expression: &Expression<'r>) -> String {
        let text = self.text(expression);
        match &expression.kind {
            ExpressionKind::Literal(LiteralKind::String) => text.trim_matches('"').to_owned(),
            ExpressionKind::Name(name) | ExpressionKind::Field { name, .. } => {
                let owner = match &expression.kind {
                    ExpressionKind::Field { object, .. } => self.type_named(object),
                    _ => Some(self.owner),
                };
                let value = owner.and_then(|it| self.constant_field(it, name));
                value.unwrap_or_else(|| text.to_owned())
            }
            _ => text.to_owned(),
        }
    }

    fn constant_field(&self, owner: TypeId, name: &str) -> Option<String> {
        let (_, field) = self.fields.index.field(owner, name)?;
        let (_, value) = field.code.source().split_once('=')?;
        let value = value.trim().trim_end_matches(';').trim_end();
        let inner = value.strip_prefix('"')?.strip_suffix('"')?;
        (!inner.contains('"')).then(|| inner.to_owned())
    }

    /// The full name of the class that declares a called method.
    pub(super) fn owner(&self, target: Target<'r>) -> Option<Arc<str>> {
        let index = self.fields.index;
        match target {
            Target::External(name) => Some(name.into()),
            Target::Library(id) => Some(index.binary_name(id.owner).into()),
            _ => None,
        }
    }
}

/// A visitor that collects the states that an expression mentions.
struct Mentions<'n, 'a, 'i, 'r> {
    names: &'n Names<'a, 'i, 'r>,
    found: Vec<StateKey<'r>>,
}

impl<'b, 'r: 'b> Visit<'b, 'r> for Mentions<'_, '_, '_, 'r> {
    fn expression(&mut self, expression: &'b Expression<'r>) {
        if let ExpressionKind::Name(name) = &expression.kind
            && let Some(LocalFact::From(key)) = self.names.locals.get(name)
        {
            self.found.push(key.clone());
        }
        match self.names.key(expression) {
            Some(key) => self.found.push(key),
            None => walk_expression(self, expression),
        }
    }
}

/// Whether a name says that the variable holds an earlier value.
fn is_saved(name: &str) -> bool {
    let lower = name.trim_start_matches('_').to_ascii_lowercase();
    SAVED.iter().any(|it| lower.starts_with(it))
}
