//! Finds latches that the test's own thread has counted down before it waits for them.
//!
//! ```java
//! service.find(query, result -> latch.countDown());    // `find` calls the function before it returns
//! latch.await(1, SECONDS);                             // never waits
//! ```

use crate::symbols::ids::MethodId;
use crate::symbols::index::Index;
use crate::symbols::resolve::method_targets;
use crate::symbols::targets::Target;
use crate::syntax::body::{Block, Expression, ExpressionKind, Local};
use crate::syntax::visit::{Visit, walk_expression, walk_local};

use super::scanned_body::ScannedBody;
use super::variables::names_in;

/// The maximum number of calls that a callback is followed through.
const MAX_CALLS: u8 = 4;

/// Whether a local latch is counted down by the body's own thread, and by no other: the body does so itself, or code of
/// the repository that it calls runs a callback at once.
pub(super) fn is_released_by_caller(body: &ScannedBody<'_, '_>, latch: &str) -> bool {
    let mut releases = Releases {
        body,
        latch,
        is_beside: false,
        own: 0,
        others: 0,
    };
    releases.block(body.block);
    releases.own > 0 && releases.others == 0
}

/// A visitor that counts where a latch is counted down, or may be.
struct Releases<'s, 'b, 'r, 'n> {
    body: &'s ScannedBody<'b, 'r>,
    latch: &'n str,
    /// Whether the current code belongs to a function that may run in another thread.
    is_beside: bool,
    /// The number of places where the body's own thread counts the latch down.
    own: u32,
    /// The number of places where another thread may count the latch down, or where other code gets the latch.
    others: u32,
}

impl<'b, 'r: 'b> Releases<'_, 'b, 'r, '_> {
    /// Reads a function, which the body's own thread runs or another one.
    fn function(&mut self, function: &'b Expression<'r>, is_own: bool) {
        let around = self.is_beside;
        self.is_beside |= !is_own;
        match &function.kind {
            ExpressionKind::MethodReference { object, name } if is_variable(object, self.latch) => self.use_of(name),
            _ => walk_expression(self, function),
        }
        self.is_beside = around;
    }

    /// Records a call of a method of the latch.
    fn use_of(&mut self, method: &str) {
        match (method, self.is_beside) {
            ("countDown", false) => self.own += 1,
            ("countDown", true) => self.others += 1,
            _ => {}
        }
    }
}

impl<'b, 'r: 'b> Visit<'b, 'r> for Releases<'_, 'b, 'r, '_> {
    fn local(&mut self, local: &'b Local<'r>) {
        match &local.value {
            Some(value) if is_function(value) => {
                let is_own = Runs::of(
                    self.body.index,
                    self.body.targets,
                    self.body.block,
                    local.name,
                    MAX_CALLS,
                );
                self.function(value, is_own);
            }
            _ => walk_local(self, local),
        }
    }

    fn expression(&mut self, expression: &'b Expression<'r>) {
        match &expression.kind {
            ExpressionKind::Name(name) if *name == self.latch => self.others += 1,
            ExpressionKind::Call(call) => {
                match &call.receiver {
                    Some(it) if is_variable(it, self.latch) => self.use_of(call.name),
                    Some(it) => self.expression(it),
                    None => {}
                }
                for (position, argument) in call.arguments.iter().enumerate() {
                    if is_function(argument) {
                        let target = self.body.target(call.id);
                        let is_own = runs_argument(self.body.index, target, position, MAX_CALLS);
                        self.function(argument, is_own);
                    } else {
                        self.expression(argument);
                    }
                }
            }
            _ if is_function(expression) => self.function(expression, false),
            _ => walk_expression(self, expression),
        }
    }
}

/// Whether every body that a call may run also runs the function at `position` of its arguments before it returns.
fn runs_argument(index: &Index<'_>, target: Target<'_>, position: usize, calls: u8) -> bool {
    let Target::Declared(declared) = target else {
        return false;
    };
    let bodies = match &index.method(declared).code {
        Some(_) => &[declared][..],
        None => index.implementations(declared),
    };
    let runs = |id: &MethodId| {
        let method = index.method(*id);
        let (Some(code), Some(parameter)) = (&method.code, method.parameters.get(position)) else {
            return false;
        };
        Runs::of(
            index,
            method_targets(index, *id),
            &code.get().block,
            parameter.name,
            calls,
        )
    };
    calls > 0 && !bodies.is_empty() && bodies.iter().all(runs)
}

/// A visitor that finds out what code does with the function in a variable.
struct Runs<'i, 'r, 'n> {
    index: &'i Index<'r>,
    targets: &'i [Target<'r>],
    name: &'n str,
    /// The number of calls that the function is still followed through.
    calls: u8,
    is_run: bool,
    /// Whether the function is kept, or goes to code that is not known.
    is_given_away: bool,
}

impl<'i, 'r> Runs<'i, 'r, '_> {
    /// Whether code runs the function in a variable before it ends, and does nothing else with it.
    fn of(index: &'i Index<'r>, targets: &'i [Target<'r>], block: &Block<'r>, name: &str, calls: u8) -> bool {
        let mut runs = Runs {
            index,
            targets,
            name,
            calls,
            is_run: false,
            is_given_away: false,
        };
        runs.block(block);
        runs.is_run && !runs.is_given_away
    }
}

impl<'b, 'r: 'b> Visit<'b, 'r> for Runs<'_, 'r, '_> {
    fn expression(&mut self, expression: &'b Expression<'r>) {
        match &expression.kind {
            ExpressionKind::Name(name) if *name == self.name => self.is_given_away = true,
            // Whoever gets this function may run it later.
            _ if is_function(expression) => self.is_given_away |= names_in(expression).contains(&self.name),
            ExpressionKind::Call(call) => {
                match &call.receiver {
                    Some(it) if is_variable(it, self.name) => self.is_run = true,
                    Some(it) => self.expression(it),
                    None => {}
                }
                for (position, argument) in call.arguments.iter().enumerate() {
                    let target = self.targets[call.id.0 as usize];
                    if is_variable(argument, self.name) && runs_argument(self.index, target, position, self.calls - 1) {
                        self.is_run = true;
                    } else {
                        self.expression(argument);
                    }
                }
            }
            _ => walk_expression(self, expression),
        }
    }
}

/// Whether an expression is a function: a lambda, a method reference or an object of an anonymous class.
fn is_function(expression: &Expression<'_>) -> bool {
    match &expression.kind {
        ExpressionKind::Lambda(_) | ExpressionKind::MethodReference { .. } => true,
        ExpressionKind::New(new) => new.body.is_some(),
        _ => false,
    }
}

fn is_variable(expression: &Expression<'_>, name: &str) -> bool {
    matches!(expression.kind, ExpressionKind::Name(it) if it == name)
}
