//! Finds which expressions of a body denote shared states such as static fields, and what its local variables hold.

use std::sync::{Arc, RwLock};

use rustc_hash::FxHashMap;

use super::blocks::{innermost, last_statement};
use super::catalogue::{CATALOGUE, MethodEffect};
use super::fields::{FieldState, Fields};
use super::state::{StateKey, Value};
use crate::symbols::ids::{MethodId, TypeId};
use crate::symbols::names::{Scope, TypeReference};
use crate::symbols::resolve::method_targets;
use crate::symbols::targets::Target;
use crate::syntax::body::{Call, CallId, ClassBody, Expression, ExpressionKind, LiteralKind, Statement};
use crate::syntax::visit::{Visit, walk_expression};

/// The maximum number of nested getters that are followed to the field that they return.
const MAX_GETTERS: usize = 3;
/// Beginnings of names of variables that keep an earlier value to restore it later, such as `oldLocale`.
const SAVED: [&str; 10] = [
    "old", "orig", "prev", "saved", "backup", "default", "initial", "before", "former", "current",
];

/// What is known about the value of a local variable: a parameter, a shared state, or nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LocalFact<'r> {
    Plain,
    /// The variable is the parameter of the method at this position.
    Parameter(u8),
    /// The variable refers to the object that a shared state holds.
    Alias(StateKey<'r>),
    /// The variable has a value that was read from a shared state.
    From(StateKey<'r>),
    /// The variable is an open static mock, such as the result of `mockStatic(Clock.class)`.
    Mock(StateKey<'r>),
}

/// Cache of the shared states that getters return, by method: `getInstance()` returns the field `INSTANCE`. `None` for
/// a method that returns no shared state.
pub(super) type ReturnedStates<'r> = RwLock<FxHashMap<MethodId, Option<StateKey<'r>>>>;

/// Finds the shared states that names and expressions of one body denote.
pub(super) struct Names<'a, 'i, 'r> {
    pub(super) fields: &'a Fields<'i, 'r>,
    returned: &'a ReturnedStates<'r>,
    pub(super) owner: TypeId,
    targets: &'i [Target<'r>],
    locals: FxHashMap<&'r str, LocalFact<'r>>,
    /// Names of the fields of the anonymous and local classes around the visited code, innermost last.
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

    /// The shared state that an expression denotes: a field or an alias of it, an entry of an array, a file, or a
    /// library state. Getters and casts of these have the same state. `None` for other expressions.
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
            ExpressionKind::Call(call) => {
                let held = call
                    .receiver
                    .as_ref()
                    .filter(|it| call.name == "get" && self.is_holder(it));
                match (held, self.target(call.id)) {
                    (Some(receiver), _) => self.key(receiver),
                    (None, Target::Declared(method)) => self.returned_state(method),
                    (None, target) if self.makes_path(call.name, target) => self.path(&call.arguments),
                    _ => self
                        .library_state(call)
                        .filter(|it| it.0 == MethodEffect::Read)
                        .map(|it| it.1),
                }
            }
            ExpressionKind::New(new) if new.type_text == "File" => self.path(&new.arguments),
            ExpressionKind::Index { array, index } => {
                let whole = self.key(array)?;
                Some(self.entry(whole.clone(), index).unwrap_or(whole))
            }
            ExpressionKind::Cast { value, .. } => self.key(value),
            _ => None,
        }
    }

    /// Whether a static method makes a path of its arguments: `Paths.get("a", "b")`.
    fn makes_path(&self, method: &str, target: Target<'r>) -> bool {
        let files = &CATALOGUE.files;
        files.is_path(method) && self.owner(target).is_some_and(|it| files.has_path_class(&it))
    }

    /// The file with a constant name that the arguments of a call denote: `a/b` for those of `new File("a", "b")`.
    /// `None` if an argument is not constant.
    fn path(&self, arguments: &[Expression<'r>]) -> Option<StateKey<'r>> {
        let mut path = String::new();
        for argument in arguments {
            let part = match self.key(argument) {
                Some(StateKey::Named(name)) => name.strip_prefix("file:")?.to_owned(),
                _ => self.known_constant(argument)?,
            };
            if !path.is_empty() {
                path.push('/');
            }
            path.push_str(&part);
        }
        (!path.is_empty()).then(|| StateKey::Named(format!("file:{path}").into()))
    }

    /// The file that an argument denotes: a `File`, a `Path`, a constant file name, or a parameter with one of these.
    /// `None` for other arguments.
    pub(super) fn file(&self, argument: &Expression<'r>) -> Option<StateKey<'r>> {
        self.key(argument)
            .filter(|it| matches!(it, StateKey::Named(name) if name.starts_with("file:")))
            .or_else(|| match &argument.kind {
                ExpressionKind::Literal(LiteralKind::String) => self.path(std::slice::from_ref(argument)),
                ExpressionKind::Name(name) => match self.locals.get(name)? {
                    LocalFact::Parameter(at) => Some(StateKey::FileOf(*at)),
                    _ => None,
                },
                _ => None,
            })
    }

    /// The shared state that a name or a field access denotes, without following variables or getters. `None` if it is
    /// no field, or a field that is no shared state.
    pub(super) fn written_key(&self, expression: &Expression<'r>) -> Option<StateKey<'r>> {
        self.field(expression).map(|it| it.key)
    }

    /// The field that an assignment to `target` changes; `None` if `target` is no field, or a field that is no shared
    /// state.
    pub(super) fn assigned(&self, target: &Expression<'r>) -> Option<FieldState<'r>> {
        self.field(target)
    }

    /// Whether an expression names a field that wraps its value: a `ThreadLocal` or an `AtomicReference`.
    pub(super) fn is_holder(&self, expression: &Expression<'r>) -> bool {
        self.field(expression).is_some_and(|it| it.is_holder)
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

    /// The type of the repository that an expression such as `Registry` names; `None` for other expressions.
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

    /// The shared state that a getter returns: `getInstance()` returns the field `INSTANCE`. `None` if `method` returns
    /// no shared state.
    fn returned_state(&self, method: MethodId) -> Option<StateKey<'r>> {
        if self.getters >= MAX_GETTERS {
            return None;
        }
        // Nested questions have less room, so they neither read nor write the cache.
        if self.getters > 0 {
            return self.find_returned(method);
        }
        if let Some(known) = self.returned.read().expect("no holder panics").get(&method) {
            return known.clone();
        }
        let found = self.find_returned(method);
        let mut cache = self.returned.write().expect("no holder panics");
        cache.insert(method, found.clone());
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
        let Some(Statement::Return(Some(value))) = last_statement(&body.block) else {
            return None;
        };
        let targets = method_targets(index, method);
        let parameters = declared.parameters.iter().map(|it| it.name);
        let mut names = Names::new(self.fields, self.returned, method.owner, targets, parameters);
        names.getters = self.getters + 1;
        for statement in innermost(&body.block) {
            if let Statement::Local(local) = statement {
                let fact = local.value.as_ref().map_or(LocalFact::Plain, |it| names.local_fact(it));
                names.declare(local.name, fact);
            }
        }
        // A field of the object itself is known to the caller only through the object.
        names.key(value).filter(|it| !matches!(it, StateKey::Own(..)))
    }

    /// What is known about a local variable after `value` is assigned to it.
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

    /// The shared state of a static mock that an expression opens: `mock:Clock` for `mockStatic(Clock.class)`. `None`
    /// for other expressions.
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

    /// The shared states that an expression mentions, directly or in variables whose value was read from a state.
    pub(super) fn mentioned(&self, expression: &Expression<'r>) -> Vec<StateKey<'r>> {
        let mut mentions = Mentions {
            names: self,
            found: Vec::new(),
        };
        mentions.expression(expression);
        mentions.found
    }

    /// What an assignment does to a field: it restores the initial value, restores a saved value, or changes the field.
    pub(super) fn assigned_value(&self, value: &Expression<'r>, initial: &str) -> Value {
        let text = self.text(value);
        let is_default = initial.is_empty() && matches!(text, "null" | "false" | "0" | "0L" | "\"\"");
        if is_default || text == initial {
            return Value::Restored;
        }
        self.value(value)
    }

    /// What writing an expression to a shared state does: `null` and saved values restore it, others change it. For a
    /// parameter, the argument of the caller decides.
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

    /// The text of a constant expression. For a constant of a library, whose value is unknown, this is its name. `None`
    /// if the expression is not constant.
    pub(super) fn constant(&self, expression: &Expression<'r>) -> Option<String> {
        self.known_constant(expression).or_else(|| match &expression.kind {
            ExpressionKind::Name(name) if self.is_local(name) => None,
            ExpressionKind::Name(name) | ExpressionKind::Field { name, .. } => {
                let is_upper = !name.contains(|c: char| c.is_lowercase());
                is_upper.then(|| (*name).to_owned())
            }
            _ => None,
        })
    }

    /// The text of a string literal, or of a string constant that the repository declares; `None` for other
    /// expressions.
    fn known_constant(&self, expression: &Expression<'r>) -> Option<String> {
        match &expression.kind {
            ExpressionKind::Literal(LiteralKind::String) => Some(self.text(expression).trim_matches('"').to_owned()),
            ExpressionKind::Name(name) if self.is_local(name) => None,
            ExpressionKind::Name(name) => self.constant_field(self.owner, name),
            ExpressionKind::Field { object, name } => self.constant_field(self.type_named(object)?, name),
            _ => None,
        }
    }

    fn constant_field(&self, owner: TypeId, name: &str) -> Option<String> {
        let (_, field) = self.fields.index.field(owner, name)?;
        let (_, value) = field.code.source().split_once('=')?;
        let value = value.trim().trim_end_matches(';').trim_end();
        let inner = value.strip_prefix('"')?.strip_suffix('"')?;
        (!inner.contains('"')).then(|| inner.to_owned())
    }

    /// The state of a library that a static call reads or changes, with the effect of the call. `None` if the catalogue
    /// does not list the call, or if an argument that names the state is not constant.
    pub(super) fn library_state(&self, call: &Call<'r>) -> Option<(MethodEffect, StateKey<'r>)> {
        if !CATALOGUE.may_know(call.name) {
            return None;
        }
        let owner = self.owner(self.target(call.id))?;
        CATALOGUE.libraries(&owner).iter().find_map(|state| {
            let effect = state.effect(call.name)?;
            let name = match (&state.name, call.arguments.first()) {
                (Some(name), _) => name.clone(),
                (None, _) if effect == MethodEffect::ClearAll => String::new(),
                (None, Some(argument)) => self.constant(argument)?,
                (None, None) => return None,
            };
            Some((effect, StateKey::Named(format!("{}:{name}", state.kind).into())))
        })
    }

    /// Whether some line of the Java file that is analysed contains both `assert` and `name`.
    pub(super) fn is_asserted(&self, name: &str) -> bool {
        let text = self.fields.index.source(self.fields.index.file_of(self.owner)).text();
        text.lines().any(|it| it.contains("assert") && it.contains(name))
    }

    /// The full name of the library class that declares a called method; `None` for methods of the repository and
    /// unknown ones.
    pub(super) fn owner(&self, target: Target<'r>) -> Option<Arc<str>> {
        let index = self.fields.index;
        match target {
            // A class of `java.lang` whose stub lacks the method has no import that qualifies it.
            Target::External(name) if !name.contains('.') => Some(format!("java.lang.{name}").into()),
            Target::External(name) => Some(name.into()),
            Target::Library(id) => Some(index.binary_name(id.owner).into()),
            Target::Owner(id) if index.is_library(id) => Some(index.binary_name(id).into()),
            _ => None,
        }
    }
}

/// A visitor that collects the shared states, such as static fields, that an expression mentions.
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
        if let ExpressionKind::Call(call) = &expression.kind
            && let Some((_, key)) = self.names.library_state(call)
        {
            self.found.push(key);
        }
        match self.names.key(expression) {
            Some(key) => self.found.push(key),
            None => walk_expression(self, expression),
        }
    }
}

/// Whether the name of a variable says that it keeps an earlier value, as `oldLocale` does.
pub(super) fn is_saved(name: &str) -> bool {
    let lower = name.trim_start_matches('_').to_ascii_lowercase();
    SAVED.iter().any(|it| lower.starts_with(it))
}
