//! Reads calls that start work in other threads. It also finds assertions in that work whose failure is lost, and
//! unsynchronised changes.

use crate::syntax::body::{Call, Expression, ExpressionKind};
use crate::syntax::visit::{Visit, walk_expression};

use super::catalogue::{OperationKind, TaskFailure};
use super::effects::changed_names;
use super::event::{EventKind, Span, Turns};
use super::executors::{Threads, is_any_direct, threads_of_start};
use super::references::referenced_class;
use super::scan::Scan;
use super::scanned_body::{CodeKind, ScannedBody, operation_of_reference};
use super::sharing::shared_changes;
use super::task_assertions::lost_assertion;
use super::variables::{Tasks, mentions, names_in, tasks};

impl<'a, 'r> Scan<'a, 'r> {
    /// Records a start of work in another thread, with assertions in its tasks whose failure is lost, and
    /// unsynchronised changes. `fields` are fields that the work also uses.
    pub(super) fn start(
        &mut self,
        expression: &'a Expression<'r>,
        call: &'a Call<'r>,
        failure: TaskFailure,
        fields: Vec<&'r str>,
    ) {
        let threads = threads_of_start(&self.body, &self.values, call);
        if threads == Threads::Caller || is_any_direct(&self.body, &self.values, &call.arguments) {
            return;
        }
        self.push(EventKind::Concurrent(Span::Task), expression, Vec::new());
        let parts = call.receiver.iter().chain(&call.arguments);
        let tasks = tasks(parts, &self.values, &self.contents);
        // A task that main code keeps in a field is its own business, such as cleaning up.
        if self.body.code == CodeKind::Main && tasks.blocks.is_empty() {
            return;
        }
        if self.body.code == CodeKind::Test {
            let is_kept = failure == TaskFailure::Kept && self.is_used(expression);
            if !is_kept && let Some(lost) = lost_assertion(&self.body, &tasks, &self.values) {
                self.push_event(EventKind::LostAssertion, lost, Vec::new(), Vec::new());
            }
            if threads == Threads::Several {
                let turns = if self.loops > 0 { Turns::EachTurn } else { Turns::Once };
                self.changes(&tasks, turns);
            }
        }
        let effects = changed_names(tasks.blocks.iter().copied());
        let names = [tasks.names, fields].concat();
        let site = self.site(expression.start, expression.end);
        self.push_event(EventKind::Start, site, names, effects);
    }

    /// Records a function or an anonymous class of test code that starts work in another thread when something runs it.
    pub(super) fn function(&mut self, function: &'a Expression<'r>) {
        if self.body.code == CodeKind::Test && starts_work(&self.body, function) {
            self.push(EventKind::StartInFunction, function, Vec::new());
        }
    }

    /// Records a method reference that runs for each element: `threads.forEach(Thread::start)`.
    pub(super) fn reference(
        &mut self,
        expression: &'a Expression<'r>,
        call: &'a Call<'r>,
        object: &'a Expression<'r>,
        name: &'r str,
    ) {
        let class = referenced_class(&self.body, object);
        let Some(operation) = class.and_then(|it| operation_of_reference(&it, name)) else {
            return;
        };
        let site = self.site(expression.start, expression.end);
        match operation.kind {
            OperationKind::Start => {
                self.push(EventKind::Concurrent(Span::Task), expression, Vec::new());
                let tasks = tasks(&call.receiver, &self.values, &self.contents);
                if self.body.code == CodeKind::Test {
                    self.changes(&tasks, Turns::EachTurn);
                }
                let effects = changed_names(tasks.blocks.iter().copied());
                self.push_event(EventKind::Start, site, tasks.names, effects);
            }
            OperationKind::Wait => {
                let names = call.receiver.as_ref().map(names_in).unwrap_or_default();
                self.push_event(EventKind::Wait, site, names, Vec::new());
            }
            _ => {}
        }
    }

    /// Records which unsynchronised objects the functions of a parallel stream change.
    pub(super) fn parallel(&mut self, call: &'a Call<'r>) {
        if self.body.code == CodeKind::Test {
            let tasks = tasks(&call.arguments, &self.values, &self.contents);
            self.changes(&tasks, Turns::Several);
        }
    }

    /// Records which unsynchronised objects the tasks of other threads change.
    fn changes(&mut self, tasks: &Tasks<'a, 'r>, turns: Turns) {
        for found in shared_changes(&self.body, tasks, &self.values) {
            // Each turn of a loop has an object of its own, if the loop makes the object.
            let made_at = self.values.iter().rposition(|(it, _)| *it == found.name);
            let is_own = turns == Turns::EachTurn && made_at.is_some_and(|it| it >= self.outside);
            let turns = if is_own { Turns::Once } else { turns };
            self.changes_objects |= found.field.is_some();
            let site = self.site(found.change.start, found.change.end);
            let fields = found.field.into_iter().collect();
            self.push_event(EventKind::TaskChange(turns), site, vec![found.name], fields);
        }
    }

    /// Whether the result of a call is used: by the code around it, or as a variable that is mentioned later.
    fn is_used(&self, expression: &Expression<'r>) -> bool {
        if self.statement.is_some_and(|it| std::ptr::eq(it, expression)) {
            return false;
        }
        match self.stored {
            Some((name, value)) if std::ptr::eq(value, expression) => mentions(self.body.block, name),
            _ => true,
        }
    }
}

/// Whether code anywhere inside a function or an anonymous class starts work in another thread.
fn starts_work<'r>(body: &ScannedBody<'_, 'r>, function: &Expression<'r>) -> bool {
    let mut starts = StartsInside { body, is_found: false };
    match &function.kind {
        ExpressionKind::Lambda(lambda) => starts.block(&lambda.body),
        ExpressionKind::New(new) if new.body.is_some() => walk_expression(&mut starts, function),
        _ => {}
    }
    starts.is_found
}

struct StartsInside<'s, 'a, 'r> {
    body: &'s ScannedBody<'a, 'r>,
    is_found: bool,
}

impl<'b, 'r: 'b> Visit<'b, 'r> for StartsInside<'_, '_, 'r> {
    fn expression(&mut self, expression: &'b Expression<'r>) {
        if let ExpressionKind::Call(call) = &expression.kind {
            let operation = self.body.operation(call);
            self.is_found |= operation.is_some_and(|it| it.kind == OperationKind::Start);
        }
        walk_expression(self, expression);
    }
}
