//! Reads one body into events, calls and loops in program order.
//!
//! ```java
//! new Thread(task).start();          // Start
//! Thread.sleep(100);                 // Sleep
//! assertEquals(1, task.runs());      // Assertion
//! ```
//!
//! Invariant: code inside lambdas and anonymous classes does not belong to the sequence of the body, unless a known
//! method runs it at once.

use crate::flows::flow::Site;
use crate::symbols::targets::Target;
use crate::syntax::body::{Call, Catch, Expression, ExpressionKind, Local, Statement};
use crate::syntax::visit::{Visit, walk_expression, walk_local, walk_statement};

use super::absence::{
    asserts_absence, expects_answer, expects_default, expects_presence, expects_refusal, is_same_code,
};
use super::catalogue::{Operation, OperationKind, TimingCatalogue};
use super::event::{CallReceiver, CalledCode, Certainty, Event, EventKind, Item, LoopItems, Oracle, Span};
use super::executors::{is_any_direct, makes_executor};
use super::loops::{ends_on_condition, is_endless_spin};
use super::mocks::{is_replaced, run_arguments};
use super::publishers::chain;
use super::refuted::{expects_timeout, fails};
use super::scanned_body::{CodeKind, ScannedBody};
use super::sharing::fields_read;
use super::variables::{Values, names_in};

/// The timing events, calls and loops of a method body, in program order.
pub(super) fn items<'r>(body: ScannedBody<'_, 'r>) -> Vec<Item<'r>> {
    let mut scan = Scan {
        body,
        items: Vec::new(),
        values: Values::new(),
        branches: 0,
        loops: 0,
        contents: Values::new(),
        callbacks: Vec::new(),
        done: Vec::new(),
        outside: 0,
        statement: None,
        stored: None,
        expected_limits: 0,
        changes_objects: false,
        asserted: Vec::new(),
    };
    scan.block(body.block);
    scan.items
}

/// A visitor that collects the timing events of one method body. It also keeps facts about the code being read, such as
/// the values of local variables and the number of loops around it.
pub(super) struct Scan<'a, 'r> {
    pub(super) body: ScannedBody<'a, 'r>,
    pub(super) items: Vec<Item<'r>>,
    pub(super) values: Values<'a, 'r>,
    /// Tasks that `add` put into collections, each with the variable of its collection.
    pub(super) contents: Values<'a, 'r>,
    /// Variables of objects, each with the variables that callbacks of the object change: `bus` with `seen` for
    /// `bus.on(seen::add)`.
    pub(super) callbacks: Vec<(&'r str, Vec<&'r str>)>,
    /// Variables of futures that are complete, because the body completed them or waited for them without a limit.
    pub(super) done: Vec<&'r str>,
    /// The number of assignments to local variables that were read before the innermost loop. Later assignments are
    /// inside the loop.
    pub(super) outside: usize,
    /// The number of branches and `catch` blocks around the current code.
    branches: u32,
    /// The number of loops around the current code.
    pub(super) loops: u32,
    /// The expression of the innermost expression statement around the current code: `a.b(c)` for `a.b(c);`. `None`
    /// outside such statements, and inside a value that is assigned to a variable.
    pub(super) statement: Option<&'a Expression<'r>>,
    /// The local variable whose declaration is being read, with its initial value. `None` outside declarations, and for
    /// one without an initial value.
    pub(super) stored: Option<(&'r str, &'a Expression<'r>)>,
    /// The number of constructs around the current code, such as `assertFalse`, that expect a wait to reach its time
    /// limit.
    pub(super) expected_limits: u32,
    /// Whether a task that the body starts in another thread changes a field of an object by calling a method of the
    /// object.
    pub(super) changes_objects: bool,
    /// The source texts of the assertions that were read so far.
    asserted: Vec<&'r str>,
}

impl<'a, 'r> Scan<'a, 'r> {
    pub(super) fn site(&self, start: u32, end: u32) -> Site {
        Site {
            file: self.body.file,
            start,
            end,
        }
    }

    pub(super) fn certainty(&self) -> Certainty {
        if self.branches + self.loops == 0 {
            Certainty::Always
        } else {
            Certainty::Sometimes
        }
    }

    pub(super) fn push(&mut self, kind: EventKind, expression: &Expression<'r>, names: Vec<&'r str>) {
        let site = self.site(expression.start, expression.end);
        self.push_event(kind, site, names, Vec::new());
    }

    pub(super) fn push_event(&mut self, kind: EventKind, site: Site, names: Vec<&'r str>, effects: Vec<&'r str>) {
        let event = Event {
            kind,
            site,
            owner: self.body.owner,
            steps: Vec::new(),
            names,
            effects,
            certainty: self.certainty(),
            object: None,
        };
        self.items.push(Item::Event(event));
    }

