//! Finds waits whose time limit fails no test: it asserts that their result is false or that they throw, calls `fail`
//! after them, asserts only if they end in time, or goes on in any case.
//!
//! ```java
//! boolean isDone = latch.await(1, SECONDS);
//! assertFalse(isDone);
//! ```

use crate::syntax::body::{Block, Call, Expression, ExpressionKind, Statement};
use crate::syntax::visit::{Visit, walk_expression};

use super::owner::is_type_name;

/// Whether code asserts that a local variable is false or null.
pub(super) fn is_refuted(block: &Block<'_>, name: &str) -> bool {
    let mut search = Search { name, is_found: false };
    search.block(block);
    search.is_found
}

struct Search<'n> {
    name: &'n str,
    is_found: bool,
}

impl Search<'_> {
    fn is_refutal(&self, call: &Call<'_>) -> bool {
        let mentions = |it: &Expression<'_>| matches!(it.kind, ExpressionKind::Name(name) if name == self.name);
        match call.name {
            "assertFalse" | "assertNull" => call.arguments.iter().any(mentions),
            // `assertThat(isDone).as("too early").isFalse()`.
            "isFalse" | "isNull" => {
                let links = std::iter::successors(called(call.receiver.as_ref()), |it| called(it.receiver.as_ref()));
                links
                    .last()
                    .is_some_and(|it| it.arguments.first().is_some_and(mentions))
            }
            _ => false,
        }
    }
}

/// The call that an expression is; `None` for other expressions.
fn called<'a, 'r>(expression: Option<&'a Expression<'r>>) -> Option<&'a Call<'r>> {
    match &expression?.kind {
        ExpressionKind::Call(call) => Some(call),
        _ => None,
    }
}

impl<'a, 'r: 'a> Visit<'a, 'r> for Search<'_> {
    fn expression(&mut self, expression: &'a Expression<'r>) {
        if let ExpressionKind::Call(call) = &expression.kind {
            self.is_found |= self.is_refutal(call);
        }
        walk_expression(self, expression);
    }
}

/// Whether a call expects an exception, such as `assertThrows(TimeoutException.class, task)`. Every exception counts,
/// because it may report a reached time limit. `untilAsserted(future::isDone)` counts too: it fails only if its function
/// throws, so that its limit is never reached.
pub(super) fn expects_timeout(call: &Call<'_>) -> bool {
    let names_timeout = |it: &Expression<'_>| {
        matches!(&it.kind, ExpressionKind::Literal(_) | ExpressionKind::Field { .. })
            && !is_type_name(it)
            && matches!(
                call.name,
                "assertThrows" | "expectThrows" | "assertThatExceptionOfType" | "catchThrowableOfType"
            )
    };
    let is_question = |it: &Expression<'_>| match it.kind {
        ExpressionKind::MethodReference { name, .. } => name.starts_with("is") || name.starts_with("has"),
        _ => false,
    };
    match call.name {
        "assertThatThrownBy" | "catchThrowable" => true,
        "untilAsserted" => call.arguments.iter().any(is_question),
        _ => call.arguments.iter().any(names_timeout),
    }
}

/// Whether a statement of a `try` block calls `fail`, so that the statements before it are expected to throw.
pub(super) fn fails(block: &Block<'_>) -> bool {
    block.iter().any(|it| match it {
        Statement::Expression(Expression {
            kind: ExpressionKind::Call(call),
            ..
        }) => call.name.starts_with("fail"),
        _ => false,
    })
}

/// Whether a condition decides about assertions and nothing else: every statement of its branch is one, and there is no
/// other branch.
pub(super) fn only_asserts(then: &Block<'_>, otherwise: &Block<'_>) -> bool {
    let is_assertion = |it: &Statement<'_>| match it {
        Statement::Expression(Expression {
            kind: ExpressionKind::Call(call),
            ..
        }) => call.name.starts_with("assert") || call.name.starts_with("verify"),
        _ => false,
    };
    otherwise.is_empty() && !then.is_empty() && then.iter().all(is_assertion)
}

/// The call in a condition whose branch only stops or logs something, so that the code goes on whatever the call
/// returned: `if (!pool.awaitTermination(1, SECONDS)) { pool.shutdownNow(); }`. `None` for other conditions.
pub(super) fn unheeded<'a, 'r>(
    condition: &'a Expression<'r>,
    then: &Block<'r>,
    otherwise: &Block<'r>,
) -> Option<&'a Expression<'r>> {
    const HARMLESS: [&str; 8] = [
        "shutdownNow",
        "shutdown",
        "cancel",
        "interrupt",
        "info",
        "warn",
        "error",
        "println",
    ];
    let is_harmless = |it: &Statement<'_>| match it {
        Statement::Expression(Expression {
            kind: ExpressionKind::Call(call),
            ..
        }) => HARMLESS.contains(&call.name),
        _ => false,
    };
    let call = match &condition.kind {
        ExpressionKind::Unary { operator: "!", operand } => operand,
        _ => condition,
    };
    let is_only_harmless = otherwise.is_empty() && !then.is_empty() && then.iter().all(is_harmless);
    (is_only_harmless && matches!(call.kind, ExpressionKind::Call(_))).then_some(call)
}
