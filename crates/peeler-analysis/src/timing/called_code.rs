//! Records the calls of repository code in a test, with the callbacks and executors that the called code was given.

use crate::symbols::ids::MethodId;
use crate::symbols::targets::Target;
use crate::syntax::body::{Call, Expression, ExpressionKind};

use super::catalogue::TimingCatalogue;
use super::effects::{changed_by_functions, root_variable};
use super::event::{CallReceiver, CalledCode, Certainty, EventKind, Item};
use super::executors::{has_direct_executor, is_any_direct};
use super::released::is_released_by_caller;
use super::scan::Scan;
use super::variables::{holds_task, names_in, value_of};

impl<'a, 'r> Scan<'a, 'r> {
    /// Remembers the variables that the callbacks of an object change: after `bus.on(seen::add)`, callbacks of `bus`
    /// change `seen`. Also remembers a task that `add` puts into a collection, and futures that are complete.
    pub(super) fn remember(&mut self, call: &'a Call<'r>) {
        let Some(name) = call.receiver.as_ref().and_then(root_variable) else {
            return;
        };
        let is_completed = match call.name {
            "complete" | "completeExceptionally" => true,
            "get" | "join" => call.arguments.is_empty(),
            _ => false,
        };
        if is_completed && self.certainty() == Certainty::Always {
            self.done.push(name);
        }
        let changed = changed_by_functions(&call.arguments);
        if !changed.is_empty() {
            self.callbacks.push((name, changed));
        }
        if call.name == "add"
            && let Some(value) = call.arguments.last().filter(|it| holds_task(it))
        {
            self.contents.push((name, value));
        }
    }

    /// Whether a call is made on a future that is complete, or on a latch that is down.
    pub(super) fn is_done(&self, call: &Call<'r>) -> bool {
        if self.is_of_same_thread(call) {
            return true;
        }
        let Some(name) = call.receiver.as_ref().and_then(root_variable) else {
            return false;
        };
        let is_local = || self.values.iter().any(|(it, _)| *it == name);
        self.done.contains(&name) || call.name == "await" && is_local() && is_released_by_caller(&self.body, name)
    }

    /// Whether a call is made on a future that an object gave which works in the thread of its caller: for
    /// `channel.close().await(5, SECONDS)`, a channel that is a `new EmbeddedChannel()`.
    fn is_of_same_thread(&self, call: &Call<'r>) -> bool {
        let awaited = call.receiver.as_ref().map(|it| &it.kind);
        let given = match awaited {
            Some(ExpressionKind::Name(name)) => value_of(&self.body, &self.values, name).map(|it| &it.kind),
            _ => awaited,
        };
        match given {
            Some(ExpressionKind::Call(giving)) => giving.receiver.as_ref().is_some_and(|it| self.works_at_once(it)),
            _ => false,
        }
    }

    /// Whether an expression is, or begins with, an object that works in the thread of its caller.
    pub(super) fn works_at_once(&self, object: &Expression<'r>) -> bool {
        let names = &TimingCatalogue::shipped().names;
        let Some(name) = root_variable(object) else {
            return false;
        };
        let is_local = self.values.iter().any(|(it, _)| *it == name);
        let field = self.body.index.field(self.body.owner, name).filter(|_| !is_local);
        let is_such_field = field.is_some_and(|(_, it)| names.works_in_same_thread(it.type_text));
        let value = value_of(&self.body, &self.values, name);
        is_such_field
            || match value.map(|it| &it.kind) {
                Some(ExpressionKind::New(new)) => names.works_in_same_thread(new.type_text),
                Some(ExpressionKind::NewArray { type_text, .. }) => names.works_in_same_thread(type_text),
                _ => false,
            }
    }

    /// Records a call of repository code, or a call of other code if its name says that it waits: `awaitDone()`.
    pub(super) fn repository_call(&mut self, expression: &'a Expression<'r>, call: &'a Call<'r>, says_wait: bool) {
        let Target::Declared(id) = self.body.target(call.id) else {
            if says_wait {
                self.push(EventKind::Wait, expression, names_in(expression));
            }
            return;
        };
        let receiver = match call.receiver.as_ref() {
            None => CallReceiver::Own,
            Some(it) if matches!(it.kind, ExpressionKind::This | ExpressionKind::Super) => CallReceiver::Own,
            Some(_) => CallReceiver::Other,
        };
        let given = call.receiver.as_ref().and_then(root_variable);
        let mut effects = changed_by_functions(&call.arguments);
        let earlier = self.callbacks.iter().filter(|(it, _)| Some(*it) == given);
        effects.extend(earlier.flat_map(|(_, it)| it));
        let called = self.called(id, expression, receiver, says_wait);
        let is_direct = is_any_direct(&self.body, &self.values, &call.arguments)
            || call
                .receiver
                .as_ref()
                .is_some_and(|it| has_direct_executor(&self.body, &self.values, it));
        self.items.extend(called.map(|it| {
            // The threads of a service run functions later, when the test asks for something.
            let effects = if it.is_lifecycle { Vec::new() } else { effects };
            let names = [it.names, effects.clone()].concat();
            Item::Call(CalledCode {
                names,
                effects,
                is_direct,
                ..it
            })
        }));
    }

    /// A call of a repository method with the methods that may run. `None` if no body is known and the name does not
    /// say that it waits.
    pub(super) fn called(
        &self,
        id: MethodId,
        expression: &Expression<'r>,
        receiver: CallReceiver,
        says_wait: bool,
    ) -> Option<CalledCode<'r>> {
        let index = self.body.index;
        let method = index.method(id);
        let callees = match &method.code {
            Some(_) => vec![id],
            None => index.implementations(id).to_vec(),
        };
        if callees.is_empty() && !says_wait {
            return None;
        }
        Some(CalledCode {
            callees,
            site: self.site(expression.start, expression.end),
            names: names_in(expression),
            effects: Vec::new(),
            is_direct: false,
            receiver,
            certainty: self.certainty(),
            says_wait,
            is_lifecycle: method.is_constructor || TimingCatalogue::shipped().names.is_lifecycle(method.name),
            is_asynchronous: method
                .annotations
                .iter()
                .any(|it| it.name == "Async" || it.name == "Asynchronous"),
        })
    }
}