    fn call(&mut self, expression: &'a Expression<'r>, call: &'a Call<'r>) {
        let catalogue = TimingCatalogue::shipped();
        let is_replaced = call
            .receiver
            .as_ref()
            .is_some_and(|it| is_replaced(&self.body, &self.values, it));
        let chain = chain(&self.body, &self.values, call);
        let operation = self.body.operation_with_links(call, &chain.links);
        let is_complete = chain.links.iter().any(|it| catalogue.names.completes(it)) || self.is_done(call);
        let is_needless = |it: &&Operation| it.kind == OperationKind::LimitedWait && is_complete;
        let operation = operation.filter(|it| !is_replaced && !is_needless(it));
        let says_wait = catalogue.names.says_wait(call.name) || catalogue.names.retries(call.name);
        let is_test = self.body.code == CodeKind::Test;
        let asserts = is_test && operation.is_none() && self.body.only_asserts(call);
        let expects = expects_refusal(&self.body, call) || expects_timeout(call);
        self.expected_limits += u32::from(expects);
        if let Some(receiver) = &call.receiver {
            self.expression(receiver);
        }
        let runs_for_each = catalogue.names.runs_for_each(call.name)
            && (call.name.starts_with("forEach") || self.body.is_stream_step(call));
        let runs_now = catalogue.names.runs_now(call.name);
        for argument in run_arguments(call) {
            match &argument.kind {
                ExpressionKind::Lambda(lambda) if runs_for_each => {
                    self.loop_items(false, Some(argument), |it| it.block(&lambda.body));
                }
                ExpressionKind::Lambda(lambda) if runs_now => self.block(&lambda.body),
                ExpressionKind::MethodReference { object, name } if runs_for_each => {
                    self.loop_items(false, Some(argument), |it| it.reference(argument, call, object, name));
                }
                _ => self.expression(argument),
            }
        }
        let is_ordered = call.name == "forEachOrdered";
        if runs_for_each && !is_ordered && chain.links.iter().any(|it| catalogue.names.is_parallel(it)) {
            self.parallel(call);
        }
        self.remember(call);
        self.expected_limits -= u32::from(expects);
        match operation {
            Some(operation) => self.operation(expression, call, operation, chain.fields),
            None if asserts && !self.is_followed_assertion(call) => {
                self.assertion(call, self.statement.unwrap_or(expression));
            }
            None if is_replaced => {}
            None => {
                self.service(expression, call);
                self.repository_call(expression, call, says_wait);
            }
        }
    }

    fn assertion(&mut self, call: &Call<'r>, whole: &Expression<'r>) {
        // What was asserted before already holds without the work of other threads.
        let text = self.body.text(whole);
        let is_repeated = self.asserted.iter().any(|it| is_same_code(it, text));
        let is_known = is_repeated || self.is_known_before_sleep(whole);
        let is_absence = is_known || asserts_absence(&self.body, &self.values, call, whole);
        let oracle = match is_absence {
            true => Oracle::Absence,
            false if expects_default(&self.body, whole, &self.asserted) => Oracle::Default,
            false if expects_presence(whole) || expects_answer(whole) => Oracle::Vague,
            false => Oracle::Effect,
        };
        self.asserted.push(text);
        let read = if self.changes_objects {
            fields_read(&self.body, whole)
        } else {
            Vec::new()
        };
        let site = self.site(whole.start, whole.end);
        self.push_event(EventKind::Assertion(oracle), site, names_in(whole), read);
    }

    /// Whether the method of an asserting call has a body in the repository. Then the assertions in that body become
    /// timing events, and not the call itself.
    fn is_followed_assertion(&self, call: &Call<'r>) -> bool {
        match self.body.target(call.id) {
            Target::Declared(id) => self.body.index.method(id).code.is_some(),
            _ => false,
        }
    }

    /// Reads code that belongs to a branch, so that its timing events happen only sometimes.
    fn branch(&mut self, read: impl FnOnce(&mut Self)) {
        self.branches += 1;
        read(self);
        self.branches -= 1;
    }

    /// Records a statement that does something after an assertion that nothing has happened. The events of the statement
    /// start at `position`.
    fn act(&mut self, statement: &Expression<'r>, position: usize) {
        let ExpressionKind::Call(call) = &statement.kind else {
            return;
        };
        let is_checked = position.checked_sub(1).is_some_and(|it| match &self.items[it] {
            Item::Event(event) => matches!(event.kind, EventKind::Assertion(Oracle::Absence | Oracle::Default)),
            _ => false,
        });
        if is_checked && !self.body.only_asserts(call) {
            self.push(EventKind::Act, statement, Vec::new());
            self.items[position..].rotate_right(1);
        }
    }

    fn loop_items(&mut self, is_polling: bool, at: Option<&Expression<'r>>, read: impl FnOnce(&mut Self)) {
        let before = std::mem::take(&mut self.items);
        let outside = std::mem::replace(&mut self.outside, self.values.len());
        self.loops += 1;
        read(self);
        self.loops -= 1;
        self.outside = outside;
        let items = std::mem::replace(&mut self.items, before);
        let first = items.first().map(site_of);
        let site = at.map(|it| self.site(it.start, it.end)).or(first);
        if let Some(site) = site {
            self.items.push(Item::Loop(LoopItems {
                site,
                is_polling,
                owner: self.body.owner,
                items,
            }));
        }
    }

