//! The abstract run of mocks: objects whose methods return what the test tells them to, not what the real code
//! computes.
//!
//! ```java
//! Directory directory = mock(Directory.class);
//! when(directory.users()).thenReturn(new HashSet<>(names));
//! ```

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::call::Invocation;
use super::run::{MAX_SENT, Run};
use super::value::{Object, Value};
use crate::flows::flow::Site;
use crate::symbols::ids::{MethodId, TypeId};
use crate::symbols::names::TypeReference;
use crate::symbols::targets::Target;
use crate::syntax::body::{Call, Expression, ExpressionKind};

impl<'i, 'r> Run<'_, 'i, 'r> {
    /// The abstract value of a call that makes a mock or tells it what to return; `None` for other calls.
    pub(super) fn mocking(&mut self, call: &'i Call<'r>) -> Option<Value<'i, 'r>> {
        match (call.name, call.arguments.as_slice()) {
            ("mock", [class]) => {
                let name = self.text(class).strip_suffix(".class")?;
                match self.type_named(name)? {
                    TypeReference::Type(id) if !self.shared.index.is_library(id) => Some(mock(id)),
                    _ => None,
                }
            }
            ("thenReturn" | "willReturn", [returned, ..]) => {
                let stubbed = stubbed_call(call)?;
                let Target::Declared(method) = self.target(stubbed.id) else {
                    return None;
                };
                let returned = self.value(returned);
                self.give(std::slice::from_ref(&returned), &Value::default());
                let place = stubbed.receiver.as_ref()?;
                let mut mocked = self.value(place);
                if mocked.object.as_ref().is_none_or(|it| it.stubs.is_none()) {
                    mocked = mock(mocked.class.unwrap_or(method.owner));
                }
                if let Some(object) = &mut mocked.object {
                    let stubs = Arc::make_mut(object).stubs.get_or_insert_default();
                    stubs.insert(stubbed.name, returned);
                }
                self.store(place, mocked);
                Some(Value::default())
            }
            _ => None,
        }
    }

    /// The abstract value that a call on a mock returns; `None` if the receiver of the call is no mock.
    pub(super) fn answer(&mut self, method: MethodId, invocation: &Invocation<'i, 'r>) -> Option<Value<'i, 'r>> {
        let stubs = invocation.this.object.as_ref()?.stubs.as_ref()?;
        let name = self.shared.index.method(method).name;
        if let Some(stubbed) = stubs.get(name) {
            return Some(stubbed.clone());
        }
        if !invocation.arguments.iter().all(Value::is_plain) && self.sent.len() < MAX_SENT {
            self.sent.push((method, invocation.arguments.clone()));
        }
        let mut value = self.returned_type(method);
        value.settings.is_opaque = true;
        Some(value)
    }

    /// Compares the arguments that code passed to a mock with those that `verify(mock).send(..)` expects. A captor, as in
    /// `verify(mock).send(captor.capture())`, gets the argument of the last call.
    pub(super) fn verify_sent(&mut self, call: &'i Call<'r>, site: Site) {
        let Target::Declared(method) = self.target(call.id) else {
            return;
        };
        let sent: Vec<Vec<Value<'i, 'r>>> = self
            .sent
            .iter()
            .filter(|it| it.0 == method)
            .map(|it| it.1.clone())
            .collect();
        for (at, argument) in call.arguments.iter().enumerate() {
            if let Some(captor) = captor(argument) {
                let last = sent
                    .iter()
                    .rev()
                    .find_map(|it| it.get(at))
                    .filter(|it| it.disorder.is_some());
                if let Some(captured) = last.cloned() {
                    self.store(captor, captured);
                }
                continue;
            }
            let expected = match &argument.kind {
                ExpressionKind::Call(matcher) if matches!(matcher.name, "eq" | "same") => matcher.arguments.first(),
                ExpressionKind::Call(matcher) if matcher.name.starts_with("any") || matcher.name.starts_with("arg") => {
                    None
                }
                _ => Some(argument),
            };
            let Some(expected) = expected else { continue };
            let expected = self.value(expected);
            for arguments in &sent {
                if let Some(actual) = arguments.get(at).filter(|it| it.disorder.is_some()) {
                    let outcome = self.compare(actual, &expected, site);
                    self.notice(&outcome, site);
                }
            }
        }
    }
}

/// The captor of an argument such as `captor.capture()`; `None` for other arguments.
fn captor<'e, 'r>(argument: &'e Expression<'r>) -> Option<&'e Expression<'r>> {
    match &argument.kind {
        ExpressionKind::Call(call) if call.name == "capture" => call.receiver.as_ref(),
        _ => None,
    }
}

/// An abstract value for a mock of a class of the repository.
pub(super) fn mock<'i, 'r>(class: TypeId) -> Value<'i, 'r> {
    Value {
        class: Some(class),
        object: Some(Arc::new(Object {
            class,
            fields: FxHashMap::default(),
            stubs: Some(FxHashMap::default()),
        })),
        ..Value::default()
    }
}

/// The call `a.b()` of `when(a.b()).thenReturn(..)`; `None` if `call` does not stub a mock.
fn stubbed_call<'e, 'r>(call: &'e Call<'r>) -> Option<&'e Call<'r>> {
    let mut current = call;
    loop {
        let ExpressionKind::Call(before) = &current.receiver.as_ref()?.kind else {
            return None;
        };
        if matches!(before.name, "when" | "given") {
            let [
                Expression {
                    kind: ExpressionKind::Call(stubbed),
                    ..
                },
            ] = before.arguments.as_slice()
            else {
                return None;
            };
            return Some(stubbed);
        }
        current = before;
    }
}
