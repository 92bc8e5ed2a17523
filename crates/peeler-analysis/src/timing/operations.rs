//! Reads calls that the timing catalogue knows: sleeps, waits, starts of work, and what the JVM may ignore.

use crate::syntax::body::{Call, Expression, ExpressionKind};

use super::catalogue::{Operation, OperationKind};
use super::duration::Constants;
use super::effects::{changed_beside, root_variable};
use super::event::{EventKind, Reaction};
use super::refuted::is_refuted;
use super::scan::Scan;
use super::variables::names_in;

impl<'a, 'r> Scan<'a, 'r> {
    /// Records what a call of the catalogue means for timing. `fields` are fields that the work of a start also uses.
    pub(super) fn operation(
        &mut self,
        expression: &'a Expression<'r>,
        call: &'a Call<'r>,
        operation: &Operation,
        fields: Vec<&'r str>,
    ) {
        let constants = Constants {
            index: self.body.index,
            file: self.body.file,
            owner: self.body.owner,
            locals: &self.values,
        };
        let kind = match operation.kind {
            // After such a sleep the code under test compares an age with the clock, however busy the machine is.
            OperationKind::Sleep if constants.is_age(call) => EventKind::InnerWait,
            OperationKind::Sleep => {
                let unit = constants.sleep_of_unit(call);
                EventKind::Sleep(unit.or_else(|| constants.limit(call, operation.limit)))
            }
            OperationKind::Wait => EventKind::Wait,
            OperationKind::LimitedWait => {
                let is_statement = self.statement.is_some_and(|it| std::ptr::eq(it, expression));
                // `age.atMost(18)` is a condition of something else.
                let is_number = |it: &Expression<'_>| matches!(it.kind, ExpressionKind::Literal(_));
                if call.name == "atMost" && call.arguments.len() == 1 && is_number(&call.arguments[0]) {
                    return;
                }
                // `await().atMost(1, SECONDS);` sets a limit and waits for nothing.
                if is_statement && matches!(call.name, "atMost" | "waitAtMost") {
                    return;
                }
                let is_stored = |it: &(&str, &Expression<'r>)| std::ptr::eq(it.1, expression);
                let stored = self.stored.filter(is_stored);
                let is_refuted = stored.is_some_and(|(name, _)| is_refuted(self.body.block, name));
                let reaction = if self.expected_limits > 0 || is_refuted {
                    Reaction::Expected
                } else {
                    Reaction::new(operation.outcome, !is_statement)
                };
                let kind = EventKind::LimitedWait {
                    millis: constants.limit(call, operation.limit),
                    reaction,
                };
                let awaited = call.receiver.as_ref().and_then(root_variable);
                let effects = match (reaction, awaited) {
                    (Reaction::Ignored | Reaction::Silent, Some(name)) => changed_beside(self.body.block, name),
                    _ => Vec::new(),
                };
                let site = self.site(expression.start, expression.end);
                return self.push_event(kind, site, names_in(expression), effects);
            }
            OperationKind::Start => return self.start(expression, call, operation.task, fields),
            OperationKind::Yield => EventKind::Yield,
            OperationKind::Priority => EventKind::Priority,
            OperationKind::MonitorWait if self.loops > 0 => EventKind::Wait,
            OperationKind::MonitorWait => EventKind::NakedWait,
            OperationKind::GarbageCollection => EventKind::GarbageCollection,
        };
        self.push(kind, expression, names_in(expression));
    }
}