    fn catches(&mut self, catches: &'a [Catch<'r>]) {
        for catch in catches {
            self.branch(|it| it.block(&catch.body));
        }
    }
}

impl<'a, 'r> Visit<'a, 'r> for Scan<'a, 'r> {
    fn statement(&mut self, statement: &'a Statement<'r>) {
        match statement {
            Statement::Expression(value) => {
                let around = self.statement.replace(value);
                let (before, asserted) = (self.items.len(), self.asserted.len());
                self.expression(value);
                self.statement = around;
                if self.asserted.len() == asserted {
                    self.act(value, before);
                }
            }
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                self.condition(condition, then, otherwise);
                self.branch(|it| it.block(then));
                self.branch(|it| it.block(otherwise));
            }
            Statement::Switch(_) => self.branch(|it| walk_statement(it, statement)),
            Statement::Loop {
                init,
                condition,
                update,
                body,
            } => {
                self.block(init);
                if let Some(condition) = condition
                    && is_endless_spin(&self.body, condition, update, body)
                {
                    self.push(EventKind::Spin, condition, names_in(condition));
                }
                let polls = ends_on_condition(condition.as_ref(), update, body);
                self.loop_items(polls, condition.as_ref(), |it| {
                    if let Some(condition) = condition {
                        it.expression(condition);
                    }
                    it.block(body);
                    for expression in update {
                        it.expression(expression);
                    }
                });
            }
            Statement::ForEach {
                variable,
                iterable,
                body,
            } => {
                self.expression(iterable);
                let polls = ends_on_condition(None, &[], body);
                // The elements of a collection are what was added to it.
                self.values.push((variable.name, iterable));
                self.loop_items(polls, None, |it| it.block(body));
            }
            Statement::Try {
                resources,
                body,
                catches,
                finally,
            } => {
                let catches_limit = |it: &Catch<'_>| it.variable.type_text.contains("Timeout");
                let expects = catches.iter().any(catches_limit) || !catches.is_empty() && fails(body);
                self.block(resources);
                self.expected_limits += u32::from(expects);
                self.block(body);
                self.expected_limits -= u32::from(expects);
                for resource in resources {
                    if let Statement::Local(Local { value: Some(value), .. }) = resource
                        && makes_executor(value)
                    {
                        // An executor waits for its tasks when it is closed.
                        self.push(EventKind::Wait, value, Vec::new());
                    }
                }
                self.catches(catches);
                self.block(finally);
            }
            Statement::Assert { condition, .. } => {
                self.expression(condition);
                if self.body.code == CodeKind::Test {
                    self.push(EventKind::Assertion(Oracle::Effect), condition, names_in(condition));
                }
            }
            Statement::LocalType(_) => {}
            Statement::Local(_)
            | Statement::Return(_)
            | Statement::Yield(_)
            | Statement::Throw(_)
            | Statement::Block(_) => walk_statement(self, statement),
        }
    }

    fn local(&mut self, local: &'a Local<'r>) {
        let around = self.statement.take();
        self.stored = local.value.as_ref().map(|it| (local.name, it));
        walk_local(self, local);
        self.stored = None;
        self.statement = around;
        self.done.retain(|it| *it != local.name);
        if let Some(value) = &local.value {
            self.values.push((local.name, value));
        }
    }

    fn expression(&mut self, expression: &'a Expression<'r>) {
        match &expression.kind {
            ExpressionKind::Call(call) => self.call(expression, call),
            ExpressionKind::New(new) => {
                for argument in &new.arguments {
                    self.expression(argument);
                }
                self.function(expression);
                let target = self.body.target(new.id);
                if new.body.is_none() && self.is_service_object(target) {
                    self.push(EventKind::Concurrent(Span::Presence), expression, Vec::new());
                }
                if let (Target::Declared(id), None) = (target, &new.body) {
                    let called = self.called(id, expression, CallReceiver::Other, false);
                    let is_direct = is_any_direct(&self.body, &self.values, &new.arguments);
                    self.items
                        .extend(called.map(|it| Item::Call(CalledCode { is_direct, ..it })));
                }
            }
            ExpressionKind::Lambda(_) => self.function(expression),
            ExpressionKind::MethodReference { .. } => {}
            ExpressionKind::Assign { target, value, .. } => {
                let around = self.statement.take();
                self.expression(value);
                self.statement = around;
                if let ExpressionKind::Name(name) = target.kind {
                    self.done.retain(|it| *it != name);
                    self.values.push((name, value));
                }
            }
            ExpressionKind::Switch(_) | ExpressionKind::Ternary { .. } => {
                self.branch(|it| walk_expression(it, expression));
            }
            _ => walk_expression(self, expression),
        }
    }
}

fn site_of(item: &Item<'_>) -> Site {
    match item {
        Item::Event(event) => event.site,
        Item::Call(call) => call.site,
        Item::Loop(inner) => inner.site,
    }
}
