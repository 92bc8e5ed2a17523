//! Finds assertions that no sleep before them can change: of literals, and of numbers, texts and truth values that the
//! body read before it slept.
//!
//! ```java
//! boolean isOpen = door.isOpen();
//! Thread.sleep(1000);
//! assertTrue(isOpen);
//! ```

use crate::syntax::body::{Expression, ExpressionKind, Local};
use crate::syntax::visit::{Visit, walk_expression, walk_local};

use super::duration::last_name;
use super::event::{EventKind, Item};
use super::owner::is_type_name;
use super::scan::Scan;

/// Types whose values do not change: numbers, texts and truth values.
const PLAIN_TYPES: [&str; 14] = [
    "boolean",
    "byte",
    "char",
    "double",
    "float",
    "int",
    "long",
    "short",
    "Boolean",
    "Character",
    "Double",
    "Integer",
    "Long",
    "String",
];

/// Matchers that only compare.
const MATCHERS: [&str; 4] = ["is", "equalTo", "not", "sameInstance"];

/// The code from a sleep to an assertion, as positions in the source.
#[derive(Clone, Copy)]
struct Slept {
    from: u32,
    to: u32,
}

impl<'r> Scan<'_, 'r> {
    /// Whether what an assertion checks was known before the last sleep of the body itself.
    pub(super) fn is_known_before_sleep(&self, assertion: &Expression<'r>) -> bool {
        let mut sleeps = self.items.iter().rev().filter_map(|it| match it {
            Item::Event(event) if matches!(event.kind, EventKind::Sleep(_)) => Some(event.site.start),
            _ => None,
        });
        let to = assertion.end;
        sleeps
            .next()
            .is_some_and(|from| self.is_older(assertion, Slept { from, to }))
    }

    /// Whether an expression consists of literals and of plain local variables that do not change during `slept`.
    fn is_older(&self, expression: &Expression<'r>, slept: Slept) -> bool {
        match &expression.kind {
            ExpressionKind::Literal(_) => true,
            ExpressionKind::Name(name) => self.is_kept(name, slept),
            // `Boolean.TRUE`. Other constants may hold what changes.
            ExpressionKind::Field { object, .. } => last_name(object) == Some("Boolean"),
            ExpressionKind::Unary { operand, .. } => self.is_older(operand, slept),
            ExpressionKind::Binary { operands, .. } => operands.iter().all(|it| self.is_older(it, slept)),
            ExpressionKind::Call(call) => {
                let is_comparison = MATCHERS.contains(&call.name) || self.body.asserts(call);
                let receiver = call.receiver.iter().filter(|it| !is_type_name(it));
                is_comparison && receiver.chain(&call.arguments).all(|it| self.is_older(it, slept))
            }
            _ => false,
        }
    }

    /// Whether a name is that of a local variable of a plain type that gets no value during `slept`.
    fn is_kept(&self, name: &str, slept: Slept) -> bool {
        let mut assignments = Assignments {
            name,
            slept,
            is_plain: false,
            is_changed: false,
        };
        assignments.block(self.body.block);
        assignments.is_plain && !assignments.is_changed
    }
}

/// A visitor that looks for the declaration of a variable and for its assignments.
struct Assignments<'n> {
    name: &'n str,
    slept: Slept,
    /// Whether every declaration of the variable so far is of a plain type, and there is one.
    is_plain: bool,
    is_changed: bool,
}

impl Assignments<'_> {
    fn change(&mut self, place: &Expression<'_>, at: u32) {
        let is_meant = matches!(place.kind, ExpressionKind::Name(name) if name == self.name);
        self.is_changed |= is_meant && (self.slept.from..self.slept.to).contains(&at);
    }
}

impl<'b, 'r: 'b> Visit<'b, 'r> for Assignments<'_> {
    fn local(&mut self, local: &'b Local<'r>) {
        if local.name == self.name {
            self.is_plain = PLAIN_TYPES.contains(&local.type_text);
            let at = local.value.as_ref().map(|it| it.start);
            self.is_changed |= at.is_some_and(|at| (self.slept.from..self.slept.to).contains(&at));
        }
        walk_local(self, local);
    }

    fn expression(&mut self, expression: &'b Expression<'r>) {
        match &expression.kind {
            ExpressionKind::Assign { target, .. } => self.change(target, expression.start),
            ExpressionKind::Update { operand, .. } => self.change(operand, expression.start),
            _ => {}
        }
        walk_expression(self, expression);
    }
}
